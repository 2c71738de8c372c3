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
    sfpsetsgn   L12, L0, 0, 1
    sfpcast     L13, L2, 0
    sfpshft2    L14, L0, -31, 6
    sfpmad      L15, L0, L10, L0, 4
.loadi L0, 0x38383804
    sfpconfig   4, 0, 0
.loadi L0, 0x38385785
    sfpconfig   5, 0, 0
.loadi L0, 0x5b863838
    sfpconfig   6, 0, 0
    sfpconfig   8, 0x703, 1
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
