/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole rows: TRNSPSRCB, SHIFTXA, SHIFTXB, ZEROACC, ZEROSRC. Source: spec/matrix-unit.md 7.7, 7.8;
 * isa ZEROACC bd8c22a, ZEROSRC 545c98a, SHIFTXA 3f3e6e6.
 */
#include "matrix/matrix.h"
#include "state/order.h"

#include <string.h>

#define ID(name) evidence_get(EVIDENCE_##name)->id

void unit_trnspsrcb(struct tx_machine *m, const struct tx_op *op)
{
    struct units *u = &m->state.units;
    uint32_t(*rows)[16] = &m->state.src[SRC_B][u->matrix_bank[SRC_B]][16];
    order_src(m, op, true, SRC_B, 16, 16);
    for (unsigned i = 0; i < 16; i++) {
        for (unsigned j = 0; j < i; j++) {
            const uint32_t x = rows[i][j];
            rows[i][j] = rows[j][i];
            rows[j][i] = x;
        }
    }
    known_transpose(&m->state.src_known[SRC_B][u->matrix_bank[SRC_B]], 16);
}

/* The hardware shifts the rows of SrcA that the instruction before it has used. */
void unit_shiftxa(struct tx_machine *m, const struct tx_op *op)
{
    struct units *u = &m->state.units;
    uint32_t(*bank)[16] = m->state.src[SRC_A][u->matrix_bank[SRC_A]];
    struct src_known *k = &m->state.src_known[SRC_A][u->matrix_bank[SRC_A]];
    const uint32_t direction = unit_field(op, FLD_DIR);
    const unsigned first = u->last_srca & 0x30u;
    order_src(m, op, false, SRC_A, first, 16);
    order_src(m, op, true, SRC_A, 0, 16);
    machine_finding(m, TX_NON_CONTRACTUAL_BEHAVIOR, ID(E_MATRIX), op, 0,
                    "SHIFTXA works on the rows of the instruction before it: %u to %u", first,
                    first + 15);
    if (direction < 2) {
        machine_finding(m, TX_UNDEFINED_BEHAVIOR, ID(E_MATRIX), op, 0,
                        "SHIFTXA with direction %u does nothing", (unsigned)direction);
        return;
    }
    for (unsigned i = 0; i < 16; i++) {
        uint32_t row[16];
        for (unsigned j = 0; j < 16; j++) {
            const bool edge = direction == 2 ? j == 0 : j == 15;
            row[j] = edge ? 0 : bank[first + i][direction == 2 ? j - 1 : j + 1];
        }
        memcpy(bank[i], row, sizeof row);
        const uint32_t bad = known_bad(k, first + i);
        known_written(k, i, 0xFFFFu, direction == 2 ? bad << 1 & 0xFFFEu : bad >> 1);
    }
}

void unit_shiftxb(struct tx_machine *m, const struct tx_op *op)
{
    struct matrix x;
    matrix_open(&x, m, op, IMPLIED_NONE);
    const unsigned at = (unit_field(op, FLD_SRC) + x.rwc->srcb) & 63u;
    uint32_t *row = x.src[SRC_B][at];
    const uint32_t bad = known_bad(x.known[SRC_B], at);
    const uint32_t first = unit_field(op, FLD_ZERO) != 0 ? 0 : row[0];
    order_src(m, op, true, SRC_B, unit_field(op, FLD_SRC) + x.rwc->srcb, 1);
    memmove(row, row + 1, 15 * sizeof *row);
    row[15] = first;
    known_written(x.known[SRC_B], at, 0xFFFFu,
                  bad >> 1 | (unit_field(op, FLD_ZERO) != 0 ? 0 : bad << 15 & 0x8000u));
    matrix_finish(&x);
}

/* ---- ZEROACC ---- */

enum clear { CLEAR_ROW, CLEAR_16, CLEAR_HALF, CLEAR_ALL };

static void set_flag(struct matrix *x, unsigned row, bool valid)
{
    unit_pack_row(x->m, x->op, row, false);
    dst_set_valid(x->s, row, valid);
}

static void wrote_flags(struct matrix *x, unsigned first, unsigned rows)
{
    matrix_wrote(x, first, rows);
    x->m->wrote.physical = 1;
}

static void set_flags(struct matrix *x, unsigned first, unsigned rows, bool valid)
{
    order_write(x->m, x->op, TX_SHARED_DST, first, rows, 0xFFFFu);
    for (unsigned i = 0; i < rows; i++) {
        set_flag(x, first + i, valid);
    }
    wrote_flags(x, first, rows);
}

/*
 * Sets the flags of sixteen rows. Blackhole adds a half of Dst by the offset that the thread works
 * at, unless told to take the number as it is (M16).
 */
