/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "run": arrays through a kernel tile by tile, programs from L1 to L1, where the cycles go,
 * gaps that change a result, and a few instructions by themselves. It may use base, reference,
 * engine, data, kernel, flow and shadow.
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
#include "base/pool.h"
#include "reference/reference.h"
#include "data/tensor_out.h"
#include "reference/ulp.h"

enum { RUN_INPUTS = 16, RUN_SETS = 64, RUN_FINDINGS = 256, RUN_THREADS = 256, RUN_NOTES = 512 };

/* Data of a format come through the unpacker, numbers as a host puts them into Dst. */
struct run_array {
    struct tensor tensor;
    struct tx_unpack unpack; /* unless the array holds numbers */
};

/* How elements fall into tiles. */
struct run_tiling {
    bool blocks; /* 32x32 blocks of the last two dimensions, else 1024 consecutive elements */
    uint64_t count, tiles;
    uint64_t height, width, rows, columns; /* blocks: of one matrix, in elements and in tiles */
};

struct run_span {
    uint64_t element; /* first one, in the array */
    unsigned place;   /* in the tile, row major */
    unsigned length;
};

struct run_finding {
    struct tx_finding finding;
    uint64_t tile; /* of the first occurrence */
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
    struct ulp_stats stats;
    struct npy_narrowed narrowed;
    uint64_t changed; /* input values that the Dst format does not hold */
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
    const struct reference *reference;
    bool has_compare, has_output;
    struct tensor_out output;
    enum npy_dtype output_dtype;
    bool output_packed; /* data of a format, through the packer */
    struct tx_pack pack;
    struct run_tiling tiling;
    unsigned threads;
    enum txl_engine engine;
    txl_compiler *compiler; /* NULL: none */
    bool evidence;          /* notes are asked for */
    tx_fast *fast;          /* NULL: the reference engine runs the tiles */
    bool was_fast;
    struct gaps gaps; /* idle cycles between the words of .tile */
    txl_progress progress;
    void *user;

    uint64_t chunk; /* tiles that a worker takes at once */
    enum run_failure failure;
    uint64_t failed_tile;
    bool failed_init;
    char message[400];
    struct run_totals totals;
    double seconds;
};

/* run_random.c: inputs where none are given. Numbers from -4 to 4, or integers of three digits. */
uint64_t run_random_begin(uint32_t seed);
uint32_t run_random_value(enum tx_dst_format dst, uint64_t *state);

/* run_tiles.c */
extern const struct tx_tile run_tile; /* 32x32 */
void run_tiling_make(struct run_tiling *tiling, const struct npy_info *info, bool blocks);
unsigned run_spans(const struct run_tiling *tiling, uint64_t tile,
                   struct run_span spans[TX_TILE_ELEMENTS / 32]);
/* The Dst format by its other name. */
enum tx_format run_format(enum tx_dst_format format);
/* A tile of RAW or TILES as L1 holds it, padded with zeros. NULL, or what is wrong (in message). */
const char *run_read_data(const struct run_job *job, const struct run_array *array, uint64_t tile,
                          uint8_t bytes[TX_TILE_ELEMENTS * 4], char message[400]);
/* What the unpacker makes of it, as words row by row. */
void run_data_words(const struct run_array *array, const uint8_t *bytes, uint32_t *values);
/* Fills the tile's values, zeros beyond the array; data of a format as the unpacker reads them. */
const char *run_read_tile(const struct run_job *job, const struct run_array *array, uint64_t tile,
                          uint32_t *values, struct npy_narrowed *narrowed, char message[400]);
const char *run_write_tile(struct run_job *job, uint64_t tile, const uint32_t *values,
                           char message[400]);
/* The same for count tiles, at once where the file has them one behind the other. */
const char *run_read_tiles(const struct run_job *job, const struct run_array *array, uint64_t tile,
                           uint64_t count, uint32_t (*values)[TX_TILE_ELEMENTS],
                           struct npy_narrowed *narrowed, char message[400]);
const char *run_write_tiles(struct run_job *job, uint64_t tile, uint64_t count,
                            const uint32_t (*values)[TX_TILE_ELEMENTS], char message[400]);
/* The tile as the packer left it. */
const char *run_write_data(struct run_job *job, uint64_t tile, const uint8_t *bytes,
                           char message[400]);
enum npy_dtype run_output_dtype(enum tx_dst_format format);

/* run_files.c */
struct run_files {
    const char *const *ins;
    unsigned in_count;
    const char *out, *compare;
    bool flat, tiles; /* --layout, where it was given */
    struct tensor_how how;
};
/* Whether there is a packer's route to the output; before the inputs are opened. */
int run_settle_output(struct run_job *job, const struct run_files *files);
/* Inputs and what they are compared with; settles the layout. TXL_CONTINUE or TXL_INPUT. */
int run_open_inputs(struct run_job *job, const struct run_files *wanted);
int run_open_output(struct run_job *job, const struct run_files *files);
void run_close_files(struct run_job *job);

