# SPDX-License-Identifier: Apache-2.0
# Nothing to find.
.arch blackhole
.dst fp32
.inputs 2
.init
    sfpmov      L12, L0, 0
.loadi L0, 0x13000044
    sfpconfig   4, 0, 0
    sfpconfig   8, 0x000, 1
    sfpnop
.tile
    sfploadmacro 0, L1, 0, 3, 3
    sfploadmacro 0, L1, 2, 3, 3
    sfploadmacro 0, L1, 4, 3, 3
    sfpnop
    sfpnop
    sfpnop
    sfpnop
