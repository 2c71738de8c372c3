# SPDX-License-Identifier: Apache-2.0
# Low 16 bits of tile 0 times tile 1, result in tile 0, by SFPLOADMACRO, on Wormhole.
#
# Method    Bytes as FP32: a0 b0 + ((a0 b1 + a1 b0) << 8); 2^23 as addend leaves the sums in the
#           mantissas. b1 L0, a0 L1, b0 L2, a1 L3, out L4.
# Schedule  One row of 32 elements; the next one starts 12 cycles later. * is scheduled by a
#           macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfploadmacro
#               1  sfploadmacro                              sfpshft2*
#               2  sfploadmacro  sfpcast*
#               3                sfpand
#               4                sfpand
#               5  sfploadmacro  sfpcast*
#               6  sfploadmacro  sfpcast*
#               7                              sfpmad        sfpshft2*
#               8                sfpcast*      sfpmad
#               9                              sfpmad
#              10                sfpexman
#              11                sfpexman
#              12                                            sfpshft2*
#              13                sfpiadd*
#              14                                                          sfpstore*
# Idle      Unused sub-units have 0x38 in the sequence: select 0 with delay 7. Delay 0 would make
#           what is due in the next cycle be forgotten.
# Cycles    12 per row, 387 per tile.
.arch      wormhole_b0
.title     "low 16 bits of tile 0 times tile 1, result in tile 0"
.dst       uint16
.inputs    2
.init
.template  t0, sfpshft2 VD, L0, -8, 6
.template  t1, sfpcast VD, L0, 0
.template  t2, sfpshft2 VD, L0, 8, 6
.template  t3, sfpiadd VD, L1, 0, 4
.sequence  0, simple=t1@1 round=t0.vb@0 store=none@7
.sequence  1, simple=t1@3 round=none@7 store=none@7
.sequence  2, simple=t1@2 round=t0.vb@1 store=none@7
.sequence  3, simple=t3.vb@6>L16 round=t2.vb@5 store@7<L16
.misc      mod0=0 load_mod0=all instructions=all
.loadi L5, 0xff
.loadi L6, 0x4b000000
    sfpnop
.tile
I = 0
.rept 32
    sfploadmacro 0, L0, I + 64, 6, 3
    sfploadmacro 1, L1, I, 6, 3
    sfploadmacro 1, L2, I + 64, 6, 3
    sfpand       L1, L5
    sfpand       L2, L5
    sfploadmacro 2, L3, I, 6, 3
    sfploadmacro 3, L4, I + 1, 6, 3
    sfpmad       L0, L1, L0, L6, 0
    sfpmad       L1, L1, L2, L6, 0
    sfpmad       L0, L3, L2, L0, 0
    sfpexman     L1, L1, 1
    sfpexman     L4, L0, 1
    I = I + 2
.endr
    sfpnop
    sfpnop
    sfpnop
