# SPDX-License-Identifier: Apache-2.0
# log(x), to base e for FP32 in Dst, on Blackhole and Wormhole: tensix fit --form poly:11 --objective unrounded.
#
# Method    x = m 2^e with m from sqrt(1/2) to sqrt 2: an addition to the bits carries into the
#           exponent where m would be above. f = m - 1; its logarithm is f times a polynomial of
#           degree 10, and e log 2 is added in two parts, the first exact.
# Accuracy  0.841 ULP of FP32 from the unrounded function at most, over all 2^32 inputs.
# Cycles    55 per row of 32 elements, 1 rows at a time; Horner's form of polynomials.
.title     "log by poly:11"
.dst       fp32
.reference log
carry = 0x004afb0d
.free c0 = float(-0.5) in fp32
.free c1 = float(0.3333331) in fp32
.free c2 = float(-0.24999987) in fp32
.free c3 = float(0.20002227) in fp32
.free c4 = float(-0.16669253) in fp32
.free c5 = float(0.14218661) in fp32
.free c6 = float(-0.123843215) in fp32
.free c7 = float(0.118729346) in fp32
.free c8 = float(-0.1178993) in fp32
.free c9 = float(0.069155894) in fp32
log2_low = float(0.0017409306)
log2_high = bf16(0.69140625)
minus = float(-1)
.init
    sfpencc     3, 10
.loadi L0, carry
    sfpconfig   12, 0, 0
.loadi L0, c0
    sfpconfig   13, 0, 0
.loadi L0, c1
    sfpconfig   14, 0, 0
.loadi L0, minus
    sfpconfig   11, 0, 0
.loadi L7, c2
.loadi L6, log2_low
.tile
ROW = 0
.rept 32
    sfpload     L0, ROW, 0, 3
    sfpmov      L1, L0, 0
    sfpiadd     L1, L12, 0, 4
    sfpsetman   L2, L1, 0, 1
    sfpiadd     L2, L0, 0, 6
    sfpiadd     L2, L10, 0, 4
    sfpaddi     L2, bf16(-1.0), 0
    sfploadi    L3, hi16(c8), 8
    sfploadi    L4, hi16(c9), 8
    sfploadi    L3, lo16(c8), 10
    sfploadi    L4, lo16(c9), 10
    sfpmad      L3, L4, L2, L3, 0
    sfploadi    L4, hi16(c7), 8
    sfploadi    L4, lo16(c7), 10
    sfpmad      L3, L3, L2, L4, 0
    sfploadi    L4, hi16(c6), 8
    sfploadi    L4, lo16(c6), 10
    sfpexexp    L1, L1, 1
    sfpmad      L3, L3, L2, L4, 0
    sfploadi    L4, hi16(c5), 8
    sfploadi    L4, lo16(c5), 10
    sfpcast     L1, L1, 0
    sfpaddi     L1, bf16(-127.0), 0
    sfpmad      L3, L3, L2, L4, 0
    sfploadi    L4, hi16(c4), 8
    sfploadi    L4, lo16(c4), 10
    sfploadi    L5, log2_high, 0
    sfpmad      L3, L3, L2, L4, 0
    sfploadi    L4, hi16(c3), 8
    sfpmul      L5, L1, L5, 0
    sfploadi    L4, lo16(c3), 10
    sfpmad      L3, L3, L2, L4, 0
    sfpadd      L4, L5, L2, 0
    sfpmad      L3, L3, L2, L7, 0
    sfpmad      L5, L4, L11, L5, 0
    sfpmad      L3, L3, L2, L14, 0
    sfpmul      L1, L1, L6, 0
    sfpadd      L5, L5, L2, 0
    sfpmad      L3, L3, L2, L13, 0
    sfpadd      L1, L1, L5, 0
    sfpmul      L2, L2, L2, 0
    sfpexexp    L5, L0, 1
    sfpmad      L1, L3, L2, L1, 0
    sfpmul      L2, L0, L10, 0
    sfpadd      L1, L4, L1, 0
    sfpiadd     L5, L5, -255, 9
    sfpmov      L1, L0, 0
    sfpencc     3, 10
    sfpsetcc    L2, 0, 6
    sfploadi    L1, bf16(-inf), 0
    sfpencc     3, 10
    sfpsetcc    L2, 0, 0
    sfploadi    L1, 0x7fc0, 0
    sfpencc     3, 10
    sfpstore    L1, ROW, 0, 3
    ROW = ROW + 2
.endr
