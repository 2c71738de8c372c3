# SPDX-License-Identifier: Apache-2.0
# One instruction between a load and SETC16 of its modifier.
# chips: both
# idiom: I-ADDR-MOD-SFPU
.include "tile.inc"

.thread math
.tile
    sfpload L0, 0, 2, 3
    ttnop # between
    ttsetc16 ADDR_MOD_AB_SEC3_SrcAIncr_ADDR32, 8
