// SPDX-License-Identifier: Apache-2.0
// e^x to about eight bits by SFPLOADMACRO, x clamped at -88: schedule and constants of
// examples/kernels/macro/exp_clamped.s, whose results it gives bit for bit.
//
//     tensix record exp.cpp --arch bh --init init --tile kernel --dst bf16 -o exp.s
#include <tensix/ckernel_ops.h>

using namespace ckernel;
using namespace sfpi;

namespace {

constexpr int CLAMP = 1; // sequences
constexpr int EXP = 0;

void load_constant(std::uint32_t bits)
{
    TT_SFPLOADI(p_sfpu::LREG0, SFPLOADI_MOD0_UPPER, bits >> 16);
    TT_SFPLOADI(p_sfpu::LREG0, SFPLOADI_MOD0_LOWER, bits & 0xffff);
}

void set_constant(std::uint32_t lreg, std::uint32_t bits)
{
    load_constant(bits);
    TT_SFPCONFIG(0, lreg, 0);
}

void configure_sequence(int sequence, std::uint32_t bits)
{
    load_constant(bits);
    TT_SFPCONFIG(0, SFPCONFIG_DEST_MACRO_SEQ0 + sequence, 0);
}

// Every row of the face through one of the macros, in L0..L3 by turns; the gap is SFPNOPs between.
template <int MACRO, bool GAP> void face()
{
    for (int row = 0; row < 8; row++) {
        TTI_SFPLOADMACRO((MACRO << 2) | (row & 3), InstrModLoadStore::DEFAULT, ADDR_MOD_3,
                         2 * row);
        if constexpr (GAP) {
            if (row < 7) {
                TTI_SFPNOP;
            }
        }
    }
}

} // namespace

void init()
{
    // Templates 0 to 3, by the backdoor: destinations 12 to 15.
    TTI_SFPSWAP(0, p_sfpu::LREG14, 12, SFPSWAP_MOD1_VEC_MAX_MIN);
    TTI_SFPMAD(p_sfpu::LREG12, p_sfpu::LREG0, p_sfpu::LREG13, 13, 0);
    TTI_SFP_STOCH_RND(0, 0, 0, 0, 14, SFPSTOCHRND_MOD1_FP32_TO_UINT16);
    TTI_SFPSHFT(15, 0, 15, SFPSHFT_MOD1_ARG_IMM);
    configure_sequence(EXP, 0x631685df);
    configure_sequence(CLAMP, 0x13000084);
    TTI_SFPCONFIG(0, SFPCONFIG_DEST_MACRO_CTRL, 1);
    set_constant(p_sfpu::LREG12, 0x43b8aa3b); // 256 / ln 2
    set_constant(p_sfpu::LREG13, 0x46fde9a3);
    set_constant(p_sfpu::LREG14, 0xc2b00000); // -88
    TTI_SFPNOP;
}

void kernel()
{
    for (int f = 0; f < 4; f++) {
        face<CLAMP, true>();
        face<EXP, false>();
        TTI_SFPNOP;
        TTI_INCRWC(0, 8, 0, 0);
        TTI_INCRWC(0, 8, 0, 0);
    }
}
