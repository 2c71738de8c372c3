# SPDX-License-Identifier: Apache-2.0
# Low 16 bits of tile 1 times tile 0, result in tile 0, by SFPLOADMACRO, on Blackhole.
#
# Method    SFPMUL24 of L0 and the register that the macro loads.
# Schedule  One row of 32 elements; the next one starts 2 cycles later. * is scheduled by a macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfpload
#               1  sfploadmacro
#               2                              sfpmul24*
#               4                                                          sfpstore*
# Cycles    2 per row, 67 per tile.
.arch      blackhole
.title     "low 16 bits of tile 1 times tile 0, result in tile 0"
.dst       uint16
.inputs    2
.init
.template  t0, sfpmul24 VD, L0, L0, 0
.sequence  0, mad=t0.vb@0>L16 store@2<L16
.misc      mod0=0 load_mod0=0,1 instructions=simple,mad
    sfpnop
.tile
I = 0
.rept 32
    sfpload      L0, I + 64, 6, 3
    sfploadmacro 0, L1, I, 6, 3
    I = I + 2
.endr
    sfpnop
    sfpnop
    sfpnop
