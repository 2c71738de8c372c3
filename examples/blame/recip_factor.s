# SPDX-License-Identifier: Apache-2.0
# 1/x, the repaired form of recip_additive.s.
#
# Method    y = SFPARECIP(x), 7 bits; e = 1 - x y; 1/x = y (1 + e + e^2 + e^3) but for e^4. The
#           factor is near 1, so no product is smaller than the result. SFPARECIP gives 0 for
#           |x| = 2^126, the only x whose result is 2^-126 exactly: it is put in by its flag. NaN is
#           restored by a mask, as in kernels/reciprocal.s.
# Accuracy  max 1.8 ULP of FP32 for normal results. 1/+-0 = +-Inf, denormals count as zero,
#           1/+-Inf = 0, NaN gives NaN.
# Cycles    20 per row of 32 elements.
.arch      blackhole
.title     "1/x, refined by a factor"
.dst       fp32
.reference recip
.config    ADDR_MOD_DST_SEC2_DestIncr, 2    # address modifier 2: on to the next row
.init
.loadi L7, float(inf)
.loadi L6, 0x81800000                       # minus the bits of 2^126
    sfpencc     3, 10                       # predication on, all lanes
.tile
.rept 32
    sfpload     L0, 0, 0, 3
    sfparecip   L3, L0, 0                   # y
    sfpmad      L4, L0, L3, L10, 1          # e
    sfpsetsgn   L1, L0, 0, 1                # |x|
    sfpmad      L5, L4, L4, L4, 0           # e + e^2
    sfpmov      L2, L1, 0
    sfpmad      L5, L5, L4, L4, 0           # e + e^2 + e^3
    sfpiadd     L2, L6, 0, 4
    sfpswap     L5, L10, 1                  # at most 1: the NaN of zero and infinity
    sfpadd      L5, L5, L10, 0              # the factor
    sfpgt       L1, L7, 0, 8                # all ones where x is NaN
    sfpmul      L3, L3, L5, 0
    sfpsetcc    L2, 0, 6                    # flags: |x| = 2^126
    sfploadi    L3, 0x0080, 0               # 2^-126
    sfpsetsgn   L0, L3, 0, 0                # its sign from L0
    sfpmov      L3, L0, 0
    sfpencc     3, 10
    sfpor       L3, L0, L1, 0
    sfpstore    L3, 0, 0, 2
.endr
