# SPDX-License-Identifier: Apache-2.0
# Uint16 to FP32, by SFPLOADMACRO, on Blackhole and Wormhole.
#
# Method    SFPCAST. Rows go from the last to the first: a stored 32-bit row lies on 16-bit rows
#           behind its own.
# Schedule  One row of 32 elements; the next one starts in the next cycle. * is scheduled by a
#           macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfploadmacro
#               1                sfpcast*
#               2                                                          sfpstore*
# Cycles    1 per row, 34 per tile.
.title     "uint16 to FP32"
.dst       uint16
.out       fp32
.init
.template  t0, sfpcast VD, L0, 0
.sequence  0, simple=t0@0>L16 store@1<L16
.misc      mod0=3 instructions=simple
    sfpnop
.tile
I = 0
.rept 32
    sfploadmacro 0, L0, I + 62, 6, 3
    I = I - 2
.endr
    sfpnop
    sfpnop
