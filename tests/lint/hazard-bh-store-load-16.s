# SPDX-License-Identifier: Apache-2.0
# Planted, in the line that says so: T-12
.arch blackhole
.dst bf16
.tile
    sfpload     L0, 0, 2, 3
    sfpabs      L0, L0, 1
    sfpstore    L0, 0, 2, 3
    sfpload     L1, 0, 9, 3    # planted
    sfpstore    L1, 2, 2, 3
