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

#include <tensix-lab/compare.h>
#include <tensix-lab/sweep.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_open_conditions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
