# SPDX-License-Identifier: Apache-2.0
# FP32 to int32 as C converts it, towards zero, but saturating; on Blackhole and Wormhole.
#
# Method    The mantissa with its hidden bit is shifted by the exponent less 23; flags leave out |x|
#           < 1 (0) and put the largest magnitude where |x| >= 2^31. The sign goes on top: integers
#           stand in Dst as sign and magnitude; .out says that the result is read as int32-sm.
# Accuracy  exact. Values beyond the range, infinities and NaN give +-(2^31 - 1), by their sign.
# Cycles    12 per row of 32 elements, 384 per tile, on both chips. The body is recorded once and
#           replayed 31 times.
.title     "FP32 to int32, towards zero, saturating"
.dst       fp32
.out       int32-sm
.reference trunc
.config    ADDR_MOD_DST_SEC2_DestIncr, 2    # address modifier 2: on to the next row
.init
    sfpencc     3, 10                       # predication on, all lanes
.loadi L7, 0x7fffffff
.tile
    ttreplay    0, 12, 1, 1
    sfpload     L0, 0, 3, 3
    sfploadi    L3, 0, 2
    sfpexexp    L1, L0, 10                  # exponent; flags: not negative
    sfpexman    L2, L0, 0                   # 24 bits of mantissa
    sfpiadd     L1, L1, -23, 5
    sfpshft     L2, L1, 0, 0
    sfpmov      L3, L2, 0
    sfpiadd     L1, L1, -8, 9               # flags: exponent >= 31
    sfpmov      L3, L7, 0
    sfpencc     3, 10
    sfpsetsgn   L0, L3, 0, 0                # sign of L0, magnitude of L3
    sfpstore    L0, 0, 4, 2
.rept 31
    ttreplay    0, 12, 0, 0
.endr
