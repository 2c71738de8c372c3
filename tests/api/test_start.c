/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The start state of a kernel. What the vendor's start leaves is what tt-llk's start code issues,
 * word for word: here a machine from reset executes those words, and the other one is told
 * TX_START_VENDOR.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <tensix/tensix.h>

static struct tx_program *assemble(enum tx_arch arch, const char *text)
{
    struct tx_asm_options options = {.arch = arch};
    struct tx_program *program = NULL;
    struct tx_diag diag = {0};
    assert_int_equal(tx_assemble(text, strlen(text), &options, &program, &diag), TX_OK);
    return program;
}

static tx_machine *machine(enum tx_arch arch)
{
    struct tx_settings settings;
    tx_machine *m = NULL;
    tx_settings_default(&settings, arch);
    assert_int_equal(tx_open(&settings, &m), TX_OK);
    return m;
}

static void same_file(const tx_machine *a, const tx_machine *b, enum tx_file file, unsigned index,
                      size_t count)
{
    uint32_t x[32];
    uint32_t y[32];
    assert_int_equal(tx_read(a, file, index, x, count), TX_OK);
    assert_int_equal(tx_read(b, file, index, y, count), TX_OK);
    assert_memory_equal(x, y, count * sizeof x[0]);
}

/* tt-llk 36b092e: boot.h, then A2D's and the SFPU's address modifiers, then the start of a tile. */
static const char all_words[] = "sfpencc 3,10\nnop\nsfpconfig 11,0,1\nsfpconfig 15,0,1\n"
                                ".setcfg ADDR_MOD_AB_SEC0_SrcAIncr, 1\n"
                                ".setcfg ADDR_MOD_DST_SEC0_DestIncr, 1\n"
                                ".setcfg ADDR_MOD_AB_SEC2_SrcAIncr, 8\n"
                                ".setcfg ADDR_MOD_DST_SEC2_DestIncr, 8\n"
                                ".setcfg ADDR_MOD_DST_SEC3_DestIncr, 0\n"
                                ".setcfg ADDR_MOD_DST_SEC7_DestIncr, 0\n";

static void test_vendor(void **state)
{
    (void)state;
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        char text[1024];
        snprintf(text, sizeof text, "%s%s", all_words,
                 arch == TX_WORMHOLE ? ".setcfg ADDR_MOD_SET_Base, 1\n" : "");
        struct tx_program *program = assemble(arch, text);
        tx_machine *words = machine(arch);
        tx_machine *told = machine(arch);
        assert_int_equal(tx_run(words, 1, tx_program_words(program, TX_SECTION_TILE),
                                tx_program_count(program, TX_SECTION_TILE)),
                         TX_OK);
        assert_int_equal(tx_machine_start(told, 1, TX_START_VENDOR), TX_OK);
        for (unsigned reg = 0; reg < TX_LREGS; reg++) {
            same_file(words, told, TX_FILE_LREG, reg, 32);
        }
        same_file(words, told, TX_FILE_LANE_FLAGS, 0, 1);
        same_file(words, told, TX_FILE_USE_LANE_FLAGS, 0, 1);
        same_file(words, told, TX_FILE_LANE_CONFIG, 0, 8);
        same_file(words, told, TX_FILE_STACK_DEPTH, 0, 32);
        for (unsigned i = 0; i < 128 * TX_THREADS; i++) {
            same_file(words, told, TX_FILE_THREAD_CONFIG, i, 1);
        }
        for (unsigned i = 0; i < 512; i++) {
            same_file(words, told, TX_FILE_CONFIG, i, 1);
        }
        tx_close(words);
        tx_close(told);
        tx_program_free(program);
    }
}

/* |x| by a condition, the program as tt-llk writes it: only right where the start is the vendor's.
 */
static const char absolute[] = "    sfpload L0,0,3,3\n    sfpsetcc L0,0,0\n    sfpmov L0,L0,1\n"
                               "    sfpencc 0,0\n    sfpstore L0,0,3,3\n";

struct outcome {
    uint32_t first; /* of -1.0 and 2.0 */
    uint32_t second;
    size_t findings;
    char rule[16];
};

static struct outcome run(const struct tx_program *program, enum tx_start start, bool fast)
{
    static uint32_t in[TX_TILE_ELEMENTS];
    static uint32_t out[TX_TILE_ELEMENTS];
    const uint32_t *inputs[] = {in};
    struct tx_settings settings;
    struct tx_kernel_options options;
    tx_kernel *kernel = NULL;
    struct outcome got = {0, 0, 0, ""};
    for (unsigned i = 0; i < TX_TILE_ELEMENTS; i++) {
        in[i] = i % 4 < 2 ? 0xBF800000U : 0x40000000U;
    }
    tx_settings_default(&settings, tx_program_arch(program));
    tx_kernel_options_default(&options);
    options.start = start;
    assert_int_equal(tx_kernel_open(&settings, program, &options, &kernel), TX_OK);
    assert_int_equal(tx_kernel_start(kernel), TX_OK);
    assert_int_equal(tx_kernel_tile(kernel, 0, inputs, out), TX_OK);
    const tx_machine *m = tx_kernel_machine(kernel);
    got.findings = tx_finding_count(m);
    if (got.findings != 0) {
        snprintf(got.rule, sizeof got.rule, "%s", tx_finding_at(m, 0)->rule);
    }
    if (fast) {
        tx_fast *f = NULL;
        tx_fast_worker *worker = NULL;
        assert_int_equal(tx_fast_open(kernel, NULL, &f, NULL), TX_OK);
        assert_int_equal(tx_fast_worker_open(f, &worker), TX_OK);
        assert_int_equal(tx_fast_run(worker, 0, 1, inputs, out), TX_OK);
        tx_fast_worker_close(worker);
        tx_fast_close(f);
    }
    got.first = out[0];
    got.second = out[2];
    tx_kernel_close(kernel);
    return got;
}

