# SPDX-License-Identifier: Apache-2.0
# log(1 + e^x) for FP32 in Dst, on Blackhole and Wormhole: tensix fit --form poly:10 --objective unrounded.
#
# Method    max(x, 0) + log(1 + y), y = e^-|x|. Of -|x|: SFPSTOCHRND makes n + 127 of x / ln 2, n
#           the nearest integer, which shifted to the exponent is 2^n: 0 and infinity beyond the
#           range. f = x - n ln 2 in two parts, the first exact; e^f by a polynomial of degree 6.
#           log(1 + y) is y times a polynomial of degree 9.
# Accuracy  2.104 ULP of FP32 from the unrounded function at most, over all 2^32 inputs. A NaN with
#           a sign does not stay one.
# Cycles    64 per row of 32 elements, 1 row at a time; Horner's form of polynomials.
.title     "softplus by poly:10"
.dst       fp32
.reference softplus
least = float(-88)
bias = bf16(127)
log2e = float(1.442695)
ln2_high = bf16(-0.69140625)
ln2_low = float(-0.0017409306)
.free e1 = float(1) in fp32
.free e2 = float(0.50000006) in fp32
.free e3 = float(0.16666365) in fp32
.free e4 = float(0.041664775) in fp32
.free e5 = float(0.008379039) in fp32
.free e6 = float(0.0014061346) in fp16
.free c0 = float(1) in fp32
.free c1 = float(-0.49999902) in fp32
.free c2 = float(0.33329964) in fp32
.free c3 = float(-0.24954134) in fp32
.free c4 = float(0.19675939) in fp32
.free c5 = float(-0.15305592) in fp32
.free c6 = float(0.10603655) in fp32
.free c7 = float(-0.056959536) in fp32
.free c8 = float(0.019851463) in fp32
.free c9 = float(-0.0032440252) in fp32
.init
.loadi L0, least
    sfpconfig   11, 0, 0
.loadi L0, log2e
    sfpconfig   12, 0, 0
.loadi L0, ln2_low
    sfpconfig   13, 0, 0
.loadi L0, e1
    sfpconfig   14, 0, 0
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
    sfploadi    L4, ln2_high, 0
    sfpmad      L1, L3, L4, L1, 0
    sfpshft     L2, L2, 23, 1
    sfpmad      L1, L3, L13, L1, 0
    sfploadi    L3, hi16(e5), 8
    sfploadi    L3, lo16(e5), 10
    sfploadi    L4, e6, 1
    sfpmad      L3, L4, L1, L3, 0
    sfploadi    L4, hi16(e4), 8
    sfploadi    L4, lo16(e4), 10
    sfpmad      L3, L3, L1, L4, 0
    sfploadi    L4, hi16(e3), 8
    sfploadi    L4, lo16(e3), 10
    sfpmad      L3, L3, L1, L4, 0
    sfploadi    L4, hi16(e2), 8
    sfploadi    L4, lo16(e2), 10
    sfpmad      L3, L3, L1, L4, 0
    sfpnop
    sfpmad      L3, L3, L1, L14, 0
    sfpnop
    sfpmad      L1, L3, L1, L10, 0
    sfpnop
    sfpmul      L1, L1, L2, 0
    sfploadi    L2, hi16(c8), 8
    sfploadi    L3, hi16(c9), 8
    sfploadi    L2, lo16(c8), 10
    sfploadi    L3, lo16(c9), 10
    sfpmad      L2, L3, L1, L2, 0
    sfploadi    L3, hi16(c7), 8
    sfploadi    L3, lo16(c7), 10
    sfpmad      L2, L2, L1, L3, 0
    sfploadi    L3, hi16(c6), 8
    sfploadi    L3, lo16(c6), 10
    sfpmad      L2, L2, L1, L3, 0
    sfploadi    L3, hi16(c5), 8
    sfploadi    L3, lo16(c5), 10
    sfpmad      L2, L2, L1, L3, 0
    sfploadi    L3, hi16(c4), 8
    sfploadi    L3, lo16(c4), 10
    sfpmad      L2, L2, L1, L3, 0
    sfploadi    L3, hi16(c3), 8
    sfploadi    L3, lo16(c3), 10
    sfpmad      L2, L2, L1, L3, 0
    sfpnop
    sfpmad      L2, L2, L1, L5, 0
    sfpnop
    sfpmad      L2, L2, L1, L6, 0
    sfpnop
    sfpmad      L2, L2, L1, L7, 0
    sfpnop
    sfpmad      L0, L2, L1, L0, 0
    sfpnop
    sfpstore    L0, ROW, 0, 3
    ROW = ROW + 2
.endr
