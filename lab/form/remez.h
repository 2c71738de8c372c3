/* SPDX-License-Identifier: Apache-2.0 */
/* Best approximation by polynomials and quotients of polynomials: Remez's exchange in MPFR. */
#ifndef LAB_FORM_REMEZ_H
#define LAB_FORM_REMEZ_H

#include <mpfr.h>

#include "base/error.h"

enum { REMEZ_TERMS = 20, REMEZ_POINTS = 2 * REMEZ_TERMS + 1, REMEZ_BITS = 256 };

typedef void remez_function(mpfr_ptr out, mpfr_srcptr t);

/* The factor by which the error at t is weighted. */
enum remez_weight {
    REMEZ_RELATIVE, /* 1 / |g| */
    REMEZ_ABSOLUTE,
    REMEZ_ARGUMENT, /* |t|: the approximation is later multiplied by t */
    REMEZ_SQRT      /* sqrt(t): for an odd function of the argument whose square is t */
};

/*
 * Approximates g(t) on a <= t <= b by the sum of top[k] t^k, k < tops, divided by 1 + the sum of
 * bottom[k] t^(k + 1), k < bottoms. Coefficients of the numerator whose bit is set in held keep
 * their value.
 */
struct remez {
    remez_function *g;
    enum remez_weight weight;
    double a, b;
    unsigned tops, bottoms;
    uint32_t held;
    double top[REMEZ_TERMS], bottom[REMEZ_TERMS];
    double error;            /* largest weighted error, before rounding of coefficients */
    double at[REMEZ_POINTS]; /* where it is reached, with alternating signs */
    unsigned points;         /* number of them, one more than there are unknown coefficients */
};

/*
 * Solves the problem. Returns TXL_CONTINUE; TXL_NEGATIVE where the exchange does not converge, as
 * err says; or TXL_INPUT.
 */
int remez_solve(struct txl_error *err, struct remez *problem);

#endif