/* run_measure.c */
struct run_result {
    uint64_t tile;
    const uint32_t *held[RUN_INPUTS]; /* the inputs as Dst held them */
    const uint32_t *expected;         /* of --compare */
    const uint32_t *got;
};
void run_measure(const struct run_job *job, struct reference_work *reference,
                 const struct run_result *result, struct ulp_stats *stats);

/* run_work.c: opens the kernels, runs all tiles, fills totals. An exit code, or TXL_CONTINUE. */
int run_work(struct run_job *job);
/*
 * One tile alone, for the sink of job->settings; begin is called between .init and .tile. An exit
 * code, or TXL_CONTINUE, with job->failure where the kernel stopped.
 */
int run_look(struct run_job *job, uint64_t tile, void (*begin)(void *user),
             struct txl_run_tile *seen);
/* Into Dst what the arrays hold for a tile that has begun. NULL, or what is wrong. */
const char *run_feed(struct run_job *job, tx_kernel *kernel, uint64_t tile, char message[400]);
/*
 * The caller's settings (NULL: the defaults) and kernel options for a program's chip, whose structs
 * may be another version's. kernel and options may be NULL. TXL_CONTINUE, or TXL_INPUT.
 */
struct run_machine {
    const struct tx_settings *settings;
    const struct tx_kernel_options *kernel;
    size_t kernel_size;
};
int run_take_machine(struct txl_error *err, const struct run_machine *given, enum tx_arch arch,
                     struct tx_settings *settings, struct tx_kernel_options *options);
/* Applies FIELD=VALUE words to a kernel's machine before it starts. */
int run_apply_sets(struct txl_error *err, tx_machine *machine, unsigned thread,
                   const char *const *sets, unsigned count);

/* Why a machine stopped, in words. */
void run_stopped_text(const tx_machine *machine, enum tx_status status, char message[400]);

/* run_l1.c: from L1 to L1. TXL_CONTINUE, or an exit code. */
int run_from_l1(struct run_job *job, struct l1_job *l1);

/* Into job->err, why the work failed: TXL_NEGATIVE or TXL_INPUT. */
int run_failed(const struct run_job *job);

/* run_cycles.c: one tile of numbers that are made up, or once from L1, for a sink. */
struct run_once {
    struct tx_sink sink;
    void (*begin)(void *user, const tx_machine *machine); /* between .init and .tile */
    struct tx_counters init, all;                         /* behind .init, and .tile */
    bool at_least;                                        /* cycles are only known from below */
    char stuck[900];                                      /* why it did not go on */
};
/* TXL_CONTINUE, or what err says. */
int run_once(struct txl_error *err, txl_run *run, struct run_once *once);

/* run_findings.c */
void run_collect(struct run_findings *findings, const tx_machine *machine, bool init,
                 const uint64_t *first_tile);
void run_findings_merge(struct run_findings *into, const struct run_findings *from);
/* From one machine whose .init took what init says; findings of .tile only. */
void run_take(struct run_totals *totals, const tx_machine *machine);
/* By the notes (RUN_NOTES): cycles are a lower bound. */
bool run_at_least(const uint64_t *notes);

/* Findings and notes as they are handed out. */
struct run_shown {
    struct txl_run_finding *findings;
    char (*sources)[256];
    size_t finding_count;
    struct txl_run_note *notes;
    size_t note_count;
};
/* program: for the places of words in the source, or NULL. TXL_CONTINUE, or TXL_INPUT. */
int run_show(struct txl_error *err, struct run_shown *shown, const struct run_findings *findings,
             const uint64_t *notes, const struct tx_program *program);
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
    bool opened; /* the inputs are */
    bool from_l1;
    struct txl_run_result result;
    struct run_shown shown;
    struct txl_run_array arrays[RUN_INPUTS], output;
    struct txl_l1_file l1_in[L1_FILES], l1_out[L1_FILES];
    struct txl_accuracy accuracy;
    struct txl_cycles cycles;
    uint64_t units[TX_UNIT_COUNT]; /* of cycles */
    bool has_cycles, has_accuracy;
    struct run_search *search;
    txl_profile *profile;             /* NULL: not asked for */
    struct reference_work *unrounded; /* see run_unrounded.c; NULL: not needed yet */
};

/* run_gaps.c: NULL before a search. */
const struct txl_gaps *run_gaps_found(const txl_run *run);

/* run_json.c */
txl_json *run_cycles_json(const struct txl_cycles *cycles);

#endif
