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
# Cycles    55 per row of 32 elements, 1 rows at a time; Horner's form of polynomials.
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
.free c4 = float(0.044611387) in fp32
.free c5 = float(0.012745114) in fp16
less = bf16(-0.5)
half = bf16(0.5)
magic = bf16(-1.7014118e+38)
.free r1 = float(0.99429953) in fp32
.free r2 = float(0.84690565) in fp16
.init
.loadi L0, last
    sfpconfig   11, 0, 0
.loadi L0, scale
    sfpconfig   12, 0, 0
.loadi L0, half_ln2
    sfpconfig   13, 0, 0
.loadi L0, c0
    sfpconfig   14, 0, 0
.loadi L7, c1
.tile
ROW = 0
.rept 32
    sfpload     L0, ROW, 0, 3
    sfpsetsgn   L0, L0, 0, 1
    sfpswap     L0, L11, 1
    sfploadi    L1, bias, 0
    sfpmad      L1, L0, L12, L1, 0
    sfpload     L2, ROW, 0, 3
    sfpstochrnd L1, L1, L1, 0, 2, 0
    sfpcast     L3, L1, 0
    sfpaddi     L3, bf16(-127.0), 0
    sfpshft     L1, L1, 23, 1
    sfpmad      L0, L3, L13, L0, 0
    sfploadi    L3, hi16(c4), 8
    sfploadi    L3, lo16(c4), 10
    sfploadi    L4, c5, 1
    sfpmad      L3, L4, L0, L3, 0
    sfploadi    L4, hi16(c3), 8
    sfploadi    L4, lo16(c3), 10
    sfpmad      L3, L3, L0, L4, 0
    sfploadi    L4, hi16(c2), 8
    sfploadi    L4, lo16(c2), 10
    sfpmad      L3, L3, L0, L4, 0
    sfpmul      L4, L0, L0, 0
    sfpmad      L3, L3, L0, L7, 0
    sfploadi    L5, less, 0
    sfpmad      L3, L3, L0, L14, 0
    sfploadi    L6, half, 0
    sfpmad      L5, L1, L6, L5, 0
    sfpmad      L0, L4, L3, L0, 0
    sfpnop
    sfpmad      L0, L0, L1, L5, 0
    sfpnop
    sfpadd      L1, L0, L10, 0
    sfpnop
    sfpmov      L3, L1, 0
    sfploadi    L4, magic, 0
    sfpiadd     L3, L4, 0, 6
    sfpmad      L4, L1, L3, L10, 0
    sfploadi    L5, hi16(r1), 8
    sfploadi    L5, lo16(r1), 10
    sfploadi    L6, r2, 1
    sfpmad      L5, L6, L4, L5, 0
    sfpnop
    sfpmad      L4, L5, L4, L10, 0
    sfpnop
    sfpmul      L3, L3, L4, 0
    sfpnop
    sfpmul      L4, L0, L3, 0
    sfpnop
    sfpmad      L0, L1, L4, L0, 0
    sfpnop
    sfpmad      L0, L0, L3, L4, 0
    sfpnop
    sfpsetsgn   L2, L0, 0, 0
    sfpstore    L2, ROW, 0, 3
    ROW = ROW + 2
.endr
