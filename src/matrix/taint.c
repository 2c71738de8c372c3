/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results that depend on cells of Src which nobody has written, or which are left from an earlier
 * hand-over (state/known.h). An operand that is zero makes a product zero, whatever the other one
 * is: kernels multiply what is left in a bank by zeros.
 */
#include "matrix/matrix.h"
#include "base/check.h"

bool matrix_may_taint(const struct matrix *x, uint64_t rows_a, uint64_t rows_b)
{
    uint64_t old[2];
    memcpy(old, x->old_taint, sizeof old);
    return ((known_bad_rows(x->known[SRC_A]) & rows_a) |
            (known_bad_rows(x->known[SRC_B]) & rows_b) | old[0] | old[1]) != 0;
}

/* Sets s->origin to the first bad row of these, if there is one. */
static bool origin_of(struct matrix *x, unsigned src, uint64_t rows)
{
    CHECK(src < 2, "a bad cell comes from SrcA or SrcB");
    const uint64_t bad = known_bad_rows(x->known[src]) & rows;
    for (unsigned row = 0; row < TX_SRC_ROWS; row++) {
        if ((bad >> row & 1u) != 0) {
            x->s->origin = known_origin(x->known[src], src, x->s->units.matrix_bank[src], row);
            return true;
        }
    }
    return false;
}

void matrix_taint(struct matrix *x, unsigned at, bool wide, uint32_t columns, uint64_t rows_a,
                  uint64_t rows_b)
{
    CHECK(at < TX_DST_ROWS, "a tainted row is one of Dst");
    if (columns != 0) {
        (void)(origin_of(x, SRC_A, rows_a) || origin_of(x, SRC_B, rows_b));
        dst_taint(x->s, at, columns, wide);
    }
}

uint32_t matrix_nonzero(const struct matrix *x, unsigned src, unsigned row)
{
    CHECK(src < 2, "cells that are not zero are of SrcA or SrcB");
    const uint32_t *cells = x->src[src][row & 63u];
    const uint32_t exponent = x->style == STYLE_FP16 ? 31u : 255u;
    uint32_t columns = 0;
    for (unsigned j = 0; j < 16; j++) {
        columns |= (uint32_t)((cells[j] & exponent) != 0) << j;
    }
    return src == SRC_B && x->zero_flag_off != 0 ? 0xFFFFu : columns;
}
