/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program as one linear stream, REPLAY expanded, and its run with every finding of every place.
 * Shared by lint and expand.
 */
#ifndef LAB_FEED_H
#define LAB_FEED_H

#include "flow/graph.h"
#include "kernel/load.h"

enum { FEED_NOWHERE = 0xFFFFFFFF };
/* Cycles that one run of a program may take, unless the user says otherwise. */
#define FEED_MOST_CYCLES UINT64_C(2000000)

/* Where a word stands in its source. */
struct feed_site {
    uint32_t word;
    const char *file; /* of .loc, or NULL: the program's own */
    uint32_t line;    /* 0: none */
    uint32_t offset;  /* in the section, or bytes from the start of the function */
    unsigned section;
    size_t start;    /* first word of the stream that it, or the replay it starts, gave */
    bool near_macro; /* met with an SFPLOADMACRO among the twelve instructions before it */
    bool issued;
    uint64_t cycle; /* of the first time that it was */
    bool skipped;   /* needs what is not here: only its cycle passed */
};

struct feed_word {
    uint32_t word, site;
    bool idle; /* a cycle in which nothing reaches the back end: a recording without execution */
    bool fpu;  /* stands for an instruction of the Matrix Unit that writes Dst */
    bool mop;  /* expands to any number of instructions */
};

/* The replay buffer, and a recording under way. */
struct feed_replay {
    struct feed_word slot[32];
    uint32_t recorded; /* bit per slot */
    unsigned at, left;
    bool execute;
};

/* The progress function of runs, which may cancel them; several streams may share one. */
struct feed_watch {
    txl_progress progress; /* NULL: none */
    void *user;
    uint64_t cycles; /* of all runs so far */
    bool cancelled;
};

struct feed {
    enum tx_arch arch;
    struct feed_watch *watch; /* or NULL */
    struct feed_replay replay;
    bool straight; /* REPLAY stays in the stream: the machine itself records and replays */
    bool part;     /* of a program that may have recorded before: such replays are left out */
    bool replays;  /* a REPLAY is among the words */
    enum tx_dst_format dst;           /* TX_DST_FORMAT_UNSET: what the program says */
    uint64_t most_cycles;             /* 0: FEED_MOST_CYCLES */
    const struct tx_program *program; /* configuration, formats; NULL: bare words */
    struct feed_word *words;
    size_t count, room;
    size_t tile; /* first word of .tile */
    struct feed_site *sites;
    size_t site_count, site_room;
    uint32_t *issued; /* place in the stream of each instruction of the last run, by its number */
    size_t issued_count, issued_room;
    uint64_t skipped;    /* words of units that are not modelled */
    uint64_t unrecorded; /* replayed words that nothing here has recorded, and left out */
};

struct feed_found {
    struct tx_finding finding;
    uint32_t site;                  /* of the instruction that found itself wrong */
    uint32_t producer;              /* FEED_NOWHERE where the rule has none */
    uint64_t cycle, producer_cycle; /* cycle: of the last occurrence */
    uint64_t count;
    uint32_t at;   /* of the first occurrence: place in the stream, or FEED_NOWHERE */
    uint32_t next; /* found at the same site, or FEED_NOWHERE */
    bool cured;    /* one SFPNOP in front ends it */
};

/* What one run is asked and answers. */
struct feed_run {
    const bool *removed; /* by site, or NULL */
    uint64_t seed;
    void (*also)(void *user, const struct tx_event *event); /* sees every event, or NULL */
    void *user;

    struct feed_found *found;
    size_t count, room;
    uint32_t *first; /* found at each site, the last entry for those that have none */
    uint64_t cycles, digest;
    uint64_t waiting; /* words that waited for what does not come, and were left out */
    bool stopped;     /* by a fault */
    bool ended;       /* most_cycles have passed, or feed->watch has cancelled */
    bool begun;       /* the tile has its data */
    bool memory;      /* something found could not be kept */

    struct tx_program *bare; /* an empty one, where the feed has none */
    tx_kernel *kernel;
    tx_machine *machine;
    struct feed *feed;
    uint64_t random;
    uint32_t site, at;
    uint64_t since_launch;
    bool configured;       /* SFPCONFIG, and no SFPLOADMACRO since */
    uint32_t gap_nops[16]; /* SFPNOPs between the two: the vendor asks for one (R2) */
    unsigned gap_count;
    txl_graph *graph; /* of what was executed; NULL where events go to also */
};

/* false: out of memory, or longer than a run can be. */
bool feed_build(struct feed *feed, const struct tx_program *program);
bool feed_add_words(struct feed *feed, const uint32_t *words, const uint32_t *lines, size_t count,
                    unsigned section, uint32_t stride);
void feed_free(struct feed *feed);

/* Runs with data made from seed. TX_OK also where the machine stopped: that is a finding. */
enum tx_status feed_run(struct feed *feed, struct feed_run *run);
void feed_run_free(struct feed_run *run);
/* The same in steps: one word after the other, and the end. Not TX_OK: the machine stopped. */
enum tx_status feed_enter(struct feed *feed, struct feed_run *run);
void feed_begin(struct feed_run *run, size_t at); /* before the first word of .tile: its data */
enum tx_status feed_go(struct feed_run *run, size_t at);
enum tx_status feed_present(struct feed_run *run, uint32_t word, bool idle);
enum tx_status feed_drain(struct feed_run *run);
void feed_leave(struct feed_run *run);
struct feed_found *feed_add(struct feed_run *run, const struct tx_finding *finding, uint32_t site);
uint64_t feed_fold(uint64_t digest, const tx_machine *machine, enum tx_file file, unsigned index,
                   unsigned count);
/* Place in the stream of the instruction with this number, or FEED_NOWHERE. */
uint32_t feed_place(const struct feed *feed, uint64_t number);

/* Random and special patterns of a format, for one tile. */
void feed_data(enum tx_dst_format format, uint64_t *state, uint32_t values[TX_TILE_ELEMENTS]);
uint64_t feed_random(uint64_t *state);

/* feed_live.c: one execution, the graph's last; registers that SFPTRANSP and SFPSHFT2 move. */
void live_check(struct feed_run *run, const struct tx_event *event);

#endif
