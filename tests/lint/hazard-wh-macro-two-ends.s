# SPDX-License-Identifier: Apache-2.0
# Planted, in the line that says so: E-WAW
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
    sfploadmacro 0, L0, 0, 3, 3
    sfpnop
    sfpload     L0, 2, 3, 3    # planted
    sfpstore    L0, 0, 3, 3
