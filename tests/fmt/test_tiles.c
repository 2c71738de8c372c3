/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles, arrays, Dst and codecs. Expectations restate C.3.4 and C.4 or are worked by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tensix/formats.h>
#include <tensix/machine.h>

#include "second_dst.h"

static const struct tx_tile full = {.rows = 32, .columns = 32};

static void shapes(void **state)
{
    (void)state;
    unsigned legal = 0;
    for (unsigned rows = 0; rows < 70; rows++) {
        for (unsigned columns = 0; columns < 70; columns++) {
            const struct tx_tile tile = {.rows = (uint8_t)rows, .columns = (uint8_t)columns};
            legal += tx_tile_ok(&tile) ? 1 : 0;
        }
    }
    assert_int_equal(legal, 6 * 2); /* 1 2 4 8 16 32 by 16 32 */
    const struct tx_tile flat = {.rows = 8, .columns = 32, .transpose_within_face = true};
    assert_false(tx_tile_ok(&flat));
    struct tx_tile_layout layout;
    assert_int_equal(tx_tile_layout(&flat, TX_FORMAT_FP32, &layout), TX_EINVAL);
    assert_int_equal(tx_tile_layout(&full, (enum tx_format)12, &layout), TX_EINVAL);
}

/* C.4.2, as corners of faces. */
static void order(void **state)
{
    (void)state;
    static const struct {
        struct tx_tile tile;
        unsigned row, column, index;
    } v[] = {
        {{.rows = 32, .columns = 32}, 0, 0, 0},
        {{.rows = 32, .columns = 32}, 0, 15, 15},
        {{.rows = 32, .columns = 32}, 1, 0, 16},
        {{.rows = 32, .columns = 32}, 0, 16, 256},
        {{.rows = 32, .columns = 32}, 16, 0, 512},
        {{.rows = 32, .columns = 32}, 16, 16, 768},
        {{.rows = 32, .columns = 32}, 31, 31, 1023},
        {{.rows = 32, .columns = 16}, 16, 0, 256},
        {{.rows = 16, .columns = 32}, 0, 16, 256},
        {{.rows = 4, .columns = 32}, 0, 16, 64}, /* faces of four rows */
        {{.rows = 4, .columns = 32}, 3, 31, 127},
        {{.rows = 1, .columns = 32}, 0, 16, 16},
        {{32, 32, .transpose_of_faces = true}, 0, 16, 512},
        {{32, 32, .transpose_of_faces = true}, 16, 0, 256},
        {{32, 32, .transpose_within_face = true}, 1, 0, 1},
        {{32, 32, .transpose_within_face = true}, 0, 1, 16},
        {{32, 32, true, true}, 2, 19, 512 + 3 * 16 + 2},
    };
    for (size_t i = 0; i < sizeof v / sizeof v[0]; i++) {
        assert_int_equal(tx_tile_index(&v[i].tile, v[i].row, v[i].column), v[i].index);
    }
}

/* Little endian, low bits first: the even datum of BFP4 in the low nibble (C.4.1). */
static void bit_order(void **state)
{
    (void)state;
    static uint8_t bytes[1088];
    uint8_t exponent;
    bytes[0] = 0x11;
    bytes[1] = 0x22;
    bytes[64] = 0xE4;
    bytes[65] = 0x9B;
    assert_int_equal(tx_tile_get(&full, TX_FORMAT_BFP4, bytes, 0, &exponent), 4);
    assert_int_equal(exponent, 0x11);
    assert_int_equal(tx_tile_get(&full, TX_FORMAT_BFP4, bytes, 1, &exponent), 0xE);
    for (unsigned j = 0; j < 4; j++) {
        assert_int_equal(tx_tile_get(&full, TX_FORMAT_BFP2, bytes, j, &exponent), j);
    }
    assert_int_equal(tx_tile_get(&full, TX_FORMAT_BFP8, bytes, 1, &exponent), 0x9B);
    tx_tile_get(&full, TX_FORMAT_BFP8, bytes, 16, &exponent);
    assert_int_equal(exponent, 0x22);
    assert_int_equal(tx_tile_get(&full, TX_FORMAT_BF16, bytes, 32, &exponent), 0x9BE4);
    assert_int_equal(tx_tile_get(&full, TX_FORMAT_FP32, bytes, 16, &exponent), 0x9BE4);
    assert_int_equal(exponent, 0);
    assert_int_equal(tx_tile_get(&full, TX_FORMAT_BFP8, bytes, 1024, &exponent), 0);
}

