/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GMPOOL, and MPOOL3Sx of an older chip: column maxima. Source: spec/matrix-unit.md 7.5, after the
 * model of isa GMPOOL 1ae1f85; what the vendor's simulator takes of it agrees.
 */
#include "matrix/matrix.h"
#include "base/check.h"
#include "state/order.h"

#define ID(name) evidence_get(EVIDENCE_##name)->id

/* The type of a Dst cell, by which it is read and written. */
enum kind { KIND_FP16, KIND_BF16, KIND_TF32, KIND_INT32 };

/* Sign, an exponent wide enough for sums of two, fraction or magnitude. */
struct datum {
    uint32_t s, x, f;
};

static int32_t order(struct datum d)
{
    const int32_t magnitude = (int32_t)(d.x * 1024 + d.f);
    return d.s != 0 ? -magnitude : magnitude;
}

static enum kind kind_of(const struct matrix *x, bool argmax)
{
    const bool wide = x->wide != 0;
    if (x->force != 0) {
        return KIND_FP16;
    }
    switch ((enum matrix_style)x->style) {
    case STYLE_INT8:
        return KIND_INT32;
    case STYLE_TF32:
        return argmax ? KIND_INT32 : wide ? KIND_TF32 : KIND_BF16;
    case STYLE_FP16:
        return argmax && wide ? KIND_FP16 : wide ? KIND_TF32 : KIND_FP16;
    default:
        return argmax && wide ? KIND_BF16 : wide ? KIND_TF32 : KIND_BF16;
    }
}

/*
 * Returns the maximum to start with, from the old cell. w: its bits; a 16-bit cell is the high
 * half.
 */
static struct datum read_old(enum kind kind, uint32_t w)
{
    struct datum d = {w >> 31, 0, 0};
    switch (kind) {
    case KIND_INT32:
        d.f = w & 0x3FFu;
        d.x = (w >> 24 & 7u) << 6 | (w >> 10 & 0x3Fu);
        break;
    case KIND_FP16:
        d.x = (w >> 16 & 31u) + 15;
        d.f = w >> 21 & 0x3FFu;
        break;
    case KIND_TF32:
    case KIND_BF16:
        d.x = (w >> 16 & 255u) + 127;
        d.f = (w >> 24 & 0x7Fu) << 3 | (kind == KIND_TF32 ? w >> 13 & 7u : 0u);
        break;
    }
    return d;
}

/* Returns the bits of the new cell; 16-bit Dst takes the high half. */
static uint32_t write_new(enum kind kind, struct datum d)
{
    switch (kind) {
    case KIND_INT32:
        return d.s << 31 | (d.x & 7u) << 10 | d.f;
    case KIND_FP16:
        return (d.x & 63u) == 0 ? 0 : d.s << 31 | d.f << 21 | ((d.x - 15) & 31u) << 16;
    default:
        return d.x == 0 ? 0
                        : d.s << 31 | d.f >> 3 << 24 | ((d.x - 127) & 255u) << 16 |
                              (kind == KIND_TF32 ? (d.f & 7u) << 13 : 0u);
    }
}

/*
 * Returns a cell of SrcA scaled by the cell of SrcB for its row; the lowest value if the latter is
 * zero.
 */
static struct datum scaled(const struct matrix *x, uint32_t a, uint32_t b)
{
    static const struct datum lowest = {1, 0x1FF, 0x3FF}, zero = {0, 0, 0};
    if ((b & 0xFFu) == 0) {
        return lowest;
    }
    if ((a & 0xFFu) == 0) {
        return zero;
    }
    struct datum d = {a >> 18, 0, a >> 8 & 0x3FFu};
    switch ((enum matrix_style)x->style) {
    case STYLE_INT8:
        break;
    case STYLE_FP16:
        d.x = (a & 31u) + (b & 31u);
        break;
    case STYLE_TF32:
        d.x = (a & 255u) + (b & 255u);
        break;
    case STYLE_BF16:
        d.x = (a & 255u) + (b & 255u);
        d.f &= 0x3F8u;
        break;
    }
    return d;
}

struct pool {
    enum kind kind;
    bool argmax, zero_a;
    unsigned a, b;
};

/*
 * Returns the bits of the new cell of a column; argmax: with the index of the row that has the
 * maximum.
 */
static uint32_t column_maximum(const struct matrix *x, const struct pool *k, unsigned column,
                               uint32_t w)
{
    CHECK(column < 16, "a maximum is one of sixteen columns");
    static const uint8_t rows[16] = {4, 5, 6, 7, 0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15};
    static const uint8_t places[8] = {0, 3, 6, 1, 4, 7, 2, 5};
    struct datum best = read_old(k->kind, w);
    const uint32_t position = (w + 0x100u) & 0xF00u;
    uint32_t index = w & 0xFFu;
    for (unsigned n = 0; n < 16; n++) {
        const unsigned i = rows[n];
        const uint32_t a =
            k->zero_a ? 0 : matrix_truncate(x, SRC_A, x->src[SRC_A][k->a + i][column]);
        const struct datum d = scaled(x, a, matrix_truncate(x, SRC_B, x->src[SRC_B][k->b][i]));
        if (order(d) >= order(best)) {
            best = d;
            index = i < 8 ? position >> 4 | places[i] : index;
        }
    }
    const uint32_t value = write_new(k->kind, best);
    if (!k->argmax) {
        return value;
    }
    return (k->kind == KIND_INT32 ? 0u : value) | position | index;
}