static void clear_16(struct matrix *x, bool wide, bool valid)
{
    const uint32_t offset = cfg_thread(x->s, x->thread, x->p->math_offset) + x->rwc->dst;
    const bool relative = machine_has(x->m, ZEROACC_RELATIVE) &&
                          cfg_banked(x->s, x->p, x->thread, x->p->zeroacc_absolute) == 0;
    uint32_t block = x->op->imm & 0xFFu;
    if (wide) {
        block += relative && (offset & 0x300u) != 0 ? 16 : 0;
    } else {
        block += relative && (offset & 0x200u) != 0 ? 32 : 0;
    }
    if (x->op->imm > 0xFF || block >= (wide ? 32u : 64u)) {
        if (x->op->imm != 0xFF) {
            machine_finding(x->m, TX_NON_CONTRACTUAL_BEHAVIOR, ID(E_MATRIX), x->op, 0,
                            "ZEROACC of sixteen rows: block %u is beyond Dst, nothing is cleared",
                            (unsigned)block);
        }
        if (block >= (wide ? 32u : 64u)) {
            return;
        }
    }
    for (unsigned i = 0; i < 16; i++) {
        const unsigned row = wide ? 32 * block + (i & 8u) * 2 + (i & 7u) : 16 * block + i;
        order_write(x->m, x->op, TX_SHARED_DST, row, 1, 0xFFFFu);
        set_flag(x, row, valid);
    }
    wrote_flags(x, wide ? 32 * block : 16 * block, wide ? 24 : 16);
}

void unit_zeroacc(struct tx_machine *m, const struct tx_op *op)
{
    struct matrix x;
    matrix_open(&x, m, op, IMPLIED_NONE);
    const enum clear mode = (enum clear)unit_field(op, FLD_CLEAR);
    const bool wide = unit_field(op, FLD_WIDE) != 0;
    const bool valid = unit_field(op, FLD_REVERT) != 0;
    if (valid && !(machine_has(m, ZEROACC_REVERTS) && mode == CLEAR_16 && wide)) {
        machine_finding(m, TX_UNDEFINED_BEHAVIOR, ID(E_MATRIX), op, 0,
                        "ZEROACC that sets row flags, other than 16 rows of 32-bit Dst on "
                        "Blackhole");
    }
    switch (mode) {
    case CLEAR_ROW: {
        const bool wide_row = (x.fp32 | x.int8) != 0 || x.view.high;
        const unsigned row = matrix_dst_row(&x, op->imm);
        const unsigned physical = matrix_physical(&x, row, wide_row);
        order_write(m, op, TX_SHARED_DST, physical, 1, 0xFFFFu);
        set_flag(&x, physical, valid);
        matrix_wrote(&x, row, 1);
        break;
    }
    case CLEAR_16:
        clear_16(&x, wide, valid);
        break;
    case CLEAR_HALF:
        set_flags(&x, 512 * (op->imm & 1u), 512, valid);
        break;
    case CLEAR_ALL:
        set_flags(&x, 0, TX_DST_ROWS, valid);
        break;
    }
    if (unit_field(op, FLD_FLIP) != 0) {
        machine_finding(m, TX_MISSING_SPECIFICATION, ID(M20), op, 0,
                        "ZEROACC with bits 23:22 set gives Src banks away");
    }
    if (mode == CLEAR_ROW || mode == CLEAR_16) {
        if (machine_rule(m, RULE_MATRIX_BITS)) {
            matrix_count(&x);
        } else {
            matrix_finish(&x);
        }
    } else if (!machine_rule(m, RULE_MATRIX_BITS)) {
        matrix_give(&x);
    }
}

void unit_zerosrc(struct tx_machine *m, const struct tx_op *op)
{
    struct units *u = &m->state.units;
    if (unit_field(op, FLD_BANK) != 0 || unit_field(op, FLD_BANKS) != 0) {
        u->matrix.zeroed = m->state.cycle + 1;
        u->matrix.zeroed_both = unit_field(op, FLD_BANKS) != 0;
    }
    for (unsigned src = 0; src < 2; src++) {
        const unsigned own =
            unit_field(op, FLD_BANK) != 0 ? u->matrix_bank[src] : u->unpack_bank[src];
        const uint32_t cell = src == SRC_A && unit_field(op, FLD_NEGINF) != 0 ? 0x7FFFFu : 0;
        for (unsigned bank = 0; bank < SRC_BANKS; bank++) {
            if ((unit_field(op, FLD_MASK) >> src & 1u) == 0 ||
                (unit_field(op, FLD_BANKS) == 0 && bank != own)) {
                continue;
            }
            order_write(m, op, TX_SHARED_SRC, 64 * bank + 128 * src, TX_SRC_ROWS, 0xFFFFu);
            for (unsigned i = 0; i < TX_SRC_ROWS; i++) {
                for (unsigned j = 0; j < 16; j++) {
                    m->state.src[src][bank][i][j] = cell;
                }
            }
            known_cleared(&m->state.src_known[src][bank]);
            if (src == SRC_A) {
                m->state.units.unpack.srca_unknown[bank] = 0;
            }
        }
    }
}
