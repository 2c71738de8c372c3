/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cycles as a card's wall clock counts them: the frame in which tt-llk's performance tests run a
 * vector kernel (MATH_ISOLATE), restated. Thread 0 hands over banks of SrcA without unpacking
 * anything, thread 1 copies each tile from SrcA to Dst and works on it, thread 2 only starts.
 *
 * A kernel of this folder is
 *
 *     struct some_kernel {
 *         static constexpr bool COPIES = true;         // the tile comes through SrcA
 *         static void prepare();                       // once, in the zone INIT
 *         static void tile(uint32_t tile);             // the work on one tile of Dst
 *     };
 *     void kernel_main(void) { silicon::measure<some_kernel>(); }
 *
 * Arguments: 0 how many times over the tiles, 1 how many tiles, 2 faces of a tile. Each zone leaves
 * its name and its cycles at ZONES in L1, thread by thread. Order and operands of the words are
 * facts of tenstorrent/tt-llk 36b092e (llk_math_eltwise_unary_datacopy.h, llk_math_common.h,
 * cmath_common.h, tests/sources/eltwise_unary_sfpu_perf.cpp, tests/helpers/include/profiler.h).
 */
#pragma once
#include <tensix/kernel/tensix.h>

namespace silicon
{

#define SILICON_INLINE __attribute__((always_inline)) inline

/* ---- zones ---- */

enum : uint32_t { ZONES = 0x30000, ZONES_OF_A_THREAD = 64, DST_TILES = 8, DST_HALF = 512 };
enum zone : uint32_t { KERNEL = 1, INIT, TILE_LOOP, BODY };

static uint32_t entry;    /* of the buffer, as the profiler keeps it in local memory */
static uint32_t dst_half; /* which half of Dst is the Matrix Unit's */
static uint32_t core_thread()
{
    return TENSIX_UNPACK ? 0 : TENSIX_MATH ? 1 : 2;
}

/* Name and high half, low half: what the profiler stores. */
SILICON_INLINE void stamp(uint32_t name)
{
    const uint64_t now = tx_wall_clock();
    volatile uint32_t *buffer = (volatile uint32_t *)(uintptr_t)ZONES;
    buffer += core_thread() * ZONES_OF_A_THREAD;
    buffer[entry++] = name << 16 | (uint32_t)(now >> 32 & 0xfff);
    buffer[entry++] = (uint32_t)now;
}

SILICON_INLINE void zone_begins(zone z)
{
    stamp(z);
}

SILICON_INLINE void zone_ends(zone z)
{
    stamp(z | 0x100u);
}

/* ---- address modifiers, counters ---- */

template <uint32_t section> SILICON_INLINE void addr_mod(uint32_t a, uint32_t b, uint32_t dst)
{
    TTI_SETC16(ADDR_MOD_AB_SEC0_SrcAIncr_ADDR32 + section, a | b << 8);
    TTI_SETC16(ADDR_MOD_DST_SEC0_DestIncr_ADDR32 + section, dst);
    TTI_SETC16(ADDR_MOD_BIAS_SEC0_BiasIncr_ADDR32 + section, 0);
}

SILICON_INLINE void clear_counters(uint32_t which)
{
    TTI_SETRWC(p_setrwc::CLR_NONE, 0, 0, 0, 0, which);
}

SILICON_INLINE void dst_is_tile(uint32_t tile)
{
    TT_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32,
              (tile << 6) + (dst_half != 0 ? uint32_t(DST_HALF) : 0u));
}

/* ---- the copy of a tile from SrcA to Dst ---- */

SILICON_INLINE void copy_prepare(uint32_t faces)
{
    addr_mod<3>(0, 0, 0);
    addr_mod<0>(1, 0, 1);
    addr_mod<2>(8, 0, 8);
    ckernel_template mop(faces, 2, TT_OP_MOVA2D(0, 0, 2, p_mova2d::MOV_8_ROWS, 0));
    mop.set_end_op(TT_OP_SETRWC(p_setrwc::CLR_AB, 0, 0, 0, 0, p_setrwc::SET_AB));
    mop.program();
    TTI_SETC16(CLR_DVALID_SrcA_Disable_ADDR32, 0);
    clear_counters(p_setrwc::SET_ABD_F);
}

SILICON_INLINE void copy_tile(uint32_t tile)
{
    dst_is_tile(tile);
    ckernel_template::run();
    clear_counters(p_setrwc::SET_D);
}

