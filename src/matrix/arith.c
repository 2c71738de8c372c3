/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MVMUL, DOTPV, GAPOOL, ELWMUL, ELWADD, ELWSUB, and the old convolutions, which add zero. Source:
 * spec/matrix-unit.md 6, 7.1 to 7.4, 7.10; isa MVMUL, ELWMUL, ELWADD.
 */
#include "matrix/matrix.h"

#define ID(name) evidence_get(EVIDENCE_##name)->id

/* Sum, or two groups, and how they meet the old value. */
enum job { JOB_PRODUCTS, JOB_MULTIPLY, JOB_ADD, JOB_SUBTRACT, JOB_NOTHING };

/* The rows an instruction works on. */
struct block {
    unsigned dst, rows, step;
    unsigned a, b;
    bool one_b; /* every Dst row takes the same SrcB row */
    bool column0;
    bool replace;
};

/* The operands of a block, read once. */
struct operands {
    struct exact_operand a[16][16], b[8][16];
};

/* ---- operands ---- */

/*
 * A cell as the multiplier takes it: an exponent field of 0 makes it zero. With the zero flag off
 * SrcB is not flushed, and only in a sum is its all-zero word still zero (M7).
 */
static struct exact_operand operand(const struct matrix *x, unsigned src, bool sum, uint32_t cell)
{
    const struct exact_operand zero = {0, 0, 0, 0};
    const uint32_t c = matrix_truncate(x, src, cell);
    const uint8_t exponent = (uint8_t)(c & (x->style == STYLE_FP16 ? 31u : 255u));
    const bool keep = src == SRC_B && x->zero_flag_off != 0 &&
                      !machine_rule(x->m, RULE_ZERO_FLAG_MATH) && !(sum && c == 0);
    if (exponent == 0 && !keep) {
        return zero;
    }
    const struct exact_operand o = {(uint8_t)(c >> 18), 1, exponent, (uint16_t)(c >> 8 & 0x3FFu)};
    return o;
}

static void read_operands(const struct matrix *x, enum job job, const struct block *k,
                          struct operands *o)
{
    const bool sum = job == JOB_ADD || job == JOB_SUBTRACT;
    const unsigned rows_a = job == JOB_PRODUCTS ? 16 : k->rows;
    for (unsigned i = 0; i < rows_a; i++) {
        for (unsigned j = 0; j < 16; j++) {
            o->a[i][j] = operand(x, SRC_A, sum, x->src[SRC_A][(k->a + i) & 63u][j]);
        }
    }
    for (unsigned i = 0; i < k->rows; i++) {
        const uint32_t *from = x->src[SRC_B][(k->b + (k->one_b ? 0 : i)) & 63u];
        for (unsigned j = 0; j < 16; j++) {
            o->b[i][j] = operand(x, SRC_B, sum, from[k->column0 ? 0 : j]);
            o->b[i][j].sign ^= job == JOB_SUBTRACT && o->b[i][j].one != 0;
        }
    }
}

/* An integer "8": sign and ten magnitude bits; the low byte of the cell is 16, or 0 for zero. */
static int32_t integer(const struct matrix *x, unsigned src, uint32_t cell, uint32_t mask)
{
    const bool keep = src == SRC_B && x->zero_flag_off != 0;
    const int32_t magnitude = (int32_t)(cell >> 8 & 0x3FFu & mask);
    return (cell & 0xFFu) == 0 && !keep ? 0 : (cell >> 18) != 0 ? -magnitude : magnitude;
}

static void check_cells(struct matrix *x, const struct block *k, bool products)
{
    const unsigned rows_a = products ? 16 : k->rows;
    for (unsigned src = 0; src < 2; src++) {
        const unsigned first = src == SRC_A ? k->a : k->b;
        const unsigned rows = src == SRC_A ? rows_a : k->one_b ? 1 : k->rows;
        for (unsigned i = 0; i < rows; i++) {
            for (unsigned j = 0; j < 16; j++) {
                const uint32_t low = x->src[src][(first + i) & 63u][j] & 0xFFu;
                const bool wrong = x->style == STYLE_INT8 ? low != 0 && low != 16
                                                          : x->style == STYLE_FP16 && low > 31;
                if (wrong) {
                    machine_finding(x->m, TX_UNSUPPORTED, ID(E_MATRIX), x->op, 0,
                                    "%s reads a cell of Src%c that is no %s",
                                    isa_row((enum isa_row_id)x->op->row)->text.mnemonic,
                                    src == SRC_A ? 'A' : 'B',
                                    x->style == STYLE_INT8 ? "integer" : "FP16");
                    return;
                }
            }
        }
    }
}

/* ---- one cell ---- */

static uint32_t saturate(int64_t v)
{
    const int64_t limit = INT64_C(0x7FFFFFFF);
    const int64_t w = v > limit ? limit : v < -limit ? -limit : v;
    return w < 0 ? SIGN32 | (uint32_t)-w : (uint32_t)w;
}

