/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Patterns of idle cycles before words of .tile, as they occur when the scalar core falls behind.
 */
#ifndef LAB_GAPS_H
#define LAB_GAPS_H

#include "kernel/load.h"

enum gaps_kind {
    GAPS_NONE = 0,
    GAPS_SEED, /* a random 0 to 3 before each word, different for each tile */
    /*
     * The same number before every word: 1 in tile 0, 2 in tile 1, up to K and then again from 1.
     */
    GAPS_EACH,
    GAPS_AT, /* N cycles before word I only */
    GAPS_ALL /* search: single words, then pairs */
};

struct gaps {
    enum gaps_kind kind;
    uint64_t number; /* the seed, or the index of the word */
    uint32_t low, high;
};

/* Parses "seed=N", "each=1..K", "at=I:N" or "all=0..K"; returns false for anything else. */
bool gaps_parse(const char *text, struct gaps *gaps);
void gaps_fill(const struct gaps *gaps, uint64_t tile, uint32_t *out, size_t count);

#endif
