# SPDX-License-Identifier: Apache-2.0
# E^x, about eight bits, x clamped at -88, by SFPLOADMACRO, on Blackhole and Wormhole.
#
# Method    Faces of 8 rows: clamp all, then 2^15 int(x 256/ln 2 + bias) as the bits of the
#           result.
# Schedule  Clamp, a row every 2 cycles: load 0, sfpswap* 1, sfpstore* 3. Then a row every cycle:
#           load 0, sfpmad* 1, sfpstochrnd* 3, sfpshft* 4, sfpstore* 5. 24 cycles for 8 rows, and
#           2 for the counters.
# Cycles    3.25 per row, 106 per tile.
.title     "e^x, about eight bits, x clamped at -88"
.dst       bf16
.init
    sfpswap     L12, L14, 9
    sfpmad      L13, L12, L0, L13, 0
    sfpstochrnd L14, L0, L0, 0, 6, 0
    TTI_SFPSHFT(15, 0, 15, 1);
.loadi L0, 0x631685df
    sfpconfig   4, 0, 0
.loadi L0, 0x13000084
    sfpconfig   5, 0, 0
    sfpconfig   8, 0x000, 1
.loadi L0, float(369.329925537109375)
    sfpconfig 12, 0, 0
.loadi L0, float(32500.818359375)
    sfpconfig 13, 0, 0
.loadi L0, float(-88)
    sfpconfig 14, 0, 0
    sfpnop
.tile
.rept 4
    sfploadmacro 1, L0, 0, 0, 3
    sfpnop
    sfploadmacro 1, L1, 2, 0, 3
    sfpnop
    sfploadmacro 1, L2, 4, 0, 3
    sfpnop
    sfploadmacro 1, L3, 6, 0, 3
    sfpnop
    sfploadmacro 1, L0, 8, 0, 3
    sfpnop
    sfploadmacro 1, L1, 10, 0, 3
    sfpnop
    sfploadmacro 1, L2, 12, 0, 3
    sfpnop
    sfploadmacro 1, L3, 14, 0, 3
    sfploadmacro 0, L0, 0, 0, 3
    sfploadmacro 0, L1, 2, 0, 3
    sfploadmacro 0, L2, 4, 0, 3
    sfploadmacro 0, L3, 6, 0, 3
    sfploadmacro 0, L0, 8, 0, 3
    sfploadmacro 0, L1, 10, 0, 3
    sfploadmacro 0, L2, 12, 0, 3
    sfploadmacro 0, L3, 14, 0, 3
    sfpnop
    ttincrwc     0, 8, 0, 0
    ttincrwc     0, 8, 0, 0
.endr
