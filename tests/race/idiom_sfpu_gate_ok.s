# SPDX-License-Identifier: Apache-2.0
# Three instructions between SFPSTORE and ZEROACC.
# chips: both
# idiom: I-SFPU-GATE
.include "tile.inc"

.thread math
.tile
    sfpstore L0, 0, 2, 3
    ttnop # between
    ttnop # between
    ttnop # between
.if BLACKHOLE
    ttzeroacc 2, 0, 0, 0, 0
.else
    ttzeroacc 2, 0, 0
.endif
