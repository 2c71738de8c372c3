# SPDX-License-Identifier: Apache-2.0
# Nothing to find.
.arch wormhole_b0
.dst fp32
.inputs 2
.tile
    sfpload     L0, 0, 3, 3
    sfploadi    L1, 0x3f80, 0
    ttreplay    0, 3, 1, 1
    sfpmov      L3, L1, 0
    sfpmad      L1, L0, L0, L1, 0
    sfpnop
    ttreplay    0, 3, 0, 0
    sfpstore    L3, 0, 3, 3
    sfpstore    L1, 0, 3, 3
