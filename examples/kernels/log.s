# SPDX-License-Identifier: Apache-2.0
# Natural logarithm, on Blackhole and Wormhole.
#
# Method    x = m 2^e with sqrt(1/2) <= m < sqrt 2: adding bits(1.0) - bits(sqrt(1/2)) to the bits
#           of x carries into the exponent exactly where m would be too large. log x = e ln 2 + f +
#           f^2 q(f), f = m - 1 (exact), q of degree 7, fitted by Remez exchanges with the last two
#           coefficients held at BF16 values, which one SFPLOADI gives; e ln 2 in two parts, the
#           first exact.
# Accuracy  max 1.3 ULP of FP32, near x = 1 as elsewhere. log(+-0) = -Inf, denormals count as zero,
#           log(Inf) = Inf, x < 0 gives NaN, NaN gives NaN.
# Cycles    44 per row of 32 elements, 1408 per tile, on both chips.
.title     "log(x)"
.dst       fp32
.reference log
.init
    sfpencc   3, 10                         # predication on, all lanes
.loadi L0, float(-0.49999990658659493)
    sfpconfig 11, 0, 0
.loadi L0, float(0.3333399814466343)
    sfpconfig 12, 0, 0
.loadi L0, float(-0.25001900225582)
    sfpconfig 13, 0, 0
.loadi L0, float(1.7409305599453094e-3)     # ln 2 - 0.69140625
    sfpconfig 14, 0, 0
.loadi L5, float(0.1996003432616274)
.loadi L6, float(-0.16565378739904402)
.loadi L7, float(0.14936346108980372)
.tile
.macro row offset
    sfpload   L0, \offset, 0, 3
.loadi L1, float(1.0) - float(0.70710678118654752)
    sfpiadd   L1, L0, 0, 4                  # exponent field: 127 + e
    sfpsetman L2, L1, 0, 1
    sfpiadd   L2, L0, 0, 6
    sfpiadd   L2, L10, 0, 4                 # m
    sfpexexp  L3, L1, 1
    sfpaddi   L2, bf16(-1.0), 0             # f
    sfpcast   L3, L3, 0
    sfploadi  L1, bf16(0.08740234375), 0
    sfpaddi   L3, bf16(-127.0), 0           # e
    sfploadi  L4, bf16(-0.1435546875), 0
    sfpmad    L1, L1, L2, L4, 0
    sfpmul    L4, L3, L14, 0                # e times the second part of ln 2
    sfpmad    L1, L1, L2, L7, 0
    sfpnop
    sfpmad    L1, L1, L2, L6, 0
    sfpnop
    sfpmad    L1, L1, L2, L5, 0
    sfpnop
    sfpmad    L1, L1, L2, L13, 0
    sfpnop
    sfpmad    L1, L1, L2, L12, 0
    sfpnop
    sfpmad    L1, L1, L2, L11, 0            # q
    sfpnop
    sfpmul    L1, L1, L2, 0
    sfpnop
    sfpmad    L1, L1, L2, L4, 0
    sfpexexp  L4, L0, 0
    sfpadd    L1, L1, L2, 0
    sfpmul    L2, L0, L10, 0                # x, zeros and denormals made +0
    sfpiadd   L4, L4, -128, 1               # flags: x is finite
    sfploadi  L4, bf16(0.69140625), 0
    sfpmad    L0, L3, L4, L1, 0             # infinities and NaN stay
    sfpencc   3, 10
    sfpsetcc  L2, 0, 0                      # flags: x < 0
    sfploadi  L0, 0x7fc0, 0                 # NaN
    sfpencc   3, 10
    sfpsetcc  L2, 0, 6                      # flags: x = 0
    sfploadi  L0, bf16(-inf), 0
    sfpencc   3, 10
    sfpstore  L0, \offset, 0, 3
.endm
ROW = 0
.rept 32
    row ROW
    ROW = ROW + 2
.endr
