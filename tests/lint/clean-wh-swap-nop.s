# SPDX-License-Identifier: Apache-2.0
# Nothing to find.
.arch wormhole_b0
.dst fp32
.inputs 2
.tile
    sfpload     L0, 0, 3, 3
    sfpload     L1, 2, 3, 3
    sfpswap     L0, L1, 1
    sfpnop
    sfpstore    L0, 0, 3, 3
    sfpstore    L1, 0, 3, 3
