/* SPDX-License-Identifier: Apache-2.0 */
/* The changes that gdb makes to a tile, and the tile as the owner of a past (past/past.h). */
#ifndef LAB_GDB_CHANGES_H
#define LAB_GDB_CHANGES_H

#include "past/past.h"
#include "tile/tile_world.h"

enum change_kind {
    CHANGE_MEMORY,   /* bytes at an address, as seen by the core */
    CHANGE_REGISTER, /* one word: x1 to x31, or 32 for the pc */
    CHANGE_CSR,      /* one word; where: the CSR's index */
    /* Words of a register file of the coprocessor; where: enum tx_file, and its index. */
    CHANGE_FILE,
    CHANGE_HOST, /* one word at an address, as written by the NoC */
    CHANGE_WAKE,
    CHANGE_FREEZE, /* where: the set of cores */
    CHANGE_SPLIT   /* the addresses, as words */
};

enum { CHANGES_SPACING = 8192 }; /* smallest distance of checkpoints, in cycles */

struct past_of changes_of_tile(txl_tensix *run);

#endif