static void grids(void **state)
{
    (void)state;
    struct tx_grid g;
    static const uint64_t shape[] = {2, 3, 33, 70};
    assert_int_equal(tx_grid_of(&full, shape, 4, &g), TX_OK);
    assert_int_equal(g.matrices, 6);
    assert_int_equal(g.tile_rows, 2);
    assert_int_equal(g.tile_columns, 3);
    assert_int_equal(g.tiles, 36);
    assert_int_equal(g.elements, 2 * 3 * 33 * 70);
    uint64_t bytes = 0;
    assert_int_equal(tx_grid_bytes(&g, TX_FORMAT_BFP8, &bytes), TX_OK);
    assert_int_equal(bytes, 36 * 1088);
    assert_int_equal(tx_grid_of(&full, shape + 3, 1, &g), TX_OK); /* a vector is one row */
    assert_int_equal(g.tiles, 3);
    assert_int_equal(tx_grid_of(&full, NULL, 0, &g), TX_OK); /* a scalar */
    assert_int_equal(g.tiles, 1);
    static const uint64_t none[] = {UINT64_MAX, UINT64_MAX, 0, 70};
    assert_int_equal(tx_grid_of(&full, none, 4, &g), TX_OK);
    assert_int_equal(g.tiles, 0);
    static const uint64_t huge[] = {UINT64_MAX, 1};
    static const uint64_t deep[] = {1u << 31, 1u << 31, 1u << 31, 32, 32};
    assert_int_equal(tx_grid_of(&full, huge, 2, &g), TX_ELIMIT);
    assert_int_equal(tx_grid_of(&full, deep, 5, &g), TX_ELIMIT);
    const struct tx_tile bad = {.rows = 3, .columns = 32};
    assert_int_equal(tx_grid_of(&bad, shape, 4, &g), TX_EINVAL);
}

/* Arrays of odd shapes into tiles, element by element, and back. */
static void tilize(void **state)
{
    (void)state;
    static const struct tx_tile tiles[] = {{32, 32, false, false}, {32, 32, true, false},
                                           {32, 32, true, true},   {16, 16, false, true},
                                           {8, 32, false, false},  {1, 16, false, false}};
    static const uint64_t shape[] = {2, 35, 50};
    enum { COUNT = 2 * 35 * 50, MOST = 64 * 1024 };
    static uint32_t in[COUNT], back[COUNT], out[MOST];
    static uint8_t bytes_in[COUNT], bytes_back[COUNT], bytes_out[MOST];
    for (uint32_t i = 0; i < COUNT; i++) {
        in[i] = i + 1;
        bytes_in[i] = (uint8_t)(i % 251 + 1);
    }
    for (size_t t = 0; t < sizeof tiles / sizeof tiles[0]; t++) {
        struct tx_grid g;
        uint32_t seen = 0;
        assert_int_equal(tx_grid_of(&tiles[t], shape, 3, &g), TX_OK);
        const uint32_t data = (uint32_t)tiles[t].rows * tiles[t].columns;
        assert_true(g.tiles * data <= MOST);
        memset(out, 0xFF, sizeof out);
        assert_int_equal(tx_tilize(&g, 4, in, 0, 1, out), TX_OK); /* in two requests */
        assert_int_equal(tx_tilize(&g, 4, in, 1, g.tiles - 1, out + data), TX_OK);
        for (uint32_t i = 0; i < COUNT; i++) {
            const uint32_t m = i / (35 * 50), row = i / 50 % 35, column = i % 50;
            const uint64_t tile = (m * g.tile_rows + row / tiles[t].rows) * g.tile_columns +
                                  column / tiles[t].columns;
            const uint32_t at =
                tx_tile_index(&tiles[t], row % tiles[t].rows, column % tiles[t].columns);
            assert_int_equal(out[tile * data + at], in[i]);
        }
        for (uint64_t i = 0; i < g.tiles * data; i++) {
            seen += out[i] != 0; /* the rest is padding, which is zero */
        }
        assert_int_equal(seen, COUNT);
        memset(back, 0, sizeof back);
        assert_int_equal(tx_untilize(&g, 4, out, 0, g.tiles, back), TX_OK);
        assert_memory_equal(back, in, sizeof in);
        assert_int_equal(tx_tilize(&g, 1, bytes_in, 0, g.tiles, bytes_out), TX_OK);
        assert_int_equal(tx_untilize(&g, 1, bytes_out, 0, g.tiles, bytes_back), TX_OK);
        assert_memory_equal(bytes_back, bytes_in, sizeof bytes_in);
        assert_int_equal(tx_tilize(&g, 3, in, 0, 1, out), TX_EINVAL);
        assert_int_equal(tx_untilize(&g, 4, out, g.tiles, 1, back), TX_EINVAL);
        assert_int_equal(tx_tilize(&g, 4, in, 2, UINT64_MAX, out), TX_EINVAL);
    }
}

