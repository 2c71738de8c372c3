# SPDX-License-Identifier: Apache-2.0
# x + M - M, M = 1.5 2^23, is x to the nearest integer; where x is 2^48 a last place is missing.
.title "round(x), ties to even"
.dst   bf16
.reference round
.init
.loadi   L0, float(12582912)
    sfpconfig 12,0,0
.loadi   L0, float(-12582912)
    sfpconfig 13,0,0
    sfpnop
.tile
I = 0
.rept 32
    sfpload  L0, I, 0, 3
    sfpadd   L1, L0, L12, 0
    sfpnop
    sfpadd   L1, L1, L13, 0
    sfpnop
    sfpiadd  L1, L1, 1, 5
    sfpstore L1, I, 0, 3
    I = I + 2
.endr
