/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MVMUL, DOTPV, GAPOOL, ELWMUL, ELWADD, ELWSUB, and the old convolutions, which add zero. Source:
 * spec/matrix-unit.md 6, 7.1 to 7.4, 7.10; isa MVMUL, ELWMUL, ELWADD.
 */
#include "matrix/bulk.h"
#include "base/check.h"
#include "matrix/matrix.h"
#include "state/order.h"

#define ID(name) evidence_get(EVIDENCE_##name)->id

/* The rows that an instruction works on. */
struct block {
    /* First row of Dst and number of rows; only each step-th row is computed. */
    unsigned dst, rows, step;
    /* First rows of SrcA and SrcB. */
    unsigned a, b;
    bool one_b; /* every Dst row takes the same SrcB row */
    /* Column 0 of SrcB is used for all columns. */
    bool column0;
    /* The result replaces the old value instead of being added to it. */
    bool replace;
};

/*
 * Reports cells that are not of the instruction's style: FP16 has five bits of exponent; the low
 * byte of an integer is 16, or 0 for zero.
 */
static void check_cells(struct matrix *x, const struct block *k, bool products)
{
    const unsigned rows_a = products ? 16 : k->rows;
    const uint32_t never = x->style == STYLE_INT8 ? 0xEFu : 0xE0u;
    if (x->style == STYLE_BF16 || x->style == STYLE_TF32) {
        return;
    }
    for (unsigned src = 0; src < 2; src++) {
        const unsigned first = src == SRC_A ? k->a : k->b;
        const unsigned rows = src == SRC_A ? rows_a : k->one_b ? 1 : k->rows;
        uint32_t seen = 0;
        for (unsigned i = 0; i < rows; i++) {
            const uint32_t *cells = x->src[src][(first + i) & 63u];
            for (unsigned j = 0; j < 16; j++) {
                seen |= cells[j];
            }
        }
        if ((seen & never) != 0) {
            machine_finding(x->m, TX_UNSUPPORTED, ID(E_MATRIX), x->op, 0,
                            "%s reads a cell of Src%c that is no %s",
                            isa_row((enum isa_row_id)x->op->row)->text.mnemonic,
                            src == SRC_A ? 'A' : 'B', x->style == STYLE_INT8 ? "integer" : "FP16");
            return;
        }
    }
}

/* ---- a block ---- */

static void choose_operands(const struct matrix *x, const struct block *k, struct bulk *b)
{
    const bool products = b->job == JOB_PRODUCTS;
    b->mask_a = matrix_truncate(x, SRC_A, 0x7FFFFu);
    b->mask_b = matrix_truncate(x, SRC_B, 0x7FFFFu);
    for (unsigned i = 0; i < b->rows; i++) {
        b->b[i] = x->src[SRC_B][(k->b + (k->one_b ? 0 : i * k->step)) & 63u];
    }
    for (unsigned i = 0; i < (products ? 16u : b->rows); i++) {
        b->a[i] = x->src[SRC_A][(k->a + (products ? i : i * k->step)) & 63u];
    }
}

static void compute(struct matrix *x, enum job job, const struct block *k,
                    const struct exact_kind *kind, const unsigned at[BULK_ROWS])
{
    static const uint16_t zeros[16];
    const bool wide = x->wide != 0;
    struct bulk b;
    b.memo = x->m->matrix_memo;
    b.kind = *kind;
    b.job = job;
    b.integer = x->style == STYLE_INT8;
    b.keep_b = x->zero_flag_off != 0 &&
               (x->style == STYLE_INT8 || !machine_rule(x->m, RULE_ZERO_FLAG_MATH));
    b.column0 = k->column0;
    b.rows = (uint8_t)((k->rows + k->step - 1) / k->step);
    choose_operands(x, k, &b);
    for (unsigned i = 0; i < b.rows; i++) {
        const unsigned row = at[i * k->step];
        const bool adds = !k->replace && dst_valid(x->s, row);
        b.now[i][0] = x->s->dst[row];
        b.now[i][1] = wide ? x->s->dst[row + 8] : NULL;
        b.old[i][0] = adds ? b.now[i][0] : zeros;
        b.old[i][1] = adds ? b.now[i][1] : zeros;
        unit_pack_row(x->m, x->op, row, wide);
    }
    bulk_compute(x->m->matrix_level, &b);
    dst_stored_rows(x->m, x->op, at, k->rows, k->step, wide);
}

/*
 * Returns the columns of a row of the result that depend on bad cells of Src. i: the row, counted
 * from the first.
 */