/* C.3.1, C.3.4: both views over one store, validity, aliases above row 512. */
static void register_file(void **state)
{
    (void)state;
    static struct second_dst dst;
    memset(&dst, 0, sizeof dst);
    assert_int_equal(second_dst_read16(&dst, 5, 5), 0);
    second_dst_reset(&dst);
    second_dst_write32(&dst, 9, 3, 0x12345678);
    assert_int_equal(second_dst_read16(&dst, 17, 3),
                     0x1234); /* high half at 16 (r >> 3) + (r & 7) */
    assert_int_equal(second_dst_read16(&dst, 25, 3), 0x5678);
    assert_int_equal(second_dst_read32(&dst, 9, 3), 0x12345678);
    dst.valid[25] = false;
    assert_int_equal(second_dst_read16(&dst, 25, 3), 0);
    assert_int_equal(second_dst_read32(&dst, 9, 3), 0x12345678); /* only the high row counts */
    dst.valid[17] = false;
    assert_int_equal(second_dst_read32(&dst, 9, 3), 0);
    second_dst_write16(&dst, 17, 0, 1); /* any write: valid again, old cells come back */
    assert_int_equal(second_dst_read32(&dst, 9, 3), 0x12345678);
    second_dst_write32(&dst, 512, 0, 0xAAAABBBB);
    assert_int_equal(second_dst_read32(&dst, 256, 0), 0xAAAABBBB);
    assert_int_equal(second_dst_read32(&dst, 768, 0), 0xAAAABBBB);
    dst.remap = true;
    dst.swizzle = true;
    second_dst_write32(&dst, 4, 0, 0xCCCCDDDD);
    dst.remap = false;
    dst.swizzle = false;
    assert_int_equal(second_dst_read16(&dst, 16, 0), 0xCCCC);
    assert_int_equal(second_dst_read16(&dst, 24, 0), 0xDDDD);
}

/* What SFPLOAD would see after an unpack: the machine's Dst and the bare one hold the same. */
static void machine(void **state)
{
    (void)state;
    static struct second_dst dst;
    static uint8_t in[1088], one[2048], two[2048];
    for (size_t i = 0; i < sizeof in; i++) {
        in[i] = (uint8_t)(i * 7 + (i >> 5));
    }
    for (int arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        for (unsigned flags = 0; flags < (arch == TX_BLACKHOLE ? 4u : 1u); flags++) {
            struct tx_settings settings;
            tx_machine *m = NULL;
            tx_settings_default(&settings, (enum tx_arch)arch);
            assert_int_equal(tx_open(&settings, &m), TX_OK);
            memset(&dst, 0, sizeof dst);
            second_dst_reset(&dst);
            if (arch == TX_BLACKHOLE) {
                dst.remap = (flags & 1) != 0;
                dst.swizzle = (flags & 2) != 0;
                tx_config_set(m, 0, "DEST_ACCESS_CFG_remap_addrs", flags & 1);
                tx_config_set(m, 0, "DEST_ACCESS_CFG_swizzle_32b", flags >> 1);
            }
            for (int wide = 0; wide < 2; wide++) {
                const struct tx_unpack u = {.arch = (enum tx_arch)arch,
                                            .in = TX_FORMAT_BFP8,
                                            .dst = wide != 0 ? TX_FORMAT_FP32 : TX_FORMAT_BF16,
                                            .through_src = wide != 0};
                struct tx_pack p;
                assert_int_equal(tx_machine_unpack(m, &u, &full, 64, in, sizeof in), TX_OK);
                assert_int_equal(second_dst_unpack(&dst, &u, &full, 64, in, sizeof in), TX_OK);
                tx_pack_default((enum tx_arch)arch, u.dst, TX_FORMAT_BF16, &p, NULL);
                assert_int_equal(tx_machine_pack(m, &p, &full, 64, one, 2048), TX_OK);
                assert_int_equal(second_dst_pack(&dst, &p, &full, 64, two, 2048), TX_OK);
                assert_memory_equal(one, two, 2048);
                for (unsigned row = 0; row < TX_DST_ROWS; row++) {
                    uint32_t cell[TX_DST_WIDTH];
                    assert_int_equal(tx_read(m, TX_FILE_DST, row, cell, TX_DST_WIDTH), TX_OK);
                    for (unsigned c = 0; c < TX_DST_WIDTH; c++) {
                        assert_int_equal(cell[c], dst.cell[row][c]);
                    }
                }
                assert_int_equal(tx_machine_unpack(m, &u, &full, 0, in, 1087), TX_EINVAL);
                assert_int_equal(
                    tx_machine_unpack(m, &u, &full, wide != 0 ? 449 : 961, in, sizeof in),
                    TX_EINVAL);
                assert_int_equal(tx_machine_pack(m, &p, &full, 1u << 31, one, 2048), TX_EINVAL);
                assert_int_equal(tx_machine_pack(m, &p, &full, 0, one, 2047), TX_EINVAL);
            }
            tx_close(m);
        }
    }
}

