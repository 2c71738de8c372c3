# SPDX-License-Identifier: Apache-2.0
# Planted, in the line that says so: E-FPU
.arch blackhole
.dst fp32
.tile
    sfpload     L0, 2, 3, 3
    ttzeroacc   2, 1, 0, 1, 0
    sfpstore    L0, 0, 3, 3
    sfpstore    L0, 2, 3, 3
    sfpload     L1, 0, 3, 3    # planted
    sfpstore    L1, 4, 3, 3
    sfpstore    L1, 6, 3, 3
