/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "profile": what each core, thread and unit does in each cycle, as lanes of spans; the path
 * that bounds the run; and the forms that show both. It may use base and page.
 */
#ifndef LAB_PROFILE_H
#define LAB_PROFILE_H

#include <stdio.h>

#include <tensix-lab/json.h>
#include <tensix-lab/profile.h>
#include <tensix/tensix.h>

/* What the cycles of the path are counted by. */
enum profile_bound {
    BOUND_DELIVERY, /* words come too late */
    BOUND_VECTOR,
    BOUND_MATRIX,
    BOUND_UNPACK,
    BOUND_PACK,
    BOUND_SCALAR,
    BOUND_CONFIG,
    BOUND_WAIT, /* one side waits for the other */
    BOUND_OTHER,
    BOUNDS
};

/* What ends a wait, for the path to go on with whom it waited for. */
enum profile_end {
    END_NONE,
    END_SEMAPHORE, /* which: index */
    END_BANK,      /* of SrcA 0 or SrcB 1: index */
    END_WORD,      /* a word of the thread's core */
    END_THREAD     /* of a core: its thread has come to an end, or takes words again */
};

enum profile_lane {
    LANE_CORE,                          /* as enum tx_core */
    LANE_THREAD = LANE_CORE + TX_CORES, /* at their gates */
    LANE_UNPACK = LANE_THREAD + TX_THREADS,
    LANE_MATRIX = LANE_UNPACK + 2,
    LANE_VECTOR,
    LANE_SCALAR,
    LANE_PACK, /* Wormhole: four */
    LANES = LANE_PACK + 4
};

enum { PROFILE_TEXT = 120, PROFILE_JOBS = 32 };

struct profile_state {
    enum txl_profile_kind kind;
    enum profile_bound bound;
    enum profile_end end;
    uint8_t index;  /* of what ends it */
    uint8_t thread; /* a unit: for whom; TX_THREADS: nobody */
    uint64_t cycles;
    char text[PROFILE_TEXT];
};

struct profile_span {
    uint64_t from; /* to the next one's */
    unsigned state;
};

struct profile_lane_data {
    struct profile_state *states;
    struct profile_span *spans;
    size_t span_count, span_room;
    unsigned state_count, state_room;
    int now; /* state of the cycle under way; -1: nothing has been seen */
    struct txl_profile_part *parts;
    char name[16];
    struct txl_profile_lane shown;
};

/* An instruction in an unpacker or a packer. */
struct profile_job {
    bool live, works, over;
    uint8_t lane, thread, bank;
    uint64_t number, start, end; /* of a packer, in cycles of the profile */
};

/* Somebody lets somebody else go on. */
struct profile_event {
    uint64_t cycle;
    enum profile_end end;
    uint8_t index; /* mask of semaphores; 0 SrcA, 1 SrcB */
    uint8_t lane;
};

/* Steps of the path with the same lane, text and bound. */
struct profile_share {
    const struct txl_profile_step *step; /* one of them */
    uint64_t cycles;
};

struct txl_profile {
    const tx_machine *machine;
    const tx_tensix *tile;
    enum tx_arch arch;
    bool on, failed; /* failed: out of memory */
    bool cores;      /* the cores are lanes too: of tile */
    bool begun;      /* by events: the first instruction has been issued */
    uint64_t base;   /* by events: the machine's cycle that is 0 */
    uint64_t cycle, total;
    uint64_t scalar_until;
    struct profile_lane_data lane[LANES];
    struct profile_job jobs[PROFILE_JOBS];
    struct profile_event *events;
    size_t event_count, event_room;
    struct txl_profile_step *steps;
    size_t step_count, step_room;
    struct profile_share *shares; /* the most cycles first */
    size_t share_count;
    unsigned order[LANES]; /* of those that are shown */
    char change[400];
    struct txl_profile_result result;
};

/* ---- profile_collect.c ---- */

/* NULL: err says why. Its machine is opened with profile_event as its sink, and then told. */
txl_profile *profile_open(struct txl_error *err);
/* tile: its cores are lanes too; NULL: there are none. */
void profile_attach(txl_profile *p, const tx_machine *machine, const tx_tensix *tile);
void profile_close(txl_profile *p); /* NULL is nothing */
/* For tx_settings.sink, user = the profile. Where p->on, a cycle ends as the events of the next one
 * come, unless cores are lanes: then by profile_cycle. */
void profile_event(void *user, const struct tx_event *event);
void profile_cycle(void *user);
/* It was so many cycles long. TXL_CONTINUE, or TXL_INPUT without memory. */
int profile_finish(struct txl_error *err, txl_profile *p, uint64_t cycles, bool at_least);

/* ---- profile_path.c ---- */

void profile_path(txl_profile *p);
const char *profile_bound_name(enum profile_bound bound);
/* The span of the lane that holds the cycle. */
size_t profile_span_at(const struct profile_lane_data *lane, uint64_t cycle);
void *profile_grow(txl_profile *p, void *array, size_t count, size_t *room, size_t size);

/* ---- forms ---- */

void profile_print(FILE *out, const txl_profile *p);
txl_json *profile_json(const txl_profile *p);
void profile_chrome(FILE *out, const txl_profile *p);
void profile_html(FILE *out, const txl_profile *p);

#endif
