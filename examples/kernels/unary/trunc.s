# SPDX-License-Identifier: Apache-2.0
# |x| less 0.498 to the nearest integer, with the sign of x.
.title "trunc(x)"
.dst   bf16
.reference trunc
.init
.loadi   L0, float(12582912)
    sfpconfig 12,0,0
.loadi   L0, float(-12582912)
    sfpconfig 13,0,0
.loadi   L0, float(-0.498046875)
    sfpconfig 14,0,0
    sfpnop
.tile
I = 0
.rept 32
    sfpload  L0, I, 0, 3
    sfpabs   L1, L0, 1
    sfpadd   L1, L1, L14, 0
    sfpnop
    sfpadd   L1, L1, L12, 0
    sfpnop
    sfpadd   L1, L1, L13, 0
    sfpnop
    sfpiadd  L1, L1, 1, 5
    sfpsetsgn L0, L1, 0, 0
    sfpmov   L1, L0, 0
    sfpstore L1, I, 0, 3
    I = I + 2
.endr
