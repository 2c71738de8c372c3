# SPDX-License-Identifier: Apache-2.0
# Cumulative sum down the columns of each 32x32 tile, on Blackhole and Wormhole.
#
# Method    y[r][c] = x[0][c] + ... + x[r][c]. A block is 16 rows of 8 columns (the even or odd ones
#           of a face) in L0..L3: element 4i+j of a column in register i, lane row j. SFPTRANSP
#           exchanges register and lane row, so that three additions make the sums of the four
#           groups of four, the totals being in L3. Copied to L4..L7 and transposed again, total i
#           stands in all lane rows of L4+i, and the columns are back in their places. The totals
#           are added up and to the groups behind them. The last one goes on to the 16 rows below
#           through constant register L11, which repeats its 8 values in every lane row.
# Order     of the roundings: inside a group from top to bottom; C0 = 0 or the carry from above,
#           C(g+1) = total(g) + Cg; y = (sum inside group g) + Cg.
# Accuracy  every addition is rounded to nearest even; sums of integers below 2^24 are exact.
# Cycles    6.875 per row of 32 elements, 220 per tile, on both chips.
.title     "cumulative sum down the columns"
.dst       fp32
.tile
# carry: 0 for the upper 16 rows, 1 for the lower ones
.macro block base, carry
    sfpload   L0, \base, 0, 3
    sfpload   L1, \base + 4, 0, 3
    sfpload   L2, \base + 8, 0, 3
    sfpload   L3, \base + 12, 0, 3
    sfptransp
    sfpadd    L1, L0, L1, 0
    sfpnop
    sfpadd    L2, L1, L2, 0
    sfpnop
    sfpadd    L3, L2, L3, 0
    sfpnop
    sfpmov    L4, L3, 0
    sfpmov    L5, L3, 0
    sfpmov    L6, L3, 0
    sfpmov    L7, L3, 0
    sfptransp
.if \carry
    sfpadd    L4, L11, L4, 0
    sfpadd    L0, L11, L0, 0
.endif
    sfpadd    L1, L4, L1, 0
    sfpadd    L5, L4, L5, 0
    sfpstore  L0, \base, 0, 3
    sfpadd    L2, L5, L2, 0
    sfpadd    L6, L5, L6, 0
    sfpstore  L1, \base + 4, 0, 3
    sfpadd    L3, L6, L3, 0
.if !\carry
    sfpadd    L7, L6, L7, 0
.endif
    sfpstore  L2, \base + 8, 0, 3
.if !\carry
    sfpmov    L0, L7, 0
    sfpconfig 11, 0, 0
.endif
    sfpstore  L3, \base + 12, 0, 3
.endm
COLUMNS = 0
.rept 4                                     # left even, left odd, right even, right odd
    block (COLUMNS & 1) * 2 + (COLUMNS >> 1) * 16, 0
    block (COLUMNS & 1) * 2 + (COLUMNS >> 1) * 16 + 32, 1
    COLUMNS = COLUMNS + 1
.endr
