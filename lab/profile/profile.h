/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "profile": what each core, thread and unit does in each cycle, as lanes of spans; the
 * critical path of the run; and the output forms for both. It may use base and page.
 */
#ifndef LAB_PROFILE_H
#define LAB_PROFILE_H

#include <stdatomic.h>
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
    END_UNIT,      /* index: the lane of a unit that takes no further instruction */
    END_POLL       /* a core reads a word again and again: index of profile_poll */
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
/* What lanes are told together in sums over tiles: unpackers, ..., packers, cores. */
enum { PROFILE_UNITS = 5 };

enum { PROFILE_TEXT = 120, PROFILE_JOBS = 32, PROFILE_TRIALS = 7, PROFILE_NOTHING = -1 };

/* A distinct state of a lane; its spans refer to it. */
struct profile_state {
    enum txl_profile_kind kind;
    enum profile_bound bound;
    enum profile_end end;
    uint8_t index;    /* of whatever ends the wait */
    uint8_t thread;   /* for a unit: the thread it works for; TX_THREADS: none */
    uint32_t address; /* END_POLL: what is read */
    uint64_t cycles;  /* when the profile is complete */
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
    unsigned state_count;
    size_t state_room;
    int now;     /* state in the current cycle; -1: nothing has happened */
    int nothing; /* the state of a cycle in which nothing happens; -1: there was none */
    /* What a unit was found to do last, and the state that says so. */
    struct profile_said {
        const char *text; /* NULL: nothing yet */
        enum txl_profile_kind kind;
        enum profile_bound bound;
        unsigned thread;
        int state;
    } said;
    struct txl_profile_part *parts;
    char name[32];
    struct txl_profile_lane shown;
};

/* An instruction in an unpacker or a packer. */
struct profile_job {
    bool live, works, over;
    uint8_t lane, thread, bank;
    /* Start and end are in cycles of the profile; end only for packers. */
    uint64_t number, start, end;
};

/* A core has read a word again and again without storing anything in between. */
struct profile_poll {
    uint64_t from, to; /* cycles of the first load and of the last */
    uint32_t pc, address, count;
    uint64_t stores; /* of the core, before it */
    uint8_t core;
};

enum { PROFILE_POLLED = 4, MADE_PARTS = 3 };

/* What a core was found to do last, and the state of its lane that says so. */
enum { PROFILE_KNOWN = 4 };
struct profile_core {
    bool rests, known;
    enum tx_core_phase phase;
    enum tx_core_wait waits_for;
    uint32_t address;
    const char *wait;
    int state;
};

/* How a word of a thread was held last, and the states of lanes that say so. */
struct profile_held {
    bool known, present;
    enum tx_hold hold;
    enum tx_wait wait;
    uint32_t word, wait_word;
    uint16_t busy;
    uint8_t unit, busy_semaphores;
    int state;
    unsigned other; /* the lane of a unit that waits, too; LANES: none */
    int other_state;
    char text[PROFILE_TEXT]; /* of the event */
};

struct profile_place {
    txl_profile *p;
    unsigned lane;
    uint64_t cycle; /* the path before this cycle is still to be found */
};
struct profile_made {
    struct profile_place by; /* who made it, and when */
    unsigned parts;
    uint64_t from[MADE_PARTS]; /* where each part of the wait begins, the last one first */
    uint8_t bound[MADE_PARTS]; /* enum profile_bound */
};
/*
 * Whoever knows what lies beyond a tile: finds who made what a core has polled for until a cycle.
 * Returns false where that is not known; else the places where the path goes on, and what the wait
 * until then is due to: up to three parts of it, from its end backwards.
 */
struct profile_beyond {
    void *user;
    bool (*made)(void *user, const txl_profile *p, unsigned core, uint32_t address, uint64_t from,
                 uint64_t to, struct profile_made *made);
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
    uint32_t said;  /* lanes that something was said of in this cycle */
    uint32_t shown; /* lanes of threads and units whose last span says that something happens */
    uint32_t live;  /* jobs */
    bool marked;    /* mark is that of the cycle before */
    uint64_t mark[TX_CORES];
    uint64_t memory; /* profile_memory at the end of the run */
    struct profile_lane_data lane[LANES];
    struct profile_core core[TX_CORES][PROFILE_KNOWN];
    uint8_t core_next[TX_CORES];
    struct profile_held held[TX_THREADS];
    struct profile_job jobs[PROFILE_JOBS];
    struct profile_event *events;
    size_t event_count, event_room;
    struct txl_profile_step *steps;
    size_t step_count, step_room;
    struct profile_share *shares; /* sorted by falling cycles */
    size_t share_count;
    /* Of a tile among others: the profile of all, which has the path, and its neighbours there. */
    txl_profile *whole;
    txl_profile **parts; /* of all: the tiles */
    unsigned part_count;
    uint64_t first; /* the tile's cycle that counts as 0 */
    const struct profile_beyond *beyond;
    struct profile_poll polled[TX_CORES][PROFILE_POLLED]; /* what each core has loaded last */
    uint64_t stores[TX_CORES];
    struct profile_poll *polls;
    size_t poll_count, poll_room;
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
    const atomic_bool *over;     /* set: nobody needs it any more */
};
/* Repeats the run with other paces. Returns TXL_CONTINUE, or an error in err. */
struct profile_again {
    int (*run)(void *user, struct txl_error *err, struct profile_rerun *rerun);
    void *user;
    unsigned threads; /* on so many at a time; 0 is 1 */
};

