# SPDX-License-Identifier: Apache-2.0
# Column sums of each 32x32 tile in all rows of its first four, on Blackhole and Wormhole.
#
# Method    a column lies in eight registers of four lane rows. Seven additions leave four partial
#           sums, one a lane row; SFPTRANSP brings them into four registers, where three more
#           additions finish. Copied to four registers and transposed, the sum stands in every lane
#           row. Rows 0 to 3 of the result hold it, the others keep their input.
# Order     p(j) = ((((((x[j] + x[j+4]) + x[j+8]) ... + x[j+28]), then ((p0 + p1) + p2) + p3.
# Accuracy  every addition is rounded to nearest even; sums of integers below 2^24 are exact.
# Cycles    3.875 per row of 32 elements, 124 per tile, on both chips.
.title     "column sums"
.dst       fp32
.tile
.macro columns base
    sfpload   L0, \base, 0, 3
    sfpload   L1, \base + 4, 0, 3
    sfpload   L2, \base + 8, 0, 3
    sfpadd    L0, L0, L1, 0
    sfpload   L3, \base + 12, 0, 3
    sfpadd    L0, L0, L2, 0
    sfpload   L4, \base + 32, 0, 3
    sfpadd    L0, L0, L3, 0
    sfpload   L5, \base + 36, 0, 3
    sfpadd    L0, L0, L4, 0
    sfpload   L6, \base + 40, 0, 3
    sfpadd    L0, L0, L5, 0
    sfpload   L7, \base + 44, 0, 3
    sfpadd    L0, L0, L6, 0
    sfpnop
    sfpadd    L0, L0, L7, 0
    sfpmov    L1, L9, 0
    sfpmov    L2, L9, 0
    sfpmov    L3, L9, 0
    sfptransp                               # lane row 0 of L0..L3: the four partial sums
    sfpadd    L0, L0, L1, 0
    sfpnop
    sfpadd    L0, L0, L2, 0
    sfpnop
    sfpadd    L0, L0, L3, 0
    sfpnop
    sfpmov    L1, L0, 0
    sfpmov    L2, L0, 0
    sfpmov    L3, L0, 0
    sfptransp
    sfpstore  L0, \base, 0, 3
.endm
COLUMNS = 0
.rept 4                                     # left even, left odd, right even, right odd
    columns (COLUMNS & 1) * 2 + (COLUMNS >> 1) * 16
    COLUMNS = COLUMNS + 1
.endr
