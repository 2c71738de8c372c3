/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every lane of a multiply-add, by the plain version, which a CPU with AVX2 does not choose, and by
 * the chosen one: small integers, whose products and sums are known.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "num/fma_lanes.h"

#include <string.h>

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void all_lanes(fma_lanes_fn *level, bool blackhole)
{
    struct fma_lanes l;
    memset(&l, 0xA5, sizeof l);
    for (unsigned i = 0; i < FMA_LANES; i++) {
        l.x[i] = bits_of((float)i + 1);
        l.y[i] = bits_of(3);
        l.z[i] = bits_of(100 - (float)i);
    }
    level(blackhole, &l);
    for (unsigned i = 0; i < FMA_LANES; i++) {
        assert_int_equal(l.out[i], bits_of((float)(3 * (i + 1) + 100 - i)));
    }
}

static void test_lanes(void **state)
{
    (void)state;
    for (unsigned chip = 0; chip < 2; chip++) {
        all_lanes(fma_lanes_base, chip == 0);
        all_lanes(fma_lanes_level(), chip == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lanes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
