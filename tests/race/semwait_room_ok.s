# SPDX-License-Identifier: Apache-2.0
# Nothing is wrong: a semaphore has room only once SEMINIT has made it, so that who waits for room
# comes after what was before SEMINIT.
# chips: both
.thread unpack
.tile
    sfploadi L1, 0x3f80, 0
    ttstallwait p_stall::STALL_SYNC, p_stall::WAIT_SFPU
    ttseminit 1, 0, p_stall::SEMAPHORE_2

.thread math
.tile
    ttsemwait p_stall::STALL_SFPU, p_stall::SEMAPHORE_2, p_stall::STALL_ON_MAX
    sfpmov L2, L1, 0
