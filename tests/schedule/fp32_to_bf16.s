# SPDX-License-Identifier: Apache-2.0
# By hand with SFPLOADMACRO: a row every 3 cycles (examples/kernels/macro).
.title "FP32 to BF16, nearest even"
.dst fp32
.out bf16
.init
.loadi L3, 1
.loadi L4, 0x7fff
.tile
I = 0
.rept 32
    sfpload L0, I, 3, 3
    sfpmov L2, L0, 0
    sfpshft L0, L0, -16, 1
    TTI_SFPAND(0, 3, 0, 0)
    sfpiadd L2, L4, 0, 4
    sfpiadd L2, L0, 0, 4
    sfpstore L2, I, 2, 3
    I = I + 2
.endr
