# SPDX-License-Identifier: Apache-2.0
# By hand with SFPLOADMACRO: a row every 3 cycles (examples/kernels/macro).
.title "max(tile 0, tile 1), FP32, result in tile 0"
.dst fp32
.inputs 2
.init
.tile
I = 0
.rept 32
    sfpload L0, I, 3, 3
    sfpload L1, I + 64, 3, 3
    sfpswap L0, L1, 9
    sfpnop
    sfpstore L0, I, 0, 3
    I = I + 2
.endr
