/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "sweep": runs a kernel on every input of a domain and compares it with a reference or
 * another kernel; state files, ranks, budgets, reports. It may use base, page, reference, engine,
 * kernel and run.
 *
 * Work is divided into chunks of inputs (sweep_order.c), the same ones for any number of threads,
 * shards and interruptions. Each chunk has its own figures, and figures are merged only by integer
 * addition, maxima and lowest indices, so that the order in which chunks finish does not affect the
 * result.
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
    SWEEP_GAPS = 31,  /* between ranges of a domain */
    SWEEP_BATCH = 16, /* tiles per call of an engine */
    SWEEP_BATCH_ELEMENTS = SWEEP_BATCH * TX_TILE_ELEMENTS,
    SWEEP_BLOCKS = 65536, /* maximum number of CSV lines */
    SWEEP_CHUNKS = 4096,
    SWEEP_GRID = 64,
    /* Bins of the plot: along one operand, or a grid of two. */
    SWEEP_BINS = SWEEP_GRID * SWEEP_GRID,
    SWEEP_WORST = 100,
    SWEEP_FINDINGS = 64,
    SWEEP_SPECIALS = 17,
    SWEEP_LIMBS = 6,
};

/* ---- domains: sweep_domain.c ---- */

enum sweep_axis_kind { AXIS_FP32, AXIS_TF32, AXIS_BF16, AXIS_FP16, AXIS_INTEGER, AXIS_LIST };

/* The values of one operand in numerical order, -NaN first; those of a file in the file's order. */
struct sweep_axis {
    enum sweep_axis_kind kind;
    /* Format in Dst: an integer format, or else FP32 patterns. */
    const struct number_format *format;
    int64_t least;        /* integers: the smallest */
    uint64_t first, size; /* the range of positions in that order; of unions the first one's */
    /* Unions of ranges: place is where a range begins in the axis, skipped what lies before it. */
    unsigned gaps;
    struct {
        uint64_t place, skipped;
    } gap[SWEEP_GAPS];
    uint64_t values; /* number of values of the whole format; for a file 0 */
    uint32_t *words; /* for a file: its values */
};

struct sweep_domain {
    char text[200];
    unsigned operands;
    struct sweep_axis axis[SWEEP_INPUTS];
    uint64_t total, stride, sample, seed;
    uint64_t count; /* number of inputs in the sweep */
};

/*
 * Parses a domain. dst is the format of the inputs in Dst. stride 0 or 1: all inputs; sample 0: no
 * sampling.
 */
int domain_parse(struct txl_error *err, const char *text, enum tx_dst_format dst, uint64_t stride,
                 uint64_t sample, struct sweep_domain *domain);
void domain_free(struct sweep_domain *domain);
/* Fills in FP32 patterns of inputs first .. first + count - 1, in one array per operand. */
void domain_fill(const struct sweep_domain *domain, uint64_t first, size_t count,
                 uint32_t *const *words);
/*
 * Returns the plot bin of an input: one of SWEEP_BINS along a single operand, or of the grid for
 * several.
 */
unsigned domain_bin(const struct sweep_domain *domain, uint64_t index);
/* Returns an index such that all inputs from index to before it have the same bin. */
uint64_t domain_bin_end(const struct sweep_domain *domain, uint64_t index);
/* Returns the FP32 pattern at the lower end of a bin, for an axis divided into so many bins. */
uint32_t domain_bin_word(const struct sweep_axis *axis, unsigned bin, unsigned bins);
bool domain_ordered(const struct sweep_domain *domain); /* inputs are in numerical order */
bool domain_exhaustive(const struct sweep_domain *domain);
/* Tells whether values lie within the ranges of their operands, be they of the format or not. */
bool domain_spans(const struct sweep_domain *domain, const uint32_t *words);
const char *domain_count_text(const struct sweep_domain *domain, char *text, size_t size);
uint64_t domain_hash(const struct sweep_domain *domain);

/* ---- the order of feeding: sweep_order.c ---- */

enum {
    ORDER_STRANDS = 512, /* of a domain; a tile has two inputs of each */
    ORDER_RUN = 32,      /* consecutive inputs of a strand in a unit, at most */
    ORDER_UNIT = ORDER_STRANDS * ORDER_RUN
};

