# SPDX-License-Identifier: Apache-2.0
# 1/x, on Blackhole (reciprocal_wh.s is the one for Wormhole, which has no SFPARECIP).
#
# Method    x = m 2^e with 1 <= |m| < 2. SFPARECIP gives s, 1/(2m) to 7 bits. With t = 2m and
#           d = 1 - s t, which the multiply-add gives nearly exactly, 1/t = s / (1 - d), which is
#           s + s (d + d^2 + d^3) but for d^4: two Newton steps in one. The scale is free: the
#           complement of x's bits has the exponent field 255 - E, so with its mantissa and sign
#           cleared it is 2^(1-e). Its ends are right by themselves: E = 0 (zero and denormals) gives
#           an infinite scale, E = 255 a zero one. NaN is restored by a mask: SFPGT gives all ones
#           where |x| > Inf, and all ones or'ed into anything is a NaN.
# Accuracy  max 0.75 ULP of FP32 for normal results. 1/+-0 = +-Inf, denormals count as zero,
#           1/+-Inf = 0, NaN gives NaN.
# Cycles    15 per row of 32 elements, 480 per tile, no stall. The body is recorded once and
#           replayed 31 times.
.arch      blackhole
.title     "1/x through SFPARECIP and Newton"
.dst       fp32
.reference recip
.config    ADDR_MOD_DST_SEC2_DestIncr, 2    # address modifier 2: on to the next row
.init
.loadi L7, float(inf)
.tile
    ttreplay    0, 15, 1, 1
    sfpload     L0, 0, 0, 3
    sfpsetexp   L2, L0, 128, 1              # t
    sfparecip   L3, L2, 0                   # s
    sfpmad      L4, L2, L3, L10, 1          # d = 1 - s t
    sfpnot      L1, L0
    sfpmad      L5, L4, L4, L4, 0
    sfpsetman   L1, L1, 0, 1
    sfpmad      L5, L5, L4, L4, 0           # d + d^2 + d^3
    sfpsetsgn   L1, L1, 0, 1                # scale
    sfpmad      L3, L3, L5, L3, 0
    sfpsetsgn   L0, L0, 0, 1
    sfpmul      L1, L1, L3, 0
    sfpgt       L0, L7, 0, 8                # all ones where x is NaN
    sfpor       L1, L0, L0, 0
    sfpstore    L1, 0, 0, 2
.rept 31
    ttreplay    0, 15, 0, 0
.endr
