/* SPDX-License-Identifier: Apache-2.0 */
/* Worked examples of the normative text: formats-and-scalar-unit.md A.2 and part C. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <tensix/formats.h>

#include "fmt/dst_rows.h"
#include "second_dst.h"

#define BOTH TX_ARCH_NONE

struct vector {
    enum tx_conversion conversion;
    enum tx_arch arch; /* BOTH: on each chip */
    uint32_t in, out;
};

static const struct vector vectors[] = {
    /* C.2 */
    {TX_CELL_DST_BF16, BOTH, 0x3F80, 0x007F},
    {TX_CELL_DST_BF16, BOTH, 0xBFC0, 0xC07F},
    {TX_CELL_DST_FP16, BOTH, 0x3C00, 0x000F},
    {TX_CELL_DST_32, BOTH, 0x40490FDB, 0x49800FDB},
    {TX_CELL_DST_32_PLAIN, BOTH, 0x49800FDB, 0x40490FDB},
    {TX_CELL_SRC_TF32, BOTH, 0x40490FDB >> 13, 0x24880},
    {TX_CELL_SRC_BF16, BOTH, 0xBFC0, 0x6007F},
    {TX_CELL_SRC_FP16, BOTH, 0x3E00, 0x2000F},
    {TX_CELL_SRC_INT16, BOTH, 0xBEEF, 0x5F0EF},
    {TX_CELL_SRC_BF16, BOTH, 0xFF80, 0x400FF}, /* the cell of BFP's -Inf */
    /* C.5 */
    {TX_UNPACK_BFP8_BF16, BOTH, 0x7F40, 0x3F80},
    {TX_UNPACK_BFP8_BF16, BOTH, 0x7F7F, 0x3FFE},
    {TX_UNPACK_BFP8_BF16, BOTH, 0x7F01, 0x3C80},
    {TX_UNPACK_BFP8_BF16, BOTH, 0x7FC0, 0xBF80},
    {TX_UNPACK_BFP8_BF16, BOTH, 0x0080, 0xFF80},
    {TX_UNPACK_BFP8_BF16, BOTH, 0xAB80, 0xFF80},
    {TX_UNPACK_BFP8_BF16, BOTH, 0x0041, 0x0002},
    {TX_UNPACK_BFP8_BF16, BOTH, 0x0301, 0x7E80},
    {TX_UNPACK_BFP4_BF16, BOTH, 0x7F0, 0x0000},
    {TX_UNPACK_BFP4_BF16, BOTH, 0x7F1, 0x3E80},
    {TX_UNPACK_BFP4_BF16, BOTH, 0x7F2, 0x3F00},
    {TX_UNPACK_BFP4_BF16, BOTH, 0x7F3, 0x3F40},
    {TX_UNPACK_BFP4_BF16, BOTH, 0x7F4, 0x3F80},
    {TX_UNPACK_BFP4_BF16, BOTH, 0x7F5, 0x3FA0},
    {TX_UNPACK_BFP4_BF16, BOTH, 0x7F6, 0x3FC0},
    {TX_UNPACK_BFP4_BF16, BOTH, 0x7F7, 0x3FE0},
    {TX_UNPACK_BFP4_BF16, BOTH, 0x7F8, 0xFF80},
    {TX_UNPACK_BFP4_BF16, BOTH, 0x7F9, 0xBE80},
    {TX_UNPACK_BFP2_BF16, BOTH, 0x7F << 2 | 0, 0x0000},
    {TX_UNPACK_BFP2_BF16, BOTH, 0x7F << 2 | 1, 0x3F80},
    {TX_UNPACK_BFP2_BF16, BOTH, 0x7F << 2 | 2, 0xFF80},
    {TX_UNPACK_BFP2_BF16, BOTH, 0x7F << 2 | 3, 0xBF80},
    {TX_UNPACK_BFP8A_FP16, BOTH, 31 << 8 | 0x40, 0x7C00},
    {TX_UNPACK_BFP8A_FP16, BOTH, 31 << 8 | 0x7F, 0x7FF0},
    {TX_UNPACK_BFP8A_FP16, BOTH, 5 << 8 | 0x80, 0xFC00},
    {TX_UNPACK_E4M3_FP16, TX_BLACKHOLE, 0x01, 0x0080},
    {TX_UNPACK_E4M3_FP16, TX_BLACKHOLE, 0x08, 0x2400},
    {TX_UNPACK_E4M3_FP16, TX_BLACKHOLE, 0x38, 0x3C00},
    {TX_UNPACK_E4M3_FP16, TX_BLACKHOLE, 0x7E, 0x5F00},
    {TX_UNPACK_E4M3_FP16, TX_BLACKHOLE, 0x7F, 0x5FFF},
    {TX_UNPACK_E4M3_FP16, TX_BLACKHOLE, 0xFF, 0xDFFF},
    {TX_UNPACK_E5M2_FP16, BOTH, 0x3F, 0x3F00},
    {TX_UNPACK_E5M2_FP16, TX_WORMHOLE, 0x7F, 0x7F00},
    {TX_UNPACK_E5M2_FP16, TX_BLACKHOLE, 0x7F, 0x7FFF},
    {TX_UNPACK_FP32_FP16, BOTH, 0x38800000, 0x0400},
    {TX_UNPACK_FP32_FP16, BOTH, 0x38400000, 0x0200},
    {TX_UNPACK_FP32_FP16, BOTH, 0x37FFFFFF, 0x0000},
    {TX_UNPACK_FP32_FP16, BOTH, 0x47800000, 0x7C00},
    {TX_UNPACK_FP32_FP16, BOTH, 0x47FFE000, 0x7FFF},
    {TX_UNPACK_FP32_FP16, BOTH, 0x48000000, 0x7FFF},
    {TX_UNPACK_FP32_FP16, BOTH, 0x7FC00000, 0x7FFF},
    {TX_UNPACK_FP32_FP16, BOTH, 0xFF800000, 0xFFFF},
    {TX_UNPACK_FP32_FP16, BOTH, 0x3F800FFF, 0x3C00},
    {TX_UNPACK_FP32_BF16, BOTH, 0x007FFFFF, 0x0000},
    {TX_UNPACK_FP32_BF16, BOTH, 0x807FFFFF, 0x8000},
    {TX_UNPACK_FP32_BF16, BOTH, 0x7F800001, 0x7F80},
    {TX_UNPACK_FP32_BF16, BOTH, 0x3F818000, 0x3F81},
    /* C.7 and F-14 */
    {TX_SFPSTORE_FP16, BOTH, 0x38400000, 0x0000},
    {TX_SFPLOADI_FP16, BOTH, 0x0000, 0x38000000},
    {TX_SFPSTORE_INT32_SM, TX_WORMHOLE, 0x80000000, 0x80000000},
    /* C.8.4 */
    {TX_PACK_LATE_FP16_E4M3, TX_BLACKHOLE, 0x2000, 0x00},
    {TX_PACK_LATE_FP16_E4M3, TX_BLACKHOLE, 0x23FF, 0x00},
    {TX_PACK_LATE_FP16_E4M3, TX_BLACKHOLE, 0x2400, 0x08},
    {TX_PACK_LATE_FP16_E4M3, TX_BLACKHOLE, 0x3C7F, 0x38},
    {TX_PACK_LATE_FP16_E4M3, TX_BLACKHOLE, 0x3C80, 0x39},
    {TX_PACK_LATE_FP16_E4M3, TX_BLACKHOLE, 0xBC80, 0xB9},
    {TX_PACK_LATE_FP16_E4M3, TX_BLACKHOLE, 0x5C00, 0x78},
    {TX_PACK_LATE_FP16_E4M3, TX_BLACKHOLE, 0x5FFF, 0x7F},
    {TX_PACK_LATE_FP16_E4M3, TX_BLACKHOLE, 0x6000, 0x7F},
    {TX_PACK_LATE_FP16_E4M3, TX_BLACKHOLE, 0x8000, 0x80},
    /* C.8.9 */
    {TX_PACK_EARLY_FP32_BF16, BOTH, 0x3F808000, 0x3F81},
    {TX_PACK_EARLY_FP32_BF16, BOTH, 0x3F807FFF, 0x3F80},
    {TX_PACK_EARLY_FP32_BF16, BOTH, 0x7F7FFFFF, 0x7F80},
    {TX_PACK_EARLY_FP32_BF16, BOTH, 0x7F800001, 0x7F80},
    {TX_PACK_EARLY_FP32_BF16, BOTH, 0xFF800001, 0xFF80},
    {TX_PACK_EARLY_FP32_BF16, BOTH, 0x80000000, 0x0000},
    {TX_PACK_EARLY_FP32_BF16, BOTH, 0x007F8000, 0x0080},
    {TX_PACK_EARLY_FP32_BF16, BOTH, 0x807FFFFF, 0x8080},
    {TX_PACK_EARLY_FP32_E8M6, BOTH, 0x3F808000, 0x3F80},
    {TX_PACK_EARLY_FP32_E8M6, BOTH, 0x3F818000, 0x3F82},
    {TX_PACK_EARLY_FP32_E8M6, BOTH, 0x7F7FFFFF, 0x7F80},
    {TX_PACK_EARLY_FP32_E8M6, BOTH, 0x007FFFFF, 0x0080},
    {TX_PACK_EARLY_FP32_FP16, TX_BLACKHOLE, 0x3F800FFF, 0x3C00},
    {TX_PACK_EARLY_FP32_FP16, TX_BLACKHOLE, 0x3F801000, 0x3C01},
    {TX_PACK_EARLY_FP32_FP16, TX_BLACKHOLE, 0x38400000, 0x0200},
    {TX_PACK_EARLY_INT32_INT8, BOTH, 0x80000000, 0x80},
    /* C.9 */
    {TX_WINDOW_STORE_INT8, TX_BLACKHOLE, 0xFF, 0x9030},
    {TX_WINDOW_STORE_INT8, TX_BLACKHOLE, 0x81, 0x9FF0},
    {TX_WINDOW_STORE_INT8, TX_BLACKHOLE, 0x80, 0x9FF0},
    {TX_WINDOW_STORE_INT8, TX_BLACKHOLE, 0x00, 0x0000},
    {TX_WINDOW_STORE_INT8, TX_BLACKHOLE, 0x01, 0x0030},
    {TX_WINDOW_STORE_UINT8, TX_BLACKHOLE, 0x00, 0x0000},
    {TX_WINDOW_STORE_UINT8, TX_BLACKHOLE, 0xFF, 0x1FF0},
};

