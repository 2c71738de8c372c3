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
    sfpcast     L12, L0, 0
    sfpstochrnd L13, L0, L0, 0, 1, 0
.loadi L0, 0x534d0004
    sfpconfig   4, 0, 0
    sfpconfig   8, 0x100, 1
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
