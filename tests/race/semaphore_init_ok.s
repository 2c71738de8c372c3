# SPDX-License-Identifier: Apache-2.0
# SEMINIT in one thread and the first post in another: repaired.
# chips: both
.thread unpack
.init
    ttseminit 15, 0, p_stall::SEMAPHORE_1

.thread math
.tile
    ttsempost p_stall::SEMAPHORE_1
