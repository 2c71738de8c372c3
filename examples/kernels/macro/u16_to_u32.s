# SPDX-License-Identifier: Apache-2.0
# Uint16 to uint32, by SFPLOADMACRO, on Blackhole and Wormhole.
#
# Method    Nothing but the two formats. Rows go from the last to the first, as in u16_to_fp32.s.
# Schedule  One row of 32 elements; the next one starts in the next cycle. * is scheduled by a
#           macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfploadmacro
#               1                                                          sfpstore*
# Cycles    1 per row, 33 per tile.
.title     "uint16 to uint32"
.dst       uint16
.out       uint32
.init
.sequence  0, store@0
.misc      mod0=4 instructions=simple
    sfpnop
.tile
I = 0
.rept 32
    sfploadmacro 0, L0, I + 62, 6, 3
    I = I - 2
.endr
    sfpnop
