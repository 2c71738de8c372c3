# SPDX-License-Identifier: Apache-2.0
# Planted, in the line that says so: L-SHFT2
.arch blackhole
.dst fp32
.tile
    sfpload     L0, 0, 3, 3
    sfpload     L3, 2, 3, 3
    sfpstore    L0, 32, 3, 3
    sfpshft2    L0, L0, 0, 0
    sfpstore    L2, 2, 3, 3
    sfpstore    L0, 0, 3, 3    # planted
