# SPDX-License-Identifier: Apache-2.0
# By hand with SFPLOADMACRO: a row every 2 cycles (examples/kernels/macro).
.title "FP32 to uint16, nearest, clamped at 0"
.dst fp32
.out uint16
.init
.tile
I = 0
.rept 32
    sfpload L0, I, 3, 3
    sfpswap L0, L9, 9
    sfpnop
    sfpstochrnd L0, L0, L0, 0, 6, 0
    sfpstore L0, I, 6, 3
    I = I + 2
.endr
