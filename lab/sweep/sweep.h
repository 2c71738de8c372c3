/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "sweep": every input of a domain through a kernel, against a reference or against another
 * kernel; state files, ranks, budgets, reports. It may use base, page, reference, engine, kernel
 * and run.
 *
 * Work is cut into chunks
 * of inputs, the same ones for any number of threads, shards and interruptions; each chunk has its
 * own figures, and figures are merged by integer addition, maxima and lowest indices only, so that
 * the order in which chunks are done does not show.
 */
#ifndef LAB_SWEEP_H
#define LAB_SWEEP_H

#include "base/memory.h"
#include "kernel/load.h"

#include <pthread.h>

#include <tensix-lab/json.h>
#include <tensix-lab/sweep.h>

#include "sweep/budget.h"
#include "reference/reference.h"
#include "reference/ulp.h"
#include "run/run.h"

enum {
    SWEEP_INPUTS = REF_INPUTS,
    SWEEP_BATCH = 16, /* tiles that an engine gets at a time */
    SWEEP_BATCH_ELEMENTS = SWEEP_BATCH * TX_TILE_ELEMENTS,
    SWEEP_BLOCKS = 65536, /* lines of the CSV */
    SWEEP_CHUNKS = 4096,
    SWEEP_CHUNK_BLOCKS = 1024, /* of one chunk, at most: see sweep_allocate */
    SWEEP_GRID = 64,
    SWEEP_BINS = SWEEP_GRID * SWEEP_GRID, /* of the plot: along the input, or input by input */
    SWEEP_WORST = 100,
    SWEEP_FINDINGS = 64,
    SWEEP_SPECIALS = 17,
    SWEEP_LIMBS = 6,
    SWEEP_MESSAGE = 400
};

/* ---- domains: sweep_domain.c ---- */

enum sweep_axis_kind { AXIS_FP32, AXIS_TF32, AXIS_BF16, AXIS_FP16, AXIS_INTEGER, AXIS_LIST };

/* Values in numeric order, -NaN first; of a file in the file's order. */
struct sweep_axis {
    enum sweep_axis_kind kind;
    const struct number_format *format; /* of Dst: integers, or else FP32 patterns */
    int64_t least;                      /* of integers, the first one */
    uint64_t first, size;               /* in that order */
    uint64_t values;                    /* of the whole format; of a file 0 */
    uint32_t *words;                    /* of a file */
};

struct sweep_domain {
    char text[200];
    unsigned operands;
    struct sweep_axis axis[SWEEP_INPUTS];
    uint64_t total, stride, sample, seed;
    uint64_t count; /* inputs of the sweep */
};

/* dst: the format of Dst that the inputs are in. stride 0 or 1: all; sample 0: none is drawn. */
int domain_parse(struct txl_error *err, const char *text, enum tx_dst_format dst, uint64_t stride,
                 uint64_t sample, struct sweep_domain *domain);
void domain_free(struct sweep_domain *domain);
/* FP32 patterns of inputs first .. first + count - 1, one array for each operand. */
void domain_fill(const struct sweep_domain *domain, uint64_t first, size_t count,
                 uint32_t *const *words);
/* Bin of the plot of an input: of SWEEP_BINS along one operand, of the grid for more. */
unsigned domain_bin(const struct sweep_domain *domain, uint64_t index);
/* The bin is the same for all inputs from index to before this one. */
uint64_t domain_bin_end(const struct sweep_domain *domain, uint64_t index);
/* FP32 pattern at the lower end of a bin, on an axis that is cut into so many bins. */
uint32_t domain_bin_word(const struct sweep_axis *axis, unsigned bin, unsigned bins);
bool domain_ordered(const struct sweep_domain *domain); /* neighbours are neighbours */
bool domain_exhaustive(const struct sweep_domain *domain);
const char *domain_count_text(const struct sweep_domain *domain, char *text, size_t size);
uint64_t domain_hash(const struct sweep_domain *domain);

