/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "fit": the constants of .free chosen so that a kernel errs least as the chip executes it. It
 * may use base, reference, engine, kernel, run and sweep (domains, references, and the proof).
 *
 * A point is a value for each constant, as its number in the order of its format, so that a
 * neighbour is one more or one less. engine.c runs a kernel at a point, score.c measures it,
 * value.c knows numbers and texts of constants, model.c predicts from slopes where better points
 * are, search.c decides what is tried, proof.c sweeps, state.c keeps, text.c reports.
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
    FIT_ALL = 131072,   /* a domain of so many inputs is searched on as a whole, */
    FIT_SAMPLE = 65536, /* a larger one on so many, and on those that were found to be bad */
    FIT_ACTIVE = 2048,  /* inputs that a candidate meets first: the worst so far */
    FIT_BLOCK = 16,     /* tiles that are run at a time */
    FIT_MODEL = 1024,   /* inputs of the model */
    FIT_PHASES = 8,
    FIT_MESSAGE = 400
};

struct fit_point {
    int64_t at[FIT_MOST];
};

/* Less is better, what comes first most. */
struct fit_score {
    uint64_t wrong; /* mismatches, and pins that are not met */
    double away;    /* how far results are from pins, in values of the format */
    double first, second;
};

/* Inputs in tiles, the last one filled up with its last input. */
struct fit_data {
    size_t count, room; /* room: a multiple of FIT_TILE */
    uint32_t *in[FIT_INPUTS];
    uint32_t *expected;
    uint8_t *below;
    double *value; /* of the reference, not rounded; NaN: it is none, or not known */
};

/* ---- engine.c ---- */

/* A kernel that runs at one point. */
struct fit_built {
    struct tx_program *program;
    tx_kernel *kernel;
    tx_fast *fast; /* NULL: the reference engine */
    tx_fast_worker *worker;
};

/* How a constant of the schedule follows from one of .free. */
enum fit_part { PART_NONE, PART_SHIFT, PART_HIGH, PART_LOW, PART_DOWN, PART_FP32 };

struct fit_word {
    uint32_t rest; /* exclusive or of the parts gives the word */
    uint8_t part[FIT_MOST];
    uint8_t shift[FIT_MOST];
};

struct fit_engine {
    struct tx_kernel_options options;
    struct fit_built varied; /* its constants vary; fast NULL: each point is assembled */
    unsigned words;
    struct fit_word word[TX_FAST_VARY];
    unsigned slots;         /* one for each thread */
    struct fit_built *slot; /* worker of varied, or a kernel of its own */
};

/* ---- what was tried ---- */

struct fit_phase {
    const char *name;
    uint64_t tried, refuted, better;
    double seconds;
};

struct txl_fit {
    struct txl_fit_options options;
    char *source; /* the kernel file */
    size_t source_size;
    struct tx_settings settings;
    struct tx_program *program; /* at the start */
    unsigned count;             /* of constants */
    struct tx_free_constant free[FIT_MOST];
    struct sweep_domain domain;
    struct sweep_reference reference;
    struct sweep_oracle *oracle;
    struct sweep_judge judge;
    enum tx_dst_format dst, out;
    const struct number_format *format;
    unsigned inputs;
    bool whole, ordered; /* data has all inputs; in order */
    struct fit_data data, active, pins;
    size_t active_from[FIT_ACTIVE]; /* elements of data */
    size_t grown;                   /* inputs behind the sample that sweeps have found */
    struct fit_engine exact;
    struct fit_engine smooth; /* FP32 in Dst: no rounding hides the slopes; slots 0: it is exact */
    double bias;              /* in ULP: what stores cut off */
    unsigned jobs;

    struct fit_point start, best;
    struct fit_score start_score, best_score;
    struct fit_phase phase[FIT_PHASES];
    unsigned phases, now; /* now: the phase that candidates count for */
    uint64_t tried, refuted, starts;
    double began, spent; /* clock; seconds of former runs */
    bool cancelled, late;
    struct txl_fit_figures before, after;
    bool proved;
    char *text;
    char was[FIT_MOST][48], is[FIT_MOST][48]; /* values in the file */
    char message[FIT_MESSAGE];
};

/* The kernel file with the values of a point; free() it. NULL without memory. */
char *fit_source_at(const struct txl_fit *fit, const struct fit_point *point, size_t *size);
/* ---- value.c ---- */

