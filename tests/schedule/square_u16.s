# SPDX-License-Identifier: Apache-2.0
# By hand with SFPLOADMACRO: a row every cycle (examples/kernels/macro).
.title "low 16 bits of x * x"
.arch blackhole
.dst uint16
.init
.tile
I = 0
.rept 32
    sfpload L0, I, 6, 3
    sfpmul24 L1, L0, L0, 0
    sfpnop
    sfpstore L1, I, 6, 3
    I = I + 2
.endr
