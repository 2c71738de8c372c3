/* SPDX-License-Identifier: Apache-2.0 */
/* run, eval and trace through their public faces, beside what the command says of the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <tensix-lab/eval.h>
#include <tensix-lab/kernel.h>
#include <tensix-lab/run.h>
#include <tensix-lab/trace.h>

enum { COUNT = 64 };

static char folder[] = "/tmp/tensix-test-XXXXXX";
static const char *const names[] = {"k.s", "x.npy", "y.npy", "z.npy", "t.html.gz", "form", "out"};

static const char *at(const char *name)
{
    static char path[8][128];
    static unsigned next;
    char *text = path[next++ % 8];
    snprintf(text, sizeof path[0], "%s/%s", folder, name);
    return text;
}

static void put_array(const char *name, const float *values)
{
    char head[128];
    FILE *stream = fopen(at(name), "wb");
    assert_non_null(stream);
    memset(head, ' ', sizeof head);
    memcpy(head, "\x93NUMPY\x01\x00\x76\x00", 10);
    const int length = snprintf(head + 10, 110,
                                "{'descr': '<f4', 'fortran_order': False, "
                                "'shape': (%d,), }",
                                COUNT);
    head[10 + length] = ' ';
    head[127] = '\n';
    fwrite(head, 1, sizeof head, stream);
    fwrite(values, sizeof *values, COUNT, stream);
    fclose(stream);
}

/* One row of 32 becomes its double; the elements behind it stay. */
static const char kernel[] = ".arch blackhole\n.dst fp32\n.tile\n"
                             "    sfpload L0, 0, 3, 3\n    sfpadd L1, L0, L0, 0\n"
                             "    sfpnop\n    sfpstore L1, 0, 3, 3\n";

static int begin(void **state)
{
    (void)state;
    float x[COUNT];
    float y[COUNT];
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    for (unsigned i = 0; i < COUNT; i++) {
        x[i] = (float)i / 8;
        y[i] = 1000;
    }
    put_array("x.npy", x);
    put_array("y.npy", y);
    FILE *stream = fopen(at("k.s"), "w");
    fputs(kernel, stream);
    return fclose(stream);
}

static int end(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        unlink(at(names[i]));
    }
    return rmdir(folder);
}

static struct tx_program *program_of(const char *text)
{
    struct tx_program *program = NULL;
    struct txl_error err = {.status = TXL_OK};
    assert_int_equal(txl_kernel_assemble(&err, "k.s", text, strlen(text), NULL, &program), TXL_OK);
    return program;
}

/* What the command prints, for free(). */
static char *command(const char *words)
{
    char line[512];
    size_t size = 0;
    snprintf(line, sizeof line, "%s/tensix %s >%s", TX_BINARY_DIR, words, at("out"));
    assert_int_equal(system(line), 0);
    struct txl_error err = {.status = TXL_OK};
    char *text = txl_read_file(&err, at("out"), &size);
    assert_non_null(text);
    return text;
}

/* The same but for the line of seconds, and the version and end of line that the command adds. */
static void same_json(char *got, char *want)
{
    char *of[] = {got, want};
    assert_non_null(got);
    for (unsigned i = 0; i < 2; i++) {
        char *seconds = strstr(of[i], "\"seconds\": ");
        if (seconds != NULL) {
            seconds[strlen("\"seconds\": ")] = '\0';
        }
        if (of[i][0] != '\0' && of[i][strlen(of[i]) - 1] == '\n') {
            of[i][strlen(of[i]) - 1] = '\0';
        }
    }
    static const char version[] = "{\"schema\": 1,";
    assert_int_equal(strncmp(want, version, strlen(version)), 0);
    want[strlen(version) - 1] = '{';
    assert_string_equal(got, want + strlen(version) - 1);
    free(got);
    free(want);
}

/* ---- run ---- */