static void test_kernel(void **state)
{
    (void)state;
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        for (int fast = 0; fast < 2; fast++) {
            char text[256];
            struct tx_program *plain = assemble(arch, absolute);
            snprintf(text, sizeof text, ".start vendor\n%s", absolute);
            struct tx_program *stated = assemble(arch, text);
            assert_int_equal(tx_program_start(plain), TX_START_UNSET);
            assert_int_equal(tx_program_start(stated), TX_START_VENDOR);

            struct outcome o = run(plain, TX_START_UNSET, fast != 0);
            assert_int_equal(o.findings, 1);
            assert_string_equal(o.rule, "E-CC");
            assert_int_equal(o.second, 0xC0000000U); /* negated, too */
            o = run(plain, TX_START_VENDOR, fast != 0);
            assert_int_equal(o.findings, 0);
            assert_int_equal(o.first, 0x3F800000U);
            assert_int_equal(o.second, 0x40000000U);
            o = run(stated, TX_START_UNSET, fast != 0);
            assert_int_equal(o.findings, 0);
            assert_int_equal(o.second, 0x40000000U);
            assert_int_equal(run(stated, TX_START_RESET, fast != 0).second, 0xC0000000U);
            tx_program_free(plain);
            tx_program_free(stated);
        }
    }
}

/* Which instructions are findings with predication off, and that a template is none. */
static void test_findings(void **state)
{
    static const struct {
        const char *text;
        size_t findings;
    } cases[] = {
        {"sfpsetcc L1,0,6", 1},  {"sfpcompc", 1},        {"sfppushc 0", 1},
        {"sfpgt L1,L2,0,1", 1},  {"sfple L1,L2,0,1", 1}, {"sfpgt L1,L2,0,8", 0},
        {"sfpexexp L1,L2,2", 0}, {"sfplz L1,L2,4", 0},   {"sfpiadd L1,L2,1,1", 0},
        {"sfpencc 0,0", 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int on = 0; on < 2; on++) {
            struct tx_program *program = assemble(TX_BLACKHOLE, cases[i].text);
            tx_machine *m = machine(TX_BLACKHOLE);
            if (on != 0) {
                assert_int_equal(tx_machine_start(m, 1, TX_START_VENDOR), TX_OK);
            }
            assert_int_equal(tx_run(m, 1, tx_program_words(program, TX_SECTION_TILE), 1), TX_OK);
            assert_int_equal(tx_finding_count(m), on != 0 ? 0 : cases[i].findings);
            tx_close(m);
            tx_program_free(program);
        }
    }
    /* Templates of SFPLOADMACRO are not executed. */
    tx_machine *m = machine(TX_BLACKHOLE);
    const uint32_t setcc = 0x7B0000C6U; /* VD 12 */
    assert_int_equal(tx_run(m, 1, &setcc, 1), TX_OK);
    assert_int_equal(tx_finding_count(m), 0);
    tx_close(m);
}

/* .init drains, so its last SFPCONFIG is no neighbour of the first SFPLOADMACRO (E-VIS). */
static void test_seam(void **state)
{
    static const char text[] = ".init\n    sfploadi L0,0,2\n    sfpconfig 8,0x100,1\n"
                               ".tile\n    sfploadmacro 0,L0,0,3,3\n";
    (void)state;
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        struct tx_program *program = assemble(arch, text);
        assert_int_equal(run(program, TX_START_UNSET, false).findings, 0);
        tx_program_free(program);
        program = assemble(arch, "    sfpconfig 8,0x100,1\n    sfploadmacro 0,L0,0,3,3\n");
        assert_string_equal(run(program, TX_START_UNSET, false).rule, "E-VIS");
        tx_program_free(program);
    }
}

static void test_refused(void **state)
{
    enum tx_start start = TX_START_UNSET;
    tx_machine *m = machine(TX_BLACKHOLE);
    (void)state;
    assert_int_equal(tx_machine_start(m, 3, TX_START_VENDOR), TX_EINVAL);
    assert_int_equal(tx_machine_start(m, 1, (enum tx_start)7), TX_EINVAL);
    assert_int_equal(tx_start_parse("firmware", &start), TX_ENOENT);
    assert_int_equal(tx_start_parse("vendor", &start), TX_OK);
    assert_string_equal(tx_start_name(start), "vendor");
    tx_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_vendor), cmocka_unit_test(test_kernel),
                                       cmocka_unit_test(test_findings), cmocka_unit_test(test_seam),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
