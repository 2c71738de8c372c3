# SPDX-License-Identifier: Apache-2.0
# Low 16 bits of tile 0 times tile 1, result in tile 2, by SFPLOADMACRO, on Blackhole.
#
# Method    The load of the macro only fixes the address; the factor follows with an SFPLOAD.
# Schedule  One row of 32 elements; the next one starts 3 cycles later. * is scheduled by a macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfpload
#               1  sfploadmacro
#               2  sfpload
#               3                              sfpmul24*
#               5                                                          sfpstore*
# Cycles    3 per row, 99 per tile.
.arch      blackhole
.title     "low 16 bits of tile 0 times tile 1, result in tile 2"
.dst       uint16
.inputs    3
.output    2
.init
.template  t0, sfpmul24 VD, L0, L0, 0
.sequence  1, mad=t0.vb@1>L16 store@3<L16
.misc      mod0=0 load_mod0=0,1 instructions=simple,mad
    sfpnop
.tile
I = 0
.rept 32
    sfpload      L0, I, 6, 3
    sfploadmacro 1, L1, I + 128, 6, 3
    sfpload      L1, I + 64, 6, 3
    I = I + 2
.endr
    sfpnop
    sfpnop
    sfpnop
