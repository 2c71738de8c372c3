/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moves between SrcA, SrcB and Dst. They shuffle bits and round nothing. Source:
 * spec/matrix-unit.md 7.6; isa MOVA2D 88d4bf9, MOVB2D and MOVB2A 1ae1f85, MOVD2A ff52140, MOVD2B
 * 545c98a.
 */
#include "matrix/bulk.h"
#include "base/check.h"
#include "matrix/matrix.h"
#include "state/order.h"

#define ID(name) evidence_get(EVIDENCE_##name)->id

/*
 * Returns the columns that LaneConfig lets the moves write: bit column & 1 of a lane's
 * BLOCK_DEST_MOV keeps one out.
 */
static uint32_t open_columns(const struct matrix *x)
{
    uint32_t columns = 0;
    for (unsigned j = 0; j < 16; j++) {
        const uint32_t config = x->s->lane_config[j / 2];
        columns |= (~config >> (LC_BLOCK_DEST_MOV_LSB + (j & 1u)) & 1u) << j;
    }
    return columns;
}

static const char *name_of(const struct matrix *x)
{
    return isa_row((enum isa_row_id)x->op->row)->text.mnemonic;
}

static void check_rows(struct matrix *x, unsigned dropped)
{
    if (dropped != 0) {
        machine_finding(x->m, TX_UNSUPPORTED, ID(M8), x->op, 0,
                        "%s at a row that is no multiple of its block: low bits are dropped",
                        name_of(x));
    }
}

/* ---- Src to Dst ---- */

/*
 * A move from Src to Dst: "rows" rows of Dst from "row" on, of the register "src" from "from" on.
 * one: the same row of Src for all; column0: its column 0 for all. move_to_dst sets the rest:
 * columns that are written; low: the low halves of 32-bit Dst; wide: whole 32-bit cells; exponent8:
 * the format has eight exponent bits.
 */
struct to_dst {
    unsigned row, rows, src, from;
    uint32_t columns;
    bool one, column0, low, wide;
    bool exponent8;
};

/* Reads a row of Src as it leaves the register, column 0 for all where that is broadcast. */
static void read_src(const struct matrix *x, const struct to_dst *d, unsigned i, uint32_t c[16])
{
    const uint32_t *from = x->src[d->src][(d->from + (d->one ? 0 : i)) & 63u];
    const uint32_t kept = d->src == SRC_B ? matrix_truncate(x, SRC_B, 0xFFFFFFFFu) : 0xFFFFFFFFu;
    for (unsigned j = 0; j < 16; j++) {
        c[j] = from[d->column0 ? 0 : j];
    }
    for (unsigned j = 0; j < 16 && x->zero_flag_off == 0; j++) {
        c[j] = src_zero_flag(c[j]);
    }
    for (unsigned j = 0; j < 16; j++) {
        c[j] &= kept;
    }
}

/* Converts cells to the 16 bits of each that Dst takes. */
static void halves(const struct to_dst *d, const uint32_t c[16], uint32_t v[16])
{
    CHECK(d->columns <= 0xFFFFu, "a moved row has sixteen columns");
    for (unsigned j = 0; j < 16 && d->exponent8; j++) {
        v[j] = src_to_dst8(c[j]);
    }
    for (unsigned j = 0; j < 16 && !d->exponent8; j++) {
        v[j] = src_to_dst5(c[j]);
    }
}

/* Moves a whole row to 16-bit Dst. */
static void move_row(struct matrix *x, const struct to_dst *d, unsigned i)
{
    CHECK(i < 16, "a move has sixteen rows at most");
    const struct bulk_move v = {.from = x->src[d->src][(d->from + (d->one ? 0 : i)) & 63u],
                                .kept = d->src == SRC_B ? matrix_truncate(x, SRC_B, 0xFFFFFFFFu)
                                                        : 0xFFFFFFFFu,
                                .zero_flag = x->zero_flag_off == 0,
                                .exponent8 = d->exponent8};
    const unsigned at = matrix_physical(x, d->row + i, false);
    unit_pack_row(x->m, x->op, at, false);
    bulk_moves(x->m->matrix_level, &v, x->s->dst[at]);
    dst_stored_rows(x->m, x->op, &at, 1, 1, false);
}