static uint32_t taint_of(const struct matrix *x, enum job job, const struct block *k, unsigned i)
{
    CHECK(i < 16, "a row of a result is one of sixteen at most");
    const unsigned row_b = k->b + (k->one_b ? 0 : i);
    const uint32_t all = 0xFFFFu;
    uint32_t bad_b = known_bad(x->known[SRC_B], row_b);
    uint32_t some_b = matrix_nonzero(x, SRC_B, row_b);
    uint32_t columns = 0;
    for (unsigned n = 0; job == JOB_PRODUCTS && columns != all && n < 16; n++) {
        const uint32_t bad_a = known_bad(x->known[SRC_A], k->a + n);
        columns |= (some_b >> n & 1u) != 0 ? bad_a : 0;
        columns |= (bad_b >> n & 1u) != 0 ? bad_a | matrix_nonzero(x, SRC_A, k->a + n) : 0;
    }
    if (job == JOB_PRODUCTS || job == JOB_NOTHING) {
        return columns;
    }
    if (k->column0) {
        bad_b = (bad_b & 1u) != 0 ? all : 0;
        some_b = (some_b & 1u) != 0 ? all : 0;
    }
    const uint32_t bad_a = known_bad(x->known[SRC_A], k->a + i);
    if (job == JOB_MULTIPLY) {
        return (bad_a & (some_b | bad_b)) | (bad_b & matrix_nonzero(x, SRC_A, k->a + i));
    }
    return bad_a | bad_b;
}

/* Taints what depends on bad cells of Src, or did already if it is added to. */
static void taint(struct matrix *x, enum job job, const struct block *k, const unsigned at[])
{
    const uint64_t rows_a = known_row_bits(k->a, job == JOB_PRODUCTS ? 16 : k->rows);
    const uint64_t rows_b = known_row_bits(k->b, k->one_b ? 1 : k->rows);
    if (job == JOB_NOTHING ? !matrix_may_taint(x, 0, 0) : !matrix_may_taint(x, rows_a, rows_b)) {
        return;
    }
    for (unsigned i = 0; i < k->rows; i += k->step) {
        const uint32_t columns = x->old_taint[i] == 0xFFFFu ? 0 : taint_of(x, job, k, i);
        const bool own = columns != 0; /* otherwise the rows that are bad had no effect */
        matrix_taint(x, at[i], x->wide != 0, columns | x->old_taint[i], own ? rows_a : 0,
                     own ? rows_b : 0);
    }
}

static void arith_run(struct matrix *x, enum job job, const struct block *k)
{
    const bool elementwise = job == JOB_ADD || job == JOB_SUBTRACT;
    const bool wide = x->wide != 0;
    const struct exact_kind kind = {
        .wide = wide,
        .exp8 = x->style == STYLE_BF16 || x->style == STYLE_TF32,
        .phase = elementwise && machine_rule(x->m, RULE_ELW_PHASE) ? 0 : x->phase,
        .arithmetic_wh = !machine_has(x->m, ARITHMETIC_BH)};
    unsigned at[BULK_ROWS];
    matrix_places(x, k->dst, k->rows, wide, at);
    matrix_check_settings(x);
    if (job != JOB_NOTHING) {
        check_cells(x, k, job == JOB_PRODUCTS);
    }
    if (!k->replace) {
        matrix_check_rows(x, at, k->rows, wide);
    }
    compute(x, job, k, &kind, at);
    taint(x, job, k, at);
    matrix_occupies(x, k->dst, k->rows, wide, at);
    order_src(x->m, x->op, false, SRC_B, k->b, job == JOB_NOTHING ? 0 : k->one_b ? 1 : k->rows);
    matrix_reads_srca(x, k->a, job == JOB_NOTHING ? 0 : job == JOB_PRODUCTS ? 16 : k->rows);
}

/*
 * Returns the row of SrcB that the counter selects: the first of eight aligned ones, or a single
 * one for all.
 */
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
    arith_run(&x, JOB_PRODUCTS, &k);
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

/*
 * Lets ELWADD and ELWSUB, which do not wait for moves, add to what rows of Dst held before a move
 * that is less than four cycles old. They write these rows, so the new values need not come back.
 */
static void see_old(struct matrix *x, const struct block *k)
{
    uint64_t rows[TX_DST_ROWS / 64] = {0};
    for (unsigned i = 0; i < k->rows; i++) {
        const unsigned at = matrix_physical(x, k->dst + i, x->wide != 0);
        rows[at / 64] |= UINT64_C(1) << at % 64;
        if (x->wide != 0) {
            rows[(at + 8) / 64] |= UINT64_C(1) << (at + 8) % 64;
        }
    }
    (void)unit_matrix_see_old(x->m, x->op, rows);
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
    if (job != JOB_MULTIPLY && add && x.s->units.matrix.moved > x.s->cycle) {
        see_old(&x, &k);
    }
    if (job == JOB_MULTIPLY && add) {
        machine_finding(m, TX_NON_CONTRACTUAL_BEHAVIOR, ID(E_MATRIX), op, 0,
                        "ELWMUL always adds to Dst; its AddDst bit is to be 0");
    }
    if (job != JOB_MULTIPLY && x.phase != 0) {
        machine_finding(m, TX_NON_CONTRACTUAL_BEHAVIOR, ID(M9), op, 0, "%s in fidelity phase %u",
                        isa_row((enum isa_row_id)op->row)->text.mnemonic, (unsigned)x.phase);
    }
    arith_run(&x, job, &k);
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
    arith_run(&x, JOB_NOTHING, &k);
    matrix_finish(&x);
}
