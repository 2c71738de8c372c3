# SPDX-License-Identifier: Apache-2.0
# .init has drained before .tile begins: no result of its last words is waited for.
.arch wormhole
.dst fp32
.init
    sfpmad      L1, L0, L0, L9, 0
.tile
    sfpmov      L2, L1, 0
    sfpstore    L2, 0, 3, 3
