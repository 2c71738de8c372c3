# SPDX-License-Identifier: Apache-2.0
# Nothing to find.
.arch wormhole_b0
.dst fp32
.inputs 2
.tile
    sfpload     L0, 0, 3, 3
    sfpload     L1, 2, 3, 3
    sfpload     L2, 16, 3, 3
    sfpload     L3, 18, 3, 3
    sfptransp
    sfpstore    L0, 0, 3, 3
    sfpstore    L1, 2, 3, 3
    sfpstore    L2, 16, 3, 3
    sfpstore    L3, 18, 3, 3
