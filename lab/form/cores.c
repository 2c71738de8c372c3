/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that are approximated, in MPFR. */
#include "form/parts.h"

void form_exp(mpfr_ptr out, mpfr_srcptr t)
{
    mpfr_exp(out, t, MPFR_RNDN);
}

void form_less_exp(mpfr_ptr out, mpfr_srcptr t)
{
    mpfr_neg(out, t, MPFR_RNDN);
    mpfr_exp(out, out, MPFR_RNDN);
}

void form_exp2(mpfr_ptr out, mpfr_srcptr t)
{
    mpfr_exp2(out, t, MPFR_RNDN);
}

/* Computes f(t) / t, with its limit at 0. */
static void by_argument(mpfr_ptr out, mpfr_srcptr t, int (*f)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t))
{
    if (mpfr_zero_p(t)) {
        mpfr_set_ui_2exp(out, 1, -200, MPFR_RNDN);
        f(out, out, MPFR_RNDN);
        mpfr_mul_2si(out, out, 200, MPFR_RNDN);
    } else {
        f(out, t, MPFR_RNDN);
        mpfr_div(out, out, t, MPFR_RNDN);
    }
}

void form_log1p(mpfr_ptr out, mpfr_srcptr t)
{
    by_argument(out, t, mpfr_log1p);
}

/* (e^t - 1) / t */
void form_expm1(mpfr_ptr out, mpfr_srcptr t)
{
    by_argument(out, t, mpfr_expm1);
}

/* e^t / 128 */
void form_exp_128(mpfr_ptr out, mpfr_srcptr t)
{
    mpfr_exp(out, t, MPFR_RNDN);
    mpfr_div_2ui(out, out, 7, MPFR_RNDN);
}

/*
 * 64 I0(u) e^-u sqrt(u + 1) at u = 1 / t - 1. I0 is the sum of (u / 2)^2k / k!^2, whose terms are
 * positive.
 */
void form_i0_rest(mpfr_ptr out, mpfr_srcptr t)
{
    mpfr_t u, term, sum;
    mpfr_inits2(REMEZ_BITS, u, term, sum, (mpfr_ptr)0);
    mpfr_ui_div(u, 1, t, MPFR_RNDN);
    mpfr_rec_sqrt(out, t, MPFR_RNDN); /* sqrt(u + 1) */
    mpfr_sub_ui(u, u, 1, MPFR_RNDN);
    mpfr_exp(term, u, MPFR_RNDN);
    mpfr_div(out, out, term, MPFR_RNDN);
    mpfr_mul_2ui(out, out, 6, MPFR_RNDN);
    mpfr_sqr(u, u, MPFR_RNDN);
    mpfr_div_2ui(u, u, 2, MPFR_RNDN);
    mpfr_set_ui(term, 1, MPFR_RNDN);
    mpfr_set_ui(sum, 1, MPFR_RNDN);
    for (unsigned long k = 1; k < 300; k++) { /* of u up to 93 the last ones are below 2^-400 */
        mpfr_mul(term, term, u, MPFR_RNDN);
        mpfr_div_ui(term, term, k * k, MPFR_RNDN);
        mpfr_add(sum, sum, term, MPFR_RNDN);
    }
    mpfr_mul(out, out, sum, MPFR_RNDN);
    mpfr_clears(u, term, sum, (mpfr_ptr)0);
}

/* (1 + t)^(-2/3) */
void form_less_two_thirds(mpfr_ptr out, mpfr_srcptr t)
{
    mpfr_add_ui(out, t, 1, MPFR_RNDN);
    mpfr_sqr(out, out, MPFR_RNDN);
    mpfr_cbrt(out, out, MPFR_RNDN);
    mpfr_ui_div(out, 1, out, MPFR_RNDN);
}

void form_log1p_rest(mpfr_ptr out, mpfr_srcptr t)
{
    mpfr_t square;
    mpfr_init2(square, REMEZ_BITS);
    mpfr_sqr(square, t, MPFR_RNDN);
    mpfr_log1p(out, t, MPFR_RNDN);
    mpfr_sub(out, out, t, MPFR_RNDN);
    mpfr_div(out, out, square, MPFR_RNDN);
    if (mpfr_zero_p(t)) {
        mpfr_set_d(out, -0.5, MPFR_RNDN);
    }
    mpfr_clear(square);
}

