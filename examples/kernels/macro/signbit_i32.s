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
    sfpshft2    L12, L0, -31, 6
.loadi L0, 0x4bc40000
    sfpconfig   4, 0, 0
    sfpconfig   8, 0x110, 1
    sfpnop
.tile
I = 0
.rept 32
    sfploadmacro 0, L0, I, 4, 3
    I = I + 2
.endr
    sfpnop
    sfpnop
