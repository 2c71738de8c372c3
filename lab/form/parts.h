/* SPDX-License-Identifier: Apache-2.0 */
/* What functions have in common: powers, logarithms' parts, quotients; and cores to approximate. */
#ifndef LAB_FORM_PARTS_H
#define LAB_FORM_PARTS_H

#include "form/form.h"

/* -1, in a register that keeps it. */
int form_minus(struct form_code *c);
/* max(x, number), min(x, number); x's register becomes the result's. */
int form_above(struct form_code *c, int x, const char *name, double number);
int form_below(struct form_code *c, int x, const char *name, double number);

/*
 * The power of an exponential: p and scale, whose product it is. base: e, or 2. x: at least -127
 * powers of two. degree: of the polynomial in what is left of x, from 0 to one power of two.
 */
struct form_power {
    int p, scale;
};
struct form_power form_power(struct form_code *c, int x, bool two, unsigned degree);
/* The degree that makes an exponential good enough for the result's format. */
unsigned form_power_degree(const struct form_code *c);

/* x without its exponent, as t from 1 to 2; 1/x is 1/(2 t) times scale, which has x's other sign.
 */
struct form_split {
    int t, scale;
};
struct form_split form_split(struct form_code *c, int x, bool negative);
/* -1/(2 t), by this degree of polynomial behind a start from the bits of t. */
int form_near_reciprocal(struct form_code *c, int t, unsigned degree);
/* 1/x of a positive number, infinity too: by SFPARECIP where there is one. */
int form_reciprocal(struct form_code *c, int x);
/* a/b of a positive, finite b that is neither large nor small. */
int form_divide(struct form_code *c, int a, int b);
/* Blackhole: 1/t by SFPARECIP and so many steps of Newton, the order four of them being one. */
int form_arecip(struct form_code *c, int t, unsigned steps);

/* result where x has an ordinary exponent, else instead (FORM_NONE: x itself). */
int form_finite(struct form_code *c, int result, int x, const char *instead);
/* NaN where x is below zero; zero where it is zero, if that is not NULL. */
int form_negative(struct form_code *c, int result, int x, const char *zero);

/* Functions of the cores, in MPFR. */
remez_function form_exp, form_exp2, form_log1p, form_log1p_rest, form_log2p, form_log10p,
    form_less_half_recip, form_rsqrt, form_tanh, form_erf, form_tanh_root, form_erf_root, form_gelu,
    form_cosh_root, form_sinh_root, form_sin_root, form_less_sin_root, form_near_recip;

#endif
