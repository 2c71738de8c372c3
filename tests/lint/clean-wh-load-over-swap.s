# SPDX-License-Identifier: Apache-2.0
# A load that takes the register of an SFPSWAP which SFPLOADMACRO has scheduled, in its second cycle,
# as tt-llk's column maximum does on cards of both chips.
.arch wormhole_b0
.dst fp32
.init
    .template  t1, sfpswap VD, L5, 1
    .sequence  1, simple=t1.vb@0 mad=none@7 round=none@7 store=none@7
    .misc      mod0=0
    sfpnop
.tile
    sfploadi     L5, 0x3f80, 0
    sfploadmacro 1, L1, 2, 3, 3
    sfpload      L0, 16, 3, 3
    sfpload      L1, 18, 3, 3
    sfpnop
    sfpstore     L1, 0, 3, 3
    sfpstore     L0, 2, 3, 3
    sfpstore     L5, 4, 3, 3
