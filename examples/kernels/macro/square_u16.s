# SPDX-License-Identifier: Apache-2.0
# Low 16 bits of x * x, by SFPLOADMACRO, on Blackhole.
#
# Method    SFPMUL24 with the register of L0.
# Schedule  One row of 32 elements; the next one starts in the next cycle. * is scheduled by a
#           macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfploadmacro
#               1                              sfpmul24*
#               3                                                          sfpstore*
# Cycles    1 per row, 35 per tile.
.arch      blackhole
.title     "low 16 bits of x * x"
.dst       uint16
.init
.template  t0, sfpmul24 VD, L0, L0, 0
.sequence  0, mad=t0.vb@0>L16 store@2<L16
.misc      mod0=0 load_mod0=0,1 instructions=simple,mad
    sfpnop
.tile
I = 0
.rept 32
    sfploadmacro 0, L0, I, 6, 3
    I = I + 2
.endr
    sfpnop
    sfpnop
    sfpnop