static void write_row(struct matrix *x, const struct to_dst *d, unsigned i)
{
    CHECK(i < 16, "a row of a move is one of sixteen at most");
    const bool wide = d->wide || d->low;
    if (!wide && !d->column0 && d->columns == 0xFFFFu) {
        move_row(x, d, i);
        return;
    }
    uint32_t c[16], cells[16];
    read_src(x, d, i, c);
    halves(d, c, cells);
    for (unsigned j = 0; j < 16 && d->wide; j++) {
        cells[j] = cells[j] << 16 | (c[j] >> 8 & 7u) << 13;
    }
    for (unsigned j = 0; j < 16 && d->low; j++) {
        cells[j] |= matrix_load(x, d->row + i, j, wide, 0) & 0xFFFF0000u;
    }
    matrix_store_row(x, d->row + i, wide, cells, d->columns);
    if (d->low && x->wide == 0 && machine_rule(x->m, RULE_MOV_LOW_VALID) == 0) {
        dst_mark(x->s, matrix_physical(x, d->row + i, false)); /* M2: of the plain row, too */
    }
}

static void check_to_dst(struct matrix *x, const struct to_dst *d)
{
    const bool wide = d->wide || d->low;
    if (d->wide && unit_field(x->op, FLD_LO) != 0) {
        machine_finding(x->m, TX_UNDEFINED_BEHAVIOR, ID(M2), x->op, 0,
                        "%s to the low half with TF32 data: Blackhole corrupts them (TEN-4245)",
                        name_of(x));
    } else if (d->low && x->wide == 0 && !x->view.high && machine_has(x->m, MOVES_TO_LOW_16)) {
        /* tt-llk does it there on purpose: with Fp32_enabled the move would be another one (M3) */
        machine_doubt(x->m, TX_UNDEFINED_BEHAVIOR, EVIDENCE_M2, x->op,
                      "a move to the low half of 32-bit Dst while the configuration says 16");
    } else if (wide != (x->wide != 0) && !x->view.high) {
        machine_finding(x->m, TX_UNDEFINED_BEHAVIOR, ID(M2), x->op, 0,
                        "%s writes %s-bit Dst while the configuration says %s: the row flags that "
                        "it sets are of other rows",
                        name_of(x), wide ? "32" : "16", wide ? "16" : "32");
    }
}

/*
 * Reports use of a bank that the Matrix Unit does not own, for instructions that do not wait for
 * it.
 */
static void check_owner(struct matrix *x, unsigned src, const char *does)
{
    CHECK(src < 2, "whose bank it is, is asked of SrcA or SrcB");
    const struct units *u = &x->s->units;
    if (u->bank_owner[src][u->matrix_bank[src]] == 0 && !x->m->settings.src_ready) {
        machine_finding(x->m, TX_HAZARD, ID(E_SRCBANK), x->op, 0,
                        "%s %s a bank of Src%c that the Matrix Unit does not own", name_of(x), does,
                        src == SRC_A ? 'A' : 'B');
    }
}

/* Taints what has come from bad cells of Src. */
static void taint_dst(struct matrix *x, const struct to_dst *d)
{
    const uint64_t rows = known_row_bits(d->from, d->one ? 1 : d->rows);
    const bool wide = d->wide || d->low;
    if (!matrix_may_taint(x, d->src == SRC_A ? rows : 0, d->src == SRC_B ? rows : 0)) {
        return;
    }
    for (unsigned i = 0; i < d->rows; i++) {
        const unsigned from = d->from + (d->one ? 0 : i);
        const unsigned at = matrix_physical(x, d->row + i, wide);
        uint32_t columns = known_bad(x->known[d->src], from);
        columns = !d->column0 ? columns : (columns & 1u) != 0 ? 0xFFFFu : 0;
        matrix_taint(x, d->low ? at + 8 : at, d->wide, columns & d->columns,
                     d->src == SRC_A ? known_row_bits(from, 1) : 0,
                     d->src == SRC_B ? known_row_bits(from, 1) : 0);
    }
}

