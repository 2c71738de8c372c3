# SPDX-License-Identifier: Apache-2.0
# A plain store that a plain load reads in another format two cycles later, as tt-llk does.
.arch blackhole
.dst bf16
.tile
    sfpload     L0, 0, 2, 3
    sfpabs      L0, L0, 1
    sfpstore    L0, 0, 2, 3
    ttnop
    sfpload     L1, 0, 9, 3
    sfpstore    L1, 2, 2, 3
