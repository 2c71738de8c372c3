# SPDX-License-Identifier: Apache-2.0
# One thread configures macros while another one launches them.
# chips: both
# state: configuration of lanes and macros
# remedy: ttsempost
.thread unpack
.init
    ttseminit 1, 0, p_stall::SEMAPHORE_2
.tile
    sfpconfig 8, 0, 1 # either

.thread math
.tile
    sfpload L2, 0, 2, 3 # either
