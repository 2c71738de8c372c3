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
.dst       int16
.inputs    2
.init
    sfpshft2    L12, L0, -8, 6
    sfpcast     L13, L0, 0
    sfpshft2    L14, L0, 8, 6
    sfpiadd     L15, L1, 0, 4
.loadi L0, 0x3884000d
    sfpconfig   4, 0, 0
.loadi L0, 0x3838001d
    sfpconfig   5, 0, 0
.loadi L0, 0x388c0015
    sfpconfig   6, 0, 0
.loadi L0, 0x7bae00f7
    sfpconfig   7, 0, 0
    sfpconfig   8, 0xff0, 1
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
