# SPDX-License-Identifier: Apache-2.0
.arch blackhole
.dst fp32
.fpu 64, 64
.tile
    sfpload     L0, 0, 3, 3
    sfpabs      L0, L0, 1
    sfpstore    L0, 0, 3, 3
