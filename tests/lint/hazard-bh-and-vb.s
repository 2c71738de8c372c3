# SPDX-License-Identifier: Apache-2.0
# Planted, in the line that says so: E-HAZ
.arch blackhole
.dst fp32
.inputs 2
.tile
    sfpload     L0, 0, 3, 3
    sfpload     L1, 2, 3, 3
    sfpmad      L2, L0, L1, L0, 0
    sfpand      L3, L2, L1, 1    # planted
    sfpstore    L3, 0, 3, 3
