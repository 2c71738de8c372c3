# SPDX-License-Identifier: Apache-2.0
# Max(x, 0.75), by SFPLOADMACRO, on Blackhole and Wormhole.
#
# Method    SFPSWAP with L12; v alternates between L0 and L1.
# Schedule  One row of 32 elements; the next one starts 2 cycles later. * is scheduled by a macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfploadmacro
#               1                sfpswap*
#               3                                                          sfpstore*
# Cycles    2 per row, 66 per tile.
.title     "max(x, 0.75)"
.dst       fp32
.init
    sfpswap     L12, L12, 9
.loadi L0, 0x13000084
    sfpconfig   4, 0, 0
    sfpconfig   8, 0x110, 1
.loadi L0, float(0.75)
    sfpconfig 12, 0, 0
    sfpnop
.tile
I = 0
.rept 16
    sfploadmacro 0, L0, I, 3, 3
    sfpnop
    sfploadmacro 0, L1, I + 2, 3, 3
    sfpnop
    I = I + 4
.endr
    sfpnop
    sfpnop
