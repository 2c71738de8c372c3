/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels that are wrong because of what one row or tile leaves to the next one. Each was certified
 * when a tile held consecutive values, which have one sign, and began in the state of .init. What
 * is right is stated here as a function of the C library's sign of a number.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gate_mutants.h"

/* What the kernels do with an input whose sign bit is set; others stay as they are. */
struct operation {
    const char *text;
    double factor, value; /* the result is factor * x + value */
};

static const struct operation operations[] = {{"sfpmov L0,L0,1", -1.0, 0.0},
                                              {"sfploadi L0,0,0", 0.0, 0.0},
                                              {"sfploadi L0,-16512,0", 0.0, -1.0},
                                              {"sfploadi L0,16256,0", 0.0, 1.0},
                                              {"sfploadi L0,16384,0", 0.0, 2.0}};
enum { OPERATIONS = sizeof operations / sizeof operations[0] };

static double wanted(void *user, const double *x)
{
    const struct operation *op = user;
    if (!signbit(x[0]) || isnan(x[0])) {
        return x[0];
    }
    return op->factor == 0.0 ? op->value : op->factor * x[0];
}

/* How a kernel closes its conditions. */
enum closing { RIGHT, NEVER, PUSHED, AT_END, AT_START, CLOSINGS };

static struct tx_program *assembled(const char *text, enum tx_arch arch)
{
    struct tx_diag diag;
    struct tx_program *program = NULL;
    const struct tx_asm_options how = {.arch = arch};
    if (tx_assemble(text, strlen(text), &how, &program, &diag) != TX_OK) {
        fail_msg("%u: %s", diag.line, diag.message);
    }
    return program;
}

static struct tx_program *kernel(const struct operation *op, enum closing closing,
                                 enum tx_arch arch)
{
    char text[1024];
    snprintf(text, sizeof text,
             ".dst fp32\n.init\nsfpencc 3,10\n.tile\n%s%s"
             "ROW = 0\n.rept 32\nsfpload L0,ROW,0,3\nsfpsetcc L0,0,0\n%s\n%s"
             "sfpstore L0,ROW,0,3\nROW = ROW + 2\n.endr\n%s",
             closing == PUSHED ? "sfppushc 0\n" : "", closing == AT_START ? "sfpencc 3,10\n" : "",
             op->text, closing == RIGHT ? "sfpencc 3,10\n" : "",
             closing == AT_END ? "sfpencc 3,10\n" : "");
    return assembled(text, arch);
}

static struct txl_sweep_options options_of(const struct tx_program *program)
{
    return (struct txl_sweep_options){.size = sizeof(struct txl_sweep_options),
                                      .kernel = "kernel",
                                      .program = program,
                                      .engine = TXL_ENGINE_FAST,
                                      .jobs = 1,
                                      .has_max_ulp = true};
}

static bool passes(const struct txl_sweep_options *options)
{
    struct txl_error err = {0};
    struct txl_sweep_about about = {.size = sizeof about};
    txl_sweep *sweep = NULL;
    if (txl_sweep_open(&err, options, &sweep) != TXL_OK || txl_sweep_run(&err, sweep) != TXL_OK ||
        txl_sweep_finish(&err, sweep) != TXL_OK) {
        fail_msg("%s", err.message);
    }
    txl_sweep_about(sweep, &about);
    assert_true(about.gated);
    const bool passed = about.passed;
    txl_sweep_close(sweep);
    return passed;
}

static bool identical(const struct tx_program *a, const struct tx_program *b)
{
    const struct txl_sweep_options both = {
        .size = sizeof both, .engine = TXL_ENGINE_FAST, .jobs = 1};
    const struct txl_compare_options o = {
        .size = sizeof o, .both = &both, .a = "a", .b = "b", .program_a = a, .program_b = b};
    struct txl_compare_result r = {.size = sizeof r};
    struct txl_error err = {0};
    txl_compare *compare = NULL;
    if (txl_compare_open(&err, &o, &compare) != TXL_OK ||
        txl_compare_run(&err, compare) != TXL_OK) {
        fail_msg("%s", err.message);
    }
    txl_compare_result(compare, &r);
    txl_compare_close(compare);
    return r.differing == 0;
}

static void open_conditions(enum tx_arch arch)
{
    for (unsigned i = 0; i < OPERATIONS; i++) {
        struct tx_program *right = kernel(&operations[i], RIGHT, arch);
        struct txl_sweep_options o = options_of(right);
        o.function = wanted;
        o.function_user = (void *)&operations[i];
        assert_true(passes(&o));
        assert_true(identical(right, right));
        for (unsigned closing = NEVER; closing < CLOSINGS; closing++) {
            struct tx_program *wrong = kernel(&operations[i], (enum closing)closing, arch);
            o.program = wrong;
            if (passes(&o)) {
                fail_msg("'%s', conditions closed by way %u, passes", operations[i].text, closing);
            }
            assert_false(identical(right, wrong));
            tx_program_free(wrong);
        }
        tx_program_free(right);
    }
}

static void test_open_conditions(void **state)
{
    (void)state;
    open_conditions(TX_BLACKHOLE);
    open_conditions(TX_WORMHOLE);
}

/* A kernel whose .tile destroys what .init has set: each tile alone is right, the second is not. */
static struct tx_program *squares(const char *last, const char *first, enum tx_arch arch)
{
    char text[1024];
    snprintf(text, sizeof text,
             "%s.dst fp32\n.reference square\n.init\n.loadi L7, float(1.0)\n.tile\nROW = 0\n"
             ".rept 32\nsfpload L0,ROW,0,3\nsfpmul L0,L0,L0,0\nsfpnop\nsfpmul L0,L0,L7,0\n"
             "sfpnop\nsfpstore L0,ROW,0,3\nROW = ROW + 2\n.endr\n%s",
             first, last);
    return assembled(text, arch);
}

