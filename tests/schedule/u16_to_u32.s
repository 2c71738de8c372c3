# SPDX-License-Identifier: Apache-2.0
# By hand with SFPLOADMACRO: a row every cycle (examples/kernels/macro).
.title "uint16 to uint32"
.dst uint16
.out uint32
.init
.tile
I = 62
.rept 32
    sfpload L0, I, 6, 3
    sfpstore L0, I, 4, 3
    I = I - 2
.endr
