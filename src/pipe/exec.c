/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Executes the body of an instruction over the lanes. This file does what all bodies have in
 * common: which lanes execute, backdoor capture, indirect registers, destination checks, the random
 * draw, the flag stack.
 */
#include "pipe/exec.h"
#include "base/check.h"

#include "num/fma_lanes.h"
#include "num/prng.h"
#include "isa/macro_word.h"
#include "pipe/check.h"
#include "sem/all.h"
#include "state/order.h"

#include "isa/tokens.h"

uint32_t exec_indirect(const struct tx_state *s)
{
    uint32_t set = 0;
    for (unsigned lane = 0; lane < 32; lane++) {
        set |= 1u << (s->lreg[7][lane] & 15u);
    }
    return set;
}

/* Guards of family A are per lane; B and C depend on the register number only (R1, R7). */
uint32_t exec_guard(const struct tx_machine *m, const struct tx_op *op)
{
    const struct isa_row *row = isa_row((enum isa_row_id)op->row);
    switch ((enum isa_guard)row->guard) {
    case GUARD_A:
    case GUARD_A_ALL:
    case GUARD_A_MOV:
        if (op->vd < MACRO_VD_BACKDOOR || op->scheduled != 0) {
            return 0xFFFFFFFFu;
        }
        return state_lane_config(&m->state, LC_DISABLE_BACKDOOR_LOAD);
    case GUARD_B:
        return op->vd < LREG_CONSTANTS || op->vd == LREG_L16 ? 0xFFFFFFFFu : 0;
    case GUARD_C:
    case GUARD_C_ALL:
        return op->vd < LREG_CONSTANTS ? 0xFFFFFFFFu : 0;
    case GUARD_FREE:
        break;
    }
    return 0xFFFFFFFFu;
}

/*
 * Returns what SFPMOV FROM_SPECIAL reads in one lane; a random draw is handled elsewhere and is 0
 * here. Source: isa SFPMOV.
 */
static uint32_t special_value(const struct tx_state *s, unsigned vc, unsigned lane)
{
    CHECK(lane < TX_LANES, "a special value is one lane's");
    if (vc < TX_MOD_SFPMOV_SPECIAL_SEQUENCE) {
        return s->macro_template[vc][lane];
    }
    if (vc < TX_MOD_SFPMOV_SPECIAL_MISC) {
        return s->macro_sequence[vc - TX_MOD_SFPMOV_SPECIAL_SEQUENCE][lane];
    }
    if (vc == TX_MOD_SFPMOV_SPECIAL_MISC) {
        return s->macro_misc[lane];
    }
    return vc == TX_MOD_SFPMOV_SPECIAL_LANE_CONFIG ? s->lane_config[lane & 7u] : 0;
}

typedef struct sem_out lane_body(const struct tx_op *op, const struct sem_in *in);

/* For each operand, the 32 lanes that the body reads. */
struct operands {
    const uint32_t *a, *b, *c, *d;
    uint32_t gathered[32]; /* an operand that no single register holds */
};

TX_INLINE void find_operands(const struct exec *x, uint64_t reads, struct operands *at)
{
    const struct tx_state *s = &x->m->state;
    const struct tx_op *op = x->op;
    at->a = s->lreg[op->va];
    at->b = s->lreg[op->vb];
    at->c = s->lreg[op->vc];
    at->d = s->lreg[op->vd < TX_LREGS ? op->vd : 0];
    if (tx_indirect_va(reads, op->mode)) {
        for (unsigned lane = 0; lane < 32; lane++) {
            at->gathered[lane] = s->lreg[s->lreg[7][lane] & 15u][lane];
        }
        at->a = at->gathered;
    }
    if ((reads & TX_SET(CFG)) != 0) {
        for (unsigned lane = 0; lane < 32; lane++) {
            at->gathered[lane] = special_value(s, op->vc, lane);
        }
        at->c = at->gathered;
    }
}

