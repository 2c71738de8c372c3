# SPDX-License-Identifier: Apache-2.0
# 1/x to seven bits, by SFPLOADMACRO, on Blackhole.
#
# Method    SFPARECIP.
# Schedule  One row of 32 elements; the next one starts in the next cycle. * is scheduled by a
#           macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfploadmacro
#               1                sfparecip*
#               2                                                          sfpstore*
# Cycles    1 per row, 34 per tile.
.arch      blackhole
.title     "1/x to seven bits"
.dst       fp32
.init
.template  t0, sfparecip VD, L0, 0
.sequence  0, simple=t0@0>L16 store@1<L16
.misc      mod0=0 load_mod0=0 instructions=simple
    sfpnop
.tile
I = 0
.rept 32
    sfploadmacro 0, L0, I, 3, 3
    I = I + 2
.endr
    sfpnop
    sfpnop