static void relu_and_thresholds(void **state)
{
    (void)state;
    static const uint32_t x[8] = {0x3F800000, 0xBF800000, 0x40490FDB, 0x80000000,
                                  0x3F000000, 0x41200000, 0xFF800000, 0x40000000};
    static uint32_t data[1024];
    static uint32_t out[1024];
    struct tx_pack p;
    memcpy(data, x, sizeof x);
    assert_int_equal(tx_pack_default(TX_BLACKHOLE, TX_FORMAT_FP32, TX_FORMAT_FP32, &p, NULL),
                     TX_OK);
    static const uint32_t zero[8] = {0x3F800000, 0,          0x40490FDB, 0,
                                     0x3F000000, 0x41200000, 0,          0x40000000};
    static const uint32_t least[8] = {0, 0, 0x40490FDB, 0, 0, 0x41200000, 0, 0};
    static const uint32_t clamp[8] = {0x3F800000, 0,          0x40000000, 0,
                                      0x3F000000, 0x40000000, 0,          0x40000000};
    p.relu = TX_RELU_ZERO;
    assert_int_equal(tx_pack_tile(&p, &full, data, (uint8_t *)out, 4096), TX_OK);
    assert_memory_equal(out, zero, sizeof zero);
    p.relu = TX_RELU_THRESHOLD;
    p.relu_threshold = 0x4000; /* 2.0 as BF16 */
    assert_int_equal(tx_pack_tile(&p, &full, data, (uint8_t *)out, 4096), TX_OK);
    assert_memory_equal(out, least, sizeof least);
    p.relu = TX_RELU_CLAMP;
    assert_int_equal(tx_pack_tile(&p, &full, data, (uint8_t *)out, 4096), TX_OK);
    assert_memory_equal(out, clamp, sizeof clamp);
    p.relu = TX_RELU_NONE;
    p.threshold_exponent = true;
    p.exponent_threshold = 128;
    assert_int_equal(tx_pack_tile(&p, &full, data, (uint8_t *)out, 4096), TX_OK);
    static const uint32_t large[8] = {0, 0, 0x40490FDB, 0, 0, 0x41200000, 0xFF800000, 0x40000000};
    assert_memory_equal(out, large, sizeof large);
    p.relu = TX_RELU_CLAMP;
    p.relu_threshold = 0x8000;
    assert_int_equal(tx_pack_check(&p, NULL), TX_EUNSUPPORTED);
}

