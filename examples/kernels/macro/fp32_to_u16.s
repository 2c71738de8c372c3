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
.dst       fp32
.out       uint16
.init
.template  t0, sfpswap VD, L9, 9
.template  t1, sfpstochrnd VD, L0, L0, 0, 6, 0
.sequence  0, simple=t0.vb@0 round=t1@2>L16 store@3<L16
.misc      mod0=6 instructions=simple
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
