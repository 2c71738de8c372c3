# SPDX-License-Identifier: Apache-2.0
# A cycle between SFPCONFIG and the SFPLOADMACRO that reads what it set, without an SFPNOP in it.
.arch blackhole
.dst fp32
.init
    sfpmov      L12, L0, 0
.loadi L0, 0x00000004
    sfpconfig   4, 0, 0
.tile
    sfpconfig   8, 0x000, 1
    ttnop
    sfploadmacro 0, L1, 0, 3, 3
    sfpnop
    sfpnop
    sfpstore    L1, 0, 3, 3
