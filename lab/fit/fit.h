/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "fit": chooses the constants of .free so that the kernel, as the chip executes it, has the
 * least error. It may use base, reference, engine, kernel, run and sweep (domains, references, and
 * the proof).
 *
 * A point is a value for each constant, given as its number in the order of its format, so that
 * neighbouring values differ by one. engine.c runs a kernel at a point, score.c measures it,
 * value.c converts constants to numbers and text, model.c predicts better points from slopes,
 * bound.c asks a linear programme (programme.c) what no point can reach, search.c decides which
 * points to try, proof.c sweeps, state.c saves results, text.c reports.
 */
#ifndef LAB_FIT_H
#define LAB_FIT_H

#include <tensix-internal/fast_vary.h>
#include <tensix-lab/fit.h>

#include "base/error.h"
#include "sweep/sweep.h"

enum {
    FIT_MOST = TX_FREE_MOST,
    FIT_INPUTS = SWEEP_INPUTS,
    FIT_TILE = TX_TILE_ELEMENTS,
    FIT_ALL = 131072,   /* domains up to this size are searched completely, */
    FIT_SAMPLE = 65536, /* larger ones on a sample of this size and on bad inputs found by sweeps */
    FIT_ACTIVE = 2048,  /* number of inputs, the worst so far, on which a candidate is run first */
    FIT_BLOCK = 16,     /* tiles per run */
    FIT_MODEL = 1024,   /* number of inputs in the model */
    FIT_PHASES = 8
};

/* Values of all constants. */
struct fit_point {
    int64_t at[FIT_MOST];
};

/* The quality of a point. Smaller is better; earlier fields take precedence. */
struct fit_score {
    uint64_t wrong; /* mismatches, and violated pins */
    double away;    /* distance of results from their pins, in values of the format */
    double first, second;
};

/* Inputs arranged in tiles; the last tile is padded with the last input. */
struct fit_data {
    size_t count, room; /* room is a multiple of FIT_TILE */
    uint32_t *in[FIT_INPUTS];
    uint32_t *expected;
    uint8_t *below;
    double *value; /* unrounded reference; NaN: not a number, or not known */
};

/* ---- engine.c ---- */

/* A kernel ready to run at one point. */
struct fit_built {
    struct tx_program *program;
    tx_kernel *kernel;
    tx_fast *fast; /* NULL: use the reference engine */
    tx_fast_worker *worker;
};

/* How a constant of the schedule depends on a .free constant. */
enum fit_part { PART_NONE, PART_SHIFT, PART_HIGH, PART_LOW, PART_DOWN, PART_FP32 };

/* A variable word of the schedule: the exclusive or of rest and the parts. */
struct fit_word {
    uint32_t rest;
    uint8_t part[FIT_MOST];
    uint8_t shift[FIT_MOST];
};

struct fit_engine {
    struct tx_kernel_options options;
    struct fit_built varied; /* its constants vary; fast NULL: each point is assembled */
    unsigned words;
    struct fit_word word[TX_FAST_VARY];
    unsigned slots;         /* one per thread */
    struct fit_built *slot; /* with a worker of varied, or a kernel of its own */
};

/* ---- statistics ---- */

struct fit_phase {
    const char *name;
    uint64_t tried, refuted, better;
    double seconds;
    bool shown; /* in a report, also where it has tried nothing */
};

/* What a sweep has found. */
struct fit_swept {
    struct txl_fit_figures figures;
    double unrounded; /* largest distance from the unrounded reference */
    uint64_t covered; /* inputs, from the first on; all, unless its time was over */
    uint64_t left_out;
    double seconds;
};

/* The least error that any real constants have. */
struct fit_bound {
    bool found;
    const char *why;        /* there is none, where it was asked for */
    double ulp;             /* no constants are better, in ULP from the unrounded reference */
    struct fit_point point; /* real constants of that error, rounded to their formats */
};

