# SPDX-License-Identifier: Apache-2.0
# 1 where x <= y, else 0, two inputs (SFPLE), on Blackhole.
#
# Method    SFPLE puts all ones into the register where the order holds, and an AND with the bits of
#           1.0 makes a number of that. The order is that of sign and magnitude: integers as they
#           stand, and floats too, -0 below +0 and NaN beyond the infinity of its sign.
# Cycles    5 per row of 32 elements, 160 per tile.
.title     "x <= y"
.arch      blackhole
.dst       fp32
.inputs    2
.tile
ROW = 0
.rept 32
    sfpload   L0, ROW, 4, 3
    sfpload   L1, 64 + ROW, 4, 3
    sfple     L0, L1, 0, 8                  # L0 <= L1: all ones
    sfpand    L0, L0, L10, 0
    sfpstore  L0, ROW, 4, 3
    ROW = ROW + 2
.endr
