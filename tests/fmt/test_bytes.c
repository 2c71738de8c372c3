/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes of tiles in L1, stated one by one: little endian, low bits first, whatever the order of
 * the processor. tests/fmt/big_endian.sh runs this on one of the other order, too.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tensix/formats.h>

static const struct tx_tile flat = {.rows = 1, .columns = 16};

/* 3.140625 and -2 are exact in every format here; the other 14 data are 0. */
static const struct {
    enum tx_format format;
    uint32_t word[2];
    unsigned at; /* of the data */
    uint8_t bytes[8];
} cases[] = {
    {TX_FORMAT_FP32, {0x40490000, 0xC0000000}, 0, {0x00, 0x00, 0x49, 0x40, 0x00, 0x00, 0x00, 0xC0}},
    {TX_FORMAT_TF32, {0x40490000, 0xC0000000}, 0, {0x00, 0x00, 0x49, 0x40, 0x00, 0x00, 0x00, 0xC0}},
    {TX_FORMAT_INT32, {0x12345678, 0xFFFFFFFE}, 0, {0x78, 0x56, 0x34, 0x12, 2, 0, 0, 0x80}},
    {TX_FORMAT_UINT32,
     {0x12345678, 0xFEDCBA98},
     0,
     {0x78, 0x56, 0x34, 0x12, 0x98, 0xBA, 0xDC, 0xFE}},
    {TX_FORMAT_BF16, {0x40490000, 0xC0000000}, 0, {0x49, 0x40, 0x00, 0xC0}},
    {TX_FORMAT_FP16, {0x40490000, 0xC0000000}, 0, {0x48, 0x42, 0x00, 0xC0}},
    {TX_FORMAT_UINT16, {0x1234, 0xFEDC}, 0, {0x34, 0x12, 0xDC, 0xFE}},
    {TX_FORMAT_INT8, {100, 0xFFFFFFFE}, 0, {100, 0x82}},
    {TX_FORMAT_BFP8, {0x40400000, 0xC0000000}, 16, {0x60, 0xC0}},
    {TX_FORMAT_BFP4, {0x40400000, 0xC0000000}, 16, {0xC6}}, /* the first is the low half */
    {TX_FORMAT_BFP2, {0x40000000, 0xC0000000}, 16, {0x0D}},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static void tiles(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        for (int route = TX_ROUTE_HOST; route <= TX_ROUTE_TENSIX; route++) {
            const enum tx_format format = cases[i].format;
            const bool integer = tx_format_info(format)->integer;
            enum tx_format dst = integer ? tx_format_in_dst(format) : TX_FORMAT_FP32;
            uint32_t words[16] = {cases[i].word[0], cases[i].word[1]};
            uint32_t back[16];
            uint8_t bytes[80], want[80] = {0};
            struct tx_codec codec;
            if (route == TX_ROUTE_TENSIX && format == TX_FORMAT_INT8) {
                dst = TX_FORMAT_INT32;
            }
            assert_int_equal(
                tx_codec_default((enum tx_route)route, TX_BLACKHOLE, format, dst, &codec, NULL),
                TX_OK);
            struct tx_tile_layout layout;
            assert_int_equal(tx_tile_layout(&flat, format, &layout), TX_OK);
            want[0] = cases[i].at != 0 ? 128 : 0; /* the exponent of 2 */
            memcpy(want + cases[i].at, cases[i].bytes, sizeof cases[i].bytes);
            assert_int_equal(tx_tiles_encode(&codec, &flat, words, 1, bytes), TX_OK);
            if (memcmp(bytes, want, layout.bytes) != 0) {
                fail_msg("%s by route %d: bytes %02x %02x %02x %02x", tx_format_name(format), route,
                         bytes[cases[i].at], bytes[cases[i].at + 1], bytes[cases[i].at + 2],
                         bytes[cases[i].at + 3]);
            }
            assert_int_equal(tx_codec_default((enum tx_route)route, TX_BLACKHOLE, format,
                                              tx_format_in_dst(format), &codec, NULL),
                             TX_OK);
            assert_int_equal(tx_tiles_decode(&codec, &flat, want, 1, back), TX_OK);
            for (unsigned k = 0; k < 16; k++) {
                if (back[k] != words[k]) {
                    fail_msg("%s by route %d: datum %u is %08x", tx_format_name(format), route, k,
                             back[k]);
                }
            }
        }
    }
}

/* An array in memory has the processor's order: patterns there are not bytes of a tile. */
static void payloads(void **state)
{
    (void)state;
    const uint16_t half[2] = {0x4049, 0xC000};
    const uint32_t whole[2] = {0x40490000, 0xC0000000};
    uint16_t half_back[2];
    uint32_t words[2], whole_back[2];
    const struct tx_codec bf16 = {.format = TX_FORMAT_BF16};
    const struct tx_codec fp32 = {.format = TX_FORMAT_FP32};
    assert_int_equal(tx_payload_words(&bf16, half, 2, words), TX_OK);
    assert_memory_equal(words, whole, sizeof words);
    assert_int_equal(tx_words_payload(&bf16, words, 2, half_back), TX_OK);
    assert_memory_equal(half_back, half, sizeof half);
    assert_int_equal(tx_payload_words(&fp32, whole, 2, words), TX_OK);
    assert_memory_equal(words, whole, sizeof words);
    assert_int_equal(tx_words_payload(&fp32, words, 2, whole_back), TX_OK);
    assert_memory_equal(whole_back, whole, sizeof whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tiles), cmocka_unit_test(payloads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
