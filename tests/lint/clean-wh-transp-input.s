# SPDX-License-Identifier: Apache-2.0
# L3 is what the rows before have left, which the program adds: it takes part on purpose
# (ckernel_sfpu_reduce.h of tt-llk, whose loads another function has).
.arch wormhole_b0
.dst int32
.carry
.tile
    sfpload     L0, 0, 4, 3
    sfpload     L1, 2, 4, 3
    sfpload     L2, 16, 4, 3
    sfpiadd     L2, L3, 0, 4
    sfptransp
    sfpiadd     L0, L1, 0, 4
    sfpiadd     L0, L2, 0, 4
    sfpstore    L0, 0, 4, 3
