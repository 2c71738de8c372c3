# SPDX-License-Identifier: Apache-2.0
# 1/x, on Wormhole; runs on Blackhole too, where reciprocal.s is faster.
#
# Method    x = s m 2^e with 1 <= m < 2. y = -1/(2m) starts from a polynomial of degree 2 (1 % off)
#           in t = 2m; two Newton steps e = 1 + t y, y = y + y e. The scale is free: the complement
#           of x's bits has the exponent field 255 - E, so with its mantissa cleared it is -s
#           2^(1-e). Its ends are right by themselves: E = 0 (zero and denormals) gives an infinite
#           scale, E = 255 a zero one. NaN is put back under a flag. Wormhole does not wait for
#           results of the multiply-add: the gaps hold other work or SFPNOP.
# Accuracy  max 0.9 ULP of FP32 for normal results. 1/+-0 = +-Inf, denormals count as zero, 1/+-Inf
#           = 0, NaN gives NaN.
# Cycles    20 per row of 32 elements, 640 per tile. The body is recorded once and replayed 31
#           times.
.title     "1/x by a polynomial and Newton"
.dst       fp32
.reference recip
.config    ADDR_MOD_DST_SEC2_DestIncr, 2    # address modifier 2: on to the next row
.init
    sfpencc     3, 10                       # predication on, all lanes
.loadi L4, float(-1.0606060606)
.loadi L5, float(0.3636363636)
.loadi L6, float(-0.0404040404)
.loadi L7, -0x7f800001                      # added to |x|: negative unless NaN
.tile
    ttreplay    0, 20, 1, 1
    sfpload     L0, 0, 0, 3
    sfpsetexp   L2, L0, 128, 1
    sfpsetsgn   L2, L2, 0, 1                # t = 2m
    sfpmad      L3, L2, L6, L5, 0
    sfpnot      L1, L0
    sfpmad      L3, L3, L2, L4, 0           # y
    sfpsetman   L1, L1, 0, 1                # scale
    sfpmad      L0, L2, L3, L10, 0          # e
    sfpnop
    sfpmad      L3, L3, L0, L3, 0
    sfpload     L0, 0, 0, 3
    sfpmad      L2, L2, L3, L10, 0          # e
    sfpnop
    sfpmad      L3, L3, L2, L3, 0
    sfpsetsgn   L2, L0, 0, 1
    sfpmul      L1, L3, L1, 0
    sfpiadd     L2, L7, 0, 8                # flags: |x| is NaN
    sfpmov      L1, L0, 0
    sfpencc     3, 10
    sfpstore    L1, 0, 0, 2
.rept 31
    ttreplay    0, 20, 0, 0
.endr
