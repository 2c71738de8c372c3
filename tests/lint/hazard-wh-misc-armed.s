# SPDX-License-Identifier: Apache-2.0
# Planted, in the line that says so: L-ARMED
.arch wormhole_b0
.dst fp32
.init
    sfpconfig   8, 0x100, 1
.tile
    sfpload     L0, 0, 3, 3
    sfpabs      L0, L0, 1
    sfpstore    L0, 0, 3, 3    # planted
