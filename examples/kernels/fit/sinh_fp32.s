# SPDX-License-Identifier: Apache-2.0
# sinh(x) for FP32 in Dst, on Blackhole and Wormhole: tensix fit --form poly:6 --objective unrounded.
#
# Method    |x| = n ln 2 + f, n the nearest integer; cosh f - 1 and sinh f - f by polynomials of
#           degrees 2 and 1 in f^2, times f^2 and f^3; with 2^n + 2^-n and 2^n - 2^-n they give the
#           result, added up from the smallest part to the largest.
# Accuracy  1.267 ULP of FP32 from the unrounded function at most, over all 2^32 inputs.
# Cycles    49 per row of 32 elements, 1 row at a time; Horner's form of polynomials.
.title     "sinh by poly:6"
.dst       fp32
.reference sinh
bias = bf16(126)
log2e = float(1.442695)
ln2_high = float(-0.69140625)
ln2_low = float(-0.0017409306)
.free c0 = float(1) in fp32
.free c1 = float(0.08333253) in fp32
.free c2 = float(0.0027892534) in fp32
minus = float(-1)
.free s0 = float(0.16666543) in fp32
.free s1 = float(0.008366607) in fp32
half = bf16(0.5)
.init
.loadi L0, log2e
    sfpconfig   12, 0, 0
.loadi L0, ln2_high
    sfpconfig   13, 0, 0
.loadi L0, ln2_low
    sfpconfig   14, 0, 0
.loadi L0, minus
    sfpconfig   11, 0, 0
.tile
ROW = 0
.rept 32
    sfpload     L0, ROW, 0, 3
    sfpsetsgn   L0, L0, 0, 1
    sfploadi    L1, bias, 0
    sfpmad      L1, L0, L12, L1, 0
    sfpload     L2, ROW, 0, 3
    sfpstochrnd L1, L1, L1, 0, 2, 0
    sfpiadd     L1, L1, -1, 5
    sfpcast     L3, L1, 0
    sfpaddi     L3, bf16(-125.0), 0
    sfpshft     L1, L1, 23, 1
    sfpmad      L0, L3, L13, L0, 0
    sfpnot      L4, L1
    sfpmad      L0, L3, L14, L0, 0
    sfpsetman   L3, L4, 0, 1
    sfpmul      L4, L0, L0, 0
    sfploadi    L5, hi16(c1), 8
    sfploadi    L6, hi16(c2), 8
    sfploadi    L5, lo16(c1), 10
    sfploadi    L6, lo16(c2), 10
    sfpmad      L5, L6, L4, L5, 0
    sfploadi    L6, hi16(c0), 8
    sfploadi    L6, lo16(c0), 10
    sfploadi    L7, hi16(s0), 8
    sfpmuli     L3, bf16(-0.03125), 0
    sfpadd      L0, L0, L0, 0
    sfpmad      L5, L5, L4, L6, 0
    sfploadi    L6, hi16(s1), 8
    sfploadi    L7, lo16(s0), 10
    sfploadi    L6, lo16(s1), 10
    sfpmul      L5, L5, L4, 0
    sfpmad      L6, L6, L4, L7, 0
    sfpmad      L7, L3, L11, L1, 0
    sfpmul      L4, L4, L0, 0
    sfpadd      L1, L1, L3, 0
    sfpmul      L3, L6, L4, 0
    sfpmul      L4, L7, L5, 0
    sfpnop
    sfpmad      L3, L1, L3, L4, 0
    sfpnop
    sfpmad      L0, L1, L0, L3, 0
    sfploadi    L1, half, 0
    sfpmad      L1, L0, L1, L7, 0
    sfpnop
    sfpadd      L1, L1, L1, 0
    sfpnop
    sfpswap     L1, L0, 9
    sfpsetsgn   L2, L1, 0, 0
    sfpstore    L2, ROW, 0, 3
    ROW = ROW + 2
.endr