/* One datum through each kind of intermediate format; T is 2.0 (C.8.3). */
static void relu_by_format(void **state)
{
    (void)state;
    static const struct {
        enum tx_format dst, intermediate, out;
        bool round10;
        enum tx_relu relu;
        uint16_t threshold;
        uint32_t in, want;
    } v[] = {
        /* clamping compares FP32 on bits 31..13 only (ttsim) */
        {TX_FORMAT_FP32, TX_FORMAT_FP32, TX_FORMAT_FP32, false, TX_RELU_CLAMP, 0x4000, 0x40001FFF,
         0x40001FFF},
        {TX_FORMAT_FP32, TX_FORMAT_FP32, TX_FORMAT_FP32, false, TX_RELU_CLAMP, 0x4000, 0x40002000,
         0x40000000},
        {TX_FORMAT_BF16, TX_FORMAT_BF16, TX_FORMAT_BF16, false, TX_RELU_CLAMP, 0x4000, 0x4001,
         0x4000},
        {TX_FORMAT_BF16, TX_FORMAT_BF16, TX_FORMAT_BF16, false, TX_RELU_THRESHOLD, 0x4000, 0x4000,
         0},
        {TX_FORMAT_BF16, TX_FORMAT_BF16, TX_FORMAT_BF16, false, TX_RELU_ZERO, 0, 0xFF80, 0},
        {TX_FORMAT_FP16, TX_FORMAT_FP16, TX_FORMAT_FP16, false, TX_RELU_CLAMP, 0x4000, 0x4001,
         0x4000},
        {TX_FORMAT_FP16, TX_FORMAT_FP16, TX_FORMAT_FP16, false, TX_RELU_THRESHOLD, 0x4000, 0x3FFF,
         0},
        {TX_FORMAT_FP16, TX_FORMAT_FP16, TX_FORMAT_FP32, false, TX_RELU_CLAMP, 0x4000, 0x7FFF,
         0x40000000},
        /* FP32 to FP16: ReLU sees the rounded TF32, so T is a BF16 */
        {TX_FORMAT_FP32, TX_FORMAT_FP16, TX_FORMAT_FP16, true, TX_RELU_CLAMP, 0x4000, 0x41200000,
         0x4000},
        {TX_FORMAT_FP32, TX_FORMAT_FP16, TX_FORMAT_FP16, true, TX_RELU_THRESHOLD, 0x4000,
         0x40001000, 0x4001},
        {TX_FORMAT_FP32, TX_FORMAT_FP16, TX_FORMAT_FP16, true, TX_RELU_THRESHOLD, 0x4000,
         0x40000FFF, 0},
        {TX_FORMAT_INT32, TX_FORMAT_INT32, TX_FORMAT_INT32, false, TX_RELU_ZERO, 0, 0x80000005, 0},
        {TX_FORMAT_INT32, TX_FORMAT_INT8, TX_FORMAT_INT8, false, TX_RELU_ZERO, 0, 0x80000005, 0},
        {TX_FORMAT_INT32, TX_FORMAT_INT8, TX_FORMAT_UINT8, false, TX_RELU_ZERO, 0, 200, 200},
        {TX_FORMAT_INT16, TX_FORMAT_INT16, TX_FORMAT_INT16, false, TX_RELU_ZERO, 0, 0x8001, 0},
    };
    static uint32_t data[1024];
    static uint8_t out[4096];
    for (size_t i = 0; i < sizeof v / sizeof v[0]; i++) {
        const struct tx_pack p = {.arch = TX_BLACKHOLE,
                                  .dst = v[i].dst,
                                  .intermediate = v[i].intermediate,
                                  .out = v[i].out,
                                  .round10 = v[i].round10,
                                  .relu = v[i].relu,
                                  .relu_threshold = v[i].threshold};
        struct tx_tile_layout layout;
        uint8_t none;
        tx_tile_layout(&full, p.out, &layout);
        data[5] = v[i].in;
        assert_int_equal(tx_pack_tile(&p, &full, data, out, layout.bytes), TX_OK);
        const uint32_t got = tx_tile_get(&full, p.out, out, 5, &none);
        if (got != v[i].want) {
            fail_msg("%zu: %08x", i, got);
        }
    }
}

