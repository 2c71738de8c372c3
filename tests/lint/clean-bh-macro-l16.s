# SPDX-License-Identifier: Apache-2.0
.arch blackhole
.dst fp32
.init
    sfpmov      L12, L0, 0
.loadi L0, 0x13000044
    sfpconfig   4, 0, 0
    sfpconfig   8, 0x003, 1
    sfpnop
.tile
    sfploadi    L3, 0x3f80, 0
    sfploadmacro 0, L1, 0, 3, 3
    sfpshft2    L2, L0, 3, 6
    sfpnop
    sfpnop
    sfpstore    L2, 2, 3, 3
