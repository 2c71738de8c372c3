# SPDX-License-Identifier: Apache-2.0
# By hand with SFPLOADMACRO: a row every 3 cycles (examples/kernels/macro).
.title "low 16 bits of tile 0 times tile 1, result in tile 2"
.arch blackhole
.dst uint16
.inputs 3
.output 2
.init
.tile
I = 0
.rept 32
    sfpload L0, I, 6, 3
    sfpload L1, I + 64, 6, 3
    sfpmul24 L1, L0, L1, 0
    sfpnop
    sfpstore L1, I + 128, 6, 3
    I = I + 2
.endr
