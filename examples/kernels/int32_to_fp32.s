# SPDX-License-Identifier: Apache-2.0
# int32 to FP32, on Blackhole and Wormhole.
#
# Method    Integers stand in Dst as sign and magnitude, which is what SFPCAST converts, to nearest
#           even. The input is int32-sm, the result is read as FP32. For two's complement:
#           macro/i32_to_fp32.s.
# Accuracy  correctly rounded for every int32. (-2^31 has no sign-magnitude form; the host makes it
#           -2^31 + 1, which rounds to -2^31 again.)
# Cycles    3 per row of 32 elements, 96 per tile, on both chips.
.title     "int32 to FP32"
.dst       int32-sm
.out       fp32
.reference identity
.tile
ROW = 0
.rept 32
    sfpload  L0, ROW, 4, 3                  # 4: 32 bits as they stand
    sfpcast  L0, L0, 0
    sfpstore L0, ROW, 3, 3
    ROW = ROW + 2
.endr
