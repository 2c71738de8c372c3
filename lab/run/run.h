/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "run": kernels over arrays tile by tile, programs from L1 to L1, where cycles go, gaps that
 * change a result, and the evaluation of a few instructions. It may use base, reference, engine,
 * data, kernel, flow and shadow.
 */
#ifndef LAB_RUN_H
#define LAB_RUN_H

#include "kernel/load.h"

#include <tensix-lab/json.h>
#include <tensix-lab/run.h>

#include "engine/engine.h"
#include "run/gaps.h"
#include "run/l1.h"
#include "data/npy.h"
#include "base/bound.h"
#include "base/pool.h"
#include "reference/reference.h"
#include "data/tensor_out.h"
#include "reference/ulp.h"

enum { RUN_INPUTS = 16, RUN_SETS = 64, RUN_FINDINGS = 256, RUN_THREADS = 256, RUN_NOTES = 512 };
enum { RUN_STOPPED = 900 }; /* bytes of why a run stopped, with a table of what waits */

/*
 * An input array. Data of a format pass through the unpacker; numbers are put into Dst as a host
 * would.
 */
struct run_array {
    struct tensor tensor;
    struct tx_unpack unpack; /* not used if the array holds numbers */
};

/* How elements are arranged in tiles. */
struct run_tiling {
    /* Tiles are 32x32 blocks of the last two dimensions, else 1024 consecutive elements. */
    bool blocks;
    uint64_t count, tiles;
    uint64_t height, width, rows, columns; /* blocks only: one matrix in elements, and in tiles */
};

/* Consecutive elements of the array that are consecutive in a tile. */
struct run_span {
    uint64_t element; /* index of the first one in the array */
    unsigned place;   /* its position in the tile, row major */
    unsigned length;
};

struct run_finding {
    struct tx_finding finding;
    uint64_t tile; /* tile of the first occurrence */
    bool init;
};

struct run_findings {
    struct run_finding list[RUN_FINDINGS];
    size_t count;
    uint64_t dropped;
};

enum run_failure { RUN_GOOD = 0, RUN_FAULT, RUN_BAD_INPUT, RUN_BAD_OUTPUT };

struct run_totals {
    struct tx_counters init, tiles;
    struct run_findings findings;
    uint64_t notes[RUN_NOTES];
    uint32_t bounds; /* enum tx_bound */
    struct ulp_stats stats;
    struct npy_narrowed narrowed;
    uint64_t changed; /* input values that the Dst format cannot represent */
};

struct run_job {
    struct txl_error *err;
    const char *kernel;
    const struct tx_program *program;
    struct tx_settings settings;
    struct tx_kernel_options options;
    enum tx_dst_format dst, out_dst;
    const char *sets[RUN_SETS];
    unsigned set_count;

    struct run_array inputs[RUN_INPUTS], compare;
    unsigned input_count;
    bool raw_bf16;
    const struct reference *reference; /* NULL: none; else the one below */
    struct reference named;
    bool has_compare, has_output;
    struct tensor_out output;
    enum npy_dtype output_dtype;
    bool output_packed; /* the output is data of a format, produced by the packer */
    struct tx_pack pack;
    struct run_tiling tiling;
    unsigned threads;
    enum txl_engine engine;
    txl_compiler *compiler; /* for compiled code; NULL: none */
    bool evidence;          /* notes are wanted */
    tx_fast *fast;          /* NULL: the reference engine runs the tiles */
    bool was_fast;
    struct gaps gaps; /* idle cycles before words of .tile */
    txl_progress progress;
    void *user;

    uint64_t chunk; /* number of tiles that a worker takes at a time */
    enum run_failure failure;
    uint64_t failed_tile;
    bool failed_init;
    char message[RUN_STOPPED];
    struct run_totals totals;
    double seconds;
};

/*
 * run_random.c: inputs for kernels that are given none. Numbers from -4 to 4, or integers of up to
 * three digits.
 */
uint64_t run_random_begin(uint32_t seed);
uint32_t run_random_value(enum tx_dst_format dst, uint64_t *state);

