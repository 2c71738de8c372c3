# SPDX-License-Identifier: Apache-2.0
# relu: max(x, 0), on Blackhole and Wormhole.
#
# Method    SFPSWAP orders two registers; L9 is the constant 0 and cannot be written, so L0 is left
#           with the larger of x and 0. The order is that of sign and magnitude: -0 gives +0, +NaN
#           stays NaN, -NaN gives 0.
# Accuracy  exact for all finite inputs and both infinities.
# Cycles    4 per row of 32 elements (SFPSWAP takes two), 128 per tile, on both chips.
.title     "relu: max(x, 0)"
.dst       fp32
.reference relu
.tile
ROW = 0
.rept 32
    sfpload  L0, ROW, 0, 3
    sfpswap  L0, L9, 9            # 9: the destination gets the maximum in all lanes
    sfpstore L0, ROW, 0, 3
    ROW = ROW + 2
.endr
