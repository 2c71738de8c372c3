# SPDX-License-Identifier: Apache-2.0
# Planted, in the line that says so: E-HAZ
.arch blackhole
.dst fp32
.init
    sfpmad      L12, L0, L10, L0, 0
    sfpabs      L13, L0, 0
.loadi L0, 0x7300044d
    sfpconfig   4, 0, 0
    sfpconfig   8, 0x003, 1
    sfpnop
.tile
    sfploadmacro 0, L1, 0, 3, 3    # planted
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
