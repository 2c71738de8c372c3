/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who waits when nothing goes on any more, as a short table: who, where, what for, and what would
 * end the wait.
 */
#ifndef LAB_BASE_WAITS_H
#define LAB_BASE_WAITS_H

#include <stddef.h>

#include <tensix/tensix.h>

enum { WAITS_MOST = 16 };

struct wait_row {
    char who[28];    /* "T1", "core t1", "tile 1,0 b" */
    char where[112]; /* function and line of a core, instruction of a thread */
    char what[128];
    char end[96];
};

struct waits {
    struct wait_row row[WAITS_MOST];
    unsigned count, more;
};

/* Adds what a thread of the coprocessor waits for; tile: in front of its name, "" or "tile 1,0 ".
 */
void waits_thread(struct waits *waits, const tx_machine *machine, unsigned thread,
                  const char *tile);
/* Adds a core; where: its function and line, NULL: not known. One that only rests is left out. */
void waits_core(struct waits *waits, const tx_tensix *tensix, enum tx_core core, const char *tile,
                const char *where, const char *polls);
/* Writes the table behind text, each line after a line end. Rows that do not fit are counted. */
void waits_append(const struct waits *waits, char *text, size_t size);

#endif
