# SPDX-License-Identifier: Apache-2.0
# Sign-magnitude int32 to uint16, clamped to 0..65535, by SFPLOADMACRO, on Blackhole and Wormhole.
#
# Method    fp32(v), max with 0, rounded back.
# Schedule  One row of 32 elements; the next one starts 3 cycles later. * is scheduled by a macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfploadmacro
#               1                sfpcast
#               2                sfpswap*
#               4                                            sfpstochrnd*
#               5                                                          sfpstore*
# Cycles    3 per row, 99 per tile.
.title     "sign-magnitude int32 to uint16, clamped to 0..65535"
.dst       bf16
.init
    sfpswap     L12, L9, 9
    sfpstochrnd L13, L0, L0, 0, 6, 0
.loadi L0, 0x635d008c
    sfpconfig   4, 0, 0
    sfpconfig   8, 0x106, 1
    sfpnop
.tile
I = 0
.rept 16
    sfploadmacro 0, L0, I, 4, 3
    sfpcast      L0, L0, 0
    sfpnop
    sfploadmacro 0, L1, I + 2, 4, 3
    sfpcast      L1, L1, 0
    sfpnop
    I = I + 4
.endr
    sfpnop
    sfpnop
    sfpnop
