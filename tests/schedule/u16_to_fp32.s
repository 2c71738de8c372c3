# SPDX-License-Identifier: Apache-2.0
# By hand with SFPLOADMACRO: a row every cycle (examples/kernels/macro).
.title "uint16 to FP32"
.dst uint16
.out fp32
.init
.tile
I = 62
.rept 32
    sfpload L0, I, 6, 3
    sfpcast L0, L0, 0
    sfpstore L0, I, 3, 3
    I = I - 2
.endr
