/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every conversion against the second statement: all inputs of up to 19 bits, in the scalar form
 * and in each array form; of 32-bit ones a stride through all, and the neighbourhood of every
 * exponent and sign. All 2^32: campaign_convert.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "second_scan.h"

static void report(enum tx_conversion c, int arch, const struct scan_error *e)
{
    if (e->count != 0) {
        fail_msg("%s %s: %llu differ, first %08x -> %08x, expected %08x",
                 tx_arch_short((enum tx_arch)arch), tx_conversion_info(c)->name,
                 (unsigned long long)e->count, e->x, e->got, e->want);
    }
}

static void one(enum tx_conversion c, int arch, uint32_t x, struct scan_error *e)
{
    const uint32_t got = tx_convert(c, (enum tx_arch)arch, x);
    second_table[c].run(arch == TX_BLACKHOLE, x, 1, &got, e);
}

static void narrow_inputs(void **state)
{
    (void)state;
    for (int i = 0; i < TX_CONVERSION_COUNT; i++) {
        const enum tx_conversion c = (enum tx_conversion)i;
        const unsigned bits = tx_conversion_info(c)->in_bits;
        for (int arch = TX_WORMHOLE; arch <= TX_BLACKHOLE && bits <= 19; arch++) {
            struct scan_error e = {0};
            if ((tx_conversion_info(c)->chips >> arch & 1) == 0) {
                continue;
            }
            for (uint32_t x = 0; x < 1u << bits; x++) {
                one(c, arch, x, &e);
            }
            for (uint32_t x = 0; x < 1u << bits; x += 256) {
                scan_block(c, arch == TX_BLACKHOLE, x, 256, &e);
            }
            report(c, arch, &e);
        }
    }
}

static void wide_inputs(void **state)
{
    (void)state;
    for (int i = 0; i < TX_CONVERSION_COUNT; i++) {
        const enum tx_conversion c = (enum tx_conversion)i;
        for (int arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
            struct scan_error e = {0};
            const struct tx_conversion_info *info = tx_conversion_info(c);
            if (info->in_bits != 32 || (info->chips >> arch & 1) == 0) {
                continue;
            }
            for (uint64_t x = 0; x <= 0xFFFFFFFFu; x += 65521) {
                one(c, arch, (uint32_t)x, &e);
            }
            for (uint32_t exponent = 0; exponent < 512; exponent++) {
                for (unsigned bit = 0; bit <= 23; bit++) {
                    const uint32_t at = (exponent << 23) + (1u << bit) - 4;
                    scan_block(c, arch == TX_BLACKHOLE, at, 8, &e);
                    one(c, arch, at + 3, &e);
                }
            }
            report(c, arch, &e);
        }
    }
}

/* tx_convert_array moves elements of 1, 2 and 4 bytes and lets nothing leak past the end. */
static void arrays(void **state)
{
    (void)state;
    for (int i = 0; i < TX_CONVERSION_COUNT; i++) {
        const enum tx_conversion c = (enum tx_conversion)i;
        const struct tx_conversion_info *info = tx_conversion_info(c);
        const size_t in_size = info->in_bits <= 8 ? 1 : info->in_bits <= 16 ? 2 : 4;
        const size_t out_size = info->out_bits <= 8 ? 1 : info->out_bits <= 16 ? 2 : 4;
        enum { N = 1031 };
        uint8_t in[4 * N];
        uint8_t out[4 * N + 1];
        for (size_t k = 0; k < sizeof in; k++) {
            in[k] = (uint8_t)(k * 197 + (k >> 8) * 31);
        }
        memset(out, 0xA5, sizeof out);
        assert_int_equal(tx_convert_array(c, TX_BLACKHOLE, in, N, out), TX_OK);
        for (size_t k = 0; k < N; k++) {
            uint32_t x = 0;
            uint32_t y = 0;
            memcpy(&x, in + k * in_size, in_size);
            memcpy(&y, out + k * out_size, out_size);
            const uint32_t mask = (uint32_t)((UINT64_C(1) << info->in_bits) - 1);
            assert_int_equal(y, second_table[c].value(true, x & mask));
        }
        assert_int_equal(out[N * out_size], 0xA5);
    }
    uint32_t x = 0;
    assert_int_equal(tx_convert_array(TX_CONVERSION_COUNT, TX_BLACKHOLE, &x, 1, &x), TX_EINVAL);
    assert_int_equal(tx_convert_array(TX_CELL_SRC_TF32, TX_ARCH_NONE, &x, 1, &x), TX_EINVAL);
}

/* SFPLOAD and SFPSTORE by number, with the modes that keep half of the old value. */
static void by_mode(void **state)
{
    (void)state;
    for (int arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        for (unsigned mode = 1; mode < 16; mode++) {
            for (uint64_t x = 0; x <= 0xFFFFFFFFu; x += 999983) {
                const uint32_t old = ~(uint32_t)x * 3;
                const uint32_t cell = orc_load_is32(mode) ? (uint32_t)x : (uint32_t)x & 0xFFFFu;
                assert_int_equal(
                    tx_sfpload_convert((enum tx_arch)arch, mode, (uint32_t)x, old, false),
                    orc_dst_load(arch == TX_BLACKHOLE, mode, cell, old, false));
                assert_int_equal(tx_sfpstore_convert((enum tx_arch)arch, mode, (uint32_t)x),
                                 orc_dst_store(arch == TX_BLACKHOLE, mode, (uint32_t)x));
            }
        }
    }
}

static void descale(void **state)
{
    (void)state;
    for (unsigned shift = 0; shift < 32; shift++) {
        for (uint64_t x = 0; x <= 0xFFFFFFFFu; x += 1299709) {
            assert_int_equal(tx_pack_descale((uint32_t)x, shift, false),
                             to_int8((uint32_t)x, shift));
            assert_int_equal(tx_pack_descale((uint32_t)x, shift, true),
                             to_uint8((uint32_t)x, shift));
        }
        for (unsigned k = 0; k < 31; k++) { /* ties and their neighbours */
            const uint32_t x = (1u << k) | (shift != 0 ? 1u << (shift - 1) : 0);
            for (uint32_t y = x - 1; y != x + 2; y++) {
                assert_int_equal(tx_pack_descale(y, shift, false), to_int8(y, shift));
                assert_int_equal(tx_pack_descale(y, shift, true), to_uint8(y, shift));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(narrow_inputs), cmocka_unit_test(wide_inputs), cmocka_unit_test(arrays),
        cmocka_unit_test(by_mode),       cmocka_unit_test(descale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
