/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "debug": a debugger of kernels and of a tile's programs that goes forwards and backwards. It
 * may use base, data, kernel, flow, shadow, run, tile, past and trace.
 *
 * What its files share: what is debugged, what happened in a step of its time, the way through it.
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

/*
 * ---- time ----
 *
 * A tick is a cycle, or the beginning of a kernel's tile, which takes none. Ticks are counted from
 * 0; so are cycles, as the machine counts them.
 */

enum debug_where { IN_INIT, IN_TILE, AT_END };

/* Why it does not go on. */
enum debug_end {
    END_NOT,
    END_OVER,  /* the last tile is done; every core rests */
    END_WORDS, /* of --until */
    END_FAULT,
    END_DEADLOCK,
    END_LIMIT,
    END_INPUT /* a tile's inputs cannot be read */
};

/* Where the run stands, beside the machine itself; saved with it. */
struct moment {
    uint64_t tick, parts; /* parts: beginnings of tiles among the ticks */
    uint64_t tile;        /* of a kernel */
    uint64_t begin;       /* tick in which the section began */
    uint64_t issued;      /* instructions before it */
    enum debug_where where;
    enum debug_end end;
    bool section_over;       /* the next tick begins the next tile */
    size_t next[TX_THREADS]; /* threads: words of the section before the one issued next */
    size_t last[TX_THREADS]; /* the word that was issued last, or NO_PLACE */
    struct tile_course course;
};

/* ---- what happened in a tick ---- */

enum { FACT_ISSUES = 16, FACT_WRITES = 96, FACT_STALLS = 6, FACT_STORES = 4 };
#define NO_PLACE SIZE_MAX

struct fact_issue {
    const struct tx_row *row;
    uint64_t number;
    size_t place; /* word of the section, or NO_PLACE */
    uint32_t word;
    uint8_t thread, unit;
    bool scheduled; /* by SFPLOADMACRO; number is that one's */
};

struct fact_write {
    uint64_t number, start;
    uint32_t word, lanes; /* lanes: of Dst, columns */
    uint16_t index;       /* LReg, row of Dst; of flags 0 */
    uint8_t kind;         /* TX_EVENT_WRITE_LREG ... */
    uint8_t thread, unit;
    bool scheduled;
};

/* An SFPSTORE has begun: its lanes, of which WRITE_DST does not tell. */
struct fact_store {
    uint64_t number;
    uint32_t lanes;
    bool scheduled;
};

struct fact_stall {
    const char *cause;
    uint32_t word;
    uint8_t thread;
};

struct facts {
    uint64_t tick, cycle;
    bool began;              /* a tile, and no cycle */
    size_t last[TX_THREADS]; /* as in struct moment, before it */
    unsigned issues, writes, stalls, findings;
    struct fact_issue issue[FACT_ISSUES];
    struct fact_write write[FACT_WRITES];
    struct fact_stall stall[FACT_STALLS];
    struct fact_store store[FACT_STORES]; /* the last of them, also of ticks before */
    unsigned stores;
    struct tx_finding finding; /* the last of them */
    struct tx_core_glance before[TX_CORES], after[TX_CORES];
};

/* ---- breakpoints and watchpoints: points.h ---- */

struct point;
enum { POINTS = 64 };

/* ---- the whole ---- */

struct txl_debug {
    struct txl_debug_options how;
    struct txl_error *err; /* of the command that is being done */
    char *path;            /* NULL: of no file */
    char *source;          /* what list shows; NULL: it cannot be read */
    size_t source_size;
    char *source_name; /* whose text that is; NULL: nobody has asked yet */

    /* a kernel */
    const struct tx_program *program; /* NULL: a tile */
    txl_run *run;
    tx_kernel *kernel;
    struct feed feed;
    uint32_t *issued[TX_SECTIONS]; /* places in the stream of what is issued, one after another */
    size_t issued_count[TX_SECTIONS];
    uint32_t values[TX_TILE_ELEMENTS];
    char message[400]; /* why it has ended */

