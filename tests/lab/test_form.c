/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tensix-lab/form.h: what the Remez exchange finds, against errors that are known; kernels it
 * writes, by lint and by sweeps against MPFR; tables against all pairs of entries, and against
 * those that tt-llk ships.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include <tensix-lab/form.h>
#include <tensix-lab/lint.h>
#include <tensix-lab/sweep.h>

#include "form/parts.h"
#include "form/table.h"

/* ---- the functions that are approximated, against the C library's ---- */

static double c_log1p(double t)
{
    return log1p(t) / t;
}
static double c_log2p(double t)
{
    return log1p(t) / t / log(2);
}
static double c_tanh_root(double t)
{
    return tanh(sqrt(t)) / sqrt(t);
}
static double c_erf_root(double t)
{
    return erf(sqrt(t)) / sqrt(t);
}
static double c_sinh_root(double t)
{
    return sinh(sqrt(t)) / sqrt(t);
}
static double c_cosh_root(double t)
{
    return cosh(sqrt(t));
}
static double c_expm1(double t)
{
    return expm1(t) / t;
}
static double c_less_two_thirds(double t)
{
    return pow(1 + t, -2.0 / 3);
}
static double c_cos_root(double t)
{
    const double half = 1.57079632679489661923;
    return cos(sqrt(t)) / (half * half - t);
}
static double c_exp_128(double t)
{
    return exp(t) / 128;
}
/* 64 I0(u) e^-u sqrt(u + 1), t = 1 / (u + 1), by the integral of e^(u cos a) over a half circle. */
static double c_i0_rest(double t)
{
    enum { STEPS = 4096 };
    const double u = 1 / t - 1;
    double sum = 0;
    for (unsigned k = 0; k < STEPS; k++) {
        sum += exp(u * (cos((k + 0.5) * 3.14159265358979323846 / STEPS) - 1));
    }
    return 64 * sum / STEPS * sqrt(u + 1);
}
static double c_less_exp(double t)
{
    return exp(-t);
}
static double c_atan_root(double t)
{
    return atan(sqrt(t)) / sqrt(t);
}
static double c_tan_rest(double t)
{
    return (tan(sqrt(t)) / sqrt(t) - 1) / t;
}
/* The normal distribution's share below a number, over that above it. */
static double c_gelu(double t)
{
    const double y = sqrt(t / 2);
    return -log(erfc(-y) / erfc(y)) / sqrt(t);
}

static void approximated_functions(void **state)
{
    (void)state;
    static const struct {
        remez_function *f;
        double (*c)(double t);
    } functions[] = {{form_exp, exp},
                     {form_exp2, exp2},
                     {form_log1p, c_log1p},
                     {form_log2p, c_log2p},
                     {form_tanh_root, c_tanh_root},
                     {form_erf_root, c_erf_root},
                     {form_sinh_root, c_sinh_root},
                     {form_cosh_root, c_cosh_root},
                     {form_expm1, c_expm1},
                     {form_less_two_thirds, c_less_two_thirds},
                     {form_cos_root, c_cos_root},
                     {form_exp_128, c_exp_128},
                     {form_i0_rest, c_i0_rest},
                     {form_gelu, c_gelu},
                     {form_less_exp, c_less_exp},
                     {form_atan_root, c_atan_root},
                     {form_tan_rest, c_tan_rest}};
    mpfr_t t;
    mpfr_t g;
    mpfr_inits2(REMEZ_BITS, t, g, (mpfr_ptr)0);
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++) {
        for (double x = 0x1p-6; x < 20; x *= 1.5) {
            mpfr_set_d(t, x, MPFR_RNDN);
            functions[i].f(g, t);
            const double c = functions[i].c(x);
            assert_true(fabs(mpfr_get_d(g, MPFR_RNDN) - c) <= 1e-12 * fabs(c));
        }
    }
    mpfr_clears(t, g, (mpfr_ptr)0);
}

/* ---- best approximations ---- */

