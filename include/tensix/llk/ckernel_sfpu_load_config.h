/* SPDX-License-Identifier: Apache-2.0 */
/* For sources that include the vendor's header of this name. */
#ifndef TENSIX_LLK_CKERNEL_SFPU_LOAD_CONFIG_H
#define TENSIX_LLK_CKERNEL_SFPU_LOAD_CONFIG_H

#include <tensix/sfpi.hpp>

namespace ckernel::sfpu
{

inline void _sfpu_load_imm32_(std::uint32_t lreg, std::uint32_t bits, TX_RECORD_CALLER)
{
    tx_record(TT_OP_SFPLOADI(lreg, 10, bits & 0xffff), file, line);
    tx_record(TT_OP_SFPLOADI(lreg, 8, bits >> 16), file, line);
}

inline void _sfpu_load_imm16_(std::uint32_t lreg, std::uint32_t bits, TX_RECORD_CALLER)
{
    tx_record(TT_OP_SFPLOADI(lreg, 2, bits), file, line);
}

/* Writes L11 to L14, or another destination of SFPCONFIG, via L0. */
inline void _sfpu_load_config32_(std::uint32_t config, std::uint32_t upper, std::uint32_t lower,
                                 TX_RECORD_CALLER)
{
    _sfpu_load_imm32_(0, upper << 16 | lower, file, line);
    tx_record(TT_OP_SFPCONFIG(0, config, 0), file, line);
}

inline void _init_sfpu_config_reg(TX_RECORD_CALLER)
{
    tx_record(TT_OP_SFPCONFIG(0, 15, 1), file, line);
}

} // namespace ckernel::sfpu

#endif
