/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sweeps whose parts were started by an MPI launcher: which process does which part, and who
 * combines them.
 */
#ifndef LAB_SWEEP_RANKS_H
#define LAB_SWEEP_RANKS_H

#include "sweep/sweep.h"

struct sweep_ranks {
    unsigned rank, size;
    double patience; /* seconds without a sign of life; each rank gives one every second */
    bool scratch;
    /* Paths of the state files: base.1-of-4, or in a folder: base/1-of-4. */
    char base[400], own[440];
};

/*
 * Prepares the ranks for options with more than one. *ranks must be closed with ranks_close even if
 * this fails.
 */
int ranks_open(struct txl_error *err, const struct txl_sweep_options *options, uint64_t key,
               struct sweep_ranks **ranks);
/* In rank 0, after its own part: waits for the other parts and merges them. */
int ranks_collect(struct txl_error *err, struct txl_sweep *sweep);
/* leaves: no other rank waits for this one, so its scratch files are removed. NULL does nothing. */
void ranks_close(struct sweep_ranks *ranks, bool leaves);

#endif
