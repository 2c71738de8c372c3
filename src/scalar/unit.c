/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What vector kernels need of the other units: counters, configuration, GPR halves, semaphores.
 * Conditions of units that are not modelled read idle. Source: isa SETRWC, INCRWC, SETC16, RMWCIB,
 * WRCFG, SETDMAREG_Immediate, SEMINIT, SEMPOST, SEMGET.
 */
#include "scalar/unit.h"

#include "state/cfg.h"

#include "isa/tokens.h"

#define ID(name) evidence_get(EVIDENCE_##name)->id

static uint32_t field(const struct tx_op *op, enum isa_field f)
{
    return isa_field(isa_row((enum isa_row_id)op->row), f, op->word);
}

static void unit_nop(struct tx_machine *m, const struct tx_op *op)
{
    (void)m;
    (void)op;
}

/* Words that come out of the replay buffer never start a replay. */
static void unit_replay(struct tx_machine *m, const struct tx_op *op)
{
    machine_finding(m, TX_UNDEFINED_BEHAVIOR, ID(E_REPLAY), op, 0,
                    "REPLAY out of a recording does nothing here");
}

static void unit_setrwc(struct tx_machine *m, const struct tx_op *op)
{
    struct rwc *r = &m->state.rwc[op->thread];
    const uint32_t mask = field(op, FLD_MASK);
    const uint32_t cr = field(op, FLD_CR);
    if ((mask & 1u) != 0) {
        r->srca = (uint8_t)((field(op, FLD_RWA) + ((cr & 1u) != 0 ? r->srca_cr : 0u)) & 63u);
        r->srca_cr = r->srca;
    }
    if ((mask & 2u) != 0) {
        r->srcb = (uint8_t)((field(op, FLD_RWB) + ((cr & 2u) != 0 ? r->srcb_cr : 0u)) & 63u);
        r->srcb_cr = r->srcb;
    }
    if ((mask & 4u) != 0 || (cr & 8u) != 0) {
        uint32_t dst = field(op, FLD_RWD);
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
    if (field(op, FLD_FLIP) != 0) {
        machine_note(m, EVIDENCE_E_UNIT); /* the Src banks it hands over are not modelled */
    }
}

static void unit_incrwc(struct tx_machine *m, const struct tx_op *op)
{
    struct rwc *r = &m->state.rwc[op->thread];
    const uint32_t cr = field(op, FLD_CR);
    const uint32_t a = ((cr & 1u) != 0 ? r->srca_cr : r->srca) + field(op, FLD_RWA);
    const uint32_t b = ((cr & 2u) != 0 ? r->srcb_cr : r->srcb) + field(op, FLD_RWB);
    const uint32_t d = ((cr & 4u) != 0 ? r->dst_cr : r->dst) + field(op, FLD_RWD);
    r->srca = (uint8_t)(a & 63u);
    r->srca_cr = (cr & 1u) != 0 ? r->srca : r->srca_cr;
    r->srcb = (uint8_t)(b & 63u);
    r->srcb_cr = (cr & 2u) != 0 ? r->srcb : r->srcb_cr;
    r->dst = (uint16_t)(d & 1023u);
    r->dst_cr = (cr & 4u) != 0 ? r->dst : r->dst_cr;
}

/* The index is beyond the chip's configuration: undefined; nothing happens here. */
static bool out_of_range(struct tx_machine *m, const struct tx_op *op, uint32_t index,
                         uint32_t limit)
{
    if (index < limit) {
        return false;
    }
    machine_finding(m, TX_UNDEFINED_BEHAVIOR, ID(E_CFGRANGE), op, 0,
                    "configuration index %u is past the last one, %u", (unsigned)index,
                    (unsigned)limit - 1u);
    return true;
}

static void unit_setc16(struct tx_machine *m, const struct tx_op *op)
{
    const uint32_t index = field(op, FLD_INDEX);
    if (!out_of_range(m, op, index, m->places->thread_words)) {
        m->state.thread_config[op->thread][index] = (uint16_t)op->imm;
    }
}

static void unit_rmwcib(struct tx_machine *m, const struct tx_op *op)
{
    const uint32_t index = field(op, FLD_INDEX);
    const unsigned insn = isa_row((enum isa_row_id)op->row)->insn;
    const unsigned byte = insn - INSN_RMWCIB0;
    const unsigned bank = cfg_bank(&m->state, m->places, op->thread);
    _Static_assert(INSN_RMWCIB3 == INSN_RMWCIB0 + 3, "the four are numbered in order");
    if (out_of_range(m, op, index, m->places->words)) {
        return;
    }
    const uint32_t mask = field(op, FLD_MASK) << (8 * byte);
    const uint32_t old = m->state.config[bank][index];
    cfg_write(&m->state, m->places, bank, index, (old & ~mask) | (op->imm << (8 * byte) & mask),
              CFG_BY_BYTE);
}

static void unit_wrcfg(struct tx_machine *m, const struct tx_op *op)
{
    const uint32_t index = field(op, FLD_INDEX);
    const uint32_t reg = field(op, FLD_GPR);
    const unsigned bank = cfg_bank(&m->state, m->places, op->thread);
    const bool wide = field(op, FLD_WIDE) != 0;
    const unsigned count = wide ? 4 : 1;
    if (out_of_range(m, op, index, m->places->words)) {
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        const uint32_t to = wide ? (index & ~3u) + i : index;
        const uint32_t from = wide ? (reg & ~3u) + i : reg;
        cfg_write(&m->state, m->places, bank, to, m->state.gpr[op->thread][from], CFG_BY_WORD);
    }
}

static void unit_rdcfg(struct tx_machine *m, const struct tx_op *op)
{
    const uint32_t index = field(op, FLD_INDEX);
    const unsigned bank = cfg_bank(&m->state, m->places, op->thread);
    if (!out_of_range(m, op, index, m->places->words)) {
        m->state.gpr[op->thread][field(op, FLD_GPR)] = m->state.config[bank][index];
    }
}

static void unit_setdmareg(struct tx_machine *m, const struct tx_op *op)
{
    const uint32_t half = field(op, FLD_GPR);
    uint32_t *reg = &m->state.gpr[op->thread][half >> 1];
    if (field(op, FLD_SPECIAL) != 0) {
        machine_stop(m, TX_UNSUPPORTED, ID(E_UNIT), op,
                     "SETDMAREG from signals reads packers, which are not modelled");
        return;
    }
    *reg = bits_set(*reg, (half & 1u) != 0 ? 16 : 0, 16, op->imm);
}

/* Nothing that could be waited for is ever busy here, so the wait is over at once. */
static void unit_stallwait(struct tx_machine *m, const struct tx_op *op)
{
    (void)op;
    machine_note(m, EVIDENCE_E_UNIT);
    machine_note(m, EVIDENCE_R16);
}

static void unit_semwait(struct tx_machine *m, const struct tx_op *op)
{
    (void)op;
    machine_note(m, EVIDENCE_E_UNIT);
}

static void unit_seminit(struct tx_machine *m, const struct tx_op *op)
{
    for (unsigned i = 0; i < 8; i++) {
        if ((field(op, FLD_SEM) >> i & 1u) != 0) {
            m->state.semaphore[i] = (uint8_t)op->imm;
            m->state.semaphore_max[i] = (uint8_t)field(op, FLD_MAX);
        }
    }
}

static void unit_sempost(struct tx_machine *m, const struct tx_op *op)
{
    for (unsigned i = 0; i < 8; i++) {
        if ((field(op, FLD_SEM) >> i & 1u) != 0 && m->state.semaphore[i] < 15) {
            m->state.semaphore[i]++;
        }
    }
}

static void unit_semget(struct tx_machine *m, const struct tx_op *op)
{
    for (unsigned i = 0; i < 8; i++) {
        if ((field(op, FLD_SEM) >> i & 1u) != 0 && m->state.semaphore[i] > 0) {
            m->state.semaphore[i]--;
        }
    }
}

typedef void unit_function(struct tx_machine *m, const struct tx_op *op);

#define LANE(body) unit_nop
#define WHOLE(body) unit_nop
#define UNIT(body) unit_##body
#define ROW(id_, mnemonic_, chips, format_, modes_, legal_, unit_, latency_, body_, ...) \
    [ROWID_##id_] = body_,
static unit_function *const unit_table[ROWID_COUNT] = {
#include "isa/isa.def"
};
#undef ROW

void unit_execute(struct tx_machine *m, const struct tx_op *op)
{
    unit_table[op->row](m, op);
}
