# SPDX-License-Identifier: Apache-2.0
# Planted, in the line that says so: L-SHFT2
# The factor that L7 names, L2, took over L3, which nobody wrote.
.arch blackhole
.dst fp32
.tile
    sfploadi    L7, 2, 4
    sfpload     L2, 2, 3, 3
    sfpstore    L2, 32, 3, 3
    sfpshft2    L0, L0, 0, 1
    sfpmad      L5, L10, L10, L9, 4    # planted
    sfpstore    L5, 0, 3, 3