/* The only finding of a sweep, or NULL. */
static bool only_finding(const struct tx_program *program, char message[TX_MESSAGE], char rule[16])
{
    const struct txl_sweep_options o = options_of(program);
    struct txl_error err = {0};
    uint64_t tile = 0;
    txl_sweep *sweep = NULL;
    if (txl_sweep_open(&err, &o, &sweep) != TXL_OK || txl_sweep_run(&err, sweep) != TXL_OK ||
        txl_sweep_finish(&err, sweep) != TXL_OK) {
        fail_msg("%s", err.message);
    }
    const struct tx_finding *f = txl_sweep_finding(sweep, 0, &tile);
    const bool one = f != NULL && txl_sweep_finding(sweep, 1, &tile) == NULL;
    snprintf(message, TX_MESSAGE, "%s", f != NULL ? f->message : "");
    snprintf(rule, 16, "%s", f != NULL ? f->rule : "");
    txl_sweep_close(sweep);
    return one;
}

static void test_destroyed_constant(void **state)
{
    static const enum tx_arch chips[] = {TX_BLACKHOLE, TX_WORMHOLE};
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        char message[TX_MESSAGE];
        char rule[16];
        struct tx_program *right = squares("", "", chips[i]);
        struct tx_program *wrong = squares(".loadi L7, float(2.0)\n", "", chips[i]);
        struct tx_program *stated = squares(".loadi L7, float(2.0)\n", ".carry\n", chips[i]);
        struct txl_sweep_options o = options_of(right);
        assert_true(passes(&o));
        o.program = wrong;
        assert_false(passes(&o));
        assert_true(only_finding(wrong, message, rule));
        assert_string_equal(rule, "E-LEFT");
        assert_non_null(strstr(message, "L7"));
        assert_non_null(strstr(message, "sfpmul L0,L0,L7,0 writes L0 otherwise, in lane "));
        assert_false(identical(right, wrong));
        o.program = stated; /* it says that it means it */
        assert_true(passes(&o));
        tx_program_free(right);
        tx_program_free(wrong);
        tx_program_free(stated);
    }
}

/* In the tile: what one row leaves for the next. The finding names register, lane, instruction. */
static void test_row(void **state)
{
    char message[TX_MESSAGE];
    char rule[16];
    struct tx_program *program =
        assembled(".dst fp32\n.reference abs\n.init\nsfpencc 3,10\n.tile\nROW = 0\n.rept 32\n"
                  "sfpload L0,ROW,0,3\nsfpsetcc L0,0,0\nsfpmov L0,L0,1\nsfpstore L0,ROW,0,3\n"
                  "ROW = ROW + 2\n.endr\nsfpencc 3,10\n",
                  TX_BLACKHOLE);
    (void)state;
    assert_true(only_finding(program, message, rule));
    assert_string_equal(rule, "E-LEFT");
    assert_non_null(strstr(message, "depend on the rows before theirs; sfpload L0,"));
    assert_non_null(strstr(message, "writes L0 otherwise, in lane "));
    tx_program_free(program);
}

/* A kernel that draws random bits depends on its place, and is no finding. */
static void test_random(void **state)
{
    char message[TX_MESSAGE];
    char rule[16];
    struct tx_program *program =
        assembled(".dst fp32\n.reference identity\n.tile\nROW = 0\n.rept 32\nsfpload L0,ROW,0,3\n"
                  "sfpmov L1,L9,8\nsfpshft L1,L9,-20,1\nsfpiadd L0,L1,0,4\nsfpstore L0,ROW,0,3\n"
                  "ROW = ROW + 2\n.endr\n",
                  TX_BLACKHOLE);
    (void)state;
    assert_false(only_finding(program, message, rule));
    assert_string_equal(message, "");
    tx_program_free(program);
}

/*
 * Special values that no BF16 number is, in an FP32 Dst: 2^-126 - 2^-149 and the largest FP32
 * number. The kernel is wrong for the latter alone.
 */
static void test_special(void **state)
{
    struct tx_program *program = assembled(
        ".dst fp32\n.reference identity\n.init\nsfpencc 3,10\n.loadi L7, -0x7f7fffff\n.tile\n"
        "ROW = 0\n.rept 32\nsfpload L0,ROW,4,3\nsfpmov L1,L0,0\nsfpiadd L1,L7,0,4\n"
        "sfpsetcc L1,0,6\nsfploadi L0,0,0\nsfpencc 3,10\nsfpstore L0,ROW,4,3\n"
        "ROW = ROW + 2\n.endr\n",
        TX_BLACKHOLE);
    struct txl_sweep_options o = options_of(program);
    (void)state;
    assert_false(passes(&o));
    o.domain = "bf16:-1:1"; /* it is beyond these */
    assert_true(passes(&o));
    tx_program_free(program);
}

static void test_mutants(void **state)
{
    struct mutant_counts all = {0};
    (void)state;
    for (unsigned i = 0; i < 2 * PREDICATED; i++) {
        mutants_of(&all, predicated[i / 2], i % 2 == 0 ? TX_BLACKHOLE : TX_WORMHOLE, i % 7, 7);
    }
    assert_true(all.other > 50 && all.sweeps > 40);
    assert_int_equal(all.compare_missed, 0);
    assert_int_equal(all.sweep_missed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_open_conditions),
                                       cmocka_unit_test(test_destroyed_constant),
                                       cmocka_unit_test(test_row),
                                       cmocka_unit_test(test_random),
                                       cmocka_unit_test(test_special),
                                       cmocka_unit_test(test_mutants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