/* Executes a move. The caller has set rows and register and masked the rows; see struct to_dst. */
static void move_to_dst(struct matrix *x, struct to_dst *d)
{
    uint8_t format = x->format[SRC_A];
    const bool low = unit_field(x->op, FLD_LO) != 0;
    const bool as_tf32 =
        machine_has(x->m, MOVES_AS_TF32) && x->fp32 != 0 && !machine_rule(x->m, RULE_MOV_FP32);
    if (as_tf32 && low && format != 4) {
        machine_doubt(x->m, TX_UNDEFINED_BEHAVIOR, EVIDENCE_M3, x->op,
                      "a move to the low half with Fp32_enabled: it goes by the format");
    } else if (as_tf32) {
        format = 4; /* M3: TF32, whatever the format */
    }
    d->exponent8 = x->force == 0 && (x->wide != 0 || matrix_exponent8(format));
    d->wide = x->force == 0 && format == 4;
    d->low = !d->wide && low;
    d->columns = open_columns(x);
    check_to_dst(x, d);
    check_owner(x, d->src, "reads"); /* the debug forms do not wait for the bank */
    matrix_keep(x, d->row, d->rows, d->wide || d->low);
    for (unsigned i = 0; i < d->rows; i++) {
        write_row(x, d, i);
    }
    taint_dst(x, d);
    matrix_wrote(x, d->row, d->rows);
    if (d->src == SRC_A) {
        matrix_reads_srca(x, d->from, d->rows);
    } else {
        order_src(x->m, x->op, false, SRC_B, d->from, d->one ? 1 : d->rows);
    }
    matrix_finish(x);
}

static void check_force(struct matrix *x)
{
    if (x->force != 0) {
        machine_finding(x->m, TX_MISSING_SPECIFICATION, ID(M5), x->op, 0, "%s with FP16A_FORCE set",
                        name_of(x));
    }
}

void unit_mova2d(struct tx_machine *m, const struct tx_op *op)
{
    struct matrix x;
    matrix_open(&x, m, op, IMPLIED_ONLY_A);
    check_force(&x);
    const bool eight = unit_field(op, FLD_ROWS) != 0;
    const unsigned row = matrix_dst_row(&x, op->imm);
    const unsigned from = (unit_field(op, FLD_SRC) + x.rwc->srca) & 63u;
    check_rows(&x, eight ? (row | from) & 7u : 0);
    struct to_dst d = {.row = eight ? row & 0x3F8u : row,
                       .rows = eight ? 8 : 1,
                       .src = SRC_A,
                       .from = eight ? from & 0x38u : from};
    move_to_dst(&x, &d);
}

void unit_movb2d(struct tx_machine *m, const struct tx_op *op)
{
    struct matrix x;
    matrix_open(&x, m, op, IMPLIED_ALL_FROM_B);
    check_force(&x);
    if (x.force != 0 && machine_has(m, FORCED_FP16)) {
        x.format[SRC_B] = 1; /* M5: FP16 data are assumed */
    }
    const bool broadcast = unit_field(op, FLD_BCAST) != 0;
    const bool four = !broadcast && unit_field(op, FLD_ROWS) != 0;
    const unsigned row = matrix_dst_row(&x, op->imm);
    const unsigned from = (unit_field(op, FLD_SRC) + x.rwc->srcb) & 63u;
    check_rows(&x, broadcast ? row & 7u : four ? (row | from) & 3u : 0);
    struct to_dst d = {.row = broadcast ? row & 0x3F8u
                              : four    ? row & 0x3FCu
                                        : row,
                       .rows = broadcast ? 8
                               : four    ? 4
                                         : 1,
                       .src = SRC_B,
                       .from = four ? from & 0x3Cu : from,
                       .one = broadcast,
                       .column0 = unit_field(op, FLD_COL0) != 0};
    move_to_dst(&x, &d);
}

/* ---- Dst to Src ---- */

static uint32_t src_of_wide(const struct matrix *x, uint32_t w, bool low)
{
    if (x->style == STYLE_TF32) {
        return low ? w & 0x1FFFu : src_from_dst32(w);
    }
    const uint32_t half = low ? w & 0xFFFFu : w >> 16;
    return x->style == STYLE_FP16 ? src_from_dst5(half) : src_from_dst8(half);
}

/*
 * Returns whether the low half of 32-bit Dst is lost on its way to Src (M12). As BF16 or FP16 it
 * comes whole, and tt-metal #43757 relies on that.
 */
static bool loses_low(const struct matrix *x, bool wide, bool low)
{
    return wide && low && x->fp32 != 0 && x->style == STYLE_TF32 &&
           machine_has(x->m, TF32_LOSES_LOW);
}

static void check_from_dst(struct matrix *x, bool wide, bool low)
{
    if (!wide && (low || x->style == STYLE_TF32)) {
        machine_finding(x->m, TX_UNDEFINED_BEHAVIOR, ID(E_MATRIX), x->op, 0,
                        "%s of %s out of 16-bit Dst", name_of(x), low ? "a low half" : "TF32 data");
    } else if (loses_low(x, wide, low)) {
        machine_finding(x->m, TX_UNDEFINED_BEHAVIOR, ID(M12), x->op, 0,
                        "%s of the low half as TF32 with Fp32_enabled: zeros were seen on "
                        "Blackhole",
                        name_of(x));
    }
}

