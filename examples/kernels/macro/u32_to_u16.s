# SPDX-License-Identifier: Apache-2.0
# Uint32 in two 16-bit tiles to uint16, clamped, by SFPLOADMACRO, on Blackhole.
#
# Method    Tile 0 holds the low halves, tile 1 the high ones. a = high half > 0 ? all ones : 0,
#           or'ed into b.
# Schedule  One row of 32 elements; the next one starts 2 cycles later. * is scheduled by a macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfploadmacro
#               1  sfploadmacro  sfpgt*
#               2                sfpor*
#               3                                                          sfpstore*
# Cycles    2 per row, 66 per tile.
.arch      blackhole
.title     "uint32 in two 16-bit tiles to uint16, clamped"
.dst       int16
.inputs    2
.init
.template  t0, sfpgt VD, L9, 0, 8
.template  t1, sfpor VD, L0, L0, 0
.sequence  0, simple=t0.vb@0 store=none@7
.sequence  1, simple=t1.vb@0 store@1
.misc      mod0=6 instructions=simple
    sfpnop
.tile
I = 0
.rept 32
    sfploadmacro 0, L0, I + 64, 6, 3
    sfploadmacro 1, L1, I, 6, 3
    I = I + 2
.endr
    sfpnop
    sfpnop
