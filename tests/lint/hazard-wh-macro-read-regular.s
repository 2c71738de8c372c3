# SPDX-License-Identifier: Apache-2.0
# Planted, in the line that says so: E-HAZ
.arch wormhole
.dst fp32
.init
    sfpmad      L12, L0, L10, L0, 0
    sfpabs      L13, L0, 0
.loadi L0, 0x00000400
    sfpconfig   4, 0, 0
    sfpconfig   8, 0x003, 1
    sfpnop
.tile
    sfploadmacro 0, L1, 0, 3, 3
    sfpnop
    sfpabs      L2, L1, 1    # planted
    sfpstore    L2, 0, 3, 3