static uint32_t integer_cell(const struct matrix *x, enum job job, const struct block *k,
                             unsigned row, unsigned column, uint32_t old)
{
    const bool multiply = job == JOB_PRODUCTS || job == JOB_MULTIPLY;
    const uint32_t mask_a = !multiply ? 0x3FFu : (x->phase & 1u) != 0 ? 0x1Fu : 0xE0u;
    const uint32_t mask_b = !multiply ? 0x3FFu : (x->phase & 2u) != 0 ? 0x0Fu : 0x3F0u;
    const uint32_t *b = x->src[SRC_B][(k->b + (k->one_b ? 0 : row)) & 63u];
    int64_t sum = 0;
    if (job == JOB_PRODUCTS) {
        for (unsigned i = 0; i < 16; i++) {
            sum += integer(x, SRC_A, x->src[SRC_A][(k->a + i) & 63u][column], mask_a) *
                   integer(x, SRC_B, b[i], mask_b);
        }
    } else if (job != JOB_NOTHING) {
        const int32_t va = integer(x, SRC_A, x->src[SRC_A][(k->a + row) & 63u][column], mask_a);
        const int32_t vb = integer(x, SRC_B, b[k->column0 ? 0 : column], mask_b);
        sum = job == JOB_MULTIPLY ? va * vb : job == JOB_ADD ? va + vb : va - vb;
    }
    const int64_t before = (int64_t)(old & ~SIGN32);
    return saturate(sum + ((old & SIGN32) != 0 ? -before : before));
}

