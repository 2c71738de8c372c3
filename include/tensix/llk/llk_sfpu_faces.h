/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the vendor's unary, binary and ternary entry points have in common: the address modifiers,
 * where a kernel starts in Dst, and the way through the four faces of a tile. A face is 16 rows of
 * Dst; the kernel is called once for each face that the mode names. Not a header of the vendor's.
 */
#ifndef TENSIX_LLK_LLK_SFPU_FACES_H
#define TENSIX_LLK_LLK_SFPU_FACES_H

#include <tensix/llk/ckernel_sfpu.h>
#include <tensix/llk/ckernel_template.h>
#include <tensix/llk/llk_assert.h>
#include <tensix/llk/llk_math_common.h>
#include <tensix/llk/llk_sfpu_types.h>

#include <utility>

/* A tile that is in what the kernel has of Dst. */
#define TX_LLK_FITS(tile)                                                                  \
    LLK_ASSERT(((tile) < ckernel::get_dest_max_tiles<DST_SYNC_MODE, DST_ACCUM_MODE,        \
                                                     ckernel::DstTileShape::Tile32x32>()), \
               #tile " exceeds max dest tiles")

namespace ckernel
{

/* Whether op is one of those. */
template <SfpuType op, SfpuType... list>
inline constexpr bool tx_llk_one_of = ((op == list) || ...);

/* ADDR_MOD_7 stays, ADDR_MOD_6 steps, where the kernel has a use for it (step is not 0). */
inline void tx_llk_init(int step)
{
    tx_record(TT_OP_SFPCONFIG(0, 15, 1), nullptr, 0); /* LaneConfig */
    addr_mod_t{.dest = {.incr = 0}}.set(ADDR_MOD_7, nullptr, 0);
    if (step != 0) {
        addr_mod_t{.dest = {.incr = std::int16_t(step)}}.set(ADDR_MOD_6, nullptr, 0);
    }
    math::reset_counters(p_setrwc::SET_ABD_F, nullptr, 0);
}

/* Wormhole's instructions have two bits for the address modifier; with the base they mean 4..7. */
inline void tx_llk_start(std::uint32_t tile)
{
    math::set_dst_write_addr<DstTileShape::Tile32x32, UnpackDestination::SrcRegs>(tile, nullptr, 0);
    if constexpr (!TX_RECORD_BLACKHOLE) {
        math::set_addr_mod_base(nullptr, 0);
    }
    tx_record(TT_OP_STALLWAIT(p_stall::STALL_SFPU, p_stall::MATH), nullptr, 0);
}

/* base: whether the address modifiers' base is put back. */
inline void tx_llk_done(bool base)
{
    math::clear_dst_reg_addr(nullptr, 0);
    if (base) {
        tx_record(TT_OP_STALLWAIT(p_stall::STALL_CFG, p_stall::WAIT_SFPU), nullptr, 0);
        math::clear_addr_mod_base(nullptr, 0);
    }
}

inline void tx_llk_skip_faces(int count)
{
    for (int step = 0; step < 2 * count; step++) {
        math::inc_dst_addr<8>(nullptr, 0);
    }
}

/* R: the upper two faces; C: the left two; RC: all four; else the kernel finds its way itself. */
template <typename Kernel> inline void tx_llk_faces(int vector_mode, Kernel &&kernel)
{
    const int calls = vector_mode == VectorMode::RC                                  ? 4
                      : vector_mode == VectorMode::R || vector_mode == VectorMode::C ? 2
                                                                                     : 1;
    const int steps = vector_mode == VectorMode::C ? 2 : calls > 1 ? 1 : 0;
    for (int call = 0; call < calls; call++) {
        kernel();
        tx_llk_skip_faces(steps);
    }
    if (vector_mode == VectorMode::R) {
        tx_llk_skip_faces(2);
    }
}

} // namespace ckernel

#endif
