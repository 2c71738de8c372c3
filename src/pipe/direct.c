/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Execution of one instruction alone in the Vector Unit: its results become state at once, computed
 * and checked by the same functions as in src/pipe/pipe.c.
 */
#include "pipe/check.h"
#include "pipe/exec.h"
#include "pipe/pipe.h"

#include "isa/tokens.h"

/* SFPCONFIG and SFPLOADMACRO affect the instructions behind them: not for this path. */
#define IS(mnemonic, name) (INSN_##mnemonic == INSN_##name)
#define VECTOR(unit) (TX_UNIT_##unit >= TX_UNIT_LOAD && TX_UNIT_##unit <= TX_UNIT_STORE)
#define FOR_THE_NEXT(mnemonic) (IS(mnemonic, SFPCONFIG) || IS(mnemonic, SFPLOADMACRO))
#define IS_MAD(mnemonic, unit, latency)                                          \
    (TX_UNIT_##unit == TX_UNIT_MAD && (latency) == 2 && !IS(mnemonic, SFPLUT) && \
     !IS(mnemonic, SFPLUTFP32))
#define ROW(id_, mnemonic_, chips, format_, modes_, legal_, unit_, latency_, ...) \
    [ROWID_##id_] = !VECTOR(unit_) || FOR_THE_NEXT(mnemonic_) ? PIPE_OTHER        \
                    : (latency_) == 1                         ? PIPE_ONE_CYCLE    \
                    : IS(mnemonic_, SFPSWAP)                  ? PIPE_SWAP         \
                    : IS_MAD(mnemonic_, unit_, latency_)      ? PIPE_MAD          \
                                                              : PIPE_OTHER,
static const uint8_t kinds[ROWID_COUNT] = {
#include "isa/isa.def"
};
#undef ROW

/* VD from 8 on is not for this path: a template may capture the word or a guard disable lanes. */
enum pipe_kind pipe_kind(const struct tx_op *op)
{
    const enum pipe_kind kind = (enum pipe_kind)kinds[op->row];
    const bool one = kind != PIPE_MAD ||
                     !tx_indirect_vd(isa_row((enum isa_row_id)op->row)->text.writes, op->mode);
    return op->vd < LREG_CONSTANTS && one ? kind : PIPE_OTHER;
}

uint32_t pipe_meets(const struct tx_op *op, const struct pipe_late *late)
{
    const struct tx_row *row = &isa_row((enum isa_row_id)op->row)->text;
    return op_set(op, row->reads | row->belief | row->writes, 0xFFFFu, true) & late->writes;
}

uint32_t pipe_waits(const struct tx_machine *m, const struct tx_op *op,
                    const struct pipe_late *late)
{
    const struct tx_row *row = &isa_row((enum isa_row_id)op->row)->text;
    return machine_has(m, INTERLOCK) ? op_set(op, row->belief, 0xFFFFu, true) & late->writes : 0;
}

void pipe_late_end(struct tx_machine *m, struct pipe_late *late)
{
    if (late->effect != NULL) {
        effect_commit(m, &late->op, late->start, late->effect);
        late->effect = NULL;
    }
}

void pipe_late_keep(struct tx_machine *m, struct pipe_late *late)
{
    if (late->effect != NULL) {
        const struct started of = {.op = &late->op, .lanes = late->lanes, .effect = late->effect};
        pipe_flight(m, &of, late->start);
        late->effect = NULL;
    }
}

void pipe_alone(struct tx_machine *m, const struct tx_op *op, enum pipe_kind kind,
                struct pipe_late *late)
{
    const uint64_t now = m->state.cycle;
    struct effect *const own = &m->effects[MACRO_PENDING_RUN];
    struct exec x = {m, op, late->effect == own ? own - 1 : own, 0xFFFFFFFFu, 0, 0};
    const uint32_t enabled = m->state.lane_flags | ~m->state.use_flags;
    x.lanes = op_unpredicated(op) ? 0xFFFFFFFFu : enabled;
    check_word(m, op);
    effect_clear(x.e);
    exec_body(&x);
    check_effect(m, op, x.e, x.lanes);
    m->counters.vector_instructions++;
    if (m->faulted) {
        return;
    }
    pipe_late_end(m, late);
    if (kind == PIPE_MAD) {
        late->effect = x.e;
        late->op = *op;
        late->start = now;
        late->lanes = x.lanes;
        late->writes = 1u << op->vd;
        return;
    }
    if (kind == PIPE_SWAP) { /* its second cycle, in which nothing else happens */
        exec_swap(m, op, x.lanes, x.decide, x.e);
    }
    effect_commit(m, op, now, x.e);
}
