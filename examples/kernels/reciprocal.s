# SPDX-License-Identifier: Apache-2.0
# 1/x, on Blackhole (reciprocal_wh.s is the one for Wormhole, which has no SFPARECIP).
#
# Method    SFPARECIP gives y with 7 good bits. Its sign and mantissa, s with 1 <= |s| < 2, are
#           refined, its power of two P is multiplied last: nothing underflows before the result
#           does, and no special value meets another. With t, the mantissa of x scaled so that s t
#           is near 1, and e = 1 - s t, which the multiply-add gives nearly exactly, 1/t = s / (1 -
#           e) = s + s (e + e^2 + e^3), but for e^4: two Newton steps in one. Where x is 0 or
#           infinite, P is infinite or 0 already. NaN is restored by a mask: SFPGT gives all ones
#           where |x| > Inf, and all ones or'ed into anything is a NaN.
# Accuracy  max 0.75 ULP of FP32 for normal results. 1/+-0 = +-Inf, denormals count as zero, 1/+-Inf
#           = 0, NaN gives NaN. |x| >= 2^126 gives 0: for x = 2^126 itself, whose reciprocal is
#           still normal, that is SFPARECIP's doing.
# Cycles    16 per row of 32 elements, 512 per tile, no stall. The body is recorded once and
#           replayed 31 times.
.arch      blackhole
.title     "1/x through SFPARECIP and Newton"
.dst       fp32
.reference recip
.config    ADDR_MOD_DST_SEC2_DestIncr, 2    # address modifier 2: on to the next row behind the access
.init
.loadi L7, float(inf)
.tile
    ttreplay    0, 16, 1, 1
    sfpload     L0, 0, 3, 3
    sfparecip   L1, L0, 0
    sfpsetexp   L2, L0, 126, 1              # t
    sfpsetexp   L3, L1, 127, 1              # s
    sfpmad      L2, L2, L3, L10, 1          # e = 1 - s t
    sfpsetman   L1, L1, 0, 1
    sfpmad      L4, L2, L2, L2, 0
    sfpsetsgn   L1, L1, 0, 1                # P
    sfpmad      L4, L4, L2, L2, 0           # e + e^2 + e^3
    sfpsetsgn   L5, L0, 0, 1
    sfpmad      L3, L3, L4, L3, 0
    sfpgt       L5, L7, 0, 8                # all ones where x is NaN
    sfpmul      L1, L1, L3, 0
    sfpnop
    sfpor       L1, L0, L5, 0
    sfpstore    L1, 0, 3, 2
.rept 31
    ttreplay    0, 16, 0, 0
.endr
