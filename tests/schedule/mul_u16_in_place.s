# SPDX-License-Identifier: Apache-2.0
# By hand with SFPLOADMACRO: a row every 2 cycles (examples/kernels/macro).
.title "low 16 bits of tile 1 times tile 0, result in tile 0"
.arch blackhole
.dst uint16
.inputs 2
.init
.tile
I = 0
.rept 32
    sfpload L0, I, 6, 3
    sfpload L1, I + 64, 6, 3
    sfpmul24 L1, L0, L1, 0
    sfpnop
    sfpstore L1, I, 6, 3
    I = I + 2
.endr