/* ---- engines: sweep_engine.c ---- */

struct sweep_kernel {
    const struct tx_program *program;
    struct tx_settings settings;
    struct tx_kernel_options options;
    uint64_t tiles; /* how many it is going to run, as far as that is known */
    txl_compiler *compiler;
};

struct sweep_finding {
    struct tx_finding finding; /* its rule is set by txl_sweep_finish */
    char rule[32];
    uint64_t tile;
};

struct sweep_findings {
    struct sweep_finding list[SWEEP_FINDINGS];
    uint64_t count, dropped;
};

/*
 * What runs tiles. A worker belongs to one thread. run: count consecutive tiles from first_tile on;
 * inputs[i] and output have 1024 patterns for each, as tx_kernel_tile. False: message says why.
 * findings: adds what was found since the last call, and forgets it.
 */
struct sweep_engine {
    const char *name;
    void *(*open)(const struct sweep_kernel *kernel, char message[SWEEP_MESSAGE]);
    bool (*run)(void *worker, uint64_t first_tile, unsigned count, const uint32_t *const *inputs,
                uint32_t *output, char message[SWEEP_MESSAGE]);
    void (*findings)(void *worker, uint64_t tile, struct sweep_findings *into);
    void (*close)(void *worker);
};

const struct sweep_engine *sweep_engine_at(size_t index);
void sweep_findings_merge(struct sweep_findings *into, const struct sweep_findings *from);
/* Cycles of one tile, and what the reference engine finds in .init. */
int sweep_measure(struct txl_error *err, const char *path, const struct sweep_kernel *kernel,
                  uint64_t *cycles, struct sweep_findings *init);

/* sweep_formats.c: refuses a kernel whose results are obviously not of the format of its inputs. */
int sweep_check_formats(struct txl_error *err, const char *path, const struct sweep_kernel *kernel);

/* ---- references: sweep_reference.c ---- */

struct sweep_reference {
    char name[200];
    const struct reference *named; /* NULL: a file, or the caller's function */
    txl_sweep_function function;
    void *user;
    bool python;
    const char *path; /* of the options: where python3 and the helper are looked for */
    const char *helper;
    char *const *environment;
    unsigned inputs;
    uint64_t hash;
};

/* One for each thread; children of files start here, so open all before threads start. */
struct sweep_oracle;

/* sweep_child.c: the process of a reference that is a file. */
struct sweep_child;
int sweep_child_open(struct txl_error *err, const struct sweep_reference *reference,
                     struct sweep_child **child);
void sweep_child_close(struct sweep_child *child); /* NULL is nothing */
/* The function of count elements, their operands one after the other; false: message says why. */
bool sweep_child_ask(struct sweep_child *child, const double *numbers, size_t count, double *value,
                     char message[SWEEP_MESSAGE]);

/* given: by the options. Data files name functions; what runs as a program, they do not. */
int sweep_reference_find(struct txl_error *err, const char *name, bool given, unsigned inputs,
                         struct sweep_reference *reference);
int sweep_oracle_open(struct txl_error *err, const struct sweep_reference *reference,
                      enum tx_dst_format dst, enum tx_dst_format out, struct sweep_oracle **opened);
void sweep_oracle_close(struct sweep_oracle *oracle);
/* As reference_words; false: message says why. */
bool sweep_oracle_words(struct sweep_oracle *oracle, const uint32_t *const *inputs, size_t count,
                        uint32_t *expected, uint8_t *below, double *value,
                        char message[SWEEP_MESSAGE]);
double sweep_oracle_tolerance(const struct sweep_oracle *oracle);
/* The function at one input as Dst holds it, not rounded to the format. False: as above. */
bool sweep_oracle_unrounded(struct sweep_oracle *oracle, const uint32_t *x, double *value,
                            char message[SWEEP_MESSAGE]);
double sweep_oracle_distance(struct sweep_oracle *oracle, const double *x, double value,
                             double expected, double got);
