# SPDX-License-Identifier: Apache-2.0
# Planted, in the line that says so: E-WAW
.arch wormhole_b0
.dst fp32
.inputs 2
.tile
    sfpload     L0, 0, 3, 3
    sfpload     L1, 2, 3, 3
    sfpmad      L2, L0, L1, L0, 0
    sfploadi    L2, 0x3f80, 0    # planted
    sfpstore    L2, 0, 3, 3
