/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The public face of room sweep. Expectations are counted by hand: BF16 has 65536 patterns, 254 of
 * them denormals (two signs, exponent 0, significands 1 to 127), which a kernel that copies leaves
 * as they are and the reference brings to zero.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <tensix-lab/compare.h>
#include <tensix-lab/sweep.h>

enum { PATTERNS = 65536, DENORMALS = 254 };

/*
 * Loads and stores one row of 32 of the tile after the other, as integers, so that denormals stay;
 * with Mod1 1 of SFPMOV it changes the sign.
 */
static struct tx_program *kernel(bool negate)
{
    char text[4096];
    struct tx_diag diag;
    struct tx_program *program = NULL;
    const struct tx_asm_options how = {.arch = TX_BLACKHOLE};
    int length = snprintf(text, sizeof text, ".dst fp32\n.reference identity\n.tile\n");
    for (int row = 0; row < 32; row++) {
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "sfpload L0,%d,4,3\nsfpmov L1,L0,%d\nsfpstore L1,%d,4,3\n", 2 * row,
                           negate ? 1 : 0, 2 * row);
    }
    assert_int_equal(tx_assemble(text, (size_t)length, &how, &program, &diag), TX_OK);
    return program;
}

static struct txl_sweep_options options_of(const struct tx_program *program)
{
    return (struct txl_sweep_options){.size = sizeof(struct txl_sweep_options),
                                      .kernel = "copy",
                                      .program = program,
                                      .engine = TXL_ENGINE_FAST};
}

static txl_sweep *swept(const struct txl_sweep_options *options)
{
    struct txl_error err = {0};
    txl_sweep *sweep = NULL;
    if (txl_sweep_open(&err, options, &sweep) != TXL_OK || txl_sweep_run(&err, sweep) != TXL_OK ||
        txl_sweep_finish(&err, sweep) != TXL_OK) {
        fail_msg("%s", err.message);
    }
    return sweep;
}

static void test_copy(void **state)
{
    struct tx_program *program = kernel(false);
    const struct txl_sweep_options o = options_of(program);
    struct txl_sweep_about about = {.size = sizeof about};
    struct txl_sweep_figures f = {.size = sizeof f};
    struct txl_sweep_case one;
    (void)state;
    txl_sweep *sweep = swept(&o);
    txl_sweep_about(sweep, &about);
    assert_string_equal(about.kernel, "copy");
    assert_string_equal(about.reference, "identity");
    assert_string_equal(about.covered, "all 65536 of bf16");
    assert_int_equal(about.done, PATTERNS);
    assert_true(txl_sweep_reports(sweep) && !about.cancelled && !about.gated);
    txl_sweep_figures(sweep, &f);
    assert_int_equal(f.compared, PATTERNS);
    assert_int_equal(f.exact, PATTERNS);
    assert_int_equal(f.outcomes[TXL_OUTCOME_UNFLUSHED], DENORMALS);
    assert_int_equal(f.outcomes[TXL_OUTCOME_EXACT], PATTERNS - DENORMALS);
    assert_true(f.max_ulp == 0.0 && f.mean_ulp == 0.0 && f.breaks == 0);
    assert_false(txl_sweep_case(sweep, TXL_CASE_WORST, 0, &one));
    assert_true(txl_sweep_case(sweep, TXL_CASE_FIRST, TXL_OUTCOME_UNFLUSHED, &one));
    assert_int_equal(one.got, 0x807f0000); /* the largest negative one */
    assert_int_equal(one.expected, 0x80000000);
    assert_int_equal(one.outcome, TXL_OUTCOME_UNFLUSHED);
    txl_sweep_close(sweep);
    tx_program_free(program);
}

/* The wrong sign is an error of 2 |x|: at the largest significand 2 * (2 - 2^-7) * 2^23 ULP. */
static void test_wrong(void **state)
{
    struct tx_program *program = kernel(true);
    struct txl_sweep_options o = options_of(program);
    struct txl_sweep_figures f = {.size = sizeof f};
    struct txl_sweep_about about = {.size = sizeof about};
    struct txl_sweep_case one;
    struct txl_sweep_step *steps = NULL;
    struct txl_error err = {0};
    size_t count = 0;
    (void)state;
    o.has_max_ulp = true;
    txl_sweep *sweep = swept(&o);
    txl_sweep_figures(sweep, &f);
    assert_true(f.max_ulp == 33423360.0);
    assert_int_equal(f.mismatched, 2); /* infinities */
    txl_sweep_about(sweep, &about);
    assert_true(about.gated && !about.passed);
    assert_true(txl_sweep_case(sweep, TXL_CASE_WORST, 0, &one));
    assert_int_equal(one.got ^ one.expected, 0x80000000);
    assert_int_equal(txl_sweep_trace(&err, sweep, one.index, &steps, &count), TXL_OK);
    assert_int_equal(count, 3); /* load, move, store */
    assert_true(steps[2].store && steps[2].value == one.got && !steps[0].store);
    free(steps);
    txl_sweep_close(sweep);
    tx_program_free(program);
}

