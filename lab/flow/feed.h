/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program as one linear stream of words with every REPLAY expanded, and its run on a machine,
 * which gives every finding at every place. Shared by lint and expand.
 */
#ifndef LAB_FEED_H
#define LAB_FEED_H

#include "flow/graph.h"
#include "kernel/load.h"

enum { FEED_NOWHERE = 0xFFFFFFFF };
/* Cycles that one run of a program may take unless most_cycles says otherwise. */
#define FEED_MOST_CYCLES UINT64_C(2000000)

/* Where a word stands in its source, and what the run has shown about it. */
struct feed_site {
    uint32_t word;
    const char *file; /* from .loc, or NULL: the program's own file */
    uint32_t line;    /* 0: not known */
    /* Words from the start of the section, or bytes from the start of the function. */
    uint32_t offset;
    unsigned section;
    size_t start; /* the first word of the stream that it gave, or that its replay gave */
    /*
     * Issued within twelve instructions after an SFPLOADMACRO, or an SFPNOP between SFPCONFIG and
     * one.
     */
    bool near_macro;
    bool issued;
    uint64_t cycle; /* of its first issue */
    bool skipped;   /* it needs what a feed does not have; only its cycle passed */
};

struct feed_word {
    uint32_t word, site;
    /* Takes a cycle in which nothing reaches the back end: it is recorded, not executed. */
    bool idle;
    bool fpu; /* stands for a Matrix Unit instruction that writes Dst */
    bool mop; /* expands to any number of instructions */
    bool gap; /* of a replay's slot: what comes in front of it is not known */
};

/* The replay buffer while the stream is built, and the recording under way. */
struct feed_replay {
    struct feed_word slot[32];
    uint32_t recorded; /* bit n: slot n has been recorded */
    unsigned at, left;
    bool execute;
    bool gap; /* in front of the next slot */
};

/* Calls the progress function of runs, which may cancel them. Several streams may share one. */
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
    bool straight; /* keep REPLAY in the stream: the machine records and replays itself */
    bool part;     /* a part of a program: replays of slots recorded before it are left out */
    bool replays;  /* a REPLAY is among the words */
    /* TX_DST_FORMAT_UNSET: the format that the program asks for. */
    enum tx_dst_format dst;
    enum tx_start start;              /* of bare words; TX_START_UNSET: reset */
    uint64_t most_cycles;             /* 0: FEED_MOST_CYCLES */
    const struct tx_program *program; /* gives configuration and formats; NULL: bare words */
    struct feed_word *words;
    size_t count, room;
    bool too_long; /* there are more words than a stream takes; else it failed for want of memory */
    size_t tile;   /* index of the first word of .tile */
    struct feed_site *sites;
    size_t site_count, site_room;
    /* For each instruction of the last run, by its number, its place in the stream. */
    uint32_t *issued;
    size_t issued_count, issued_room;
    uint64_t skipped;    /* words that needs_others has replaced */
    uint64_t unrecorded; /* replayed words that nothing here has recorded and that were left out */
};

struct feed_found {
    struct tx_finding finding;
    uint32_t site; /* site of the instruction at which the rule is broken */
    /* Site of the other instruction; FEED_NOWHERE where the rule has none. */
    uint32_t producer;
    uint64_t cycle, producer_cycle; /* cycle: of the last occurrence */
    uint64_t count;
    uint32_t at;   /* place in the stream of the first occurrence, or FEED_NOWHERE */
    uint32_t next; /* index of the next one at the same site, or FEED_NOWHERE */
    bool cured;    /* one SFPNOP in front of the instruction avoids it */
};

/* The input and the results of a run. Members up to user are set by the caller. */
struct feed_run {
    const bool *removed; /* by site: leave it out; or NULL */
    uint64_t seed;
    void (*also)(void *user, const struct tx_event *event); /* receives every event, or NULL */
    void *user;

    struct feed_found *found;
    size_t count, room;
    bool too_long; /* there are more words than a stream takes; else it failed for want of memory */
    /* The index of the first one at each site; the last entry is for those without a site. */
    uint32_t *first;
    uint64_t cycles, digest;
    uint64_t waiting; /* words that waited for another thread and were left out */
    bool stopped;     /* by a fault of the machine */
    bool ended;       /* after most_cycles, or cancelled through feed->watch */
    bool begun;       /* the tile has received its data */
    bool memory;      /* a finding could not be kept for lack of memory */

    struct tx_program *bare; /* an empty program, where the feed has none */
    tx_kernel *kernel;
    tx_machine *machine;
    struct feed *feed;
    uint64_t random;
    uint32_t site, at;
    uint64_t since_launch;
    bool configured;       /* an SFPCONFIG was issued, and no SFPLOADMACRO since */
    uint32_t gap_nops[16]; /* sites of SFPNOPs after the SFPCONFIG: the vendor asks for one (R2) */
    unsigned gap_count;
    txl_graph *graph; /* of what was executed; NULL where events go to `also` */
};

/*
 * Appends the words of a program. Returns false without memory, or when the stream would be longer
 * than a run can be.
 */
bool feed_build(struct feed *feed, const struct tx_program *program);
bool feed_add_words(struct feed *feed, const uint32_t *words, const uint32_t *lines, size_t count,
                    unsigned section, uint32_t stride);
/*
 * Lets a few cycles pass behind the last word: what came there is not known, but that at most so
 * many words did, which a recording takes as well.
 */
bool feed_gap(struct feed *feed, unsigned words);
void feed_free(struct feed *feed);

/*
 * Runs the stream with data made from seed. Returns TX_OK also when the machine stopped: that is
 * recorded as a finding.
 */
enum tx_status feed_run(struct feed *feed, struct feed_run *run);
void feed_run_free(struct feed_run *run);
/*
 * The same in steps: feed_enter, feed_go or feed_present for one word after another, feed_leave.
 * Any other result than TX_OK means that the machine stopped.
 */
enum tx_status feed_enter(struct feed *feed, struct feed_run *run);
/* To be called before the first word of .tile: fills in its data. */
void feed_begin(struct feed_run *run, size_t at);
enum tx_status feed_go(struct feed_run *run, size_t at);
enum tx_status feed_present(struct feed_run *run, uint32_t word, bool idle);
enum tx_status feed_drain(struct feed_run *run);
void feed_leave(struct feed_run *run);
struct feed_found *feed_add(struct feed_run *run, const struct tx_finding *finding, uint32_t site);
uint64_t feed_fold(uint64_t digest, const tx_machine *machine, enum tx_file file, unsigned index,
                   unsigned count);
/* Returns the place in the stream of the instruction with this number, or FEED_NOWHERE. */
uint32_t feed_place(const struct feed *feed, uint64_t number);

/* Fills one tile with random and special values of a format. */
void feed_data(enum tx_dst_format format, uint64_t *state, uint32_t values[TX_TILE_ELEMENTS]);
uint64_t feed_random(uint64_t *state);

/*
 * feed_live.c: checks the execution that is the last step of the graph for registers that SFPTRANSP
 * and SFPSHFT2 have overwritten without naming them.
 */
void live_check(struct feed_run *run, const struct tx_event *event);

#endif
