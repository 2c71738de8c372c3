# SPDX-License-Identifier: Apache-2.0
# Compiled code does this back to back, in one format.
.arch wormhole_b0
.dst bf16
.tile
    sfpload     L0, 0, 2, 3
    sfpabs      L0, L0, 1
    sfpstore    L0, 0, 2, 3
    sfpload     L1, 0, 2, 3
    sfpstore    L1, 2, 2, 3
