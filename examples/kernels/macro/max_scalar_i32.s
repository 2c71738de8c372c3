# SPDX-License-Identifier: Apache-2.0
# Max(x, -100), int32 in two's complement, by SFPLOADMACRO, on Blackhole and Wormhole.
#
# Method    On inverted numbers: ~x ordered against ~-100 = 99, the result inverted back. Right
#           for all x.
# Schedule  One row of 32 elements; the next one starts 4 cycles later. * is scheduled by a macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfploadmacro
#               1                sfpnot
#               2                sfpswap
#               4                sfpnot*
#               5                                                          sfpstore*
# Cycles    4 per row, 130 per tile.
.title     "max(x, -100), int32 in two's complement"
.dst       int32
.init
.template  t1, sfpnot VD, L0
.sequence  1, simple=t1@3>L16 store@4<L16
.misc      mod0=0 load_mod0=0,1 instructions=simple,mad
.loadi L0, 99
    sfpconfig 12, 0, 0
    sfpnop
.tile
I = 0
.rept 32
    sfploadmacro 1, L0, I, 4, 3
    sfpnot       L0, L0
    sfpswap      L0, L12, 1
    sfpnop
    I = I + 2
.endr
    sfpnop
    sfpnop