/* The order of one domain: which input stands where. */
struct sweep_order {
    uint64_t count, chunks; /* of inputs; chunks are a power of two */
    unsigned shift;         /* there are 2^shift pieces */
    bool seams;
    uint64_t run, units;      /* the longest run of a unit; units of a chunk */
    uint64_t *inputs, *tiles; /* of each chunk: how many inputs; number of its first tile */
    uint16_t shuffle[ORDER_RUN][ORDER_STRANDS];
};

/* The inputs of a strand that a chunk takes. */
struct order_piece {
    uint64_t first, count;
};

struct order_run {
    uint64_t index;     /* of its first input */
    uint32_t at, count; /* position of the first in the unit's arrays; number of inputs */
};

/* What is fed at once. Its arrays are in ascending order of inputs; place tells where they go. */
struct order_unit {
    size_t count;
    struct order_run run[ORDER_STRANDS];
    unsigned longest;           /* no run is longer */
    uint16_t place[ORDER_UNIT]; /* for each element of its tiles: the position in the arrays */
    unsigned regular;           /* not 0: place is for runs that all have this length */
};

/* The tile in which an input is fed. */
struct order_tile {
    uint64_t number;
    unsigned element;
    uint32_t words[SWEEP_INPUTS][TX_TILE_ELEMENTS];
};

int order_open(struct txl_error *err, const struct sweep_domain *domain, bool seams,
               struct sweep_order *order);
void order_close(struct sweep_order *order);
struct order_piece order_piece(const struct sweep_order *order, uint64_t chunk, unsigned strand);
/* *unit is all zero before the first call. */
void order_unit(const struct sweep_order *order, uint64_t chunk, uint64_t number,
                struct order_unit *unit);
/* The unit that has, of each piece of a chunk, the input before it. */
void order_seam(const struct sweep_order *order, uint64_t chunk, struct order_unit *unit);
/* Fills in FP32 patterns of the unit's inputs, in its order, one array per operand. */
void order_fill(const struct sweep_domain *domain, const struct order_unit *unit,
                uint32_t *const *words);
/* Fills in place, which order_lay and order_gather need; what the unit had before is used again. */
void order_settle(const struct sweep_order *order, struct order_unit *unit);
/*
 * Lays one operand out in tiles, the last of them filled up with inputs again. in_order: by the
 * unit's order instead, for kernels that are proven to compute in any order.
 */
void order_lay(const struct order_unit *unit, bool in_order, const uint32_t *words,
               uint32_t *tiles);
size_t order_tiles(const struct order_unit *unit);
/* Takes results from tiles back into the unit's order. */
void order_gather(const struct order_unit *unit, const uint32_t *tiles, uint32_t *words);
uint64_t order_chunk_of(const struct sweep_order *order, uint64_t index);
int order_tile(struct txl_error *err, const struct sweep_order *order,
               const struct sweep_domain *domain, uint64_t index, struct order_tile *tile);
/* A permutation of 0 .. count - 1 that depends on nothing else. */
void order_shuffle(uint64_t seed, uint16_t *numbers, unsigned count);

/* ---- engines: sweep_engine.c ---- */

struct sweep_kernel {
    const struct tx_program *program;
    struct tx_settings settings;
    struct tx_kernel_options options;
    uint64_t tiles; /* number of tiles to run, if known */
    txl_compiler *compiler;
};

struct sweep_finding {
    struct tx_finding finding; /* txl_sweep_finish sets its rule */
    char rule[32];
    uint64_t tile;
};

struct sweep_findings {
    struct sweep_finding list[SWEEP_FINDINGS];
    uint64_t count, dropped;
};

/*
 * An engine that runs tiles. A worker belongs to one thread. run executes count consecutive tiles
 * from first_tile on; inputs[i] and output have 1024 patterns per tile, as for tx_kernel_tile; it
 * returns TXL_CONTINUE or the status of the error. findings adds what was found since the last
 * call, and clears it.
 */
