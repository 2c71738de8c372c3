# SPDX-License-Identifier: Apache-2.0
# By hand with SFPLOADMACRO: a row every 5 cycles, with values passed through Dst.
.title "1/x for FP32"
.arch blackhole
.dst fp32
.init
.tile
I = 0
.rept 32
    sfpload L3, I, 3, 3
    sfparecip L1, L3, 0
    sfpmad L0, L3, L1, L10, 1
    sfpnop
    sfpmad L2, L0, L0, L0, 0
    sfpnop
    sfpmad L2, L0, L2, L0, 0
    sfpnop
    sfpswap L2, L10, 1
    sfpnop
    sfpmad L2, L2, L1, L1, 0
    sfpnop
    sfpstore L2, I, 3, 3
    I = I + 2
.endr
