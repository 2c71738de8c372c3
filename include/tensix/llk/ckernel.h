/* SPDX-License-Identifier: Apache-2.0 */
/* For sources that include the vendor's header of this name. */
#ifndef TENSIX_LLK_CKERNEL_H
#define TENSIX_LLK_CKERNEL_H

#include <tensix/ckernel_llk.h>
#include <tensix/llk/ckernel_defs.h>

namespace ckernel
{

/* Formats of SFPLOAD that the integer kernels take. */
constexpr bool is_valid_instruction_mode(InstrModLoadStore mode)
{
    return mode == InstrModLoadStore::INT32_2S_COMP || mode == InstrModLoadStore::INT32 ||
           mode == InstrModLoadStore::LO16;
}

/* The half of Dst that the kernel has; records are of the first one. */
inline std::uint32_t get_dest_buffer_base()
{
    return 0;
}

/* The wait of 600 SFPNOPs. The seed, which a RISC-V core writes, is what --seed gives each tile. */
inline void init_prng_seed(std::uint32_t, TX_RECORD_CALLER)
{
    for (int n = 0; n < 600; n++) {
        tx_record(TT_OP_SFPNOP, file, line);
    }
}

/* Blackhole's conversion to two's complement and back loses the sign; it is put back. */
inline void apply_sign_magnitude_conversion(std::uint32_t from, std::uint32_t to, InstrModCast mode,
                                            TX_RECORD_CALLER)
{
    tx_record(TT_OP_SFPCAST(from, to, mode), file, line);
    tx_record(TT_OP_SFPSETSGN(0, to, from, 0), file, line);
}

} // namespace ckernel

#endif
