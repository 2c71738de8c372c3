# SPDX-License-Identifier: Apache-2.0
# E^x, about eight bits, for -88 < x < 88, by SFPLOADMACRO, on Blackhole and Wormhole.
#
# Method    2^15 int(x 256/ln 2 + bias) as the bits of the result.
# Schedule  One row of 32 elements; the next one starts 2 cycles later. * is scheduled by a macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfploadmacro
#               1                              sfpmad*
#               4                                            sfpstochrnd*
#               5                                            sfpshft2
#               6                sfpsetsgn*
#               7                                                          sfpstore*
# Cycles    2 per row, 70 per tile.
.title     "e^x, about eight bits, for -88 < x < 88"
.dst       bf16
.init
    sfpmad      L13, L12, L0, L13, 0
    sfpstochrnd L14, L0, L0, 0, 7, 0
    sfpsetsgn   L15, L4, 0, 0
.loadi L0, 0x731e85ef
    sfpconfig   4, 0, 0
    sfpconfig   8, 0xf00, 1
.loadi L0, float(369.329925537109375)
    sfpconfig 12, 0, 0
.loadi L0, float(32500.818359375)
    sfpconfig 13, 0, 0
.loadi L5, 15
    sfpnop
.tile
    sfploadmacro 0, L0, 0, 0, 3
    sfpnop
    sfploadmacro 0, L1, 2, 0, 3
    sfpnop
I = 0
.rept 7
    sfploadmacro 0, L2, I + 4, 0, 3
    sfpshft2     L4, L5, 0, 5
    sfploadmacro 0, L3, I + 6, 0, 3
    sfpshft2     L4, L5, 1, 5
    sfploadmacro 0, L0, I + 8, 0, 3
    sfpshft2     L4, L5, 2, 5
    sfploadmacro 0, L1, I + 10, 0, 3
    sfpshft2     L4, L5, 3, 5
    I = I + 8
.endr
    sfploadmacro 0, L2, 60, 0, 3
    sfpshft2     L4, L5, 0, 5
    sfploadmacro 0, L3, 62, 0, 3
    sfpshft2     L4, L5, 1, 5
    sfpnop
    sfpshft2     L4, L5, 2, 5
    sfpnop
    sfpshft2     L4, L5, 3, 5
    sfpnop
    sfpnop
