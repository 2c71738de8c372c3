# SPDX-License-Identifier: Apache-2.0
# tanh(x) for BF16 in Dst, on Wormhole: tensix fit --form poly:9 --objective unrounded.
#
# Method    |x| times a polynomial of degree 8 in it, with the sign of x. |x| goes no further than
#           3.5, where the result is 1 to a bit. NaN gives 1 or -1.
# Accuracy  0.527 ULP of BF16 from the unrounded function at most, over all inputs. NaN does not
#           stay NaN.
# Cycles    21 per row of 32 elements, 2 rows at a time; Horner's form of polynomials.
.arch      wormhole_b0
.title     "tanh by poly:9"
.dst       bf16
.reference tanh
last = float(3.5)
.free c1 = float(0.00276) in bf16
.free c2 = float(-0.34655738) in fp32
.free c3 = float(0.00045573508) in bf16
.free c4 = float(0.20983276) in fp32
.free c5 = float(-0.14266658) in fp32
.free c6 = float(0.044352278) in fp32
.free c7 = float(-0.006894481) in fp32
.free c8 = float(0.00043394254) in fp32
.init
.loadi L0, last
    sfpconfig   11, 0, 0
.loadi L0, c5
    sfpconfig   12, 0, 0
.loadi L0, c6
    sfpconfig   13, 0, 0
.loadi L0, c7
    sfpconfig   14, 0, 0
.loadi L7, c4
.tile
ROW = 0
.rept 16
    sfpload     L0, ROW, 0, 3
    sfpload     L1, ROW + 2, 0, 3
    sfpsetsgn   L2, L0, 0, 1
    sfpsetsgn   L3, L1, 0, 1
    sfpswap     L2, L11, 1
    sfploadi    L4, hi16(c8), 8
    sfpswap     L3, L11, 1
    sfploadi    L4, lo16(c8), 10
    sfpmad      L5, L4, L2, L14, 0
    sfpmad      L4, L4, L3, L14, 0
    sfpmad      L5, L5, L2, L13, 0
    sfpmad      L4, L4, L3, L13, 0
    sfpmad      L5, L5, L2, L12, 0
    sfpmad      L4, L4, L3, L12, 0
    sfpmad      L5, L5, L2, L7, 0
    sfpmad      L4, L4, L3, L7, 0
    sfploadi    L6, c3, 0
    sfpmad      L5, L5, L2, L6, 0
    sfpmad      L4, L4, L3, L6, 0
    sfploadi    L6, hi16(c2), 8
    sfploadi    L6, lo16(c2), 10
    sfpmad      L5, L5, L2, L6, 0
    sfpmad      L4, L4, L3, L6, 0
    sfploadi    L6, c1, 0
    sfpmad      L5, L5, L2, L6, 0
    sfpmad      L4, L4, L3, L6, 0
    sfpmad      L5, L5, L2, L10, 0
    sfpmad      L4, L4, L3, L10, 0
    sfpmul      L2, L5, L2, 0
    sfpmul      L3, L4, L3, 0
    sfpswap     L2, L10, 1
    sfpswap     L3, L10, 1
    sfpsetsgn   L0, L2, 0, 0
    sfpsetsgn   L1, L3, 0, 0
    sfpstochrnd L0, L0, L0, 0, 1, 0
    sfpstochrnd L1, L1, L1, 0, 1, 0
    sfpstore    L0, ROW, 0, 3
    sfpstore    L1, ROW + 2, 0, 3
    ROW = ROW + 4
.endr
