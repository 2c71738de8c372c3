# SPDX-License-Identifier: Apache-2.0
# By hand with SFPLOADMACRO: a row every 12 cycles (examples/kernels/macro).
.title "low 16 bits of tile 0 times tile 1, result in tile 0"
.arch wormhole_b0
.dst uint16
.inputs 2
.init
.loadi L5, 0xff
.loadi L6, 0x4b000000
.tile
I = 0
.rept 32
    sfpload L0, I, 6, 3
    sfpload L1, I + 64, 6, 3
    sfpmov L2, L0, 0
    sfpmov L3, L1, 0
    sfpshft L2, L2, -8, 1
    sfpshft L3, L3, -8, 1
    sfpand L0, L5
    sfpand L1, L5
    sfpcast L0, L0, 0
    sfpcast L1, L1, 0
    sfpcast L2, L2, 0
    sfpcast L3, L3, 0
    sfpmad L3, L0, L3, L6, 0
    sfpmad L0, L0, L1, L6, 0
    sfpmad L3, L2, L1, L3, 0
    sfpexman L0, L0, 1
    sfpexman L3, L3, 1
    sfpshft L3, L3, 8, 1
    sfpiadd L3, L0, 0, 4
    sfpstore L3, I, 6, 3
    I = I + 2
.endr