/* Host words out and in again, by both routes, where the format can hold them. */
static void codecs(void **state)
{
    (void)state;
    static uint32_t words[2048], back[2048];
    static uint8_t bytes[8192];
    static const struct {
        enum tx_format format, dst;
        uint32_t values[4];
    } v[] = {
        {TX_FORMAT_FP32, TX_FORMAT_FP32, {0x3F800000, 0xC0490FDB, 0x00800000, 0x7F7FFFFF}},
        {TX_FORMAT_TF32, TX_FORMAT_FP32, {0x3F800000, 0xC0490000, 0x00800000, 0x7F7FE000}},
        {TX_FORMAT_BF16, TX_FORMAT_FP32, {0x3F800000, 0xC0490000, 0x00800000, 0x7F7F0000}},
        {TX_FORMAT_FP16, TX_FORMAT_FP32, {0x3F800000, 0xC0490000, 0x38800000, 0x47FFE000}},
        {TX_FORMAT_BFP8, TX_FORMAT_FP32, {0x3F800000, 0xC0480000, 0x3D000000, 0x40000000}},
        {TX_FORMAT_BFP4, TX_FORMAT_FP32, {0x3F800000, 0xC0400000, 0x3F000000, 0x40000000}},
        {TX_FORMAT_BFP2, TX_FORMAT_FP32, {0x40000000, 0xC0000000, 0x00000000, 0x40000000}},
        {TX_FORMAT_BFP8A, TX_FORMAT_FP32, {0x3F800000, 0xC0480000, 0x3D000000, 0x40000000}},
        {TX_FORMAT_FP8_E5M2, TX_FORMAT_FP32, {0x3F800000, 0xC0400000, 0x38800000, 0x47C00000}},
        {TX_FORMAT_FP8_E4M3, TX_FORMAT_FP32, {0x3F800000, 0xC0500000, 0x3C800000, 0x43600000}},
        {TX_FORMAT_INT32, TX_FORMAT_INT32, {1, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000001}},
        {TX_FORMAT_UINT32, TX_FORMAT_UINT32, {1, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000000}},
        {TX_FORMAT_INT16, TX_FORMAT_INT16, {1, 0xFFFFFFFF, 32767, 0u - 32767}},
        {TX_FORMAT_UINT16, TX_FORMAT_UINT16, {1, 0, 32768, 65535}},
        {TX_FORMAT_INT8, TX_FORMAT_INT32, {1, 0xFFFFFFFF, 127, 0u - 127}},
        {TX_FORMAT_UINT8, TX_FORMAT_INT32, {1, 0, 128, 255}},
    };
    for (size_t i = 0; i < sizeof v / sizeof v[0]; i++) {
        for (unsigned k = 0; k < 2048; k++) {
            words[k] = v[i].values[k / 16 % 2 == 0 ? k % 4 : (k + 1) % 4];
        }
        for (int route = TX_ROUTE_HOST; route <= TX_ROUTE_TENSIX; route++) {
            struct tx_codec c;
            struct tx_tile_layout layout;
            const char *reason = NULL;
            assert_int_equal(tx_codec_default((enum tx_route)route, TX_BLACKHOLE, v[i].format,
                                              v[i].dst, &c, &reason),
                             TX_OK);
            tx_tile_layout(&full, v[i].format, &layout);
            assert_int_equal(tx_tiles_encode(&c, &full, words, 2, bytes), TX_OK);
            c.unpack.dst = tx_format_in_dst(v[i].format);
            assert_int_equal(tx_tiles_decode(&c, &full, bytes, 2, back), TX_OK);
            assert_memory_equal(back, words, sizeof words);
        }
    }
    struct tx_codec c;
    const char *reason = NULL;
    assert_int_equal(tx_codec_default(TX_ROUTE_TENSIX, TX_WORMHOLE, TX_FORMAT_FP8_E4M3,
                                      TX_FORMAT_FP32, &c, &reason),
                     TX_EUNSUPPORTED);
    assert_string_equal(reason, "FP8 E4M3 exists on Blackhole only");
    assert_int_equal(tx_tiles_encode(&c, &full, words, 1, bytes), TX_EUNSUPPORTED);
    assert_int_equal(tx_codec_default(TX_ROUTE_HOST, TX_WORMHOLE, (enum tx_format)12,
                                      TX_FORMAT_FP32, &c, &reason),
                     TX_EUNSUPPORTED);
}

/* A row-major array of odd shape through BFP8 and back is the tiles of its parts. */
static void arrays(void **state)
{
    (void)state;
    static const uint64_t shape[] = {2, 40, 50};
    enum { COUNT = 2 * 40 * 50, TILES = 8 };
    static uint32_t words[COUNT], back[COUNT], tiles[TILES * 1024];
    static uint8_t bytes[TILES * 1088], expected[TILES * 1088];
    struct tx_grid g;
    struct tx_codec c;
    for (uint32_t i = 0; i < COUNT; i++) {
        words[i] = 0x3F800000u + (i % 64 << 17) + (i % 3 << 31);
    }
    assert_int_equal(tx_grid_of(&full, shape, 3, &g), TX_OK);
    assert_int_equal(g.tiles, TILES);
    tx_codec_default(TX_ROUTE_TENSIX, TX_BLACKHOLE, TX_FORMAT_BFP8, TX_FORMAT_FP32, &c, NULL);
    c.unpack.dst = TX_FORMAT_BF16;
    assert_int_equal(tx_tilize(&g, 4, words, 0, TILES, tiles), TX_OK);
    assert_int_equal(tx_tiles_encode(&c, &full, tiles, TILES, expected), TX_OK);
    assert_int_equal(tx_array_encode(&c, &g, words, 0, 3, bytes), TX_OK);
    assert_int_equal(tx_array_encode(&c, &g, words, 3, 5, bytes + 3 * 1088), TX_OK);
    assert_memory_equal(bytes, expected, sizeof bytes);
    assert_int_equal(tx_array_decode(&c, &g, bytes, 0, TILES, back), TX_OK);
    assert_memory_equal(back, words, sizeof words); /* six mantissa bits fit */
    assert_int_equal(tx_array_encode(&c, &g, words, 7, 2, bytes), TX_EINVAL);
}

