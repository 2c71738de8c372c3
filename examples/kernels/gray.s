# SPDX-License-Identifier: Apache-2.0
# The Gray code of integers of 32 bits, x ^ (x >> 1) (SFPXOR), on Blackhole and Wormhole.
#
# Method    a shift that draws in zeros, and the exclusive or. Neighbours differ in one bit.
# Cycles    5 per row of 32 elements, 160 per tile, on both chips.
.title     "Gray code"
.dst       uint32
.tile
ROW = 0
.rept 32
    sfpload   L0, ROW, 4, 3
    sfpmov    L1, L0, 0
    sfpshft   L1, L1, -1, 1
    sfpxor    L0, L1
    sfpstore  L0, ROW, 4, 3
    ROW = ROW + 2
.endr
