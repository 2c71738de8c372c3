# SPDX-License-Identifier: Apache-2.0
# sinh(x) for BF16 in Dst, on Blackhole: tensix fit --form poly:3, its constants fitted.
#
# Method    |x| = n ln 2 + f; cosh f and sinh f / f by polynomials of degrees 1 and 1 in
#           f^2; with 2^(n-1) + 2^(-n-1) and their difference they give the result. Where n
#           is 0 the difference is 0, so that nothing cancels.
# Accuracy  max 1 ULP of BF16, mean 0.0025, over all inputs. A NaN need not give a NaN.
# Cycles    29 per row of 32 elements, 1 rows at a time; Horner's form of polynomials.
.arch      blackhole
.title     "sinh by poly:3"
.dst       bf16
.reference sinh
last = float(90)
bias = float(125.50001)
log2e = float(1.442695)
ln2 = float(-0.6931472)
.free c0 = float(0.9993896) in fp32
.free c1 = float(0.5176) in fp16
.free s1 = float(0.169) in bf16
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
.loadi L7, ln2
.loadi L6, c0
.tile
ROW = 0
.rept 32
    sfpload     L0, ROW, 0, 3
    sfpsetsgn   L1, L0, 0, 1
    sfpswap     L1, L11, 1
    sfpmad      L2, L1, L14, L13, 0
    sfpnop
    sfpstochrnd L2, L2, L2, 0, 2, 0
    sfpcast     L3, L2, 0
    sfpaddi     L3, bf16(-126.0), 0
    sfpshft     L2, L2, 23, 1
    sfpmad      L1, L3, L7, L1, 0
    sfpnot      L3, L2
    sfpmul      L4, L1, L1, 0
    sfploadi    L5, s1, 0
    sfpsetman   L3, L3, 0, 1
    sfpmad      L5, L5, L4, L10, 0
    sfpmuli     L3, bf16(-0.125), 0
    sfpmul      L1, L5, L1, 0
    sfploadi    L5, c1, 1
    sfpmad      L4, L5, L4, L6, 0
    sfpmad      L5, L3, L12, L2, 0
    sfpadd      L2, L2, L3, 0
    sfpmul      L3, L5, L4, 0
    sfpnop
    sfpmad      L1, L2, L1, L3, 0
    sfpnop
    sfpsetsgn   L0, L1, 0, 0
    sfpstochrnd L0, L0, L0, 0, 1, 0
    sfpstore    L0, ROW, 0, 3
    ROW = ROW + 2
.endr
