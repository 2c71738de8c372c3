# SPDX-License-Identifier: Apache-2.0
# Whole numbers of eight bits, sign and magnitude, become BF16 numbers in the unpacker: they are read as
# BFP8 data whose shared exponent is not in L1 but forced (Force_shared_exp). A magnitude of m is
# m / 64 * 2^(E - 127), so that E = 133 gives m. -0 has no such number. Both chips.
#
#     tensix run examples/tiles/int8_to_bf16.s --arch bh --l1 0x10000=x.npy:int8:sm \
#         --l1-out 0x20000:bf16:32x32=y.npy
.title "INT8 to BF16 by a forced shared exponent"
.include "tile.inc"

.thread unpack
.init
    a_from 0x10000, BFP8, BFP8
    b_zeros BFP8
    .setcfg THCON_SEC0_REG2_Force_shared_exp, 1
    .setcfg UNP0_FORCED_SHARED_EXP_shared_exp, 133
.tile
    unpack_begin
.rept 4
    unpack_a
    zero_b
.endr

.thread math
.init
    operands BFP8, BFP8
.tile
face = 0
.rept 4
    copy_face 16 * face
face = face + 1
.endr
    dst_full

.thread pack
.init
    l1_to 0x20000
.tile
    pack_begin
    pack_tile
    pack_end