/* ---- before and after a vector kernel ---- */

SILICON_INLINE void dst_prepare()
{
    tensix_sync();
    while (semaphore_read(1) > 0) {}
    TTI_SEMINIT(2, 0, p_stall::SEMAPHORE_1);
    dst_half = 0;
    TTI_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32, 0);
}

SILICON_INLINE void formats_prepare()
{
#ifdef ARCH_BLACKHOLE
    cfg_reg_rmw_tensix<DEST_ACCESS_CFG_zeroacc_absolute_tile_mode_RMW>(0);
#endif
    TTI_STALLWAIT(p_stall::STALL_CFG, p_stall::MATH);
    cfg_reg_rmw_tensix<ALU_ACC_CTRL_INT8_math_enabled_RMW>(0);
    cfg_reg_rmw_tensix<ALU_ACC_CTRL_Fp32_enabled_RMW>(0);
    cfg_reg_rmw_tensix<ALU_ACC_CTRL_SFPU_Fp32_enabled_RMW>(0);
}

/* store_steps: address modifier 6 moves Dst on by two rows. */
SILICON_INLINE void vector_prepare(bool store_steps)
{
    TTI_SFPCONFIG(0, 0xF, 1);
    addr_mod<7>(0, 0, 0);
    if (store_steps) {
        addr_mod<6>(0, 0, 2);
    }
    clear_counters(p_setrwc::SET_ABD_F);
}

SILICON_INLINE void vector_begins(uint32_t tile)
{
    dst_is_tile(tile);
    TTI_STALLWAIT(p_stall::STALL_SFPU, p_stall::MATH);
}

SILICON_INLINE void vector_ends()
{
    clear_counters(p_setrwc::SET_D);
}

/* To the next face of Dst: twice eight rows. */
SILICON_INLINE void next_face()
{
    TTI_SETRWC(p_setrwc::CLR_NONE, p_setrwc::CR_D, 8, 0, 0, p_setrwc::SET_D);
    TTI_SETRWC(p_setrwc::CLR_NONE, p_setrwc::CR_D, 8, 0, 0, p_setrwc::SET_D);
}

/* SFPCONFIG of a sequence word or a constant, by way of LReg[0]. */
template <uint32_t where, uint32_t value> SILICON_INLINE void vector_config()
{
    TTI_SFPLOADI(0, sfpi::SFPLOADI_MOD0_LOWER, value & 0xffff);
    TTI_SFPLOADI(0, sfpi::SFPLOADI_MOD0_UPPER, value >> 16);
    TTI_SFPCONFIG(0, where, 0);
}

/* ---- the three threads ---- */

template <typename kernel> SILICON_INLINE void tiles(uint32_t loops, uint32_t count)
{
    for (uint32_t loop = 0; loop < loops; loop++) {
        for (uint32_t first = 0; first < count; first += DST_TILES) {
            const uint32_t left = count - first;
            const uint32_t block = left < DST_TILES ? left : uint32_t(DST_TILES);
            for (uint32_t tile = 0; tile < block; tile++) {
                if constexpr (kernel::COPIES) {
                    copy_tile(tile);
                }
                kernel::tile(tile);
            }
        }
    }
}

/* A bank of SrcA for every face, as soon as the last one is back. */
SILICON_INLINE void hand_over(uint32_t banks)
{
    while (banks-- > 0) {
        TTI_STALLWAIT(p_stall::STALL_TDMA, p_stall::SRCA_CLR);
        TTI_SETDVALID(1);
    }
}

template <typename kernel> SILICON_INLINE void measure()
{
    const uint32_t loops = tx_argument(0), count = tx_argument(1), faces = tx_argument(2);
    entry = 0;
    zone_begins(KERNEL);
#if TENSIX_MATH
    zone_begins(INIT);
    copy_prepare(faces);
    dst_prepare();
    formats_prepare();
    kernel::prepare();
    tensix_sync();
    zone_ends(INIT);
    zone_begins(TILE_LOOP);
    tiles<kernel>(loops, count);
    tensix_sync();
    zone_ends(TILE_LOOP);
#elif TENSIX_UNPACK
    if constexpr (kernel::COPIES) {
        hand_over(faces * count * loops);
    }
#endif
    tensix_sync();
    zone_ends(KERNEL);
}

} // namespace silicon
