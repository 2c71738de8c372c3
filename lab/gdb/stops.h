/* SPDX-License-Identifier: Apache-2.0 */
/* Running a tile until something happens, forwards and backwards. */
#ifndef LAB_GDB_STOPS_H
#define LAB_GDB_STOPS_H

#include "base/pool.h"
#include "gdb/changes.h"
#include "tile/tile_program.h"

enum { STOPS_MOST = 256, WATCH_BYTES = 256, ALL_CORES = (1 << TX_CORES) - 1 };

/* By the numbers of gdb's Z packets. */
enum stop_type { STOP_SOFTWARE, STOP_HARDWARE, STOP_WRITE, STOP_READ, STOP_ACCESS, STOP_TYPES };

struct stop {
    enum stop_type type;
    uint32_t address, size; /* the size of a breakpoint does not matter */
    enum tx_core core;      /* in local memory: whose; else TX_CORES */
    bool removed;           /* gdb takes everything away at each stop: the core is still known */
    /* A STOP_WRITE or STOP_ACCESS in L1: */
    bool in_l1;
    uint8_t was[WATCH_BYTES];  /* what is there */
    unsigned queued[TX_CORES]; /* stores of these bytes that have not left their cores */
};

enum event_kind {
    EVENT_NONE,
    EVENT_BREAK, /* a core has come to a breakpoint */
    EVENT_WATCH, /* core TX_CORES: the coprocessor, or whoever else, has written */
    EVENT_STEP,  /* a step is done */
    EVENT_ENDED, /* a core has executed ebreak or ecall, hangs or cannot go on */
    EVENT_FAULT, /* the machine has stopped */
    EVENT_REST,  /* nothing goes on any more */
    EVENT_DEADLOCK,
    EVENT_WORDS,     /* the words that the run waits for are there */
    EVENT_LIMIT,     /* so many cycles were allowed */
    EVENT_INTERRUPT, /* the caller wants a stop */
    EVENT_BEGIN      /* the past begins here */
};

struct event {
    enum event_kind kind;
    enum tx_core core; /* TX_CORES: of no core in particular */
    enum stop_type type;
    uint32_t address; /* of the watched bytes */
};

/*
 * What each core is to do: sets of cores; who is in none stands still. along: they go on, but gdb
 * does not know it and takes no event of them; who comes to a stop waits there for the next time.
 */
struct resume {
    unsigned go, step, along;
    uint32_t first[TX_CORES]; /* a step ends outside first to end; both 0: after an instruction */
    uint32_t end[TX_CORES];
};

struct stops {
    struct history past;
    txl_tensix *run;
    tx_tensix *tile;
    struct stop list[STOPS_MOST];
    unsigned count, watches, breaks;
    struct tx_core_glance now[TX_CORES];
    struct tx_core_access next[TX_CORES]; /* size 0 where there are no watchpoints */
    unsigned arrived; /* set of cores that have come to their pc and have not been stopped there */
    unsigned told;    /* set of cores whose end has been told */
    unsigned frozen;  /* as the tile has it; more than ALL_CORES: not known */
    uint32_t split[TX_SPLITS];
    unsigned splits; /* more than TX_SPLITS: not known */
    /*
     * Backwards, cores that came to breakpoints in the same cycle as the one that was told. gdb may
     * step that one back before it asks on, and the others are then still to be told, in also_at.
     */
    unsigned also, also_steps;
    uint64_t also_at;
    struct tile_course course;
    struct ticker ticker;
};

int stops_open(struct txl_error *err, struct stops *s, txl_tensix *run, uint64_t budget);
void stops_free(struct stops *s);

/* core: whose local memory is watched. False: no room, or too many bytes. */
bool stops_add(struct stops *s, enum stop_type type, uint32_t address, uint32_t size,
               enum tx_core core);
void stops_remove(struct stops *s, enum stop_type type, uint32_t address, uint32_t size);
bool stops_has(const struct stops *s, uint32_t pc); /* a breakpoint */
/* What a core stands before had a breakpoint or watchpoint when the tile last stood. */
bool stops_took(struct stops *s, enum tx_core core);
void stops_clear(struct stops *s);

/* A change by the debugger. False: it was refused. */
bool stops_change(struct stops *s, const struct change *change, const void *bytes);

struct event stops_go(struct stops *s, const struct resume *how);
/* To before the last instruction of a core, or (TX_CORES) to where it would have stopped last. */
struct event stops_back(struct stops *s, enum tx_core core);

#endif
