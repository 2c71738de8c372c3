/* SPDX-License-Identifier: Apache-2.0 */
/* Breakpoints and watchpoints. */
#ifndef LAB_DEBUG_POINTS_H
#define LAB_DEBUG_POINTS_H

#include "debug/target.h"

enum point_kind {
    POINT_WORD,     /* of a section */
    POINT_LINE,     /* of a file */
    POINT_MNEMONIC, /* of instructions, scheduled ones too */
    POINT_CYCLE,
    POINT_THREAD, /* any instruction of it */
    POINT_CORE,   /* a core comes to an address */
    POINT_FINDING,
    POINT_STALL,
    POINT_WATCH
};

enum watch_test { WATCH_CHANGE, WATCH_VALUE, WATCH_NAN, WATCH_DIFFERS };

enum { POINT_TEXT = 128, POINT_ADDRESSES = 32 };

struct point {
    unsigned number;
    enum point_kind kind;
    bool disabled, once;
    char text[POINT_TEXT]; /* as it was asked for */
    uint64_t hits;
    int thread; /* of instructions and stalls; -1: any */
    unsigned section;
    uint64_t at;           /* word, line, cycle */
    char name[POINT_TEXT]; /* file, rule, cause; "": any */
    const struct tx_insn *insn;
    unsigned cores; /* bit by enum tx_core */
    uint32_t addresses[TX_CORES][POINT_ADDRESSES];
    unsigned address_count[TX_CORES];
    /* a watchpoint */
    enum watch_test test;
    struct target target;
    uint32_t wanted;
    bool negated;        /* VALUE: it is no more */
    uint32_t *reference; /* DIFFERS */
    uint64_t reference_count;
    uint32_t *was; /* TARGET_MOST of them */
    unsigned count;
};

struct hit {
    const struct point *point;
    bool before;       /* it is what the tick has done: one stands before it */
    enum tx_core core; /* that has come to it; TX_CORES: none has */
    char what[256];
};

/* POINTS_STOOD: forwards, from where one has been standing: what the tick does is known. */
enum points_way { POINTS_FORWARDS, POINTS_STOOD, POINTS_BACK };
/* Behind a tick: the first of them that it meets. */
bool points_hit(struct txl_debug *d, enum points_way way, struct hit *hit);
/* From now on: whatever happened before is over. */
void points_anew(struct txl_debug *d);
/* After a stop there: its core is selected, and what is for once goes. */
void points_told(struct txl_debug *d, const struct hit *hit);
/* A new one; NULL: there are too many, or no memory, and err says so. */
struct point *point_add(struct txl_debug *d, enum point_kind kind, const char *text);
struct point *point_find(struct txl_debug *d, uint64_t number);
void point_delete(struct txl_debug *d, struct point *point);
void points_free(struct txl_debug *d);

#endif
