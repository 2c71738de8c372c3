# SPDX-License-Identifier: Apache-2.0
# tanh(x) from a table, on Blackhole and Wormhole.
#
# Method    SFPLUTFP32 with six FP16 entries: a |x| + c on [0, 0.5) [0.5, 1) [1, 1.5) [1.5, 2) [2,
#           4) [4, Inf), the sign of x put back (mode 7). Slopes are halves of L0..L2, offsets
#           halves of L4..L6; each piece is the minimax line of tanh, the first one through 0, the
#           last one constant 1. FP16 zero is written 0x7c00: exponent 31 reads as zero there,
#           0x0000 as 2^-15. The next row is loaded while the table works, so that no cycle is lost
#           to its latency of two.
# Accuracy  max absolute error 0.0119; relative 0.058 for small x (slope 0.943). NaN gives NaN, and
#           so do infinities (0 times Inf).
# Cycles    3 per row of 32 elements and one to begin with: 97 per tile, on both chips.
.title     "tanh(x) through SFPLUTFP32"
.dst       fp32
.reference tanh
.init
.loadi L0, fp16(0.59895399) << 16 | fp16(0.94272513)
.loadi L1, fp16(0.11775865) << 16 | fp16(0.28710819)
.loadi L2, 0x7c00 << 16           | fp16(0.01765085)
.loadi L4, fp16(0.17428865) << 16 | 0x7c00
.loadi L5, fp16(0.73192206) << 16 | fp16(0.48196557)
.loadi L6, fp16(1.0) << 16        | fp16(0.93603844)
.tile
ROW = 0
    sfpload    L3, 0, 0, 3
.rept 31
    sfplutfp32 L7, 7
    sfpload    L3, ROW + 2, 0, 3
    sfpstore   L7, ROW, 0, 3
    ROW = ROW + 2
.endr
    sfplutfp32 L7, 7
    sfpnop
    sfpstore   L7, ROW, 0, 3
