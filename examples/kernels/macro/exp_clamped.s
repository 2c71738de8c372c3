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
.template  t0, sfpswap VD, L14, 9
.template  t1, sfpmad VD, L12, L0, L13, 0
.template  t2, sfpstochrnd VD, L0, L0, 0, 6, 0
.template  t3, TTI_SFPSHFT(15, 0, VD, 1)
.sequence  0, simple=t3.vb@3>L16 mad=t1.vb@0 round=t2@2 store@4<L16
.sequence  1, simple=t0.vb@0 store@2
.misc      mod0=0
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
