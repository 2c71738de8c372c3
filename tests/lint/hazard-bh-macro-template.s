# SPDX-License-Identifier: Apache-2.0
# Planted, in the line that says so: E-TEMPLATE
.arch blackhole
.dst fp32
.init
    sfpmad      L12, L0, L0, L9, 0
.loadi L0, 0x00000004
    sfpconfig   4, 0, 0
    sfpconfig   8, 0x000, 1
    sfpnop
.tile
    sfploadmacro 0, L1, 0, 3, 3    # planted
    sfpnop
    sfpnop
    sfpstore    L1, 0, 3, 3
