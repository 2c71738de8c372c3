/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/apart.h"

#include <math.h>

double apart_gap(int precision, int least)
{
    return ldexp(1.0, least) - ldexp(1.0, least - precision + 1);
}

static void take_out(mpfr_t number, double gap)
{
    if (mpfr_cmpabs_ui(number, 0) == 0) {
        return;
    }
    const int sign = mpfr_sgn(number);
    mpfr_abs(number, number, MPFR_RNDN);
    if (mpfr_cmp_d(number, gap) <= 0) {
        mpfr_set_zero(number, sign);
        return;
    }
    mpfr_sub_d(number, number, gap, MPFR_RNDN);
    mpfr_setsign(number, number, sign < 0, MPFR_RNDN);
}

void apart_set(mpfr_t apart, double gap, mpfr_srcptr from, mpfr_srcptr to)
{
    if (mpfr_sgn(from) * mpfr_sgn(to) > 0) { /* as in number_apart */
        mpfr_sub(apart, to, from, MPFR_RNDN);
        return;
    }
    mpfr_t start;
    mpfr_init2(start, mpfr_get_prec(from));
    mpfr_set(start, from, MPFR_RNDN);
    mpfr_set(apart, to, MPFR_RNDN);
    take_out(start, gap);
    take_out(apart, gap);
    mpfr_sub(apart, apart, start, MPFR_RNDN);
    mpfr_clear(start);
}
