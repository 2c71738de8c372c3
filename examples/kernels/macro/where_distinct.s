# SPDX-License-Identifier: Apache-2.0
# Where(tile 0, tile 1, tile 2), result in tile 3, by SFPLOADMACRO, on Blackhole and Wormhole.
#
# Method    As where.s, but the result goes to a tile of its own, so that a store with its own
#           address follows the masked load.
# Schedule  One row of 32 elements; the next one starts 4 cycles later. * is scheduled by a macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfploadmacro
#               1  sfploadmacro  sfpsetcc*
#               2  sfpload       sfpencc*
#               3                                                          sfpstore
# Cycles    4 per row, 128 per tile.
.title     "where(tile 0, tile 1, tile 2), result in tile 3"
.dst       fp32
.inputs    3
.output    3
.init
.template  t0, TTI_SFPSETCC(0, 0, VD, 6)
.template  t1, TTI_SFPENCC(3, 0, VD, 10)
.sequence  1, simple=t0@0
.sequence  2, simple=t1@0
.misc      mod0=0 load_mod0=0,1,2 instructions=simple,mad,round
    sfpencc 3, 10
    sfpnop
.tile
I = 0
.rept 32
    sfploadmacro 1, L0, I, 4, 3
    sfploadmacro 2, L0, I + 64, 4, 3
    sfpload      L0, I + 128, 4, 3
    sfpstore     L0, I + 192, 4, 3
    I = I + 2
.endr