/* Which direction exists, and the reason where one does not. */
static void codec_reasons(void **state)
{
    (void)state;
    struct tx_codec c;
    const char *reason = NULL;
    assert_int_equal(tx_codec_default(TX_ROUTE_TENSIX, TX_BLACKHOLE, TX_FORMAT_BFP8, TX_FORMAT_FP32,
                                      &c, &reason),
                     TX_OK);
    assert_null(reason);
    assert_int_equal(tx_codec_check(&c, true, &reason), TX_OK);
    assert_int_equal(tx_codec_check(&c, false, &reason), TX_EUNSUPPORTED);
    assert_string_equal(reason, "unpacking to Dst does not widen to 32 bits; through SrcA it is "
                                "possible");
    c.twos_complement = true;
    assert_int_equal(tx_codec_check(&c, true, &reason), TX_EUNSUPPORTED);
    assert_string_equal(reason, "two's complement is for integers");
    c.twos_complement = false;
    c.format = TX_FORMAT_BFP4;
    assert_int_equal(tx_codec_check(&c, true, &reason), TX_EUNSUPPORTED);
    assert_non_null(reason);
    assert_int_equal(tx_codec_default(TX_ROUTE_TENSIX, TX_BLACKHOLE, TX_FORMAT_INT32,
                                      TX_FORMAT_FP32, &c, &reason),
                     TX_EUNSUPPORTED);
    assert_string_equal(reason, "between integers and floats only the SFPU converts");
}

/* Integers in two's complement, and what their formats cannot hold. */
static void integers(void **state)
{
    (void)state;
    static const struct {
        enum tx_format format;
        bool twos;
        uint32_t word, datum;
    } v[] = {
        {TX_FORMAT_INT32, false, 0xFFFFFFFE, 0x80000002},
        {TX_FORMAT_INT32, true, 0xFFFFFFFE, 0xFFFFFFFE},
        {TX_FORMAT_INT32, false, 0x80000000, 0xFFFFFFFF},
        {TX_FORMAT_INT32, true, 0x80000000, 0x80000000},
        {TX_FORMAT_INT16, false, 0xFFFFFFFE, 0x8002},
        {TX_FORMAT_INT16, true, 0xFFFFFFFE, 0xFFFE},
        {TX_FORMAT_INT16, false, 70000, 0x7FFF},
        {TX_FORMAT_INT16, true, 0u - 70000, 0x8000},
        {TX_FORMAT_INT8, false, 0u - 200, 0xFF},
        {TX_FORMAT_INT8, true, 0u - 200, 0x80},
        {TX_FORMAT_INT8, true, 200, 0x7F},
        {TX_FORMAT_UINT8, false, 300, 0xFF},
        {TX_FORMAT_UINT8, false, 0xFFFFFFFF, 0},
        {TX_FORMAT_UINT16, false, 0x12345, 0xFFFF},
        {TX_FORMAT_UINT32, false, 0xFFFFFFFF, 0xFFFFFFFF},
    };
    for (size_t i = 0; i < sizeof v / sizeof v[0]; i++) {
        const struct tx_codec c = {
            .route = TX_ROUTE_HOST, .format = v[i].format, .twos_complement = v[i].twos};
        uint32_t datum = 0;
        assert_int_equal(tx_words_payload(&c, &v[i].word, 1, &datum), TX_OK);
        assert_int_equal(datum, v[i].datum);
        uint32_t word = 0;
        assert_int_equal(tx_payload_words(&c, &datum, 1, &word), TX_OK);
        assert_int_equal(tx_words_payload(&c, &word, 1, &datum), TX_OK);
        assert_int_equal(datum, v[i].datum); /* what fits comes back */
    }
    const struct tx_codec block = {.route = TX_ROUTE_HOST, .format = TX_FORMAT_BFP8};
    const struct tx_codec twos = {
        .route = TX_ROUTE_HOST, .format = TX_FORMAT_BF16, .twos_complement = true};
    uint32_t x = 0;
    assert_int_equal(tx_words_payload(&block, &x, 1, &x), TX_EINVAL);
    assert_int_equal(tx_payload_words(&twos, &x, 1, &x), TX_EINVAL);
    struct tx_codec c;
    tx_codec_default(TX_ROUTE_TENSIX, TX_BLACKHOLE, TX_FORMAT_INT8, TX_FORMAT_INT32, &c, NULL);
    c.twos_complement = true;
    static uint32_t words[1024];
    static uint8_t bytes[1024];
    assert_int_equal(tx_tiles_encode(&c, &full, words, 1, bytes), TX_EUNSUPPORTED);
}

