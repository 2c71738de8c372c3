# SPDX-License-Identifier: Apache-2.0
.arch wormhole_b0
.dst fp32
.init
    sfpmov      L12, L0, 0
.loadi L0, 0x13000004
    sfpconfig   4, 0, 0
    sfpconfig   8, 0x103, 1
    sfpnop
.tile
    sfploadmacro 0, L1, 0, 3, 3
    sfpnop
    sfpnop
    sfpnop
