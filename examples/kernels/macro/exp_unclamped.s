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
.template  t1, sfpmad VD, L12, L0, L13, 0
.template  t2, sfpstochrnd VD, L0, L0, 0, 7, 0
.template  t3, sfpsetsgn VD, L4, 0, 0
.sequence  0, simple=t3.vb@5>L16 mad=t1.vb@0 round=t2@3 store@6<L16
.misc      mod0=0 instructions=all
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
