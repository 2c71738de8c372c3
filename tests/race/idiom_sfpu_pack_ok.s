# SPDX-License-Identifier: Apache-2.0
# Three instructions between SFPSTORE and PACR.
# chips: both
# idiom: I-SFPU-PACK
.include "tile.inc"

.thread pack
.init
    l1_to 0x20000
.tile
    ttsetadcxx 4, 15, 0
    sfpstore L0, 0, 2, 3
    ttnop # between
    ttnop # between
    ttnop # between
    .word 0x41000001 | (BLACKHOLE ? 0x8000 : 0x8F00)
