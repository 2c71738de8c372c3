# SPDX-License-Identifier: Apache-2.0
# Planted, in the line that says so: E-SEED
.arch wormhole_b0
.dst fp32
.inputs 2
.tile
    sfpload     L0, 0, 3, 3
    sfpload     L1, 2, 3, 3
    ttrmwcib0   0xff, 0x55, 164
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpmov      L2, L9, 8    # planted
    sfpstore    L2, 0, 3, 3
