# SPDX-License-Identifier: Apache-2.0
# One thread configures macros while another one launches them: repaired.
# chips: both
.thread unpack
.init
    ttseminit 1, 0, p_stall::SEMAPHORE_2
.tile
    sfpconfig 8, 0, 1
    ttstallwait p_stall::STALL_SYNC, p_stall::WAIT_SFPU
    ttsempost p_stall::SEMAPHORE_2

.thread math
.tile
    ttsemwait p_stall::STALL_SFPU, p_stall::SEMAPHORE_2, p_stall::STALL_ON_ZERO
    sfpload L2, 0, 2, 3
