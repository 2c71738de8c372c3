# SPDX-License-Identifier: Apache-2.0
# Planted, in the line that says so: E-LOST
.arch blackhole
.dst fp32
.inputs 2
.init
    sfpmov      L12, L0, 0
.loadi L0, 0x00000014
    sfpconfig   4, 0, 0
.loadi L0, 0x0000000c
    sfpconfig   5, 0, 0
    sfpconfig   8, 0x000, 1
    sfpnop
.tile
    sfploadmacro 0, L1, 0, 3, 3
    sfploadmacro 1, L2, 2, 3, 3    # planted
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpstore    L1, 0, 3, 3
    sfpstore    L2, 0, 3, 3
