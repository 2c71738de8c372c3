/* SPDX-License-Identifier: Apache-2.0 */
/* Breakpoints and watchpoints. */
#ifndef LAB_DEBUG_POINTS_H
#define LAB_DEBUG_POINTS_H

#include "debug/target.h"

enum point_kind {
    POINT_WORD,     /* a word of a section */
    POINT_LINE,     /* a line of a file */
    POINT_MNEMONIC, /* an instruction by mnemonic, scheduled ones too */
    POINT_CYCLE,
    POINT_THREAD, /* any instruction of a thread */
    POINT_CORE,   /* a core arrives at an address */
    POINT_FINDING,
    POINT_STALL,
    POINT_RACE, /* a cycle in which races are */
    POINT_WATCH
};

enum watch_test { WATCH_CHANGE, WATCH_VALUE, WATCH_NAN, WATCH_DIFFERS };

enum { POINT_TEXT = 128, POINT_ADDRESSES = 32 };

struct point {
    unsigned number;
    enum point_kind kind;
    bool disabled, once;
    char text[POINT_TEXT]; /* as the user wrote it */
    uint64_t hits;
    int thread; /* for instructions and stalls; -1: any */
    unsigned section;
    uint64_t at;           /* word, line or cycle */
    char name[POINT_TEXT]; /* file, rule or cause; "": any */
    const struct tx_insn *insn;
    unsigned cores; /* bits by enum tx_core */
    uint32_t addresses[TX_CORES][POINT_ADDRESSES];
    unsigned address_count[TX_CORES];
    /* ---- watchpoints only ---- */
    enum watch_test test;
    struct target target;
    uint32_t wanted;
    bool negated;        /* VALUE: stop where it differs from wanted */
    uint32_t *reference; /* for DIFFERS */
    uint64_t reference_count;
    uint32_t *was; /* last values seen, room for TARGET_MOST */
    unsigned count;
};

/* A point that was met. */
struct hit {
    const struct point *point;
    bool before;       /* the stop is before the tick that met it */
    enum tx_core core; /* the core that has arrived; TX_CORES: none */
    char what[256];
};

/*
 * How points are checked. POINTS_STOOD: forwards from a position where the run has already stopped,
 * so that points before this tick do not count again.
 */
enum points_way { POINTS_FORWARDS, POINTS_STOOD, POINTS_BACK };
/* Checks all points after a tick. Returns the first that is met in *hit, or false. */
bool points_hit(struct txl_debug *d, enum points_way way, struct hit *hit);
/* Forgets earlier values, after a jump in time. */
void points_anew(struct txl_debug *d);
/* Handles a stop at a point: selects its core, and deletes it if it is temporary. */
void points_told(struct txl_debug *d, const struct hit *hit);
/* Adds a point. NULL, with err set: there are too many, or no memory. */
struct point *point_add(struct txl_debug *d, enum point_kind kind, const char *text);
struct point *point_find(struct txl_debug *d, uint64_t number);
void point_delete(struct txl_debug *d, struct point *point);
void points_free(struct txl_debug *d);

#endif
