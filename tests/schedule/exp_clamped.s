# SPDX-License-Identifier: Apache-2.0
# By hand with SFPLOADMACRO: a row every 3 cycles (examples/kernels/macro).
.title "e^x, about eight bits, x clamped at -88"
.dst bf16
.init
.loadi L0, float(369.329925537109375)
    sfpconfig 12, 0, 0
.loadi L0, float(32500.818359375)
    sfpconfig 13, 0, 0
.loadi L0, float(-88)
    sfpconfig 14, 0, 0
.tile
I = 0
.rept 32
    sfpload L0, I, 0, 3
    sfpswap L0, L14, 9
    sfpnop
    sfpmad L0, L12, L0, L13, 0
    sfpnop
    sfpstochrnd L0, L0, L0, 0, 6, 0
    sfpshft L0, L0, 15, 1
    sfpstore L0, I, 0, 3
    I = I + 2
.endr