static double minus(void *user, const double *x)
{
    *(int *)user = 1;
    return -x[0];
}

static void test_function(void **state)
{
    struct tx_program *program = kernel(true);
    struct txl_sweep_options o = options_of(program);
    struct txl_sweep_figures f = {.size = sizeof f};
    struct txl_sweep_about about = {.size = sizeof about};
    int called = 0;
    (void)state;
    o.function = minus;
    o.function_user = &called;
    o.reference = "minus";
    o.jobs = 1;
    txl_sweep *sweep = swept(&o);
    txl_sweep_figures(sweep, &f);
    txl_sweep_about(sweep, &about);
    assert_int_equal(called, 1);
    assert_int_equal(f.exact, PATTERNS);
    assert_string_equal(about.reference, "minus");
    txl_sweep_close(sweep);
    tx_program_free(program);
}

/* True until something is done, and how often it was called. */
struct patience {
    unsigned calls;
    uint64_t total;
};

static bool until_something(void *user, uint64_t done, uint64_t total)
{
    struct patience *p = user;
    p->calls++;
    p->total = total;
    return done == 0;
}

static bool never(void *user, uint64_t done, uint64_t total)
{
    (void)user;
    (void)done;
    (void)total;
    return false;
}

static void test_cancel(void **state)
{
    struct tx_program *program = kernel(false);
    struct txl_sweep_options o = options_of(program);
    struct txl_sweep_about about = {.size = sizeof about};
    struct txl_error err = {0};
    struct patience patience = {0};
    txl_sweep *sweep = NULL;
    (void)state;
    o.domain = "fp32"; /* more than a minute, if nobody ends it */
    o.engine = TXL_ENGINE_REFERENCE;
    o.progress = until_something;
    o.user = &patience;
    assert_int_equal(txl_sweep_open(&err, &o, &sweep), TXL_OK);
    assert_int_equal(txl_sweep_run(&err, sweep), TXL_CANCELLED);
    assert_int_equal(err.status, TXL_CANCELLED);
    assert_true(patience.calls >= 2 && patience.total == UINT64_C(1) << 32);
    txl_sweep_about(sweep, &about);
    assert_true(about.cancelled && about.done < about.wanted);
    txl_sweep_close(sweep);
    txl_error_clear(&err);
    o.progress = never;
    assert_int_equal(txl_sweep_open(&err, &o, &sweep), TXL_OK);
    assert_int_equal(txl_sweep_run(&err, sweep), TXL_CANCELLED);
    txl_sweep_about(sweep, &about);
    assert_int_equal(about.done, 0);
    txl_sweep_close(sweep);
    tx_program_free(program);
}

static void refused(const struct txl_sweep_options *o, const char *message)
{
    struct txl_error err = {0};
    txl_sweep *sweep = (txl_sweep *)&err;
    assert_int_equal(txl_sweep_open(&err, o, &sweep), TXL_INPUT);
    assert_null(sweep);
    if (strstr(err.message, message) == NULL) {
        fail_msg("'%s' is not about '%s'", err.message, message);
    }
}

static void test_refusals(void **state)
{
    struct tx_program *program = kernel(false);
    const struct txl_sweep_options good = options_of(program);
    static const char *const rule[] = {"no_such_rule=1"};
    struct txl_sweep_options o = good;
    (void)state;
    o.reference = "exq";
    refused(&o, "did you mean 'exp'?");
    o = good;
    o.reference = "add";
    refused(&o, "has 2 inputs, the kernel 1");
    o = good;
    o.domain = "fp33";
    refused(&o, "'fp33' is none of");
    o = good;
    o.rules = rule;
    o.rule_count = 1;
    refused(&o, "no such rule or value: 'no_such_rule=1'");
    o = good;
    o.shards = 2;
    refused(&o, "needs a file");
    o = good;
    o.shard = o.shards = 2;
    o.state = "x";
    refused(&o, "no such part");
    o = good;
    o.engine = (enum txl_engine)9;
    refused(&o, "no such engine");
    o = good;
    o.kernel = "/no/such/kernel.s";
    o.program = NULL;
    refused(&o, "No such file");
    o.kernel = NULL;
    refused(&o, "no kernel");
    tx_program_free(program);
}

