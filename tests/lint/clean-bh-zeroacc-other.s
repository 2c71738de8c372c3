# SPDX-License-Identifier: Apache-2.0
# ZEROACC of the upper half touches no row of the lower one, in 32-bit data: isa ZEROACC.
.arch blackhole
.dst fp32
.tile
    ttzeroacc   2, 1, 0, 1, 1
    sfpload     L0, 0, 3, 3
    sfpabs      L0, L0, 1
    sfpstore    L0, 0, 3, 3
