/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For sources that include the vendor's header of this name: how a math kernel is configured, and
 * how it waits for Dst. The words are those of tt-llk 36b092e; formats of SrcA and SrcB are set as
 * there, although the Vector Unit does not depend on them. No instruction can write bit 11 of
 * DBG_FEATURE_DISABLE; it becomes a .config line of the kernel file and holds for the whole kernel.
 */
#ifndef TENSIX_LLK_LLK_MATH_COMMON_H
#define TENSIX_LLK_LLK_MATH_COMMON_H

#include <cstring>

#include <tensix/llk/cmath_common.h>

using namespace ckernel::math;

namespace ckernel
{

/* Sets whether 16-bit data in Dst are the upper halves of 32-bit ones. */
inline void tx_llk_dst16_high(bool high, TX_RECORD_CALLER)
{
    const char *const on = ".config DBG_FEATURE_DISABLE, 0x800";
    const char *const off = ".config DBG_FEATURE_DISABLE, 0";
    const tx_recorder *recorder = tx_recorder_get(file, line);
    const char *written = std::strstr(recorder->head, ".config DBG_FEATURE_DISABLE");
    if (written == nullptr) {
        tx_record_head(high ? on : off);
    } else if ((std::strncmp(written, on, std::strlen(on)) == 0) != high) {
        tx_record_refuse("DBG_FEATURE_DISABLE is set and cleared, and a kernel file has one value",
                         file, line);
    }
}

} // namespace ckernel

inline void _llk_math_dbg_feature_disable_(TX_RECORD_CALLER)
{
    ckernel::tx_llk_dst16_high(true, file, line);
}

inline void _llk_math_dbg_feature_enable_(TX_RECORD_CALLER)
{
    ckernel::tensix_sync();
    ckernel::tx_llk_dst16_high(false, file, line);
}

inline void _llk_math_set_fp32_dest_acc_(bool enable)
{
    using namespace ckernel;
    tx_record(TT_OP_STALLWAIT(p_stall::STALL_CFG, TX_RECORD_BLACKHOLE
                                                      ? p_stall::MATH
                                                      : p_stall::MATH | p_stall::WAIT_SFPU),
              nullptr, 0);
    cfg_reg_rmw_tensix<ALU_ACC_CTRL_Fp32_enabled_RMW>(enable, nullptr, 0);
    cfg_reg_rmw_tensix<ALU_ACC_CTRL_SFPU_Fp32_enabled_RMW>(enable, nullptr, 0);
}

namespace ckernel
{

/* Tells whether the Matrix Unit computes with Int8 for these formats of SrcA and SrcB. */
constexpr bool tx_llk_int8_math(std::uint32_t srca, std::uint32_t srcb)
{
    constexpr auto int8 = std::uint32_t(DataFormat::Int8);
    constexpr auto int32 = std::uint32_t(DataFormat::Int32);
    return masked_data_format(srca) == int8 || masked_data_format(srcb) == int8 || srca == int32 ||
           srcb == int32;
}

/* Sets the formats of SrcA and SrcB; Blackhole infers them. */
inline void tx_llk_configure_alu(std::uint32_t srca, std::uint32_t srcb)
{
    const std::uint32_t int8 = tx_llk_int8_math(srca, srcb);
#ifdef DEST_ACCESS_CFG_zeroacc_absolute_tile_mode_RMW
    cfg_reg_rmw_tensix<DEST_ACCESS_CFG_zeroacc_absolute_tile_mode_RMW>(0, nullptr, 0);
#endif
    if constexpr (TX_RECORD_BLACKHOLE) {
        tx_record(TT_OP_STALLWAIT(p_stall::STALL_CFG, p_stall::MATH), nullptr, 0);
        cfg_reg_rmw_tensix<ALU_ACC_CTRL_INT8_math_enabled_RMW>(int8, nullptr, 0);
    } else {
        tx_record(TT_OP_STALLWAIT(p_stall::STALL_CFG, p_stall::MATH | p_stall::WAIT_SFPU), nullptr,
                  0);
        cfg_reg_rmw_tensix<ALU_FORMAT_SPEC_REG0_SrcA_ADDR32, 0,
                           ALU_FORMAT_SPEC_REG0_SrcA_MASK | ALU_FORMAT_SPEC_REG1_SrcB_MASK |
                               ALU_ACC_CTRL_INT8_math_enabled_MASK>(
            srca << ALU_FORMAT_SPEC_REG0_SrcA_SHAMT | srcb << ALU_FORMAT_SPEC_REG1_SrcB_SHAMT |
                int8 << ALU_ACC_CTRL_INT8_math_enabled_SHAMT,
            nullptr, 0);
    }
}

} // namespace ckernel

template <ckernel::DstSync> inline void _llk_math_wait_for_dest_available_()
{
    ckernel::math::math_dest_wait(nullptr, 0);
}

template <ckernel::DstSync sync, bool> inline void _llk_math_dest_section_done_()
{
    ckernel::math::set_math_semaphores(nullptr, 0);
    if constexpr (sync == ckernel::DstSync::SyncHalf) {
        math_sync_tile_dst_index = 0;
        ckernel::math::dest_section_flip(nullptr, 0);
    }
}

template <ckernel::DstSync sync, bool> inline void _llk_math_pack_sync_init_()
{
    using namespace ckernel;
    tx_record(TT_OP_SEMINIT(sync == DstSync::SyncFull ? 1 : 2, 0, p_stall::SEMAPHORE_1), nullptr,
              0);
    reset_dest_offset_id();
    math::set_dest_section_base<StartZero>(nullptr, 0);
}

template <bool accumulates_in_32_bits = false>
inline void _llk_math_hw_configure_(std::uint32_t srca, std::uint32_t srcb, TX_RECORD_CALLER)
{
    using namespace ckernel;
    constexpr auto uint16 = std::uint32_t(DataFormat::UInt16);
    tx_llk_configure_alu(srca, srcb);
    cfg_reg_rmw_tensix<ALU_ACC_CTRL_Fp32_enabled_RMW>(accumulates_in_32_bits, nullptr, 0);
    cfg_reg_rmw_tensix<ALU_ACC_CTRL_SFPU_Fp32_enabled_RMW>(accumulates_in_32_bits, nullptr, 0);
    if (tx_llk_int8_math(srca, srcb) ||
        (accumulates_in_32_bits && (srca == uint16 || srcb == uint16))) {
        tx_llk_dst16_high(true, file, line);
    }
}

#endif
