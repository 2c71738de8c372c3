# SPDX-License-Identifier: Apache-2.0
# Three instructions between SETDMAREG and WRCFG.
# chips: bh
# idiom: I-THCON-STAGE
.include "tile.inc"

.thread unpack
.tile
    ttsetdmareg 0, 0x10, 0, 8
    ttnop # between
    ttnop # between
    ttnop # between
    ttwrcfg 4, 0, THCON_SEC0_REG3_Base_address_ADDR32
