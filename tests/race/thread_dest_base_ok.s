# SPDX-License-Identifier: Apache-2.0
# Two threads set where the unpacker writes in Dst, each before it waits for the other: repaired.
# Public: tt-metal #53416, PR 53504; one of the ten of #53394.
# chips: both
# order: any (a mutex says not which)
.thread unpack
.init
    ttseminit 1, 0, p_stall::SEMAPHORE_2
.tile
    ttatgetm 0
    ttrmwcib0 0xFF, 64, UNP0_ADDR_BASE_REG_1_Base_ADDR32
    ttatrelm 0
    ttsemwait p_stall::STALL_UNPACK, p_stall::SEMAPHORE_2, p_stall::STALL_ON_MAX
    ttsempost p_stall::SEMAPHORE_2

.thread math
.tile
    ttatgetm 0
    ttrmwcib0 0xFF, 128, UNP0_ADDR_BASE_REG_1_Base_ADDR32
    ttatrelm 0
    ttsemwait p_stall::STALL_SYNC, p_stall::SEMAPHORE_2, p_stall::STALL_ON_ZERO
    ttsemget p_stall::SEMAPHORE_2
