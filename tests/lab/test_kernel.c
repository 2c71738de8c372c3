/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel files and recording through their public face; words are those of the ISA's encoding. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <tensix-lab/kernel.h>

static char folder[] = "/tmp/tensix-test-XXXXXX";

static const char *put(const char *name, const char *text)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
    return path;
}

static int begin(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int end(void **state)
{
    (void)state;
    static const char *const names[] = {"a.s", "b.s", "c.hex", "k.cpp", "list.txt"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    return rmdir(folder); /* fails where recording has left anything */
}

static void test_load(void **state)
{
    (void)state;
    struct txl_error err = {.status = TXL_OK};
    struct tx_program *p = NULL;
    const char *path = put("a.s", ".arch bh\n.init\nsfpnop\n.tile\nsfpnop\nsfpnop\n");
    assert_int_equal(txl_kernel_load(&err, &path, 1, NULL, &p), TXL_OK);
    assert_int_equal(tx_program_count(p, TX_SECTION_INIT), 1);
    assert_int_equal(tx_program_count(p, TX_SECTION_TILE), 2);
    const struct txl_where where = txl_where_word(path, p, TX_SECTION_TILE, 1);
    assert_string_equal(where.file, path);
    assert_int_equal(where.line, 6);
    tx_program_free(p);
}

/* SFPNOP is opcode 0x8f: in a hex list, and rotated left by two as .ttinsn has it. */
/* Where a word stands in one place only, that place; a file and a line are both looked at. */
static void test_source_of(void **state)
{
    (void)state;
    struct txl_error err = {.status = TXL_OK};
    struct tx_program *p = NULL;
    char text[256];
    const char *path = put("a.s", ".arch bh\n.file 1, \"one.cpp\"\n.file 2, \"two.cpp\"\n.tile\n"
                                  ".loc 1, 5\nsfpnop\n.loc 1, 6\nsfpnop\n"
                                  ".loc 1, 7\nsfpabs L0,L1,0\n.loc 2, 7\nsfpabs L0,L1,0\n"
                                  ".loc 1, 8\nsfpmov L0,L1,0\n.loc 1, 8\nsfpmov L0,L1,0\n");
    assert_int_equal(txl_kernel_load(&err, &path, 1, NULL, &p), TXL_OK);
    const uint32_t *words = tx_program_words(p, TX_SECTION_TILE);
    assert_int_equal(tx_program_count(p, TX_SECTION_TILE), 6);
    assert_null(txl_source_of(p, words[0], text)); /* two lines of a file */
    assert_null(txl_source_of(p, words[2], text)); /* the same line of two files */
    assert_non_null(txl_source_of(p, words[4], text));
    assert_string_equal(text, "one.cpp:8");
    assert_null(txl_source_of(p, 0x02000000, text)); /* not there */
    tx_program_free(p);
}

static void test_hex(void **state)
{
    (void)state;
    struct txl_error err = {.status = TXL_OK};
    struct tx_program *p = NULL;
    const char *path = put("c.hex", "8f000000\n");
    assert_int_equal(txl_kernel_load(&err, &path, 1, NULL, &p), TXL_INPUT);
    assert_null(p);
    assert_non_null(strstr(err.message, "does not name its chip"));
    txl_error_clear(&err);
    struct txl_kernel_options how = {.size = sizeof how, .arch = TX_WORMHOLE};
    assert_int_equal(txl_kernel_load(&err, &path, 1, &how, &p), TXL_OK);
    assert_int_equal(tx_program_words(p, TX_SECTION_TILE)[0], 0x8f000000);
    tx_program_free(p);
    how.hex = how.ttinsn = true;
    assert_int_equal(txl_kernel_assemble(&err, "text", "3c000002\n", 9, &how, &p), TXL_OK);
    assert_int_equal(tx_program_words(p, TX_SECTION_TILE)[0], 0x8f000000);
    tx_program_free(p);
}

static void refused(const char *text, const struct txl_kernel_options *how, unsigned line,
                    const char *why)
{
    struct txl_error err = {.status = TXL_OK};
    struct tx_program *p = NULL;
    assert_int_equal(txl_kernel_assemble(&err, "text", text, strlen(text), how, &p), TXL_INPUT);
    assert_null(p);
    assert_string_equal(err.file, "text");
    assert_int_equal(err.line, line);
    assert_non_null(strstr(err.message, why));
}

static void test_refused(void **state)
{
    (void)state;
    struct txl_kernel_options how = {.size = sizeof how, .arch = TX_WORMHOLE};
    refused(".arch bh\nsfpnop\n", &how, 0, "the file states .arch blackhole");
    refused("# nothing\n", &how, 0, "there is no instruction");
    refused(".thread 0\nsfpnop\n", &how, 0, "several threads");
    refused("sfpnop\nsfpmd L0\n", &how, 2, "sfpmd");
    /* SFPGT is Blackhole's */
    refused("sfpnop\n.word 0x97000000\n", &how, 2, "on blackhole it is sfpgt");
    how.any_word = true;
    struct txl_error err = {.status = TXL_OK};
    struct tx_program *p = NULL;
    assert_int_equal(txl_kernel_assemble(&err, "text", ".word 0x97000000\n", 17, &how, &p), TXL_OK);
    tx_program_free(p);
    how.size = 2;
    refused("", NULL, 0, "");
    assert_int_equal(txl_kernel_assemble(&err, "text", "sfpnop\n", 7, &how, &p), TXL_INPUT);
    assert_int_equal(txl_kernel_load(&err, NULL, 0, NULL, &p), TXL_INPUT);
}

static void test_threads(void **state)
{
    (void)state;
    struct txl_error err = {.status = TXL_OK};
    struct tx_program *p = NULL;
    char first[128];
    snprintf(first, sizeof first, "%s", put("a.s", ".arch bh\nsfpnop\n"));
    const char *paths[] = {first, put("b.s", ".arch bh\nsfpnop\nsfpnop\n")};
    assert_int_equal(txl_kernel_load(&err, paths, 2, NULL, &p), TXL_OK);
    assert_true(tx_program_threaded(p));
    assert_int_equal(tx_program_count(p, TX_SECTION_TILE), 3);
    assert_int_equal(tx_program_threads(p, TX_SECTION_TILE)[0], 0);
    assert_int_equal(tx_program_threads(p, TX_SECTION_TILE)[2], 1);
    tx_program_free(p);
    put("b.s", ".arch wh\nsfpnop\n");
    assert_int_equal(txl_kernel_load(&err, paths, 2, NULL, &p), TXL_INPUT);
    assert_non_null(strstr(err.message, "two chips"));
}

/* ---- recording ---- */

static const char source[] =
    "#include <tensix/ckernel_ops.h>\n"
    "#include <unistd.h>\n"
    "void twice(int n) { for (int i = 0; i < 2 * n; i++) TTI_SFPNOP; }\n"
    "void hang() { sleep(600); }\n"
    "void wrong() { TTI_SFPMUL(0, 0, 9, 1, 0); TTI_SFPMUL(99, 0, 9, 1, 0); }\n";

extern char **environ;

static struct txl_record_options options_of(const struct txl_record_kernel *kernel)
{
    static char path[128];
    snprintf(path, sizeof path, "%s", put("k.cpp", source));
    return (struct txl_record_options){.size = sizeof(struct txl_record_options),
                                       .arch = TX_BLACKHOLE,
                                       .source = path,
                                       .kernel = kernel,
                                       .include = TX_SOURCE_DIR "/include",
                                       .scratch = folder,
                                       .environment = environ};
}

static void test_record(void **state)
{
    (void)state;
    static const char *const head[] = {".dst", "bf16"};
    const struct txl_record_kernel kernel = {
        .size = sizeof kernel, .tile = "twice(2)", .head = head, .head_count = 2};
    const struct txl_record_options how = options_of(&kernel);
    struct txl_error err = {.status = TXL_OK};
    txl_record *record = NULL;
    char *text = NULL;
    size_t size = 0;
    assert_int_equal(txl_record_open(&err, &how, &record), TXL_OK);
    assert_int_equal(txl_record_count(record), 1);
    assert_null(txl_record_name(record, 0));
    assert_int_equal(txl_record_text(&err, record, 0, &text, &size), TXL_OK);
    assert_int_equal(strlen(text), size);
    struct tx_program *p = NULL;
    assert_int_equal(txl_kernel_assemble(&err, "it", text, size, NULL, &p), TXL_OK);
    assert_int_equal(tx_program_dst(p), TX_DST_FORMAT_BF16);
    assert_int_equal(tx_program_count(p, TX_SECTION_TILE), 4);
    const struct txl_where where = txl_where_word("it", p, TX_SECTION_TILE, 0);
    assert_non_null(strstr(where.file, "k.cpp"));
    assert_int_equal(where.line, 3);
    tx_program_free(p);
    free(text);
    assert_int_equal(txl_record_text(&err, record, 1, &text, &size), TXL_INPUT);
    assert_null(text);
    txl_record_close(record);
}

/* One kernel of a list fails, the other does not; its name and line are told. */
static void test_record_list(void **state)
{
    (void)state;
    struct txl_record_options how = options_of(NULL);
    char list[128];
    snprintf(list, sizeof list, "%s",
             put("list.txt", "good --tile 'twice(1)'\n\nbad --tile wrong\n"));
    how.list = list;
    struct txl_error err = {.status = TXL_OK};
    txl_record *record = NULL;
    char *text = NULL;
    size_t size = 0;
    assert_int_equal(txl_record_open(&err, &how, &record), TXL_OK);
    assert_int_equal(txl_record_count(record), 2);
    assert_string_equal(txl_record_name(record, 1), "bad");
    assert_null(txl_record_name(record, 2));
    assert_int_equal(txl_record_text(&err, record, 1, &text, &size), TXL_INPUT);
    assert_null(text);
    assert_int_equal(err.line, 3);
    assert_non_null(strstr(err.message, "bad: "));
    txl_error_clear(&err);
    assert_int_equal(txl_record_text(&err, record, 0, &text, &size), TXL_OK);
    free(text);
    txl_record_close(record);
}

static void test_record_refused(void **state)
{
    (void)state;
    struct txl_record_kernel kernel = {.size = sizeof kernel, .tile = "nothing"};
    struct txl_record_options how = options_of(&kernel);
    struct txl_error err = {.status = TXL_OK};
    txl_record *record = NULL;
    assert_int_equal(txl_record_open(&err, &how, &record), TXL_INPUT);
    assert_null(record);
    assert_non_null(strstr(err.message, "nothing"));
    txl_error_clear(&err);
    how.compiler = "/nowhere/c++";
    assert_int_equal(txl_record_open(&err, &how, &record), TXL_INPUT);
    assert_non_null(strstr(err.message, "'/nowhere/c++' cannot be run: No such file"));
    txl_error_clear(&err);
    how.arch = TX_ARCH_NONE;
    assert_int_equal(txl_record_open(&err, &how, &record), TXL_INPUT);
    assert_string_equal(err.message, "the chip is missing");
    txl_record_close(NULL);
}

static bool few(void *user, uint64_t done, uint64_t total)
{
    unsigned *left = user;
    (void)done;
    (void)total;
    return (*left)-- > 1;
}

/* A kernel that does not end: the caller ends it. */
static void test_record_cancelled(void **state)
{
    (void)state;
    const struct txl_record_kernel kernel = {.size = sizeof kernel, .tile = "hang"};
    struct txl_record_options how = options_of(&kernel);
    unsigned left = 1000000;
    how.progress = few;
    how.user = &left;
    struct txl_error err = {.status = TXL_OK};
    txl_record *record = NULL;
    char *text = NULL;
    size_t size = 0;
    assert_int_equal(txl_record_open(&err, &how, &record), TXL_OK);
    left = 5;
    assert_int_equal(txl_record_text(&err, record, 0, &text, &size), TXL_CANCELLED);
    assert_null(text);
    txl_record_close(record);
    left = 3;
    record = NULL;
    txl_error_clear(&err);
    assert_int_equal(txl_record_open(&err, &how, &record), TXL_CANCELLED);
    assert_null(record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load),
        cmocka_unit_test(test_source_of),
        cmocka_unit_test(test_hex),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_record),
        cmocka_unit_test(test_record_list),
        cmocka_unit_test(test_record_refused),
        cmocka_unit_test(test_record_cancelled),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