struct txl_fit {
    struct txl_fit_options options;
    char *source; /* the kernel file */
    size_t source_size;
    struct tx_settings settings;
    struct tx_program *program; /* assembled with the original values */
    unsigned count;             /* number of constants */
    struct tx_free_constant free[FIT_MOST];
    /* Written in hexadecimal; of bits: one of an integer format, or written in hexadecimal. */
    bool hexadecimal[FIT_MOST], bits[FIT_MOST];
    struct sweep_domain domain;
    struct sweep_reference reference;
    struct sweep_oracle *oracle;
    struct sweep_judge judge;
    enum tx_dst_format dst, out;
    const struct number_format *format;
    unsigned inputs;
    bool whole, ordered; /* data has all inputs of the domain; in numerical order */
    struct fit_data data, active, pins;
    size_t active_from[FIT_ACTIVE]; /* their indices in data */
    size_t grown;                   /* number of inputs that sweeps have added to the sample */
    struct fit_engine exact;
    /* The same with FP32 in Dst, where no rounding hides the slopes; slots 0: use exact. */
    struct fit_engine smooth;
    double step[FIT_MOST]; /* with which the slope of each constant was measured */
    double bias;           /* mean truncation of stores, in ULP */
    unsigned jobs;

    struct fit_point start, best;
    struct fit_score start_score, best_score;
    struct fit_phase phase[FIT_PHASES];
    unsigned phases, now; /* now: the phase that candidates are counted in */
    uint64_t tried, refuted, starts;
    double began, spent; /* time when the search began; seconds spent in earlier runs */
    bool cancelled, late;
    double opened; /* time when txl_fit_find began */
    struct fit_swept before, after;
    struct fit_bound bound;
    bool proved; /* after is about the whole domain */
    char *text;
    char was[FIT_MOST][48], is[FIT_MOST][48]; /* texts of the values before and after */
    struct txl_error failure; /* that ends the search: the kernel does not run, or no memory */
};

/*
 * Returns the kernel file with the values of a point, which the caller frees. NULL without memory.
 */
char *fit_source_at(const struct txl_fit *fit, const struct fit_point *point, size_t *size);
/* That of the best, with a first line that says so where it was not swept. */
char *fit_result_text(const struct txl_fit *fit);
/* ---- value.c ---- */

double fit_value(const struct tx_free_constant *f, int64_t order);
int64_t fit_order_of(const struct tx_free_constant *f, double value); /* nearest */
/* Writes a value of constant k in the syntax of the kernel file. */
void fit_value_text(const struct txl_fit *fit, unsigned k, int64_t order, char text[48]);
/* Assembles the kernel at a point. Returns TXL_CONTINUE, or an error as txl_fit_find does. */
int fit_build(struct txl_error *err, const struct txl_fit *fit, const struct fit_point *point,
              struct tx_program **program);

int fit_engine_open(struct txl_error *err, struct txl_fit *fit,
                    const struct tx_kernel_options *options, struct fit_engine *engine);
void fit_engine_close(struct fit_engine *engine);
/*
 * Sets the point at which a slot computes. Returns false where the kernel does not run.
 */
bool fit_engine_set(struct txl_fit *fit, struct fit_engine *engine, unsigned slot,
                    const struct fit_point *point);
/* Says in fit->failure that it does not run. Returns false. */
bool fit_stops(struct txl_fit *fit);
extern const char fit_stops_text[];
/* Runs tiles first .. first + count - 1 of the data. */
bool fit_engine_run(struct fit_engine *engine, unsigned slot, const struct fit_data *data,
                    size_t first, size_t count, uint32_t *output);

/* ---- data.c ---- */

int fit_data_open(struct txl_error *err, struct fit_data *data, unsigned inputs, size_t room);
void fit_data_free(struct fit_data *data);
/* Fills in the inputs of the search, and the pins. */
int fit_data_first(struct txl_error *err, struct txl_fit *fit);
/* Adds inputs, converted to what Dst can hold, that are not in the data yet. */
int fit_data_grow(struct txl_error *err, struct txl_fit *fit, const uint32_t *const *in,
                  size_t count, size_t *added);
/* Copies element from of data to element to of into. */
void fit_data_copy(const struct txl_fit *fit, struct fit_data *into, size_t to,
                   const struct fit_data *data, size_t from);
