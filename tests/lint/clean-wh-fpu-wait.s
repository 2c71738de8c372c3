# SPDX-License-Identifier: Apache-2.0
.arch wormhole_b0
.dst fp32
.fpu 0, 64
.tile
    ttstallwait 0x100, 0x80
    sfpload     L0, 0, 3, 3
    sfpabs      L0, L0, 1
    sfpstore    L0, 0, 3, 3
