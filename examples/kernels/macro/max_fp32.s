# SPDX-License-Identifier: Apache-2.0
# Max(tile 0, tile 1), FP32, result in tile 0, by SFPLOADMACRO, on Blackhole and Wormhole.
#
# Method    SFPSWAP with L2; a alternates between L0 and L1.
# Schedule  One row of 32 elements; the next one starts 3 cycles later. * is scheduled by a macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfploadmacro
#               1  sfpload
#               2  sfploadmacro  sfpswap*
#               4                                            sfpshft2*
#               5                                                          sfpstore*
# Cycles    3 per row, 99 per tile.
.title     "max(tile 0, tile 1), FP32, result in tile 0"
.dst       fp32
.inputs    2
.init
.template  t0, sfpswap VD, L2, 9
.template  t1, sfpshft2 VD, L0, 0, 6
.sequence  0, simple=t0.vb@1 round=t1.vb@3>L16 store=none@7
.sequence  1, simple=none@7 mad=none@7 round=none@7 store@2<L16
.misc      mod0=0 load_mod0=0,1 instructions=simple,mad
    sfpnop
.tile
I = 0
.rept 16
    sfploadmacro 0, L0, I, 3, 3
    sfpload      L2, I + 64, 3, 3
    sfploadmacro 1, L3, I, 3, 3
    sfploadmacro 0, L1, I + 2, 3, 3
    sfpload      L2, I + 66, 3, 3
    sfploadmacro 1, L3, I + 2, 3, 3
    I = I + 4
.endr
    sfpnop
    sfpnop
    sfpnop
