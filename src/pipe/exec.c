/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a body over the lanes. Everything that thirty bodies would otherwise repeat is here: which
 * lanes run, backdoor capture, indirect registers, destination checks, the random draw, the stack.
 */
#include "pipe/exec.h"

#include "num/prng.h"
#include "sem/all.h"

#include "isa/tokens.h"

uint32_t exec_indirect(const struct tx_state *s)
{
    uint32_t set = 0;
    for (unsigned lane = 0; lane < 32; lane++) {
        set |= 1u << (s->lreg[7][lane] & 15u);
    }
    return set;
}

static bool unpredicated(const struct isa_row *row, const struct tx_op *op)
{
    return row->guard == GUARD_A_ALL || row->guard == GUARD_C_ALL || row->guard == GUARD_FREE ||
           (row->guard == GUARD_A_MOV && (op->mode & ~4u) == 2);
}

/* Family A asks per lane, B and C only look at the register number (R1, R7). */
uint32_t exec_guard(const struct tx_machine *m, const struct tx_op *op)
{
    const struct isa_row *row = isa_row((enum isa_row_id)op->row);
    switch ((enum isa_guard)row->guard) {
    case GUARD_A:
    case GUARD_A_ALL:
    case GUARD_A_MOV:
        if (op->vd < 12 || op->scheduled != 0) {
            return 0xFFFFFFFFu;
        }
        return state_lane_config(&m->state, LC_DISABLE_BACKDOOR_LOAD);
    case GUARD_B:
        return op->vd < 8 || op->vd == 16 ? 0xFFFFFFFFu : 0;
    case GUARD_C:
    case GUARD_C_ALL:
        return op->vd < 8 ? 0xFFFFFFFFu : 0;
    case GUARD_FREE:
        break;
    }
    return 0xFFFFFFFFu;
}

/* What SFPMOV FROM_SPECIAL reads in one lane; VC 9 is the random draw. Source: isa SFPMOV. */
static uint32_t special_value(const struct tx_state *s, unsigned vc, unsigned lane)
{
    if (vc < 4) {
        return s->macro_template[vc][lane];
    }
    if (vc < 8) {
        return s->macro_sequence[vc - 4][lane];
    }
    if (vc == 8) {
        return s->macro_misc[lane];
    }
    return vc == 15 ? s->lane_config[lane & 7u] : 0;
}

typedef struct sem_out lane_body(const struct tx_op *op, const struct sem_in *in);

/* All values of one lane that a row with these reads and writes can need. */
TX_INLINE void lane_in(const struct exec *x, unsigned lane, uint64_t reads, uint64_t writes,
                       struct sem_in *in)
{
    const struct tx_state *s = &x->m->state;
    const struct tx_op *op = x->op;
    if ((reads & (SET_VA | SET_VAX)) != 0) {
        const bool indirect = (reads & SET_VAX) != 0 && (op->mode & 4u) != 0;
        in->a = s->lreg[indirect ? s->lreg[7][lane] & 15u : op->va][lane];
    }
    if ((reads & SET_VB) != 0) {
        in->b = s->lreg[op->vb][lane];
    }
    if ((reads & SET_VC) != 0) {
        in->c = s->lreg[op->vc][lane];
    }
    if ((reads & SET_CFG) != 0) {
        in->c = special_value(s, op->vc, lane);
    }
    if ((reads & SET_VD) != 0) {
        in->d = s->lreg[op->vd][lane];
    }
    for (unsigned i = 0; i < 7; i++) {
        if ((reads & SET_LREG(i)) != 0) {
            in->l[i] = s->lreg[i][lane];
        }
    }
    if ((writes & SET_PRNG) != 0) {
        in->draw = s->prng[lane];
        if (machine_rule(x->m, RULE_PRNG_RESULT)) {
            in->draw = prng_step(in->draw);
        }
    }
    if (((reads | writes) & (SET_LF | SET_LF8 | SET_FLAGS | SET_STACK)) != 0) {
        in->lf = (s->lane_flags >> lane & 1u) != 0;
        in->use = (s->use_flags >> lane & 1u) != 0;
    }
    if (((reads | writes) & SET_STACK) != 0) {
        const unsigned ctr = s->stack_ctr[lane];
        const unsigned top = (ctr - 1u) & 7u;
        in->empty = ctr == 0;
        in->full = ctr >= 8;
        in->eight = ctr == 8;
        in->top_lf = !in->empty && (s->stack_lf[top] >> lane & 1u) != 0;
        in->top_use = !in->empty && (s->stack_use[top] >> lane & 1u) != 0;
    }
}

