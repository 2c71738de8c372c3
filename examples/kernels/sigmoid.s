# SPDX-License-Identifier: Apache-2.0
# sigmoid(x) = 1 / (1 + exp(-x)), on Blackhole and Wormhole.
#
# Method    exp(-x) as in exp.s; then d = 1 + exp(-x) is at least 1 and its reciprocal is found as
#           in reciprocal_wh.s: a polynomial of degree 2 on the mantissa, two Newton steps, a scale
#           of 2^n from the complement of the bits of d, which is 0 where d is infinite.
# Accuracy  max 2.7 ULP of FP32 for x > -87.33, where the result is a normal number; 0 below.
#           sigmoid(Inf) = 1, sigmoid(-Inf) = 0; NaN gives 0 or 1.
# Cycles    42 per row of 32 elements, 1344 per tile, on both chips.
.title     "sigmoid(x)"
.dst       fp32
.reference sigmoid
.init
.loadi L0, float(1.4426950408889634)        # 1 / ln 2
    sfpconfig 11, 0, 0
.loadi L0, float(-1.7409305599453094e-3)    # 0.69140625 - ln 2
    sfpconfig 12, 0, 0
.loadi L0, float(0.49999995525727126)
    sfpconfig 13, 0, 0
.loadi L0, float(-88.0)
    sfpconfig 14, 0, 0
.loadi L4, float(0.16666506113108015)
.loadi L5, float(0.04166739605651839)
.loadi L6, float(0.008370421829783006)
.loadi L7, float(0.0013897474262212657)
.tile
.macro row offset
    sfpload     L0, \offset, 0, 3
    sfpmov      L0, L0, 1                   # -x
    sfpswap     L0, L14, 9                  # max(-x, -88)
    sfpmul      L1, L0, L11, 0
    sfploadi    L3, bf16(-0.69140625), 0
    sfpstochrnd L1, L1, L1, 0, 3, 0         # n, sign and magnitude
    sfpcast     L2, L1, 0
    sfpmad      L0, L2, L3, L0, 0           # f = -x - n ln 2
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
    sfploadi    L0, bf16(-0.040404), 0
    sfpmad      L1, L2, L1, L10, 0          # d = 1 + exp(-x)
    sfploadi    L3, bf16(0.363636), 0
    sfpsetexp   L2, L1, 128, 1              # t: d with exponent 1
    sfpmad      L3, L2, L0, L3, 0
    sfploadi    L0, bf16(-1.060606), 0
    sfpmad      L3, L3, L2, L0, 0           # y, about -1/t
    sfpnot      L1, L1
    sfpmad      L0, L2, L3, L10, 0          # e
    sfpsetman   L1, L1, 0, 1                # scale
    sfpmad      L3, L3, L0, L3, 0
    sfpnop
    sfpmad      L0, L2, L3, L10, 0
    sfpnop
    sfpmad      L3, L3, L0, L3, 0
    sfpnop
    sfpmul      L1, L3, L1, 0
    sfpnop
    sfpstore    L1, \offset, 0, 3
.endm
ROW = 0
.rept 32
    row ROW
    ROW = ROW + 2
.endr
