# SPDX-License-Identifier: Apache-2.0
# Planted, in the line that says so: L-TRANSP
# The exchange takes what SFPTRANSP turned along, and no second one turns it back.
.arch blackhole
.dst fp32
.tile
    sfpload     L2, 0, 3, 3
    sfpload     L3, 2, 3, 3
    sfptransp
    sfpswap     L3, L0, 0
    sfpabs      L6, L0, 1    # planted
    sfpstore    L6, 0, 3, 3
