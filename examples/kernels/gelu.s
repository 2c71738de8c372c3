# SPDX-License-Identifier: Apache-2.0
# gelu(x) = x Phi(x), Phi the normal distribution, on Blackhole and Wormhole; accuracy for BF16.
#
# Method    Phi(x) = 1 / (1 + exp(-q(x))) with q = log(Phi(x) / Phi(-x)), an odd function: q is x
#           times a polynomial of degree 8 in x^2, fitted for all x whose gelu is a normal number;
#           x^2 is clamped to 178. An absolute error in q is a relative one in Phi, so that the
#           negative tail is right in its digits, not only in its smallness. exp as in exp.s with
#           ln 2 in one part and degree 3; the reciprocal as in reciprocal_wh.s with one Newton step.
# Accuracy  max relative error 0.3 % for x >= -12.8, below one ULP of BF16; below -12.8 the absolute
#           error is less than 1e-37. gelu(Inf) = Inf; -Inf gives NaN (Inf times zero). A NaN need
#           not give a NaN.
# Cycles    63 per row of 32 elements, 2016 per tile, on both chips.
.title     "gelu(x)"
.dst       fp32
.reference gelu
.init
.loadi L0, float(-1.590531026501555)
    sfpconfig 11, 0, 0
.loadi L0, float(1.4426950408889634)        # 1 / ln 2
    sfpconfig 12, 0, 0
.loadi L0, float(-0.69314718055994531)      # -ln 2
    sfpconfig 13, 0, 0
.loadi L0, float(-88.0)
    sfpconfig 14, 0, 0
.loadi L4, float(-0.0770652438145679)
.loadi L5, float(1.1725901163941546e-3)
.loadi L6, float(-1.9403550983152692e-5)
.loadi L7, float(2.289808179824695e-7)
.tile
.macro row offset
    sfpload     L0, \offset, 0, 3
    sfpmul      L1, L0, L0, 0
    sfploadi    L2, bf16(178.0), 0
    sfpswap     L1, L2, 1                   # u = min(x^2, 178)
.loadi L2, float(2.5857407437062182e-17)
.loadi L3, float(-2.2678460346998718e-14)
    sfpmad      L2, L2, L1, L3, 0
.loadi L3, float(8.47908990122169e-12)
    sfpmad      L2, L2, L1, L3, 0
.loadi L3, float(-1.7716174258429892e-9)
    sfpmad      L2, L2, L1, L3, 0
    sfpnop
    sfpmad      L2, L2, L1, L7, 0
    sfpnop
    sfpmad      L2, L2, L1, L6, 0
    sfpnop
    sfpmad      L2, L2, L1, L5, 0
    sfpnop
    sfpmad      L2, L2, L1, L4, 0
    sfpnop
    sfpmad      L2, L2, L1, L11, 0
    sfpnop
    sfpmul      L1, L2, L0, 0               # -q
    sfpnop
    sfpswap     L1, L14, 9                  # max(-q, -88)
    sfpmul      L2, L1, L12, 0
    sfpnop
    sfpstochrnd L2, L2, L2, 0, 3, 0         # n, sign and magnitude
    sfpcast     L3, L2, 0
    sfpmad      L1, L3, L13, L1, 0          # f
    sfpcast     L2, L2, 0
    sfpmov      L3, L1, 0
    sfpaddi     L2, bf16(12582912.0), 0     # 1.5 2^23
    sfpmuli     L3, bf16(0.1669921875), 0
    sfpshft     L2, L0, 23, 1
    sfpaddi     L3, bf16(0.50390625), 0
    sfpiadd     L2, L10, 0, 4               # 2^n
    sfpmad      L3, L3, L1, L10, 0
    sfpnop
    sfpmad      L3, L3, L1, L10, 0          # e^f
    sfploadi    L0, bf16(-0.040404), 0
    sfpmad      L1, L3, L2, L10, 0          # d = 1 + exp(-q)
    sfploadi    L3, bf16(0.363636), 0
    sfpsetexp   L2, L1, 128, 1              # t: d with exponent 1
    sfpmad      L3, L2, L0, L3, 0
    sfploadi    L0, bf16(-1.060606), 0
    sfpmad      L3, L3, L2, L0, 0           # y, about -1/t
    sfpnot      L1, L1
    sfpmad      L0, L2, L3, L10, 0          # e
    sfpsetman   L1, L1, 0, 1                # scale
    sfpmad      L3, L3, L0, L3, 0
    sfpload     L0, \offset, 0, 3
    sfpmul      L3, L3, L0, 0
    sfpnop
    sfpmul      L0, L3, L1, 0
    sfpnop
    sfpstore    L0, \offset, 0, 3
.endm
ROW = 0
.rept 32
    row ROW
    ROW = ROW + 2
.endr
