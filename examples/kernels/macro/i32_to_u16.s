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
.dst       int32-sm
.out       uint16
.init
.template  t0, sfpswap VD, L9, 9
.template  t1, sfpstochrnd VD, L0, L0, 0, 6, 0
.sequence  0, simple=t0.vb@1 round=t1@3>L16 store@4<L16
.misc      mod0=6 instructions=simple
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
