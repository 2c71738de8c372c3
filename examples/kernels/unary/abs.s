# SPDX-License-Identifier: Apache-2.0
.title "|x|"
.dst   bf16
.reference abs
.init

    sfpnop
.tile
I = 0
.rept 32
    sfpload  L0, I, 0, 3
    sfpabs   L1, L0, 1
    sfpstore L1, I, 0, 3
    I = I + 2
.endr
