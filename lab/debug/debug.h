/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "debug": a debugger for kernels and for programs on a tile's cores that can run forwards and
 * backwards. It may use base, data, kernel, flow, shadow, run, tile, past and trace.
 *
 * This header has what its files share: the program being debugged, what happened in the last tick,
 * and the functions that move through time.
 */
#ifndef LAB_DEBUG_DEBUG_H
#define LAB_DEBUG_DEBUG_H

#include "base/memory.h"

#include <tensix-lab/debug.h>

#include "base/pool.h"
#include "flow/feed.h"
#include "flow/graph.h"
#include "past/past.h"
#include "run/run.h"
#include "tile/tile_program.h"
#include "tile/tile_world.h"

/*
 * ---- time ----
 *
 * A tick is a cycle or the beginning of a kernel's tile, which takes no cycle. Ticks are counted
 * from 0, and so are cycles, as in the machine.
 */

enum debug_where { IN_INIT, IN_TILE, AT_END };

/* Why the run cannot continue. */
enum debug_end {
    END_NOT,
    END_OVER,  /* the last tile is done; for cores: every core rests */
    END_WORDS, /* the words of --until have their values */
    END_FAULT,
    END_DEADLOCK,
    END_LIMIT,
    END_INPUT /* a tile's inputs cannot be read */
};

/* The position of the run apart from the machine's own state; saved in checkpoints. */
struct moment {
    uint64_t tick, parts; /* parts: how many of the ticks were beginnings of tiles */
    uint64_t tile;        /* of a kernel */
    uint64_t begin;       /* tick in which the current section began */
    uint64_t issued;      /* instructions issued before the section */
    enum debug_where where;
    enum debug_end end;
    bool section_over;       /* the next tick begins the next tile */
    size_t next[TX_THREADS]; /* with threads: index of the section's word that is issued next */
    size_t last[TX_THREADS]; /* index of the word issued last, or NO_PLACE */
    struct tile_course course;
};

/* ---- what happened in a tick ---- */

enum { FACT_ISSUES = 16, FACT_WRITES = 96, FACT_STALLS = 6, FACT_STORES = 4 };
#define NO_PLACE SIZE_MAX

struct fact_issue {
    const struct tx_row *row;
    uint64_t number;
    size_t place; /* index of the word in its section, or NO_PLACE */
    uint32_t word;
    uint8_t thread, unit;
    bool scheduled; /* by SFPLOADMACRO, whose number it has */
};

struct fact_write {
    uint64_t number, start;
    uint32_t word, lanes; /* for Dst, lanes are columns */
    uint16_t index;       /* LReg or row of Dst; 0 for flags */
    uint8_t kind;         /* TX_EVENT_WRITE_LREG ... */
    uint8_t thread, unit;
    bool scheduled;
};

/* An SFPSTORE that has begun: its lanes, which WRITE_DST events do not contain. */
struct fact_store {
    uint64_t number;
    uint32_t lanes;
    bool scheduled;
};

/* A word that was held. */
struct fact_stall {
    const char *cause;
    uint32_t word;
    uint8_t thread;
};

/* What happened in the last tick. */
struct facts {
    uint64_t tick, cycle;
    bool began;              /* the tick was the beginning of a tile and no cycle */
    size_t last[TX_THREADS]; /* as in struct moment, before this tick */
    unsigned issues, writes, stalls, findings;
    struct fact_issue issue[FACT_ISSUES];
    struct fact_write write[FACT_WRITES];
    struct fact_stall stall[FACT_STALLS];
    struct fact_store store[FACT_STORES]; /* ring of the latest, earlier ticks included */
    unsigned stores;
    struct tx_finding finding; /* the latest one */
    struct tx_core_glance before[TX_CORES], after[TX_CORES];
};

/* ---- breakpoints and watchpoints: points.h ---- */

/* A breakpoint or watchpoint. */
struct point;
enum { POINTS = 64 };

/* ---- the whole ---- */

struct txl_debug {
    struct txl_debug_options how;
    struct txl_error *err; /* of the current command */
    char *path;            /* NULL: the kernel has no file */
    char *source;          /* text shown by "list"; NULL: it cannot be read */
    size_t source_size;
    char *source_name; /* file of that text; NULL: not loaded yet */

    /* ---- kernels only ---- */
    const struct tx_program *program; /* NULL: a tile */
    txl_run *run;
    tx_kernel *kernel;
    struct feed feed;
    /* For each instruction in order of issue its index in the feed. */
    uint32_t *issued[TX_SECTIONS];
    size_t issued_count[TX_SECTIONS];
    uint32_t values[TX_TILE_ELEMENTS];
    char message[RUN_STOPPED]; /* why the run has ended */

