# SPDX-License-Identifier: Apache-2.0
# Exponential moving average down the columns of each 32x32 tile, on Blackhole and Wormhole.
#
# Method    y[r] = 3/4 y[r-1] + x[r] / 4 from y = 0 on. A block is 16 rows of 8 columns in L0..L3, one
#           row of it a lane row. SFPTRANSP makes four rows in a row four registers, in which the
#           recurrence runs for the four groups of a block at once, each from 0. The last rows of the
#           groups, copied to L4..L7 and transposed, stand in all lane rows; added up in order they
#           are what each group should have begun with, E. Transposed again, E of a group stands in
#           its lane row, and (3/4)^k of it is added to the k-th row. The block below begins with
#           what the upper one leaves, in Dst tile 1 meanwhile: the fourth SFPTRANSP, with zeros
#           beside it, puts it into the first lane row alone.
# Order     inside a group y = 3/4 y + x/4, E(g+1) = 81/256 E(g) + last(g), y + (3/4)^k E(g): one
#           multiply-add each. x/4 and the powers of 3/4 are exact.
# Cycles    11.5 per row of 32 elements, 368 per tile, on both chips.
.title     "exponential moving average down the columns"
.dst       fp32
.init
    .loadi    L0, float(0.75)
    sfpconfig 12, 0, 0
    .loadi    L0, float(0.31640625)         # 81/256
    sfpconfig 13, 0, 0
.tile
# lower: 0 for the upper 16 rows, 1 for the lower ones
.macro block base, lower
    sfpload   L0, \base, 0, 3
    sfpload   L1, \base + 4, 0, 3
    sfpload   L2, \base + 8, 0, 3
    sfpload   L3, \base + 12, 0, 3
    sfptransp
    sfpmuli   L0, bf16(0.25), 0
    sfpmuli   L1, bf16(0.25), 0
.if \lower
    sfpload   L4, 64, 0, 3
    sfpadd    L0, L4, L0, 0
.endif
    sfpmuli   L2, bf16(0.25), 0
    sfpmuli   L3, bf16(0.25), 0
    sfpmad    L1, L12, L0, L1, 0
    sfpnop
    sfpmad    L2, L12, L1, L2, 0
    sfpnop
    sfpmad    L3, L12, L2, L3, 0
    sfpnop
    sfpmov    L4, L3, 0
    sfpmov    L5, L3, 0
    sfpmov    L6, L3, 0
    sfpmov    L7, L3, 0
    sfptransp                               # the last rows of the groups
    sfpmad    L5, L13, L4, L5, 0
    sfpnop
    sfpmad    L6, L13, L5, L6, 0
    sfpnop
.if !\lower
    sfpmad    L7, L13, L6, L7, 0
    sfpnop
    sfpstore  L7, 64, 0, 3
.endif
    sfpmov    L7, L6, 0                     # E of the groups
    sfpmov    L6, L5, 0
    sfpmov    L5, L4, 0
    sfpmov    L4, L9, 0
    sfptransp
    sfploadi  L5, bf16(0.5625), 0
    sfpmad    L0, L12, L4, L0, 0
    sfploadi  L6, bf16(0.421875), 0
    sfpmad    L1, L5, L4, L1, 0
    sfpmad    L2, L6, L4, L2, 0
    sfpmad    L3, L13, L4, L3, 0
.if !\lower
    sfpload   L4, 64, 0, 3
    sfpmuli   L4, bf16(0.75), 0
    sfpmov    L5, L9, 0
    sfpmov    L6, L9, 0
    sfpmov    L7, L9, 0
.else
    sfpnop
.endif
    sfptransp
    sfpstore  L0, \base, 0, 3
    sfpstore  L1, \base + 4, 0, 3
    sfpstore  L2, \base + 8, 0, 3
    sfpstore  L3, \base + 12, 0, 3
.if !\lower
    sfpstore  L4, 64, 0, 3
.endif
.endm
COLUMNS = 0
.rept 4                                     # left even, left odd, right even, right odd
    block (COLUMNS & 1) * 2 + (COLUMNS >> 1) * 16, 0
    block (COLUMNS & 1) * 2 + (COLUMNS >> 1) * 16 + 32, 1
    COLUMNS = COLUMNS + 1
.endr
