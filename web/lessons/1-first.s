# SPDX-License-Identifier: Apache-2.0
.title     "x * x"
.dst       fp32
.tile
ROW = 0
.rept 32                      # a tile has 32 rows of 32 elements
    sfpload  L0, ROW, 0, 3    # L0: one row of Dst, an element in each lane
    sfpmul   L1, L0, L0, 0    # L1 = L0 * L0
    sfpnop                    # a product takes two cycles
    sfpstore L1, ROW, 0, 3    # back into Dst
    ROW = ROW + 2
.endr
