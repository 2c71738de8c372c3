# SPDX-License-Identifier: Apache-2.0
.arch blackhole
.dst fp32
.init
    sfpmov      L12, L0, 0
.loadi L0, 0x13000004
    sfpconfig   4, 0, 0
.tile
    sfpconfig   8, 0x003, 1
    sfpnop
    sfploadmacro 0, L1, 0, 3, 3
    sfpnop
    sfpnop
    sfpnop