struct sweep_engine {
    const char *name;
    void *(*open)(const struct sweep_kernel *kernel, struct txl_error *err);
    int (*run)(void *worker, uint64_t first_tile, unsigned count, const uint32_t *const *inputs,
               uint32_t *output, struct txl_error *err);
    void (*findings)(void *worker, uint64_t tile, struct sweep_findings *into);
    void (*close)(void *worker);
    /* Tells whether inputs are proven to come out alike in any order (tx_fast_elementwise). */
    bool (*elementwise)(const void *worker);
};

const struct sweep_engine *sweep_engine_at(size_t index);
void sweep_findings_merge(struct sweep_findings *into, const struct sweep_findings *from);
/* Measures the cycles of one tile, and collects findings of .init on the reference engine. */
int sweep_measure(struct txl_error *err, const char *path, const struct sweep_kernel *kernel,
                  uint64_t *cycles, struct sweep_findings *init);

/* sweep_formats.c: refuses a kernel whose results are obviously not in the format of its inputs. */
int sweep_check_formats(struct txl_error *err, const char *path, const struct sweep_kernel *kernel);

/* ---- references: sweep_reference.c ---- */

struct sweep_reference {
    char name[200];
    bool by_name; /* else it is a file, or the caller's function */
    struct reference named;
    txl_sweep_function function;
    void *user;
    bool python;
    const char *path; /* of the options: search path for python3 and the helper */
    const char *helper;
    char *const *environment;
    unsigned inputs;
    uint64_t hash;
};

/*
 * The reference as one thread uses it. Child processes for files are started when it is opened, so
 * all must be opened before threads start.
 */
struct sweep_oracle;

/* sweep_child.c: the process that computes a reference from a file. */
struct sweep_child;
int sweep_child_open(struct txl_error *err, const struct sweep_reference *reference,
                     struct sweep_child **child);
void sweep_child_close(struct sweep_child *child); /* NULL does nothing */
/* Asked while a child computes; where it returns false, the child has a second left. */
struct sweep_patience {
    bool (*go_on)(void *user); /* NULL: there is no end to it */
    void *user;
};
void sweep_child_watch(struct sweep_child *child, const struct sweep_patience *patience);
/*
 * Evaluates the function for count elements, whose operands follow one another. Returns
 * TXL_CONTINUE, the status of the error, or TXL_CANCELLED where patience has come to its end.
 */
int sweep_child_ask(struct sweep_child *child, const double *numbers, size_t count, double *value,
                    struct txl_error *err);

/*
 * Finds a reference by name. given: by the options. A name from a data file can only be a
 * function's, so that data cannot start a program.
 */
int sweep_reference_find(struct txl_error *err, const char *name, bool given, unsigned inputs,
                         struct sweep_reference *reference);
int sweep_oracle_open(struct txl_error *err, const struct sweep_reference *reference,
                      enum tx_dst_format dst, enum tx_dst_format out, struct sweep_oracle **opened);
void sweep_oracle_close(struct sweep_oracle *oracle);
void sweep_oracle_watch(struct sweep_oracle *oracle, const struct sweep_patience *patience);
/* Like reference_words; returns what sweep_child_ask does. */
int sweep_oracle_words(struct sweep_oracle *oracle, const uint32_t *const *inputs, size_t count,
                       uint32_t *expected, uint8_t *below, double *value, struct txl_error *err);
double sweep_oracle_tolerance(const struct sweep_oracle *oracle);
/*
 * Evaluates the function at one input as Dst holds it, without rounding to the format. Returns
 * what sweep_child_ask does.
 */
int sweep_oracle_unrounded(struct sweep_oracle *oracle, const uint32_t *x, double *value,
                           struct txl_error *err);
double sweep_oracle_distance(struct sweep_oracle *oracle, const double *x, double value,
                             double expected, double got);
/*
 * Returns whether the function rises (+1) or falls (-1) on that side of zero; 0: neither, or
 * unknown.
 */
int sweep_direction(const struct sweep_reference *reference, bool negative);

/* ---- figures: sweep_stats.c ---- */

extern const char *const sweep_outcome_names[TXL_OUTCOMES];

enum { SWEEP_BANDS = 5, SWEEP_HISTOGRAM = 289 * 128 }; /* sweep_stats.c says which */

/* Figures of one bin of the plot. */
struct sweep_bin {
    double max;
    uint64_t sum; /* of ULP, in units of 1/1024; all ones: overflow */
    uint64_t mismatched;
};

