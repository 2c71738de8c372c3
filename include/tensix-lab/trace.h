/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shows what each unit does in each cycle. It runs a program, combines its events cycle by cycle,
 * and writes them as a table, as JSON lines (docs/trace-format.md), for ui.perfetto.dev, for Konata
 * or as a page. Only the current cycle is kept, so memory does not grow with the run.
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
    TXL_TRACE_HTML,   /* one self-contained page, of at most TXL_TRACE_PAGE_CYCLES */
    TXL_TRACE_VIEW,   /* the page's data as one JSON value, for the views of lab/page */
    TXL_TRACE_FORMS
};
enum { TXL_TRACE_PAGE_CYCLES = 1000000 };

/* Whatever it points to must stay valid until txl_trace_close. */
struct txl_trace_options {
    size_t size;                            /* of this struct */
    const char *name;                       /* of the kernel; NULL: "kernel" */
    const struct tx_settings *settings;     /* NULL: the defaults; sink and watch are not used */
    const struct tx_kernel_options *kernel; /* NULL: the defaults */
    size_t kernel_size;                     /* sizeof *kernel */
    const char *const *sets;                /* configuration, as "FIELD=VALUE" */
    unsigned set_count;
    const char *const *inputs;                /* arrays of numbers, as in struct txl_run_options */
    unsigned input_count;                     /* 0: random numbers, drawn with the kernel's seed */
    const char *const *l1_in, *const *l1_out; /* as in struct txl_run_options; excludes arrays */
    unsigned l1_in_count, l1_out_count;
    uint64_t tile, tiles;  /* the first tile, and how many; 0: one */
    bool init;             /* trace .init too, before the tile */
    uint64_t first, end;   /* show cycles from first to before end; 0: to the last */
    uint32_t regs;         /* bit n: table and JSON show writes to Ln */
    const uint32_t *rows;  /* 32 words with a bit per Dst row, likewise; NULL: none */
    bool compact;          /* table and JSON omit what follows from the rest */
    bool color;            /* colour the table, for a terminal */
    txl_progress progress; /* counts tiles */
    /*
     * Called once when more than large_bytes (0: 256 MiB) of uncompressed output have been written.
     */
    void (*large)(void *user, uint64_t bytes);
    uint64_t large_bytes;
    void *user;          /* of both functions */
    const char *scratch; /* folder for members of .npz files; NULL: /tmp */
    const char *source;  /* the kernel's text, which a page shows beside the pipeline; or NULL */
    size_t source_length;
    const char *const *sources; /* folders of sources, as in struct txl_tensix_options */
    size_t source_count;
};

/*
 * Opens the inputs. Returns TXL_OK with *trace, which the caller closes with txl_trace_close;
 * otherwise *trace is NULL.
 */
TXL_API int txl_trace_open(struct txl_error *err, const struct tx_program *program,
                           const struct txl_trace_options *options, txl_trace **trace);
/*
 * The same for programs on a tile's cores (tile.h). The trace then also shows where each core is,
 * by function and source line. Options that only kernels have are refused. tile must stay valid
 * until txl_trace_close.
 */
TXL_API int txl_trace_open_tile(struct txl_error *err, const struct txl_tensix_options *tile,
                                const struct txl_trace_options *options, txl_trace **trace);
/*
 * Traces a tile of a chip, which txl_chip_attach has handed to its visitor, into a file whose name
 * chooses the form: .html a page, .jsonl lines, another .json for ui.perfetto.dev, .kanata for
 * Konata, else a table; .gz behind it compresses. The whole chip runs until the last of the cycles
 * that are shown, or until it rests; what comes behind is left to the run. A deadlock or a fault
 * ends the trace, and the run that follows tells of it. Options that only kernels have are refused.
 */
TXL_API int txl_trace_attached(struct txl_error *err, txl_tensix *tile,
                               const struct txl_trace_options *options, const char *path);
/*
 * Add one more output, at most eight in all, before txl_trace_run. A stream stays open and is
 * flushed at the end. A file appears only when it is whole, and is compressed where its name ends
 * in .gz.
 */
TXL_API int txl_trace_write(struct txl_error *err, txl_trace *trace, enum txl_trace_form form,
                            FILE *stream);
TXL_API int txl_trace_file(struct txl_error *err, txl_trace *trace, enum txl_trace_form form,
                           const char *path);
/*
 * Runs the program, once. A run that is too long for a page is refused before anything is written.
 * Returns TXL_OK; TXL_NEGATIVE where the machine stopped (streams then have everything up to that
 * point, files do not exist); TXL_INPUT; or TXL_CANCELLED. Write errors of a stream are left for
 * the caller to check.
 */
TXL_API int txl_trace_run(struct txl_error *err, txl_trace *trace);
TXL_API void txl_trace_close(txl_trace *trace); /* NULL is allowed */
/*
 * Opens, writes one form into memory, and closes. The caller frees *text, also where TXL_NEGATIVE
 * is returned.
 */
TXL_API int txl_trace_text(struct txl_error *err, const struct tx_program *program,
                           const struct txl_trace_options *options, enum txl_trace_form form,
                           char **text, size_t *size);

#ifdef __cplusplus
}
#endif

#endif
