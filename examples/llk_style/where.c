// SPDX-License-Identifier: Apache-2.0
// where(c, a, b): a where c is not zero, else b; in C, which writes p_sfpu_LREG0 for p_sfpu::LREG0.
// The result is that of examples/kernels/where.s, bit for bit.
//
//     tensix record where.c --arch bh --init init --tile kernel --inputs 3 -o where.s
#include <tensix/ckernel_ops.h>

enum { TILE = 64 }; // Dst rows

static void init(void)
{
    TTI_SFPENCC(SFPENCC_IMM12_BOTH, 0, 0, SFPENCC_MOD1_EI_RI);
}

static void calculate_where(int row)
{
    TT_SFPLOAD(p_sfpu_LREG0, InstrModLoadStore_DEFAULT, ADDR_MOD_3, row);
    TTI_SFPSETSGN(0, p_sfpu_LREG0, p_sfpu_LREG0, SFPSETSGN_MOD1_ARG_IMM); // -0 is zero
    TTI_SFPPUSHC(0, 0, 0, SFPPUSHC_MOD1_PUSH);
    TTI_SFPSETCC(0, p_sfpu_LREG0, 0, SFPSETCC_MOD1_LREG_NE0);
    TT_SFPLOAD(p_sfpu_LREG1, InstrModLoadStore_DEFAULT, ADDR_MOD_3, TILE + row);
    TTI_SFPCOMPC(0, 0, 0, 0);
    TT_SFPLOAD(p_sfpu_LREG1, InstrModLoadStore_DEFAULT, ADDR_MOD_3, 2 * TILE + row);
    TTI_SFPPOPC(0, 0, 0, 0);
    TT_SFPSTORE(p_sfpu_LREG1, InstrModLoadStore_DEFAULT, ADDR_MOD_3, row);
}

static void kernel(void)
{
    for (int row = 0; row < TILE; row += 2) {
        calculate_where(row);
    }
}