/* A limit of |result - reference|: atol + rtol * |reference|. */
struct sweep_tolerance {
    bool is;
    double atol, rtol;
};
enum { TOLERANCE_OPTIONS, TOLERANCE_BUDGET, TOLERANCES }; /* who states it */

/* Figures of a sweep or a chunk. A struct ulp_case with an index of all ones is empty. */
struct sweep_stats {
    uint64_t count, exact, mismatched, nonfinite, breaks;
    uint64_t max_steps; /* distance in representable values */
    /* largest |result - reference|, over |reference| where that is not 0, and where it is */
    double max_abs, max_rel, max_zero;
    uint64_t beyond[TOLERANCES]; /* inputs that miss a tolerance */
    uint64_t outcomes[TXL_OUTCOMES], bands[SWEEP_BANDS];
    uint64_t sum[SWEEP_LIMBS]; /* of ULP, in units of 1/1024, lowest limb first */
    unsigned worst_count;
    struct ulp_case worst[SWEEP_WORST];
    struct ulp_case first[TXL_OUTCOMES], last[TXL_OUTCOMES];
    struct ulp_case first_break;
    /* Ulp: largest distance from the unrounded reference, in units of 1/1024. */
    struct ulp_case far;
    uint64_t histogram[SWEEP_HISTOGRAM];
    struct sweep_bin bins[SWEEP_BINS];
};

/* The worst input of one CSV line, the first of them; all ones in offset: none has been run. */
struct sweep_block {
    uint32_t offset; /* offset in the block in 24 bits, outcome above */
    uint32_t expected, got;
};

/* An input and its result, to check monotony between it and the next one. */
struct sweep_edge {
    uint32_t x, expected, got;
};

/* The state of judging one chunk. */
struct sweep_judge {
    const struct sweep_domain *domain;
    struct sweep_oracle *oracle;
    const struct number_format *format, *input; /* of results, and of inputs */
    const struct sweep_tolerance *tolerances;
    uint64_t block;             /* number of inputs per CSV line */
    struct sweep_block *blocks; /* of the whole domain */
    double *block_ulp;          /* the error of each, where there is one */
    double far;                 /* a lower bound of the sweep's largest distance */
    double worst;               /* smaller errors are not among the sweep's worst */
    int direction[2];           /* sweep_direction above and below zero */
    bool ordered;
    struct {
        bool is;
        struct sweep_edge edge;
    } previous[ORDER_STRANDS]; /* the input before the next one of each strand */
    unsigned bin;              /* bin of inputs bin_first .. bin_end - 1 */
    uint64_t bin_first, bin_end;
};

/* The judgement of one element. */
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
/* Results of the inputs of a unit, in its order. held: inputs as Dst holds them. */
struct sweep_results {
    const struct order_unit *unit;
    const uint32_t *const *held;
    const uint32_t *expected, *got;
    const uint8_t *below;
    const double *value;
};

void sweep_judge_unit(struct sweep_judge *judge, struct sweep_stats *stats,
                      const struct sweep_results *results);
/* Only remembers the results, as what stands before the inputs that are judged next. */
void sweep_judge_seam(struct sweep_judge *judge, const struct sweep_results *results);
/* Replaces a CSV line's input by another one of that line where that is worse, or the first. */
void sweep_block_merge(const struct number_format *format, struct sweep_block *into,
                       const struct sweep_block *from);
/* Tells whether the result moves against the reference between two neighbours. */
bool sweep_breaks(const struct sweep_judge *judge, const struct sweep_edge *a,
                  const struct sweep_edge *b);
double stats_mean(const struct sweep_stats *stats);
double stats_percentile(const struct sweep_stats *stats, double part);
double stats_histogram_value(size_t bin); /* smallest error of a histogram bin */

/* ---- the work: sweep_work.c, sweep_state.c ---- */

struct sweep_special {
    uint32_t x[SWEEP_INPUTS];
    uint32_t expected, got;
    struct sweep_verdict verdict;
};

/* Processor time in seconds, summed over all threads. */
struct sweep_times {
    double kernel, reference, judging;
};

/* ---- gates: sweep_gate.c ---- */

