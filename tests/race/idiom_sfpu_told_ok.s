# SPDX-License-Identifier: Apache-2.0
# Three instructions between SFPSTORE and the post that tells of it.
# chips: both
# idiom: I-SFPU-TOLD
.include "tile.inc"

.thread unpack
.init
    ttseminit 1, 0, p_stall::SEMAPHORE_2
.tile
    sfpstore L1, 0, 2, 3
    ttnop # between
    ttnop # between
    ttsempost p_stall::SEMAPHORE_2
.thread math
.tile
    ttsemwait p_stall::STALL_SFPU, p_stall::SEMAPHORE_2, p_stall::STALL_ON_ZERO
    sfpload L2, 0, 2, 3