static uint32_t float_cell(enum job job, const struct exact_kind *kind, const struct operands *o,
                           unsigned row, unsigned column, uint32_t old)
{
    const struct exact_term none = {0, 0};
    struct exact_term p[16];
    switch (job) {
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

/* Plain order of the Dst type <-> the stored cell. */
static uint32_t from_cell(const struct matrix *x, uint32_t cell)
{
    return x->wide != 0             ? fp32_from_cell(cell)
           : x->style == STYLE_FP16 ? fp16_from_cell(cell)
                                    : bf16_from_cell(cell);
}

static uint32_t to_cell(const struct matrix *x, uint32_t value)
{
    return x->wide != 0             ? fp32_to_cell(value)
           : x->style == STYLE_FP16 ? fp16_to_cell(value)
                                    : bf16_to_cell(value);
}

/* ---- a block ---- */

/* Sums are not held behind a move to the rows that they add to. */
static void check_moved(struct matrix *x, const struct block *k)
{
    const struct fpu_write *w = &x->s->fpu;
    if (x->s->units.matrix.moved > x->s->cycle && w->rows != 0 && w->first < k->dst + k->rows &&
        k->dst < (unsigned)w->first + w->rows) {
        machine_finding(x->m, TX_HAZARD, ID(E_MATRIX), x->op, 0,
                        "%s adds to rows of Dst that a move wrote less than four cycles ago: which "
                        "value it reads is not certain, it took the new one",
                        isa_row((enum isa_row_id)x->op->row)->text.mnemonic);
    }
}

static void run(struct matrix *x, enum job job, const struct block *k)
{
    const bool elementwise = job == JOB_ADD || job == JOB_SUBTRACT;
    const bool wide = x->wide != 0;
    const struct exact_kind kind = {
        .wide = wide,
        .exp8 = x->style == STYLE_BF16 || x->style == STYLE_TF32,
        .phase = elementwise && machine_rule(x->m, RULE_ELW_PHASE) ? 0 : x->phase,
        .wh = !machine_is_bh(x->m)};
    matrix_check_settings(x);
    if (job != JOB_NOTHING) {
        check_cells(x, k, job == JOB_PRODUCTS);
    }
    if (!k->replace) {
        matrix_check_rows(x, k->dst, k->rows, wide);
        check_moved(x, k);
    }
    struct operands o;
    if (job != JOB_NOTHING && x->style != STYLE_INT8) {
        read_operands(x, job, k, &o);
    }
    for (unsigned i = 0; i < k->rows; i += k->step) {
        uint32_t cells[16];
        for (unsigned j = 0; j < 16; j++) {
            const uint32_t old =
                k->replace ? 0 : from_cell(x, matrix_load(x, k->dst + i, j, wide, 0));
            cells[j] = to_cell(x, x->style == STYLE_INT8 ? integer_cell(x, job, k, i, j, old)
                                                         : float_cell(job, &kind, &o, i, j, old));
        }
        matrix_store_row(x, k->dst + i, wide, cells, 0xFFFFu);
    }
    matrix_occupies(x, k->dst, k->rows, wide);
    matrix_reads_srca(x, k->a, job == JOB_NOTHING ? 0 : job == JOB_PRODUCTS ? 16 : k->rows);
}

/* SrcB row: eight aligned ones, or a single one for all. */
static unsigned row_b(const struct matrix *x, bool one)
{
    return x->rwc->srcb & (one ? 0x3Fu : 0x38u);
}

static void multiply(struct tx_machine *m, const struct tx_op *op, unsigned rows)
{
    struct matrix x;
    matrix_open(&x, m, op, IMPLIED_EACH);
    const bool one = unit_field(op, FLD_BCAST) != 0;
    const unsigned mask = rows == 4 ? 0x3FCu : one ? 0x3F9u : 0x3F8u;
    const unsigned row = matrix_dst_row(&x, op->imm);
    const struct block k = {.dst = row & mask,
                            .rows = rows,
                            .step = one ? 2 : 1,
                            .a = x.rwc->srca & 0x38u,
                            .b = row_b(&x, one),
                            .one_b = one};
    if ((x.rwc->srca & 0x0Fu) != 0 || (row & ~mask) != 0 || (!one && (x.rwc->srcb & 7u) != 0)) {
        machine_finding(m, TX_UNSUPPORTED, ID(M8), op, 0,
                        "%s at a row that is no multiple of its block: low bits are dropped",
                        isa_row((enum isa_row_id)op->row)->text.mnemonic);
    }
    run(&x, JOB_PRODUCTS, &k);
    matrix_finish(&x);
}

void unit_mvmul(struct tx_machine *m, const struct tx_op *op)
{
    multiply(m, op, 8);
}

static void check_dim(struct tx_machine *m, const struct tx_op *op)
{
    if (unit_field(op, FLD_DIM) == 0) {
        machine_finding(m, TX_UNSUPPORTED, ID(E_MATRIX), op, 0,
                        "%s with bit 19 clear is taken for the 16x16 form",
                        isa_row((enum isa_row_id)op->row)->text.mnemonic);
    }
}

void unit_gapool(struct tx_machine *m, const struct tx_op *op)
{
    check_dim(m, op);
    if (unit_field(op, FLD_ARGMAX) != 0) {
        machine_finding(m, TX_UNDEFINED_BEHAVIOR, ID(E_UNUSED), op, 0,
                        "GAPOOL ignores bit 14, which is GMPOOL's");
    }
    multiply(m, op, 4);
}

static void elementwise(struct tx_machine *m, const struct tx_op *op, enum job job)
{
    struct matrix x;
    matrix_open(&x, m, op, IMPLIED_EACH);
    const bool one = unit_field(op, FLD_BCAST) != 0;
    const bool add = unit_field(op, FLD_ADD) != 0;
    const unsigned row = matrix_dst_row(&x, op->imm);
    const struct block k = {.dst = row & 0x3F8u,
                            .rows = 8,
                            .step = 1,
                            .a = x.rwc->srca & 0x38u,
                            .b = row_b(&x, one),
                            .one_b = one,
                            .column0 = unit_field(op, FLD_COL0) != 0,
                            .replace = job != JOB_MULTIPLY && !add};
    if (((row | x.rwc->srca | (one ? 0u : x.rwc->srcb)) & 7u) != 0) {
        machine_finding(m, TX_UNSUPPORTED, ID(M8), op, 0,
                        "%s at a row that is no multiple of its block: low bits are dropped",
                        isa_row((enum isa_row_id)op->row)->text.mnemonic);
    }
    if (job == JOB_MULTIPLY && add) {
        machine_finding(m, TX_NON_CONTRACTUAL_BEHAVIOR, ID(E_MATRIX), op, 0,
                        "ELWMUL always adds to Dst; its AddDst bit is to be 0");
    }
    if (job != JOB_MULTIPLY && x.phase != 0) {
        machine_finding(m, TX_NON_CONTRACTUAL_BEHAVIOR, ID(M9), op, 0, "%s in fidelity phase %u",
                        isa_row((enum isa_row_id)op->row)->text.mnemonic, (unsigned)x.phase);
    }
    run(&x, job, &k);
    matrix_finish(&x);
}

void unit_elwmul(struct tx_machine *m, const struct tx_op *op)
{
    elementwise(m, op, JOB_MULTIPLY);
}

void unit_elwadd(struct tx_machine *m, const struct tx_op *op)
{
    elementwise(m, op, JOB_ADD);
}

void unit_elwsub(struct tx_machine *m, const struct tx_op *op)
{
    elementwise(m, op, JOB_SUBTRACT);
}

/* The convolutions of an older chip add nothing, and that rewrites denormals, -0 and NaN (6.3). */
void unit_legacy_add(struct tx_machine *m, const struct tx_op *op)
{
    struct matrix x;
    matrix_open(&x, m, op, IMPLIED_EACH);
    const unsigned row = matrix_dst_row(&x, op->imm);
    const struct block k = {
        .dst = row & 0x3F8u, .rows = 8, .step = 1, .a = x.rwc->srca & 0x38u, .b = 0};
    machine_finding(m, TX_NON_CONTRACTUAL_BEHAVIOR, ID(M11), op, 0,
                    "%s is left from an older chip: it adds zero to eight rows of Dst",
                    isa_row((enum isa_row_id)op->row)->text.mnemonic);
    run(&x, JOB_NOTHING, &k);
    matrix_finish(&x);
}
