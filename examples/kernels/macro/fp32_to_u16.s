# SPDX-License-Identifier: Apache-2.0
# FP32 to uint16, nearest, clamped at 0, by SFPLOADMACRO, on Blackhole and Wormhole.
#
# Method    max(v, 0) by SFPSWAP with L9, rounded by SFPSTOCHRND. v alternates between L0 and L1.
# Schedule  One row of 32 elements; the next one starts 2 cycles later. * is scheduled by a macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfploadmacro
#               1                sfpswap*
#               3                                            sfpstochrnd*
#               4                                                          sfpstore*
# Cycles    2 per row, 67 per tile.
.title     "FP32 to uint16, nearest, clamped at 0"
.dst       bf16
.init
    sfpswap     L12, L9, 9
    sfpstochrnd L13, L0, L0, 0, 6, 0
.loadi L0, 0x5b550084
    sfpconfig   4, 0, 0
    sfpconfig   8, 0x106, 1
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
    sfpnop