/* Pads the last tile. */
void fit_data_pad(const struct txl_fit *fit, struct fit_data *data);

/* ---- score.c ---- */

bool fit_less(const struct fit_score *a, const struct fit_score *b);
/*
 * Evaluates a point on all inputs, in a slot. It stops as soon as the point cannot be better than
 * limit (NULL: no limit) and sets refuted, and early if the active inputs sufficed. Returns false
 * where the kernel does not run.
 */
struct fit_trial {
    struct fit_point point;
    struct fit_score score;
    bool refuted, early;
};
bool fit_try(struct txl_fit *fit, unsigned slot, struct fit_trial *trial,
             const struct fit_score *limit);
/*
 * Evaluates many points on all threads, and counts them. Returns the best one that is better than
 * limit, or NULL.
 */
const struct fit_trial *fit_try_all(struct txl_fit *fit, struct fit_trial *trials, size_t count,
                                    const struct fit_score *limit);
/* Makes the worst inputs of this point the active ones. */
bool fit_activate(struct txl_fit *fit, const struct fit_point *point);

/* ---- model.c ---- */

struct fit_model;
/*
 * Measures slopes at a point; constants of which held is true stay where they are (NULL: none).
 * NULL: no memory, or the kernel does not run, as fit->failure says.
 */
struct fit_model *fit_model_open(struct txl_fit *fit, const struct fit_point *point,
                                 const bool *held);
void fit_model_close(struct fit_model *model);
/*
 * Returns the point, in real numbers, where the predicted largest (or mean) error is least; the
 * step towards it is multiplied by scale.
 */
struct fit_point fit_model_moved(const struct fit_model *model, double scale);
/*
 * Draws a random lattice point near that place. width is how much worse it may be, in ULP. *worst
 * becomes its predicted largest error.
 */
struct fit_point fit_model_draw(const struct fit_model *model, uint64_t *random, double width,
                                double *worst);

/*
 * Finds the finest constant whose effect is in proportion to that of constant k, as those of the
 * parts of a constant are. *ratio becomes the change of its value that makes up for a change of k
 * by 1. Returns false where there is none.
 */
bool fit_model_partner(const struct fit_model *model, unsigned k, unsigned *partner, double *ratio);

/* ---- bound.c ---- */

/* Fills in fit->bound. */
void fit_bound_find(struct txl_fit *fit);

/* ---- search.c, proof.c, state.c ---- */

uint64_t fit_random(uint64_t *state);
/* Calls progress; returns true to continue. */
bool fit_go_on(struct txl_fit *fit);
int fit_search(struct txl_error *err, struct txl_fit *fit);
/* How a program of the fit is swept, but for the caller's compiler and progress. */
struct txl_sweep_options fit_sweep_options(const struct txl_fit *fit,
                                           const struct tx_program *program);
/*
 * Sweeps the kernel at a point, until clock_seconds() is until. *grown becomes the number of its
 * worst inputs that are new. Returns TXL_CONTINUE, TXL_CANCELLED or an error.
 */
int fit_sweep(struct txl_error *err, struct txl_fit *fit, const struct fit_point *point,
              double until, struct fit_swept *swept, size_t *grown);
/* The clock when so much (0 to 1) of the time has passed; infinite without a limit. */
double fit_share(const struct txl_fit *fit, double share);
int fit_state_load(struct txl_error *err, struct txl_fit *fit);
/* The best of what shards kept, as it is on this search's inputs; counts are added up. */
int fit_state_merge(struct txl_error *err, struct txl_fit *fit);
int fit_state_save(struct txl_error *err, const struct txl_fit *fit);
/* The file as a text, which the caller frees; NULL without memory. */
char *fit_state_text(const struct txl_fit *fit);
/*
 * Takes the text of such a file. Only TXL_CONTINUE leaves a fit that can be used; path is for
 * messages.
 */
int fit_state_take(struct txl_error *err, struct txl_fit *fit, const char *path, const char *text,
                   size_t size);
/* Report a better point, or the sweep that comes next, to the caller as a line of text. */
void fit_say_better(struct txl_fit *fit);
void fit_say_sweep(struct txl_fit *fit);

#endif