TX_INLINE void lane_stack(struct effect *e, unsigned lane, const struct sem_out *out)
{
    const uint32_t bit = 1u << lane;
    switch ((enum sem_stack)out->stack) {
    case SEM_KEEP:
        return;
    case SEM_PUSH:
        e->push_mask |= bit;
        break;
    case SEM_POP:
        e->pop_mask |= bit;
        break;
    case SEM_SET_TOP:
        e->set_top_mask |= bit;
        break;
    case SEM_STRAY_TOP:
        e->stray_mask |= bit;
        break;
    }
    e->top_lf |= out->top_lf ? bit : 0;
    e->top_use |= out->top_use ? bit : 0;
}

static void stack_finding(const struct exec *x, uint32_t beyond)
{
    if (beyond != 0) {
        machine_finding(x->m, TX_UNDEFINED_BEHAVIOR, evidence_get(EVIDENCE_R3)->id, x->op, beyond,
                        "flag stack used beyond its eight entries or below empty");
    }
}

/* What the lanes of one instruction gave. */
struct results {
    uint32_t value[32];
    uint32_t written, lf, use; /* bit per lane */
    uint32_t beyond;
};

/* Indirect destinations differ by lane; a direct one is written whole. */
TX_INLINE void write_results(struct exec *x, const struct results *r, uint64_t writes)
{
    const struct tx_op *op = x->op;
    const uint32_t lanes = x->lanes & r->written;
    if ((writes & SET_VDX) != 0 && (op->mode & 8u) != 0 && op->vd != 16) {
        for (unsigned lane = 0; lane < 32; lane++) {
            const unsigned vd = x->m->state.lreg[7][lane] & 15u;
            if ((lanes >> lane & 1u) != 0 && vd < 8) {
                effect_write_lane(x->e, vd, lane, r->value[lane]);
            }
        }
    } else if ((op->vd < 8 || op->vd == 16) && lanes != 0) {
        effect_write(x->e, op->vd, lanes, r->value);
    }
}

/* Inlined once per row with its body and sets as constants. */
TX_INLINE void lanes_run(struct exec *x, lane_body *body, uint64_t reads, uint64_t writes)
{
    struct effect *e = x->e;
    /* GT and LE change the stack in every lane that the guard lets through, enabled or not. */
    const bool stack_all = (writes & SET_STACK) != 0;
    const uint32_t visit = stack_all ? exec_guard(x->m, x->op) & x->allowed : x->lanes;
    struct results r;
    struct sem_in in = {0};
    r.written = r.lf = r.use = r.beyond = 0;
    in.blackhole = machine_is_bh(x->m);
    in.lut16_positive = machine_rule(x->m, RULE_LUT16_ZERO);
    in.stoch_shifted = machine_rule(x->m, RULE_STOCH_COMPARE);
    for (unsigned lane = 0; lane < 32; lane++) {
        if ((visit >> lane & 1u) == 0) {
            r.value[lane] = 0;
            continue;
        }
        lane_in(x, lane, reads, writes, &in);
        const struct sem_out out = body(x->op, &in);
        r.value[lane] = out.value;
        r.written |= (out.write ? 1u : 0u) << lane;
        r.lf |= (out.lf ? 1u : 0u) << lane;
        r.use |= (out.use ? 1u : 0u) << lane;
        if (stack_all) {
            lane_stack(e, lane, &out);
            r.beyond |= (out.beyond ? 1u : 0u) << lane;
        }
    }
    if ((writes & (SET_VD | SET_VDX)) != 0) {
        write_results(x, &r, writes);
    }
    if ((writes & SET_LF) != 0 || ((writes & SET_LF8) != 0 && x->op->vd < 8)) {
        e->lf_mask = x->lanes;
        e->lf = r.lf;
    }
    if ((writes & SET_USE) != 0) {
        e->use_mask = x->lanes;
        e->use = r.use;
    }
    if ((writes & SET_PRNG) != 0) {
        e->prng_mask = x->lanes;
    }
    stack_finding(x, r.beyond);
}

