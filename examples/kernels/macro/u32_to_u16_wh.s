# SPDX-License-Identifier: Apache-2.0
# Uint32 in two 16-bit tiles to uint16, clamped, by SFPLOADMACRO, on Wormhole.
#
# Method    Tile 0 holds the low halves, tile 1 the high ones. (0 - a) >> 16 is 0xffff for a > 0,
#           or'ed into b.
# Schedule  One row of 32 elements; the next one starts 2 cycles later. * is scheduled by a macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfploadmacro
#               1                sfpiadd*
#               2                                            sfpshft2*
#               3  sfploadmacro
#               4                sfpor*
#               5                                                          sfpstore*
# Cycles    2 per row, 68 per tile.
.arch      wormhole_b0
.title     "uint32 in two 16-bit tiles to uint16, clamped"
.dst       int16
.inputs    2
.init
.template  t0, sfpiadd VD, L9, 0, 6
.template  t1, sfpshft2 VD, L0, -16, 6
.template  t2, sfpor VD, L0
.template  t3, sfpor VD, L1
.sequence  0, simple=t0.vb@0 round=t1.vb@1 store=none@7
.sequence  1, simple=t2.vb@0>L16 round=none@7 store@1<L16
.sequence  2, simple=t3.vb@0>L16 round=none@7 store@1<L16
.misc      mod0=6 instructions=simple,mad,round
    sfpnop
.tile
    sfploadmacro 0, L0, 64, 6, 3
    sfpnop
I = 0
.rept 15
    sfploadmacro 0, L1, I + 66, 6, 3
    sfploadmacro 1, L2, I, 6, 3
    sfploadmacro 0, L0, I + 68, 6, 3
    sfploadmacro 2, L2, I + 2, 6, 3
    I = I + 4
.endr
    sfploadmacro 0, L1, 126, 6, 3
    sfploadmacro 1, L2, 60, 6, 3
    sfpnop
    sfploadmacro 2, L2, 62, 6, 3
    sfpnop
    sfpnop
