# SPDX-License-Identifier: Apache-2.0
# A window that is filled from its end.
.arch blackhole
.dst fp32
.tile
    sfpload     L3, 0, 3, 3
    sfpshft2    L0, L0, 0, 0
    sfpload     L3, 2, 3, 3
    sfpadd      L4, L2, L3, 0
    sfpstore    L4, 0, 3, 3
