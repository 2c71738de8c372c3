/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LAB_SWEEP_RANKS_H
#define LAB_SWEEP_RANKS_H

#include "sweep/sweep.h"

struct sweep_ranks {
    unsigned rank, size;
    bool scratch;
    char base[400], own[440]; /* state files: base.1-of-4, or in a folder: base/1-of-4 */
};

bool ranks_find(struct sweep_ranks *ranks); /* more than one */
/* resume: what --resume says, or NULL. */
int ranks_paths(struct txl_error *err, struct sweep_ranks *ranks, const char *resume, uint64_t key);
/* Rank 0, when its part is done: waits for the others' and adds them. */
int ranks_collect(struct sweep *sweep, const struct sweep_ranks *ranks);
/* A rank that will not be waited for: its scratch files go. */
void ranks_leave(const struct sweep_ranks *ranks);

#endif
