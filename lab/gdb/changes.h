/* SPDX-License-Identifier: Apache-2.0 */
/* What gdb changes of a tile, and the tile as something that has a past. */
#ifndef LAB_GDB_CHANGES_H
#define LAB_GDB_CHANGES_H

#include <tensix/tensix.h>

#include "past/past.h"

enum change_kind {
    CHANGE_MEMORY,   /* bytes at an address, as the core sees it */
    CHANGE_REGISTER, /* x1 to x31, 32 the pc: one word */
    CHANGE_CSR,      /* one word; where: which */
    CHANGE_FILE,     /* a register file of the coprocessor, enum tx_file, and its index: words */
    CHANGE_HOST,     /* one word at an address, as the NoC reaches it */
    CHANGE_WAKE,
    CHANGE_FREEZE, /* where: the set of cores */
    CHANGE_SPLIT   /* addresses, as words */
};

enum { CHANGES_SPACING = 8192 }; /* cycles between the nearest checkpoints */

struct past_of changes_of_tile(tx_tensix *tile);

#endif
