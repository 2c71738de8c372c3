# SPDX-License-Identifier: Apache-2.0
# By hand with SFPLOADMACRO: a row every 4 cycles (examples/kernels/macro).
.title "int32 to FP32, nearest"
.dst int32
.out fp32
.init
.loadi L0, 0
.loadi L1, float(-2147483648)
.loadi L5, -31
.tile
I = 0
.rept 32
    sfpload L2, I, 4, 3
    sfpabs  L4, L2, 0
    sfpshft2 L7, L5, 4, 5
    sfpcast L4, L4, 0
    sfpsetsgn L2, L4, 0, 0
    sfpmad L2, L0, L10, L2, 4
    sfpnop
    sfpstore L2, I, 3, 3
    I = I + 2
.endr
