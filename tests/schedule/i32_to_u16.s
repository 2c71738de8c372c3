# SPDX-License-Identifier: Apache-2.0
# By hand with SFPLOADMACRO: a row every 3 cycles (examples/kernels/macro).
.title "sign-magnitude int32 to uint16, clamped to 0..65535"
.dst int32-sm
.out uint16
.init
.tile
I = 0
.rept 32
    sfpload L0, I, 4, 3
    sfpcast L0, L0, 0
    sfpswap L0, L9, 9
    sfpnop
    sfpstochrnd L0, L0, L0, 0, 6, 0
    sfpstore L0, I, 6, 3
    I = I + 2
.endr
