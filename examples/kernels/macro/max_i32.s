# SPDX-License-Identifier: Apache-2.0
# Max(tile 0, tile 1), int32 in two's complement, result in tile 0, by SFPLOADMACRO, on Blackhole
# and Wormhole.
#
# Method    SFPSWAP orders sign-magnitude numbers; where both are negative the other one is taken.
#           Rows alternate between L0, L2 and L1, L3.
# Schedule  One row of 32 elements; the next one starts 5 cycles later. * is scheduled by a macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfploadmacro
#               1  sfploadmacro
#               4  sfploadmacro  sfpswap*
#               6                sfpsetcc*                   sfpshft2*
#               7                sfpsetcc
#               8                sfpencc                     sfpshft2*
#               9                                                          sfpstore*
# Cycles    5 per row, 165 per tile.
.title     "max(tile 0, tile 1), int32 in two's complement, result in tile 0"
.dst       int32
.inputs    2
.init
.template  t0, sfpswap VD, L2, 9
.template  t1, sfpswap VD, L3, 9
.template  t2, TTI_SFPSETCC(0, 0, VD, 0)
.template  t3, sfpshft2 VD, L0, 0, 6
.sequence  0, simple=t0.vb@3 round=t3.vb@5>L16 store=none@7
.sequence  1, simple=t1.vb@3 round=t3.vb@5>L16 store=none@7
.sequence  2, simple=t2@4 round=t3.vb@6>L16 store=none@7
.sequence  3, simple=none@7 mad=none@7 round=none@7 store@4<L16
.misc      mod0=0 load_mod0=all instructions=all
    sfpencc 3, 10
    sfpnop
.tile
    sfploadmacro 0, L0, 0, 4, 3
    sfploadmacro 2, L2, 64, 4, 3
    sfpnop
    sfpnop
    sfploadmacro 3, L4, 1, 4, 3
I = 0
.rept 15
    sfploadmacro 1, L1, I + 2, 4, 3
    sfploadmacro 2, L3, I + 66, 4, 3
    sfpsetcc     L0, 0, 0
    sfpencc      3, 10
    sfploadmacro 3, L4, I + 3, 4, 3
    sfploadmacro 0, L0, I + 4, 4, 3
    sfploadmacro 2, L2, I + 68, 4, 3
    sfpsetcc     L1, 0, 0
    sfpencc      3, 10
    sfploadmacro 3, L4, I + 5, 4, 3
    I = I + 4
.endr
    sfploadmacro 1, L1, 62, 4, 3
    sfploadmacro 2, L3, 126, 4, 3
    sfpsetcc     L0, 0, 0
    sfpencc      3, 10
    sfploadmacro 3, L4, 63, 4, 3
    sfpnop
    sfpnop
    sfpsetcc     L1, 0, 0
    sfpencc      3, 10
    sfpnop
