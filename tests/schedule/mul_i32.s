# SPDX-License-Identifier: Apache-2.0
# By hand with SFPLOADMACRO: a row every 8 cycles (examples/kernels/macro).
.title "int32 times int32, modulo 2^32; tile 0 times tile 1, result in tile 0"
.arch blackhole
.dst int32
.inputs 2
.init
.tile
I = 0
.rept 32
    sfpload L0, I + 64, 4, 3
    sfpload L1, I, 4, 3
    sfpmov L2, L1, 0
    sfpshft L2, L2, -23, 1
    sfpmov L3, L0, 0
    sfpshft L3, L3, -23, 1
    sfpmul24 L2, L0, L2, 0
    sfpmul24 L3, L1, L3, 0
    sfpmul24 L4, L0, L1, 1
    sfpmul24 L5, L0, L1, 0
    sfpiadd L2, L3, 0, 4
    sfpiadd L2, L4, 0, 4
    sfpshft L2, L2, 23, 1
    sfpiadd L2, L5, 0, 4
    sfpstore L2, I, 4, 3
    I = I + 2
.endr
