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
.dst       fp32
.init
    sfpcast     L12, L0, 0
.loadi L0, 0x4b000044
    sfpconfig   4, 0, 0
    sfpconfig   8, 0x103, 1
    sfpnop
.tile
I = 0
.rept 32
    sfploadmacro 0, L0, I + 62, 6, 3
    I = I - 2
.endr
    sfpnop
    sfpnop
