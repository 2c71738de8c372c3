# SPDX-License-Identifier: Apache-2.0
# Planted, in the line that says so: E-HAZ
.arch wormhole_b0
.dst fp32
.inputs 2
.tile
    sfploadi    L0, 0x1010, 2
    sfploadi    L1, 0x2020, 2
    sfploadi    L2, 0x3030, 2
    sfpload     L3, 0, 3, 3
    sfplut      L4, 4
    sfpstore    L4, 0, 3, 3    # planted
