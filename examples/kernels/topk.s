# SPDX-License-Identifier: Apache-2.0
# top-k: sorts every group of 16 in descending order and keeps track of indices; on Blackhole and
# Wormhole.
#
# Group     the 16 rows of one column of a face: rows 0..15 or 16..31 of a column of the 32x32 tile.
#           Row 0 of the group gets the largest element, so that its first k rows are its top k for
#           any k up to 16.
# Results   values in Dst tile 0, indices in Dst tile 1 as integers: 16 * (row in Dst of the tile,
#           0..63) + (column in the face, 0..15), as SFPLOAD captures them; (index >> 4) & 15 is the
#           row in the group. This file gives the values; topk_index.s is the same program with
#           .output 1 and .out int32.
# Method    A bitonic network of 16: registers L0..L3 are two bits of the position, lane rows the
#           other two. SFPSWAP compares between registers, its row masks (modes 2, 3) sort lane rows
#           in opposite directions, and SFPTRANSP exchanges the roles. With ENABLE_DEST_INDEX the
#           indices in L4..L7 move along with the values in L0..L3; CAPTURE_DEFAULT_DEST_INDEX makes
#           SFPLOAD write them.
# Order     that of sign and magnitude: -0 below +0, NaN beyond the infinities of its sign. Not
#           stable: the order of indices of equal values is that of the network.
# Accuracy  values pass bit by bit, but for denormals, which the store makes zero.
# Cycles    14.25 per row of 32 elements, 456 per tile, on both chips.
.title     "top-k of 16, values"
.dst       fp32
.output    0
.init
    sfpconfig 15, 0x0c, 1                   # ENABLE_DEST_INDEX, CAPTURE_DEFAULT_DEST_INDEX
.tile
# Both pairs of registers that differ in one bit of the position; VD is the second of each pair.
.macro far mode
    sfpswap   L2, L0, \mode
    sfpswap   L3, L1, \mode
.endm
.macro near mode
    sfpswap   L1, L0, \mode
    sfpswap   L3, L2, \mode
.endm
# First pair descending, second ascending.
.macro opposite
    sfpswap   L1, L0, 1
    sfpswap   L2, L3, 1
.endm
.macro block base
    sfpload   L0, \base, 3, 3
    sfpload   L1, \base + 4, 3, 3
    sfpload   L2, \base + 8, 3, 3
    sfpload   L3, \base + 12, 3, 3
    opposite                                # pairs
    far       3                             # fours: rows 0 and 2 descending, 1 and 3 ascending
    near      3
    sfptransp                               # eights
    opposite
    sfptransp
    far       2                             # rows 0 and 1 descending, 2 and 3 ascending
    near      2
    sfptransp                               # all sixteen descending
    far       1
    near      1
    sfptransp
    far       1
    near      1
    sfptransp
    sfpstore  L0, \base, 3, 3
    sfpstore  L1, \base + 4, 3, 3
    sfpstore  L2, \base + 8, 3, 3
    sfpstore  L3, \base + 12, 3, 3
    sfpstore  L4, \base + 64, 4, 3
    sfpstore  L5, \base + 68, 4, 3
    sfpstore  L6, \base + 72, 4, 3
    sfpstore  L7, \base + 76, 4, 3
.endm
BLOCK = 0
.rept 8                                     # four faces, even and odd columns
    block (BLOCK >> 1) * 16 + (BLOCK & 1) * 2
    BLOCK = BLOCK + 1
.endr
