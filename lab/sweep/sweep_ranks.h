/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps whose parts an MPI launcher started: who does which part, and who adds them up. */
#ifndef LAB_SWEEP_RANKS_H
#define LAB_SWEEP_RANKS_H

#include "sweep/sweep.h"

struct sweep_ranks {
    unsigned rank, size;
    double patience; /* seconds without a sign of life, which each rank gives every second */
    bool scratch;
    char base[400], own[440]; /* state files: base.1-of-4, or in a folder: base/1-of-4 */
};

/* Of options with more than one rank. *ranks is for ranks_close, also where it fails. */
int ranks_open(struct txl_error *err, const struct txl_sweep_options *options, uint64_t key,
               struct sweep_ranks **ranks);
/* Rank 0, when its part is done: waits for the others' and adds them. */
int ranks_collect(struct txl_error *err, struct txl_sweep *sweep);
/* leaves: of a rank that nobody will wait for, whose scratch files go. NULL is nothing. */
void ranks_close(struct sweep_ranks *ranks, bool leaves);

#endif
