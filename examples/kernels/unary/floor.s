# SPDX-License-Identifier: Apache-2.0
# -round(x), and x less that, whose sign tells whether 1 is too much.
.title "floor(x)"
.dst   bf16
.reference floor
.init
.loadi   L0, float(12582912)
    sfpconfig 12,0,0
.loadi   L0, float(-12582912)
    sfpconfig 13,0,0
.loadi   L0, float(-1.0)
    sfpconfig 14,0,0
    sfpnop
.tile
I = 0
.rept 32
    sfpload  L0, I, 0, 3
    sfpadd   L1, L0, L12, 0
    sfpnop
    sfpmad   L1, L1, L14, L12, 0
    sfpnop
    sfpadd   L2, L0, L1, 0
    sfpnop
    sfpshft  L2, L2, -31, 1
    sfpmov   L1, L1, 1
    sfpcast  L2, L2, 0
    sfpmad   L1, L2, L14, L1, 0
    sfpnop
    sfpiadd  L1, L1, 1, 5
    sfpstore L1, I, 0, 3
    I = I + 2
.endr
