# SPDX-License-Identifier: Apache-2.0
# 2^x for BF16 in Dst, on Blackhole and Wormhole: tensix fit --form poly:4 --objective unrounded.
#
# Method    SFPSTOCHRND makes n + 127 of x, n the integer below, which shifted to the exponent is
#           2^n: 0 and infinity beyond the range. f = x - n; 2^f by a polynomial of degree 4. A NaN
#           stays one in FP32 only.
# Accuracy  0.499 ULP of BF16 from the unrounded function at most, over all inputs: rounded
#           correctly. NaN does not stay NaN.
# Cycles    16.5 per row of 32 elements, 2 rows at a time; Horner's form of polynomials.
.title     "exp2 by poly:4"
.dst       bf16
.reference exp2
least = float(-127)
bias = float(126.50001)
minus = float(-1)
.free e1 = float(0.69304484) in fp32
.free e2 = float(0.24128027) in fp32
.free e3 = float(0.05224233) in fp32
.free e4 = float(0.013426772) in bf16
.init
.loadi L0, least
    sfpconfig   11, 0, 0
.loadi L0, bias
    sfpconfig   13, 0, 0
.loadi L0, minus
    sfpconfig   12, 0, 0
.loadi L0, e1
    sfpconfig   14, 0, 0
.loadi L7, e2
.loadi L6, e3
.tile
ROW = 0
.rept 16
    sfpload     L0, ROW, 0, 3
    sfpload     L1, ROW + 2, 0, 3
    sfpswap     L0, L11, 9
    sfpswap     L1, L11, 9
    sfpadd      L2, L0, L13, 0
    sfpadd      L3, L1, L13, 0
    sfpstochrnd L2, L2, L2, 0, 2, 0
    sfpstochrnd L3, L3, L3, 0, 2, 0
    sfpcast     L4, L2, 0
    sfpcast     L5, L3, 0
    sfpaddi     L4, bf16(-127.0), 0
    sfpaddi     L5, bf16(-127.0), 0
    sfpmad      L0, L4, L12, L0, 0
    sfpmad      L1, L5, L12, L1, 0
    sfploadi    L4, e4, 0
    sfpmad      L5, L4, L0, L6, 0
    sfpmad      L4, L4, L1, L6, 0
    sfpmad      L5, L5, L0, L7, 0
    sfpmad      L4, L4, L1, L7, 0
    sfpmad      L5, L5, L0, L14, 0
    sfpmad      L4, L4, L1, L14, 0
    sfpmad      L0, L5, L0, L10, 0
    sfpmad      L1, L4, L1, L10, 0
    sfpshft     L2, L2, 23, 1
    sfpshft     L3, L3, 23, 1
    sfpmul      L0, L0, L2, 0
    sfpmul      L1, L1, L3, 0
    sfpstochrnd L0, L0, L0, 0, 1, 0
    sfpstochrnd L1, L1, L1, 0, 1, 0
    sfpstore    L0, ROW, 0, 3
    sfpstore    L1, ROW + 2, 0, 3
    ROW = ROW + 4
.endr
