/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dst as the T cores of Blackhole access it: data in the format that RISC_DEST_ACCESS_CTRL chooses
 * for the thread are converted by the access. T0 and T1 access one datum at a time, T2 as many as
 * the access is wide. Rows that are not valid read as 0; an access does not wait for units that
 * write Dst. Source: isa Dst 093af91.
 */
#include "scalar/unit.h"
#include "base/check.h"
#include "state/dst.h"
#include "tile/tile.h"

enum { DST_BASE = REGION_BASE_DST, LEAST16 = 0x8000, LEAST8 = 0x80, SIGN16 = 0x8000 };
enum format { FP32, INT32, FP16, BF16, INT16, INT8, FORMATS };

struct window {
    uint32_t format;
    bool raw, is_unsigned;
    unsigned size; /* of a datum, in bytes */
    struct dst_view view;
};

/*
 * Determines how the core sees Dst. Returns false, after a finding, if an access of this width is
 * undefined for the format.
 */
static bool window_of(struct tx_tensix *t, unsigned who, const struct riscv_access *a,
                      struct window *w)
{
    static const uint8_t sizes[FORMATS] = {4, 4, 2, 2, 2, 1};
    const unsigned thread = tile_thread(who);
    const struct tile_dst_control *control = &t->dst_control[thread];
    const struct tx_state *s = &t->m->state;
    w->format = cfg_banked(s, t->m->places, thread, control->format);
    w->raw = cfg_banked(s, t->m->places, thread, control->raw) != 0;
    w->is_unsigned = cfg_banked(s, t->m->places, thread, control->is_unsigned) != 0;
    w->size = w->format < FORMATS ? sizes[w->format] : 0;
    w->view = dst_view(&t->m->state, t->m->places, thread);
    if (w->size == 0 || a->size < w->size || (a->size > w->size && who != RISCV_T2)) {
        tile_finding(t, who, TX_UNDEFINED_BEHAVIOR, EVIDENCE_TILE_DST,
                     "an access of %u bytes to Dst as format %u (RISC_DEST_ACCESS_CTRL); 0 is "
                     "loaded, nothing stored",
                     a->size, (unsigned)w->format);
        return false;
    }
    if ((a->address - DST_BASE) / w->size >= TX_DST_ROWS * 16u) {
        tile_finding(t, who, TX_UNDEFINED_BEHAVIOR, EVIDENCE_TILE_DST,
                     "an access behind the last row of Dst; 0 is loaded, nothing stored");
        return false;
    }
    return true;
}

/* Returns the two's complement of minus the magnitude; a -0 becomes 0. */
static uint32_t negative(uint32_t magnitude)
{
    return 0u - magnitude;
}

/* Converts a cell to the datum that a load returns. */
static uint32_t datum_of(const struct window *w, uint32_t cell)
{
    const bool natural = w->raw || w->is_unsigned;
    switch ((enum format)w->format) {
    case FP32:
    case INT32:
        if (!w->raw) {
            cell = (cell & 0x8000FFFFu) | (cell & 0x7F000000u) >> 8 | (cell & 0x00FF0000u) << 7;
        }
        return w->format == FP32 || w->raw || (cell & SIGN32) == 0 ? cell
                                                                   : negative(cell & 0x7FFFFFFFu);
    case FP16:
        return w->raw ? cell : (cell & SIGN16) | (cell & 0x7FE0u) >> 5 | (cell & 0x1Fu) << 10;
    case BF16:
        return w->raw ? cell : (cell & SIGN16) | (cell & 0x7F00u) >> 8 | (cell & 0xFFu) << 7;
    case INT16:
        return natural || (cell & SIGN16) == 0 ? cell : negative(cell & 0x7FFFu) & 0xFFFFu;
    default: /* INT8: the cell has ten bits of magnitude, of which the upper ones are dropped */
        return natural                ? cell >> 5 & 0xFFu
               : (cell & SIGN16) != 0 ? negative(cell >> 5 & 0x7Fu) & 0xFFu
                                      : cell >> 5 & 0x7Fu;
    }
}

/*
 * Converts a stored datum to a cell. The least integer has no sign-magnitude form: the next higher
 * one is stored.
 */
