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

/* The address switches of Dst as a thread sees them; Wormhole has neither remap nor swizzle. */
struct dst_view {
    bool remap, swizzle;
    bool high; /* a 16-bit datum is the upper half of a 32-bit one (DBG_FEATURE_DISABLE bit 11) */
};

static inline struct dst_view dst_view(const struct tx_state *s, const struct cfg_places *p,
                                       unsigned thread)
{
    const unsigned bank = cfg_bank(s, p, thread);
    const struct dst_view view = {cfg_in_bank(s, bank, p->remap) != 0,
                                  cfg_in_bank(s, bank, p->swizzle) != 0, s->dst16_high != 0};
    return view;
}

/* Returns the physical row of a 16-bit datum, or of the high half of a 32-bit one. */
static inline unsigned dst_row(unsigned logical, bool wide, const struct dst_view *view)
{
    return wide || view->high ? dst_adj32(logical, view->remap, view->swizzle)
                              : dst_adj16(logical, view->remap);
}

static inline bool dst_valid(const struct tx_state *s, unsigned row)
{
    return ((s->dst_valid[row >> 5] >> (row & 31u)) & 1u) != 0;
}

static inline void dst_set_valid(struct tx_state *s, unsigned row, bool valid)
{
    s->dst_valid[row >> 5] = bits_set(s->dst_valid[row >> 5], row & 31u, 1, valid ? 1u : 0u);
}

/*
 * A row taken as pairs of cells, and the shift of an even or odd column within its pair: how vector
 * instructions of the host load them.
 */
enum { DST_PAIRS = 8 };

static inline unsigned dst_pair_shift(unsigned column)
{
    const uint16_t order = 1;
    const bool little = *(const unsigned char *)&order == 1;
    return (column & 1u) == (little ? 1u : 0u) ? 16 : 0;
}

/* Writes a cell. A row that becomes valid by this exposes old cells in its other columns (R13). */
static inline void dst_put(struct tx_state *s, unsigned row, unsigned column, uint32_t value)
{
    s->dst[row][column] = (uint16_t)value;
    s->dst_unknown[row] = (uint16_t)(s->dst_unknown[row] & ~(1u << column));
}

static inline void dst_mark(struct tx_state *s, unsigned row)
{
    if (!dst_valid(s, row)) {
        s->dst_unknown[row] = 0xFFFFu;
        s->dst_tainted[row] = 0;
        dst_set_valid(s, row, true);
    }
}

/* Forgets, for the given columns (bit per column), in which view and by whom cells were written. */
static inline void dst_forget(struct tx_state *s, unsigned row, uint32_t columns)
{
    const uint16_t others = (uint16_t)~columns;
    s->dst_given[row] &= others;
    s->dst_wide[row] &= others;
    s->dst_narrow[row] &= others;
}

/*
 * Records in which view data were written. If bit 11 of DBG_FEATURE_DISABLE makes a 16-bit datum
 * the upper half of a 32-bit one, the lower half is unpredictable afterwards (isa Dst 093af91):
 * here it keeps its value and becomes unknown.
 */
static inline void dst_written(struct tx_state *s, unsigned row, uint32_t columns, bool wide)
{
    const unsigned low = (row + 8) % TX_DST_ROWS;
    dst_forget(s, row, columns);
    if (wide) {
        dst_forget(s, low, columns);
        s->dst_wide[row] |= (uint16_t)columns;
        s->dst_wide[low] |= (uint16_t)columns;
        return;
    }
    s->dst_narrow[row] |= (uint16_t)columns;
    if (s->dst16_high != 0) {
        s->dst_unknown[low] |= (uint16_t)columns;
        s->dst_tainted[low] &= (uint16_t)~columns;
    }
}

/* States that cells just written depend on bad cells of Src. A wide row has its low halves, too. */
static inline void dst_taint(struct tx_state *s, unsigned row, uint32_t columns, bool wide)
{
    for (unsigned i = 0; i < (wide ? 2u : 1u); i++) {
        const unsigned at = (row + 8 * i) % TX_DST_ROWS;
        s->dst_tainted[at] = (uint16_t)((s->dst_tainted[at] & s->dst_unknown[at]) | columns);
        s->dst_unknown[at] |= (uint16_t)columns;
        s->dst_origin[at] = s->origin;
    }
    s->tainted = 1;
}

/* Returns the tainted columns of a row. */
static inline uint32_t dst_taint_of(const struct tx_state *s, unsigned row)
{
    return s->dst_tainted[row] & s->dst_unknown[row];
}

static inline void dst_put_datum(struct tx_state *s, unsigned row, unsigned column, bool wide,
                                 uint32_t cell)
{
    dst_put(s, row, column, wide ? cell >> 16 : cell & 0xFFFFu);
    if (wide) {
        dst_put(s, (row + 8) % TX_DST_ROWS, column, cell & 0xFFFFu);
    }
    dst_written(s, row, 1u << column, wide);
}

/*
 * Writes the columns given as bits of one physical row (32-bit data: the row of the high halves),
 * makes the row valid, and reports it. Used by the Matrix Unit and the unpackers.
 */
void dst_store_row(struct tx_machine *m, const struct tx_op *op, unsigned at, bool wide,
                   const uint32_t cells[16], uint32_t columns);
/* Marks and reports whole rows whose cells are already written: at[0], at[step], ... */
void dst_stored_rows(struct tx_machine *m, const struct tx_op *op, const unsigned at[],
                     unsigned rows, unsigned step, bool wide);

/* Says which row of Src a row of Dst owes its taint to, and returns text. */
enum { DST_ORIGIN_TEXT = 200 };
const char *dst_origin_text(const struct tx_state *s, unsigned row, char text[DST_ORIGIN_TEXT]);

#endif