    /* ---- tiles only ---- */
    struct txl_tensix_options tile_options;
    txl_tensix *tensix;
    bool borrowed; /* tensix belongs to a chip's run */
    tx_tensix *tile;

    /* ---- both ---- */
    tx_machine *machine;
    enum tx_arch arch;
    enum tx_dst_format dst, out;
    struct moment now;
    struct facts facts;
    struct history past;
    struct tx_sink also; /* a second listener while ticks are run again */
    uint64_t again;      /* ticks that were run again, in total */
    void *scratch;       /* buffer for a checkpoint */
    struct ticker ticker;
    bool interrupted;

    struct point *points; /* array of POINTS */
    unsigned point_count, point_next;
    bool stood; /* the run stands at a point where it has already stopped */
    int thread; /* selected thread; -1: all */
    enum tx_core core;
    char *last;     /* the last command, for an empty line */
    bool no_memory; /* the run could not go on for want of memory; a command tells it once */
    bool ended;
    unsigned around; /* lines before and after the next one that list and disasm show; 0: default */
    unsigned width;  /* wanted width of answers; 0: unlimited */
    char completion[96];
};

/* ---- subject.c ---- */

int subject_open(struct txl_debug *d, const struct tx_program *program,
                 const struct txl_run_options *run);
int subject_open_tile(struct txl_debug *d, const struct txl_tensix_options *options);
int subject_open_attached(struct txl_debug *d, txl_tensix *tile);
void subject_close(struct txl_debug *d);
struct past_of subject_past(struct txl_debug *d);
uint64_t debug_cycle(const struct txl_debug *d);
/* The races that are known of the run, and their cycles (tile_marks). */
const struct tile_mark *debug_races(const struct txl_debug *d, unsigned *count);
/*
 * Returns the thread that commands refer to: the selected one, else the thread of the kernel, or
 * that of the selected core, or the math thread.
 */
unsigned debug_thread(const struct txl_debug *d);
/* Returns the current section. */
unsigned debug_section(const struct txl_debug *d);
/* Returns file and line of a word of a section; 0: unknown. */
unsigned debug_line(const struct txl_debug *d, unsigned section, size_t place, const char **file);
/* Returns the number of tiles; 0: unlimited. */
uint64_t debug_tiles(const struct txl_debug *d);

/* ---- facts.c ---- */

void facts_listen(void *debug, const struct tx_event *event);
void facts_begin(struct txl_debug *d);
void facts_end(struct txl_debug *d);
/* Returns the index in the section of the n-th instruction issued, if it is word; else NO_PLACE. */
size_t place_of_number(const struct txl_debug *d, unsigned section, uint64_t n, uint32_t word);
/* Describes an instruction: "relu.s:30: sfpmad L3, L0, L1, L2, 0". */
const char *issue_text(const struct txl_debug *d, const struct fact_issue *issue, char *text,
                       size_t size);
txl_json *issue_json(const struct txl_debug *d, const struct fact_issue *issue);

/* ---- travel.c ---- */

enum step_kind {
    STEP_CYCLE,
    STEP_ISSUE,       /* any instruction that a unit receives, scheduled ones too */
    STEP_INSTRUCTION, /* an instruction of the selected thread, or of the selected core */
    STEP_LINE,
    STEP_ROW,
    STEP_TILE
};

enum stop_kind { STOP_STEP, STOP_POINT, STOP_END, STOP_BEGIN, STOP_INTERRUPT };

struct stop_at {
    enum stop_kind kind;
    unsigned point; /* number of the breakpoint */
    char what[256]; /* description of the event, or "" */
};

/* Runs one tick; returns false at the end of the run. */
bool travel_tick(struct txl_debug *d);
void travel_to(struct txl_debug *d, uint64_t tick);
/* Moves to the first moment of a cycle, or as close as possible. */
struct stop_at travel_to_cycle(struct txl_debug *d, uint64_t cycle);
struct stop_at travel_step(struct txl_debug *d, enum step_kind kind, uint64_t count);
struct stop_at travel_back(struct txl_debug *d, enum step_kind kind, uint64_t count);
struct stop_at travel_run(struct txl_debug *d);
struct stop_at travel_run_back(struct txl_debug *d);
/*
 * Finds what each thread issues next within the following ticks, without moving. Returns a bit for
 * each thread for which something was found.
 */
unsigned travel_peek(struct txl_debug *d, struct fact_issue next[TX_THREADS]);
/* Repeats ticks up to the given one, all of which have been run before, for a listener. */
void travel_again(struct txl_debug *d, uint64_t to, const struct tx_sink *sink);

#endif
