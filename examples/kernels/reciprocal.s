# SPDX-License-Identifier: Apache-2.0
# 1/x, on Blackhole (reciprocal_wh.s is the one for Wormhole, which has no SFPARECIP).
#
# Method    SFPARECIP gives y0 with 7 good bits; two Newton steps e = 1 - x y, y = y + y e make 14 and then all of them.
#           For x = 0 and infinite x, y0 is the result already and e is NaN; for NaN y0 is 0. SFPEXEXP sets the flags
#           where the exponent of e is negative, so that the steps run for finite nonzero x only. NaN is restored by a
#           mask: SFPGT gives all ones where |x| > Inf, and all ones or'ed into anything is a NaN.
# Accuracy  max 1 ULP of FP32 for normal results. 1/+-0 = +-Inf, denormals count as zero, 1/+-Inf = +-0, NaN gives NaN.
#           |x| >= 2^126 gives 0: for x = 2^126 itself, whose reciprocal is still normal, that is SFPARECIP's doing.
# Cycles    17 per row of 32 elements, 544 per tile, three of them stalls on results of the instruction before.
#           The body is recorded once and replayed 31 times.
.arch      blackhole
.title     "1/x through SFPARECIP and Newton"
.dst       fp32
.reference recip
.config    ADDR_MOD_DST_SEC2_DestIncr, 2    # address modifier 2: on to the next row behind the access
.init
    sfpencc     3, 10                       # predication on, all lanes
.loadi L7, float(inf)
.tile
    ttreplay    0, 12, 1, 1
    sfpload     L0, 0, 3, 3
    sfparecip   L1, L0, 0
    sfpmad      L2, L0, L1, L10, 1          # e = 1 - x y
    sfpsetsgn   L3, L0, 0, 1
    sfpgt       L3, L7, 0, 8                # all ones where x is NaN
    sfpexexp    L4, L2, 2                   # flags: |e| < 1
    sfpmad      L1, L1, L2, L1, 0
    sfpmad      L2, L0, L1, L10, 1
    sfpmad      L1, L1, L2, L1, 0
    sfpencc     3, 10
    sfpor       L1, L0, L3, 0
    sfpstore    L1, 0, 3, 2
.rept 31
    ttreplay    0, 12, 0, 0
.endr
