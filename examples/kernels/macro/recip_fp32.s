# SPDX-License-Identifier: Apache-2.0
# 1/x for FP32, by SFPLOADMACRO, on Blackhole.
#
# Method    y = approximation, e = 1 - x y, y (1 + e + e^2 + e^3); the polynomial is clamped at 1,
#           which also catches the NaN of 0 and infinity. Approximation and e pass through Dst. e
#           L0, t L1, z L2, y L3. The result stays in z, so that a pause in the issue cannot mix
#           rows.
# Schedule  One row of 32 elements; the next one starts 5 cycles later. * is scheduled by a macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfploadmacro
#               1                sfparecip*
#               2  sfploadmacro
#               3                sfparecip*    sfpmad
#               5                              sfpmad*                     sfpstore*
#               6  sfploadmacro
#               7                              sfpmad*                     sfpstore*
#               9  sfploadmacro  sfpswap*
#              11                              sfpmad*
#              13                                                          sfpstore*
# Idle      Unused sub-units have 0x38 in the sequence: select 0 with delay 7. Delay 0 would make
#           what is due in the next cycle be forgotten.
# Cycles    5 per row, 169 per tile.
.arch      blackhole
.title     "1/x for FP32"
.dst       fp32
.init
    sfparecip   L12, L0, 0
    sfpmad      L13, L0, L0, L0, 0
    sfpmad      L14, L1, L0, L2, 0
    sfpswap     L15, L10, 1
.loadi L0, 0x73383804
    sfpconfig   4, 0, 0
.loadi L0, 0x13381544
    sfpconfig   5, 0, 0
.loadi L0, 0x38380697
    sfpconfig   6, 0, 0
.loadi L0, 0x1b388e38
    sfpconfig   7, 0, 0
    sfpconfig   8, 0xff0, 1
    sfpnop
.tile
    sfploadmacro 0, L3, 0, 3, 3
    sfpnop
    sfploadmacro 1, L0, 0, 3, 3
    sfpmad       L0, L0, L3, L10, 1
    sfpnop
I = 0
.rept 31
    sfploadmacro 0, L3, I + 2, 3, 3
    sfploadmacro 2, L1, I, 3, 3
    sfploadmacro 1, L0, I + 2, 3, 3
    sfpmad       L0, L0, L3, L10, 1
    sfploadmacro 3, L2, I, 3, 3
    I = I + 2
.endr
    sfpnop
    sfploadmacro 2, L1, 62, 3, 3
    sfpnop
    sfpnop
    sfploadmacro 3, L2, 62, 3, 3
    sfpnop
    sfpnop
    sfpnop
    sfpnop
