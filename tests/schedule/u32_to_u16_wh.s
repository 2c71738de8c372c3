# SPDX-License-Identifier: Apache-2.0
# By hand with SFPLOADMACRO: a row every 2 cycles (examples/kernels/macro).
.title "uint32 in two 16-bit tiles to uint16, clamped"
.arch wormhole_b0
.dst int16
.inputs 2
.init
.tile
I = 0
.rept 32
    sfpload L0, I + 64, 6, 3
    sfpload L1, I, 6, 3
    sfpiadd L0, L9, 0, 6
    sfpshft L0, L0, -16, 1
    sfpor L1, L0
    sfpstore L1, I, 6, 3
    I = I + 2
.endr
