/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a tile until an event, forwards and backwards. */
#ifndef LAB_GDB_STOPS_H
#define LAB_GDB_STOPS_H

#include "base/pool.h"
#include "gdb/changes.h"
#include "tile/tile_program.h"
#include "tile/tile_world.h"

enum { STOPS_MOST = 256, WATCH_BYTES = 256, ALL_CORES = (1 << TX_CORES) - 1 };

/* Numbered like gdb's Z packets. */
enum stop_type { STOP_SOFTWARE, STOP_HARDWARE, STOP_WRITE, STOP_READ, STOP_ACCESS, STOP_TYPES };

/* A breakpoint or watchpoint. */
struct stop {
    enum stop_type type;
    uint32_t address, size; /* size is ignored for a breakpoint */
    enum tx_core core;      /* owner of the local memory; else TX_CORES */
    /* Gdb removes all points at each stop; core is kept for when it sets them again. */
    bool removed;
    /* For STOP_WRITE and STOP_ACCESS in L1: */
    bool in_l1;
    uint8_t was[WATCH_BYTES];  /* current content */
    unsigned queued[TX_CORES]; /* stores to these bytes that have not left their cores */
};

enum event_kind {
    EVENT_NONE,
    EVENT_BREAK, /* a core arrived at a breakpoint */
    EVENT_WATCH, /* an access of watched bytes; core TX_CORES: not by a core */
    EVENT_RACE,  /* a race's cycle comes next, for gdb's monitor races */
    EVENT_STEP,  /* a step is complete */
    EVENT_ENDED, /* a core executed ebreak or ecall, hangs or cannot continue */
    EVENT_FAULT, /* the machine stopped */
    EVENT_REST,  /* nothing will happen any more */
    EVENT_DEADLOCK,
    EVENT_WORDS,     /* the words that the run waits for have their values */
    EVENT_LIMIT,     /* the maximum number of cycles was reached */
    EVENT_INTERRUPT, /* the caller wants to stop */
    EVENT_BEGIN      /* the beginning of the recorded past */
};

struct event {
    enum event_kind kind;
    enum tx_core core; /* TX_CORES: not a particular core */
    enum stop_type type;
    uint32_t address; /* of the watched bytes */
};

/*
 * What each core shall do, as sets of cores; cores in no set stand still. Cores in along run
 * without gdb's knowledge: they give no events, and wait at a breakpoint until the next time.
 */
struct resume {
    unsigned go, step, along;
    uint32_t first[TX_CORES]; /* a step ends outside first to end; both 0: after one instruction */
    uint32_t end[TX_CORES];
};

struct stops {
    struct history past;
    txl_tensix *run;
    tx_tensix *tile;
    struct stop list[STOPS_MOST];
    unsigned count, watches, breaks;
    struct tx_core_glance now[TX_CORES];
    struct tx_core_access next[TX_CORES]; /* size 0 if there are no watchpoints */
    unsigned arrived; /* cores that have arrived at their pc without having been stopped there */
    unsigned told;    /* cores whose end has been reported */
    unsigned frozen;  /* as set in the tile; more than ALL_CORES: unknown */
    uint32_t split[TX_SPLITS];
    unsigned splits; /* more than TX_SPLITS: unknown */
    /*
     * Backwards: cores that reached breakpoints in the same cycle as the one that was reported. gdb
     * may first step that core back; the others must still be reported, at also_at.
     */
    unsigned also, also_steps;
    uint64_t also_at;
    struct tile_course course;
    struct ticker ticker;
};

int stops_open(struct txl_error *err, struct stops *s, txl_tensix *run, uint64_t budget);
void stops_free(struct stops *s);

/*
 * Adds a point. core is the owner of the local memory. Returns false where there is no room, or too
 * many bytes.
 */
bool stops_add(struct stops *s, enum stop_type type, uint32_t address, uint32_t size,
               enum tx_core core);
void stops_remove(struct stops *s, enum stop_type type, uint32_t address, uint32_t size);
bool stops_has(const struct stops *s, uint32_t pc); /* whether there is a breakpoint */
/*
 * Tells whether a core is at an instruction that had a breakpoint or watchpoint when the tile last
 * stopped.
 */
bool stops_took(struct stops *s, enum tx_core core);
void stops_clear(struct stops *s);

/* Applies a change by the debugger; returns false where it was refused. */
bool stops_change(struct stops *s, const struct change *change, const void *bytes);

/* The number of the first race (tile_marks) in the cycle that comes next; 0: none. */
unsigned stops_race(const struct stops *s);
struct event stops_go(struct stops *s, const struct resume *how);
/* Goes back to before the last instruction of a core or, with TX_CORES, to the last stop. */
struct event stops_back(struct stops *s, enum tx_core core);

#endif
