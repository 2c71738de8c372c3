# SPDX-License-Identifier: Apache-2.0
# log(1 + e^x) for BF16 in Dst, on Blackhole and Wormhole: tensix fit --form poly:5 --objective unrounded.
#
# Method    max(x, 0) + log(1 + y), y = e^-|x|. Of -|x|: SFPSTOCHRND makes n + 127 of x / ln 2, n
#           the integer below, which shifted to the exponent is 2^n: 0 and infinity beyond the
#           range. f = x - n ln 2; e^f by a polynomial of degree 3. log(1 + y) is y times a
#           polynomial of degree 4.
# Accuracy  0.510 ULP of BF16 from the unrounded function at most, over all inputs. NaN does not
#           stay NaN.
# Cycles    35 per row of 32 elements, 1 row at a time; Horner's form of polynomials.
.title     "softplus by poly:5"
.dst       bf16
.reference softplus
least = float(-88)
bias = bf16(126.5)
log2e = float(1.442695)
ln2 = float(-0.6931472)
.free e1 = float(1.0028571) in fp32
.free e2 = float(0.4738115) in fp32
.free e3 = float(0.23141758) in bf16
.free c0 = float(0.9999509) in fp32
.free c1 = float(-0.4969778) in fp32
.free c2 = float(0.30630094) in fp32
.free c3 = float(-0.1576) in fp16
.free c4 = float(0.0415) in bf16
.init
.loadi L0, least
    sfpconfig   11, 0, 0
.loadi L0, log2e
    sfpconfig   12, 0, 0
.loadi L0, ln2
    sfpconfig   13, 0, 0
.loadi L0, e1
    sfpconfig   14, 0, 0
.loadi L4, e2
.loadi L7, c0
.loadi L6, c1
.loadi L5, c2
.tile
ROW = 0
.rept 32
    sfpload     L0, ROW, 0, 3
    sfpsetsgn   L1, L0, 1, 1
    sfpswap     L1, L11, 9
    sfploadi    L2, bias, 0
    sfpmad      L2, L1, L12, L2, 0
    sfpswap     L0, L9, 9
    sfpstochrnd L2, L2, L2, 0, 2, 0
    sfpcast     L3, L2, 0
    sfpaddi     L3, bf16(-127.0), 0
    sfpshft     L2, L2, 23, 1
    sfpmad      L1, L3, L13, L1, 0
    sfploadi    L3, e3, 0
    sfpmad      L3, L3, L1, L4, 0
    sfpnop
    sfpmad      L3, L3, L1, L14, 0
    sfpnop
    sfpmad      L1, L3, L1, L10, 0
    sfpnop
    sfpmul      L1, L1, L2, 0
    sfploadi    L2, c3, 1
    sfploadi    L3, c4, 0
    sfpmad      L2, L3, L1, L2, 0
    sfpnop
    sfpmad      L2, L2, L1, L5, 0
    sfpnop
    sfpmad      L2, L2, L1, L6, 0
    sfpnop
    sfpmad      L2, L2, L1, L7, 0
    sfpnop
    sfpmad      L0, L2, L1, L0, 0
    sfpnop
    sfpstochrnd L0, L0, L0, 0, 1, 0
    sfpstore    L0, ROW, 0, 3
    ROW = ROW + 2
.endr
