# SPDX-License-Identifier: Apache-2.0
# FP32 to BF16, nearest even, by SFPLOADMACRO, on Blackhole and Wormhole.
#
# Method    b + 0x7fff + (bit 16 of x), both loaded as x. The store of a only occupies its slot.
# Schedule  One row of 32 elements; the next one starts 3 cycles later. * is scheduled by a macro.
#           cycle  load          Simple        MAD           Round         Store
#               0  sfploadmacro
#               1  sfploadmacro                              sfpshft2*
#               2                sfpand
#               3                sfpiadd*
#               4                sfpiadd*                                  sfpstore*
#               5                                                          sfpstore*
# Cycles    3 per row, 99 per tile.
.title     "FP32 to BF16, nearest even"
.dst       bf16
.init
    sfpshft2    L12, L0, -16, 6
    sfpiadd     L13, L4, 0, 4
    sfpiadd     L14, L2, 0, 4
.loadi L0, 0x1b8400de
    sfpconfig   4, 0, 0
.loadi L0, 0x5b00008d
    sfpconfig   5, 0, 0
    sfpconfig   8, 0x312, 1
.loadi L3, 1
.loadi L4, 0x7fff
    sfpnop
.tile
I = 0
.rept 16
    sfploadmacro 0, L0, I, 3, 3
    sfploadmacro 1, L2, I, 3, 3
    TTI_SFPAND(0, 3, 0, 0);
    sfploadmacro 0, L1, I + 2, 3, 3
    sfploadmacro 1, L2, I + 2, 3, 3
    TTI_SFPAND(0, 3, 1, 0);
    I = I + 4
.endr
    sfpnop
    sfpnop
    sfpnop
