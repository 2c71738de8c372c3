# SPDX-License-Identifier: Apache-2.0
# Three instructions between SFPLOADMACRO and SETC16 of its offset in Dst.
# chips: both
# idiom: I-DST-OFFSET-MACRO
.include "tile.inc"

.thread math
.tile
    sfploadmacro 0, L0, 0, 2, 3
    ttnop # between
    ttnop # between
    ttnop # between
    ttsetc16 1, 64
