# SPDX-License-Identifier: Apache-2.0
# tanh(x) for BF16 in Dst, on Blackhole: tensix fit --form rational:2,2 --objective unrounded.
#
# Method    x times a quotient of polynomials of degrees 2 and 2 in x^2. The quotient by SFPARECIP
#           and its error's series to the power 1. |x| goes no further than 3.5, where the result is
#           1 to a bit. NaN gives 1 or -1.
# Accuracy  0.501 ULP of BF16 from the unrounded function at most, over all inputs. NaN does not
#           stay NaN.
# Cycles    22 per row of 32 elements, 1 row at a time; Horner's form of polynomials.
.arch      blackhole
.title     "tanh by rational:2,2"
.dst       bf16
.reference tanh
last = float(3.5)
.free c0 = float(1.0000194) in fp32
.free c1 = float(0.10660249) in fp32
.free c2 = float(0.0008212812) in bf16
.free d1 = float(0.43988824) in fp32
.free d2 = float(0.014181981) in fp32
.init
.loadi L0, last
    sfpconfig   11, 0, 0
.loadi L0, c1
    sfpconfig   14, 0, 0
.loadi L0, d1
    sfpconfig   12, 0, 0
.loadi L0, d2
    sfpconfig   13, 0, 0
.loadi L7, c0
.tile
ROW = 0
.rept 32
    sfpload     L0, ROW, 0, 3
    sfpsetsgn   L1, L0, 0, 1
    sfpswap     L1, L11, 1
    sfpmul      L2, L1, L1, 0
    sfploadi    L3, c2, 0
    sfpmad      L4, L13, L2, L12, 0
    sfpmad      L3, L3, L2, L14, 0
    sfpmad      L4, L4, L2, L10, 0
    sfpmad      L2, L3, L2, L7, 0
    sfparecip   L3, L4, 0
    sfpmad      L4, L4, L3, L10, 1
    sfpmul      L1, L2, L1, 0
    sfpmad      L2, L3, L4, L3, 0
    sfpnop
    sfpmul      L1, L1, L2, 0
    sfpnop
    sfpswap     L1, L10, 1
    sfpsetsgn   L0, L1, 0, 0
    sfpstochrnd L0, L0, L0, 0, 1, 0
    sfpstore    L0, ROW, 0, 3
    ROW = ROW + 2
.endr
