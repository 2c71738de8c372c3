# SPDX-License-Identifier: Apache-2.0
# 1/x with a refinement that is lost for large x, on purpose (tt-metal #55797). recip_factor.s is
# the repaired form.
#
# Method    y = SFPARECIP(x), 7 bits; e = 1 - x y; 1/x = y + y (e + e^2 + e^3) but for e^4.
# Fault     The last multiply-add forms y times a correction of at most 2^-7. Where |x| >= 2^119 that
#           product is below 2^-126, and the multiply-add drops it whatever it is added to: y stays
#           as SFPARECIP gave it, 90,174 ULP off at worst. Below, it is lost where the correction is
#           small enough, 251 ULP at worst under 2^111. `tensix sweep recip_additive.s --domain
#           fp32:0x1p111:0x1p125 --stride 4099 --blame` names that instruction.
# Cycles    13 per row of 32 elements.
.arch      blackhole
.title     "1/x, refined by a sum"
.dst       fp32
.reference recip
.config    ADDR_MOD_DST_SEC2_DestIncr, 2    # address modifier 2: on to the next row
.tile
.rept 32
    sfpload     L0, 0, 0, 3
    sfparecip   L3, L0, 0                   # y
    sfpmad      L4, L0, L3, L10, 1          # e
    sfpmad      L5, L4, L4, L4, 0           # e + e^2
    sfpmad      L5, L5, L4, L4, 0           # e + e^2 + e^3
    sfpnop
    sfpswap     L5, L10, 1                  # at most 1: the NaN of zero and infinity
    sfpmad      L3, L5, L3, L3, 0           # the product is flushed here
    sfpstore    L3, 0, 0, 2
.endr
