/* SPDX-License-Identifier: Apache-2.0 */
/* Best approximation by polynomials and quotients of polynomials: Remez's exchange in MPFR. */
#ifndef LAB_FORM_REMEZ_H
#define LAB_FORM_REMEZ_H

#include <mpfr.h>

#include "base/error.h"

enum { REMEZ_TERMS = 20, REMEZ_POINTS = 2 * REMEZ_TERMS + 1, REMEZ_BITS = 256 };

typedef void remez_function(mpfr_ptr out, mpfr_srcptr t);

/* What an error at t is multiplied by before errors are compared. */
enum remez_weight {
    REMEZ_RELATIVE, /* 1 / |g| */
    REMEZ_ABSOLUTE,
    REMEZ_ARGUMENT, /* |t|: what it is multiplied by makes up for a small one */
    REMEZ_SQRT      /* sqrt(t): of the argument of an odd function, whose square is t */
};

/*
 * g(t) on a <= t <= b by the sum of top[k] t^k, k < tops, over 1 + the sum of bottom[k] t^(k + 1),
 * k < bottoms. Coefficients of the top whose bit is set in held stay as they are.
 */
struct remez {
    remez_function *g;
    enum remez_weight weight;
    double a, b;
    unsigned tops, bottoms;
    uint32_t held;
    double top[REMEZ_TERMS], bottom[REMEZ_TERMS];
    double error;            /* the largest weighted one; of the coefficients before rounding */
    double at[REMEZ_POINTS]; /* where it is reached, with alternating signs: */
    unsigned points;         /* one more than there are coefficients to choose */
};

/* TXL_CONTINUE; TXL_NEGATIVE: the exchange does not settle, which err says; TXL_INPUT. */
int remez_solve(struct txl_error *err, struct remez *problem);

#endif
