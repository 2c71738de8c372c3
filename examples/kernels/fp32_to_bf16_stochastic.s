# SPDX-License-Identifier: Apache-2.0
# FP32 rounded to BF16 at random, on Blackhole and Wormhole.
#
# Method    SFPSTOCHRND FP32 -> BF16 with rounding mode 1. Let d be the 16 bits that go and P the
#           low 23 bits of the lane's random state: the result is the next BF16 away from zero where
#           d >= P >> 7, else x truncated. So x goes up with probability (d + 1) / 65536, one part
#           in 65536 too often: exact values move, too, which is the hardware's doing (spec:
#           stochastic rounding).
# Result    FP32 words whose low half is zero. Denormals and zeros give +0, NaN the infinity of its
#           sign.
# Random    tensix run --seed N; every tile gets a seed of its own.
# Accuracy  below 1 ULP of BF16, unbiased but for the 2^-16 above.
# Cycles    3 per row of 32 elements, 96 per tile, on both chips.
.title     "FP32 to BF16, stochastic rounding"
.dst       fp32
.tile
ROW = 0
.rept 32
    sfpload     L0, ROW, 3, 3
    sfpstochrnd L0, L0, L0, 0, 1, 1         # to BF16; the last operand chooses the random threshold
    sfpstore    L0, ROW, 3, 3
    ROW = ROW + 2
.endr
