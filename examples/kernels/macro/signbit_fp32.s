# SPDX-License-Identifier: Apache-2.0
# 1.0 where the sign bit is set, else 0.0, by SFPLOADMACRO, on Blackhole and Wormhole.
#
# Method    x >> 31, SFPCAST; v alternates between L0 and L1.
# Schedule  One row of 32 elements; the next one starts in the next cycle. * is scheduled by a
#           macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfploadmacro
#               1                                            sfpshft2*
#               2                sfpcast*
#               3                                                          sfpstore*
# Cycles    1 per row, 35 per tile.
.title     "1.0 where the sign bit is set, else 0.0"
.dst       fp32
.init
.template  t0, sfpshft2 VD, L0, -31, 6
.template  t1, sfpcast VD, L0, 0
.sequence  0, simple=t1@1>L16 round=t0.vb@0 store@2<L16
.misc      mod0=0 load_mod0=0 instructions=simple
    sfpnop
.tile
I = 0
.rept 16
    sfploadmacro 0, L0, I, 3, 3
    sfploadmacro 0, L1, I + 2, 3, 3
    I = I + 4
.endr
    sfpnop
    sfpnop
    sfpnop
