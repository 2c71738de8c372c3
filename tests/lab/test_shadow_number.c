/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as text, against what MPFR's own printf makes of them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "shadow/shadow.h"

static void same(mpfr_srcptr value)
{
    char mine[64];
    char theirs[64];
    shadow_number(mine, sizeof mine, value);
    (void)mpfr_snprintf(theirs, sizeof theirs, "%.12Rg", value);
    assert_string_equal(mine, theirs);
}

static void test_numbers(void **state)
{
    (void)state;
    static const char *const texts[] = {"0",
                                        "-0",
                                        "nan",
                                        "inf",
                                        "-inf",
                                        "1",
                                        "-1",
                                        "10",
                                        "0.5",
                                        "123",
                                        "1e11",
                                        "1e12",
                                        "99999999999",
                                        "999999999999.6",
                                        "0.0001",
                                        "0.00001",
                                        "-2.5e-4",
                                        "1e-435",
                                        "3.25e400",
                                        "123456789.25",
                                        "0.1",
                                        "9.9999999999996",
                                        "0.99999999999996",
                                        "0.00099999999999996"};
    mpfr_t value;
    mpfr_init2(value, 200);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_int_equal(0, mpfr_set_str(value, texts[i], 10, MPFR_RNDN));
        same(value);
    }
    uint64_t seed = 38;
    for (unsigned i = 0; i < 20000; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        mpfr_set_d(value, (double)(int64_t)seed, MPFR_RNDN);
        mpfr_mul_2si(value, value, (long)(seed >> 40) % 100 - 110, MPFR_RNDN);
        mpfr_div_ui(value, value, (unsigned)(seed >> 33) % 1000 + 1, MPFR_RNDN);
        same(value);
    }
    mpfr_clear(value);
    mpfr_free_cache();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
