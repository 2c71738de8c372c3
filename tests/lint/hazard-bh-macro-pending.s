# SPDX-License-Identifier: Apache-2.0
# Planted, in the line that says so: L-PENDING
.arch blackhole
.dst fp32
.inputs 2
.init
    sfpmov      L12, L0, 0
.loadi L0, 0x0000002c
    sfpconfig   4, 0, 0
    sfpconfig   8, 0x100, 1
    sfpnop
.tile
    sfploadmacro 0, L1, 0, 3, 3    # planted
    sfpnop
    sfpnop
