/* SPDX-License-Identifier: Apache-2.0 */
/* For sources that include the vendor's header of this name. */
#ifndef TENSIX_LLK_CKERNEL_H
#define TENSIX_LLK_CKERNEL_H

#include <tensix/ckernel_llk.h>
#include <tensix/llk/ckernel_defs.h>
#include <tensix/llk/ckernel_structs.h>

/* Attributes that the card's compiler uses for its memories; they mean nothing here. */
#define tt_l1_ptr
#define tt_reg_ptr

#define TT_ALWAYS_INLINE inline __attribute__((always_inline))

/* Settings that a build for the card defines: how Dst is shared with the packer, and its width. */
#ifndef DST_SYNC_MODE
#define DST_SYNC_MODE ckernel::DstSync::SyncHalf
#endif
#ifndef DST_ACCUM_MODE
#define DST_ACCUM_MODE false
#endif

/* State of the RISC-V core; a recording begins with these initial values. */
inline std::uint32_t math_sync_tile_dst_index = 0;

namespace ckernel
{

inline std::uint32_t dest_offset_id = 0;

/* Formats that the vendor's integer kernels accept for SFPLOAD. */
constexpr bool is_valid_instruction_mode(InstrModLoadStore mode)
{
    return mode == InstrModLoadStore::INT32_2S_COMP || mode == InstrModLoadStore::INT32 ||
           mode == InstrModLoadStore::LO16;
}

/* ---- the half of Dst that the kernel uses ---- */

inline void reset_dest_offset_id()
{
    dest_offset_id = 0;
}

inline void update_dest_offset_id()
{
    dest_offset_id = 1 - dest_offset_id;
}

inline std::uint32_t get_dest_buffer_base()
{
    return dest_offset_id != 0 ? DEST_REGISTER_HALF_SIZE : 0;
}

/* ---- semaphores and mutexes, accessed by instructions of the thread ---- */

template <std::uint32_t WaitRes = p_stall::NONE>
inline void t6_semaphore_post(std::uint8_t index, TX_RECORD_CALLER)
{
    if constexpr (WaitRes != p_stall::NONE) {
        tx_record(TT_OP_STALLWAIT(p_stall::STALL_SYNC, WaitRes), file, line);
    }
    tx_record(TT_OP_SEMPOST(semaphore::t6_sem(index)), file, line);
}

template <std::uint32_t WaitRes = p_stall::NONE>
inline void t6_semaphore_get(std::uint8_t index, TX_RECORD_CALLER)
{
    if constexpr (WaitRes != p_stall::NONE) {
        tx_record(TT_OP_STALLWAIT(p_stall::STALL_SYNC, WaitRes), file, line);
    }
    tx_record(TT_OP_SEMGET(semaphore::t6_sem(index)), file, line);
}

template <std::uint32_t WaitRes>
inline void t6_semaphore_wait_on_max(std::uint8_t index, TX_RECORD_CALLER)
{
    tx_record(TT_OP_SEMWAIT(WaitRes, semaphore::t6_sem(index), p_stall::STALL_ON_MAX), file, line);
}

template <std::uint32_t WaitRes>
inline void t6_semaphore_wait_on_zero(std::uint8_t index, TX_RECORD_CALLER)
{
    tx_record(TT_OP_SEMWAIT(WaitRes, semaphore::t6_sem(index), p_stall::STALL_ON_ZERO), file, line);
}

inline void t6_semaphore_init(std::uint8_t index, std::uint8_t min_value, std::uint8_t max_value,
                              TX_RECORD_CALLER)
{
    tx_record(TT_OP_SEMINIT(max_value, min_value, semaphore::t6_sem(index)), file, line);
}

inline void t6_mutex_acquire(std::uint8_t index, TX_RECORD_CALLER)
{
    tx_record(TT_OP_ATGETM(index), file, line);
}

inline void t6_mutex_release(std::uint8_t index, TX_RECORD_CALLER)
{
    tx_record(TT_OP_ATRELM(index), file, line);
}

/* ---- actions of the RISC-V core: waits have nothing to wait for here, effects are refused ---- */

inline void tensix_sync()
{
}

inline void mop_sync()
{
}

inline std::uint8_t semaphore_read(std::uint8_t)
{
    return 0;
}

inline void semaphore_post(std::uint8_t, TX_RECORD_CALLER)
{
    tx_record_refuse("semaphore_post is the RISC-V core's and is not recorded", file, line);
}

inline void semaphore_get(std::uint8_t, TX_RECORD_CALLER)
{
    tx_record_refuse("semaphore_get is the RISC-V core's and is not recorded", file, line);
}

inline void mailbox_write(std::uint8_t, std::uint32_t, TX_RECORD_CALLER)
{
    tx_record_refuse("mailbox_write is the RISC-V core's and is not recorded", file, line);
}

/* ---- configuration ---- */

/* Records an RMWCIB for each byte that the mask touches: cfg_reg_rmw_tensix<X_RMW>(value). */
template <std::uint32_t address, std::uint32_t shift, std::uint32_t mask>
inline void cfg_reg_rmw_tensix(std::uint32_t value, TX_RECORD_CALLER)
{
    const std::uint32_t data = value << shift;
    if constexpr ((mask & 0xff) != 0) {
        tx_record(TT_OP_RMWCIB0(mask & 0xff, data & 0xff, address), file, line);
    }
    if constexpr ((mask >> 8 & 0xff) != 0) {
        tx_record(TT_OP_RMWCIB1(mask >> 8 & 0xff, data >> 8 & 0xff, address), file, line);
    }
    if constexpr ((mask >> 16 & 0xff) != 0) {
        tx_record(TT_OP_RMWCIB2(mask >> 16 & 0xff, data >> 16 & 0xff, address), file, line);
    }
    if constexpr (bool(mask >> 24)) {
        tx_record(TT_OP_RMWCIB3(mask >> 24, data >> 24, address), file, line);
    }
}

inline void mop_run(std::uint8_t type, std::uint8_t count, TX_RECORD_CALLER)
{
    tx_record(TT_OP_MOP(type, count - 1, 0), file, line);
}

/*
 * Records the vendor's wait of 600 SFPNOPs. A RISC-V core writes the seed, which cannot be
 * recorded; --seed gives each tile its seed instead.
 */
inline void init_prng_seed(std::uint32_t, TX_RECORD_CALLER)
{
    for (int n = 0; n < 600; n++) {
        tx_record(TT_OP_SFPNOP, file, line);
    }
}

/* Blackhole's SFPCAST to two's complement and back loses the sign, so SFPSETSGN restores it. */
inline void apply_sign_magnitude_conversion(std::uint32_t from, std::uint32_t to, InstrModCast mode,
                                            TX_RECORD_CALLER)
{
    tx_record(TT_OP_SFPCAST(from, to, mode), file, line);
    tx_record(TT_OP_SFPSETSGN(0, to, from, 0), file, line);
}

} // namespace ckernel

#endif
