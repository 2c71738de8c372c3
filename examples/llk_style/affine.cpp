// SPDX-License-Identifier: Apache-2.0
// 0.75 x - 2 by SFPLOADMACRO, a row of 32 numbers each cycle: the load goes on by ADDR_MOD_6, the
// multiply-add and the store follow by themselves. With DISABLE_SFPLOADMACRO defined, as in the
// vendor's kernels, the same by instructions.
//
//     tensix record affine.cpp --arch bh --init init --tile tile --dst fp32 -o affine.s
#include "llk_math_eltwise_unary_sfpu_params.h"

using namespace ckernel;

// Wormhole's field has two bits: with the base that the entry point sets, 2 is 6.
constexpr std::uint32_t NEXT = TX_RECORD_BLACKHOLE ? ADDR_MOD_6 : ADDR_MOD_2;

inline void init_affine()
{
    sfpi::vConstFloatPrgm0 = 0.75f; // L12
    sfpi::vConstFloatPrgm1 = -2.0f; // L13
#ifndef DISABLE_SFPLOADMACRO
    // Template 0, by the backdoor: destination 12. L0 stands for what is loaded.
    TTI_SFPMAD(p_sfpu::LREG12, p_sfpu::LREG0, p_sfpu::LREG13, 12, 0);
    constexpr std::uint32_t mad = 0x80 | 0 << 3 | 4; // VB is what was loaded, no delay, template 0
    constexpr std::uint32_t store = 2 << 3 | 3;      // two cycles later: the sum is there
    TTI_SFPLOADI(p_sfpu::LREG0, sfpi::SFPLOADI_MOD0_LOWER, mad << 8);
    TTI_SFPLOADI(p_sfpu::LREG0, sfpi::SFPLOADI_MOD0_UPPER, store << 8);
    TTI_SFPCONFIG(0, sfpi::SFPCONFIG_DEST_MACRO_SEQ0, 0);
    // The store takes the load's format; cycles are counted by instructions.
    TTI_SFPCONFIG(0x110, sfpi::SFPCONFIG_DEST_MACRO_CTRL, sfpi::SFPCONFIG_MOD1_ARG_IMM);
    TTI_SFPNOP;
#endif
}

template <int ITERATIONS> inline void calculate_affine()
{
    for (int d = 0; d < ITERATIONS; d++) {
#ifdef DISABLE_SFPLOADMACRO
        TTI_SFPLOAD(p_sfpu::LREG0, InstrModLoadStore::FP32, ADDR_MOD_3, 0);
        TTI_SFPMAD(p_sfpu::LREG12, p_sfpu::LREG0, p_sfpu::LREG13, p_sfpu::LREG0, 0);
        TTI_SFPNOP;
        TTI_SFPSTORE(p_sfpu::LREG0, InstrModLoadStore::FP32, NEXT, 0);
#else
        TTI_SFPLOADMACRO(0 << 2 | (d & 3), InstrModLoadStore::FP32, NEXT, 0);
#endif
    }
#ifndef DISABLE_SFPLOADMACRO
    TTI_SFPNOP;
    TTI_SFPNOP;
    TTI_SFPNOP;
#endif
}

void init()
{
    _llk_math_eltwise_unary_sfpu_init_<SfpuType::typecast>(); // one that sets ADDR_MOD_6
    init_affine();
}

void tile()
{
    _llk_math_eltwise_unary_sfpu_params_<false>(calculate_affine<8>, 0);
}
