# SPDX-License-Identifier: Apache-2.0
# Planted, in the line that says so: E-HAZ
.arch wormhole_b0
.dst fp32
.inputs 2
.tile
    sfpload     L0, 0, 3, 3
    sfpload     L1, 2, 3, 3
    sfpaddi     L0, 0x3f80, 0
    sfpaddi     L0, 0x3f80, 0    # planted
    sfpnop
    sfpstore    L0, 0, 3, 3
