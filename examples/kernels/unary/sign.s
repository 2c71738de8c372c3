# SPDX-License-Identifier: Apache-2.0
# The bits as an integer, as a number times 2^-22: from 2 on where x is normal. SFPLUT makes 1 of
# that, 0 of what is less, and keeps the sign.
.title "sign(x)"
.dst   bf16
.reference sign
.init
    sfploadi L0, 0xFFFF, 2
    sfploadi L1, 0xFFFF, 2
    sfploadi L2, 0xFF00, 2
    sfploadi L4, float(2.3841858e-07) >> 16, 0
    sfpnop
.tile
I = 0
.rept 32
    sfpload  L3, I, 0, 3
    sfpcast  L3, L3, 0
    sfpmul   L3, L3, L4, 0
    sfpnop
    sfplut   L5, 4
    sfpnop
    sfpstore L5, I, 0, 3
    I = I + 2
.endr
