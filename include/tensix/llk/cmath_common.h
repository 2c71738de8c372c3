/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For sources that include the vendor's header of this name: functions with which math kernels step
 * through Dst and hand it to the packer. The words are those of tt-llk 36b092e.
 */
#ifndef TENSIX_LLK_CMATH_COMMON_H
#define TENSIX_LLK_CMATH_COMMON_H

#include <tensix/llk/ckernel.h>

using namespace ckernel;

namespace ckernel::math
{

/* Math kernels use the second half of the replay buffer; the SFPU kernels use the first. */
inline constexpr std::uint32_t replay_buf_offset = 16;

inline void reset_counters(std::uint32_t which, TX_RECORD_CALLER)
{
    tx_record(TT_OP_SETRWC(p_setrwc::CLR_NONE, 0, 0, 0, 0, which), file, line);
}

inline void incr_counters(std::uint32_t a, std::uint32_t b, std::uint32_t d, std::uint32_t cr,
                          TX_RECORD_CALLER)
{
    tx_record(TT_OP_INCRWC(cr, d, b, a), file, line);
}

/*
 * Word of ADDR_MOD_SET_Base in the thread configuration. Blackhole has no such field, but the
 * vendor's ternary kernels clear the word there, too.
 */
inline constexpr std::uint32_t ADDR_MOD_SET_BASE = 2;

/* Makes ADDR_MOD_0..3 select 4..7 in the following instructions whose field has only two bits. */
inline void set_addr_mod_base(TX_RECORD_CALLER)
{
    tx_record(TT_OP_SETC16(ADDR_MOD_SET_BASE, 1), file, line);
}

inline void clear_addr_mod_base(TX_RECORD_CALLER)
{
    tx_record(TT_OP_SETC16(ADDR_MOD_SET_BASE, 0), file, line);
}

template <DstTileShape shape, UnpackDestination destination>
inline void set_dst_write_addr(std::uint32_t tile, TX_RECORD_CALLER)
{
    const std::uint32_t row = (tile << DstTileSizeLog2[shape]) + get_dest_buffer_base();
    if constexpr (destination == UnpackDestination::DestReg) {
        mailbox_write(ThreadId::UnpackThreadId, row, file, line);
    } else {
        tx_record(TT_OP_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32, row), file, line);
    }
}

inline void clear_dst_reg_addr(TX_RECORD_CALLER)
{
    tx_record(TT_OP_SETRWC(p_setrwc::CLR_NONE, 0, 0, 0, 0, p_setrwc::SET_D), file, line);
}

template <std::uint32_t rows = 8> inline void inc_dst_addr(TX_RECORD_CALLER)
{
    static_assert(rows <= 15, "SETRWC has four bits for it");
    tx_record(TT_OP_SETRWC(p_setrwc::CLR_NONE, p_setrwc::CR_D, rows, 0, 0, p_setrwc::SET_D), file,
              line);
}

/* ---- synchronisation of math and pack on Dst ---- */

inline void math_dest_wait(TX_RECORD_CALLER)
{
    tx_record(TT_OP_SEMWAIT(p_stall::STALL_MATH | p_stall::STALL_SFPU | p_stall::STALL_SYNC,
                            semaphore::t6_sem(semaphore::MATH_PACK), p_stall::STALL_ON_MAX),
              file, line);
}

inline void wait_math_semaphores(TX_RECORD_CALLER)
{
    tx_record(TT_OP_SEMWAIT(p_stall::STALL_MATH | p_stall::STALL_SFPU,
                            semaphore::t6_sem(semaphore::MATH_PACK), p_stall::STALL_ON_MAX),
              file, line);
}

inline void set_math_semaphores(TX_RECORD_CALLER)
{
    t6_semaphore_post<p_stall::MATH | p_stall::WAIT_SFPU>(semaphore::MATH_PACK, file, line);
}

inline void dest_section_flip(TX_RECORD_CALLER)
{
    update_dest_offset_id();
    tx_record(TT_OP_STALLWAIT(p_stall::STALL_CFG, p_stall::MATH | p_stall::SFPU1), file, line);
    tx_record(TT_OP_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32, get_dest_buffer_base()), file,
              line);
}

template <DstStart start> inline void set_dest_section_base(TX_RECORD_CALLER)
{
    const std::uint32_t base = start == DstStart::StartZero ? 0 : DEST_REGISTER_HALF_SIZE;
    tx_record(TT_OP_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32, base), file, line);
}

} // namespace ckernel::math

#endif
