# SPDX-License-Identifier: Apache-2.0
# Two threads change one field; a mutex is what is missing.
# chips: both
# state: STACC_RELU_ApplyRelu
# remedy: ttsempost
.thread unpack
.tile
    .setcfg STACC_RELU_ApplyRelu, 1 # either

.thread pack
.tile
    .setcfg STACC_RELU_ApplyRelu, 2 # either