/* +1 rising, -1 falling, 0 neither or unknown, on the side of zero where x is. */
int sweep_direction(const struct sweep_reference *reference, bool negative);

/* ---- figures: sweep_stats.c ---- */

extern const char *const sweep_outcome_names[TXL_OUTCOMES];

enum { SWEEP_BANDS = 5, SWEEP_HISTOGRAM = 289 * 128 }; /* sweep_stats.c says which */

/* A struct ulp_case whose index is all ones is none. */
struct sweep_bin {
    double max;
    uint64_t sum; /* of ULP, in 1/1024; all ones: more than it holds */
    uint64_t mismatched;
};

struct sweep_stats {
    uint64_t count, exact, mismatched, nonfinite, breaks;
    uint64_t max_steps; /* distance in representable values */
    uint64_t outcomes[TXL_OUTCOMES], bands[SWEEP_BANDS];
    uint64_t sum[SWEEP_LIMBS]; /* of ULP, in 1/1024, lowest first */
    unsigned worst_count;
    struct ulp_case worst[SWEEP_WORST];
    struct ulp_case first[TXL_OUTCOMES], last[TXL_OUTCOMES];
    struct ulp_case first_break;
    struct ulp_case far; /* ulp: largest distance from the unrounded reference, in 1/1024 */
    uint64_t histogram[SWEEP_HISTOGRAM];
    struct sweep_bin bins[SWEEP_BINS];
};

/* Worst input of a line of the CSV. */
struct sweep_block {
    uint32_t offset; /* in the block, 24 bits; outcome above */
    uint32_t expected, got;
};

/* One end of a chunk, for monotony across it. */
struct sweep_edge {
    uint32_t x, expected, got;
};

struct sweep_judge {
    const struct sweep_domain *domain;
    struct sweep_oracle *oracle;
    const struct number_format *format, *input; /* of results, of inputs */
    uint64_t block;                             /* inputs of a line of the CSV */
    struct sweep_block *blocks;                 /* from first_block on */
    uint64_t first_block;
    double far;       /* a lower bound of the largest distance of the sweep */
    double worst;     /* errors below it are not among the worst of the sweep */
    int direction[2]; /* sweep_direction above and below zero */
    bool ordered;
    bool has_previous;
    struct sweep_edge previous;
    double block_ulp;
    unsigned bin; /* of the inputs bin_first .. bin_end - 1 */
    uint64_t bin_first, bin_end;
};

/* What is known of one element. */
struct sweep_verdict {
    enum txl_outcome outcome;
    double ulp;
    uint64_t steps;
    bool nonfinite;
};

void stats_clear(struct sweep_stats *stats);
void stats_merge(struct sweep_stats *into, const struct sweep_stats *from);
struct sweep_verdict sweep_verdict_of(const struct number_format *format, uint32_t expected,
                                      bool below, uint32_t got);
/* Elements index .. index + count - 1, in order. held: inputs as Dst has them. */
void sweep_judge_words(struct sweep_judge *judge, struct sweep_stats *stats, uint64_t index,
                       size_t count, const uint32_t *const *held, const uint32_t *expected,
                       const uint8_t *below, const double *value, const uint32_t *got);
/* Whether the result moves against the reference between two neighbours. */
bool sweep_breaks(const struct sweep_judge *judge, const struct sweep_edge *a,
                  const struct sweep_edge *b);
double stats_mean(const struct sweep_stats *stats);
double stats_percentile(const struct sweep_stats *stats, double part);
double stats_histogram_value(size_t bin); /* least error of a bin of the histogram */

/* ---- the work: sweep_work.c, sweep_state.c ---- */

struct sweep_special {
    uint32_t x[SWEEP_INPUTS];
    uint32_t expected, got;
    struct sweep_verdict verdict;
};

/* Where the processor's time goes: seconds, of all threads together. */
struct sweep_times {
    double kernel, reference, judging;
};

