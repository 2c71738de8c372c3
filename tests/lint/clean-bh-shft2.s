# SPDX-License-Identifier: Apache-2.0
# Nothing to find.
.arch blackhole
.dst fp32
.inputs 2
.tile
    sfpload     L0, 0, 3, 3
    sfpload     L1, 2, 3, 3
    sfpshft2    L2, L0, 0, 3
    sfpabs      L3, L2, 1
    sfpstore    L3, 0, 3, 3
