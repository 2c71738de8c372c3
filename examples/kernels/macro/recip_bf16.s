# SPDX-License-Identifier: Apache-2.0
# 1/x for BF16, by SFPLOADMACRO, on Blackhole.
#
# Method    y = approximation with 0x8000, half a unit, put below it by way of Dst; e = x y - 1;
#           the sign of e, taken back as raw 16 bits, carries into y or does not. x is copied to
#           L1, the register that L7 names.
# Schedule  One row of 32 elements; the next one starts 3 cycles later. * is scheduled by a macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfploadmacro
#               1                sfparecip*    sfpmad*                     sfpstore*
#               2  sfploadmacro
#               3                              sfpmad*
#               5                                                          sfpstore*
#               7  sfploadmacro
#               8                sfpiadd*
#               9                                                          sfpstore*
# Idle      Unused sub-units have 0x38 in the sequence: select 0 with delay 7. Delay 0 would make
#           what is due in the next cycle be forgotten.
# Cycles    3 per row, 103 per tile.
.arch      blackhole
.title     "1/x for BF16"
.dst       bf16
.init
.template  t0, sfparecip VD, L0, 0
.template  t1, sfpmad VD, L9, L10, L0, 8
.template  t2, sfpmad VD, L1, L0, L11, 0
.template  t3, sfpiadd VD, L2, 0, 4
.sequence  0, simple=t0@0 mad=t1@0 store.vd@0
.sequence  1, simple=t3.vb@5>L16 mad=t2.vb@0>L16 store@2<L16
.sequence  2, simple=none@7 mad=none@7 store@1<L16
.misc      mod0=0 instructions=simple,mad,round
.loadi L0, 0x80000000
.loadi L7, 1
    sfpnop
.tile
    sfploadmacro 0, L3, 0, 2, 3
    sfpnop
    sfploadmacro 1, L3, 0, 14, 3
    sfploadmacro 0, L4, 3, 2, 3
    sfpnop
    sfploadmacro 1, L4, 3, 14, 3
I = 0
.rept 10
    sfploadmacro 0, L5, I + 5, 2, 3
    sfploadmacro 2, L2, I, 6, 3
    sfploadmacro 1, L5, I + 5, 14, 3
    sfploadmacro 0, L3, I + 6, 2, 3
    sfploadmacro 2, L2, I + 2, 6, 3
    sfploadmacro 1, L3, I + 6, 14, 3
    sfploadmacro 0, L4, I + 9, 2, 3
    sfploadmacro 2, L2, I + 4, 6, 3
    sfploadmacro 1, L4, I + 9, 14, 3
    I = I + 6
.endr
    sfpnop
    sfploadmacro 2, L2, 60, 6, 3
    sfpnop
    sfpnop
    sfploadmacro 2, L2, 62, 6, 3
    sfpnop
    sfpnop
