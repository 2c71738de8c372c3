# SPDX-License-Identifier: Apache-2.0
# 1/x to seven bits, by SFPLOADMACRO, on Blackhole.
#
# Method    SFPARECIP.
# Schedule  One row of 32 elements; the next one starts in the next cycle. * is scheduled by a
#           macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfploadmacro
#               1                sfparecip*
#               2                                                          sfpstore*
# Cycles    1 per row, 34 per tile.
.arch      blackhole
.title     "1/x to seven bits"
.dst       fp32
.init
    sfparecip   L12, L0, 0
.loadi L0, 0x4b000044
    sfpconfig   4, 0, 0
    sfpconfig   8, 0x110, 1
    sfpnop
.tile
I = 0
.rept 32
    sfploadmacro 0, L0, I, 3, 3
    I = I + 2
.endr
    sfpnop
    sfpnop
