# SPDX-License-Identifier: Apache-2.0
# dropout: each element becomes 0 with probability 1/4, else x * 4/3; on Blackhole and Wormhole.
#
# Method    SFPMOV from special register 9 draws 32 random bits a lane. Without the sign bit they
#           are a number below 2^31, compared with 2^29 by an integer subtraction that sets the
#           flags. Neighbouring lanes and successive draws are shifted copies of each other
#           (docs/machine.md), so draws are less independent than their number suggests; the share
#           of zeros is right.
# Random    tensix run --seed N; every tile gets a seed of its own.
# Accuracy  kept elements: one product, rounded once. A dropped infinity or NaN is 0, too.
# Cycles    8 per row of 32 elements, 256 per tile, on both chips.
.title     "dropout, p = 1/4"
.dst       fp32
.init
    sfpencc   3, 10                         # predication on, all lanes
.loadi L6, float(1.3333333333)
.loadi L7, -0x20000000
.tile
ROW = 0
.rept 32
    sfpload   L0, ROW, 0, 3
    sfpmov    L1, L9, 8                     # 8: special register; 9 of them: random bits
    sfpmul    L0, L0, L6, 0
    sfpsetsgn L1, L1, 0, 1
    sfpiadd   L1, L7, 0, 0                  # flags: below the threshold
    sfpmov    L0, L9, 0
    sfpencc   3, 10
    sfpstore  L0, ROW, 0, 3
    ROW = ROW + 2
.endr
