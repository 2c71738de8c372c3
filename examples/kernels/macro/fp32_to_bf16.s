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
.dst       fp32
.out       bf16
.init
.template  t0, sfpshft2 VD, L0, -16, 6
.template  t1, sfpiadd VD, L4, 0, 4
.template  t2, sfpiadd VD, L2, 0, 4
.sequence  0, simple=t2.vb@3>L16 round=t0.vb@0 store@3
.sequence  1, simple=t1.vb@1 store@3<L16
.misc      mod0=2 load_mod0=0 instructions=simple,mad
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