/* ---- gates: sweep_gate.c ---- */

/* What a sweep must meet; nothing where there is neither. */
struct sweep_gate {
    bool has_max;
    double max_ulp;
    const struct txl_budget *budget; /* NULL: none */
};

struct sweep_verdict_text {
    bool passed;
    char text[600];
};

struct txl_sweep {
    struct txl_sweep_options options;
    struct tx_program *own; /* read from the file, or NULL */
    const char *path;       /* of the kernel */
    json_t *header;         /* of a merged sweep: what its options point to; or NULL */
    const char *rules[TX_MAX_RULES];
    bool given; /* the reference, by the options */
    struct sweep_kernel kernel;
    const struct sweep_engine *engine;
    struct sweep_domain domain;
    struct sweep_reference reference;
    enum tx_dst_format dst, out;  /* of inputs, of results */
    unsigned jobs, shard, shards; /* shard 0 .. shards - 1 */
    const char *state_path;
    struct sweep_ranks *ranks; /* NULL: there is one process */
    uint64_t key;
    char date[16]; /* of the first part */

    uint64_t chunk, chunks; /* inputs of one, and how many */
    uint64_t block;
    uint8_t *done; /* a byte for each chunk */
    struct sweep_stats *stats;
    struct sweep_findings findings, init; /* of .tile, of .init */
    struct sweep_block *blocks;
    struct sweep_edge *edges; /* two for each chunk */
    uint64_t cycles;
    unsigned special_count;
    struct sweep_special special[SWEEP_SPECIALS * SWEEP_SPECIALS];
    bool cancelled;
    struct sweep_times times;
    double seconds; /* of the clock */
    unsigned threads;
    char covered[320];

    struct txl_error *err; /* of what is running */
    pthread_mutex_t mutex; /* around done, stats, findings, blocks, edges, times */
    struct worker *workers;
    uint64_t *todo; /* chunks, in order */
    double saved;   /* when the state was written */
    bool unsaved;   /* the state could not be written */
    bool failed;
    uint64_t failed_chunk;
    char message[SWEEP_MESSAGE];

    struct sweep_gate gate;
    struct sweep_verdict_text verdict;
};

/* After the work: passed, or why not. */
void gate_judge(struct txl_sweep *sweep);
/* Keys of the budget that this sweep is about. */
struct sweep_budget_key {
    char op[64];
    const char *key[BUDGET_KEYS];
};
void sweep_budget_key(const struct txl_sweep *sweep, struct sweep_budget_key *key);

/* What sweeps and comparisons have in common: the kernel of the options, read and checked. */
int sweep_load(struct txl_error *err, const struct txl_sweep_options *options,
               struct sweep_kernel *kernel, struct tx_program **own);
unsigned sweep_jobs(unsigned jobs);

/* Chunk and block sizes from the number of inputs; allocates. */
int sweep_allocate(struct txl_error *err, struct txl_sweep *sweep);
int sweep_work(struct txl_error *err, struct txl_sweep *sweep);
uint64_t sweep_chunk_end(const struct txl_sweep *sweep, uint64_t chunk);
/* Brings one tile of special values through the kernel. */
int sweep_specials(struct txl_error *err, struct txl_sweep *sweep);
uint64_t sweep_inputs(const struct txl_sweep *sweep); /* done */
bool sweep_whole(const struct txl_sweep *sweep);
/* Which inputs the figures are of: the whole domain, or how much of it is done. */
const char *sweep_covered_text(const struct txl_sweep *sweep, char *text, size_t size);

