# SPDX-License-Identifier: Apache-2.0
# A thread turns lanes off while the instructions of another obey the same flags: repaired. It takes
# no STALLWAIT, as flags change in the cycle in which SFPENCC passes its gate.
# chips: both
.thread unpack
.init
    ttseminit 1, 0, p_stall::SEMAPHORE_2
.tile
    sfpencc 1, 10
    ttsempost p_stall::SEMAPHORE_2
.thread math
.tile
    ttsemwait p_stall::STALL_SFPU, p_stall::SEMAPHORE_2, p_stall::STALL_ON_ZERO
    sfploadi L1, 0x3F80, 0
