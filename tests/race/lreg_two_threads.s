# SPDX-License-Identifier: Apache-2.0
# Two threads use one register of the Vector Unit.
# chips: both
# state: L1
# remedy: ttsempost
.thread unpack
.init
    ttseminit 1, 0, p_stall::SEMAPHORE_2
.tile
    sfploadi L1, 0x3f80, 0 # either

.thread math
.tile
    sfpmov L2, L1, 0 # either
