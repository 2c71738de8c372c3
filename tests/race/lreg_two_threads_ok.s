# SPDX-License-Identifier: Apache-2.0
# Two threads use one register of the Vector Unit: repaired.
# chips: both
.thread unpack
.init
    ttseminit 1, 0, p_stall::SEMAPHORE_2
.tile
    sfploadi L1, 0x3f80, 0
    ttstallwait p_stall::STALL_SYNC, p_stall::WAIT_SFPU
    ttsempost p_stall::SEMAPHORE_2

.thread math
.tile
    ttsemwait p_stall::STALL_SFPU, p_stall::SEMAPHORE_2, p_stall::STALL_ON_ZERO
    sfpmov L2, L1, 0
