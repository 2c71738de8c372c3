/* SPDX-License-Identifier: Apache-2.0 */
/*
 * BFP groups and L1 accumulation against second statements, and where the packer and the host part
 * ways. 10^8 groups: campaign_groups.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "second_groups.h"

static void packer_groups(void **state)
{
    (void)state;
    for (size_t f = 0; f < BLOCK_FORMATS; f++) {
        uint64_t seed = 7 + f;
        for (unsigned n = 0; n < 40000; n++) {
            if (!packer_agrees(block_formats[f], n, &seed)) {
                fail_msg("%s: group %u", tx_format_name(block_formats[f]), n);
            }
        }
    }
}

static void host_groups(void **state)
{
    (void)state;
    for (size_t f = 0; f < BLOCK_FORMATS; f++) {
        uint64_t seed = 70 + f;
        for (unsigned n = 0; n < 40000; n++) {
            if (!host_agrees(block_formats[f], n, &seed)) {
                fail_msg("%s: group %u", tx_format_name(block_formats[f]), n);
            }
        }
    }
}

/* The datum survives: its value has an exponent of its own and it is not the -Inf code. */
static bool representable(uint32_t exponent, uint32_t d, unsigned w)
{
    const uint32_t magnitude = d % (1u << w);
    uint32_t zeros = 0;
    while (magnitude << zeros != 0 && (magnitude << zeros & 1u << (w - 1)) == 0) {
        zeros++;
    }
    return magnitude != 0 ? zeros < exponent : d == 0;
}

/*
 * Groups that the packers can make, whose exponent is that of the largest member, survive unpacking
 * and packing again: every datum under every exponent, in every place, among changing neighbours.
 */
static void representable_groups(void **state)
{
    (void)state;
    for (size_t f = 0; f < BLOCK_FORMATS; f++) {
        const enum tx_format format = block_formats[f];
        const unsigned w = tx_format_info(format)->mantissa_bits;
        const bool a = tx_format_info(format)->exponent_bits == 5;
        /* Exponent 0 holds no leading one. */
        for (uint32_t n = 2u << w; n < (a ? 32u : 256u) * (2u << w); n++) {
            const uint32_t exponent = n >> (w + 1);
            uint8_t want[16], shared, out[16];
            uint16_t in[16];
            uint32_t fp32[16];
            for (uint32_t i = 0; i < 16; i++) {
                const uint32_t d = (n + i * 7) % (2u << w);
                want[i] = (uint8_t)(representable(exponent, d, w) ? d : 0);
            }
            want[(n + 11) % 16] = (uint8_t)(1u << (w - 1)); /* keeps the exponent */
            for (uint32_t i = 0; i < 16; i++) {
                in[i] = (uint16_t)bfp(exponent, want[i], w, a);
                fp32[i] = host_bfp(exponent, want[i], w, a);
            }
            tx_bfp_pack(format, in, &shared, out);
            assert_int_equal(shared, exponent);
            assert_memory_equal(out, want, sizeof out);
            tx_bfp_pack_host(format, fp32, &shared, out);
            assert_int_equal(shared, exponent);
            assert_memory_equal(out, want, sizeof out);
        }
    }
}

/*
 * Documented differences between packer and tt-metal's host, for BF16 inputs without denormals:
 * BFP8 differs in ties and in what alignment cuts off; BFP4 and BFP2 wherever cutting the rounded
 * seven bits is not rounding to three or one.
 */
static void routes_differ_where_documented(void **state)
{
    (void)state;
    uint64_t seed = 11;
    unsigned differ4 = 0;
    unsigned total = 0;
    for (unsigned n = 0; n < 20000; n++) {
        uint16_t bf[16];
        uint32_t fp[16];
        uint8_t e1, e2, pack8[16], host8[16], pack4[16], host4[16];
        for (unsigned i = 0; i < 16; i++) {
            float sum = -6; /* about a normal distribution */
            for (unsigned k = 0; k < 12; k++) {
                sum += (float)(next(&seed) >> 8) / 16777216.0f;
            }
            memcpy(&fp[i], &sum, sizeof fp[i]);
            fp[i] &= 0xFFFF0000u;
            bf[i] = (uint16_t)(fp[i] >> 16);
        }
        tx_bfp_pack(TX_FORMAT_BFP8, bf, &e1, pack8);
        tx_bfp_pack_host(TX_FORMAT_BFP8, fp, &e2, host8);
        assert_int_equal(e1, e2);
        tx_bfp_pack(TX_FORMAT_BFP4, bf, &e1, pack4);
        tx_bfp_pack_host(TX_FORMAT_BFP4, fp, &e2, host4);
        for (unsigned i = 0; i < 16; i++) {
            const uint32_t d = e1 - (bf[i] >> 7 & 0xFFu);
            const uint32_t man = (bf[i] & 0x7Fu) | 0x80u;
            const bool tie = d < 8 && man % (2u << d) == 1u << d;
            assert_true(pack8[i] == host8[i] || tie);
            assert_true(pack8[i] % 128 - host8[i] % 128 <= 1); /* the packer never below */
            assert_int_equal(pack4[i] % 8, pack8[i] % 128 / 16);
            differ4 += pack4[i] != host4[i];
            total++;
        }
    }
    /* tt-metal #57410 reports roughly 43 % for random data. */
    if (differ4 * 100 / total < 38 || differ4 * 100 / total > 48) {
        fail_msg("%u of %u", differ4, total);
    }
}