static void f_recip(mpfr_ptr out, mpfr_srcptr t)
{
    mpfr_ui_div(out, 1, t, MPFR_RNDN);
}

/* The error at each of its places, by an evaluation of our own in double precision. */
static void check_alternation(const struct remez *p)
{
    double before = 0;
    assert_int_equal(p->points, p->tops + p->bottoms + 1);
    for (unsigned i = 0; i < p->points; i++) {
        double top = 0;
        double bottom = 0;
        mpfr_t t;
        mpfr_init2(t, 100);
        mpfr_set_d(t, p->at[i], MPFR_RNDN);
        p->g(t, t);
        const double g = mpfr_get_d(t, MPFR_RNDN);
        mpfr_clear(t);
        for (unsigned k = p->tops; k-- > 0;) {
            top = top * p->at[i] + p->top[k];
        }
        for (unsigned k = p->bottoms; k-- > 0;) {
            bottom = (bottom + p->bottom[k]) * p->at[i];
        }
        const double error = (top / (1 + bottom) - g) / (p->weight == REMEZ_RELATIVE ? fabs(g) : 1);
        assert_true(fabs(fabs(error) - p->error) < 1e-4 * p->error + 1e-14);
        assert_true(i == 0 || (error > 0) != (before > 0));
        before = error;
    }
}

static void best_approximations(void **state)
{
    (void)state;
    /* 1/t on 1..2, relative: 1 / T_(n+1)(3), Chebyshev's polynomial. */
    static const double chebyshev[] = {3, 17, 99, 577, 3363, 19601, 114243};
    for (unsigned n = 0; n < sizeof chebyshev / sizeof *chebyshev; n++) {
        struct remez p = {.g = f_recip, .weight = REMEZ_RELATIVE, .a = 1, .b = 2, .tops = n + 1};
        assert_int_equal(remez_solve(NULL, &p), TXL_CONTINUE);
        assert_true(fabs(p.error * chebyshev[n] - 1) < 1e-6);
        check_alternation(&p);
    }
    /* e^t on -1..1, absolute: as tables of best approximations have them (Meinardus). */
    static const double exponential[] = {2.788e-1, 4.502e-2, 5.528e-3, 5.467e-4, 4.521e-5};
    for (unsigned n = 1; n <= 5; n++) {
        struct remez p = {.g = form_exp, .weight = REMEZ_ABSOLUTE, .a = -1, .b = 1, .tops = n + 1};
        assert_int_equal(remez_solve(NULL, &p), TXL_CONTINUE);
        assert_true(fabs(p.error / exponential[n - 1] - 1) < 1e-3);
        check_alternation(&p);
    }
    static const double quotient[] = {2.0970e-2, 8.69e-5, 1.5507e-7};
    for (unsigned n = 1; n <= 3; n++) {
        struct remez p = {
            .g = form_exp, .weight = REMEZ_ABSOLUTE, .a = -1, .b = 1, .tops = n + 1, .bottoms = n};
        assert_int_equal(remez_solve(NULL, &p), TXL_CONTINUE);
        assert_true(fabs(p.error / quotient[n - 1] - 1) < 1e-3);
        check_alternation(&p);
    }
}

/* ---- kernels ---- */

static txl_form *write_form(const char *form, const char *reference, enum tx_arch arch,
                            enum tx_dst_format dst, const char *domain, uint64_t budget)
{
    struct txl_error err = {0};
    const struct txl_form_options o = {.size = sizeof o,
                                       .form = form,
                                       .domain = domain,
                                       .reference = reference,
                                       .arch = arch,
                                       .dst = dst,
                                       .budget = budget};
    txl_form *made = NULL;
    if (txl_form_write(&err, &o, &made) != TXL_OK) {
        fail_msg("%s of %s: %s", form, reference, err.message);
    }
    return made;
}

static struct tx_program *assembled(const txl_form *form)
{
    const struct tx_asm_options as = {.arch = TX_ARCH_NONE};
    struct tx_program *program = NULL;
    struct tx_diag diag = {0};
    const char *text = txl_form_text(form);
    assert_int_equal(tx_assemble(text, strlen(text), &as, &program, &diag), TX_OK);
    return program;
}

