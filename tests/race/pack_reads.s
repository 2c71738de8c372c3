# SPDX-License-Identifier: Apache-2.0
# The number of rows in a plane is written while the packers may still read it.
# chips: both
# state: PACK_COUNTERS_SEC0_pack_reads_per_xy_plane
# remedy: ttstallwait p_stall::STALL_CFG, p_stall::PACK
.include "tile.inc"

.thread pack
.init
    l1_to 0x20000
.tile
    ttsetadcxx 4, 15, 0
    .word 0x41000001 | (BLACKHOLE ? 0x8000 : 0x8F00) # first
    .setcfg PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 4 # second