    /* a tile */
    struct txl_tensix_options tile_options;
    txl_tensix *tensix;
    tx_tensix *tile;

    /* both */
    tx_machine *machine;
    enum tx_arch arch;
    enum tx_dst_format dst, out;
    struct moment now;
    struct facts facts;
    struct history past;
    struct tx_sink also; /* who else listens to what is run again */
    uint64_t again;      /* ticks that were run once more, since the beginning */
    void *scratch;       /* a checkpoint */
    struct ticker ticker;
    bool interrupted;

    struct point *points; /* POINTS of them */
    unsigned point_count, point_next;
    bool stood; /* a run does not stop again where it stands */
    int thread; /* selected; -1: all */
    enum tx_core core;
    char *last; /* the last command, for an empty line */
    bool ended;
    unsigned around; /* lines that list and disasm show before the next one; 0: the usual */
    unsigned width;  /* that answers should not exceed; 0: they may be as wide as they like */
    char completion[96];
};

/* ---- subject.c ---- */

int subject_open(struct txl_debug *d, const struct tx_program *program,
                 const struct txl_run_options *run);
int subject_open_tile(struct txl_debug *d, const struct txl_tensix_options *options);
void subject_close(struct txl_debug *d);
struct past_of subject_past(struct txl_debug *d);
uint64_t debug_cycle(const struct txl_debug *d);
/* The thread that is selected, else the one that runs the kernel, the core's, the math thread. */
unsigned debug_thread(const struct txl_debug *d);
/* The section that is under way. */
unsigned debug_section(const struct txl_debug *d);
/* File and line of a word of a section; 0: not known. */
unsigned debug_line(const struct txl_debug *d, unsigned section, size_t place, const char **file);
/* How many tiles; 0: nobody knows. */
uint64_t debug_tiles(const struct txl_debug *d);

/* ---- facts.c ---- */

void facts_listen(void *debug, const struct tx_event *event);
void facts_begin(struct txl_debug *d);
void facts_end(struct txl_debug *d);
/* Word of the current section, of the instruction with that number; or NO_PLACE. */
size_t place_of_number(const struct txl_debug *d, unsigned section, uint64_t n, uint32_t word);
/* "relu.s:30: sfpmad L3, L0, L1, L2, 0" */
const char *issue_text(const struct txl_debug *d, const struct fact_issue *issue, char *text,
                       size_t size);
txl_json *issue_json(const struct txl_debug *d, const struct fact_issue *issue);

/* ---- travel.c ---- */

enum step_kind {
    STEP_CYCLE,
    STEP_ISSUE,       /* whatever a unit is given, scheduled ones too */
    STEP_INSTRUCTION, /* of the selected thread; of a core where one is selected */
    STEP_LINE,
    STEP_ROW,
    STEP_TILE
};

enum stop_kind { STOP_STEP, STOP_POINT, STOP_END, STOP_BEGIN, STOP_INTERRUPT };

struct stop_at {
    enum stop_kind kind;
    unsigned point; /* its number */
    char what[256]; /* what has happened there, or "" */
};

/* One tick forwards; false: it has ended. */
bool travel_tick(struct txl_debug *d);
void travel_to(struct txl_debug *d, uint64_t tick);
/* To the first moment of a cycle, or as far as it goes. */
struct stop_at travel_to_cycle(struct txl_debug *d, uint64_t cycle);
struct stop_at travel_step(struct txl_debug *d, enum step_kind kind, uint64_t count);
struct stop_at travel_back(struct txl_debug *d, enum step_kind kind, uint64_t count);
struct stop_at travel_run(struct txl_debug *d);
struct stop_at travel_run_back(struct txl_debug *d);
/* What each thread issues next, within the next ticks; which of them there is, a bit each. */
unsigned travel_peek(struct txl_debug *d, struct fact_issue next[TX_THREADS]);
/* What has been run before, on to that tick, once more, for somebody who listens. */
void travel_again(struct txl_debug *d, uint64_t to, const struct tx_sink *sink);

#endif
