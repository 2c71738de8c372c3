/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counters and bank control: SETRWC, INCRWC, CLEARDVALID, SETDVALID, and GATESRCRST, which has no
 * visible effect. Source: spec/matrix-unit.md 7.9; isa SETRWC, INCRWC, CLEARDVALID and SETDVALID
 * 061b62d.
 */
#include "matrix/matrix.h"
#include "state/banks.h"
#include "state/order.h"

#include <string.h>

#define ID(name) evidence_get(EVIDENCE_##name)->id

/*
 * Bit 4 of SETRWC's mask, which only the vendor's instruction list knows, sets Sp to the three
 * values in a row (M20, Blackhole).
 */
static void set_sp(struct tx_machine *m, const struct tx_op *op, struct rwc *r)
{
    const uint32_t value =
        unit_field(op, FLD_RWD) << 8 | unit_field(op, FLD_RWB) << 4 | unit_field(op, FLD_RWA);
    machine_finding(m, TX_MISSING_SPECIFICATION, ID(M20), op, 0, "SETRWC sets Sp by bit 4");
    if (!machine_rule(m, RULE_MATRIX_BITS)) {
        r->sp = (uint16_t)(value & 1023u);
    }
}

void unit_setrwc(struct tx_machine *m, const struct tx_op *op)
{
    struct rwc *r = &m->state.rwc[op->thread];
    const uint32_t mask = unit_field(op, FLD_MASK);
    const uint32_t cr = unit_field(op, FLD_CR);
    order_write(m, op, TX_SHARED_RWC, op->thread, 1, 0x1FFu);
    if ((mask & 1u) != 0) {
        r->srca = (uint8_t)((unit_field(op, FLD_RWA) + ((cr & 1u) != 0 ? r->srca_cr : 0u)) & 63u);
        r->srca_cr = r->srca;
    }
    if ((mask & 2u) != 0) {
        r->srcb = (uint8_t)((unit_field(op, FLD_RWB) + ((cr & 2u) != 0 ? r->srcb_cr : 0u)) & 63u);
        r->srcb_cr = r->srcb;
    }
    if ((mask & 4u) != 0 || (cr & 8u) != 0) {
        uint32_t dst = unit_field(op, FLD_RWD);
        if ((cr & 8u) != 0) {
            dst += r->dst;
        } else if ((cr & 4u) != 0) {
            dst += r->dst_cr;
        }
        r->dst = (uint16_t)(dst & 1023u);
        r->dst_cr = r->dst;
    }
    if ((mask & 8u) != 0) {
        r->fidelity = 0;
    }
    if ((mask & 16u) != 0) {
        set_sp(m, op, r);
    }
    for (unsigned src = 0; src < 2; src++) {
        if ((unit_field(op, FLD_FLIP) >> src & 1u) != 0) {
            order_thread_field(m, op, m->places->clr_dvalid[src]);
            matrix_flip(m, op, src,
                        cfg_thread(&m->state, op->thread, m->places->clr_dvalid[src]) != 0, false);
        }
    }
}

void unit_incrwc(struct tx_machine *m, const struct tx_op *op)
{
    struct rwc *r = &m->state.rwc[op->thread];
    const uint32_t cr = unit_field(op, FLD_CR);
    const uint32_t a = ((cr & 1u) != 0 ? r->srca_cr : r->srca) + unit_field(op, FLD_RWA);
    const uint32_t b = ((cr & 2u) != 0 ? r->srcb_cr : r->srcb) + unit_field(op, FLD_RWB);
    const uint32_t d = ((cr & 4u) != 0 ? r->dst_cr : r->dst) + unit_field(op, FLD_RWD);
    order_write(m, op, TX_SHARED_RWC, op->thread, 1, 0x3Fu);
    r->srca = (uint8_t)(a & 63u);
    r->srca_cr = (cr & 1u) != 0 ? r->srca : r->srca_cr;
    r->srcb = (uint8_t)(b & 63u);
    r->srcb_cr = (cr & 2u) != 0 ? r->srcb : r->srcb_cr;
    r->dst = (uint16_t)(d & 1023u);
    r->dst_cr = (cr & 4u) != 0 ? r->dst : r->dst_cr;
}

void unit_cleardvalid(struct tx_machine *m, const struct tx_op *op)
{
    struct units *u = &m->state.units;
    if (unit_field(op, FLD_RESET) != 0) {
        machine_finding(m, TX_UNSUPPORTED, ID(E_MATRIX), op, 0,
                        "CLEARDVALID with reset: banks in use are lost, cards hang "
                        "(tt-metal #22383)");
        memset(u->bank_owner, 0, sizeof u->bank_owner);
        bank_forget(u);
        memset(u->matrix_bank, 0, sizeof u->matrix_bank);
        memset(u->unpack_bank, 0, sizeof u->unpack_bank);
        memset(u->implied_format, 0, sizeof u->implied_format);
        machine_bank_event(m, op, SRC_A);
        machine_bank_event(m, op, SRC_B);
        return;
    }
    for (unsigned src = 0; src < 2; src++) {
        if ((unit_field(op, FLD_FLIP) >> src & 1u) != 0) {
            matrix_flip(m, op, src, false, unit_field(op, FLD_KEEP) != 0);
        }
    }
}

/* A Miscellaneous Unit instruction: gives the bank that the unpacker fills to the Matrix Unit. */
void unit_setdvalid(struct tx_machine *m, const struct tx_op *op)
{
    struct units *u = &m->state.units;
    if (machine_has(m, IMPLIED_FORMATS)) {
        machine_finding(m, TX_UNSUPPORTED, ID(E_MATRIX), op, 0,
                        "SETDVALID leaves the implied format of the bank unpredictable: use "
                        "UNPACR_NOP");
    }
    for (unsigned src = 0; src < 2; src++) {
        if ((unit_field(op, FLD_FLIP) >> src & 1u) == 0) {
            continue;
        }
        const unsigned bank = u->unpack_bank[src];
        if (u->bank_owner[src][bank] != 0) {
            machine_finding(m, TX_NON_CONTRACTUAL_BEHAVIOR, ID(M19), op, 0,
                            "SETDVALID of a bank of Src%c that the Matrix Unit has already",
                            src == SRC_A ? 'A' : 'B');
        }
        bank_give(m, src, bank, true);
        order_bank(m, op, TX_ORDER_GIVE, bank + 2 * src, true);
        order_write(m, op, TX_SHARED_BANK, src, 1, 1);
        u->unpack_bank[src] ^= 1u;
        machine_bank_event(m, op, src);
    }
}

/* Drops a cached operand, which has no visible effect. */
void unit_gatesrcrst(struct tx_machine *m, const struct tx_op *op)
{
    (void)m;
    (void)op;
}
