# SPDX-License-Identifier: Apache-2.0
# tanh(x) for BF16 in Dst, on Blackhole: tensix fit --form poly:6, its constants fitted.
#
# Method    |x| times a polynomial of degree 5 in it, with the sign of x. |x| goes no
#           further than 3.5, where the result is 1 to a bit.
# Accuracy  max 1 ULP of BF16, mean 0.0037, over all inputs. A NaN need not give a NaN.
# Cycles    15 per row of 32 elements, 2 rows at a time; Horner's form of polynomials.
.arch      blackhole
.title     "tanh by poly:6"
.dst       bf16
.reference tanh
last = float(3.5)
.free c1 = float(0.020020446) in fp32
.free c2 = float(-0.46657604) in fp32
.free c3 = float(0.26428604) in fp32
.free c4 = float(-0.06081853) in fp32
.free c5 = float(0.005190251) in fp32
.init
.loadi L0, last
    sfpconfig   11, 0, 0
.loadi L0, c2
    sfpconfig   14, 0, 0
.loadi L0, c3
    sfpconfig   12, 0, 0
.loadi L0, c4
    sfpconfig   13, 0, 0
.loadi L6, c1
.loadi L7, c5
.tile
ROW = 0
.rept 16
    sfpload     L0, ROW, 0, 3
    sfpload     L1, ROW + 2, 0, 3
    sfpsetsgn   L2, L0, 0, 1
    sfpsetsgn   L3, L1, 0, 1
    sfpswap     L2, L11, 1
    sfpswap     L3, L11, 1
    sfpmad      L4, L7, L2, L13, 0
    sfpmad      L5, L7, L3, L13, 0
    sfpmad      L4, L4, L2, L12, 0
    sfpmad      L5, L5, L3, L12, 0
    sfpmad      L4, L4, L2, L14, 0
    sfpmad      L5, L5, L3, L14, 0
    sfpmad      L4, L4, L2, L6, 0
    sfpmad      L5, L5, L3, L6, 0
    sfpmad      L4, L4, L2, L10, 0
    sfpmad      L5, L5, L3, L10, 0
    sfpmul      L2, L4, L2, 0
    sfpmul      L3, L5, L3, 0
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