static void test_run(void **state)
{
    (void)state;
    struct tx_program *p = program_of(kernel);
    const char *in = at("x.npy");
    char path[128];
    char words[400];
    snprintf(path, sizeof path, "%s", at("k.s"));
    struct txl_error err = {.status = TXL_OK};
    const struct txl_run_options how = {.size = sizeof how,
                                        .name = path,
                                        .inputs = &in,
                                        .input_count = 1,
                                        .output = at("z.npy"),
                                        .compare = in,
                                        .engine = TXL_ENGINE_REFERENCE,
                                        .threads = 2};
    txl_run *run = NULL;
    assert_int_equal(txl_run_open(&err, p, &how, &run), TXL_OK);
    assert_null(txl_run_accuracy(run));
    assert_int_equal(txl_run_tiles(&err, run), TXL_OK);
    const struct txl_run_result *r = txl_run_result(run);
    assert_int_equal(r->elements, COUNT);
    assert_int_equal(r->tile_count, 1);
    assert_int_equal(r->tiles->instructions, 4);
    assert_int_equal(r->findings, 0);
    assert_null(txl_run_finding(run, 0));
    assert_string_equal(txl_run_input(run, 0)->kind, "float32");
    assert_null(txl_run_input(run, 1));
    /* 0 is its own double; elements 1 to 31 are twice what they were, so the others are exact. */
    const struct txl_accuracy *a = txl_run_accuracy(run);
    assert_int_equal(a->compared, COUNT);
    assert_true(a->exact >= COUNT - 32 && a->exact < COUNT);
    assert_int_equal(a->worst[0].got, a->worst[0].expected + (1 << 23));
    snprintf(words, sizeof words, "run %s --in %s --out %s --compare %s --engine reference --json",
             path, in, how.output, in);
    same_json(txl_run_json(run), command(words));
    uint64_t tile = 7;
    unsigned place = 7;
    uint64_t element = 7;
    assert_true(txl_run_place(run, 33, &tile, &place));
    assert_int_equal(tile, 0);
    assert_int_equal(place, 33);
    assert_false(txl_run_place(run, COUNT, &tile, &place));
    assert_true(txl_run_element(run, 0, 33, &element));
    assert_int_equal(element, 33);
    assert_false(txl_run_element(run, 0, COUNT, &element));
    /* Again, and one tile alone. */
    struct txl_run_tile *seen = calloc(1, sizeof *seen);
    assert_int_equal(txl_run_one(&err, run, 0, NULL, NULL, seen), TXL_OK);
    assert_int_equal(seen->held[0][8], 0x3f800000);
    assert_int_equal(seen->got[COUNT - 1], seen->held[0][COUNT - 1]);
    assert_int_equal(txl_run_one(&err, run, 1, NULL, NULL, seen), TXL_INPUT);
    free(seen);
    txl_run_close(run);
    tx_program_free(p);
}

static bool never(void *user, uint64_t done, uint64_t total)
{
    (void)user;
    (void)done;
    (void)total;
    return false;
}

static void test_run_cancelled(void **state)
{
    (void)state;
    struct tx_program *p = program_of(kernel);
    const char *in = at("x.npy");
    struct txl_error err = {.status = TXL_OK};
    unlink(at("z.npy"));
    const struct txl_run_options how = {.size = sizeof how,
                                        .inputs = &in,
                                        .input_count = 1,
                                        .output = at("z.npy"),
                                        .progress = never};
    txl_run *run = NULL;
    assert_int_equal(txl_run_open(&err, p, &how, &run), TXL_OK);
    assert_int_equal(txl_run_tiles(&err, run), TXL_CANCELLED);
    txl_run_close(run);
    assert_int_not_equal(access(at("z.npy"), F_OK), 0);
    tx_program_free(p);
}

static void refused(const struct tx_program *p, const struct txl_run_options *how, const char *why)
{
    struct txl_error err = {.status = TXL_OK};
    txl_run *run = NULL;
    assert_int_equal(txl_run_open(&err, p, how, &run), TXL_INPUT);
    assert_null(run);
    if (strstr(err.message, why) == NULL) {
        fail_msg("'%s' is not in '%s'", why, err.message);
    }
}

