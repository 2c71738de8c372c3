# SPDX-License-Identifier: Apache-2.0
# SEMINIT in one thread and the first post in another.
# chips: both
# state: semaphore 1
# remedy: ttsempost
.thread unpack
.tile
    ttseminit 15, 0, p_stall::SEMAPHORE_1 # either

.thread math
.tile
    ttsempost p_stall::SEMAPHORE_1 # either