/* ((e^2t - 1) / 2 - t) / t^2 */
void form_expm1_rest(mpfr_ptr out, mpfr_srcptr t)
{
    mpfr_t square;
    mpfr_init2(square, REMEZ_BITS);
    mpfr_sqr(square, t, MPFR_RNDN);
    mpfr_mul_2ui(out, t, 1, MPFR_RNDN);
    mpfr_expm1(out, out, MPFR_RNDN);
    mpfr_div_2ui(out, out, 1, MPFR_RNDN);
    mpfr_sub(out, out, t, MPFR_RNDN);
    mpfr_div(out, out, square, MPFR_RNDN);
    if (mpfr_zero_p(t)) {
        mpfr_set_ui(out, 1, MPFR_RNDN);
    }
    mpfr_clear(square);
}

/* (cosh sqrt t - 1) / t */
void form_cosh_rest(mpfr_ptr out, mpfr_srcptr t)
{
    mpfr_t root;
    if (mpfr_zero_p(t)) {
        mpfr_set_d(out, 0.5, MPFR_RNDN);
        return;
    }
    mpfr_init2(root, REMEZ_BITS);
    mpfr_sqrt(root, t, MPFR_RNDN);
    mpfr_cosh(root, root, MPFR_RNDN);
    mpfr_sub_ui(root, root, 1, MPFR_RNDN);
    mpfr_div(out, root, t, MPFR_RNDN);
    mpfr_clear(root);
}

/* (sinh(r) / r - 1) / r^2, r = sqrt t */
void form_sinh_rest(mpfr_ptr out, mpfr_srcptr t)
{
    mpfr_t value;
    if (mpfr_zero_p(t)) {
        mpfr_set_ui(out, 1, MPFR_RNDN);
        mpfr_div_ui(out, out, 6, MPFR_RNDN);
        return;
    }
    mpfr_init2(value, REMEZ_BITS);
    form_sinh_root(value, t);
    mpfr_sub_ui(value, value, 1, MPFR_RNDN);
    mpfr_div(out, value, t, MPFR_RNDN);
    mpfr_clear(value);
}

/* Twice (cosh sqrt t - 1) / t. */
void form_cosh_rest_twice(mpfr_ptr out, mpfr_srcptr t)
{
    form_cosh_rest(out, t);
    mpfr_mul_2ui(out, out, 1, MPFR_RNDN);
}

/* 1 / (1 - t) */
void form_inverse(mpfr_ptr out, mpfr_srcptr t)
{
    mpfr_ui_sub(out, 1, t, MPFR_RNDN);
    mpfr_ui_div(out, 1, out, MPFR_RNDN);
}

static void log_of(mpfr_ptr out, mpfr_srcptr t, unsigned base)
{
    mpfr_t scale;
    mpfr_init2(scale, REMEZ_BITS);
    by_argument(out, t, mpfr_log1p);
    mpfr_log_ui(scale, base, MPFR_RNDN);
    mpfr_div(out, out, scale, MPFR_RNDN);
    mpfr_clear(scale);
}

void form_log2p(mpfr_ptr out, mpfr_srcptr t)
{
    log_of(out, t, 2);
}

void form_log10p(mpfr_ptr out, mpfr_srcptr t)
{
    log_of(out, t, 10);
}

/* Computes -1 / (2 (t + at)). */
static void less_half(mpfr_ptr out, mpfr_srcptr t, double at)
{
    mpfr_add_d(out, t, at, MPFR_RNDN);
    mpfr_si_div(out, -1, out, MPFR_RNDN);
    mpfr_div_2ui(out, out, 1, MPFR_RNDN);
}

void form_less_half_recip(mpfr_ptr out, mpfr_srcptr t)
{
    less_half(out, t, 1.5);
}

void form_near_recip(mpfr_ptr out, mpfr_srcptr t)
{
    less_half(out, t, 1);
}

