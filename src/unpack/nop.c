/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UNPACR_NOP, and how an unpack instruction ends. Source: spec/unpack.md 5.9, 8; isa
 * UNPACR_NOP_ZEROSRC 512b6bf, UNPACR_NOP_SETDVALID 061b62d.
 */
#include "state/banks.h"
#include "base/check.h"
#include "state/order.h"
#include "unpack/unpack.h"

static const char src_name[UNPACKERS] = {'A', 'B'};

/*
 * Prepares a job that hands a bank over: it takes the first row and the implied format from
 * configuration.
 */
static void prepare_give(struct tx_machine *m, const struct tx_op *op, unsigned u,
                         struct unpack_job *j)
{
    CHECK(u < UNPACKERS, "a bank is given by one of two unpackers");
    const struct unpack_places *p = unpack_places(m->arch, u);
    j->give = 1;
    order_thread_field(m, op, p->src_base);
    order_field(m, op, p->out);
    j->src_base = (uint8_t)(cfg_thread(&m->state, op->thread, p->src_base) * 16);
    j->format = (uint8_t)cfg_banked(&m->state, m->places, op->thread, p->out);
}

static struct unpack_job job_of(const struct tx_machine *m, const struct tx_op *op,
                                enum unpack_kind kind, enum unpack_wait wait)
{
    const struct unpack_job job = {.op = *op,
                                   .since = m->state.cycle,
                                   .passed = m->state.units.gate[op->thread].passed,
                                   .ready = m->state.cycle,
                                   .kind = (uint8_t)kind,
                                   .wait = (uint8_t)wait};
    return job;
}

/* ---- filling (8.1) ---- */

static uint32_t fill_wh(struct tx_machine *m, const struct tx_op *op, unsigned u)
{
    enum { MINUS_INFINITY = 4 }; /* bit 2 is a part of the mode */
    if ((op->mode & MINUS_INFINITY) == 0) {
        return 0;
    }
    if (u == 1) {
        machine_finding(m, TX_NON_CONTRACTUAL_BEHAVIOR, UNPACK_ID(U15), op, 0,
                        "UNPACR_NOP that fills SrcB with minus infinity: zeros are written");
    }
    return u == 0 ? 0x7FFFFu : 0;
}

static uint32_t fill_bh(struct tx_machine *m, const struct tx_op *op, unsigned u)
{
    static const uint32_t one[4] = {0x0000F, 0x0007F, 0x00110, 0};
    const uint32_t value = unit_field(op, FLD_VALUE);
    if (value < 2) {
        return value == 1 ? 0x7FFFFu : 0;
    }
    machine_finding(m, TX_MISSING_SPECIFICATION, UNPACK_ID(U14), op, 0,
                    "UNPACR_NOP that fills with %s: only names are documented",
                    value == 2 ? "one" : "a configured value");
    return value == 2 ? one[unit_field(op, FLD_ONE)]
                      : cfg_banked(&m->state, m->places, op->thread,
                                   unpack_places(m->arch, u)->clear_value) &
                            0x7FFFFu;
}

void unit_unpack_clear(struct tx_machine *m, const struct tx_op *op)
{
    const unsigned u = unpack_unit(op);
    const bool own = unit_field(op, FLD_OWN) != 0;
    const bool give = unit_field(op, FLD_GIVE) != 0;
    struct unpack_job j = job_of(m, op, UNPACK_CLEAR, own ? UNPACK_WAIT_OWN : UNPACK_WAIT_MATRIX);
    j.both_banks = unit_field(op, FLD_BANKS) != 0;
    if (machine_has(m, NOP_BY_FORMAT) && unit_field(op, FLD_ONE) == 3) {
        machine_finding(m, TX_MISSING_SPECIFICATION, UNPACK_ID(U12), op, 0,
                        "UNPACR_NOP with Clr_to1_fmt_Ctrl 3: it only hands the bank over");
        j = job_of(m, op, UNPACK_GIVE, UNPACK_WAIT_NONE);
        prepare_give(m, op, u, &j);
        unpack_queue(m, u, &j);
        return;
    }
    j.cell = machine_has(m, NOP_BY_FORMAT) ? fill_bh(m, op, u) : fill_wh(m, op, u);
    if (j.both_banks != 0) {
        machine_doubt(m, TX_UNSUPPORTED, EVIDENCE_E_UNPACK, op, "UNPACR_NOP that fills both banks");
    }
    if (give && !machine_has(m, NOP_FILLS_AND_GIVES)) {
        machine_finding(m, TX_UNDEFINED_BEHAVIOR, UNPACK_ID(U11), op, 0,
                        "UNPACR_NOP that fills a bank and hands it over");
    }
    if (give &&
        !(!machine_has(m, NOP_FILLS_AND_GIVES) && machine_rule(m, RULE_UNPACK_CLEAR_GIVE))) {
        prepare_give(m, op, u, &j);
    }
    unpack_queue(m, u, &j);
}