/* run_tiles.c */
extern const struct tx_tile run_tile; /* 32x32 */
void run_tiling_make(struct run_tiling *tiling, const struct npy_info *info, bool blocks);
unsigned run_spans(const struct run_tiling *tiling, uint64_t tile,
                   struct run_span spans[TX_TILE_ELEMENTS / 32]);
/* Returns the same format as an enum tx_format. */
enum tx_format run_format(enum tx_dst_format format);
/*
 * Reads a tile of RAW or TILES data as L1 holds it, padded with zeros. False: err says
 * why not.
 */
bool run_read_data(const struct run_job *job, const struct run_array *array, uint64_t tile,
                   uint8_t bytes[TX_TILE_ELEMENTS * 4], struct txl_error *err);
/* Converts such data to the words that the unpacker makes of it, row by row. */
void run_data_words(const struct run_array *array, const uint8_t *bytes, uint32_t *values);
/*
 * Reads a tile's values, with zeros outside the array; data of a format as the unpacker reads them.
 */
bool run_read_tile(const struct run_job *job, const struct run_array *array, uint64_t tile,
                   uint32_t *values, struct npy_narrowed *narrowed, struct txl_error *err);
bool run_write_tile(struct run_job *job, uint64_t tile, const uint32_t *values,
                    struct txl_error *err);
/*
 * The same for count tiles; they are read or written at once where they are contiguous in the file.
 */
bool run_read_tiles(const struct run_job *job, const struct run_array *array, uint64_t tile,
                    uint64_t count, uint32_t (*values)[TX_TILE_ELEMENTS],
                    struct npy_narrowed *narrowed, struct txl_error *err);
bool run_write_tiles(struct run_job *job, uint64_t tile, uint64_t count,
                     const uint32_t (*values)[TX_TILE_ELEMENTS], struct txl_error *err);
/* Writes a tile as the packer left it. */
bool run_write_data(struct run_job *job, uint64_t tile, const uint8_t *bytes,
                    struct txl_error *err);
enum npy_dtype run_output_dtype(enum tx_dst_format format);

/* run_files.c */
struct run_files {
    const char *const *ins;
    unsigned in_count;
    const char *out, *compare;
    bool flat, tiles; /* from --layout, if it was given */
    struct tensor_how how;
};
/* Finds the packer's route to the output, before the inputs are opened. */
int run_settle_output(struct run_job *job, const struct run_files *files);
/*
 * Opens inputs and expected values, and determines the layout. Returns TXL_CONTINUE or TXL_INPUT.
 */
int run_open_inputs(struct run_job *job, const struct run_files *wanted);
int run_open_output(struct run_job *job, const struct run_files *files);
void run_close_files(struct run_job *job);

/* run_measure.c */
struct run_result {
    uint64_t tile;
    const uint32_t *held[RUN_INPUTS]; /* inputs as Dst held them */
    const uint32_t *expected;         /* values from --compare */
    const uint32_t *got;
};
void run_measure(const struct run_job *job, struct reference_work *reference,
                 const struct run_result *result, struct ulp_stats *stats);

/*
 * run_work.c: opens the kernels, runs all tiles and fills in totals. Returns TXL_CONTINUE or an
 * error.
 */
int run_work(struct run_job *job);
/*
 * Runs a single tile for the sink of job->settings; begin is called between .init and .tile.
 * Returns TXL_CONTINUE or an error; where the kernel stopped, job->failure is set.
 */
int run_look(struct run_job *job, uint64_t tile, void (*begin)(void *user),
             struct txl_run_tile *seen);
/* Writes the inputs of a tile to Dst after the tile has begun. */
bool run_feed(struct run_job *job, tx_kernel *kernel, uint64_t tile, struct txl_error *err);
/*
 * Takes over the caller's settings and kernel options (NULL: the defaults) for a program's chip;
 * their structs may have another version's size. given->kernel and options may be NULL. Returns
 * TXL_CONTINUE or TXL_INPUT.
 */
