# SPDX-License-Identifier: Apache-2.0
# Nothing to find.
.arch wormhole_b0
.dst fp32
.inputs 2
.tile
    sfpload     L0, 0, 3, 3
    sfpload     L1, 2, 3, 3
    sfpmad      L2, L0, L1, L0, 0
    sfpabs      L3, L1, 1
    sfpadd      L2, L2, L3, 0
    sfpnop
    sfpstore    L2, 0, 3, 3
