/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of Dst that a MOVx2D has written are not there for three cycles. Most readers are held so
 * long; ELWADD, ELWSUB and PACR are not and see what was there before: that is kept here. Source:
 * spec/matrix-unit.md 8, after isa MatrixUnit 1ae1f85; what an early read gives is inferred.
 */
#include "matrix/matrix.h"

#include <string.h>

static struct matrix_moved *moved_at(struct tx_state *s, uint64_t cycle)
{
    return &s->units.matrix.old[cycle % MATRIX_MOVE_CYCLES];
}

/* Keeps physical rows as they are before they are written. */
void matrix_keep(struct matrix *x, unsigned row, unsigned rows, bool wide)
{
    struct tx_state *s = x->s;
    struct matrix_moved *moved = moved_at(s, s->cycle);
    moved->cycle = s->cycle;
    moved->count = 0;
    for (unsigned i = 0; i < (wide ? 2 * rows : rows); i++) {
        const unsigned at =
            (matrix_physical(x, row + i % rows, wide) + (i < rows ? 0 : 8u)) % TX_DST_ROWS;
        struct matrix_old_row *old = &moved->row[moved->count++];
        old->at = (uint16_t)at;
        old->valid = dst_valid(s, at);
        memcpy(old->cells, s->dst[at], sizeof old->cells);
        old->unknown = s->dst_unknown[at];
        old->tainted = s->dst_tainted[at];
        old->given = s->dst_given[at];
        old->wide = s->dst_wide[at];
        old->narrow = s->dst_narrow[at];
    }
}

static void flip16(uint16_t *a, uint16_t *b)
{
    const uint16_t t = *a;
    *a = *b;
    *b = t;
}

/* Exchanges a row of Dst with its kept copy, flags included. */
static void flip_row(struct tx_state *s, struct matrix_old_row *old)
{
    const unsigned at = old->at % TX_DST_ROWS;
    const bool valid = dst_valid(s, at);
    for (unsigned i = 0; i < TX_DST_WIDTH; i++) {
        flip16(&s->dst[at][i], &old->cells[i]);
    }
    flip16(&s->dst_unknown[at], &old->unknown);
    flip16(&s->dst_tainted[at], &old->tainted);
    flip16(&s->dst_given[at], &old->given);
    flip16(&s->dst_wide[at], &old->wide);
    flip16(&s->dst_narrow[at], &old->narrow);
    dst_set_valid(s, at, old->valid != 0);
    old->valid = valid;
}

/*
 * Exchanges those of the given rows that a move has written "ago" cycles before. Returns whether
 * there are any.
 */
static bool flip_rows(struct tx_state *s, unsigned ago, const uint64_t rows[])
{
    struct matrix_moved *moved = moved_at(s, s->cycle - ago);
    bool any = false;
    if (s->cycle < ago || moved->cycle != s->cycle - ago) {
        return false;
    }
    for (unsigned i = 0; i < moved->count && i < MATRIX_MOVE_ROWS; i++) {
        const unsigned at = moved->row[i].at % TX_DST_ROWS;
        if ((rows[at / 64] >> at % 64 & 1u) != 0) {
            flip_row(s, &moved->row[i]);
            any = true;
        }
    }
    return any;
}

bool unit_matrix_see_old(struct tx_machine *m, const struct tx_op *op, const uint64_t rows[])
{
    bool any = false;
    for (unsigned ago = 1; ago < MATRIX_MOVE_CYCLES; ago++) {
        any = flip_rows(&m->state, ago, rows) || any;
    }
    if (any) {
        machine_finding(m, TX_HAZARD, evidence_get(EVIDENCE_E_MOVEDST)->id, op, 0,
                        "%s reads rows of Dst to which a move has gone less than four cycles "
                        "before: it sees what was there",
                        isa_row((enum isa_row_id)op->row)->text.mnemonic);
    }
    return any;
}

void unit_matrix_see_new(struct tx_machine *m, const uint64_t rows[])
{
    for (unsigned ago = MATRIX_MOVE_CYCLES - 1; ago > 0; ago--) {
        (void)flip_rows(&m->state, ago, rows);
    }
}
