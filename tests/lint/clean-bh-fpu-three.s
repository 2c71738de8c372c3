# SPDX-License-Identifier: Apache-2.0
.arch blackhole
.dst fp32
.fpu 0, 64
.tile
    sfploadi    L1, 0x3f80, 0
    sfploadi    L2, 0x4000, 0
    sfploadi    L3, 0x4040, 0
    sfpload     L0, 0, 3, 3
    sfpmad      L0, L0, L2, L1, 0
    sfpmad      L0, L0, L3, L1, 0
    sfpstore    L0, 0, 3, 3
