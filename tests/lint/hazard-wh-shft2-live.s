# SPDX-License-Identifier: Apache-2.0
# Planted, in the line that says so: L-SHFT2
.arch wormhole_b0
.dst fp32
.tile
    sfpload     L0, 0, 3, 3
    sfpload     L1, 2, 3, 3
    sfpshft2    L0, L0, 0, 0
    sfpabs      L4, L0, 1    # planted
    sfpstore    L4, 0, 3, 3
