# SPDX-License-Identifier: Apache-2.0
# One instruction between a load and SETC16 of its offset in Dst.
# chips: both
# idiom: I-DST-OFFSET-SFPU
.include "tile.inc"

.thread math
.tile
    sfpload L0, 0, 2, 3
    ttnop # between
    ttsetc16 1, 64
