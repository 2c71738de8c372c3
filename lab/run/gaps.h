/* SPDX-License-Identifier: Apache-2.0 */
/* Idle cycles between the words of .tile, as a scalar core that falls behind leaves them. */
#ifndef LAB_GAPS_H
#define LAB_GAPS_H

#include "kernel/load.h"

enum gaps_kind {
    GAPS_NONE = 0,
    GAPS_SEED, /* 0 to 3 before each word, drawn for each tile */
    GAPS_EACH, /* the same before every word: 1 in tile 0, 2 in tile 1 ... K, then again */
    GAPS_AT,   /* N before word I */
    GAPS_ALL   /* search: single places, then pairs */
};

struct gaps {
    enum gaps_kind kind;
    uint64_t number; /* seed; or the word, counted from 0 */
    uint32_t low, high;
};

/* "seed=N", "each=1..K", "at=I:N", "all=0..K"; false where the text is none of them. */
bool gaps_parse(const char *text, struct gaps *gaps);
void gaps_fill(const struct gaps *gaps, uint64_t tile, uint32_t *out, size_t count);

#endif
