# SPDX-License-Identifier: Apache-2.0
# 2^x for FP32 in Dst, on Blackhole and Wormhole: tensix fit --form poly:7 --objective unrounded.
#
# Method    SFPSTOCHRND makes n + 127 of x, n the nearest integer, which shifted to the exponent is
#           2^n: 0 beyond the range; n ends at 127, and f goes on. f = x - n; 2^f by a polynomial of
#           degree 7.
# Accuracy  0.896 ULP of FP32 from the unrounded function at most, over all 2^32 inputs. A NaN with
#           a sign gives zero.
# Cycles    23.5 per row of 32 elements, 2 rows at a time; Horner's form of polynomials.
.title     "exp2 by poly:7"
.dst       fp32
.reference exp2
least = float(-127)
bias = bf16(128)
minus = float(-1)
.free e1 = float(0.69314712) in fp32
.free e2 = float(0.24022637) in fp32
.free e3 = float(0.055504594) in fp32
.free e4 = float(0.0096188467) in fp32
.free e5 = float(0.0013314753) in fp32
.free e6 = float(0.00015332468) in fp32
.free e7 = float(1.8260629e-05) in fp32
.init
.loadi L0, least
    sfpconfig   11, 0, 0
.loadi L0, minus
    sfpconfig   12, 0, 0
.loadi L0, e1
    sfpconfig   13, 0, 0
.loadi L0, e2
    sfpconfig   14, 0, 0
.loadi L7, e3
.tile
ROW = 0
.rept 16
    sfpload     L0, ROW, 0, 3
    sfpload     L1, ROW + 2, 0, 3
    sfpswap     L0, L11, 9
    sfpswap     L1, L11, 9
    sfploadi    L2, bias, 0
    sfpadd      L3, L0, L2, 0
    sfpadd      L2, L1, L2, 0
    sfpstochrnd L3, L3, L3, 0, 2, 0
    sfpstochrnd L2, L2, L2, 0, 2, 0
    sfpiadd     L3, L3, -1, 5
    sfpiadd     L2, L2, -1, 5
    sfpcast     L4, L3, 0
    sfpcast     L5, L2, 0
    sfpaddi     L4, bf16(-127.0), 0
    sfpaddi     L5, bf16(-127.0), 0
    sfpmad      L0, L4, L12, L0, 0
    sfploadi    L4, hi16(e6), 8
    sfploadi    L6, hi16(e7), 8
    sfpmad      L1, L5, L12, L1, 0
    sfploadi    L4, lo16(e6), 10
    sfploadi    L6, lo16(e7), 10
    sfpmad      L5, L6, L0, L4, 0
    sfpmad      L4, L6, L1, L4, 0
    sfploadi    L6, hi16(e5), 8
    sfploadi    L6, lo16(e5), 10
    sfpmad      L5, L5, L0, L6, 0
    sfpmad      L4, L4, L1, L6, 0
    sfploadi    L6, hi16(e4), 8
    sfploadi    L6, lo16(e4), 10
    sfpmad      L5, L5, L0, L6, 0
    sfpmad      L4, L4, L1, L6, 0
    sfpmad      L5, L5, L0, L7, 0
    sfpmad      L4, L4, L1, L7, 0
    sfpmad      L5, L5, L0, L14, 0
    sfpmad      L4, L4, L1, L14, 0
    sfpmad      L5, L5, L0, L13, 0
    sfpmad      L4, L4, L1, L13, 0
    sfpmad      L0, L5, L0, L10, 0
    sfpmad      L1, L4, L1, L10, 0
    sfpshft     L3, L3, 23, 1
    sfpshft     L2, L2, 23, 1
    sfpmul      L0, L0, L3, 0
    sfpmul      L1, L1, L2, 0
    sfpstore    L0, ROW, 0, 3
    sfpstore    L1, ROW + 2, 0, 3
    ROW = ROW + 4
.endr
