/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of MPFR as text. MPFR's own printf is not built where it stands on mini-gmp (web/). */
#include "shadow/shadow.h"

#include <stdio.h>
#include <string.h>

enum { DIGITS = 12, LEAST_FIXED = -4 };

/* Writes what "%.12Rg" gives. */
void shadow_number(char *text, size_t size, mpfr_srcptr value)
{
    char digits[DIGITS + 3];
    mpfr_exp_t exponent;
    if (!mpfr_regular_p(value)) {
        snprintf(text, size, "%s%s", mpfr_signbit(value) != 0 && !mpfr_nan_p(value) ? "-" : "",
                 mpfr_nan_p(value)   ? "nan"
                 : mpfr_inf_p(value) ? "inf"
                                     : "0");
        return;
    }
    mpfr_get_str(digits, &exponent, 10, DIGITS, value, MPFR_RNDN);
    const char *sign = digits[0] == '-' ? "-" : "";
    const char *all = digits[0] == '-' ? digits + 1 : digits;
    int count = DIGITS;
    while (count > 1 && all[count - 1] == '0') {
        count--;
    }
    const long scale = (long)exponent - 1; /* of the first digit */
    if (scale < LEAST_FIXED || scale >= DIGITS) {
        snprintf(text, size, "%s%c%s%.*se%c%02ld", sign, all[0], count > 1 ? "." : "", count - 1,
                 all + 1, scale < 0 ? '-' : '+', scale < 0 ? -scale : scale);
    } else if (scale < 0) {
        snprintf(text, size, "%s0.%.*s%.*s", sign, (int)(-scale - 1), "000", count, all);
    } else {
        const int whole = (int)scale + 1;
        snprintf(text, size, "%s%.*s%s%.*s", sign, whole, all, count > whole ? "." : "",
                 count > whole ? count - whole : 0, all + (count > whole ? whole : 0));
    }
}
