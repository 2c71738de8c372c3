# SPDX-License-Identifier: Apache-2.0
# sigmoid(x) = 1 / (1 + e^-x) by a table of three lines (SFPLUT), on Blackhole and Wormhole.
#
# Method    sigmoid(x) - 1/2 is odd. SFPLUT takes a line a |x| + c for each of |x| < 1, 1 <= |x| < 2
#           and 2 <= |x|; the last one is cut off at 1/2. The sign of x goes on that, and 1/2 is
#           added. Coefficients are bytes: sign, three bits e, four bits m mean (1 + m/16) 2^-e, and
#           FF is zero; a stands in the upper byte of the low half of L0, L1, L2, c in the lower.
# Accuracy  0.02 absolute: what lines with eight-bit coefficients give.
# Special   NaN and the infinities give 1 or 0 by their sign, for the cut-off works on magnitudes.
# Cycles    10 per row of 32 elements, 320 per tile, on both chips.
.title     "sigmoid by SFPLUT"
.dst       fp32
.reference sigmoid
.init
    .loadi    L0, float(-0.5)
    sfpconfig 14, 0, 0
    .loadi    L0, 0x3eff                    # 0.234375 |x|
    .loadi    L1, 0x3346                    # 0.1484375 |x| + 0.0859375
    .loadi    L2, 0x5a22                    # 0.05078125 |x| + 0.28125
.tile
ROW = 0
.rept 32
    sfpload   L3, ROW, 0, 3
    sfplut    L4, 0
    sfpnop
    sfpmov    L4, L4, 1                     # -v
    sfpswap   L4, L14, 9                    # max(-v, -1/2)
    sfpsetsgn L3, L4, 0, 0                  # its magnitude with the sign of x
    sfpaddi   L3, bf16(0.5), 0
    sfpnop
    sfpstore  L3, ROW, 0, 3
    ROW = ROW + 2
.endr
