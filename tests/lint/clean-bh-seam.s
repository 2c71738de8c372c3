# SPDX-License-Identifier: Apache-2.0
# .init has drained before .tile begins: nothing follows its last words directly.
.arch blackhole
.dst fp32
.init
    sfpmov      L12, L0, 0
.loadi L0, 0x13000004
    sfpconfig   4, 0, 0
    sfpconfig   8, 0x003, 1
.tile
    sfploadmacro 0, L1, 0, 3, 3
    sfpnop
    sfpnop
    sfpnop
