# SPDX-License-Identifier: Apache-2.0
# A window of four rows that moves on: L0..L3 are meant.
.arch wormhole_b0
.dst fp32
.tile
    sfpload     L0, 0, 3, 3
    sfpload     L1, 2, 3, 3
    sfpload     L2, 4, 3, 3
    sfpload     L3, 6, 3, 3
    sfpadd      L4, L0, L1, 0
    sfpnop
    sfpstore    L4, 0, 3, 3
    sfpshft2    L0, L0, 0, 0
    sfpload     L3, 8, 3, 3
    sfpadd      L4, L0, L3, 0
    sfpnop
    sfpstore    L4, 2, 3, 3
