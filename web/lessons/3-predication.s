# SPDX-License-Identifier: Apache-2.0
.title     "|x|"
.dst       fp32
.init
    sfpencc  3, 10            # predication on, all lanes
.tile
ROW = 0
.rept 32
    sfpload  L0, ROW, 0, 3
    sfpsetcc L0, 0, 0         # lanes with a negative x go on alone
    sfpmov   L0, L0, 1        # -x
    sfpstore L0, ROW, 0, 3
    ROW = ROW + 2
.endr
