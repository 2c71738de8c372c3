# SPDX-License-Identifier: Apache-2.0
# log(x), to base e for FP32 in Dst, on Blackhole and Wormhole: tensix fit --form poly:10 --objective unrounded.
#
# Method    x = m 2^e with m from sqrt(1/2) to sqrt 2, by a subtraction from bits that borrows
#           from the exponent where m would be above. f = m - 1; its logarithm is f and f^2 times
#           a polynomial of degree 8. e log 2 is added in two parts, the first to f, so that sums
#           are small until the last.
# Accuracy  0.939 ULP of FP32 from the unrounded function at most, over all 2^32 inputs.
# Cycles    36 per row of 32 elements, 2 rows at a time; Horner's form of polynomials.
.title     "log by poly:10"
.dst       fp32
.reference log
split = 0xffb504f3
tiny = bf16(-1.1754944e-38)
.free c0 = float(-0.49999952) in fp32
.free c1 = float(0.3333329) in fp32
.free c2 = float(-0.25004229) in fp32
.free c3 = float(0.20005) in fp32
.free c4 = float(-0.16558859) in fp32
.free c5 = float(0.14111602) in fp32
.free c6 = float(-0.1353668) in fp32
.free c7 = float(0.13386005) in fp32
.free c8 = float(-0.075368933) in fp32
first = bf16(-0.125)
second = float(-0.5681472)
.init
    sfpencc     3, 10
.loadi L0, split
    sfpconfig   11, 0, 0
.loadi L0, c0
    sfpconfig   12, 0, 0
.loadi L0, c1
    sfpconfig   13, 0, 0
.loadi L0, second
    sfpconfig   14, 0, 0
.tile
ROW = 0
.rept 16
    sfpload     L0, ROW, 0, 3
    sfpmul      L1, L0, L10, 0
    sfpload     L2, ROW + 2, 0, 3
    sfpiadd     L1, L11, 0, 6
    sfpsetman   L3, L1, 0, 1
    sfpadd      L0, L0, L3, 0
    sfpsetexp   L3, L1, 128, 1
    sfpiadd     L3, L11, 0, 2
    sfploadi    L0, 0x7fc0, 0
    sfpencc     3, 10
    sfpexexp    L1, L1, 1
    sfpcast     L1, L1, 0
    sfpaddi     L1, bf16(-128.0), 0
    sfpmuli     L0, bf16(5.9604645e-8), 0
    sfpaddi     L3, bf16(-1.0), 0
    sfploadi    L4, tiny, 0
    sfpmad      L0, L0, L4, L1, 0
    sfpmul      L1, L2, L10, 0
    sfploadi    L5, hi16(c7), 8
    sfpiadd     L1, L11, 0, 6
    sfpsetman   L6, L1, 0, 1
    sfpadd      L2, L2, L6, 0
    sfpsetexp   L6, L1, 128, 1
    sfpiadd     L6, L11, 0, 2
    sfploadi    L2, 0x7fc0, 0
    sfpencc     3, 10
    sfpexexp    L1, L1, 1
    sfpcast     L1, L1, 0
    sfpmuli     L2, bf16(5.9604645e-8), 0
    sfpaddi     L6, bf16(-1.0), 0
    sfpaddi     L1, bf16(-128.0), 0
    sfploadi    L7, hi16(c8), 8
    sfpmad      L1, L2, L4, L1, 0
    sfploadi    L7, lo16(c8), 10
    sfploadi    L5, lo16(c7), 10
    sfpmad      L2, L7, L3, L5, 0
    sfpmad      L4, L7, L6, L5, 0
    sfploadi    L5, hi16(c6), 8
    sfploadi    L5, lo16(c6), 10
    sfpmad      L2, L2, L3, L5, 0
    sfpmad      L4, L4, L6, L5, 0
    sfploadi    L5, hi16(c5), 8
    sfploadi    L5, lo16(c5), 10
    sfpmad      L2, L2, L3, L5, 0
    sfpmad      L4, L4, L6, L5, 0
    sfploadi    L5, hi16(c4), 8
    sfploadi    L5, lo16(c4), 10
    sfpmad      L2, L2, L3, L5, 0
    sfpmad      L4, L4, L6, L5, 0
    sfploadi    L5, hi16(c3), 8
    sfploadi    L5, lo16(c3), 10
    sfpmad      L2, L2, L3, L5, 0
    sfpmad      L4, L4, L6, L5, 0
    sfploadi    L5, hi16(c2), 8
    sfploadi    L5, lo16(c2), 10
    sfpmad      L2, L2, L3, L5, 0
    sfpmad      L4, L4, L6, L5, 0
    sfpmad      L2, L2, L3, L13, 0
    sfpmad      L4, L4, L6, L13, 0
    sfpmad      L2, L2, L3, L12, 0
    sfpmad      L4, L4, L6, L12, 0
    sfpmul      L2, L2, L3, 0
    sfpmul      L4, L4, L6, 0
    sfploadi    L5, first, 0
    sfpmad      L7, L0, L5, L3, 0
    sfpmad      L5, L1, L5, L6, 0
    sfpmad      L2, L2, L3, L7, 0
    sfpmad      L3, L4, L6, L5, 0
    sfpmad      L0, L0, L14, L2, 0
    sfpmad      L1, L1, L14, L3, 0
    sfpstore    L0, ROW, 0, 3
    sfpstore    L1, ROW + 2, 0, 3
    ROW = ROW + 4
.endr