/* A hash of all that a result depends on. */
uint64_t sweep_key(const struct txl_sweep *sweep);
/* Reads the state where the file exists, merging it into what is there. */
int state_load(struct txl_error *err, struct txl_sweep *sweep, const char *path, bool must_exist);
int state_save(struct txl_error *err, struct txl_sweep *sweep);
/* Whether the file holds all of a shard of this sweep. */
bool state_whole(const struct txl_sweep *sweep, const char *path, unsigned shard, unsigned shards);
/* The options that make the sweep, as the state file has them: one line of JSON. */
char *sweep_header(struct txl_error *err, const struct txl_sweep *sweep);
json_t *state_header(struct txl_error *err, const char *path);
/* The same of a file that is in memory; path is for errors. */
json_t *state_header_of(struct txl_error *err, const char *path, const char *text, size_t length);
int state_take(struct txl_error *err, struct txl_sweep *sweep, const char *path, const char *text,
               size_t length);

/* sweep_part.c: what a state file holds, all of it as in struct txl_sweep. */
struct sweep_part {
    uint8_t *done;
    struct sweep_edge *edges;
    struct sweep_stats *stats;
    struct sweep_findings *findings;
    struct sweep_block *blocks;
};

/* Checks a part and adds it. TXL_CONTINUE, or TXL_INPUT: nothing of it was added. */
int state_merge(struct txl_error *err, struct txl_sweep *sweep, const char *path,
                const struct sweep_part *part);
bool state_good(const struct txl_sweep *sweep, const struct sweep_part *part); /* the check alone */
bool state_date(const char *text); /* whether it is a day, as 2026-11-22 */

/* ---- reports ---- */

void sweep_join(struct txl_sweep *sweep); /* monotony across chunks */
/* An entry of a budget: its text, and how much of it is the key. */
int sweep_yaml_entry(struct txl_error *err, const struct txl_sweep *sweep, char **entry,
                     size_t *key);
/* A file that holds what write puts into it. */
int sweep_write(struct txl_error *err, const char *path, const void *what,
                void (*write)(FILE *out, const void *what));
/* A line of --points. */
struct sweep_line {
    uint32_t inputs[SWEEP_INPUTS]; /* as Dst held them */
    uint32_t expected, got;
    enum txl_outcome outcome;
    double ulp; /* infinite: mismatch */
};

/* False: it is not done. */
bool sweep_line_at(const struct txl_sweep *sweep, uint64_t block, struct sweep_line *line);
txl_json *sweep_step_json(enum tx_arch arch, const struct txl_sweep_step *step);

/* sweep_trace.c: what happened to one element. */
struct sweep_look {
    void *user;
    void (*begin)(void *user); /* between .init and .tile */
    void (*event)(void *user, const struct tx_event *event);
};

/* The tile of an input once more, on the reference engine. TXL_NEGATIVE: the machine stopped. */
int sweep_look(struct txl_error *err, const struct sweep_kernel *kernel,
               const struct sweep_domain *domain, uint64_t index, const struct sweep_look *look,
               uint32_t output[TX_TILE_ELEMENTS]);

struct sweep_steps {
    struct txl_sweep_step *list;
    size_t count;
};

/* TXL_NEGATIVE: the machine stopped. The list is for free(). */
int sweep_steps_of(struct txl_error *err, const struct sweep_kernel *kernel,
                   const struct sweep_domain *domain, uint64_t index, struct sweep_steps *steps);

/* sweep_blame.c: the instruction at which the error of an input enters. */
struct sweep_blame;
int sweep_blame_open(struct txl_error *err, const struct txl_sweep *sweep,
                     struct sweep_blame **out);
void sweep_blame_close(struct sweep_blame *blame);
/* TXL_OK; TXL_NEGATIVE: the machine or the reference stopped; TXL_INPUT. */
int sweep_blame_of(struct txl_error *err, struct sweep_blame *blame, uint64_t index,
                   const uint32_t *inputs, txl_account **account);
/* null where the machine stopped. */
txl_json *sweep_blame_json(struct sweep_blame *blame, const struct ulp_case *one);

/* FNV-1a, 64 bits. */
uint64_t sweep_hash(uint64_t hash, const void *data, size_t size);
#define SWEEP_HASH UINT64_C(0xcbf29ce484222325)

#endif