static void test_run_refused(void **state)
{
    (void)state;
    struct tx_program *p = program_of(kernel);
    const char *in = at("x.npy");
    const char *none = at("none.npy");
    const char *set = "PRNG_SEED_Sed_Val=1";
    struct txl_run_options how = {.size = sizeof how, .inputs = &in, .input_count = 1};
    how.reference = "taanh";
    refused(p, &how, "did you mean 'tanh'?");
    how.compare = in;
    refused(p, &how, "exclude each other");
    how.compare = how.reference = NULL;
    how.gaps = "at=4:1";
    refused(p, &how, ".tile has 4 words");
    how.gaps = "now and then";
    refused(p, &how, "is none of");
    how.gaps = NULL;
    how.inputs = &none;
    refused(p, &how, "No such file");
    how.inputs = &in;
    how.l1_in = &in;
    how.l1_in_count = 1;
    refused(p, &how, "exclude each other");
    how.l1_in_count = 0;
    how.size = 3;
    refused(p, &how, "");
    how.size = sizeof how;
    how.sets = &set;
    how.set_count = 1;
    struct txl_error err = {.status = TXL_OK};
    txl_run *run = NULL;
    assert_int_equal(txl_run_open(&err, p, &how, &run), TXL_OK);
    assert_int_equal(txl_run_tiles(&err, run), TXL_INPUT);
    assert_non_null(strstr(err.message, "did you mean 'PRNG_SEED_Seed_Val'?"));
    txl_run_close(run);
    txl_run_close(NULL);
    tx_program_free(p);
}

static void test_cycles_and_gaps(void **state)
{
    (void)state;
    struct tx_program *p = program_of(kernel);
    struct txl_error err = {.status = TXL_OK};
    const struct txl_run_options how = {.size = sizeof how, .gaps = "all=0..1"};
    const struct txl_cycles *cycles = NULL;
    const struct txl_gaps *gaps = NULL;
    txl_run *run = NULL;
    bool search = false;
    assert_int_equal(txl_run_open(&err, p, &how, &run), TXL_OK);
    assert_int_equal(txl_run_cycles(&err, run, &cycles), TXL_OK);
    assert_int_equal(cycles->vector, 3);
    assert_int_equal(cycles->nops, 1);
    assert_int_equal(cycles->unit[TX_UNIT_LOAD], 1);
    /* Four words alone, six pairs. */
    assert_int_equal(txl_run_gaps(&err, run, 0, &gaps), TXL_OK);
    assert_false(gaps->found);
    assert_int_equal(gaps->words, 4);
    assert_int_equal(gaps->trials, 4 + 6);
    txl_run_close(run);
    assert_true(txl_gaps_valid("all=0..3", &search) && search);
    assert_true(txl_gaps_valid("seed=4", &search) && !search);
    assert_false(txl_gaps_valid("all=3..0", &search));
    tx_program_free(p);
}

/* ---- eval ---- */

static void test_eval(void **state)
{
    (void)state;
    struct txl_error err = {.status = TXL_OK};
    const char *const sets[] = {"L0=1.5", "L1=2"};
    struct txl_eval_options how = {.size = sizeof how,
                                   .arch = TX_BLACKHOLE,
                                   .text = "sfpmad L2,L0,L1,L9,0",
                                   .sets = sets,
                                   .set_count = 2};
    txl_eval *eval = NULL;
    assert_int_equal(txl_eval_open(&err, &how, &eval), TXL_OK);
    const struct txl_eval_change *c = txl_eval_change(eval, 0);
    assert_int_equal(c->file, TX_FILE_LREG);
    assert_int_equal(c->index, 2);
    assert_int_equal(c->width, 32);
    assert_int_equal(c->after[31], 0x40400000); /* 3.0 */
    assert_null(txl_eval_change(eval, 1));
    assert_null(txl_eval_finding(eval, 0));
    assert_int_equal(tx_machine_counters(txl_eval_machine(eval)).instructions, 1);
    same_json(txl_eval_json(eval),
              command("eval --arch bh 'sfpmad L2,L0,L1,L9,0' L0=1.5 L1=2 --json"));
    txl_eval_close(eval);
    how.sets = (const char *const[]){"L0=1.5", "L77=2"};
    assert_int_equal(txl_eval_open(&err, &how, &eval), TXL_INPUT);
    assert_null(eval);
    assert_non_null(strstr(err.message, "'L77' is neither"));
    txl_error_clear(&err);
    how.sets = (const char *const[]){"L0=1.5", "L2"};
    assert_int_equal(txl_eval_open(&err, &how, &eval), TXL_INPUT);
    assert_string_equal(err.message, "'L2' is not NAME=VALUE");
    txl_error_clear(&err);
    how.set_count = 0;
    how.text = "sfpmad L2";
    assert_int_equal(txl_eval_open(&err, &how, &eval), TXL_INPUT);
    assert_int_equal(err.line, 1);
    txl_eval_close(NULL);
}

/* ---- trace ---- */

