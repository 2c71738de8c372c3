# SPDX-License-Identifier: Apache-2.0
# cosh(x) for FP32 in Dst, on Blackhole: tensix fit --form poly:6, its constants fitted.
#
# Method    |x| = n ln 2 + f; cosh f and sinh f / f by polynomials of degrees 3 and 2 in
#           f^2; with 2^(n-1) + 2^(-n-1) and their difference they give the result. Where n
#           is 0 the difference is 0, so that nothing cancels.
# Accuracy  max 4 ULP of FP32, mean 0.037, over all 2^32 inputs, but for the last two |x| with a
#           finite result, which give NaN (89.415985 is one). A NaN need not give a NaN.
# Cycles    42 per row of 32 elements, 1 rows at a time; Horner's form of polynomials.
.arch      blackhole
.title     "cosh by poly:6"
.dst       fp32
.reference cosh
last = float(90)
bias = float(125.50001)
log2e = float(1.442695)
ln2_high = float(-0.69140625)
ln2_low = float(-0.0017409306)
.free c0 = float(1) in fp32
.free c1 = float(0.5000072) in fp32
.free c2 = float(0.04161657) in fp32
.free c3 = float(0.0014760577) in fp32
.free s1 = float(0.16664404) in fp32
.free s2 = float(0.008473356) in fp32
minus = float(-1)
.init
.loadi L0, last
    sfpconfig   11, 0, 0
.loadi L0, bias
    sfpconfig   13, 0, 0
.loadi L0, log2e
    sfpconfig   14, 0, 0
.loadi L0, minus
    sfpconfig   12, 0, 0
.loadi L7, ln2_high
.loadi L6, ln2_low
.tile
ROW = 0
.rept 32
    sfpload     L0, ROW, 0, 3
    sfpsetsgn   L0, L0, 0, 1
    sfpswap     L0, L11, 1
    sfpmad      L1, L0, L14, L13, 0
    sfpnop
    sfpstochrnd L1, L1, L1, 0, 2, 0
    sfpcast     L2, L1, 0
    sfpaddi     L2, bf16(-126.0), 0
    sfpshft     L1, L1, 23, 1
    sfpmad      L0, L2, L7, L0, 0
    sfpnot      L3, L1
    sfpmad      L0, L2, L6, L0, 0
    sfpsetman   L2, L3, 0, 1
    sfpmul      L3, L0, L0, 0
    sfploadi    L4, hi16(s1), 8
    sfploadi    L5, hi16(s2), 8
    sfploadi    L5, lo16(s2), 10
    sfploadi    L4, lo16(s1), 10
    sfpmuli     L2, bf16(-0.125), 0
    sfpmad      L4, L5, L3, L4, 0
    sfploadi    L5, hi16(c3), 8
    sfploadi    L5, lo16(c3), 10
    sfpmad      L4, L4, L3, L10, 0
    sfpnop
    sfpmul      L0, L4, L0, 0
    sfploadi    L4, hi16(c2), 8
    sfploadi    L4, lo16(c2), 10
    sfpmad      L4, L5, L3, L4, 0
    sfploadi    L5, hi16(c1), 8
    sfploadi    L5, lo16(c1), 10
    sfpmad      L4, L4, L3, L5, 0
    sfploadi    L5, hi16(c0), 8
    sfploadi    L5, lo16(c0), 10
    sfpmad      L3, L4, L3, L5, 0
    sfpadd      L4, L1, L2, 0
    sfpmad      L1, L2, L12, L1, 0
    sfpmul      L2, L4, L3, 0
    sfpnop
    sfpmad      L0, L1, L0, L2, 0
    sfpnop
    sfpstore    L0, ROW, 0, 3
    ROW = ROW + 2
.endr