static void conversions(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        const struct vector *v = &vectors[i];
        for (int arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
            if (v->arch != BOTH && v->arch != (enum tx_arch)arch) {
                continue;
            }
            const uint32_t got = tx_convert(v->conversion, (enum tx_arch)arch, v->in);
            if (got != v->out) {
                fail_msg("%s %s %08x: %08x, expected %08x", tx_arch_short((enum tx_arch)arch),
                         tx_conversion_info(v->conversion)->name, v->in, got, v->out);
            }
        }
    }
}

/* SFPSTORE FP16, as plain patterns (C.7). */
static void store_fp16(void **state)
{
    (void)state;
    static const uint32_t pairs[][2] = {{0x38800000, 0x0400}, {0x38400000, 0x0000},
                                        {0x477FE000, 0x7BFF}, {0x47800000, 0x7C00},
                                        {0x47FFF000, 0x7FFF}, {0x7FC00000, 0x7FFF}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const uint32_t cell = tx_sfpstore_convert(TX_BLACKHOLE, 1, pairs[i][0]);
        assert_int_equal(tx_convert(TX_CELL_DST_FP16_PLAIN, TX_BLACKHOLE, cell), pairs[i][1]);
    }
}

/* INT8 through the unpacker: Src cell, Dst cell (C.5). */
static void int8_cells(void **state)
{
    (void)state;
    static const struct {
        enum tx_conversion conversion;
        uint32_t x, src, dst;
    } v[] = {{TX_UNPACK_INT8, 0xFF, 0x47F10, 0x8FF0},
             {TX_UNPACK_UINT8, 0xFF, 0x0FF10, 0x1FF0},
             {TX_UNPACK_INT8, 0x80, 0x40000, 0x8000},
             {TX_UNPACK_UINT8, 0x80, 0x08010, 0x1010},
             {TX_UNPACK_INT8, 0x00, 0, 0},
             {TX_UNPACK_UINT8, 0x00, 0, 0}};
    for (size_t i = 0; i < sizeof v / sizeof v[0]; i++) {
        const uint32_t y = tx_convert(v[i].conversion, TX_WORMHOLE, v[i].x);
        assert_int_equal(tx_convert(TX_CELL_SRC_FP16, TX_WORMHOLE, y), v[i].src);
        assert_int_equal(tx_convert(TX_CELL_DST_FP16, TX_WORMHOLE, y), v[i].dst);
    }
}

