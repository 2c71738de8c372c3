# SPDX-License-Identifier: Apache-2.0
# Planted, in the line that says so: L-TRANSP
# SFPSWAP writes both of its registers: L1 is one of three that SFPTRANSP finds written.
.arch blackhole
.dst fp32
.tile
    sfpload     L0, 0, 3, 3
    sfpload     L5, 2, 3, 3
    sfpload     L2, 4, 3, 3
    sfpswap     L5, L1, 0
    sfptransp
    sfpabs      L6, L1, 1    # planted
    sfpstore    L6, 0, 3, 3
