# SPDX-License-Identifier: Apache-2.0
# Nothing to find.
.arch blackhole
.dst fp32
.inputs 2
.tile
    sfpload     L0, 0, 3, 3
    sfpload     L1, 2, 3, 3
    sfpmad      L0, L0, L1, L1, 0
    sfpnop
    sfpconfig   11, 0, 0
    sfpmov      L3, L11, 0
    sfpstore    L3, 0, 3, 3
