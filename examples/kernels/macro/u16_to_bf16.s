# SPDX-License-Identifier: Apache-2.0
# Uint16 to BF16, nearest, by SFPLOADMACRO, on Blackhole and Wormhole.
#
# Method    SFPCAST is exact, SFPSTOCHRND rounds.
# Schedule  One row of 32 elements; the next one starts in the next cycle. * is scheduled by a
#           macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfploadmacro
#               1                sfpcast*
#               2                                            sfpstochrnd*
#               3                                                          sfpstore*
# Cycles    1 per row, 35 per tile.
.title     "uint16 to BF16, nearest"
.dst       bf16
.init
.template  t0, sfpcast VD, L0, 0
.template  t1, sfpstochrnd VD, L0, L0, 0, 1, 0
.sequence  0, simple=t0@0 round=t1@1>L16 store@2<L16
.misc      mod0=0 instructions=simple
    sfpnop
.tile
I = 0
.rept 16
    sfploadmacro 0, L0, I, 6, 3
    sfploadmacro 0, L1, I + 2, 6, 3
    I = I + 4
.endr
    sfpnop
    sfpnop
    sfpnop
