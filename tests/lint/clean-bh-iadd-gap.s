# SPDX-License-Identifier: Apache-2.0
# Nothing to find.
.arch blackhole
.dst fp32
.inputs 2
.tile
    sfpload     L0, 0, 3, 3
    sfpload     L1, 2, 3, 3
    sfpmad      L2, L0, L1, L0, 0
    sfpnop
    sfpiadd     L2, L1, 0, 4
    sfpstore    L2, 0, 3, 3