/* Programs that were built against another header. */
static void test_sizes(void **state)
{
    struct tx_program *program = kernel(false);
    struct {
        struct txl_sweep_options known;
        uint64_t later;
    } larger = {.known = options_of(program)};
    struct txl_sweep_options smaller = options_of(program);
    struct {
        struct txl_sweep_figures known;
        uint64_t later;
    } figures = {.later = 7};
    (void)state;
    larger.known.size = sizeof larger;
    txl_sweep_close(swept(&larger.known));
    larger.later = 1;
    refused(&larger.known, "does not know");
    smaller.size = 0;
    refused(&smaller, "size");
    /* One that ends before the domain does not have it. */
    smaller.domain = "nonsense";
    smaller.size = offsetof(struct txl_sweep_options, domain);
    smaller.engine = TXL_ENGINE_AUTO;
    txl_sweep *sweep = swept(&smaller);
    figures.known.size = sizeof figures;
    txl_sweep_figures(sweep, &figures.known);
    assert_int_equal(figures.known.compared, PATTERNS);
    assert_int_equal(figures.later, 7);
    figures.known.size = offsetof(struct txl_sweep_figures, exact);
    figures.known.exact = 7;
    txl_sweep_figures(sweep, &figures.known);
    assert_int_equal(figures.known.exact, 7);
    txl_sweep_close(sweep);
    tx_program_free(program);
}

/* The halves of a sweep, by their state files; what is merged is what one sweep tells. */
static void test_parts(void **state)
{
    char names[2][64];
    const char *const paths[] = {names[0], names[1]};
    const char *const one[] = {names[0]};
    struct txl_error err = {0};
    char kernel_name[] = "/tmp/tensix-test-kernel-XXXXXX.s";
    struct txl_sweep_options o = {.size = sizeof o, .engine = TXL_ENGINE_FAST, .shards = 2};
    struct txl_sweep_figures f = {.size = sizeof f};
    txl_sweep *sweep = NULL;
    (void)state;
    const int fd = mkstemps(kernel_name, 2);
    static const char text[] = ".arch bh\n.dst fp32\n.reference abs\n.tile\nsfpload L0,0,3,3\n"
                               "sfpabs L0,L0,1\nsfpstore L0,0,3,3\n";
    assert_int_equal(write(fd, text, sizeof text - 1), sizeof text - 1);
    close(fd);
    o.kernel = kernel_name;
    for (unsigned i = 0; i < 2; i++) {
        snprintf(names[i], sizeof names[i], "%.40s.%u", kernel_name, i);
        o.shard = i;
        o.state = names[i];
        assert_int_equal(txl_sweep_open(&err, &o, &sweep), TXL_OK);
        assert_int_equal(txl_sweep_run(&err, sweep), TXL_OK);
        assert_false(txl_sweep_reports(sweep));
        txl_sweep_close(sweep);
    }
    const struct txl_sweep_options how = {.size = sizeof how};
    assert_int_equal(txl_sweep_merge(&err, one, 1, &how, &sweep), TXL_INPUT);
    assert_non_null(strstr(err.message, "parts are missing: 32768 of 65536"));
    assert_null(sweep);
    txl_error_clear(&err);
    assert_int_equal(txl_sweep_merge(&err, paths, 2, &how, &sweep), TXL_OK);
    assert_int_equal(txl_sweep_finish(&err, sweep), TXL_OK);
    txl_sweep_figures(sweep, &f);
    assert_int_equal(f.compared, PATTERNS);
    txl_sweep_close(sweep);
    unlink(names[0]);
    unlink(names[1]);
    unlink(kernel_name);
}

