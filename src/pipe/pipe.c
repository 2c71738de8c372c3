/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clock of the Vector Unit. All reads of a cycle see the state at its start, all writes happen
 * at its end; a two-cycle instruction writes at the end of the next cycle. Blackhole holds an
 * instruction that it believes to read such a result; Wormhole does so only after SFPSWAP. Source:
 * spec/timing.md a.
 */
#include "pipe/pipe.h"
#include "base/check.h"

#include "pipe/check.h"
#include "pipe/exec.h"
#include "pipe/macro.h"

#include <string.h>

void pipe_open(struct tx_machine *m)
{
    for (unsigned opcode = 0; opcode < 256; opcode++) {
        const uint32_t word = (uint32_t)opcode << 24;
        unsigned lsb = 0;
        for (unsigned bit = 0; bit < 24; bit += 16) {
            const enum isa_row_id id = isa_row_of(m->arch, word);
            if (id != ROWID_NONE && isa_layout(isa_row(id), FLD_MOD).width != 0) {
                lsb = isa_layout(isa_row(id), FLD_MOD).lsb;
                lsb = lsb > 20 ? 20 : lsb; /* the four bits end below the opcode */
            }
        }
        m->mode_lsb[opcode] = (uint8_t)lsb;
        for (uint32_t mode = 0; mode < 16; mode++) {
            m->row_cache[opcode][mode] = (uint16_t)isa_row_of(m->arch, word | mode << lsb);
        }
    }
}

/* Returns the registers that the interlock takes for the destination of a two-cycle instruction. */
static uint32_t believed_writes(const struct tx_op *op, const struct isa_row *row)
{
    if (row->insn == INSN_SFPLUTFP32) {
        return (op->mirror & TX_MOD_SFPLUTFP32_INDIRECT_VD) != 0 ? 0xFFFFu : 1u << op->vd;
    }
    if (tx_indirect_vd(row->text.writes, op->mode)) {
        return 0xFFFFu;
    }
    return 1u << op->vd;
}

/*
 * Returns why this instruction cannot start while "flight" is in its second cycle, or NULL. *lregs:
 * the registers that both use.
 */
static const char *stall_by(const struct tx_machine *m, const struct tx_op *op,
                            const struct in_flight *flight, uint32_t *lregs)
{
    const struct isa_row *row = isa_row((enum isa_row_id)op->row);
    if (flight->op.unit == TX_UNIT_SIMPLE) {
        if (row->insn == INSN_SFPNOP) {
            return NULL;
        }
        if (!machine_has(m, SWAP_HOLDS_ALL) && machine_rule(m, RULE_SWAP_STALL)) {
            const uint64_t touched = row->text.reads | row->text.writes;
            *lregs = op_set(op, touched, exec_indirect(&m->state), true) & flight->writes;
            return *lregs != 0 ? "SFPSWAP in its second cycle, operands overlap" : NULL;
        }
        return "SFPSWAP in its second cycle";
    }
    if (!machine_has(m, INTERLOCK)) {
        return NULL; /* no interlock: software must keep them apart */
    }
    if (flight->op.unit == TX_UNIT_ROUND) {
        return row->insn == INSN_SFPNOP ? NULL : "SFPSHFT2 in its second cycle";
    }
    *lregs = op_set(op, row->text.belief, 0xFFFFu, true) & flight->believed;
    return *lregs != 0 ? "operand that the MAD sub-unit is about to write" : NULL;
}

/*
 * Only instructions of threads hold and are held, not scheduled ones (timing.md a.4, a.7 rule 7).
 */
const char *pipe_hold_flights(const struct tx_machine *m, const struct tx_op *op,
                              struct tx_stall *by)
{
    for (uint32_t left = m->state.flights; left != 0; left &= left - 1) {
        const struct in_flight *flight = &m->state.flight[bits_lowest(left)];
        const char *cause = NULL;
        uint32_t lregs = 0;
        if (flight->op.scheduled == 0) {
            cause = stall_by(m, op, flight, &lregs);
        }
        if (cause != NULL && m->settings.sink.event != NULL) {
            const uint64_t reads = isa_row((enum isa_row_id)op->row)->text.reads;
            const bool index = state_lane_config(&m->state, LC_ENABLE_DEST_INDEX) != 0;
            *by = (struct tx_stall){.row = &isa_row((enum isa_row_id)flight->op.row)->text,
                                    .word = flight->op.word,
                                    .number = flight->op.number,
                                    .start = flight->start,
                                    .lregs = lregs};
            by->needed =
                lregs & flight->writes & op_set(op, reads, exec_indirect(&m->state), index);
        }
        if (cause != NULL) {
            return cause;
        }
    }
    return NULL;
}

