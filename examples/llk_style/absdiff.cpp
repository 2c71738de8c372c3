// SPDX-License-Identifier: Apache-2.0
// |a - b| of 32-bit integers, modulo 2^32, through the vendor's binary entry point: the second
// number's tile is added negated, and the result goes in place of the first.
//
//     tensix record absdiff.cpp --arch bh --init init --tile tile --dst int32 --inputs 2 -o out.s
#include "llk_math_eltwise_binary_sfpu_params.h"

using namespace ckernel;

template <int ITERATIONS>
inline void calculate_absdiff(std::uint32_t in0, std::uint32_t in1, std::uint32_t out)
{
    constexpr std::uint32_t TILE = 64; // Dst rows
    for (int d = 0; d < ITERATIONS; d++) {
        TT_SFPLOAD(p_sfpu::LREG0, InstrModLoadStore::INT32, ADDR_MOD_3, in0 * TILE);
        TT_SFPLOAD(p_sfpu::LREG1, InstrModLoadStore::INT32, ADDR_MOD_3, in1 * TILE);
        // L1 = L0 - L1
        TTI_SFPIADD(0, p_sfpu::LREG0, p_sfpu::LREG1,
                    sfpi::SFPIADD_MOD1_ARG_2SCOMP_LREG_DST | sfpi::SFPIADD_MOD1_CC_NONE);
        TTI_SFPABS(0, p_sfpu::LREG1, p_sfpu::LREG1, sfpi::SFPABS_MOD1_INT);
        TT_SFPSTORE(p_sfpu::LREG1, InstrModLoadStore::INT32, ADDR_MOD_3, out * TILE);
        sfpi::dst_reg++;
    }
}

void init()
{
    _llk_math_eltwise_binary_sfpu_init_<SfpuType::unused>();
}

void tile()
{
    _llk_math_eltwise_binary_sfpu_params_<false>(calculate_absdiff<8>, 0, 1, 0);
}
