# SPDX-License-Identifier: Apache-2.0
# Max(x, 0.75), by SFPLOADMACRO, on Blackhole and Wormhole.
#
# Method    SFPSWAP with L12; v alternates between L0 and L1.
# Schedule  One row of 32 elements; the next one starts 2 cycles later. * is scheduled by a macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfploadmacro
#               1                sfpswap*
#               3                                                          sfpstore*
# Cycles    2 per row, 66 per tile.
.title     "max(x, 0.75)"
.dst       fp32
.init
.template  t0, sfpswap VD, L12, 9
.sequence  0, simple=t0.vb@0 store@2
.misc      mod0=0 load_mod0=0 instructions=simple
.loadi L0, float(0.75)
    sfpconfig 12, 0, 0
    sfpnop
.tile
I = 0
.rept 16
    sfploadmacro 0, L0, I, 3, 3
    sfpnop
    sfploadmacro 0, L1, I + 2, 3, 3
    sfpnop
    I = I + 4
.endr
    sfpnop
    sfpnop