/*
 * Remembers an SFPCONFIG or template write that the next instruction may be too early to see (R2).
 */
static void remember_config(struct tx_state *s, const struct tx_op *op, const struct effect *e)
{
    s->config_fresh = 0;
    if (e->config_kind == EFFECT_NO_CONFIG && e->template_mask == 0) {
        return;
    }
    if (e->config_kind == EFFECT_LANE_CONFIG) {
        for (unsigned column = 0; column < 8; column++) {
            if ((e->config_mask >> column & 1u) != 0 &&
                ((e->config[column] ^ s->lane_config[column]) & LC_DISABLE_BACKDOOR_LOAD) != 0) {
                s->config_fresh |= 1;
            }
        }
    } else if (e->config_kind != EFFECT_NO_CONFIG && e->config_kind != EFFECT_CONSTANT) {
        s->config_fresh |= 2;
    }
    if (e->template_mask != 0) {
        s->config_fresh |= 2;
    }
    if (s->config_fresh != 0) {
        s->fresh_op = *op;
        s->fresh_cycle = s->cycle;
    }
}

void pipe_flight(struct tx_machine *m, const struct started *of, uint64_t start)
{
    const struct tx_op *op = of->op;
    const struct isa_row *row = isa_row((enum isa_row_id)op->row);
    const bool index = state_lane_config(&m->state, LC_ENABLE_DEST_INDEX) != 0;
    const bool vdx = tx_indirect_vd(row->text.writes, op->mode);
    const uint32_t indirect = vdx ? exec_indirect(&m->state) : 0;
    const uint32_t unused = ~(uint32_t)m->state.flights & ((1u << FLIGHTS) - 1u);
    if (unused != 0) {
        const unsigned i = bits_lowest(unused);
        struct in_flight *f = &m->state.flight[i];
        f->live = 1;
        m->state.flights |= (uint16_t)(1u << i);
        f->forwarded = 0;
        f->start = start;
        f->swap = row->insn == INSN_SFPSWAP;
        f->op = *op;
        f->lanes = of->lanes;
        f->decide = of->decide;
        f->writes = op_set(op, row->text.writes, indirect, index);
        f->believed = believed_writes(op, row);
        effect_copy(&f->effect, of->effect);
        return;
    }
    machine_stop(m, TX_UNSUPPORTED, evidence_get(EVIDENCE_R14)->id, op,
                 "more than two different macro configurations start two-cycle instructions on "
                 "one sub-unit in one cycle");
}

/* SFPSWAP reads its registers a second time, at the start of its second cycle. */
static void second_reads(struct tx_machine *m)
{
    for (uint32_t left = m->state.flights; left != 0; left &= left - 1) {
        struct in_flight *f = &m->state.flight[bits_lowest(left)];
        if (f->swap != 0 && f->start < m->state.cycle) {
            exec_swap(m, &f->op, f->lanes, f->decide, &f->effect);
        }
    }
}

/*
 * With rule early-read=new, results are written one cycle early. They stay in flight for the
 * checks.
 */
static void forward_flights(struct tx_machine *m)
{
    for (uint32_t left = m->state.flights; left != 0; left &= left - 1) {
        struct in_flight *f = &m->state.flight[bits_lowest(left)];
        if (f->start < m->state.cycle) {
            effect_commit(m, &f->op, f->start, &f->effect);
            f->forwarded = 1;
        }
    }
}

static void finish_flights(struct tx_machine *m)
{
    for (uint32_t left = m->state.flights; left != 0; left &= left - 1) {
        struct in_flight *f = &m->state.flight[bits_lowest(left)];
        if (f->start < m->state.cycle) {
            if (f->forwarded == 0) {
                effect_commit(m, &f->op, f->start, &f->effect);
            }
            f->live = 0;
            m->state.flights &= (uint16_t) ~(left & (0u - left));
        }
    }
}

/*
 * Checks the instructions that started in this cycle for early reads and lost writes, in the order
 * in which they commit.
 */
