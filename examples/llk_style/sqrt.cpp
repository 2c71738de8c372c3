// SPDX-License-Identifier: Apache-2.0
// Square root by Goldschmidt's iteration; the method is that of examples/kernels/sqrt.s, whose
// results it gives bit for bit. The body of a row is recorded once in the replay buffer.
//
// tensix record sqrt.cpp --arch wh --init init --tile kernel --reference sqrt --start reset -o s.s
#include <tensix/ckernel_ops.h>

using namespace ckernel;
using namespace sfpi;

namespace {

constexpr std::uint32_t ROW_LENGTH = 28;

void load_constant(std::uint32_t lreg, std::uint32_t bits)
{
    TT_SFPLOADI(lreg, SFPLOADI_MOD0_UPPER, bits >> 16);
    TT_SFPLOADI(lreg, SFPLOADI_MOD0_LOWER, bits & 0xffff);
}

// h and r again and again: r = 1/2 + g h, then g += g r, h += h r.
void goldschmidt_residual()
{
    TTI_SFPMAD(p_sfpu::LREG2, p_sfpu::LREG3, p_sfpu::LREG12, p_sfpu::LREG1, 0);
}

void calculate_row()
{
    TTI_SFPLOAD(p_sfpu::LREG0, InstrModLoadStore::DEFAULT, ADDR_MOD_3, 0);
    TTI_SFPMOV(0, p_sfpu::LREG0, p_sfpu::LREG1, 0);
    TTI_SFPSHFT(-1 & 0xfff, 0, p_sfpu::LREG1, SFPSHFT_MOD1_ARG_IMM);
    TTI_SFPIADD(0, p_sfpu::LREG7, p_sfpu::LREG1,
                SFPIADD_MOD1_ARG_2SCOMP_LREG_DST | SFPIADD_MOD1_CC_NONE);
    TTI_SFPMUL(p_sfpu::LREG0, p_sfpu::LREG1, p_sfpu::LCONST_0, p_sfpu::LREG2, 0);
    TTI_SFPMUL(p_sfpu::LREG1, p_sfpu::LREG6, p_sfpu::LCONST_0, p_sfpu::LREG3, 0);
    TTI_SFPMUL(p_sfpu::LREG0, p_sfpu::LCONST_1, p_sfpu::LCONST_0, p_sfpu::LREG4, 0);
    goldschmidt_residual();
    TTI_SFPEXEXP(0, p_sfpu::LREG0, p_sfpu::LREG5, SFPEXEXP_MOD1_DEBIAS);
    TTI_SFPMAD(p_sfpu::LREG2, p_sfpu::LREG1, p_sfpu::LREG2, p_sfpu::LREG2, 0);
    TTI_SFPMAD(p_sfpu::LREG3, p_sfpu::LREG1, p_sfpu::LREG3, p_sfpu::LREG3, 0);
    TTI_SFPNOP;
    goldschmidt_residual();
    TTI_SFPNOP;
    TTI_SFPMAD(p_sfpu::LREG3, p_sfpu::LREG1, p_sfpu::LREG3, p_sfpu::LREG3, 0);
    TTI_SFPNOP;
    TTI_SFPSETSGN(0, p_sfpu::LREG3, p_sfpu::LREG3, SFPSETSGN_MOD1_ARG_IMM);
    TTI_SFPDIVP2(1, p_sfpu::LREG3, p_sfpu::LREG1, SFPDIVP2_MOD1_ADD);
    TTI_SFPMUL(p_sfpu::LREG0, p_sfpu::LREG1, p_sfpu::LCONST_0, p_sfpu::LREG2, 0);
    TTI_SFPSETSGN(1, p_sfpu::LREG3, p_sfpu::LREG3, SFPSETSGN_MOD1_ARG_IMM);
    goldschmidt_residual();
    TTI_SFPIADD(-128 & 0xfff, p_sfpu::LREG5, p_sfpu::LREG5,
                SFPIADD_MOD1_ARG_IMM | SFPIADD_MOD1_CC_LT0);
    TTI_SFPMAD(p_sfpu::LREG2, p_sfpu::LREG1, p_sfpu::LREG2, p_sfpu::LREG0, 0);
    TTI_SFPENCC(SFPENCC_IMM12_BOTH, 0, 0, SFPENCC_MOD1_EI_RI);
    TTI_SFPSETCC(0, p_sfpu::LREG4, 0, SFPSETCC_MOD1_LREG_LT0);
    TTI_SFPLOADI(p_sfpu::LREG0, SFPLOADI_MOD0_FLOATB, 0x7fc0);
    TTI_SFPENCC(SFPENCC_IMM12_BOTH, 0, 0, SFPENCC_MOD1_EI_RI);
    TTI_SFPSTORE(p_sfpu::LREG0, InstrModLoadStore::DEFAULT, ADDR_MOD_2, 0);
}

} // namespace

void init()
{
    // Address modifier 2 goes on to the next row; the store uses it.
    addr_mod_t{.srca = {}, .srcb = {}, .dest = {.incr = 2}}.set(ADDR_MOD_2);
    TTI_SFPENCC(SFPENCC_IMM12_BOTH, 0, 0, SFPENCC_MOD1_EI_RI);
    load_constant(p_sfpu::LREG7, 0x5f3759df);
    load_constant(p_sfpu::LREG6, 0xbf000000);
    load_constant(p_sfpu::LREG0, 0x3f000000);
    TTI_SFPCONFIG(0, SFPCONFIG_DEST_LREG12, SFPCONFIG_MOD1_SRC_R0_LREG0);
}

void kernel()
{
    load_replay_buf<Exec>(0, ROW_LENGTH, calculate_row);
    for (int row = 1; row < 32; row++) {
        lltt::replay(0, ROW_LENGTH);
    }
}
