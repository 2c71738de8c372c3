# SPDX-License-Identifier: Apache-2.0
# exp(x), on Blackhole and Wormhole.
#
# Method    x = n ln 2 + f with n = x / ln 2 rounded by SFPSTOCHRND to INT8 (round to nearest; it
#           clamps to +-127, so n needs no bounds of its own) and ln 2 in two parts, the first of 8
#           bits, so that n times it is exact. e^f = 1 + f (1 + f q(f)), q of degree 4, fitted by a
#           Remez exchange to relative error: 2.5e-8 for |f| <= ln 2 / 2, 8.5e-8 for f up to ln 2,
#           which only x > 88.03 reaches (n stops at 127). 2^n is made as an integer: n + 1.5 2^23
#           has n in its low bits; shifted left 23 and added to the bits of 1.0. Clamping x from
#           below to -88 gives n = -127, 2^n = 0 and so 0. Overflow gives +Inf by the last product.
# Accuracy  max 1.2 ULP of FP32 (2.1 for x > 88.03) where the result is a normal number; zero below.
#           exp(Inf) = Inf, exp(-Inf) = 0, exp(+NaN) = NaN; -NaN gives 0, because SFPSWAP puts it
#           below -Inf.
# Cycles    26 per row of 32 elements, 832 per tile, on both chips. The body is recorded once and
#           replayed 31 times.
.title     "exp(x)"
.dst       fp32
.reference exp
.config    ADDR_MOD_DST_SEC2_DestIncr, 2    # address modifier 2: on to the next row
.init
.loadi L0, float(1.4426950408889634)        # 1 / ln 2
    sfpconfig 11, 0, 0
.loadi L0, float(-1.7409305599453094e-3)    # 0.69140625 - ln 2
    sfpconfig 12, 0, 0
.loadi L0, float(0.5000018718060551)
    sfpconfig 13, 0, 0
.loadi L0, float(-88.0)
    sfpconfig 14, 0, 0
.loadi L4, float(0.16666738098123543)
.loadi L5, float(0.041626132304896396)
.loadi L6, float(0.008346089972388662)
.loadi L7, float(0.001594122289508891)
.tile
    ttreplay    0, 25, 1, 1
    sfpload     L0, 0, 0, 3
    sfpswap     L0, L14, 9                  # max(x, -88)
    sfpmul      L1, L0, L11, 0
    sfploadi    L3, bf16(-0.69140625), 0
    sfpstochrnd L1, L1, L1, 0, 3, 0         # n, sign and magnitude
    sfpcast     L2, L1, 0
    sfpmad      L0, L2, L3, L0, 0           # f = x - n ln 2
    sfpcast     L1, L1, 0
    sfpmad      L0, L2, L12, L0, 0
    sfpaddi     L1, bf16(12582912.0), 0     # 1.5 2^23
    sfpmad      L2, L0, L7, L6, 0
    sfpshft     L1, L0, 23, 1
    sfpmad      L2, L2, L0, L5, 0
    sfpiadd     L1, L10, 0, 4               # 2^n
    sfpmad      L2, L2, L0, L4, 0
    sfpnop
    sfpmad      L2, L2, L0, L13, 0          # q
    sfpnop
    sfpmad      L2, L2, L0, L10, 0          # 1 + f q
    sfpnop
    sfpmad      L2, L2, L0, L10, 0          # e^f
    sfpnop
    sfpmul      L0, L2, L1, 0
    sfpnop
    sfpstore    L0, 0, 0, 2
.rept 31
    ttreplay    0, 25, 0, 0
.endr