/* What a sweep must meet; without a maximum and a budget there is no gate. */
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
    struct tx_program *own; /* program read from the file, or NULL */
    const char *path;       /* the kernel's */
    json_t *header;         /* for a merged sweep: its options point into it; or NULL */
    const char *rules[TX_MAX_RULES];
    bool given; /* the options give the reference */
    struct sweep_kernel kernel;
    const struct sweep_engine *engine;
    struct sweep_domain domain;
    struct sweep_reference reference;
    enum tx_dst_format dst, out; /* formats of inputs and of results */
    /* Set by room fit: inputs at which the function is below the normal numbers count as exact. */
    bool without_flushed;
    unsigned jobs, shard, shards; /* this is shard number shard of shards, counted from 0 */
    const char *state_path;
    struct sweep_ranks *ranks; /* NULL: a single process */
    uint64_t key;
    char date[16]; /* day of the first part */

    struct sweep_order order;
    uint64_t chunks;
    uint64_t block;
    uint8_t *done; /* one byte per chunk */
    struct sweep_stats *stats;
    struct sweep_findings findings, init; /* of .tile, and of .init */
    struct sweep_block *blocks;
    uint64_t cycles;
    unsigned special_count;
    struct sweep_special special[SWEEP_SPECIALS * SWEEP_SPECIALS];
    uint64_t again, again_differing; /* inputs of the second pass; how many came out otherwise */
    bool cancelled;
    bool hung; /* and the reference gave no answer then: it is not asked again */
    struct sweep_times times;
    double seconds; /* wall time */
    unsigned threads;
    char covered[320];

    struct txl_error *err; /* of the current call */
    pthread_mutex_t mutex; /* guards done, stats, findings, blocks, times */
    struct worker *workers;
    uint64_t *todo; /* chunks to do, in order */
    double saved;   /* when the state was last saved */
    bool unsaved;   /* saving the state failed */
    uint64_t failed_chunk;
    struct txl_error failure; /* of that chunk, if any has failed */

    struct sweep_gate gate;
    struct sweep_tolerance tolerances[TOLERANCES];
    struct sweep_verdict_text verdict;
};

/* Evaluates the gate after the work. */
void gate_judge(struct txl_sweep *sweep);
bool gate_is(const struct txl_sweep *sweep); /* there is something to meet */
/* Takes over the tolerances; an error where the row of a budget has no limit at all. */
int gate_prepare(struct txl_error *err, struct txl_sweep *sweep);
/* The key of this sweep in a budget. */
struct sweep_budget_key {
    char op[64];
    const char *key[BUDGET_KEYS];
};
void sweep_budget_key(const struct txl_sweep *sweep, struct sweep_budget_key *key);

/* Reads and checks the kernel of the options, for sweeps and comparisons. */
int sweep_load(struct txl_error *err, const struct txl_sweep_options *options,
               struct sweep_kernel *kernel, struct tx_program **own);
unsigned sweep_jobs(unsigned jobs);

/* Chooses chunk and block sizes for the number of inputs, and allocates memory. */
int sweep_allocate(struct txl_error *err, struct txl_sweep *sweep);
int sweep_work(struct txl_error *err, struct txl_sweep *sweep);
/* What comes after the work: the second pass, and one tile of special values. */
int sweep_last(struct txl_error *err, struct txl_sweep *sweep);
uint64_t sweep_inputs(const struct txl_sweep *sweep); /* number of inputs done */
bool sweep_whole(const struct txl_sweep *sweep);
/* Describes which inputs the figures cover: the whole domain, or how much of it is done. */
const char *sweep_covered_text(const struct txl_sweep *sweep, char *text, size_t size);

/* Returns a hash of everything that a result depends on. */
uint64_t sweep_key(const struct txl_sweep *sweep);
/* Merges a state file into the sweep, if the file exists. */
int state_load(struct txl_error *err, struct txl_sweep *sweep, const char *path, bool must_exist);
int state_save(struct txl_error *err, struct txl_sweep *sweep);
/* Tells whether the file contains a complete shard of this sweep. */
bool state_whole(const struct txl_sweep *sweep, const char *path, unsigned shard, unsigned shards);
/* Returns the options that define the sweep, as in the state file: one line of JSON. */
char *sweep_header(struct txl_error *err, const struct txl_sweep *sweep);
json_t *state_header(struct txl_error *err, const char *path);
/* The same for a file in memory; path is for errors. */
json_t *state_header_of(struct txl_error *err, const char *path, const char *text, size_t length);
int state_take(struct txl_error *err, struct txl_sweep *sweep, const char *path, const char *text,
               size_t length);

