/* SPDX-License-Identifier: Apache-2.0 */
/* The state of one trace, of a kernel (trace.c) or of a tile with its cores (trace_tile.c). */
#ifndef LAB_TRACE_JOB_H
#define LAB_TRACE_JOB_H

#include "base/outfile.h"
#include "run/run.h"
#include "trace/trace_model.h"
#include "trace/trace_stream.h"

/* The destination of an output form. */
struct place {
    const char *path; /* NULL: a stream that the caller owns */
    struct outfile file;
    FILE *stream;
};

struct txl_trace {
    struct txl_error *err;
    const char *name;
    char title[160]; /* of a tile: the programs of its cores */
    struct txl_trace_options how;
    const struct tx_program *program;
    /* The tile whose cores' programs are traced instead. */
    const struct txl_tensix_options *tile_options;
    struct tx_settings settings;
    struct tx_kernel_options options;
    struct run_job job; /* only the tiling is used, for reading arrays */
    struct l1_job l1;
    struct collect collect;
    struct place places[TRACE_OUTS]; /* one for each output form */
    struct trace_size size;
    struct tx_counters before; /* counters before the traced part */
    uint64_t random;           /* state of the random generator for inputs */
    uint64_t done;             /* number of tiles done */
    uint64_t most;             /* cycles of a tile of a chip that are run at most */
    bool page, cancelled;
    uint32_t values[RUN_INPUTS][TX_TILE_ELEMENTS], output[TX_TILE_ELEMENTS];
    const uint32_t *inputs[RUN_INPUTS];
};

/* trace.c */
void trace_settle_shown(struct txl_trace *trace);
int trace_close_places(struct txl_trace *trace, int result);
void trace_finish(struct txl_trace *trace, const tx_machine *machine);
/* trace_tile.c: the part of txl_trace_run for tiles */
int trace_tile_run(struct txl_trace *trace);

#endif
