# SPDX-License-Identifier: Apache-2.0
# By hand with SFPLOADMACRO: a row every cycle (examples/kernels/macro).
.title "1.0 where the sign bit is set, else 0.0"
.dst fp32
.init
.tile
I = 0
.rept 32
    sfpload L0, I, 3, 3
    sfpshft L0, L0, -31, 1
    sfpcast L0, L0, 0
    sfpstore L0, I, 0, 3
    I = I + 2
.endr