/* FROM_SPECIAL steps the generator only when it reads it; other random rows always do. */
static inline bool draws(const struct tx_op *op)
{
    return op->row != ROWID_SFPMOV_SPECIAL || op->vc == 9;
}

#define LANE(body) lanes_run(x, sem_##body, reads, writes)
#define WHOLE(body) whole_##body(x)
#define UNIT(body) ((void)x)
#define ROW(id_, mnemonic_, chips, format_, modes_, legal_, unit_, latency_, body_, guard_, \
            implied_, reads_, belief_, writes_, outside_, source_, summary_)                \
    static void exec_##id_(struct exec *x)                                                  \
    {                                                                                       \
        const uint64_t reads = (reads_);                                                    \
        const uint64_t writes = (writes_);                                                  \
        (void)reads;                                                                        \
        (void)writes;                                                                       \
        body_;                                                                              \
    }
#include "isa/isa.def"
#undef ROW

typedef void exec_function(struct exec *x);

#define ROW(id_, ...) [ROWID_##id_] = exec_##id_,
static exec_function *const exec_table[ROWID_COUNT] = {
#include "isa/isa.def"
};
#undef ROW

uint32_t exec_open_lanes(const struct tx_machine *m, const struct tx_op *op)
{
    const unsigned guard = isa_row((enum isa_row_id)op->row)->guard;
    if (op->vd < 12 || op->vd == 16 || op->scheduled != 0 || guard == GUARD_FREE) {
        return 0;
    }
    return ~state_lane_config(&m->state, LC_DISABLE_BACKDOOR_LOAD);
}

/* Lanes whose template captures the word instead of executing it (R1, O-5). */
static uint32_t capture_lanes(const struct tx_machine *m, const struct tx_op *op)
{
    const uint32_t lanes = exec_open_lanes(m, op);
    return machine_rule(m, RULE_BACKDOOR_LANES) ? lanes & state_enabled(&m->state) : lanes;
}

void exec_vector(struct tx_machine *m, const struct tx_op *op, uint32_t allowed, struct effect *e,
                 uint32_t *lanes, uint32_t *decide)
{
    const struct isa_row *row = isa_row((enum isa_row_id)op->row);
    struct exec x = {m, op, e, allowed, 0, 0};
    effect_clear(e);
    e->template_mask = capture_lanes(m, op) & allowed;
    if (e->template_mask != 0) {
        e->template_index = op->vd - 12u;
        e->template_word = op->word;
        machine_note(m, EVIDENCE_R1);
        machine_note(m, EVIDENCE_O5);
    }
    x.lanes = unpredicated(row, op) ? 0xFFFFFFFFu : state_enabled(&m->state);
    x.lanes &= exec_guard(m, op) & ~e->template_mask & allowed;
    exec_table[op->row](&x);
    if (!draws(op)) {
        e->prng_mask = 0;
    }
    *lanes = x.lanes;
    *decide = x.decide;
    if (m->settings.sink.event != NULL) {
        machine_compute_event(m, op, x.lanes, e);
    }
    if (m->on_exec != NULL) {
        m->on_exec(m->on_user, m, op, allowed, e, x.lanes);
    }
}
