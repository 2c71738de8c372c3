# SPDX-License-Identifier: Apache-2.0
# 1 where the sign bit is set, else 0, by SFPLOADMACRO, on Blackhole and Wormhole.
#
# Method    x >> 31.
# Schedule  One row of 32 elements; the next one starts in the next cycle. * is scheduled by a
#           macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfploadmacro
#               1                                            sfpshft2*
#               2                                                          sfpstore*
# Cycles    1 per row, 34 per tile.
.title     "1 where the sign bit is set, else 0"
.dst       int32
.init
.template  t0, sfpshft2 VD, L0, -31, 6
.sequence  0, round=t0.vb@0>L16 store@1<L16
.misc      mod0=0 load_mod0=0 instructions=simple
    sfpnop
.tile
I = 0
.rept 32
    sfploadmacro 0, L0, I, 4, 3
    I = I + 2
.endr
    sfpnop
    sfpnop