struct run_machine {
    const struct tx_settings *settings;
    const struct tx_kernel_options *kernel;
    size_t kernel_size;
};
int run_take_machine(struct txl_error *err, const struct run_machine *given, enum tx_arch arch,
                     struct tx_settings *settings, struct tx_kernel_options *options);
/* Applies FIELD=VALUE settings to a kernel's machine before it starts. */
int run_apply_sets(struct txl_error *err, tx_machine *machine, unsigned thread,
                   const char *const *sets, unsigned count);

/* Writes why a machine stopped. */
void run_stopped_text(const tx_machine *machine, enum tx_status status, char why[RUN_STOPPED]);

/* run_l1.c: runs a program from L1 to L1. Returns TXL_CONTINUE or an error. */
int run_from_l1(struct run_job *job, struct l1_job *l1);

/* Sets job->err to why the work failed. Returns TXL_NEGATIVE or TXL_INPUT. */
int run_failed(const struct run_job *job);

/* run_cycles.c: runs one tile of made-up numbers, or the program once from L1, for a sink. */
struct run_once {
    struct tx_sink sink;
    void (*begin)(void *user, const tx_machine *machine); /* called between .init and .tile */
    void (*end)(void *user, const tx_machine *machine);   /* behind .tile; NULL: nothing */
    const uint8_t *pace; /* enum tx_pace of each unit, as in tx_settings; NULL: the real one */
    /* Counters after .init, and after .tile. */
    struct tx_counters init, all;
    uint32_t bounds;         /* enum tx_bound: why cycles are only a lower bound */
    char stuck[RUN_STOPPED]; /* why the run stopped */
};
/* Returns TXL_CONTINUE, or an error in err. */
int run_once(struct txl_error *err, txl_run *run, struct run_once *once);

/* run_findings.c */
void run_add_finding(struct run_findings *findings, const struct run_finding *one);
void run_collect(struct run_findings *findings, const tx_machine *machine, bool init,
                 const uint64_t *first_tile);
void run_findings_merge(struct run_findings *into, const struct run_findings *from);
/* Takes counters, findings and notes of one machine after .tile; t->init already has .init's. */
void run_take(struct run_totals *totals, const tx_machine *machine);

/* Findings and notes in the form that the public functions return. */
struct run_shown {
    struct txl_run_finding *findings;
    char (*sources)[256];
    size_t finding_count;
    struct txl_run_note *notes;
    size_t note_count;
};
/*
 * Prepares them. program finds the source lines of words, in path where no .loc says otherwise;
 * either may be NULL. Returns TXL_CONTINUE or TXL_INPUT.
 */
int run_show(struct txl_error *err, struct run_shown *shown, const struct run_findings *findings,
             const uint64_t *notes, const char *path, const struct tx_program *program);
void run_hide(struct run_shown *shown);
txl_json *run_findings_json(const struct run_shown *shown);
txl_json *run_notes_json(const struct run_shown *shown);
txl_json *run_counters_json(const struct tx_counters *counters);

/* run_gaps.c, run_cycles.c */
struct run_search;
void run_search_free(struct run_search *search);

struct txl_run {
    struct run_job job;
    struct run_files files;
    const char *ins[RUN_INPUTS];
    struct l1_job l1;
    bool opened; /* the inputs are open */
    bool from_l1;
    struct txl_run_result result;
    struct run_shown shown;
    struct txl_run_array arrays[RUN_INPUTS], output;
    struct txl_l1_file l1_in[L1_FILES], l1_out[L1_FILES];
    struct txl_accuracy accuracy;
    struct txl_cycles cycles;
    uint64_t units[TX_UNIT_COUNT]; /* for cycles */
    bool has_cycles, has_accuracy;
    struct run_search *search;
    txl_profile *profile;             /* NULL: not requested */
    struct reference_work *unrounded; /* see run_unrounded.c; NULL: not used yet */
};

/* Returns the result of the search in run_gaps.c; NULL before a search. */
const struct txl_gaps *run_gaps_found(const txl_run *run);

/* run_json.c */
txl_json *run_cycles_json(const struct txl_cycles *cycles);

#endif
