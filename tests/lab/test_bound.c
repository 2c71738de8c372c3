/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bound of tensix-lab/fit.h, against all values of one constant in small steps, which are tried
 * here in double precision; and why there is none. Skipped where glpsol is missing.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <tensix-lab/fit.h>

#define KERNEL(row)                                                                          \
    ".arch bh\n.dst bf16\n.reference exp\n.free c = float(0.9) in fp32\n.init\n"             \
    ".loadi L7, c\n.loadi L6, float(2.71875)\n.tile\nI = 0\n.rept 32\nsfpload L0, I, 0, 3\n" \
    "sfpmad L1, L7, L0, L10, 0\nsfpnop\n" row "sfpstore L1, I, 0, 3\nI = I + 2\n.endr\n"
#define NEAREST "sfpstochrnd L1, L1, L1, 0, 1, 0\n"
#define CLAMPED "sfpswap L1, L6, 1\nsfpnop\n" NEAREST

struct shape {
    const char *kernel;
    bool nearest;
    double most; /* no result is above */
};

static const struct shape shapes[] = {
    {KERNEL(NEAREST), true, INFINITY},
    {KERNEL(""), false, INFINITY},
    {KERNEL(CLAMPED), true, 2.71875},
};

static float number(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The largest distance of 1 + c x from e^x for all x of BF16 from 1/16 to 1, in ULP. */
static double error_at(const struct shape *s, double c)
{
    static double exponential[0x3F81];
    double most = 0;
    for (uint32_t bits = 0x3D80; bits <= 0x3F80; bits++) {
        const double x = (double)number(bits << 16);
        const double exact = exponential[bits] != 0 ? exponential[bits] : exp(x);
        exponential[bits] = exact;
        const double y = fmin(1 + c * x, s->most);
        const double gap = ldexp(1, ilogb(y) - 7);
        const double made = (s->nearest ? rint(y / gap) : floor(y / gap)) * gap;
        most = fmax(most, fabs(made - exact) / ldexp(1, ilogb(exact) - 7));
    }
    return most;
}

static double best_of(const struct shape *s)
{
    double best = INFINITY;
    for (double c = 1.2; c < 1.8; c += 1.0 / 16384) {
        best = fmin(best, error_at(s, c));
    }
    return best;
}

static struct txl_fit_options options(const char *kernel, const char *domain)
{
    return (struct txl_fit_options){.size = sizeof(struct txl_fit_options),
                                    .kernel = "bound.s",
                                    .text = kernel,
                                    .domain = domain,
                                    .objective = TXL_FIT_UNROUNDED,
                                    .restarts = 1,
                                    .jobs = 1,
                                    .bound = true};
}

static bool missing(void)
{
    return access("/usr/bin/glpsol", X_OK) != 0;
}

static void test_bound(void **state)
{
    (void)state;
    if (missing()) {
        skip();
    }
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct txl_error err = {0};
        struct txl_fit_result r = {.size = sizeof r};
        txl_fit *fit = NULL;
        const struct txl_fit_options o = options(shapes[i].kernel, "bf16:0.0625:1");
        assert_int_equal(txl_fit_find(&err, &o, &fit), TXL_OK);
        txl_fit_result(fit, &r);
        const double best = best_of(&shapes[i]);
        if (r.no_bound != NULL || r.bound > best || r.bound < best - 0.02) {
            fail_msg("shape %zu: bound %g (%s), best %g", i, r.bound,
                     r.no_bound != NULL ? r.no_bound : "", best);
        }
        /* the search begins where the programme ends */
        assert_true(r.after_unrounded <= best + 0.02);
        char *report = txl_fit_report(fit);
        assert_non_null(strstr(report, "no coefficients of this form are better than"));
        free(report);
        txl_fit_close(fit);
    }
}

static const char square[] =
    ".arch bh\n.dst bf16\n.reference exp\n.free c = float(0.9) in fp32\n.init\n.loadi L7, c\n"
    ".tile\nI = 0\n.rept 32\nsfpload L0, I, 0, 3\nsfpmad L1, L7, L0, L10, 0\nsfpnop\n"
    "sfpmul L1, L1, L1, 0\nsfpnop\nsfpstochrnd L1, L1, L1, 0, 1, 0\nsfpstore L1, I, 0, 3\n"
    "I = I + 2\n.endr\n";

static void test_none(void **state)
{
    (void)state;
    static const struct {
        const char *kernel, *path, *why;
        enum tx_dst_format dst;
    } none[] = {
        {KERNEL(NEAREST), "/nowhere", "glpsol is not there", TX_DST_FORMAT_UNSET},
        {KERNEL(""), NULL, "only results of 16 bits", TX_DST_FORMAT_FP32},
        {square, NULL, "no linear function of the constants", TX_DST_FORMAT_UNSET},
    };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        struct txl_error err = {0};
        struct txl_fit_result r = {.size = sizeof r};
        txl_fit *fit = NULL;
        struct txl_fit_options o = options(none[i].kernel, "bf16:0.0625:1");
        o.path = none[i].path;
        o.dst = none[i].dst;
        if (none[i].kernel == square && missing()) {
            continue;
        }
        assert_int_equal(txl_fit_find(&err, &o, &fit), TXL_OK);
        txl_fit_result(fit, &r);
        assert_true(r.bound == 0);
        assert_non_null(r.no_bound);
        if (strstr(r.no_bound, none[i].why) == NULL) {
            fail_msg("%s instead of %s", r.no_bound, none[i].why);
        }
        txl_fit_close(fit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bound),
        cmocka_unit_test(test_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
