# SPDX-License-Identifier: Apache-2.0
# An integer next to x, and that less x, whose sign tells whether 1 is missing. x is taken times
# 1 + 2^-16, as of 2^48 a last place would be missing.
.title "ceil(x)"
.dst   bf16
.reference ceil
.init
.loadi   L0, float(12582912)
    sfpconfig 12,0,0
.loadi   L0, float(-12582912)
    sfpconfig 13,0,0
.loadi   L0, float(-1.0)
    sfpconfig 14,0,0
.loadi   L4, float(1.0000152587890625)
    sfpnop
.tile
I = 0
.rept 32
    sfpload  L0, I, 0, 3
    sfpmad   L1, L0, L4, L12, 0
    sfpnop
    sfpadd   L1, L1, L13, 0
    sfpnop
    sfpmad   L2, L0, L14, L1, 0
    sfpnop
    sfpshft  L2, L2, -31, 1
    sfpcast  L2, L2, 0
    sfpadd   L1, L1, L2, 0
    sfpnop
    sfpstore L1, I, 0, 3
    I = I + 2
.endr