static void pool(struct matrix *x, const struct pool *k, unsigned row)
{
    const bool wide = x->wide != 0;
    uint32_t cells[4][16] = {{0}};
    unsigned at[4];
    matrix_places(x, row, 4, wide, at);
    matrix_check_settings(x);
    matrix_check_rows(x, at, k->argmax && wide ? 4 : 1, wide);
    for (unsigned j = 0; j < 16; j++) {
        const uint32_t old = matrix_load(x, row, j, wide, wide ? 0xFFFFFFFFu : 0xFFFFu);
        const bool valid = dst_valid(x->s, matrix_physical(x, row, wide));
        const uint32_t w = wide ? old : old << 16 | (valid ? 0u : 0xFFFFu);
        const uint32_t value = column_maximum(x, k, j, w);
        cells[0][j] = wide ? value : value >> 16;
        for (unsigned i = 1; i < 4 && k->argmax && wide; i++) {
            cells[i][j] = (matrix_load(x, row + i, j, true, 0xFFFFFFFFu) + 0x100u) & 0xF00u;
        }
    }
    for (unsigned i = 0; i < 4; i++) {
        matrix_store_row(x, row + i, wide, cells[i], 0xFFFFu);
    }
    const uint64_t rows_a = k->zero_a ? 0 : known_row_bits(k->a, 16);
    const uint64_t rows_b = known_row_bits(k->b, 1);
    if (matrix_may_taint(x, rows_a, rows_b)) {
        uint32_t columns = known_bad(x->known[SRC_B], k->b) != 0 ? 0xFFFFu : x->old_taint[0];
        for (unsigned n = 0; !k->zero_a && n < 16; n++) {
            const bool scales = (matrix_nonzero(x, SRC_B, k->b) >> n & 1u) != 0;
            columns |= scales ? known_bad(x->known[SRC_A], k->a + n) : 0;
        }
        matrix_taint(x, at[0], wide, columns, rows_a, rows_b);
    }
    matrix_occupies(x, row, 4, wide, at);
    order_src(x->m, x->op, false, SRC_B, k->b, 8);
    matrix_reads_srca(x, k->a, 16);
    matrix_finish(x);
}

static void check_pool(struct matrix *x, unsigned row)
{
    if ((row & 3u) != 0 || (x->rwc->srca & 15u) != 0 || (x->rwc->srcb & 7u) != 0) {
        machine_finding(x->m, TX_UNSUPPORTED, ID(M8), x->op, 0,
                        "%s at a row that is no multiple of its block: low bits are dropped",
                        isa_row((enum isa_row_id)x->op->row)->text.mnemonic);
    }
    if (x->style == STYLE_FP16 && x->wide != 0) {
        machine_finding(x->m, TX_MISSING_SPECIFICATION, ID(M10), x->op, 0,
                        "%s of FP16 data into 32-bit Dst: the documented model gives no usable "
                        "exponent",
                        isa_row((enum isa_row_id)x->op->row)->text.mnemonic);
    }
}

void unit_gmpool(struct tx_machine *m, const struct tx_op *op)
{
    struct matrix x;
    matrix_open(&x, m, op, IMPLIED_EACH);
    const unsigned row = matrix_dst_row(&x, op->imm);
    const bool argmax = unit_field(op, FLD_ARGMAX) != 0;
    const struct pool k = {.kind = kind_of(&x, argmax),
                           .argmax = argmax,
                           .a = x.rwc->srca & 0x30u,
                           .b = x.rwc->srcb & 0x38u};
    if (unit_field(op, FLD_DIM) == 0) {
        machine_finding(m, TX_UNSUPPORTED, ID(E_MATRIX), op, 0,
                        "GMPOOL with bit 19 clear is taken for the 16x16 form");
    }
    check_pool(&x, row);
    pool(&x, &k, row & 0x3FCu);
}

void unit_legacy_max(struct tx_machine *m, const struct tx_op *op)
{
    struct matrix x;
    matrix_open(&x, m, op, IMPLIED_EACH);
    const unsigned row = matrix_dst_row(&x, op->imm);
    const bool argmax = unit_field(op, FLD_ARGMAX) != 0;
    const struct pool k = {.kind = kind_of(&x, argmax),
                           .argmax = argmax,
                           .zero_a = true,
                           .a = x.rwc->srca & 0x30u,
                           .b = x.rwc->srcb & 0x38u};
    machine_finding(m, TX_NON_CONTRACTUAL_BEHAVIOR, ID(M11), op, 0,
                    "%s is left from an older chip: taken for GMPOOL with SrcA zero",
                    isa_row((enum isa_row_id)op->row)->text.mnemonic);
    check_pool(&x, row);
    pool(&x, &k, row & 0x3FCu);
}