static void distances(void **state)
{
    (void)state;
    assert_true(tx_format_order(TX_FORMAT_BF16, 0x3F81) - tx_format_order(TX_FORMAT_BF16, 0x3F80) ==
                1);
    assert_true(tx_format_order(TX_FORMAT_BF16, 0x8000) == 0);
    assert_true(tx_format_order(TX_FORMAT_BF16, 0x0001) - tx_format_order(TX_FORMAT_BF16, 0x8001) ==
                2);
    assert_true(tx_format_order(TX_FORMAT_TF32, 0x3F802000) -
                    tx_format_order(TX_FORMAT_TF32, 0x3F800000) ==
                1);
    assert_true(tx_format_order(TX_FORMAT_UINT8, 0xFF) == 255);
    assert_true(tx_format_order(TX_FORMAT_INT8, 0xFF) == -127);
    assert_int_equal(tx_loss_of(false, 0x3F800000, 0x3F800000, 0x7F7F0000), TX_LOSS_EXACT);
    assert_int_equal(tx_loss_of(false, 0x3F800001, 0x3F800000, 0x7F7F0000), TX_LOSS_ROUNDED);
    assert_int_equal(tx_loss_of(false, 0x00000001, 0x00000000, 0x7F7F0000), TX_LOSS_FLUSHED);
    assert_int_equal(tx_loss_of(false, 0x80000000, 0x00000000, 0x7F7F0000), TX_LOSS_FLUSHED);
    assert_int_equal(tx_loss_of(false, 0x7F7FFFFF, 0x7F800000, 0x7F7F0000), TX_LOSS_SATURATED);
    assert_int_equal(tx_loss_of(false, 0x48800000, 0x47FFE000, tx_format_limit(TX_FORMAT_FP16)),
                     TX_LOSS_SATURATED);
    assert_int_equal(tx_loss_of(false, 0x7FC00000, 0x7F800000, 0x7F7F0000), TX_LOSS_SPECIAL);
    assert_int_equal(tx_loss_of(true, 300, 255, 255), TX_LOSS_SATURATED);
    assert_int_equal(tx_loss_of(true, 0u - 5, 0, 255), TX_LOSS_SATURATED);
    assert_int_equal(tx_loss_of(true, 0u - 200, 0u - 127, 127), TX_LOSS_SATURATED);
    assert_int_equal(tx_loss_of(true, 0u - 200, 0u - 128, 127), TX_LOSS_SATURATED);
    assert_int_equal(tx_loss_of(true, 0u - 5, 0, 0xFFFFFFFF), TX_LOSS_SATURATED);
    assert_int_equal(tx_loss_of(true, 70000, 128, 32767), TX_LOSS_ROUNDED); /* the high half */
    assert_int_equal(tx_loss_of(true, 1, 0, 32767), TX_LOSS_FLUSHED);
    assert_int_equal(tx_format_limit(TX_FORMAT_INT16), 32767);
    assert_int_equal(tx_format_limit(TX_FORMAT_UINT32), 0xFFFFFFFF);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),         cmocka_unit_test(order),
        cmocka_unit_test(bit_order),      cmocka_unit_test(grids),
        cmocka_unit_test(tilize),         cmocka_unit_test(register_file),
        cmocka_unit_test(machine),        cmocka_unit_test(relu_and_thresholds),
        cmocka_unit_test(relu_by_format), cmocka_unit_test(codecs),
        cmocka_unit_test(integers),       cmocka_unit_test(arrays),
        cmocka_unit_test(codec_reasons),  cmocka_unit_test(distances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
