# SPDX-License-Identifier: Apache-2.0
# By hand with SFPLOADMACRO: a row every cycle (examples/kernels/macro).
.title "uint16 to BF16, nearest"
.dst bf16
.init
.tile
I = 0
.rept 32
    sfpload L0, I, 6, 3
    sfpcast L0, L0, 0
    sfpstochrnd L0, L0, L0, 0, 1, 0
    sfpstore L0, I, 0, 3
    I = I + 2
.endr
