# SPDX-License-Identifier: Apache-2.0
# C = A op B, one tile of 32x32 each, in BF16. OPERATION 0 adds, 1 subtracts, 2 multiplies.
# BROADCAST 0 takes all of B, 1 its first column for every column, 2 its first row for every row,
# 3 its first element for everything. A column lies in two faces of B, 0 and 2, a row in 0 and 1;
# the Matrix Unit repeats it within a face, the unpacker from face to face. Both chips.
#
#     tensix run examples/tiles/eltwise.s --arch bh --l1 0x10000=a.npy:bf16 --l1 0x18000=b.npy:bf16 \
#         --l1-out 0x20000:bf16:32x32=c.npy
.title "Adds, subtracts or multiplies BF16 tiles, with broadcasts"
.include "tile.inc"
.equ OPERATION, 2
.equ BROADCAST, 2

.thread unpack
.init
    a_from 0x10000
    b_from 0x18000
.tile
    unpack_begin
face = 0
.rept 4
    unpack_a
    face_b BROADCAST == 0 ? face : BROADCAST == 1 ? face & 2 : BROADCAST == 2 ? face & 1 : 0
    unpack_b 0
face = face + 1
.endr

.thread math
.init
    operands
    # Modifier 0: the next eight rows, of SrcB too unless its first row serves all; 1: from the start,
    # in the next phase; 2: from the start, in the first phase.
ROWS = (BROADCAST & 2) != 0 ? 0 : 8
    .setcfg ADDR_MOD_AB_SEC0_SrcAIncr, 8, ADDR_MOD_AB_SEC0_SrcBIncr, ROWS
    .setcfg ADDR_MOD_AB_SEC1_SrcAClear, 1, ADDR_MOD_AB_SEC1_SrcBClear, 1
    .setcfg ADDR_MOD_DST_SEC1_FidelityIncr, 1
    .setcfg ADDR_MOD_AB_SEC2_SrcAClear, 1, ADDR_MOD_AB_SEC2_SrcBClear, 1
    .setcfg ADDR_MOD_DST_SEC2_FidelityClear, 1
.macro operation row, modifier, banks
.if OPERATION == 0
    ttelwadd \banks, 0, BROADCAST, \modifier, \row
.elseif OPERATION == 1
    ttelwsub \banks, 0, BROADCAST, \modifier, \row
.else
    ttelwmul \banks, 0, BROADCAST, \modifier, \row
.endif
.endm
PHASES = OPERATION == 2 ? 4 : 1         # a sum has one phase, a product up to four (HiFi4)
.tile
    clear_dst                           # products add to what is there
face = 0
.rept 4
    .rept PHASES - 1
    operation 16 * face, 0, 0
    operation 16 * face + 8, 1, 0
    .endr
    operation 16 * face, 0, 0
    operation 16 * face + 8, 2, 3       # and both banks back to the unpackers
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
