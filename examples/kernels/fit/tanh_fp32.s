# SPDX-License-Identifier: Apache-2.0
# tanh(x) for FP32 in Dst, on Blackhole: tensix fit --form poly:7 --objective unrounded.
#
# Method    t / (t + 1) with t = (e^2|x| - 1) / 2: |x| = n ln 2 / 2 + f; half of e^2f - 1 is f and
#           f^2 times a polynomial of degree 5, and t is that times 2^n and half of 2^n - 1. The
#           quotient by SFPARECIP, its error's series, and the remainder. NaN gives 1 or -1.
# Accuracy  1.757 ULP of FP32 from the unrounded function at most, over all 2^32 inputs. NaN gives 1
#           or -1.
# Cycles    40 per row of 32 elements, 2 rows at a time; Horner's form of polynomials.
.arch      blackhole
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
.free c4 = float(0.044611387) in fp32
.free c5 = float(0.012745114) in fp16
less = bf16(-0.5)
half = bf16(0.5)
minus = float(-1)
.init
.loadi L0, last
    sfpconfig   11, 0, 0
.loadi L0, scale
    sfpconfig   13, 0, 0
.loadi L0, half_ln2
    sfpconfig   14, 0, 0
.loadi L0, minus
    sfpconfig   12, 0, 0
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
    sfpmad      L3, L0, L13, L2, 0
    sfpmad      L2, L1, L13, L2, 0
    sfpstochrnd L3, L3, L3, 0, 2, 0
    sfpstochrnd L2, L2, L2, 0, 2, 0
    sfpcast     L4, L3, 0
    sfpcast     L5, L2, 0
    sfpaddi     L4, bf16(-127.0), 0
    sfpaddi     L5, bf16(-127.0), 0
    sfpmad      L0, L4, L14, L0, 0
    sfploadi    L4, hi16(c4), 8
    sfpmad      L1, L5, L14, L1, 0
    sfploadi    L4, lo16(c4), 10
    sfploadi    L5, c5, 1
    sfpmad      L6, L5, L0, L4, 0
    sfploadi    L7, hi16(c3), 8
    sfpmad      L4, L5, L1, L4, 0
    sfploadi    L7, lo16(c3), 10
    sfpmad      L5, L6, L0, L7, 0
    sfploadi    L6, hi16(c2), 8
    sfpmad      L4, L4, L1, L7, 0
    sfploadi    L6, lo16(c2), 10
    sfpmad      L5, L5, L0, L6, 0
    sfploadi    L7, hi16(c1), 8
    sfpmad      L4, L4, L1, L6, 0
    sfploadi    L7, lo16(c1), 10
    sfpmad      L5, L5, L0, L7, 0
    sfploadi    L6, hi16(c0), 8
    sfpmad      L4, L4, L1, L7, 0
    sfploadi    L6, lo16(c0), 10
    sfpmad      L5, L5, L0, L6, 0
    sfpmul      L7, L0, L0, 0
    sfpmad      L4, L4, L1, L6, 0
    sfpmul      L6, L1, L1, 0
    sfpshft     L3, L3, 23, 1
    sfpshft     L2, L2, 23, 1
    sfpmad      L0, L7, L5, L0, 0
    sfploadi    L5, less, 0
    sfploadi    L7, half, 0
    sfpmad      L1, L6, L4, L1, 0
    sfpmad      L4, L3, L7, L5, 0
    sfpmad      L5, L2, L7, L5, 0
    sfpmad      L0, L0, L3, L4, 0
    sfpmad      L1, L1, L2, L5, 0
    sfpadd      L2, L10, L0, 0
    sfpadd      L3, L10, L1, 0
    sfparecip   L4, L2, 0
    sfparecip   L5, L3, 0
    sfpmad      L6, L2, L4, L10, 1
    sfpmad      L7, L3, L5, L10, 1
    sfpmad      L6, L6, L6, L6, 0
    sfpmad      L7, L7, L7, L7, 0
    sfpmad      L4, L4, L6, L4, 0
    sfpmad      L5, L5, L7, L5, 0
    sfpmad      L6, L2, L12, L10, 0
    sfpmul      L7, L0, L4, 0
    sfpadd      L6, L6, L0, 0
    sfpmad      L0, L2, L7, L0, 1
    sfpmad      L2, L3, L12, L10, 0
    sfpmad      L0, L6, L7, L0, 1
    sfpmul      L6, L1, L5, 0
    sfpadd      L2, L2, L1, 0
    sfpmad      L1, L3, L6, L1, 1
    sfpmad      L0, L0, L4, L7, 0
    sfpmad      L1, L2, L6, L1, 1
    sfpload     L2, ROW, 0, 3
    sfpmad      L1, L1, L5, L6, 0
    sfpload     L3, ROW + 2, 0, 3
    sfpsetsgn   L2, L0, 0, 0
    sfpsetsgn   L3, L1, 0, 0
    sfpstore    L2, ROW, 0, 3
    sfpstore    L3, ROW + 2, 0, 3
    ROW = ROW + 4
.endr
