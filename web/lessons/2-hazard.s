# SPDX-License-Identifier: Apache-2.0
.arch      wormhole
.title     "x * x + x"
.dst       fp32
.tile
ROW = 0
.rept 32
    sfpload  L0, ROW, 0, 3
    sfpmad   L1, L0, L0, L0, 0
    sfpstore L1, ROW, 0, 3
    ROW = ROW + 2
.endr
