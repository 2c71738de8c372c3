/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Building blocks that functions share: powers, parts of logarithms, quotients; and the cores to
 * approximate.
 */
#ifndef LAB_FORM_PARTS_H
#define LAB_FORM_PARTS_H

#include "form/form.h"

/* Returns a constant that BF16 represents exactly, for which one SFPLOADI is enough. */
int form_coarse(struct form_code *c, const char *name, double number);
/* Returns -1 in a register that is not written. */
int form_minus(struct form_code *c);
/*
 * Computes x - number: with the constant that is there, where the chip's multiply-add can take
 * its negative.
 */
int form_less(struct form_code *c, int x, const char *name, double number);
/* Compute max(x, number) and min(x, number) in x's register. */
int form_above(struct form_code *c, int x, const char *name, double number);
int form_below(struct form_code *c, int x, const char *name, double number);

/*
 * Computes a power of e, of 2 or of 1/e as the product of p and scale. x, or -x with the base 1/e,
 * must be at least -127 in powers of two. degree is that of the polynomial in the rest of x. high
 * says that x may be so large that the next power of two overflows although the result does not.
 */
enum form_base { FORM_E, FORM_TWO, FORM_LESS_E };
struct form_power {
    int p, scale;
};
struct form_power form_power(struct form_code *c, int x, enum form_base base, unsigned degree,
                             bool high);
/* Returns the degree that makes an exponential accurate enough for the result's format. */
unsigned form_power_degree(const struct form_code *c);

/*
 * Splits off the exponent of x: t is between 1 and 2, and 1/x is -1/(2 t) times scale, whose sign
 * is opposite to x's.
 */
struct form_split {
    int t, scale;
};
struct form_split form_split(struct form_code *c, int x, bool negative);
/* Computes -1/(2 t) by a polynomial of this degree after an initial guess from the bits of t. */
int form_near_reciprocal(struct form_code *c, int t, unsigned degree);
/* Computes 1/x of a positive number or infinity, by SFPARECIP where the chip has it. */
bool form_has_reciprocal(const struct form_code *c);
/* Whether a NaN that the chip's multiply-add makes is still one when it is cut to BF16. */
bool form_keeps_nan(const struct form_code *c);
int form_reciprocal(struct form_code *c, int x);
/* Computes a/b, for positive b that is neither very large nor very small. */
int form_divide(struct form_code *c, int a, int b);
/*
 * Computes a / (b + lost) and corrects it by the remainder, so that little more than the last
 * rounding is left of the error. lost is what the rounding of b has lost, or FORM_NONE. On Wormhole
 * the result has the other sign, and lost must be FORM_NONE.
 */
int form_quotient(struct form_code *c, int a, int b, int lost);
/*
 * Blackhole: computes 1/t by SFPARECIP and so many Newton steps; four of them are combined into
 * one.
 */
int form_arecip(struct form_code *c, int t, unsigned steps);

/* Selects result where x has an ordinary exponent, else instead. */
int form_finite(struct form_code *c, int result, int x, const char *instead);
/* Selects result where x has an ordinary exponent, else x. */
int form_ordinary(struct form_code *c, int result, int x);
/* The same by SFPSWAP, where the result is never less than x minus the largest number. */
int form_endless(struct form_code *c, int result, int x);
/*
 * Replaces the result by NaN where x is negative and, unless zero is NULL, by zero where x is zero.
 */
int form_negative(struct form_code *c, int result, int x, const char *zero);
/*
 * Returns k less m, and adds to e, which is minus the exponent of x, what makes the logarithm right
 * where x is special: an infinity where x is 0 or infinite, NaN where x is NaN or k less m is
 * negative. t has the exponent e + 128 and a sign, and is thus infinite where x is 0.
 */
int form_log_ends(struct form_code *c, int x, int t, int k, int m, int *e);

/* The functions of the cores, in MPFR. */
remez_function form_exp, form_exp2, form_log1p, form_log1p_rest, form_log2p, form_log10p,
    form_less_half_recip, form_rsqrt, form_tanh, form_erf, form_tanh_root, form_erf_root, form_gelu,
    form_cosh_root, form_sinh_root, form_sin_root, form_less_sin_root, form_near_recip,
    form_expm1_rest, form_expm1, form_less_two_thirds, form_cos_root, form_exp_128, form_i0_rest,
    form_cosh_rest, form_cosh_rest_twice, form_sinh_rest, form_inverse, form_less_exp,
    form_atan_root, form_tan_rest;

/* more.c: rows of functions. */
typedef int form_row(struct form_code *c, const struct form_how *how, int x);
form_row form_expm1_row, form_cbrt_row, form_i0_row, form_atan_row, form_tan_row, form_log1p_row;
int form_gate(struct form_code *c, int x, int less, unsigned degree);
int form_cos_row(struct form_code *c, const struct form_how *how, int v, int q);

#endif
