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
.template  t0, sfparecip VD, L0, 0
.template  t1, sfpmad VD, L0, L0, L0, 0
.template  t2, sfpmad VD, L1, L0, L2, 0
.template  t3, sfpswap VD, L10, 1
.sequence  0, simple=t0@0 mad=none@7 round=none@7 store@6<L16
.sequence  1, simple=t0@0>L16 mad=t1@2 round=none@7 store@2
.sequence  2, simple=t3.vb@2 mad=t2@0 round=none@7 store=none@7
.sequence  3, simple=none@7 mad=t2.vb@1 round=none@7 store@3
.misc      mod0=0 load_mod0=all instructions=all
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
