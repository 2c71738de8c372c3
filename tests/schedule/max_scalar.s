# SPDX-License-Identifier: Apache-2.0
# By hand with SFPLOADMACRO: a row every 2 cycles (examples/kernels/macro).
.title "max(x, 0.75)"
.dst fp32
.init
.loadi L0, float(0.75)
    sfpconfig 12, 0, 0
.tile
I = 0
.rept 32
    sfpload L0, I, 3, 3
    sfpswap L0, L12, 9
    sfpnop
    sfpstore L0, I, 0, 3
    I = I + 2
.endr