/* sweep_part.c: the contents of a state file, with fields as in struct txl_sweep. */
struct sweep_part {
    uint8_t *done;
    struct sweep_stats *stats;
    struct sweep_findings *findings;
    struct sweep_block *blocks;
};

/* Checks a part and merges it. Returns TXL_CONTINUE, or TXL_INPUT with nothing merged. */
int state_merge(struct txl_error *err, struct txl_sweep *sweep, const char *path,
                const struct sweep_part *part);
bool state_good(const struct txl_sweep *sweep, const struct sweep_part *part); /* only the check */
bool state_date(const char *text); /* whether the text is a date like 2026-11-22 */

/* ---- reports ---- */

/* Builds an entry of a budget; *key is the length of its key. */
int sweep_yaml_entry(struct txl_error *err, const struct txl_sweep *sweep, char **entry,
                     size_t *key);
/* Writes a whole file with the function write. */
int sweep_write(struct txl_error *err, const char *path, const void *what,
                void (*write)(FILE *out, const void *what));
/* A CSV line of --points. */
struct sweep_line {
    uint32_t inputs[SWEEP_INPUTS]; /* as Dst held them */
    uint32_t expected, got;
    enum txl_outcome outcome;
    double ulp; /* infinite: a mismatch */
};

/* Returns false where the block has not been run. */
bool sweep_line_at(const struct txl_sweep *sweep, uint64_t block, struct sweep_line *line);
txl_json *sweep_step_json(enum tx_arch arch, const struct txl_sweep_step *step);

/* sweep_trace.c: a listener for the execution of one element. */
struct sweep_look {
    void *user;
    void (*begin)(void *user); /* called between .init and .tile */
    void (*event)(void *user, const struct tx_event *event);
};

/* Runs a tile again on the reference engine. TXL_NEGATIVE: the machine stopped. */
int sweep_look(struct txl_error *err, const struct sweep_kernel *kernel,
               const struct order_tile *tile, const struct sweep_look *look,
               uint32_t output[TX_TILE_ELEMENTS]);

struct sweep_steps {
    struct txl_sweep_step *list;
    size_t count;
    unsigned lane;
};

/* Lists the steps of an input; the caller frees the list. TXL_NEGATIVE: the machine stopped. */
int sweep_steps_of(struct txl_error *err, const struct sweep_kernel *kernel,
                   const struct order_tile *tile, struct sweep_steps *steps);

/* sweep_again.c: runs the second pass, and adds its findings. worker: of the sweep's engine. */
int sweep_again(struct txl_error *err, struct txl_sweep *sweep, void *worker);

/* Two kernels on such a sample, both with state carried: what differs, and the first that does. */
struct sweep_carried {
    uint64_t count, differing, index;
    uint32_t inputs[SWEEP_INPUTS], got[2];
};
int sweep_carried(struct txl_error *err, const struct sweep_domain *domain,
                  const struct sweep_kernel *const kernels[2], struct sweep_carried *carried);

/* sweep_blame.c: finds which instruction contributes most to the error of an input. */
struct sweep_blame;
int sweep_blame_open(struct txl_error *err, const struct txl_sweep *sweep,
                     struct sweep_blame **out);
void sweep_blame_close(struct sweep_blame *blame);
/* Returns TXL_OK; TXL_NEGATIVE where the machine or the reference stopped; TXL_INPUT. */
int sweep_blame_of(struct txl_error *err, struct sweep_blame *blame, uint64_t index,
                   const uint32_t *inputs, txl_account **account);
/* JSON null where the machine stopped. */
txl_json *sweep_blame_json(struct sweep_blame *blame, const struct ulp_case *one);

/* Continues an FNV-1a hash of 64 bits, which starts with SWEEP_HASH. */
uint64_t sweep_hash(uint64_t hash, const void *data, size_t size);
#define SWEEP_HASH UINT64_C(0xcbf29ce484222325)

#endif
