# SPDX-License-Identifier: Apache-2.0
# The rows of L2 and L3 in reverse: registers change places between two SFPTRANSPs, and what these
# turned of L0 and L1 is overwritten. tt-llk's ckernel_sfpu_generalized_moe_gate_topk.h does so.
.arch blackhole
.dst fp32
.tile
    sfpload     L2, 0, 3, 3
    sfpload     L3, 2, 3, 3
    sfptransp
    sfpswap     L3, L0, 0
    sfpswap     L2, L1, 0
    sfptransp
    sfpload     L0, 4, 3, 3
    sfpload     L1, 6, 3, 3
    sfpswap     L2, L0, 1
    sfpswap     L3, L1, 1
    sfpstore    L0, 0, 3, 3
    sfpstore    L1, 2, 3, 3
