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
    sfpswap     L12, L2, 9
    sfpshft2    L13, L0, 0, 6
.loadi L0, 0x38dd008c
    sfpconfig   4, 0, 0
.loadi L0, 0x53383838
    sfpconfig   5, 0, 0
    sfpconfig   8, 0x330, 1
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
