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
    sfpiadd     L12, L9, 0, 6
    sfpshft2    L13, L0, -16, 6
    sfpor       L14, L0
    sfpor       L15, L1
.loadi L0, 0x388d0084
    sfpconfig   4, 0, 0
.loadi L0, 0x4b3800c6
    sfpconfig   5, 0, 0
.loadi L0, 0x4b3800c7
    sfpconfig   6, 0, 0
    sfpconfig   8, 0x706, 1
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
