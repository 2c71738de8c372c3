# SPDX-License-Identifier: Apache-2.0
# A thread turns lanes off while the instructions of another obey the same flags.
# chips: both
# state: lane flags
# remedy: ttsempost
.thread unpack
.init
    ttseminit 1, 0, p_stall::SEMAPHORE_2
.tile
    sfpencc 1, 10 # either
    ttsempost p_stall::SEMAPHORE_2
.thread math
.tile
    sfploadi L1, 0x3F80, 0 # either