/* Collects all values of one lane that a row with these reads and writes can need. */
TX_INLINE void lane_in(const struct tx_machine *m, const struct operands *at, unsigned lane,
                       uint64_t reads, uint64_t writes, struct sem_in *in)
{
    const struct tx_state *s = &m->state;
    if ((reads & (TX_SET(VA) | TX_SET(VAX))) != 0) {
        in->a = at->a[lane];
    }
    if ((reads & TX_SET(VB)) != 0) {
        in->b = at->b[lane];
    }
    if ((reads & (TX_SET(VC) | TX_SET(CFG))) != 0) {
        in->c = at->c[lane];
    }
    if ((reads & TX_SET(VD)) != 0) {
        in->d = at->d[lane];
    }
    for (unsigned i = 0; i < 7; i++) {
        if ((reads & SET_LREG(i)) != 0) {
            in->l[i] = s->lreg[i][lane];
        }
    }
    if ((writes & TX_SET(PRNG)) != 0) {
        const uint32_t next = prng_step(s->prng[lane]);
        in->draw = machine_rule(m, RULE_PRNG_RESULT) ? next : s->prng[lane];
    }
    if (((reads | writes) & (TX_SET(LF) | TX_SET(LF8) | TX_SET(FLAGS) | TX_SET(STACK))) != 0) {
        in->lf = (s->lane_flags & lane_bit[lane]) != 0;
        in->use = (s->use_flags & lane_bit[lane]) != 0;
    }
    if (((reads | writes) & TX_SET(STACK)) != 0) {
        const unsigned ctr = s->stack_ctr[lane];
        const unsigned top = (ctr - 1u) & 7u;
        in->empty = ctr == 0;
        in->full = ctr >= 8;
        in->eight = ctr == 8;
        in->top_lf = !in->empty && (s->stack_lf[top] & lane_bit[lane]) != 0;
        in->top_use = !in->empty && (s->stack_use[top] & lane_bit[lane]) != 0;
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

/* The results of the lanes of one instruction. */
struct results {
    uint32_t value[32];
    uint32_t written, lf, use; /* bit per lane */
};

/* Writes the results: an indirect destination lane by lane, a direct one as a whole. */
TX_INLINE void write_results(struct exec *x, const struct results *r, uint64_t writes)
{
    const struct tx_op *op = x->op;
    const uint32_t lanes = x->lanes & r->written;
    if (tx_indirect_vd(writes, op->mode) && op->vd != LREG_L16) {
        for (unsigned lane = 0; lane < 32; lane++) {
            const unsigned vd = x->m->state.lreg[7][lane] & 15u;
            if ((lanes >> lane & 1u) != 0 && vd < LREG_CONSTANTS) {
                effect_write_lane(x->e, vd, lane, r->value[lane]);
            }
        }
    } else if ((op->vd < LREG_CONSTANTS || op->vd == LREG_L16) && lanes != 0) {
        effect_write(x->e, op->vd, lanes, r->value);
    }
}

/* Returns the inputs that are the same in all lanes. */
TX_INLINE struct sem_in common_in(const struct tx_machine *m)
{
    const struct sem_in in = {.arithmetic_bh = machine_has(m, ARITHMETIC_BH),
                              .lut16_positive = machine_rule(m, RULE_LUT16_ZERO),
                              .stoch_shifted = machine_rule(m, RULE_STOCH_COMPARE)};
    return in;
}

/*
 * Runs a body that uses the flag stack, lane by lane. It runs in all lanes that the guard admits,
 * enabled or not.
 */
TX_INLINE void lanes_stack(struct exec *x, lane_body *body, uint64_t reads, uint64_t writes,
                           struct results *r)
{
    const uint32_t visit = exec_guard(x->m, x->op) & x->allowed;
    struct operands at;
    struct sem_in in = common_in(x->m);
    uint32_t beyond = 0;
    find_operands(x, reads, &at);
    r->written = r->lf = r->use = 0;
    for (unsigned lane = 0; lane < 32; lane++) {
        r->value[lane] = 0;
        if ((visit & lane_bit[lane]) != 0) {
            lane_in(x->m, &at, lane, reads, writes, &in);
            const struct sem_out out = body(x->op, &in);
            r->value[lane] = out.value;
            r->written |= out.write ? lane_bit[lane] : 0;
            r->lf |= out.lf ? lane_bit[lane] : 0;
            r->use |= out.use ? lane_bit[lane] : 0;
            lane_stack(x->e, lane, &out);
            beyond |= out.beyond ? lane_bit[lane] : 0;
        }
    }
    stack_finding(x, beyond);
}

/* Runs any other body in all lanes; results of lanes that do not execute are discarded. */
TX_INLINE void lanes_flat(struct exec *x, lane_body *body, uint64_t reads, uint64_t writes,
                          bool multiplies, struct results *r)
{
    const struct tx_op op = *x->op;
    const struct sem_in common = common_in(x->m);
    struct operands at;
    struct fma_lanes fma;
    uint32_t lf = 0;
    uint32_t use = 0;
    find_operands(x, reads, &at);
    for (unsigned lane = 0; multiplies && lane < 32; lane++) {
        uint32_t terms[3];
        struct sem_in in = common;
        in.terms = terms;
        lane_in(x->m, &at, lane, reads, writes, &in);
        (void)body(&op, &in);
        fma.x[lane] = terms[0];
        fma.y[lane] = terms[1];
        fma.z[lane] = terms[2];
    }
    if (multiplies) {
        fma_lanes_level()(common.arithmetic_bh, &fma);
    }
    for (unsigned lane = 0; lane < 32; lane++) {
        struct sem_in in = common;
        in.known = multiplies;
        in.sum = multiplies ? fma.out[lane] : 0;
        lane_in(x->m, &at, lane, reads, writes, &in);
        r->value[lane] = body(&op, &in).value;
    }
    /* Flags are computed in a loop of their own, so that compilers vectorize both loops. */
    r->written = 0xFFFFFFFFu;
    for (unsigned lane = 0; (writes & (TX_SET(LF) | TX_SET(LF8) | TX_SET(USE))) != 0 && lane < 32;
         lane++) {
        struct sem_in in = common;
        lane_in(x->m, &at, lane, reads, writes, &in);
        const struct sem_out out = body(&op, &in);
        lf |= lane_bit[lane] & (0u - (uint32_t)out.lf);
        use |= (writes & TX_SET(USE)) != 0 ? lane_bit[lane] & (0u - (uint32_t)out.use) : 0;
    }
    r->lf = lf;
    r->use = use;
}

/*
 * Runs one row's instruction. Inlined once per row, with body and sets as constants. multiplies:
 * the body calls sem_fma.
 */
TX_INLINE void lanes_run(struct exec *x, lane_body *body, uint64_t reads, uint64_t writes,
                         bool multiplies)
{
    struct effect *e = x->e;
    struct results r;
    if ((writes & TX_SET(STACK)) != 0) {
        lanes_stack(x, body, reads, writes, &r);
    } else if (writes == 0 || x->lanes == 0) {
        return; /* nothing is written: SFPNOP, or no lane executes */
    } else {
        lanes_flat(x, body, reads, writes, multiplies, &r);
    }
    if ((writes & (TX_SET(VD) | TX_SET(VDX))) != 0) {
        write_results(x, &r, writes);
    }
    if ((writes & TX_SET(LF)) != 0 || ((writes & TX_SET(LF8)) != 0 && x->op->vd < LREG_CONSTANTS)) {
        e->lf_mask = x->lanes;
        e->lf = r.lf;
    }
    if ((writes & TX_SET(USE)) != 0) {
        e->use_mask = x->lanes;
        e->use = r.use;
    }
    if ((writes & TX_SET(PRNG)) != 0) {
        e->prng_mask = x->lanes;
    }
}

/*
 * Returns whether the generator steps: for FROM_SPECIAL only when it is read, for other random rows
 * always.
 */
static inline bool draws(const struct tx_op *op)
{
    return op->row != ROWID_SFPMOV_SPECIAL || op->vc == TX_MOD_SFPMOV_SPECIAL_RAND;
}

#define LANE(body) lanes_run(x, sem_##body, reads, writes, multiplies)
#define WHOLE(body) whole_##body(x)
#define UNIT(body) ((void)x)
#define ROW(id_, mnemonic_, chips, format_, modes_, legal_, unit_, latency_, body_, guard_, \
            implied_, reads_, belief_, writes_, outside_, source_, summary_)                \
    static void exec_##id_(struct exec *x)                                                  \
    {                                                                                       \
        const uint64_t reads = (reads_);                                                    \
        const uint64_t writes = (writes_);                                                  \
        const bool multiplies =                                                             \
            TX_UNIT_##unit_ == TX_UNIT_MAD && INSN_##mnemonic_ != INSN_SFPMUL24;            \
        (void)reads;                                                                        \
        (void)writes;                                                                       \
        (void)multiplies;                                                                   \
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
    if (op->vd < MACRO_VD_BACKDOOR || op->vd == LREG_L16 || op->scheduled != 0 ||
        guard == GUARD_FREE) {
        return 0;
    }
    return ~state_lane_config(&m->state, LC_DISABLE_BACKDOOR_LOAD);
}

/* Returns the lanes whose template captures the word instead of executing it (R1, O-5). */
static uint32_t capture_lanes(const struct tx_machine *m, const struct tx_op *op)
{
    const uint32_t lanes = exec_open_lanes(m, op);
    return machine_rule(m, RULE_BACKDOOR_LANES) ? lanes & state_enabled(&m->state) : lanes;
}

/*
 * Tells the listener which registers, lane state and macro state the instruction reads and writes.
 */
static void tell_registers(struct tx_machine *m, const struct tx_op *op, const struct effect *e)
{
    const struct tx_row *row = &isa_row((enum isa_row_id)op->row)->text;
    const bool index = state_lane_config(&m->state, LC_ENABLE_DEST_INDEX) != 0;
    const uint64_t flags = TX_SET(FLAGS) | TX_SET(LF) | TX_SET(LF8) | TX_SET(USE) | TX_SET(STACK);
    const uint32_t wrote = ((row->writes & flags) != 0 ? 1u : 0) |
                           ((row->writes & TX_SET(PRNG)) != 0 ? 2u : 0) |
                           ((e->template_mask | e->config_mask) != 0 ? 4u : 0);
    const uint32_t read = (op_unpredicated(op) ? 0 : 1u) |
                          (op->unit == TX_UNIT_LOAD && op->row != ROWID_SFPNOP ? 4u : 0);
    const uint32_t lregs = op_set(op, row->reads, exec_indirect(&m->state), index);
    order_read(m, op, TX_SHARED_LREG, 0, lregs != 0, lregs);
    order_read(m, op, TX_SHARED_LREG, 1, read != 0, read);
    order_write(m, op, TX_SHARED_LREG, 0, e->lregs != 0, e->lregs);
    order_write(m, op, TX_SHARED_LREG, 1, wrote != 0, wrote);
}

/* Lanes of the result depend on tainted cells of Dst if lanes of an operand do. */
static void taint(struct exec *x)
{
    const struct tx_row *row = &isa_row((enum isa_row_id)x->op->row)->text;
    const bool index = state_lane_config(&x->m->state, LC_ENABLE_DEST_INDEX) != 0;
    uint32_t lanes = 0;
    for (uint32_t left = op_set(x->op, row->reads, exec_indirect(&x->m->state), index) & 0x1FFFFu;
         left != 0; left &= left - 1) {
        lanes |= x->m->state.lreg_tainted[bits_lowest(left)];
    }
    x->e->taint |= check_crosses(x->op) && lanes != 0 ? 0xFFFFFFFFu : lanes;
}

void exec_body(struct exec *x)
{
    exec_table[x->op->row](x);
    if (!draws(x->op)) {
        x->e->prng_mask = 0;
    }
    if (x->m->state.tainted != 0) {
        taint(x);
    }
    check_encoding(x->m, x->op, x->e, x->lanes);
    if (order_wanted(x->m)) {
        tell_registers(x->m, x->op, x->e);
    }
}

void exec_vector(struct tx_machine *m, const struct tx_op *op, uint32_t allowed, struct effect *e,
                 uint32_t *lanes, uint32_t *decide)
{
    struct exec x = {m, op, e, allowed, 0, 0};
    effect_clear(e);
    e->template_mask = capture_lanes(m, op) & allowed;
    if (e->template_mask != 0) {
        e->template_index = op->vd - (unsigned)MACRO_VD_BACKDOOR;
        e->template_word = op->word;
        machine_note(m, EVIDENCE_R1);
        machine_note(m, EVIDENCE_O5);
    }
    x.lanes = op_unpredicated(op) ? 0xFFFFFFFFu : state_enabled(&m->state);
    x.lanes &= ~e->template_mask & allowed;
    if (op->vd >= LREG_CONSTANTS) { /* below that, every guard admits all lanes */
        x.lanes &= exec_guard(m, op);
    }
    exec_body(&x);
    *lanes = x.lanes;
    *decide = x.decide;
    if (m->settings.sink.event != NULL) {
        machine_compute_event(m, op, x.lanes, e);
    }
    if (m->on_exec != NULL) {
        m->on_exec(m->on_user, m, op, allowed, e, x.lanes);
    }
}