/* C.8.5 */
static void groups(void **state)
{
    (void)state;
    static const struct {
        enum tx_format format;
        uint8_t exponent;
        uint16_t in[9];
        uint8_t out[9];
    } v[] = {
        {TX_FORMAT_BFP8, 0x7F, {0x3F80, 0x3F81, 0xBFFF}, {0x40, 0x41, 0xFF}},
        {TX_FORMAT_BFP4, 0x7F, {0x3F80, 0x3F81, 0xBFFF}, {4, 4, 0xF}},
        {TX_FORMAT_BFP2, 0x7F, {0x3F80, 0x3F81, 0xBFFF}, {1, 1, 3}},
        {TX_FORMAT_BFP8,
         0x7F,
         {0x3F80, 0x3F00, 0x3E80, 0x3E00, 0x3D80, 0x3D00, 0x3C80, 0x3C00, 0x3B80},
         {0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01, 0x01, 0x00}},
        {TX_FORMAT_BFP8, 0x7F, {0x3F80, 0xBB80, 0xBC00, 0xBD00}, {0x40, 0x00, 0x81, 0x82}},
        {TX_FORMAT_BFP4, 0x7F, {0x3F80, 0xBB80, 0xBC00, 0xBD00}, {4, 0, 0, 0}},
        {TX_FORMAT_BFP8, 0xFF, {0x7F80, 0x3F80, 0xFF80}, {0x40, 0x00, 0xC0}},
        {TX_FORMAT_BFP8, 0x7F, {0x3FFE, 0x3FFD, 0x3FFF, 0x3FF0}, {0x7F, 0x7F, 0x7F, 0x78}},
        {TX_FORMAT_BFP4, 0x7F, {0x3FFE, 0x3FFD, 0x3FFF, 0x3FF0}, {7, 7, 7, 7}},
        {TX_FORMAT_BFP8, 0, {0}, {0}},
    };
    for (size_t i = 0; i < sizeof v / sizeof v[0]; i++) {
        uint16_t in[16] = {0};
        uint8_t out[16];
        uint8_t expected[16] = {0};
        uint8_t exponent = 0xEE;
        memcpy(in, v[i].in, sizeof v[i].in);
        memcpy(expected, v[i].out, sizeof v[i].out);
        assert_int_equal(tx_bfp_pack(v[i].format, in, &exponent, out), TX_OK);
        assert_int_equal(exponent, v[i].exponent);
        assert_memory_equal(out, expected, 16);
    }
    uint8_t exponent;
    uint8_t out[16];
    const uint16_t in[16] = {0};
    assert_int_equal(tx_bfp_pack(TX_FORMAT_BF16, in, &exponent, out), TX_EINVAL);
}

