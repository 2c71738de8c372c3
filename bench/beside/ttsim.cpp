/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tile of the vendor's simulator behind functions in C, for beside.c: compiled against a
 * checkout of tenstorrent/ttsim and linked with the objects of its own release build, so that its
 * decoder and executor are called directly. scripts/bench_beside.sh builds it.
 */
#include "sim.h"

#include "beside.h"

#include <cstring>

static TensixState *tensix()
{
    return &g_t_tiles[0].tensix[0];
}

static void open_tile()
{
    ttsim_init();
    t_tile_init(0);
}

static uint32_t run(uint32_t thread, const uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!tensix_decode_and_execute(tensix(), thread, words[i])) {
            return i;
        }
    }
    return count;
}

static void put_config(uint32_t word, uint32_t value)
{
    tensix_cfg_wr32(tensix(), 0, 4 * word, value);
}

static void put_counters(uint32_t thread, uint32_t unit, const uint32_t values[16])
{
    TensixAddrCtrl *a = &tensix()->addr_ctrl[thread][unit];
    uint32_t *const order[16] = {&a->ch0_x,    &a->ch0_y,    &a->ch0_z,    &a->ch0_w,
                                 &a->ch0_x_cr, &a->ch0_y_cr, &a->ch0_z_cr, &a->ch0_w_cr,
                                 &a->ch1_x,    &a->ch1_y,    &a->ch1_z,    &a->ch1_w,
                                 &a->ch1_x_cr, &a->ch1_y_cr, &a->ch1_z_cr, &a->ch1_w_cr};
    for (unsigned i = 0; i < 16; i++) {
        *order[i] = values[i];
    }
}

static void put_dst(uint32_t row, const uint32_t cells[16], bool valid)
{
    for (unsigned i = 0; i < 16; i++) {
        tensix()->dst[row][i] = (uint16_t)cells[i];
    }
    tensix()->dst_row_valid[row] = valid;
}

static void get_dst(uint32_t row, uint32_t cells[16])
{
    for (unsigned i = 0; i < 16; i++) {
        cells[i] = tensix()->dst[row][i];
    }
}

/* Cells there are FP32 patterns of 19 bits; here sign, mantissa, exponent. */
static void get_src(uint32_t unit, uint32_t bank, uint32_t row, uint32_t cells[16])
{
    for (unsigned i = 0; i < 16; i++) {
        const uint32_t v =
            (unit == 0 ? tensix()->src_a[bank][row][i] : tensix()->src_b[bank][row][i]) >> 13;
        cells[i] = (v & 0x40000u) | (v & 0x3FFu) << 8 | (v >> 10 & 0xFFu);
    }
}

static void put_banks(const uint32_t a[4], const uint32_t b[4])
{
    TensixState *t = tensix();
    t->src_a_matrix_bank = a[0];
    t->src_a_unpack_bank = a[1];
    t->src_a_valid = a[2] | a[3] << 1;
    t->src_b_matrix_bank = b[0];
    t->src_b_unpack_bank = b[1];
    t->src_b_valid = b[2] | b[3] << 1;
}

/* Only some chips have implied formats. */
template <class State> static void set_formats(State *t, const uint32_t a[2], const uint32_t b[2])
{
    if constexpr (requires { t->src_a_format[0]; }) {
        for (unsigned i = 0; i < 2; i++) {
            t->src_a_format[i] = a[i];
            t->src_b_format[i] = b[i];
        }
    }
}

static void put_formats(const uint32_t a[2], const uint32_t b[2])
{
    set_formats(tensix(), a, b);
}

static void put_lanes(uint32_t index, const uint32_t lanes[32])
{
    memcpy(tensix()->l_regs[index], lanes, sizeof tensix()->l_regs[index]);
}

static void get_lanes(uint32_t index, uint32_t lanes[32])
{
    memcpy(lanes, tensix()->l_regs[index], sizeof tensix()->l_regs[index]);
}

static void put_flags(uint32_t flags, bool used)
{
    tensix()->cc = flags;
    tensix()->cc_en = used;
}

static uint8_t *l1()
{
    return g_t_tiles[0].sram;
}

extern "C" __attribute__((visibility("default"))) const struct beside *beside_tile(void)
{
    static const struct beside tile = {TT_ARCH_VERSION == 0 ? "wh" : "bh",
                                       open_tile,
                                       run,
                                       put_config,
                                       put_counters,
                                       put_dst,
                                       get_dst,
                                       get_src,
                                       put_banks,
                                       put_formats,
                                       put_lanes,
                                       get_lanes,
                                       put_flags,
                                       l1};
    return &tile;
}