static void check_registers(struct tx_machine *m, const struct started *started, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct started *s = &started[i];
        for (uint32_t left = m->state.flights; left != 0; left &= left - 1) {
            const struct in_flight *f = &m->state.flight[bits_lowest(left)];
            if (f->start < m->state.cycle) {
                check_hazards(m, s->op, s->effect, s->lanes, f);
            }
        }
        for (unsigned k = 0; k < i; k++) {
            check_writes(m, s, &started[k]);
        }
    }
}

/* Ends the cycle for one instruction: it writes its results or goes in flight. */
static void pipe_settle(struct tx_machine *m, struct started *s)
{
    const struct isa_row *row = isa_row((enum isa_row_id)s->op->row);
    if (s->effect->latch_mask != 0) {
        effect_latch(m, s->effect);
    }
    if (row->text.latency == 1 || s->effect->template_mask == 0xFFFFFFFFu) {
        effect_commit(m, s->op, m->state.cycle, s->effect);
        return;
    }
    pipe_flight(m, s, m->state.cycle);
    if (s->effect->template_mask != 0) {
        /* Lanes in which a template captured the word write it in this cycle, as configuration. */
        struct effect capture;
        effect_clear(&capture);
        capture.template_mask = s->effect->template_mask;
        capture.template_index = s->effect->template_index;
        capture.template_word = s->effect->template_word;
        effect_commit(m, s->op, m->state.cycle, &capture);
        for (unsigned i = 0; i < FLIGHTS; i++) {
            m->state.flight[i].effect.template_mask = 0;
        }
    }
}

/* Executes the thread's instruction in the lanes that no scheduled one has taken. */
static void start_regular(struct tx_machine *m, const struct tx_op *op, uint32_t allowed,
                          struct started *out)
{
    CHECK(op->thread < TX_THREADS, "a vector instruction is a thread's");
    out->op = op;
    out->effect = &m->effects[MACRO_PENDING_RUN];
    check_visibility(m, op);
    check_word(m, op);
    exec_vector(m, op, allowed, out->effect, &out->lanes, &out->decide);
    check_effect(m, op, out->effect, out->lanes);
    remember_config(&m->state, op, out->effect);
}

void pipe_cycle(struct tx_machine *m, const struct tx_op *op)
{
    struct started started[MACRO_PENDING_RUN + 1];
    uint32_t allowed = 0xFFFFFFFFu;
    unsigned count = 0;
    if (m->state.flights != 0) {
        second_reads(m);
        if (machine_rule(m, RULE_EARLY_READ)) {
            forward_flights(m);
        }
    }
    if (m->state.pending_count != 0) {
        /* Lanes taken by scheduled instructions drop op silently. */
        allowed = op != NULL ? ~macro_taken(m, op) : 0;
        count = macro_execute(m, started, op != NULL);
    }
    if (op != NULL) {
        start_regular(m, op, allowed, &started[count++]);
        m->counters.vector_instructions++;
    }
    if (count > 1 || m->state.flights != 0) {
        check_registers(m, started, count);
        macro_check(m, started, count);
    }
    if (m->state.pending_count != 0) {
        macro_tick(m, op != NULL);
    }
    if (op != NULL && op->unit == TX_UNIT_LOAD) {
        /* It reads the configuration at the start of the cycle, as all reads do. */
        macro_launch(m, op);
    }
    if (m->faulted) {
        return;
    }
    finish_flights(m);
    for (unsigned i = 0; i < count; i++) {
        pipe_settle(m, &started[i]);
    }
}

bool pipe_resolve(struct tx_machine *m, unsigned thread, uint32_t word, struct tx_op *op)
{
    CHECK(thread < TX_THREADS, "a word at a gate is a thread's");
    if (machine_decode(m, word, op)) {
        op->thread = (uint8_t)thread;
        op->number = m->state.index;
        return true;
    }
    memset(op, 0, sizeof *op);
    op->word = word;
    op->thread = (uint8_t)thread;
    op->number = m->state.index;
    const struct tx_insn *insn = tx_insn_of(m->arch, word);
    if (insn != NULL) {
        op->unit = insn->unit; /* its unit is not modelled: ROWID_NONE */
        return true;
    }
    const struct tx_insn *there = insn_elsewhere(m->arch, word);
    machine_stop(m, TX_UNDEFINED_BEHAVIOR, evidence_get(EVIDENCE_E_NOINSN)->id, op,
                 there == NULL ? "%08x is no instruction of %s"
                               : "%08x is no instruction of %s (%s on the other chip)",
                 (unsigned)word, tx_arch_name(m->arch), there == NULL ? "" : there->name);
    return false;
}
