# SPDX-License-Identifier: Apache-2.0
# Planted behind waits for other threads and a MOP whose configuration nobody states: E-HAZ
.arch blackhole
.dst fp32
.inputs 2
.tile
    ttsemwait   511, 2, 1
    ttatgetm    2
    ttmop       1, 0, 0
    ttloadind   1, 4, 0, 8, 1
    sfpload     L0, 0, 3, 3
    sfpload     L1, 2, 3, 3
    sfpmad      L2, L0, L1, L0, 0
    sfpiadd     L2, L1, 0, 4    # planted
    sfpstore    L2, 0, 3, 3
