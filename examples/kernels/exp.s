# SPDX-License-Identifier: Apache-2.0
.title     "exp(x)"
.dst       fp32
.reference exp
.config    ADDR_MOD_DST_SEC2_DestIncr, 2    # address modifier 2: next row behind the access
.init
.loadi L0, float(1.4426950408889634)        # 1 / ln 2
    sfpconfig 11, 0, 0
.loadi L0, float(-0.0017409305599453)       # 0.69140625 - ln 2
    sfpconfig 12, 0, 0
.loadi L0, float(0.5)
    sfpconfig 13, 0, 0
.loadi L0, float(-88.0)
    sfpconfig 14, 0, 0
.loadi L4, float(0.16667)
.loadi L5, float(0.041667)
.loadi L6, float(0.0083333)
.loadi L7, float(0.001388)
.tile
    ttreplay 0, 28, 1, 1
    sfpload     L0, 0, 3, 3
    sfpswap     L0, L14, 9
    sfpmul      L1, L0, L11, 0
    sfploadi    L3, bf16(-0.69140625), 0
    sfpstochrnd L1, L1, L1, 0, 3, 0
    sfpcast     L2, L1, 0
    sfpmov      L1, L2, 0
    sfpmad      L0, L2, L3, L0, 0
    sfpnop
    sfpnop
    sfpstore    L0, 0, 3, 2
.rept 31
    ttreplay 0, 28, 0, 0
.endr