void unpack_fill(struct tx_machine *m, const struct unpack_job *j, unsigned u)
{
    CHECK(u < UNPACKERS, "a bank is cleared by one of two unpackers");
    struct units *units = &m->state.units;
    const bool beside = units->matrix.zeroed == m->state.cycle && m->state.cycle != 0;
    const unsigned own = beside ? units->matrix_bank[u] : units->unpack_bank[u];
    const bool both = j->both_banks != 0 || (beside && units->matrix.zeroed_both != 0);
    if (beside) {
        machine_finding(m, TX_NON_CONTRACTUAL_BEHAVIOR, UNPACK_ID(E_ZEROBOTH), &j->op, 0,
                        "UNPACR_NOP clears Src%c in the cycle of a ZEROSRC and takes its choice of "
                        "bank",
                        src_name[u]);
    }
    for (unsigned bank = 0; bank < SRC_BANKS; bank++) {
        if (!both && bank != own) {
            continue;
        }
        if (!beside && units->bank_owner[u][bank] != 0) {
            machine_finding(m, TX_HAZARD, UNPACK_ID(U21), &j->op, 0,
                            "UNPACR_NOP fills a bank of Src%c that the Matrix Unit has",
                            src_name[u]);
        }
        uint32_t *cells = m->state.src[u][bank][0];
        order_read(m, &j->op, TX_SHARED_BANK, u, 1, 1);
        order_write(m, &j->op, TX_SHARED_SRC, 64 * bank + 128 * u, TX_SRC_ROWS, 0xFFFFu);
        for (unsigned k = 0; k < TX_SRC_ROWS * 16; k++) {
            cells[k] = j->cell;
        }
        known_cleared(&m->state.src_known[u][bank]);
        if (u == 0) {
            units->unpack.srca_unknown[bank] = 0;
        }
    }
}

/* ---- the others (8.2 to 8.4) ---- */

void unit_unpack_give(struct tx_machine *m, const struct tx_op *op)
{
    const unsigned u = unpack_unit(op);
    struct unpack_job j = job_of(m, op, UNPACK_GIVE, UNPACK_WAIT_NONE);
    prepare_give(m, op, u, &j);
    unpack_queue(m, u, &j);
}

/* Streams of the NoC and registers of the tile are not modelled here. */
void unit_unpack_nothing(struct tx_machine *m, const struct tx_op *op)
{
    const unsigned u = unpack_unit(op);
    const struct unpack_job j = job_of(m, op, UNPACK_IDLE, UNPACK_WAIT_NONE);
    if (op->row == ROWID_UNPACR_NOP_POP_IMM_BH && unit_field(op, FLD_WIDE) != 0) {
        machine_finding(m, TX_MISSING_SPECIFICATION, UNPACK_ID(U12), op, 0,
                        "UNPACR_NOP with Unpack_Pop 3 and bit 2: it does nothing here");
    } else if (op->row != ROWID_UNPACR_NOP_NOP_WH && op->row != ROWID_UNPACR_NOP_NOP_BH) {
        machine_finding(m, TX_UNSUPPORTED, UNPACK_ID(E_UNPACK), op, 0,
                        "UNPACR_NOP that reaches beyond the coprocessor does nothing here");
    }
    unpack_queue(m, u, &j);
}

/* ---- the end ---- */

static void hand_over(struct tx_machine *m, const struct unpack_job *j, unsigned u)
{
    CHECK(u < UNPACKERS, "a bank is handed over by one of two unpackers");
    CHECK(m->state.units.unpack_bank[u] < SRC_BANKS, "an unpacker uses one of two banks");
    struct units *units = &m->state.units;
    const unsigned bank = units->unpack_bank[u];
    if (units->bank_owner[u][bank] != 0) {
        machine_finding(m, TX_NON_CONTRACTUAL_BEHAVIOR, UNPACK_ID(M19), &j->op, 0,
                        "%s hands over a bank of Src%c that the Matrix Unit has already",
                        isa_row((enum isa_row_id)j->op.row)->text.mnemonic, src_name[u]);
    }
    bank_give(m, u, bank, true);
    order_bank(m, &j->op, TX_ORDER_GIVE, bank + 2 * u, true);
    order_write(m, &j->op, TX_SHARED_BANK, u, 1, 1);
    if (machine_has(m, IMPLIED_FORMATS)) {
        units->implied_format[u][bank] = j->format;
    }
    units->unpack_bank[u] ^= 1u;
    machine_bank_event(m, &j->op, u);
    units->unpack.unit[u].src_row[j->op.thread] = j->src_base & 63u;
}

void unpack_finish(struct tx_machine *m, struct unpack_job *j, unsigned u)
{
    CHECK(u < UNPACKERS, "an instruction ends in one of two unpackers");
    uint8_t *src_row = &m->state.units.unpack.unit[u].src_row[j->op.thread];
    if (j->kind == UNPACK_DATA) {
        unpack_move(m, j, u);
    } else if (j->kind == UNPACK_CLEAR) {
        unpack_fill(m, j, u);
    }
    if (m->faulted) {
        return;
    }
    if (j->give != 0) {
        hand_over(m, j, u);
    } else if (j->kind == UNPACK_DATA && j->update != 0) {
        *src_row = (uint8_t)((*src_row + 16u + j->src_base) & 63u);
    }
}
