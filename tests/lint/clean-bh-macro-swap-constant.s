# SPDX-License-Identifier: Apache-2.0
# Nothing to find: max(x, 0) times a constant; L9, which SFPSWAP names, keeps its value.
.arch blackhole
.dst fp32
.init
.template  t0, sfpswap VD,L9,9
.template  t1, sfpmul VD,L1,L0,0
.sequence  0, simple=t0.vb@0 mad=t1.vb@3>L16 round=none@7 store@5<L16
.misc      mod0=0
    sfploadi L1,16320,0
    sfpnop
.tile
    sfploadmacro 0, L0, 0, 0, 3
    sfpnop
    sfploadmacro 0, L2, 2, 0, 3
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
