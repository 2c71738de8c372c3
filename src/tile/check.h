/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The build that checks itself, of a tile: what holds between two cycles, and that a tile which
 * sleeps is what it would be had it been awake. In other builds these functions are empty.
 */
#ifndef TX_TILE_CHECK_H
#define TX_TILE_CHECK_H

#include "tile/tile.h"

/* So many cycles of a sleep are gone through one by one. */
enum { TILE_CHECK_SLEEP = 256 };

#if defined(TX_CHECK)
void tile_check(const struct tx_tensix *t);
/* The coprocessor's next cycle, which is only counted, would have done nothing else. */
void tile_check_idle(struct tx_tensix *t);
/* "skip" makes up for so many cycles, which are no more than the tile sleeps from now on. */
void tile_check_sleep(struct tx_tensix *t, uint64_t cycles,
                      void (*skip)(struct tx_tensix *t, uint64_t cycles));
#else
static inline void tile_check(const struct tx_tensix *t)
{
    (void)t;
}
static inline void tile_check_idle(struct tx_tensix *t)
{
    (void)t;
}
static inline void tile_check_sleep(struct tx_tensix *t, uint64_t cycles,
                                    void (*skip)(struct tx_tensix *t, uint64_t cycles))
{
    (void)t, (void)cycles, (void)skip;
}
#endif

#endif
