/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each unit does in each cycle: a program is run, its events are put together cycle by cycle,
 * and written as a table, as JSON lines (docs/trace-format.md), for ui.perfetto.dev, for Konata or
 * as a page. Only the cycle under way is kept, so memory does not grow with the run.
 *
 *     struct txl_trace_options how = {.size = sizeof how};
 *     txl_trace *trace;
 *     if (txl_trace_open(&err, program, &how, &trace) == TXL_OK &&
 *         txl_trace_write(&err, trace, TXL_TRACE_HTML, file) == TXL_OK) {
 *         (void)txl_trace_run(&err, trace);
 *     }
 *     txl_trace_close(trace);
 */
#ifndef TENSIX_LAB_TRACE_H
#define TENSIX_LAB_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <tensix-lab/base.h>
#include <tensix-lab/tile.h>
#include <tensix/tensix.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct txl_trace txl_trace;

enum txl_trace_form {
    TXL_TRACE_TABLE,
    TXL_TRACE_JSON,   /* lines, see docs/trace-format.md */
    TXL_TRACE_CHROME, /* trace event JSON */
    TXL_TRACE_KONATA, /* Kanata 0004 */
    TXL_TRACE_HTML,   /* one page that needs nothing else; at most TXL_TRACE_PAGE_CYCLES */
    TXL_TRACE_VIEW,   /* what the page shows, as one JSON value: for the views of lab/page */
    TXL_TRACE_FORMS
};
enum { TXL_TRACE_PAGE_CYCLES = 1000000 };

/* What it points to must stay until txl_trace_close. */
struct txl_trace_options {
    size_t size;                            /* of this struct */
    const char *name;                       /* of the kernel; NULL: "kernel" */
    const struct tx_settings *settings;     /* NULL: the defaults; sink and watch are not used */
    const struct tx_kernel_options *kernel; /* NULL: the defaults */
    size_t kernel_size;                     /* sizeof *kernel */
    const char *const *sets;                /* configuration, as "FIELD=VALUE" */
    unsigned set_count;
    const char *const *inputs;                /* arrays of numbers, as in struct txl_run_options */
    unsigned input_count;                     /* 0: random numbers, drawn by the kernel's seed */
    const char *const *l1_in, *const *l1_out; /* as in struct txl_run_options: no arrays then */
    unsigned l1_in_count, l1_out_count;
    uint64_t tile, tiles;  /* the first, and how many; 0: one */
    bool init;             /* .init is traced too, before the tile */
    uint64_t first, end;   /* cycles that are shown: from first to before end; 0: to the last */
    uint32_t regs;         /* bit per LReg whose writes table and JSON show */
    const uint32_t *rows;  /* 32 words, bit per Dst row likewise; NULL: none */
    bool compact;          /* nothing that follows from the rest, in table and JSON */
    bool color;            /* of the table, for a terminal */
    txl_progress progress; /* in tiles */
    /* Once, when more than large_bytes (0: 256 MiB) have been written that are not compressed. */
    void (*large)(void *user, uint64_t bytes);
    uint64_t large_bytes;
    void *user;          /* of both functions */
    const char *scratch; /* folder for arrays out of and into an .npz; NULL: /tmp */
    const char *source;  /* the kernel's text, which a page shows beside the pipeline; or NULL */
    size_t source_length;
};

/* Opens the inputs. TXL_OK: *trace is the caller's, for txl_trace_close; else it is NULL. */
TXL_API int txl_trace_open(struct txl_error *err, const struct tx_program *program,
                           const struct txl_trace_options *options, txl_trace **trace);
/*
 * Programs of a tile's cores instead (tile.h): the same, and where each core stands, by function
 * and line of its source. What only a kernel has is refused. tile must stay until txl_trace_close.
 */
TXL_API int txl_trace_open_tile(struct txl_error *err, const struct txl_tensix_options *tile,
                                const struct txl_trace_options *options, txl_trace **trace);
/*
 * Before txl_trace_run, at most eight times: one more form. To a stream, which stays the caller's
 * and is flushed in the end; or into a file, which exists when it is whole, compressed where its
 * name ends in .gz.
 */
TXL_API int txl_trace_write(struct txl_error *err, txl_trace *trace, enum txl_trace_form form,
                            FILE *stream);
TXL_API int txl_trace_file(struct txl_error *err, txl_trace *trace, enum txl_trace_form form,
                           const char *path);
/*
 * Runs, once; what is too long for a page is refused before anything is written. TXL_OK;
 * TXL_NEGATIVE where the machine stopped: streams have it all up to there, files are not there;
 * TXL_INPUT; TXL_CANCELLED. Whether a stream took everything is its own to tell.
 */
TXL_API int txl_trace_run(struct txl_error *err, txl_trace *trace);
TXL_API void txl_trace_close(txl_trace *trace); /* NULL is allowed */
/* Open, one form into memory, close. *text is for free(), also where it returns TXL_NEGATIVE. */
TXL_API int txl_trace_text(struct txl_error *err, const struct tx_program *program,
                           const struct txl_trace_options *options, enum txl_trace_form form,
                           char **text, size_t *size);

#ifdef __cplusplus
}
#endif

#endif
