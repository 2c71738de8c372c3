# SPDX-License-Identifier: Apache-2.0
# By hand with SFPLOADMACRO: a row every 2 cycles (examples/kernels/macro).
.title "e^x, about eight bits, for -88 < x < 88"
.dst bf16
.init
.loadi L0, float(369.329925537109375)
    sfpconfig 12, 0, 0
.loadi L0, float(32500.818359375)
    sfpconfig 13, 0, 0
.loadi L5, 15
.tile
I = 0
.rept 32
    sfpload L0, I, 0, 3
    sfpmad L0, L12, L0, L13, 0
    sfpnop
    sfpstochrnd L0, L0, L0, 0, 7, 0
    sfpshft2 L4, L5, 0, 5
    sfpsetsgn L0, L4, 0, 0
    sfpstore L0, I, 0, 3
    I = I + 2
.endr