static void test_trace(void **state)
{
    (void)state;
    static const char *const words[] = {"", "--json", "--chrome", "--konata", "--html"};
    struct tx_program *p = program_of(kernel);
    struct txl_error err = {.status = TXL_OK};
    uint32_t rows[TX_DST_ROWS / 32];
    char line[256];
    for (unsigned form = 0; form <= TXL_TRACE_HTML; form++) {
        struct txl_trace_options how = {.size = sizeof how, .name = at("k.s"), .init = true};
        char *text = NULL;
        size_t size = 0;
        if (form == TXL_TRACE_JSON) {
            memset(rows, 0xff, sizeof rows);
            how.rows = rows;
            how.regs = 0xffffffff;
        } else if (form == TXL_TRACE_HTML) {
            how.source = kernel;
            how.source_length = strlen(kernel);
        }
        assert_int_equal(txl_trace_text(&err, p, &how, (enum txl_trace_form)form, &text, &size),
                         TXL_OK);
        assert_int_equal(strlen(text), size);
        const bool file = form >= TXL_TRACE_CHROME;
        snprintf(line, sizeof line, "trace %s --init %s %s", at("k.s"), words[form],
                 file ? at("form") : "");
        char *want = command(line);
        if (file) {
            free(want);
            want = txl_read_file(&err, at("form"), &size);
        }
        assert_string_equal(text, want);
        if (form == TXL_TRACE_HTML) { /* what its views show is in it */
            free(text);
            assert_int_equal(txl_trace_text(&err, p, &how, TXL_TRACE_VIEW, &text, &size), TXL_OK);
            assert_non_null(strstr(want, text));
            assert_int_equal(text[0], '{');
        }
        free(text);
        free(want);
    }
    tx_program_free(p);
}

static void test_trace_refused(void **state)
{
    (void)state;
    struct tx_program *p =
        program_of(".arch bh\n.tile\n.rept 3000\nsfpnop\nsfpnop\nsfpnop\nsfpnop\nsfpnop\nsfpnop\n"
                   "sfpnop\n.endr\n");
    struct txl_error err = {.status = TXL_OK};
    struct txl_trace_options how = {.size = sizeof how, .tiles = 48};
    char *text = NULL;
    size_t size = 0;
    assert_int_equal(txl_trace_text(&err, p, &how, TXL_TRACE_HTML, &text, &size), TXL_INPUT);
    assert_null(text);
    assert_non_null(strstr(err.message, "at most 1000000 cycles"));
    txl_error_clear(&err);
    how.tiles = 1;
    how.end = 100;
    assert_int_equal(txl_trace_text(&err, p, &how, TXL_TRACE_HTML, &text, &size), TXL_OK);
    free(text);
    txl_trace *trace = NULL;
    how.progress = never;
    assert_int_equal(txl_trace_open(&err, p, &how, &trace), TXL_OK);
    assert_int_equal(txl_trace_file(&err, trace, TXL_TRACE_HTML, at("t.html.gz")), TXL_OK);
    assert_int_equal(txl_trace_run(&err, trace), TXL_CANCELLED);
    txl_trace_close(trace);
    assert_int_not_equal(access(at("t.html.gz"), F_OK), 0);
    how.progress = NULL;
    txl_error_clear(&err);
    assert_int_equal(txl_trace_open(&err, p, &how, &trace), TXL_OK);
    assert_int_equal(txl_trace_file(&err, trace, TXL_TRACE_HTML, at("t.html.gz")), TXL_OK);
    assert_int_equal(txl_trace_file(&err, trace, TXL_TRACE_FORMS, at("out")), TXL_INPUT);
    assert_int_equal(txl_trace_run(&err, trace), TXL_OK);
    txl_trace_close(trace);
    txl_trace_close(NULL);
    unsigned char magic[2] = {0, 0};
    FILE *stream = fopen(at("t.html.gz"), "rb");
    assert_int_equal(fread(magic, 1, 2, stream), 2);
    fclose(stream);
    assert_memory_equal(magic, "\x1f\x8b", 2);
    tx_program_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run),           cmocka_unit_test(test_run_cancelled),
        cmocka_unit_test(test_run_refused),   cmocka_unit_test(test_cycles_and_gaps),
        cmocka_unit_test(test_eval),          cmocka_unit_test(test_trace),
        cmocka_unit_test(test_trace_refused),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