static void test_json(void **state)
{
    struct tx_program *program = kernel(true);
    struct txl_sweep_options o = options_of(program);
    const struct txl_sweep_report report = {.size = sizeof report, .worst = 2, .traces = 1};
    struct txl_error err = {0};
    struct txl_sweep_line line = {.size = sizeof line};
    txl_sweep_table *table = NULL;
    (void)state;
    o.reference = "neg";
    txl_sweep *sweep = swept(&o);
    txl_json *json = txl_sweep_json(&err, sweep, &report);
    char *text = txl_json_line(json);
    assert_non_null(strstr(text, "\"reference\":\"neg\""));
    assert_non_null(strstr(text, "\"exact\":65536"));
    free(text);
    txl_json_free(json);
    assert_int_equal(txl_sweep_table_open(&err, &table), TXL_OK);
    assert_int_equal(txl_sweep_table_add(&err, table, sweep), TXL_OK);
    assert_true(txl_sweep_table_line(table, 0, &line));
    assert_false(txl_sweep_table_line(table, 1, &line));
    assert_string_equal(line.reference, "neg");
    assert_int_equal(line.exact, PATTERNS);
    assert_int_equal(txl_sweep_table_csv(&err, table, "/no/such/folder/x.csv"), TXL_INPUT);
    assert_string_equal(err.file, "/no/such/folder/x.csv");
    txl_sweep_table_close(table);
    txl_sweep_close(sweep);
    tx_program_free(program);
}

static void test_compare(void **state)
{
    struct tx_program *copy = kernel(false);
    struct tx_program *negate = kernel(true);
    const struct txl_sweep_options both = {.size = sizeof both, .engine = TXL_ENGINE_FAST};
    struct txl_compare_options o = {.size = sizeof o,
                                    .both = &both,
                                    .a = "copy",
                                    .b = "other",
                                    .program_a = copy,
                                    .program_b = copy};
    struct txl_compare_result r = {.size = sizeof r};
    struct txl_compare_side side = {.size = sizeof side};
    struct txl_error err = {0};
    txl_compare *compare = NULL;
    (void)state;
    assert_int_equal(txl_compare_open(&err, &o, &compare), TXL_OK);
    assert_int_equal(txl_compare_run(&err, compare), TXL_OK);
    txl_compare_result(compare, &r);
    assert_true(r.compared == PATTERNS && r.differing == 0);
    txl_compare_close(compare);
    o.program_b = negate;
    assert_int_equal(txl_compare_open(&err, &o, &compare), TXL_OK);
    assert_int_equal(txl_compare_run(&err, compare), TXL_OK);
    txl_compare_result(compare, &r);
    assert_int_equal(r.differing, PATTERNS); /* NaNs get another sign, too */
    assert_int_equal(r.first, 0);
    txl_compare_side(compare, 1, &side);
    assert_true(side.parts && !side.step.store);
    assert_int_equal(side.got, r.inputs[0] ^ 0x80000000);
    txl_compare_close(compare);
    o.program_a = NULL;
    o.a = "/no/such/kernel.s";
    assert_int_equal(txl_compare_open(&err, &o, &compare), TXL_INPUT);
    assert_null(compare);
    o.a = NULL;
    txl_error_clear(&err);
    assert_int_equal(txl_compare_open(&err, &o, &compare), TXL_INPUT);
    tx_program_free(copy);
    tx_program_free(negate);
}

/* FILE.so runs in a helper; here that is this program itself, and the file is no library. */
static void test_helper(void **state)
{
    char file[] = "/tmp/tensix_test_sweep_XXXXXX.so";
    struct tx_program *program = kernel(false);
    struct txl_sweep_options o = options_of(program);
    struct txl_error err = {0};
    txl_sweep *sweep = NULL;
    (void)state;
    const int fd = mkstemps(file, 3);
    assert_true(fd >= 0 && write(fd, "text\n", 5) == 5);
    close(fd);
    o.reference = file;
    static const char *const helpers[] = {NULL, "/no/such/tensix", "/proc/self/exe"};
    static const char *const say[] = {"no program tensix", "no program /no/such/tensix",
                                      "file too short"};
    for (unsigned i = 0; i < 3; i++) {
        o.path = i == 0 ? "/no/such/folder" : NULL;
        o.helper = helpers[i];
        txl_error_clear(&err);
        int result = txl_sweep_open(&err, &o, &sweep);
        result = result == TXL_OK ? txl_sweep_run(&err, sweep) : result;
        assert_int_not_equal(result, TXL_OK);
        assert_non_null(strstr(err.message, say[i]));
        txl_sweep_close(sweep);
        sweep = NULL;
    }
    unlink(file);
    tx_program_free(program);
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], TXL_SWEEP_SERVE) == 0) {
        return txl_sweep_serve(argv[2], atoi(argv[3]));
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copy),     cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_function), cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_parts),    cmocka_unit_test(test_json),
        cmocka_unit_test(test_compare),  cmocka_unit_test(test_helper),
    };
    return cmocka_run_group_tests_name("sweep", tests, NULL, NULL);
}
