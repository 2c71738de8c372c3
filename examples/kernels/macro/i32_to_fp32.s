# SPDX-License-Identifier: Apache-2.0
# Int32 to FP32, nearest, by SFPLOADMACRO, on Blackhole and Wormhole.
#
# Method    t = fp32(|v|) with the sign of v. |-2^31| is the sign-magnitude number -0: L7 = |v| >>
#           31 picks the addend -2^31 or 0.
# Schedule  One row of 32 elements; the next one starts 4 cycles later. * is scheduled by a macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfploadmacro
#               1                sfpabs
#               2                                            sfpshft2
#               3                sfpcast
#               4                sfpsetsgn*
#               5                              sfpmad*
#               7                                                          sfpstore*
# Cycles    4 per row, 132 per tile.
.title     "int32 to FP32, nearest"
.dst       fp32
.init
    sfpsetsgn   L12, L4, 0, 0
    sfpmad      L13, L0, L10, L0, 4
.loadi L0, 0x7300659c
    sfpconfig   4, 0, 0
    sfpconfig   8, 0x103, 1
.loadi L0, 0
.loadi L1, float(-2147483648)
.loadi L5, -31
    sfpnop
.tile
I = 0
.rept 16
    sfploadmacro 0, L2, I, 4, 3
    sfpabs       L4, L2, 0
    sfpshft2     L7, L5, 4, 5
    sfpcast      L4, L4, 0
    sfploadmacro 0, L3, I + 2, 4, 3
    sfpabs       L4, L3, 0
    sfpshft2     L7, L5, 4, 5
    sfpcast      L4, L4, 0
    I = I + 4
.endr
    sfpnop
    sfpnop
    sfpnop
    sfpnop
