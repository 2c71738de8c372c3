# SPDX-License-Identifier: Apache-2.0
# What an UNPACR reads is set for the next one, and nothing waits.
# Public: tt-llk #747.
# chips: both
# state: THCON_SEC0_REG5_Tile_x_dim_cntx0
# remedy: ttstallwait p_stall::STALL_CFG, p_stall::UNPACK0
.include "tile.inc"

.thread unpack
.init
    a_from 0x10000
.tile
    unpack_begin
    .word 0x420080C1 # first
    .setcfg THCON_SEC0_REG5_Tile_x_dim_cntx0, 128 # second

.thread math
.init
    operands
.tile
    ttmova2d 0, 0, 0, 2, 0