/* C.3.2 */
static void rows(void **state)
{
    (void)state;
    static const unsigned a32[][2] = {{0, 0},     {7, 7},      {8, 16},     {63, 119},
                                      {255, 503}, {256, 512},  {511, 1015}, {512, 512},
                                      {768, 512}, {1023, 1015}};
    static const unsigned remapped[][2] = {{8, 32}, {16, 8}, {32, 16}, {48, 24}};
    static const unsigned swizzled[][2] = {{4, 16}, {8, 64}, {16, 4}, {32, 48}, {48, 52}};
    for (size_t i = 0; i < sizeof a32 / sizeof a32[0]; i++) {
        assert_int_equal(second_dst_adj32(a32[i][0], false, false), a32[i][1]);
        assert_int_equal(dst_adj32(a32[i][0], false, false), a32[i][1]);
    }
    for (size_t i = 0; i < sizeof remapped / sizeof remapped[0]; i++) {
        assert_int_equal(second_dst_adj16(remapped[i][0], true), remapped[i][1]);
        assert_int_equal(dst_adj16(remapped[i][0], true), remapped[i][1]);
        assert_int_equal(second_dst_adj16(remapped[i][0], false), remapped[i][0]);
        assert_int_equal(dst_adj16(remapped[i][0], false), remapped[i][0]);
    }
    for (size_t i = 0; i < sizeof swizzled / sizeof swizzled[0]; i++) {
        assert_int_equal(second_dst_adj32(swizzled[i][0], true, true), swizzled[i][1]);
        assert_int_equal(dst_adj32(swizzled[i][0], true, true), swizzled[i][1]);
    }
}