/* Largest distance from the unrounded function over BF16's numbers, and cycles of a tile. */
static double sweep(const txl_form *form, const char *domain, uint64_t *cycles)
{
    struct txl_error err = {0};
    struct tx_program *program = assembled(form);
    const struct txl_sweep_options o = {
        .size = sizeof o, .kernel = "form", .program = program, .domain = domain};
    struct txl_sweep_figures f = {.size = sizeof f};
    struct txl_sweep_about about = {.size = sizeof about};
    txl_sweep *s = NULL;
    assert_int_equal(txl_sweep_open(&err, &o, &s), TXL_OK);
    assert_int_equal(txl_sweep_run(&err, s), TXL_OK);
    assert_int_equal(txl_sweep_finish(&err, s), TXL_OK);
    txl_sweep_figures(s, &f);
    txl_sweep_about(s, &about);
    *cycles = about.cycles;
    assert_int_equal(about.findings, 0);
    /* of these a NaN stays one, and there is one below the domain of definition */
    assert_true(f.mismatched == 0 || strncmp(about.reference, "log", 3) != 0);
    txl_sweep_close(s);
    tx_program_free(program);
    return f.max_unrounded;
}

static void check_lint(const txl_form *form)
{
    struct txl_error err = {0};
    struct tx_program *program = assembled(form);
    const struct txl_lint_options o = {.size = sizeof o};
    txl_lint *lint = NULL;
    assert_int_equal(txl_lint_open(&err, &o, &lint), TXL_OK);
    assert_int_equal(txl_lint_program(&err, lint, "form", program), TXL_OK);
    assert_false(txl_lint_found(lint));
    txl_lint_close(lint);
    tx_program_free(program);
}

/* No number stands among the constants twice: they have few registers. */
static void check_constants(const txl_form *form)
{
    double seen[64];
    size_t count = 0;
    for (const char *line = txl_form_text(form); line != NULL; line = strchr(line, '\n')) {
        double number;
        line += *line == '\n';
        if (sscanf(line, "%*[a-z0-9_] = float(%lf)", &number) == 1) {
            for (size_t i = 0; i < count; i++) {
                if (seen[i] == number) {
                    fail_msg("%g is a constant twice", number);
                }
            }
            assert_true(count < sizeof seen / sizeof *seen);
            seen[count++] = number;
        }
    }
}

