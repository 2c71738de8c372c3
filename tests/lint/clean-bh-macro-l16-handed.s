# SPDX-License-Identifier: Apache-2.0
# Each launch stores what the one before it left in L16, while its own result is under way.
.arch blackhole
.dst fp32
.init
    sfpmad      L12, L0, L10, L0, 0
    sfpabs      L13, L0, 0
.loadi L0, 0x5b004400
    sfpconfig   4, 0, 0
    sfpconfig   8, 0x003, 1
    sfpnop
.tile
.rept 4
    sfploadmacro 0, L1, 0, 3, 3
    sfpnop
.endr
    sfpnop
    sfpnop
    sfpnop