/* C.4.3, C.4.4 */
static void sizes(void **state)
{
    (void)state;
    static const struct {
        uint8_t rows, columns;
        enum tx_format format;
        uint32_t exponents, section, data, total;
    } v[] = {
        {32, 32, TX_FORMAT_FP32, 0, 0, 4096, 4096},
        {32, 32, TX_FORMAT_TF32, 0, 0, 4096, 4096},
        {32, 32, TX_FORMAT_INT32, 0, 0, 4096, 4096},
        {32, 32, TX_FORMAT_FP16, 0, 0, 2048, 2048},
        {32, 32, TX_FORMAT_BF16, 0, 0, 2048, 2048},
        {32, 32, TX_FORMAT_UINT16, 0, 0, 2048, 2048},
        {32, 32, TX_FORMAT_BFP8, 64, 64, 1024, 1088},
        {32, 32, TX_FORMAT_BFP8A, 64, 64, 1024, 1088},
        {32, 32, TX_FORMAT_BFP4, 64, 64, 512, 576},
        {32, 32, TX_FORMAT_BFP2, 64, 64, 256, 320},
        {32, 32, TX_FORMAT_FP8_E4M3, 0, 0, 1024, 1024},
        {32, 32, TX_FORMAT_UINT8, 0, 0, 1024, 1024},
        {16, 32, TX_FORMAT_BFP8, 32, 32, 512, 544},
        {32, 16, TX_FORMAT_BFP8, 32, 32, 512, 544},
        {16, 16, TX_FORMAT_BFP8, 16, 16, 256, 272},
        {8, 32, TX_FORMAT_BFP8, 16, 16, 256, 272},
        {4, 32, TX_FORMAT_BFP8, 8, 16, 128, 144},
        {1, 32, TX_FORMAT_BFP8, 2, 16, 32, 48},
    };
    for (size_t i = 0; i < sizeof v / sizeof v[0]; i++) {
        const struct tx_tile tile = {.rows = v[i].rows, .columns = v[i].columns};
        struct tx_tile_layout layout;
        assert_int_equal(tx_tile_layout(&tile, v[i].format, &layout), TX_OK);
        assert_int_equal(layout.exponents, v[i].exponents);
        assert_int_equal(layout.exponent_bytes, v[i].section);
        assert_int_equal(layout.data_bytes, v[i].data);
        assert_int_equal(layout.bytes, v[i].total);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conversions), cmocka_unit_test(store_fp16), cmocka_unit_test(int8_cells),
        cmocka_unit_test(groups),      cmocka_unit_test(rows),       cmocka_unit_test(sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
