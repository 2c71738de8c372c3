# SPDX-License-Identifier: Apache-2.0
# Reshuffle: the rows of each 32x32 tile in reverse order, on Blackhole and Wormhole.
#
# Method    four rows lie in the four lane rows of a register. SFPTRANSP makes registers of them,
#           two exchanges (SFPSWAP mode 0) turn their order round, a second SFPTRANSP brings them
#           back. Groups of four change places by their addresses: all are loaded before any of the
#           places that they go to is written.
# Result    bit by bit what came in.
# Cycles    4 per row of 32 elements, 128 per tile, on both chips.
.title     "rows in reverse order"
.dst       fp32
.tile
# Four groups of one face's columns in L0..L3, each with its lane rows reversed.
.macro upside_down
    sfptransp
    sfpswap   L0, L3, 0
    sfpswap   L1, L2, 0
    sfptransp
.endm
.macro columns base
    sfpload   L0, \base, 4, 3
    sfpload   L1, \base + 4, 4, 3
    sfpload   L2, \base + 8, 4, 3
    sfpload   L3, \base + 12, 4, 3
    upside_down
    sfpmov    L4, L0, 0
    sfpmov    L5, L1, 0
    sfpmov    L6, L2, 0
    sfpmov    L7, L3, 0
    sfpload   L0, \base + 32, 4, 3
    sfpload   L1, \base + 36, 4, 3
    sfpload   L2, \base + 40, 4, 3
    sfpload   L3, \base + 44, 4, 3
    sfpstore  L4, \base + 44, 4, 3
    sfpstore  L5, \base + 40, 4, 3
    sfpstore  L6, \base + 36, 4, 3
    sfpstore  L7, \base + 32, 4, 3
    upside_down
    sfpstore  L0, \base + 12, 4, 3
    sfpstore  L1, \base + 8, 4, 3
    sfpstore  L2, \base + 4, 4, 3
    sfpstore  L3, \base, 4, 3
.endm
COLUMNS = 0
.rept 4                                     # left even, left odd, right even, right odd
    columns (COLUMNS & 1) * 2 + (COLUMNS >> 1) * 16
    COLUMNS = COLUMNS + 1
.endr
