# SPDX-License-Identifier: Apache-2.0
# Square root, on Blackhole and Wormhole.
#
# Method    y0 = 0x5f3759df - bits(x) / 2 is 1/sqrt(x) to 3.5 % (the well known start from the
#           exponent). Goldschmidt's coupled iteration with g -> sqrt(x) and h -> -1/(2 sqrt(x)): r
#           = 1/2 + g h, g += g r, h += h r, twice. What g has gathered in roundings is dropped
#           then: g = x (-2 h), and one more step corrects it. No step can underflow, so that the
#           accuracy is the same down to the smallest normal number.
# Accuracy  max 0.9 ULP of FP32. sqrt(+-0) = 0, denormals count as zero, sqrt(Inf) = Inf, NaN gives
#           NaN, x < 0 gives NaN.
# Cycles    28 per row of 32 elements, 896 per tile, on both chips. The body is recorded once and
#           replayed 31 times.
.title     "sqrt(x)"
.dst       fp32
.reference sqrt
.config    ADDR_MOD_DST_SEC2_DestIncr, 2    # address modifier 2: on to the next row
.init
    sfpencc     3, 10                       # predication on, all lanes
.loadi L7, 0x5f3759df
.loadi L6, float(-0.5)
.loadi L0, float(0.5)
    sfpconfig   12, 0, 0
.tile
    ttreplay    0, 28, 1, 1
    sfpload     L0, 0, 0, 3
    sfpmov      L1, L0, 0
    sfpshft     L1, L0, -1, 1
    sfpiadd     L1, L7, 0, 6                # y0
    sfpmul      L2, L0, L1, 0               # g
    sfpmul      L3, L1, L6, 0               # h
    sfpmul      L4, L0, L10, 0              # x, zeros and denormals made +0
    sfpmad      L1, L2, L3, L12, 0          # r
    sfpexexp    L5, L0, 0
    sfpmad      L2, L2, L1, L2, 0
    sfpmad      L3, L3, L1, L3, 0
    sfpnop
    sfpmad      L1, L2, L3, L12, 0
    sfpnop
    sfpmad      L3, L3, L1, L3, 0
    sfpnop
    sfpsetsgn   L3, L3, 0, 1
    sfpdivp2    L1, L3, 1, 1                # 1/sqrt(x)
    sfpmul      L2, L0, L1, 0               # g anew
    sfpsetsgn   L3, L3, 1, 1
    sfpmad      L1, L2, L3, L12, 0
    sfpiadd     L5, L5, -128, 1             # flags: x is finite
    sfpmad      L0, L2, L1, L2, 0           # infinities and NaN stay
    sfpencc     3, 10
    sfpsetcc    L4, 0, 0                    # flags: x < 0
    sfploadi    L0, 0x7fc0, 0
    sfpencc     3, 10
    sfpstore    L0, 0, 0, 2
.rept 31
    ttreplay    0, 28, 0, 0
.endr
