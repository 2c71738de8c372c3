# SPDX-License-Identifier: Apache-2.0
# The number of leading zero bits of integers of 32 bits (SFPLZ), on Blackhole and Wormhole.
#
# Method    one instruction between a load and a store of all 32 bits as they are.
# Special   0 has 32 leading zeros; a number with bit 31 set has none.
# Cycles    3 per row of 32 elements, 96 per tile, on both chips.
.title     "leading zeros"
.dst       uint32
.tile
ROW = 0
.rept 32
    sfpload   L0, ROW, 4, 3
    sfplz     L0, L0, 0
    sfpstore  L0, ROW, 4, 3
    ROW = ROW + 2
.endr
