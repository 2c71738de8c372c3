/* SPDX-License-Identifier: Apache-2.0 */
/* The one measure of errors (number_apart of format.h) for numbers of MPFR. */
#ifndef LAB_REFERENCE_APART_H
#define LAB_REFERENCE_APART_H

#include <mpfr.h>

/* Returns the gap of a format of this precision and least exponent: see struct number_format. */
double apart_gap(int precision, int least);
/* Sets apart to to - from, less the gaps beside zero that lie between them. All are finite. */
void apart_set(mpfr_t apart, double gap, mpfr_srcptr from, mpfr_srcptr to);

#endif
