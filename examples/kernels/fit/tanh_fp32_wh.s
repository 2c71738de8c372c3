# SPDX-License-Identifier: Apache-2.0
# tanh(x) for FP32 in Dst, on Wormhole: tensix fit --form poly:7 --objective unrounded.
#
# Method    t / (t + 1) with t = (e^2|x| - 1) / 2: |x| = n ln 2 / 2 + f; half of e^2f - 1 is f and
#           f^2 times a polynomial of degree 5, and t is that times 2^n and half of 2^n - 1. The
#           quotient: -1/b starts from the bits of b, 12 % off and exact at powers of two; times a
#           polynomial of degree 2 in 1 and the product of both; and the remainder. NaN gives 1 or
#           -1.
# Accuracy  2.671 ULP of FP32 from the unrounded function at most, over all 2^32 inputs. NaN gives 1
#           or -1.
# Cycles    41.5 per row of 32 elements, 2 rows at a time; Horner's form of polynomials.
.arch      wormhole_b0
.title     "tanh by poly:7"
.dst       fp32
.reference tanh
last = float(9.25)
bias = bf16(127)
scale = float(2.88539)
half_ln2 = float(-0.3465736)
.free c0 = float(1) in fp32
.free c1 = float(0.6666667) in fp32
.free c2 = float(0.33333084) in fp32
.free c3 = float(0.13333237) in fp32
.free c4 = float(0.044626646) in fp32
.free c5 = float(0.012745114) in fp16
less = bf16(-0.5)
half = bf16(0.5)
magic = bf16(-1.7014118e+38)
.free r1 = float(0.99429953) in fp32
.free r2 = float(0.8469209) in fp32
.init
.loadi L0, last
    sfpconfig   11, 0, 0
.loadi L0, scale
    sfpconfig   14, 0, 0
.loadi L0, r1
    sfpconfig   12, 0, 0
.loadi L0, r2
    sfpconfig   13, 0, 0
.tile
ROW = 0
.rept 16
    sfpload     L0, ROW, 0, 3
    sfpload     L1, ROW + 2, 0, 3
    sfpsetsgn   L0, L0, 0, 1
    sfpsetsgn   L1, L1, 0, 1
    sfpswap     L0, L11, 1
    sfpswap     L1, L11, 1
    sfploadi    L2, bias, 0
    sfpmad      L3, L1, L14, L2, 0
    sfpmad      L2, L0, L14, L2, 0
    sfpstochrnd L3, L3, L3, 0, 2, 0
    sfpstochrnd L2, L2, L2, 0, 2, 0
    sfpcast     L4, L2, 0
    sfpcast     L5, L3, 0
    sfpaddi     L5, bf16(-127.0), 0
    sfploadi    L6, hi16(half_ln2), 8
    sfpaddi     L4, bf16(-127.0), 0
    sfploadi    L6, lo16(half_ln2), 10
    sfpmad      L0, L4, L6, L0, 0
    sfpmad      L1, L5, L6, L1, 0
    sfploadi    L4, c5, 1
    sfploadi    L5, hi16(c4), 8
    sfploadi    L5, lo16(c4), 10
    sfpmad      L6, L4, L0, L5, 0
    sfpmad      L4, L4, L1, L5, 0
    sfploadi    L5, hi16(c3), 8
    sfploadi    L5, lo16(c3), 10
    sfpmad      L6, L6, L0, L5, 0
    sfploadi    L7, hi16(c2), 8
    sfpmad      L4, L4, L1, L5, 0
    sfploadi    L7, lo16(c2), 10
    sfpmad      L5, L6, L0, L7, 0
    sfpmad      L4, L4, L1, L7, 0
    sfploadi    L6, hi16(c1), 8
    sfploadi    L6, lo16(c1), 10
    sfpmad      L4, L4, L1, L6, 0
    sfpmul      L7, L0, L0, 0
    sfpmad      L5, L5, L0, L6, 0
    sfploadi    L6, hi16(c0), 8
    sfploadi    L6, lo16(c0), 10
    sfpmad      L5, L5, L0, L6, 0
    sfpmad      L4, L4, L1, L6, 0
    sfpshft     L3, L3, 23, 1
    sfpmul      L6, L1, L1, 0
    sfpshft     L2, L2, 23, 1
    sfpmad      L0, L7, L5, L0, 0
    sfploadi    L5, half, 0
    sfploadi    L7, less, 0
    sfpmad      L1, L6, L4, L1, 0
    sfpmad      L4, L2, L5, L7, 0
    sfpmad      L5, L3, L5, L7, 0
    sfpmad      L0, L0, L2, L4, 0
    sfpmad      L1, L1, L3, L5, 0
    sfpadd      L2, L0, L10, 0
    sfpadd      L3, L1, L10, 0
    sfpmov      L4, L2, 0
    sfpmov      L5, L3, 0
    sfploadi    L6, magic, 0
    sfpiadd     L5, L6, 0, 6
    sfpmad      L7, L3, L5, L10, 0
    sfpiadd     L4, L6, 0, 6
    sfpmad      L6, L13, L7, L12, 0
    sfpnop
    sfpmad      L6, L6, L7, L10, 0
    sfpmad      L7, L2, L4, L10, 0
    sfpmul      L5, L5, L6, 0
    sfpmad      L6, L13, L7, L12, 0
    sfpnop
    sfpmad      L6, L6, L7, L10, 0
    sfpmul      L7, L1, L5, 0
    sfpmul      L4, L4, L6, 0
    sfpmad      L1, L3, L7, L1, 0
    sfpmul      L3, L0, L4, 0
    sfpload     L6, ROW, 0, 3
    sfpmad      L0, L2, L3, L0, 0
    sfpmad      L1, L1, L5, L7, 0
    sfpmad      L0, L0, L4, L3, 0
    sfpload     L2, ROW + 2, 0, 3
    sfpsetsgn   L2, L1, 0, 0
    sfpsetsgn   L6, L0, 0, 0
    sfpstore    L2, ROW + 2, 0, 3
    sfpstore    L6, ROW, 0, 3
    ROW = ROW + 4
.endr