void form_rsqrt(mpfr_ptr out, mpfr_srcptr t)
{
    mpfr_add_ui(out, t, 1, MPFR_RNDN);
    mpfr_rec_sqrt(out, out, MPFR_RNDN);
}

void form_tanh(mpfr_ptr out, mpfr_srcptr t)
{
    by_argument(out, t, mpfr_tanh);
}

void form_erf(mpfr_ptr out, mpfr_srcptr t)
{
    by_argument(out, t, mpfr_erf);
}

/* Computes f(sqrt t) / sqrt t. */
static void by_root(mpfr_ptr out, mpfr_srcptr t, int (*f)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t))
{
    mpfr_t root;
    mpfr_init2(root, REMEZ_BITS);
    mpfr_sqrt(root, t, MPFR_RNDN);
    by_argument(out, root, f);
    mpfr_clear(root);
}

void form_tanh_root(mpfr_ptr out, mpfr_srcptr t)
{
    by_root(out, t, mpfr_tanh);
}

void form_erf_root(mpfr_ptr out, mpfr_srcptr t)
{
    by_root(out, t, mpfr_erf);
}

void form_sinh_root(mpfr_ptr out, mpfr_srcptr t)
{
    by_root(out, t, mpfr_sinh);
}

void form_sin_root(mpfr_ptr out, mpfr_srcptr t)
{
    by_root(out, t, mpfr_sin);
}

/* (tan(r) / r - 1) / r^2, r = sqrt t */
void form_tan_rest(mpfr_ptr out, mpfr_srcptr t)
{
    if (mpfr_zero_p(t)) {
        mpfr_set_ui(out, 1, MPFR_RNDN);
        mpfr_div_ui(out, out, 3, MPFR_RNDN);
        return;
    }
    by_root(out, t, mpfr_tan);
    mpfr_sub_ui(out, out, 1, MPFR_RNDN);
    mpfr_div(out, out, t, MPFR_RNDN);
}

void form_atan_root(mpfr_ptr out, mpfr_srcptr t)
{
    by_root(out, t, mpfr_atan);
}

/* cos(sqrt t) / (pi^2 / 4 - t) */
void form_cos_root(mpfr_ptr out, mpfr_srcptr t)
{
    mpfr_t end;
    mpfr_init2(end, REMEZ_BITS);
    mpfr_const_pi(end, MPFR_RNDN);
    mpfr_sqr(end, end, MPFR_RNDN);
    mpfr_div_2ui(end, end, 2, MPFR_RNDN);
    mpfr_sub(end, end, t, MPFR_RNDN);
    mpfr_sqrt(out, t, MPFR_RNDN);
    mpfr_cos(out, out, MPFR_RNDN);
    mpfr_div(out, out, end, MPFR_RNDN);
    mpfr_clear(end);
}

void form_less_sin_root(mpfr_ptr out, mpfr_srcptr t)
{
    by_root(out, t, mpfr_sin);
    mpfr_neg(out, out, MPFR_RNDN);
}

void form_cosh_root(mpfr_ptr out, mpfr_srcptr t)
{
    mpfr_sqrt(out, t, MPFR_RNDN);
    mpfr_cosh(out, out, MPFR_RNDN);
}

/* Computes log(Phi(x) / Phi(-x)), where Phi is the normal distribution function. */
static int log_odds(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t round)
{
    mpfr_t other;
    mpfr_init2(other, REMEZ_BITS);
    mpfr_sqrt_ui(other, 2, round);
    mpfr_div(other, x, other, round);
    mpfr_erfc(other, other, round);
    mpfr_ui_sub(out, 2, other, round); /* erfc(-y) = 2 - erfc(y) */
    mpfr_div(out, out, other, round);
    mpfr_clear(other);
    return mpfr_log(out, out, round);
}

/* Computes -log_odds(x) / x at x = sqrt t. */
void form_gelu(mpfr_ptr out, mpfr_srcptr t)
{
    by_root(out, t, log_odds);
    mpfr_neg(out, out, MPFR_RNDN);
}
