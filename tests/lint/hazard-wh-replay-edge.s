# SPDX-License-Identifier: Apache-2.0
# Planted, in the line that says so: E-HAZ
.arch wormhole_b0
.dst fp32
.inputs 2
.tile
    sfpload     L0, 0, 3, 3
    sfploadi    L1, 0x3f80, 0
    ttreplay    0, 2, 1, 1
    sfpmov      L3, L1, 0    # planted
    sfpmad      L1, L0, L0, L1, 0
    ttreplay    0, 2, 0, 0
    sfpstore    L3, 0, 3, 3
    sfpstore    L1, 0, 3, 3
