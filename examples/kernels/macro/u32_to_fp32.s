# SPDX-License-Identifier: Apache-2.0
# Uint32 to FP32, nearest, by SFPLOADMACRO, on Blackhole and Wormhole.
#
# Method    fp32 of the low 31 bits, plus 2^31 or 0 picked by L7 = v >> 31.
# Schedule  One row of 32 elements; the next one starts 3 cycles later. * is scheduled by a macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfploadmacro
#               1  sfploadmacro  sfpsetsgn*
#               2  sfploadmacro  sfpcast*
#               3                                            sfpshft2*
#               4                              sfpmad*
#               6                                                          sfpstore*
# Idle      Unused sub-units have 0x38 in the sequence: select 0 with delay 7. Delay 0 would make
#           what is due in the next cycle be forgotten.
# Cycles    3 per row, 100 per tile.
.title     "uint32 to FP32, nearest"
.dst       fp32
.init
.template  t0, sfpsetsgn VD, L0, 0, 1
.template  t1, sfpcast VD, L2, 0
.template  t2, sfpshft2 VD, L0, -31, 6
.template  t3, sfpmad VD, L0, L10, L0, 4
.sequence  0, simple=t0@0 mad=none@7 round=none@7 store=none@7
.sequence  1, simple=t1.vb@0 mad=t3@2>L16 round=none@7 store=none@7
.sequence  2, simple=none@7 mad=none@7 round=t2.vb@0 store@3<L16
.misc      mod0=3 instructions=simple,mad,round
.loadi L0, 0
.loadi L1, float(2147483648)
.loadi L5, -31
    sfpnop
.tile
I = 0
.rept 32
    sfploadmacro 0, L2, I, 4, 3
    sfploadmacro 1, L3, I, 4, 3
    sfploadmacro 2, L7, I + 1, 4, 3
    I = I + 2
.endr
    sfpnop
    sfpnop
    sfpnop
    sfpnop
