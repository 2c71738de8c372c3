# SPDX-License-Identifier: Apache-2.0
# Planted, in the line that says so: E-PORT
.arch blackhole
.dst fp32
.init
    sfpmov      L12, L0, 0
.loadi L0, 0x00000004
    sfpconfig   4, 0, 0
    sfpconfig   8, 0x000, 1
    sfpnop
.tile
    sfploadi    L3, 0x3f80, 0
    sfploadmacro 0, L1, 0, 3, 3    # planted
    sfpshft2    L2, L0, 3, 6
    sfpnop
    sfpstore    L2, 0, 3, 3
