# SPDX-License-Identifier: Apache-2.0
# Mean and variance of each column of 32x32 tiles by Welford's update, on Blackhole and Wormhole.
#
# Method    each lane row takes every fourth row of a column, eight numbers one after another:
#           d = x - mean, mean += d / n, M2 += d (x - mean), with 1/n as constants. Four equal parts
#           are then brought into registers by SFPTRANSP and merged pair by pair: with d the
#           difference of two means of n numbers each, mean = (m + m') / 2, M2 = M2 + M2' + d^2 n / 2.
# Result    rows 0 to 3 hold the mean, rows 4 to 7 the population variance M2 / 32; the others keep
#           their input.
# Accuracy  4 parts in 10^7 of the largest number for the mean, of its square for the variance.
# Cycles    14.25 per row of 32 elements, 456 per tile, on both chips.
.title     "mean and variance of columns"
.dst       fp32
.tile
# L4 mean, L5 M2; one more number, the n-th.
.macro update address, reciprocal
    sfpload   L0, \address, 0, 3
    .loadi    L3, \reciprocal
    sfpmad    L1, L4, L11, L0, 0            # d = x - mean
    sfpnop
    sfpmad    L4, L1, L3, L4, 0             # mean += d / n
    sfpnop
    sfpmad    L2, L4, L11, L0, 0            # x - mean
    sfpnop
    sfpmad    L5, L1, L2, L5, 0             # M2 += d (x - mean)
.endm
# Means m and m', sums s and s' of n numbers each: into m and s.
.macro merge m, s, other_m, other_s, half_n
    sfpadd    \s, \s, \other_s, 0
    sfpmad    \other_s, \m, L11, \other_m, 0 # d = m' - m
    sfpadd    \m, \m, \other_m, 0
    sfpmul    \other_s, \other_s, \other_s, 0
    sfpmuli   \m, bf16(0.5), 0
    sfpmuli   \other_s, bf16(\half_n), 0
    sfpnop
    sfpadd    \s, \s, \other_s, 0
.endm
.macro columns base
    sfpload   L4, \base, 0, 3               # the first number is the mean
    sfpmov    L5, L9, 0
    update    \base + 4, float(0.5)
    update    \base + 8, float(0.33333334)
    update    \base + 12, float(0.25)
    update    \base + 32, float(0.2)
    update    \base + 36, float(0.16666667)
    update    \base + 40, float(0.14285715)
    update    \base + 44, float(0.125)
    sfpmov    L0, L4, 0                     # four means in the lane rows of L0
    sfpmov    L4, L5, 0                     # and four sums in those of L4
    sfpmov    L1, L9, 0
    sfpmov    L2, L9, 0
    sfpmov    L3, L9, 0
    sfpmov    L5, L9, 0
    sfpmov    L6, L9, 0
    sfpmov    L7, L9, 0
    sfptransp                               # now in lane row 0 of L0..L3 and of L4..L7
    merge     L0, L4, L1, L5, 4.0
    merge     L2, L6, L3, L7, 4.0
    sfpnop
    merge     L0, L4, L2, L6, 8.0
    sfpnop
    sfpmuli   L4, bf16(0.03125), 0
    sfpmov    L1, L0, 0
    sfpmov    L2, L0, 0
    sfpmov    L3, L0, 0
    sfpmov    L5, L4, 0
    sfpmov    L6, L4, 0
    sfpmov    L7, L4, 0
    sfptransp
    sfpstore  L0, \base, 0, 3
    sfpstore  L4, \base + 4, 0, 3
.endm
COLUMNS = 0
.rept 4                                     # left even, left odd, right even, right odd
    columns (COLUMNS & 1) * 2 + (COLUMNS >> 1) * 16
    COLUMNS = COLUMNS + 1
.endr
