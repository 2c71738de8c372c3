# SPDX-License-Identifier: Apache-2.0
# By hand with SFPLOADMACRO: a row every 4 cycles (examples/kernels/macro).
.title "max(x, -100), int32 in two's complement"
.dst int32
.init
.loadi L0, 99
    sfpconfig 12, 0, 0
.tile
I = 0
.rept 32
    sfpload L0, I, 4, 3
    sfpnot L0, L0
    sfpswap L0, L12, 1
    sfpnop
    sfpnot L0, L0
    sfpstore L0, I, 4, 3
    I = I + 2
.endr
