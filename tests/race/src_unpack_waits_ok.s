# SPDX-License-Identifier: Apache-2.0
# Nothing is wrong: an unpacker waits for its bank while two hundred instructions of its thread pass,
# and begins while UNPACR of the other unpacker pass. What it does is its own doing, not theirs.
# chips: both
.include "tile.inc"

.thread unpack
.init
    a_from 0x10000
    b_from 0x18000
.tile
    unpack_begin
.rept 3
    unpack_b
.endr
.rept 200
    ttnop
.endr
.rept 2
    unpack_a
.rept 10
    ttnop
.endr
.endr

.thread math
.init
    operands
.tile
.rept 200
    ttnop
.endr
    ttmvmul 3, 0, 0, 0
    ttmvmul 2, 0, 0, 0
    ttmvmul 3, 0, 0, 0
