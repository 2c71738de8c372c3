# SPDX-License-Identifier: Apache-2.0
.arch      blackhole
.title     "x * x, a row each cycle"
.dst       fp32
.init
.template  t0, sfpmul VD, L0, L0, 0
.sequence  0, mad=t0.vb@0>L16
.misc      mod0=0 load_mod0=0,1 instructions=simple,mad
    sfpnop
.tile
I = 0
.rept 32
    sfploadmacro 0, L0, I, 0, 3
    I = I + 2
.endr
    sfpnop
    sfpnop
    sfpnop
    sfpnop