static void move_from_dst(struct tx_machine *m, const struct tx_op *op, unsigned src)
{
    CHECK(src < 2, "rows of Dst go to SrcA or SrcB");
    struct matrix x;
    const bool by_b = src == SRC_B;
    matrix_open(&x, m, op,
                !by_b                                 ? IMPLIED_ONLY_A
                : machine_rule(m, RULE_MOVD2B_FORMAT) ? IMPLIED_ALL_BY_B /* M4 */
                                                      : IMPLIED_ALL_FROM_B);
    check_force(&x);
    x.style = x.force != 0                        ? STYLE_FP16
              : x.format[SRC_A] == 4              ? STYLE_TF32
              : matrix_exponent8(x.format[SRC_A]) ? STYLE_BF16
                                                  : STYLE_FP16;
    const bool four = unit_field(op, FLD_ROWS) != 0;
    const bool wide = x.wide != 0;
    const bool low = unit_field(op, FLD_LO) != 0;
    const unsigned row = matrix_dst_row(&x, op->imm) & (four ? 0x3FCu : 0x3FFu);
    const unsigned to =
        (unit_field(op, FLD_SRC) + (by_b ? x.rwc->srcb : x.rwc->srca)) & (four ? 0x3Cu : 0x3Fu);
    const unsigned rows = four ? 4 : 1;
    const bool zeros = loses_low(&x, wide, low) && by_b && machine_rule(m, RULE_MOVD2X_LOW);
    const uint32_t columns = open_columns(&x);
    unsigned at[4];
    matrix_places(&x, row, rows, wide, at);
    check_from_dst(&x, wide, low);
    check_owner(&x, src, "writes");
    matrix_check_rows(&x, at, rows, wide);
    for (unsigned i = 0; i < rows; i++) {
        for (unsigned j = 0; j < 16; j++) {
            const uint32_t w = matrix_load(&x, row + i, j, wide, 0);
            const uint32_t c = zeros                   ? 0
                               : wide                  ? src_of_wide(&x, w, low)
                               : x.style == STYLE_FP16 ? src_from_dst5(w)
                                                       : src_from_dst8(w);
            if ((columns >> j & 1u) != 0) {
                x.src[src][to + i][j] = c;
            }
        }
    }
    for (unsigned i = 0; i < rows; i++) {
        known_written(x.known[src], to + i, columns, zeros ? 0 : x.old_taint[i]);
    }
    if (!by_b) {
        matrix_writes_srca(&x, to, rows);
    } else {
        order_src(m, op, true, SRC_B, to, rows);
    }
    matrix_finish(&x);
}

void unit_movd2a(struct tx_machine *m, const struct tx_op *op)
{
    move_from_dst(m, op, SRC_A);
}

void unit_movd2b(struct tx_machine *m, const struct tx_op *op)
{
    move_from_dst(m, op, SRC_B);
}

/* ---- SrcB to SrcA ---- */

void unit_movb2a(struct tx_machine *m, const struct tx_op *op)
{
    struct matrix x;
    matrix_open(&x, m, op, IMPLIED_ONLY_B);
    check_force(&x);
    const unsigned mask = unit_field(op, FLD_ROWS) != 0 ? 0x3Cu : 0x3Fu;
    const unsigned rows = unit_field(op, FLD_ROWS) != 0 ? 4 : 1;
    const unsigned to = (unit_field(op, FLD_SRC) + x.rwc->srca) & 63u;
    const unsigned from = (op->imm + x.rwc->srcb) & 63u;
    const uint32_t columns = open_columns(&x);
    check_rows(&x, (to | from) & ~mask & 63u);
    check_owner(&x, SRC_A, "writes");
    for (unsigned i = 0; i < rows; i++) {
        for (unsigned j = 0; j < 16; j++) {
            const uint32_t cell = x.src[SRC_B][(from & mask) + i][j];
            if ((columns >> j & 1u) != 0) {
                x.src[SRC_A][(to & mask) + i][j] =
                    matrix_truncate(&x, SRC_B, x.zero_flag_off != 0 ? cell : src_zero_flag(cell));
            }
        }
        known_written(x.known[SRC_A], (to & mask) + i, columns,
                      known_bad(x.known[SRC_B], (from & mask) + i));
    }
    order_src(m, op, false, SRC_B, from & mask, rows);
    matrix_writes_srca(&x, to & mask, rows);
    matrix_finish(&x);
}
