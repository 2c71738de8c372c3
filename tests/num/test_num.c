/* SPDX-License-Identifier: Apache-2.0 */
/* The primitives against the oracle: dense samples here, every input in campaign_unary. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "bodies.h"
#include "num/fma_lanes.h"
#include "triples.h"

static void test_one_operand(void **state)
{
    (void)state;
    for (size_t i = 0; i < BODY_PAIRS; i++) {
        uint32_t at = 0;
        /* Every top half with a walking low half, then the neighbourhoods of all powers of two. */
        uint64_t wrong = body_pairs[i].scan(0, 0xFFFFFFFFu, 65521, &at);
        wrong += body_pairs[i].scan(0, 0x1FFFF, 1, &at);
        wrong += body_pairs[i].scan(0xFFFE0000u, 0xFFFFFFFFu, 1, &at);
        for (unsigned bit = 4; bit < 32; bit++) {
            wrong += body_pairs[i].scan((1u << bit) - 8, (1u << bit) + 8u, 1, &at);
        }
        if (wrong != 0) {
            print_error("%s: %08x -> %08x, oracle %08x\n", body_pairs[i].name, (unsigned)at,
                        (unsigned)body_pairs[i].got(at), (unsigned)body_pairs[i].want(at));
        }
        assert_int_equal(wrong, 0);
    }
}

static void check_fma(int bh, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t got = bh ? fp32_fma_bh(x, y, z) : fp32_fma_wh(x, y, z);
    const uint32_t want = orc_fma(bh, x, y, z);
    if (got != want) {
        print_error("chip %d: %08x * %08x + %08x -> %08x, oracle %08x\n", bh, (unsigned)x,
                    (unsigned)y, (unsigned)z, (unsigned)got, (unsigned)want);
    }
    assert_int_equal(got, want);
}

/* A vector in the forms without branches that this CPU has, and in that of every CPU. */
static void check_lanes(int bh, struct fma_lanes *lanes)
{
    fma_lanes_fn *levels[3] = {fma_lanes_base, fma_lanes_level()};
    unsigned count = 2;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        levels[count++] = fma_lanes_avx2;
    }
#endif
    for (unsigned level = 0; level < count; level++) {
        levels[level](bh != 0, lanes);
        for (unsigned i = 0; i < FMA_LANES; i++) {
            const uint32_t want = orc_fma(bh, lanes->x[i], lanes->y[i], lanes->z[i]);
            if (lanes->out[i] != want) {
                print_error("chip %d, level %u: %08x * %08x + %08x -> %08x, oracle %08x\n", bh,
                            level, (unsigned)lanes->x[i], (unsigned)lanes->y[i],
                            (unsigned)lanes->z[i], (unsigned)lanes->out[i], (unsigned)want);
            }
            assert_int_equal(lanes->out[i], want);
        }
    }
}

static void test_fma_lanes(void **state)
{
    (void)state;
    for (int bh = 0; bh < 2; bh++) {
        uint64_t seed = 11;
        for (unsigned vector = 0; vector < 40000; vector++) {
            struct fma_lanes lanes;
            for (unsigned i = 0; i < FMA_LANES; i++) {
                uint32_t v[3];
                triple(&seed, v);
                lanes.x[i] = v[0];
                lanes.y[i] = v[1];
                lanes.z[i] = v[2];
            }
            check_lanes(bh, &lanes);
        }
    }
}

static void test_fma_random(void **state)
{
    (void)state;
    for (int bh = 0; bh < 2; bh++) {
        uint64_t seed = 7;
        for (unsigned i = 0; i < 3000000; i++) {
            uint32_t v[3];
            triple(&seed, v);
            check_fma(bh, v[0], v[1], v[2]);
        }
    }
}

/* All triples of values at the edges of every class. */
static void test_fma_special(void **state)
{
    static const uint32_t v[] = {
        0,           0x80000000u, 1,           0x007FFFFFu, 0x80000001u, 0x00800000u, 0x80800000u,
        0x00FFFFFFu, 0x01000000u, 0x3F7FFFFFu, 0x3F800000u, 0xBF800000u, 0x3F800001u, 0x40000000u,
        0x3F000000u, 0x3E800000u, 0x7E800000u, 0x7F000000u, 0x7F7FFFFFu, 0xFF7FFFFFu, 0x7F800000u,
        0xFF800000u, 0x7F800001u, 0xFF800001u, 0x7FC00000u, 0xFFFFFFFFu, 0x33800000u, 0x4B800000u,
    };
    const size_t n = sizeof v / sizeof v[0];
    struct fma_lanes lanes = {.out = {0}};
    unsigned lane = 0;
    (void)state;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            for (size_t k = 0; k < n; k++) {
                check_fma(0, v[i], v[j], v[k]);
                check_fma(1, v[i], v[j], v[k]);
                lanes.x[lane] = v[i];
                lanes.y[lane] = v[j];
                lanes.z[lane] = v[k];
                lane = (lane + 1) % FMA_LANES;
                if (lane == 0) {
                    check_lanes(0, &lanes);
                    check_lanes(1, &lanes);
                }
            }
        }
    }
}

static void test_small_domains(void **state)
{
    uint32_t lanes[32];
    uint32_t want[32];
    (void)state;
    for (uint32_t x = 0; x < 0x10000; x++) {
        assert_int_equal(lut16_to_fp32(x, false), orc_lut16(x));
        assert_int_equal(fp16_to_fp32_rebias(x), orc_loadi(1, x, 0));
    }
    for (uint32_t x = 0; x < 256; x++) {
        assert_int_equal(lut8_to_fp32(x), orc_lut8(x));
    }
    static const uint32_t seeds[] = {0, 1, 0x12345678u, 0xFFFFFFFFu, 0x80000000u};
    for (size_t i = 0; i < 5; i++) {
        prng_seed(seeds[i], lanes);
        orc_prng_seed(seeds[i], want);
        assert_memory_equal(lanes, want, sizeof want);
    }
    /* wormhole.md section 6 */
    prng_seed(0, lanes);
    assert_int_equal(lanes[31], 0x02233355u);
    assert_int_equal(lanes[0], 0xC5CF309Eu);
    for (unsigned code = 1; code <= 12; code++) {
        for (unsigned ab = 0; ab < 4; ab++) {
            assert_int_equal(sem_boolean_op(code, (ab & 1) != 0, (ab & 2) != 0),
                             orc_boolop(code, (ab & 1) != 0, (ab & 2) != 0));
        }
    }
}

static void test_mul24(void **state)
{
    uint64_t s = 3;
    (void)state;
    for (unsigned i = 0; i < 2000000; i++) {
        const uint32_t a = triple_next(&s);
        const uint32_t b = triple_next(&s);
        const uint32_t r = triple_next(&s);
        const uint32_t c = (r & 3u) == 0   ? 0
                           : (r & 3u) == 1 ? triple_float(&s, 120u + (r >> 8 & 15u))
                                           : triple_next(&s);
        assert_int_equal(mul24(a, b, c, false), orc_mul24(false, a, b, c));
        assert_int_equal(mul24(a, b, c, true), orc_mul24(true, a, b, c));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_operand),   cmocka_unit_test(test_fma_random),
        cmocka_unit_test(test_fma_lanes),     cmocka_unit_test(test_fma_special),
        cmocka_unit_test(test_small_domains), cmocka_unit_test(test_mul24),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
