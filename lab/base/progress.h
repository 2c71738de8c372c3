/* SPDX-License-Identifier: Apache-2.0 */
/* A bar with rate and remaining time on stderr: only on a terminal, only for work that lasts. */
#ifndef LAB_PROGRESS_H
#define LAB_PROGRESS_H

#define _GNU_SOURCE 1

#include <stdbool.h>
#include <stdint.h>

#include "base/pool.h"

struct progress {
    bool wanted, shown;
    double start, last;
    uint64_t total;
    const char *unit;
};

void progress_start(struct progress *progress, bool wanted, uint64_t total, const char *unit);
/*
 * A txl_progress that draws: user is a struct progress that progress_start has filled in. (When no
 * room calls the functions here any more this file goes to cli/print.)
 */
bool progress_call(void *user, uint64_t done, uint64_t total);
void progress_update(struct progress *progress, uint64_t done);
void progress_end(struct progress *progress); /* removes the bar */

#endif
