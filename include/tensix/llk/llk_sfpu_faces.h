/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the vendor's unary, binary and ternary entry points have in common: the address modifiers,
 * the start address in Dst, and the loop over the four faces of a tile. A face is 16 rows of Dst;
 * the kernel is called once for each face that the vector mode selects. The vendor has no such
 * header.
 */
#ifndef TENSIX_LLK_LLK_SFPU_FACES_H
#define TENSIX_LLK_LLK_SFPU_FACES_H

#include <tensix/llk/ckernel_sfpu.h>
#include <tensix/llk/ckernel_template.h>
#include <tensix/llk/llk_assert.h>
#include <tensix/llk/llk_math_common.h>
#include <tensix/llk/llk_sfpu_types.h>

#include <utility>

/* Asserts that a tile lies in the kernel's part of Dst. */
#define TX_LLK_FITS(tile)                                                                  \
    LLK_ASSERT(((tile) < ckernel::get_dest_max_tiles<DST_SYNC_MODE, DST_ACCUM_MODE,        \
                                                     ckernel::DstTileShape::Tile32x32>()), \
               #tile " exceeds max dest tiles")

namespace ckernel
{

/* Tells whether op is in the list. */
template <SfpuType op, SfpuType... list>
inline constexpr bool tx_llk_one_of = ((op == list) || ...);

/*
 * Sets ADDR_MOD_7 to leave the Dst counter unchanged and, where the kernel uses it (step is not 0),
 * ADDR_MOD_6 to advance it by step.
 */
inline void tx_llk_init(int step)
{
    tx_record(TT_OP_SFPCONFIG(0, 15, 1), nullptr, 0); /* LaneConfig */
    addr_mod_t{.dest = {.incr = 0}}.set(ADDR_MOD_7, nullptr, 0);
    if (step != 0) {
        addr_mod_t{.dest = {.incr = std::int16_t(step)}}.set(ADDR_MOD_6, nullptr, 0);
    }
    math::reset_counters(p_setrwc::SET_ABD_F, nullptr, 0);
}

/*
 * Sets the start address in Dst, and waits for the Matrix Unit. Wormhole's instructions have only
 * two bits for the address modifier; with the base set they select 4..7.
 */
inline void tx_llk_start(std::uint32_t tile)
{
    math::set_dst_write_addr<DstTileShape::Tile32x32, UnpackDestination::SrcRegs>(tile, nullptr, 0);
    if constexpr (!TX_RECORD_BLACKHOLE) {
        math::set_addr_mod_base(nullptr, 0);
    }
    tx_record(TT_OP_STALLWAIT(p_stall::STALL_SFPU, p_stall::MATH), nullptr, 0);
}

/* Resets the Dst address and, if base is set, the base of the address modifiers. */
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

/*
 * Calls the kernel for each face. R: the upper two faces; C: the left two; RC: all four. In any
 * other mode the kernel is called once and steps through the faces itself.
 */
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
