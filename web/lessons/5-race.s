# SPDX-License-Identifier: Apache-2.0
.arch      blackhole
.title     "Two threads share Dst"
.thread unpack
.init
    ttseminit 1, 0, p_stall::SEMAPHORE_2
.tile
    sfploadi L1, 0x3F80, 0    # 1.0
    sfpstore L1, 0, 2, 3      # into row 0 of Dst
    ttstallwait p_stall::STALL_MATH, p_stall::WAIT_SFPU
    ttsempost p_stall::SEMAPHORE_2
.thread math
.tile
    ttsemwait p_stall::STALL_SFPU, p_stall::SEMAPHORE_2, p_stall::STALL_ON_ZERO
    sfpload  L2, 0, 2, 3      # out of row 0
