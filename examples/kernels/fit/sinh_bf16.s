# SPDX-License-Identifier: Apache-2.0
# sinh(x) for BF16 in Dst, on Blackhole and Wormhole: tensix fit --form poly:5 --objective unrounded.
#
# Method    |x| = n ln 2 + f, n the nearest integer; cosh f - 1 and sinh f by polynomials of degrees
#           1 and 2 in f^2, times f^2 and f; with 2^n + 2^-n and 2^n - 2^-n they give the result,
#           added up from the smallest part to the largest. A NaN stays one in FP32 only.
# Accuracy  0.499 ULP of BF16 from the unrounded function at most, over all inputs: rounded
#           correctly. NaN does not stay NaN.
# Cycles    38 per row of 32 elements, 1 row at a time; Horner's form of polynomials.
.title     "sinh by poly:5"
.dst       bf16
.reference sinh
bias = float(126)
log2e = float(1.442695)
ln2 = float(-0.6931472)
.free c0 = float(0.99998266) in fp32
.free c1 = float(0.083799414) in bf16
minus = float(-1)
.free s1 = float(0.16666543) in bf16
.free s2 = float(0.008366557) in bf16
half = bf16(0.5)
.init
.loadi L0, log2e
    sfpconfig   12, 0, 0
.loadi L0, ln2
    sfpconfig   13, 0, 0
.loadi L0, c0
    sfpconfig   14, 0, 0
.loadi L0, minus
    sfpconfig   11, 0, 0
.loadi L7, bias
.tile
ROW = 0
.rept 32
    sfpload     L0, ROW, 0, 3
    sfpsetsgn   L0, L0, 0, 1
    sfpmad      L1, L0, L12, L7, 0
    sfpload     L2, ROW, 0, 3
    sfpstochrnd L1, L1, L1, 0, 2, 0
    sfpiadd     L1, L1, -1, 5
    sfpcast     L3, L1, 0
    sfpaddi     L3, bf16(-125.0), 0
    sfpshft     L1, L1, 23, 1
    sfpmad      L0, L3, L13, L0, 0
    sfpnot      L3, L1
    sfpmul      L4, L0, L0, 0
    sfploadi    L5, s2, 0
    sfpsetman   L3, L3, 0, 1
    sfploadi    L6, s1, 0
    sfpmuli     L3, bf16(-0.03125), 0
    sfpmad      L5, L5, L4, L6, 0
    sfploadi    L6, c1, 0
    sfpmad      L6, L6, L4, L14, 0
    sfpmad      L5, L5, L4, L10, 0
    sfpmul      L4, L6, L4, 0
    sfpmad      L6, L3, L11, L1, 0
    sfpadd      L0, L0, L0, 0
    sfpmul      L4, L6, L4, 0
    sfpmul      L0, L5, L0, 0
    sfpadd      L1, L1, L3, 0
    sfpnop
    sfpmad      L0, L1, L0, L4, 0
    sfploadi    L1, half, 0
    sfpmad      L1, L0, L1, L6, 0
    sfpnop
    sfpadd      L1, L1, L1, 0
    sfpnop
    sfpswap     L1, L0, 9
    sfpsetsgn   L2, L1, 0, 0
    sfpstochrnd L0, L2, L2, 0, 1, 0
    sfpstore    L0, ROW, 0, 3
    ROW = ROW + 2
.endr
