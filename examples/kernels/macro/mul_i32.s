# SPDX-License-Identifier: Apache-2.0
# Int32 times int32, modulo 2^32; tile 0 times tile 1, result in tile 0, by SFPLOADMACRO, on
# Blackhole.
#
# Method    Parts of 23 bits: lo(a0 b0) + ((hi(a0 b0) + a1 b0 + a0 b1) << 23). b0 then a0 L0, a1
#           L1, b1 L2, b L3, c L4.
# Schedule  One row of 32 elements; the next one starts 8 cycles later. * is scheduled by a macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfpload
#               1  sfploadmacro
#               2  sfploadmacro                              sfpshft2*
#               3  sfpload                     sfpmul24*     sfpshft2*
#               4  sfploadmacro                sfpmul24*
#               5                              sfpmul24
#               6                sfpiadd       sfpmul24*
#               7  sfploadmacro  sfpiadd*
#               8                sfpshft*
#               9                sfpiadd*
#              10                                                          sfpstore*
# Idle      Unused sub-units have 0x38 in the sequence: select 0 with delay 7. Delay 0 would make
#           what is due in the next cycle be forgotten.
# Cycles    8 per row, 259 per tile.
.arch      blackhole
.title     "int32 times int32, modulo 2^32; tile 0 times tile 1, result in tile 0"
.dst       int32
.inputs    2
.init
.template  t0, sfpshft2 VD, L0, -23, 6
.template  t1, sfpmul24 VD, L0, L0, 0
.template  t2, TTI_SFPSHFT(23, 2, VD, 5)
.template  t3, sfpiadd VD, L4, 0, 4
.sequence  0, simple=none@7 mad=t1.vb@1 round=t0.vb@0 store=none@7
.sequence  1, simple=t3.vb@4 mad=t1.vb@1 round=t0.vb@0 store=none@7
.sequence  2, simple=t3.vb@4>L16 mad=t1.vb@1 round=none@7 store=none@7
.sequence  3, simple=t2.vb@0 mad=none@7 round=none@7 store@2<L16
.misc      mod0=0 load_mod0=all instructions=all
    sfpnop
.tile
I = 0
.rept 32
    sfpload      L0, I + 64, 4, 3
    sfploadmacro 0, L1, I, 4, 3
    sfploadmacro 1, L2, I + 64, 4, 3
    sfpload      L0, I, 4, 3
    sfploadmacro 2, L3, I + 64, 4, 3
    sfpmul24     L4, L0, L3, 1
    sfpiadd      L2, L1, 0, 4
    sfploadmacro 3, L4, I + 1, 4, 3
    I = I + 2
.endr
    sfpnop
    sfpnop
    sfpnop