static uint32_t cell_of(const struct window *w, uint32_t v)
{
    const bool natural = w->raw || w->is_unsigned;
    switch ((enum format)w->format) {
    case FP32:
    case INT32:
        if (w->format == INT32 && !w->raw && (v & SIGN32) != 0) {
            v = SIGN32 | negative(v + (v == SIGN32 ? 1u : 0u));
        }
        return w->raw ? v : (v & 0x8000FFFFu) | (v & 0x7F800000u) >> 7 | (v & 0x007F0000u) << 8;
    case FP16:
        return w->raw ? v : (v & SIGN16) | (v & 0x7C00u) >> 10 | (v & 0x3FFu) << 5;
    case BF16:
        return w->raw ? v : (v & SIGN16) | (v & 0x7F80u) >> 7 | (v & 0x7Fu) << 8;
    case INT16:
        return natural || v < LEAST16 ? v
                                      : SIGN16 | (negative(v + (v == LEAST16 ? 1u : 0u)) & 0xFFFFu);
    default: /* INT8: negative values are converted wrongly, a documented hardware bug */
        if (natural || v < LEAST8) {
            return v << 5 | (v != 0 ? 16u : 0u);
        }
        return SIGN16 | ((0x180u - v - (v == LEAST8 ? 1u : 0u)) & 0xFFu) << 5 | 16u;
    }
}

static unsigned row_of(const struct window *w, uint32_t datum)
{
    return dst_row(datum / TX_DST_WIDTH, w->size == 4, &w->view);
}

static void dst_tell(struct tx_tensix *t, unsigned who, enum tx_order_kind kind,
                     const struct window *w, unsigned row, unsigned column)
{
    tile_tell(t, who, kind, TX_SHARED_DST, row, 1u << column);
    if (w->size == 4) {
        tile_tell(t, who, kind, TX_SHARED_DST, (row + 8) % TX_DST_ROWS, 1u << column);
    }
}

static enum riscv_answer dst_load(struct tx_tensix *t, unsigned who, struct riscv_access *a)
{
    CHECK(who >= RISCV_T0 && who <= RISCV_T2, "Dst is read by T cores");
    const struct tx_state *s = &t->m->state;
    struct window w;
    bool unknown = false;
    a->value = 0;
    if (!window_of(t, who, a, &w)) {
        return RISCV_DONE;
    }
    for (unsigned i = 0; i < a->size; i += w.size) {
        const uint32_t datum = (a->address + i - DST_BASE) / w.size;
        const unsigned row = row_of(&w, datum);
        const unsigned low = w.size == 4 ? row + 8 : row;
        const unsigned column = datum % TX_DST_WIDTH;
        uint32_t cell = 0;
        dst_tell(t, who, TX_ORDER_READ, &w, row, column);
        if (dst_valid(s, row)) {
            cell = s->dst[row][column];
            cell = w.size == 4 ? cell << 16 | s->dst[low][column] : cell;
            unknown = unknown || ((s->dst_unknown[row] | s->dst_unknown[low]) >> column & 1u) != 0;
        }
        a->value |= datum_of(&w, cell) << 8 * i;
    }
    if (unknown) {
        tile_finding(t, who, TX_UNPREDICTABLE_VALUE, EVIDENCE_TILE_DST,
                     "a core loads cells of Dst that were never written");
    }
    return RISCV_DONE;
}

static enum riscv_answer dst_store(struct tx_tensix *t, unsigned who, const struct riscv_access *a)
{
    CHECK(who >= RISCV_T0 && who <= RISCV_T2, "Dst is written by T cores");
    struct tx_state *s = &t->m->state;
    const struct tx_op op = {
        .row = ROWID_NONE, .number = s->index, .thread = (uint8_t)tile_thread(who)};
    struct window w;
    if (!window_of(t, who, a, &w)) {
        return RISCV_DONE;
    }
    for (unsigned i = 0; i < a->size; i += w.size) {
        const uint32_t datum = (a->address + i - DST_BASE) / w.size;
        const unsigned row = row_of(&w, datum);
        const uint32_t value = bits_get(a->value, 8 * i, 8 * w.size);
        dst_tell(t, who, TX_ORDER_WRITE, &w, row, datum % TX_DST_WIDTH);
        machine_changed(t->m, CHANGE_UNIT, row);
        unit_pack_row(t->m, &op, row, w.size == 4);
        dst_mark(s, row);
        dst_put_datum(s, row, datum % TX_DST_WIDTH, w.size == 4, cell_of(&w, value));
    }
    return RISCV_DONE;
}

const struct tile_page tile_dst = {dst_load, dst_store};
