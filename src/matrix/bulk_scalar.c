/* SPDX-License-Identifier: Apache-2.0 */
/* The reference: cell by cell, as exact.h and spec/matrix-unit.md 5.4, 7.4 have it. */
#include "fmt/src_cell.h"
#include "matrix/bulk.h"
#include "num/dst_cell.h"

/*
 * A cell as the multiplier takes it: an exponent field of 0 makes it zero. With the zero flag off
 * SrcB is not flushed, and only in a sum is its all-zero word still zero (M7): the word that is
 * added, so that of a difference with its sign inverted (ttsim 1.10.0).
 */
static struct exact_operand operand(const struct bulk *b, bool from_b, uint32_t cell)
{
    const struct exact_operand zero = {0, 0, 0, 0};
    const bool sum = b->job == JOB_ADD || b->job == JOB_SUBTRACT;
    const uint32_t c = cell & (from_b ? b->mask_b : b->mask_a);
    const uint8_t exponent = (uint8_t)(c & (b->kind.exp8 != 0 ? 255u : 31u));
    const bool keep = from_b && b->keep_b != 0 && !(sum && c == bulk_no_addend(b));
    if (exponent == 0 && !keep) {
        return zero;
    }
    const struct exact_operand o = {(uint8_t)(c >> 18), 1, exponent, (uint16_t)(c >> 8 & 0x3FFu)};
    return o;
}

/* The operands of a block, read once. */
struct operands {
    struct exact_operand a[16][16], b[BULK_ROWS][16];
};

static void read_operands(const struct bulk *b, struct operands *o)
{
    for (unsigned i = 0; i < (b->job == JOB_PRODUCTS ? 16u : b->rows); i++) {
        for (unsigned j = 0; j < 16; j++) {
            o->a[i][j] = operand(b, false, b->a[i][j]);
        }
    }
    for (unsigned i = 0; i < b->rows; i++) {
        for (unsigned j = 0; j < 16; j++) {
            o->b[i][j] = operand(b, true, b->b[i][b->column0 != 0 ? 0 : j]);
            o->b[i][j].sign ^= b->job == JOB_SUBTRACT && o->b[i][j].one != 0;
        }
    }
}

static uint32_t float_cell(const struct bulk *b, const struct operands *o, unsigned row,
                           unsigned column, uint32_t old)
{
    const struct exact_kind *kind = &b->kind;
    const struct exact_term none = {0, 0};
    struct exact_term p[16];
    switch (b->job) {
    case JOB_PRODUCTS:
        for (unsigned i = 0; i < 16; i++) {
            p[i] = exact_product(kind, o->a[i][column], o->b[row][i]);
        }
        return exact_accumulate(kind, exact_group(p), exact_group(p + 8), old);
    case JOB_MULTIPLY:
        p[0] = exact_single(kind, o->a[row][column], o->b[row][column]);
        return exact_accumulate(kind, p[0], none, old);
    case JOB_ADD:
    case JOB_SUBTRACT:
        p[0] = exact_sum(kind, o->a[row][column], o->b[row][column]);
        return exact_accumulate(kind, p[0], none, old);
    default: /* JOB_NOTHING */
        return exact_accumulate(kind, none, none, old);
    }
}

/* An integer "8": sign and ten magnitude bits; the low byte of the cell is 16, or 0 for zero. */
static int32_t integer(bool keep, uint32_t cell, uint32_t mask)
{
    const int32_t magnitude = (int32_t)(cell >> 8 & 0x3FFu & mask);
    return (cell & 0xFFu) == 0 && !keep ? 0 : (cell >> 18) != 0 ? -magnitude : magnitude;
}

static uint32_t saturate(int64_t v)
{
    const int64_t limit = INT64_C(0x7FFFFFFF);
    const int64_t w = v > limit ? limit : v < -limit ? -limit : v;
    return w < 0 ? SIGN32 | (uint32_t)-w : (uint32_t)w;
}

static uint32_t integer_cell(const struct bulk *b, unsigned row, unsigned column, uint32_t old)
{
    const bool multiply = b->job == JOB_PRODUCTS || b->job == JOB_MULTIPLY;
    const uint32_t mask_a = !multiply ? 0x3FFu : (b->kind.phase & 1u) != 0 ? 0x1Fu : 0xE0u;
    const uint32_t mask_b = !multiply ? 0x3FFu : (b->kind.phase & 2u) != 0 ? 0x0Fu : 0x3F0u;
    const bool keep = b->keep_b != 0;
    int64_t sum = 0;
    if (b->job == JOB_PRODUCTS) {
        for (unsigned i = 0; i < 16; i++) {
            sum += integer(false, b->a[i][column], mask_a) * integer(keep, b->b[row][i], mask_b);
        }
    } else if (b->job != JOB_NOTHING) {
        const int32_t va = integer(false, b->a[row][column], mask_a);
        const int32_t vb = integer(keep, b->b[row][b->column0 != 0 ? 0 : column], mask_b);
        sum = b->job == JOB_MULTIPLY ? va * vb : b->job == JOB_ADD ? va + vb : va - vb;
    }
    const int64_t before = (int64_t)(old & ~SIGN32);
    return saturate(sum + ((old & SIGN32) != 0 ? -before : before));
}

/* Convert between the plain order of the Dst type and the stored cell. */
static uint32_t from_cell(const struct exact_kind *kind, uint32_t cell)
{
    return kind->wide != 0   ? fp32_from_cell(cell)
           : kind->exp8 != 0 ? bf16_from_cell(cell)
                             : fp16_from_cell(cell);
}

static uint32_t to_cell(const struct exact_kind *kind, uint32_t value)
{
    return kind->wide != 0   ? fp32_to_cell(value)
           : kind->exp8 != 0 ? bf16_to_cell(value)
                             : fp16_to_cell(value);
}

static void scalar_block(const struct bulk *b)
{
    struct operands o;
    if (b->job != JOB_NOTHING && b->integer == 0) {
        read_operands(b, &o);
    }
    for (unsigned i = 0; i < b->rows; i++) {
        for (unsigned j = 0; j < 16; j++) {
            const bool wide = b->kind.wide != 0;
            const uint32_t cell =
                wide ? (uint32_t)b->old[i][0][j] << 16 | b->old[i][1][j] : b->old[i][0][j];
            const uint32_t old = from_cell(&b->kind, cell);
            const uint32_t now = to_cell(&b->kind, b->integer != 0 ? integer_cell(b, i, j, old)
                                                                   : float_cell(b, &o, i, j, old));
            b->now[i][0][j] = (uint16_t)(wide ? now >> 16 : now);
            if (wide) {
                b->now[i][1][j] = (uint16_t)now;
            }
        }
    }
}

static void scalar_move(const struct bulk_move *v, uint16_t *to)
{
    for (unsigned j = 0; j < 16; j++) {
        const uint32_t c = v->zero_flag ? src_zero_flag(v->from[j]) : v->from[j];
        to[j] = (uint16_t)(v->exponent8 ? src_to_dst8(c & v->kept) : src_to_dst5(c & v->kept));
    }
}

const struct matrix_level matrix_scalar = {"scalar", scalar_block, scalar_move};
