# SPDX-License-Identifier: Apache-2.0
# SETC16 of the offset in Dst right behind SFPSTORE.
# chips: both
# idiom: I-DST-OFFSET-SFPSTORE
.include "tile.inc"

.thread math
.tile
    sfpstore L0, 0, 2, 3
    ttsetc16 1, 64
