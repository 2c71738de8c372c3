# SPDX-License-Identifier: Apache-2.0
# Planted, in the line that says so: L-TRANSP
.arch wormhole_b0
.dst fp32
.inputs 2
.tile
    sfpload     L0, 0, 3, 3
    sfpload     L1, 2, 3, 3
    sfpload     L2, 16, 3, 3
    sfpload     L3, 18, 3, 3
    sfpload     L5, 32, 3, 3
    sfptransp
    sfpmul      L0, L0, L5, 0    # planted
    sfpnop
    sfpstore    L0, 0, 3, 3
