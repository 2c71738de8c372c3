/* SPDX-License-Identifier: Apache-2.0 */
/* The two instructions of the Matrix Unit that vector kernels need. Source: isa SETRWC, INCRWC. */
#include "scalar/unit.h"
#include "state/cfg.h"

/* Hands a Src bank back to its unpacker and turns to the other one. */
static void flip(struct tx_machine *m, unsigned thread, unsigned src)
{
    struct units *u = &m->state.units;
    if (cfg_thread(&m->state, thread, m->places->clr_dvalid[src]) == 0) {
        u->bank_owner[src][u->matrix_bank[src]] = 0;
    }
    u->matrix_bank[src] ^= 1u;
}

void unit_setrwc(struct tx_machine *m, const struct tx_op *op)
{
    struct rwc *r = &m->state.rwc[op->thread];
    const uint32_t mask = unit_field(op, FLD_MASK);
    const uint32_t cr = unit_field(op, FLD_CR);
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
    for (unsigned src = 0; src < 2; src++) {
        if ((unit_field(op, FLD_FLIP) >> src & 1u) != 0) {
            flip(m, op->thread, src);
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
    r->srca = (uint8_t)(a & 63u);
    r->srca_cr = (cr & 1u) != 0 ? r->srca : r->srca_cr;
    r->srcb = (uint8_t)(b & 63u);
    r->srcb_cr = (cr & 2u) != 0 ? r->srcb : r->srcb_cr;
    r->dst = (uint16_t)(d & 1023u);
    r->dst_cr = (cr & 4u) != 0 ? r->dst : r->dst_cr;
}
