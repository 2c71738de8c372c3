# SPDX-License-Identifier: Apache-2.0
# By hand with SFPLOADMACRO: a row every cycle (examples/kernels/macro).
.title "1/x to seven bits"
.arch blackhole
.dst fp32
.init
.tile
I = 0
.rept 32
    sfpload L0, I, 3, 3
    sfparecip L1, L0, 0
    sfpstore L1, I, 3, 3
    I = I + 2
.endr
