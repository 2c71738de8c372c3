# SPDX-License-Identifier: Apache-2.0
# Planted, in the line that says so: E-HAZ
# Lane 0 alone is enabled, and one lane is enough.
.arch wormhole_b0
.dst fp32
.inputs 2
.init
    sfpencc     3, 10
.tile
    sfpload     L0, 0, 3, 3
    sfpload     L1, 2, 3, 3
    sfpsetcc    L15, 0, 6
    sfpmad      L2, L0, L1, L0, 0
    sfpabs      L3, L2, 1    # planted
    sfpencc     3, 10
    sfpstore    L0, 0, 3, 3