/* Cycles and errors are limits: those of kernels of the same shape by hand, or better. */
static const struct {
    const char *form, *reference, *domain;
    enum tx_dst_format dst;
    double ulp;
    unsigned row; /* cycles of a row at most */
    bool blackhole;
} kernels[] = {
    {"poly:3", "exp", "bf16", TX_DST_FORMAT_BF16, 0.52, 16, false},
    {"poly:6", "exp", "bf16", TX_DST_FORMAT_FP32, 1.5, 25, false},
    {"poly:3", "exp2", "bf16", TX_DST_FORMAT_BF16, 0.52, 16, false},
    {"poly:5", "log", "bf16", TX_DST_FORMAT_BF16, 0.51, 30, false}, /* Wormhole */
    {"poly:10", "log", "bf16", TX_DST_FORMAT_FP32, 0.9, 38, false},
    {"poly:9", "recip", "bf16:-1e37:-1e-37", TX_DST_FORMAT_FP32, 1.8, 22, false},
    {"arecip+newton:3", "recip", "bf16:-1e37:-1e-37", TX_DST_FORMAT_FP32, 0.75, 12, true},
    {"poly:2", "sqrt", "bf16", TX_DST_FORMAT_BF16, 0.5, 20, false},
    {"poly:7", "tanh", "bf16", TX_DST_FORMAT_BF16, 0.85, 18, false},
    {"rational:2,2", "tanh", "bf16:0.001:8", TX_DST_FORMAT_BF16, 0.55, 31, false},
    {"poly:3", "sigmoid", "bf16", TX_DST_FORMAT_BF16, 0.53, 38, false},
    {"poly:4", "sinh", "bf16", TX_DST_FORMAT_BF16, 0.51, 36, false},
    {"poly:5", "cosh", "bf16", TX_DST_FORMAT_BF16, 0.5, 33, false},
    {"poly:6", "cosh", "bf16", TX_DST_FORMAT_FP32, 1.1, 43, false},
    {"poly:7", "exp2", "bf16", TX_DST_FORMAT_FP32, 0.97, 24, false},
    {"poly:7", "tanh", "bf16", TX_DST_FORMAT_FP32, 1.7, 40, true},
    {"poly:7", "tanh", "bf16", TX_DST_FORMAT_FP32, 2.5, 45, false},
    {"poly:4", "expm1", "bf16", TX_DST_FORMAT_BF16, 0.9, 20, false},
    {"poly:8", "expm1", "bf16", TX_DST_FORMAT_FP32, 30, 30, false},
    {"poly:2", "cbrt", "bf16", TX_DST_FORMAT_BF16, 0.52, 21, false},
    {"poly:3", "cbrt", "bf16", TX_DST_FORMAT_FP32, 200, 23, false},
    {"poly:4", "i0", "bf16", TX_DST_FORMAT_BF16, 2.5, 46, false},
    {"poly:2", "silu", "bf16", TX_DST_FORMAT_BF16, 1.5, 29, true},
    {"poly:3", "silu", "bf16", TX_DST_FORMAT_BF16, 1.5, 40, false},
    {"poly:4", "cos", "bf16:-65536:65536", TX_DST_FORMAT_BF16, 1.5, 15, true},
    {"poly:4", "cos", "bf16:-65536:65536", TX_DST_FORMAT_BF16, 1.5, 17, false},
    {"poly:5", "tan", "bf16:-65536:65536", TX_DST_FORMAT_BF16, 1.31, 15, true},
    {"poly:5", "tan", "bf16:-65536:65536", TX_DST_FORMAT_BF16, 0.75, 33, false},
    {"poly:7", "atan", "bf16", TX_DST_FORMAT_BF16, 1.04, 13, true},
    {"poly:7", "atan", "bf16", TX_DST_FORMAT_BF16, 0.53, 30, false},
    {"arecip+newton:0", "sigmoid", "bf16", TX_DST_FORMAT_BF16, 1.6, 15, true},
    {"arecip+newton:1", "sigmoid", "bf16", TX_DST_FORMAT_BF16, 0.95, 19, true},
    {"poly:5", "log", "bf16", TX_DST_FORMAT_BF16, 0.51, 28, true},
    {"poly:5", "log1p", "bf16", TX_DST_FORMAT_BF16, 0.53, 35, false}, /* Wormhole */
    {"poly:5", "log1p", "bf16", TX_DST_FORMAT_BF16, 0.53, 28, true},
};

static void written_kernels(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        /* One chip each, by turns; where the text differs, both. */
        const enum tx_arch arch = kernels[i].blackhole || i % 2 == 0 ? TX_BLACKHOLE : TX_WORMHOLE;
        txl_form *form = write_form(kernels[i].form, kernels[i].reference, arch, kernels[i].dst,
                                    kernels[i].domain, 0);
        struct txl_form_result r = {.size = sizeof r};
        uint64_t cycles = 0;
        txl_form_result(form, &r);
        check_lint(form);
        check_constants(form);
        assert_non_null(
            strstr(txl_form_text(form), r.rows == 1 ? " 1 row at a time" : " 2 rows at a time"));
        const double ulp = sweep(form, kernels[i].domain, &cycles);
        if (ulp > kernels[i].ulp || ulp <= 0 || cycles > 32 * (uint64_t)kernels[i].row) {
            fail_msg("%s of %s: %g ULP, %llu cycles", kernels[i].form, kernels[i].reference, ulp,
                     (unsigned long long)cycles);
        }
        assert_int_equal(cycles, r.cycles);
        assert_true(fabs((double)cycles - 32 * r.row_cycles) < 0.5);
        txl_form_close(form);
    }
}