static void accumulate(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (unsigned n = 0; n < 1000000; n++) {
        const uint32_t a = accumulate_operand(n, &seed);
        const uint32_t b = accumulate_operand(n / 7, &seed);
        uint32_t got = 0;
        tx_l1_accumulate(TX_FORMAT_FP32, a, b, &got);
        assert_int_equal(got, second_accumulate_fp32(a, b));
        tx_l1_accumulate(TX_FORMAT_BF16, a >> 16, b >> 16, &got);
        assert_int_equal(got, second_accumulate_bf16((uint16_t)(a >> 16), (uint16_t)(b >> 16)));
        tx_l1_accumulate(TX_FORMAT_FP16, a >> 16, b >> 16, &got);
        assert_int_equal(got, second_accumulate_fp16((uint16_t)(a >> 16), (uint16_t)(b >> 16)));
    }
    uint32_t none;
    assert_int_equal(tx_l1_accumulate(TX_FORMAT_INT16, 1, 2, &none), TX_EUNSUPPORTED);
    assert_int_equal(tx_l1_accumulate(TX_FORMAT_INT8, 1, 2, &none), TX_EUNSUPPORTED);
    assert_int_equal(tx_l1_accumulate(TX_FORMAT_BFP8, 1, 2, &none), TX_EUNSUPPORTED);
}

/* All pairs of patterns at the ends of the range, and random ones. */
static void accumulate_integers(void **state)
{
    (void)state;
    static const uint32_t ends[] = {0,          1,          2,          5,          0x3FFFFFFF,
                                    0x40000000, 0x40000001, 0x7FFFFFF0, 0x7FFFFFFE, 0x7FFFFFFF};
    enum { ENDS = 2 * sizeof ends / sizeof ends[0] };
    uint64_t seed = 14;
    for (unsigned n = 0; n < 1000000; n++) {
        uint32_t a = accumulate_operand(n, &seed);
        uint32_t b = accumulate_operand(n / 7, &seed);
        if (n < ENDS * ENDS) {
            a = ends[n % ENDS / 2] | n % 2 << 31;
            b = ends[n / ENDS / 2] | n / ENDS % 2 << 31;
        }
        uint32_t got = 0;
        assert_int_equal(tx_l1_accumulate(TX_FORMAT_INT32, a, b, &got), TX_OK);
        assert_int_equal(got, second_accumulate_int32(a, b));
    }
}

/* The quirks that C.8.7 names. */
static void accumulate_by_hand(void **state)
{
    (void)state;
    static const struct {
        enum tx_format format;
        uint32_t old, in, out;
    } v[] = {
        {TX_FORMAT_FP32, 0x7F800000, 0xFF800000, 0x7FC00000},
        {TX_FORMAT_FP32, 0xFFFFFFFF, 0x3F800000, 0x7FC00000},
        {TX_FORMAT_FP32, 0x00400000, 0x00400000, 0x00000000}, /* denormals count as zero */
        {TX_FORMAT_FP32, 0x00900000, 0x80800000, 0x00000000}, /* and so do results */
        {TX_FORMAT_FP32, 0x3F800000, 0x33800000, 0x3F800000}, /* tie to even */
        {TX_FORMAT_FP32, 0x3F800001, 0x33800000, 0x3F800002},
        {TX_FORMAT_BF16, 0x7F80, 0xFF80, 0x7FC0},
        {TX_FORMAT_BF16, 0xFF80, 0x7F80, 0x7FC0},
        {TX_FORMAT_BF16, 0xFFC0, 0x3F80, 0xFF80}, /* NaN in L1: overwhelmingly large */
        {TX_FORMAT_BF16, 0xFF7F, 0x7FC0, 0x7F01}, /* NaN arriving: 1.5 * 2^128 */
        {TX_FORMAT_BF16, 0x3F80, 0x3B80, 0x3F80}, /* tie to even */
        {TX_FORMAT_FP16, 0x7800, 0xF800, 0x7FFF}, /* exponent 30 cancels to the largest */
        {TX_FORMAT_FP16, 0x7400, 0xF400, 0x0000},
        {TX_FORMAT_FP16, 0x0401, 0x8400, 0x7FFF}, /* underflow saturates */
        {TX_FORMAT_FP16, 0x7C00, 0x7C00, 0x7FFF},
        {TX_FORMAT_FP16, 0x7C00, 0x7800, 0x7E00}, /* exponent 31 is ordinary */
        {TX_FORMAT_INT32, 0x7FFFFFF0, 0x00000020, 0x7FFFFFFF},
        {TX_FORMAT_INT32, 0x80000005, 0x00000003, 0x80000002},
        {TX_FORMAT_INT32, 0x80000003, 0x00000003, 0x00000000},
        {TX_FORMAT_INT32, 0x80000000, 0x80000000, 0x00000000},
    };
    for (size_t i = 0; i < sizeof v / sizeof v[0]; i++) {
        uint32_t got = 0;
        assert_int_equal(tx_l1_accumulate(v[i].format, v[i].old, v[i].in, &got), TX_OK);
        if (got != v[i].out) {
            fail_msg("%zu: %x", i, got);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packer_groups),        cmocka_unit_test(host_groups),
        cmocka_unit_test(representable_groups), cmocka_unit_test(routes_differ_where_documented),
        cmocka_unit_test(accumulate),           cmocka_unit_test(accumulate_by_hand),
        cmocka_unit_test(accumulate_integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