/* ---- profile_open.c and profile_collect.c ---- */

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
void profile_end_cycle(txl_profile *p);
/*
 * profile_part.c: a tile among others. profile_among gives its lanes a name in front and the cycle
 * of the tile that counts as 0; profile_reached is profile_cycle for a tile that may have slept;
 * profile_load and profile_store say what its cores do.
 */
void profile_among(txl_profile *p, const char *place, uint64_t first);
void profile_reached(void *user, uint64_t cycles);
void profile_load(txl_profile *p, unsigned core, uint32_t pc, uint32_t address);
void profile_store(txl_profile *p, unsigned core);
/* What cores have polled becomes a wait in their lanes. */
void profile_put_polls(txl_profile *p);
/* Returns the cycle in which the last of the tiles comes to rest. */
uint64_t profile_last(txl_profile *const *parts, unsigned count);
/* Forgets what lies behind a cycle. */
void profile_cut(txl_profile *p, uint64_t cycles);
/* From the tile's last cycle on, up to another one, every lane is idle; "why" says so. */
void profile_rests(txl_profile *p, uint64_t until, const char *why);
/* Makes one profile of those of tiles, which it owns from then on. NULL: err says why. */
txl_profile *profile_join(struct txl_error *err, txl_profile **parts, unsigned count,
                          const struct profile_beyond *beyond, uint64_t cycles, uint32_t bounds);
/* Returns the lane with that number among those that are shown. */
const struct profile_lane_data *profile_shown(const txl_profile *p, unsigned index,
                                              const txl_profile **owner);
int profile_state(txl_profile *p, unsigned lane, const struct profile_state *wanted);
/* After its last word a thread is idle and does not wait for another. */
void profile_settle_thread(txl_profile *p, unsigned lane);
/*
 * Completes the profile of a run of so many cycles. Returns TXL_CONTINUE, or TXL_INPUT without
 * memory.
 */
int profile_finish(struct txl_error *err, txl_profile *p, uint64_t cycles, uint32_t bounds);

/* ---- profile_path.c ---- */

void profile_path(txl_profile *p);
/* A core's wait for a word that it polls goes on with who made it. */
bool profile_follow(txl_profile *p, unsigned lane, const struct profile_state *s, uint64_t from,
                    uint64_t to, struct profile_place *next);
void profile_step(txl_profile *p, unsigned lane, uint64_t from, uint64_t to,
                  const struct profile_state *s, enum profile_bound bound);
const char *profile_bound_name(enum profile_bound bound);
/* "unpack", "matrix", "vector", "pack", "cores" */
const char *profile_unit_name(unsigned unit);
/* Cycles in which the busiest lane of each unit works. */
void profile_busy(const txl_profile *p, uint64_t busy[PROFILE_UNITS]);
/* Writes down the bound and the advice. proven: the run has been repeated without p->bound. */
void profile_settle(txl_profile *p, bool proven);
/* Returns a number that tells the contents of L1, from an address on, and of Dst apart. */
uint64_t profile_memory(const tx_machine *machine, uint32_t from);
/* Returns the span of the lane that contains the cycle. */
size_t profile_span_at(const struct profile_lane_data *lane, uint64_t cycle);

/* ---- profile_again.c ---- */

/*
 * Repeats the run of a complete profile without the time of the units on its path, and takes what
 * saves most as its bound. Returns TXL_CONTINUE, or an error of again->run.
 */
int profile_try(struct txl_error *err, txl_profile *p, const struct profile_again *again);

/* ---- output forms ---- */

void profile_print(FILE *out, const txl_profile *p);
txl_json *profile_json(const txl_profile *p);
/* Sets its result, the trials, and the path's largest shares. */
void profile_brief(txl_json *root, const txl_profile *p);
void profile_chrome(FILE *out, const txl_profile *p);
void profile_html(FILE *out, const txl_profile *p);

#endif
