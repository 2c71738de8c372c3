# SPDX-License-Identifier: Apache-2.0
# What SFPTRANSP turned in L0 is gone when L0 is read: SFPSHFT2 has moved the value of L1 there.
.arch blackhole
.dst fp32
.tile
    sfpload     L0, 0, 3, 3
    sfptransp
    sfpload     L1, 2, 3, 3
    sfpload     L2, 4, 3, 3
    sfpload     L3, 6, 3, 3
    sfpshft2    L0, L0, 0, 1
    sfpstore    L0, 0, 3, 3
    sfpstore    L1, 2, 3, 3
    sfpstore    L2, 4, 3, 3
