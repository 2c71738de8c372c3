/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "profile": what each core, thread and unit does in each cycle, as lanes of spans; the
 * critical path of the run; and the output forms for both. It may use base and page.
 */
#ifndef LAB_PROFILE_H
#define LAB_PROFILE_H

#include <stdio.h>

#include "base/bound.h"
#include <tensix-lab/json.h>
#include <tensix-lab/profile.h>
#include <tensix/tensix.h>

/* The causes by which cycles of the critical path are counted. */
enum profile_bound {
    BOUND_DELIVERY, /* the thread had no words to execute */
    BOUND_VECTOR,
    BOUND_MATRIX,
    BOUND_UNPACK,
    BOUND_PACK,
    BOUND_SCALAR,
    BOUND_CONFIG,
    BOUND_WAIT, /* one side waits for the other */
    BOUND_NOC,  /* a core waits for a request that is under way */
    BOUND_DRAM,
    BOUND_OTHER,
    BOUNDS
};

/* What ends a wait; from there the path continues with whoever was waited for. */
enum profile_end {
    END_NONE,
    END_SEMAPHORE, /* index: the semaphore */
    END_BANK,      /* index: 0 for SrcA, 1 for SrcB */
    END_WORD,      /* a word from the thread's core */
    END_THREAD,    /* for a core: its thread has finished, or accepts words again */
    END_UNIT       /* index: the lane of a unit that takes no further instruction */
};

enum profile_lane {
    LANE_CORE,                          /* plus an enum tx_core */
    LANE_THREAD = LANE_CORE + TX_CORES, /* the threads' gates */
    LANE_UNPACK = LANE_THREAD + TX_THREADS,
    LANE_MATRIX = LANE_UNPACK + 2,
    LANE_VECTOR,
    LANE_SCALAR,
    LANE_PACK, /* four on Wormhole */
    LANES = LANE_PACK + 4
};

enum { PROFILE_TEXT = 120, PROFILE_JOBS = 32, PROFILE_TRIALS = 5 };

/* A distinct state of a lane; its spans refer to it. */
struct profile_state {
    enum txl_profile_kind kind;
    enum profile_bound bound;
    enum profile_end end;
    uint8_t index;  /* of whatever ends the wait */
    uint8_t thread; /* for a unit: the thread it works for; TX_THREADS: none */
    uint64_t cycles;
    char text[PROFILE_TEXT];
};

struct profile_span {
    uint64_t from; /* up to the start of the next span */
    unsigned state;
};

struct profile_lane_data {
    struct profile_state *states;
    struct profile_span *spans;
    size_t span_count, span_room;
    unsigned state_count, state_room;
    int now; /* state in the current cycle; -1: nothing has happened */
    struct txl_profile_part *parts;
    char name[16];
    struct txl_profile_lane shown;
};

/* An instruction in an unpacker or a packer. */
struct profile_job {
    bool live, works, over;
    uint8_t lane, thread, bank;
    /* Start and end are in cycles of the profile; end only for packers. */
    uint64_t number, start, end;
};

/* An event that can end the wait of another lane. */
struct profile_event {
    uint64_t cycle;
    enum profile_end end;
    uint8_t index; /* bit mask of semaphores; or 0 SrcA, 1 SrcB */
    uint8_t lane;
};

/* The steps of the path with the same lane, text and bound, summed up. */
struct profile_share {
    const struct txl_profile_step *step; /* one of these steps */
    uint64_t cycles;
};

struct txl_profile {
    const tx_machine *machine;
    const tx_tensix *tile;
    enum tx_arch arch;
    bool on, failed; /* failed: memory ran out */
    bool cores;      /* the tile's cores have lanes, too */
    bool begun;      /* without cores: the first instruction has been issued */
    uint64_t base;   /* without cores: the machine's cycle that counts as 0 */
    uint64_t cycle, total;
    uint64_t scalar_until;
    uint64_t memory; /* profile_memory at the end of the run */
    struct profile_lane_data lane[LANES];
    struct profile_job jobs[PROFILE_JOBS];
    struct profile_event *events;
    size_t event_count, event_room;
    struct txl_profile_step *steps;
    size_t step_count, step_room;
    struct profile_share *shares; /* sorted by falling cycles */
    size_t share_count;
    unsigned order[LANES];    /* the lanes that are shown */
    uint64_t sums[BOUNDS];    /* cycles of the path by cause */
    enum profile_bound bound; /* what the run is bound by */
    struct txl_profile_trial trials[PROFILE_TRIALS];
    char change[600];
    struct txl_profile_result result;
};

/* Whose time a repetition of the run changes: the first ones are enum tx_paced. */
enum profile_paced {
    PROFILE_UNPACK = TX_PACED_UNPACK,
    PROFILE_MATRIX = TX_PACED_MATRIX,
    PROFILE_VECTOR = TX_PACED_VECTOR,
    PROFILE_PACK = TX_PACED_PACK,
    PROFILE_CORES = TX_PACED_CORES,
    PROFILE_NOC = TX_PACED_COUNT,
    PROFILE_DRAM,
    PROFILE_PACED
};
struct profile_rerun {
    uint8_t pace[PROFILE_PACED]; /* enum tx_pace */
    uint64_t cycles;             /* that it took */
    bool ended;                  /* it came to its end */
    bool same;                   /* memory at its end is that of the profiled run */
};
/* Repeats the run with other paces. Returns TXL_CONTINUE, or an error in err. */
struct profile_again {
    int (*run)(void *user, struct txl_error *err, struct profile_rerun *rerun);
    void *user;
};

/* ---- profile_collect.c ---- */

/*
 * Creates a profile; NULL: err says why. The machine must be opened with profile_event as its sink,
 * and then be passed to profile_attach.
 */
txl_profile *profile_open(struct txl_error *err);
/* tile: its cores get lanes; NULL: no cores. */
void profile_attach(txl_profile *p, const tx_machine *machine, const tx_tensix *tile);
void profile_close(txl_profile *p); /* NULL does nothing */
/*
 * The event function for tx_settings.sink, with the profile as user. While p->on is set, a cycle
 * ends when events of the next one arrive or, with cores, by a call of profile_cycle.
 */
void profile_event(void *user, const struct tx_event *event);
void profile_cycle(void *user);
/*
 * Completes the profile of a run of so many cycles. Returns TXL_CONTINUE, or TXL_INPUT without
 * memory.
 */
int profile_finish(struct txl_error *err, txl_profile *p, uint64_t cycles, uint32_t bounds);

/* ---- profile_path.c ---- */

void profile_path(txl_profile *p);
const char *profile_bound_name(enum profile_bound bound);
/* Writes down the bound and the advice. proven: the run has been repeated without p->bound. */
void profile_settle(txl_profile *p, bool proven);
/* Returns a number that tells the contents of L1 and Dst apart. */
uint64_t profile_memory(const tx_machine *machine);
/* Returns the span of the lane that contains the cycle. */
size_t profile_span_at(const struct profile_lane_data *lane, uint64_t cycle);
void *profile_grow(txl_profile *p, void *array, size_t count, size_t *room, size_t size);

/* ---- profile_again.c ---- */

/*
 * Repeats the run of a complete profile without the time of the units on its path, and takes what
 * saves most as its bound. Returns TXL_CONTINUE, or an error of again->run.
 */
int profile_try(struct txl_error *err, txl_profile *p, const struct profile_again *again);

/* ---- output forms ---- */

void profile_print(FILE *out, const txl_profile *p);
txl_json *profile_json(const txl_profile *p);
void profile_chrome(FILE *out, const txl_profile *p);
void profile_html(FILE *out, const txl_profile *p);

#endif
