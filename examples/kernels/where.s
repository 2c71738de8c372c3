# SPDX-License-Identifier: Apache-2.0
# where(c, a, b): a where c is not zero, else b; three inputs; on Blackhole and Wormhole.
#
# Method    If and else on the flag stack: push, narrow to c != 0, load a; complement, load b; pop.
#           Loads write enabled lanes only, so that no move is needed. The sign of c is dropped
#           first, because SFPSETCC looks at all bits and -0 is zero. NaN counts as not zero.
# Accuracy  a and b are passed on bit by bit, but for denormals, which the store makes zero.
# Cycles    9 per row of 32 elements, 288 per tile, on both chips.
.title     "where(c, a, b)"
.dst       fp32
.inputs    3
.reference where
.init
    sfpencc   3, 10                         # predication on, all lanes
.tile
ROW = 0
.rept 32
    sfpload   L0, ROW, 0, 3
    sfpsetsgn L0, L0, 0, 1
    sfppushc  0
    sfpsetcc  L0, 0, 2                      # if c != 0
    sfpload   L1, 64 + ROW, 0, 3
    sfpcompc                                # else
    sfpload   L1, 128 + ROW, 0, 3
    sfppopc   0
    sfpstore  L1, ROW, 0, 3
    ROW = ROW + 2
.endr