double fit_value(const struct tx_free_constant *f, int64_t order);
int64_t fit_order_of(const struct tx_free_constant *f, double value); /* the nearest */
/* As the file has it. */
void fit_value_text(const struct tx_free_constant *f, int64_t order, char text[48]);
/* TXL_CONTINUE, or as txl_fit_find. */
int fit_build(struct txl_error *err, const struct txl_fit *fit, const struct fit_point *point,
              struct tx_program **program);

int fit_engine_open(struct txl_error *err, struct txl_fit *fit,
                    const struct tx_kernel_options *options, struct fit_engine *engine);
void fit_engine_close(struct fit_engine *engine);
/* The slot computes at this point from now on. False: fit->message says why not. */
bool fit_engine_set(struct txl_fit *fit, struct fit_engine *engine, unsigned slot,
                    const struct fit_point *point);
/* Tiles first .. first + count - 1 of the data. */
bool fit_engine_run(struct fit_engine *engine, unsigned slot, const struct fit_data *data,
                    size_t first, size_t count, uint32_t *output);

/* ---- data.c ---- */

int fit_data_open(struct txl_error *err, struct fit_data *data, unsigned inputs, size_t room);
void fit_data_free(struct fit_data *data);
/* The inputs of the search, and pins. */
int fit_data_first(struct txl_error *err, struct txl_fit *fit);
/* Adds inputs, as Dst holds them, which are not there yet. */
int fit_data_grow(struct txl_error *err, struct txl_fit *fit, const uint32_t *const *in,
                  size_t count, size_t *added);
/* Element from of data as element to of into. */
void fit_data_copy(const struct txl_fit *fit, struct fit_data *into, size_t to,
                   const struct fit_data *data, size_t from);
/* Fills up the last tile. */
void fit_data_pad(const struct txl_fit *fit, struct fit_data *data);

/* ---- score.c ---- */

bool fit_less(const struct fit_score *a, const struct fit_score *b);
/*
 * A point on all inputs, in a slot; not as soon as it is seen to be no better than limit (NULL:
 * there is none): *refuted is set then, *early where the active inputs were enough. False: the
 * kernel does not run.
 */
struct fit_trial {
    struct fit_point point;
    struct fit_score score;
    bool refuted, early;
};
bool fit_try(struct txl_fit *fit, unsigned slot, struct fit_trial *trial,
             const struct fit_score *limit);
/* Many on all threads; they count as tried. The best that is better than limit, or NULL. */
const struct fit_trial *fit_try_all(struct txl_fit *fit, struct fit_trial *trials, size_t count,
                                    const struct fit_score *limit);
/* The active inputs become the worst ones of this point. */
bool fit_activate(struct txl_fit *fit, const struct fit_point *point);

/* ---- model.c ---- */

struct fit_model;
/* Slopes at a point. NULL: no memory, or fit->message says why the kernel does not run. */
struct fit_model *fit_model_open(struct txl_fit *fit, const struct fit_point *point);
void fit_model_close(struct fit_model *model);
/* Where the largest (or mean) predicted error is least, among real numbers; times scale. */
struct fit_point fit_model_step(const struct fit_model *model, double scale);
/*
 * A point near that place, drawn at random; width: how much worse it may be in ULP. *worst is the
 * largest predicted error.
 */
struct fit_point fit_model_draw(const struct fit_model *model, uint64_t *random, double width,
                                double *worst);

/* ---- search.c, proof.c, state.c ---- */

uint64_t fit_random(uint64_t *state);
/* True: go on. Calls progress. */
bool fit_go_on(struct txl_fit *fit);
int fit_search(struct txl_error *err, struct txl_fit *fit);
/*
 * A sweep of the kernel at a point. *grown: how many of its worst inputs are new. TXL_CONTINUE,
 * TXL_CANCELLED ...
 */
int fit_sweep(struct txl_error *err, struct txl_fit *fit, const struct fit_point *point,
              struct txl_fit_figures *figures, size_t *grown);
int fit_state_load(struct txl_error *err, struct txl_fit *fit);
int fit_state_save(struct txl_error *err, const struct txl_fit *fit);
/* A line about a point. */
void fit_say_better(struct txl_fit *fit);

#endif