/* Without any time the first schedule is taken, and it is as right as the shortest one. */
static void out_of_time(void **state)
{
    (void)state;
    struct txl_error err = {0};
    struct txl_form_options o = {.size = sizeof o,
                                 .form = "poly:4",
                                 .reference = "tanh",
                                 .arch = TX_WORMHOLE,
                                 .dst = TX_DST_FORMAT_BF16};
    struct txl_form_result best = {.size = sizeof best};
    struct txl_form_result first = {.size = sizeof first};
    txl_form *form;
    assert_int_equal(txl_form_write(&err, &o, &form), TXL_OK);
    txl_form_result(form, &best);
    txl_form_close(form);
    o.seconds = 1e-9;
    assert_int_equal(txl_form_write(&err, &o, &form), TXL_OK);
    txl_form_result(form, &first);
    assert_true(!best.late && first.late && first.cycles >= best.cycles);
    assert_true(first.n == 4 && first.coefficients == best.coefficients);
    char *report = txl_form_report(form);
    assert_non_null(strstr(report, "; ended by its time: the shortest so far"));
    free(report);
    txl_form_close(form);
    o.form = "lut:6";
    assert_int_equal(txl_form_write(&err, &o, &form), TXL_NEGATIVE);
    assert_non_null(strstr(err.message, "lut:6 of tanh is not found in 1e-09 seconds"));
}

static void budgets(void **state)
{
    (void)state;
    struct txl_error err = {0};
    struct txl_form_result whole = {.size = sizeof whole};
    struct txl_form_result r = {.size = sizeof r};
    txl_form *form = write_form("poly:6", "exp2", TX_WORMHOLE, TX_DST_FORMAT_FP32, NULL, 0);
    txl_form_result(form, &whole);
    assert_false(whole.reduced);
    txl_form_close(form);
    form = write_form("poly:6", "exp2", TX_WORMHOLE, TX_DST_FORMAT_FP32, NULL, whole.cycles - 1);
    txl_form_result(form, &r);
    assert_true(r.reduced && r.n < 6 && r.cycles < whole.cycles && r.error > whole.error);
    txl_form_close(form);
    const struct txl_form_options o = {.size = sizeof o,
                                       .form = "poly:6",
                                       .reference = "exp2",
                                       .arch = TX_WORMHOLE,
                                       .budget = 100};
    assert_int_equal(txl_form_write(&err, &o, &form), TXL_NEGATIVE);
    assert_null(form);
    assert_non_null(strstr(err.message, "more than the budget of 100"));
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *form, *reference, *why;
        int status;
    } wrong[] = {
        {"poly:x", "exp", "a form is", TXL_INPUT},
        {"poly:99", "exp", "a form is", TXL_INPUT},
        {"lut:4", "exp", "a form is", TXL_INPUT},
        {"rational:2,2", "exp", "only tanh, erf", TXL_NEGATIVE},
        {"arecip+newton:1", "recip", "no SFPARECIP", TXL_NEGATIVE},
        {"lut:3", "exp", "neither odd", TXL_NEGATIVE},
        {"poly:5", "sin", "--domain", TXL_NEGATIVE},
        {"poly:5", "tan", "for --dst bf16 only", TXL_NEGATIVE},
        {"arecip+newton:0", "sigmoid", "no SFPARECIP", TXL_NEGATIVE},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct txl_error err = {0};
        const struct txl_form_options o = {.size = sizeof o,
                                           .form = wrong[i].form,
                                           .reference = wrong[i].reference,
                                           .arch = TX_WORMHOLE};
        txl_form *form = NULL;
        assert_int_equal(txl_form_write(&err, &o, &form), wrong[i].status);
        assert_null(form);
        if (strstr(err.message, wrong[i].why) == NULL) {
            fail_msg("%s of %s: %s", wrong[i].form, wrong[i].reference, err.message);
        }
    }
}

