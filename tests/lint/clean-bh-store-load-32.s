# SPDX-License-Identifier: Apache-2.0
.arch blackhole
.dst fp32
.tile
    sfpload     L0, 0, 3, 3
    sfpabs      L0, L0, 1
    sfpstore    L0, 0, 3, 3
    sfpload     L1, 0, 3, 3
    sfpstore    L1, 2, 3, 3
