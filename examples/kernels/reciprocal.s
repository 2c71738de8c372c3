# SPDX-License-Identifier: Apache-2.0
# 1/x, on Blackhole (reciprocal_wh.s is the one for Wormhole, which has no SFPARECIP).
#
# Method    SFPARECIP gives y with 7 good bits. With e = 1 - x y, which the multiply-add gives nearly exactly,
#           1/x = y / (1 - e), and 1 / (1 - e) = (1 + e)(1 + e^2) but for e^4: two Newton steps in one. The factor is made
#           first and multiplied last, so that nothing underflows before the result does.
#           For x = 0 and infinite x, y is the result already and e is NaN; SFPEXEXP sets the flags where the exponent
#           of e is negative, and only there the product is written. For NaN, y is 0: SFPGT gives all ones where |x| > Inf,
#           and all ones or'ed into anything is a NaN.
# Accuracy  max 1 ULP of FP32 for normal results. 1/+-0 = +-Inf, denormals count as zero, 1/+-Inf = +-0, NaN gives NaN.
#           |x| >= 2^126 gives 0: for x = 2^126 itself, whose reciprocal is still normal, that is SFPARECIP's doing.
# Cycles    13 per row of 32 elements, 416 per tile, no stall. The body is recorded once and replayed 31 times.
.arch      blackhole
.title     "1/x through SFPARECIP and Newton"
.dst       fp32
.reference recip
.config    ADDR_MOD_DST_SEC2_DestIncr, 2    # address modifier 2: on to the next row behind the access
.init
    sfpencc     3, 10                       # predication on, all lanes
.loadi L7, float(inf)
.tile
    ttreplay    0, 13, 1, 1
    sfpload     L0, 0, 3, 3
    sfparecip   L1, L0, 0
    sfpmad      L2, L0, L1, L10, 1          # e = 1 - x y
    sfpsetsgn   L3, L0, 0, 1
    sfpmul      L4, L2, L2, 0
    sfpadd      L5, L2, L10, 0
    sfpgt       L3, L7, 0, 8                # all ones where x is NaN
    sfpmad      L4, L4, L5, L5, 0           # (1 + e)(1 + e^2)
    sfpexexp    L6, L2, 2                   # flags: |e| < 1
    sfpmul      L1, L1, L4, 0
    sfpencc     3, 10
    sfpor       L1, L0, L3, 0
    sfpstore    L1, 0, 3, 2
.rept 31
    ttreplay    0, 13, 0, 0
.endr
