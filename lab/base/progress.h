/* SPDX-License-Identifier: Apache-2.0 */
/* A bar with rate and remaining time on stderr: only on a terminal, only for work that lasts. */
#ifndef LAB_PROGRESS_H
#define LAB_PROGRESS_H

#define _GNU_SOURCE 1

#include <stdbool.h>
#include <stdint.h>

struct progress {
    bool wanted, shown;
    double start, last;
    uint64_t total;
    const char *unit;
};

double clock_seconds(void);
void progress_start(struct progress *progress, bool wanted, uint64_t total, const char *unit);
void progress_update(struct progress *progress, uint64_t done);
void progress_end(struct progress *progress); /* removes the bar */

#endif
