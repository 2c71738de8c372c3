# SPDX-License-Identifier: Apache-2.0
# By hand with SFPLOADMACRO: a row every 2 cycles (examples/kernels/macro).
.title "uint32 in two 16-bit tiles to uint16, clamped"
.arch blackhole
.dst int16
.inputs 2
.init
.tile
I = 0
.rept 32
    sfpload L0, I + 64, 6, 3
    sfpload L1, I, 6, 3
    sfpgt L0, L9, 0, 8
    sfpor L1, L0, L0, 0
    sfpstore L1, I, 6, 3
    I = I + 2
.endr
