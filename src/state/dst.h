/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dst: 1024 rows of 16 cells of 16 bits, seen as 16-bit or as 32-bit data. A 32-bit datum is two
 * cells eight rows apart, the high half first. Source: isa Dst 093af91; formats-and-scalar-unit.md
 * C.3.
 */
#ifndef TX_STATE_DST_H
#define TX_STATE_DST_H

#include "fmt/dst_rows.h"
#include "state/cfg.h"

/* The two address switches as one thread sees them; both absent on Wormhole. */
struct dst_view {
    bool remap, swizzle;
};

static inline struct dst_view dst_view(const struct tx_state *s, const struct cfg_places *p,
                                       unsigned thread)
{
    const struct dst_view view = {cfg_banked(s, p, thread, p->remap) != 0,
                                  cfg_banked(s, p, thread, p->swizzle) != 0};
    return view;
}

static inline bool dst_valid(const struct tx_state *s, unsigned row)
{
    return ((s->dst_valid[row >> 5] >> (row & 31u)) & 1u) != 0;
}

static inline void dst_set_valid(struct tx_state *s, unsigned row, bool valid)
{
    s->dst_valid[row >> 5] = bits_set(s->dst_valid[row >> 5], row & 31u, 1, valid ? 1u : 0u);
}

/* A row as pairs of cells, and where of a pair an even or odd column is: vectors know that. */
enum { DST_PAIRS = 8 };

static inline unsigned dst_pair_shift(unsigned column)
{
    const uint16_t order = 1;
    const bool little = *(const unsigned char *)&order == 1;
    return (column & 1u) == (little ? 1u : 0u) ? 16 : 0;
}

/* Writes a cell. A row that turns valid by it exposes old cells in its other columns (R13). */
static inline void dst_put(struct tx_state *s, unsigned row, unsigned column, uint32_t value)
{
    s->dst[row][column] = (uint16_t)value;
    s->dst_unknown[row] = (uint16_t)(s->dst_unknown[row] & ~(1u << column));
}

static inline void dst_mark(struct tx_state *s, unsigned row)
{
    if (!dst_valid(s, row)) {
        s->dst_unknown[row] = 0xFFFFu;
        dst_set_valid(s, row, true);
    }
}

#endif