/* ---- tables ---- */

static double lut8(unsigned byte)
{
    const double value = (1 + (byte & 15) / 16.0) * pow(2, -(double)(byte >> 4 & 7));
    return byte == 0xFF ? 0 : (byte & 0x80) != 0 ? -value : value;
}

/* The best pair for tanh on 1..2: all of them, in double precision. */
static void all_pairs(void **state)
{
    (void)state;
    struct txl_error err = {0};
    struct table t = {.arch = TX_BLACKHOLE, .reference = "tanh"};
    double best = INFINITY;
    assert_int_equal(table_find(&err, &t), TXL_CONTINUE);
    for (unsigned pair = 0; pair < 1 << 16; pair++) {
        const double a = lut8(pair >> 8);
        const double c = lut8(pair & 0xFF);
        double most = 0;
        for (unsigned i = 0; i < 128 && most < best; i++) {
            const double x = 1 + i / 128.0;
            most = fmax(most, fabs(a * x + c - tanh(x)));
        }
        most = fmax(most, fabs(a * 2 + c - tanh(2)));
        best = fmin(best, most);
    }
    /* 2 itself belongs to the next piece: the number before it stands for it. */
    assert_true(fabs(best - t.entry[1].error) < 1e-6);
}

/* Entries of tt-llk's kernels (36b092e, ckernel_sfpu_{sigmoid,tanh,gelu}.h). */
static const struct {
    const char *reference;
    bool wide, four;
    uint32_t word[6]; /* wide: L0 L1 L2 L4 L5 L6 */
} shipped[] = {
    {"sigmoid", false, false, {0x3DFF, 0x21D8, 0xFF10}},
    {"tanh", false, false, {0x1DFF, 0x481A, 0xFF00}},
    {"sigmoid",
     true,
     true,
     {0x32F433D9, 0x300A318A, 0x7C002A35, 0x23C89018, 0x30272BAA, 0x37FF34CC}},
    {"gelu", true, false, {0x37E7322B, 0x38E138F3, 0x38003852, 0xB12286D8, 0xB437B479, 0x7C00AFA4}},
};

static void shipped_tables(void **state)
{
    (void)state;
    const bool all = getenv("TX_FORM_REPORT") != NULL; /* the last one takes some seconds */
    for (size_t i = 0; i < sizeof shipped / sizeof *shipped - (all ? 0 : 1); i++) {
        struct txl_error err = {0};
        struct table theirs = {.arch = TX_WORMHOLE,
                               .reference = shipped[i].reference,
                               .wide = shipped[i].wide,
                               .four = shipped[i].four};
        struct table ours = theirs;
        for (unsigned k = 0; k < (theirs.wide ? 6u : 3u); k++) {
            const uint32_t *w = shipped[i].word;
            theirs.entry[k].a = theirs.wide ? w[k / 2] >> 16 * (k % 2) & 0xFFFF : w[k] >> 8;
            theirs.entry[k].c = theirs.wide ? w[3 + k / 2] >> 16 * (k % 2) & 0xFFFF : w[k] & 0xFF;
        }
        assert_int_equal(table_measure(&err, &theirs), TXL_CONTINUE);
        assert_int_equal(table_find(&err, &ours), TXL_CONTINUE);
        for (unsigned k = 0; k < ours.pieces && ours.four == theirs.four; k++) {
            assert_true(ours.entry[k].error <= theirs.entry[k].error);
        }
        assert_true(ours.error <= theirs.error);
        if (all) {
            print_message("%s %u bits: shipped %.5f, found %.5f\n", ours.reference,
                          ours.wide ? 16 : 8, theirs.error, ours.error);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(approximated_functions),
        cmocka_unit_test(best_approximations),
        cmocka_unit_test(written_kernels),
        cmocka_unit_test(out_of_time),
        cmocka_unit_test(budgets),
        cmocka_unit_test(refused),
        cmocka_unit_test(all_pairs),
        cmocka_unit_test(shipped_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
