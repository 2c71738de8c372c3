# SPDX-License-Identifier: Apache-2.0
# Two threads change one field; a mutex is what is missing: repaired.
# chips: both
.thread unpack
.tile
    ttatgetm 0
    .setcfg STACC_RELU_ApplyRelu, 1
    ttatrelm 0

.thread pack
.tile
    ttatgetm 0
    .setcfg STACC_RELU_ApplyRelu, 2
    ttatrelm 0
