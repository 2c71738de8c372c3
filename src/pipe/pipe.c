/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clock. All reads of a cycle see the state of its start, all writes happen at its end; a
 * two-cycle instruction writes at the end of the next one. Blackhole holds an instruction that it
 * believes to read such a result; Wormhole does not, except after SFPSWAP. Source: spec/timing.md
 * a.
 */
#include "pipe/pipe.h"

#include "pipe/check.h"
#include "pipe/exec.h"
#include "scalar/unit.h"

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
            }
        }
        m->mode_lsb[opcode] = (uint8_t)lsb;
        for (uint32_t mode = 0; mode < 16; mode++) {
            m->row_cache[opcode][mode] = (uint8_t)isa_row_of(m->arch, word | mode << lsb);
        }
    }
}

bool pipe_busy(const struct tx_machine *m)
{
    return m->state.flight[m->state.flight_index].live != 0;
}

static bool is_vector(const struct tx_op *op)
{
    return op->unit >= TX_UNIT_LOAD && op->unit <= TX_UNIT_STORE;
}

/* Registers the interlock takes for the destination of a two-cycle instruction. */
static uint32_t believed_writes(const struct tx_op *op, const struct isa_row *row)
{
    if (row->insn == INSN_SFPLUTFP32) {
        return (op->mirror & 8u) != 0 ? 0xFFFFu : 1u << op->vd;
    }
    if ((row->writes & SET_VDX) != 0 && (op->mode & 8u) != 0) {
        return 0xFFFFu;
    }
    return 1u << op->vd;
}

/* Why this instruction cannot start while flight is in its second cycle, or NULL. */
static const char *stall_cause(const struct tx_machine *m, const struct tx_op *op,
                               const struct in_flight *flight)
{
    const struct isa_row *row = isa_row((enum isa_row_id)op->row);
    if (flight->live == 0) {
        return NULL;
    }
    if (flight->op.unit == TX_UNIT_SIMPLE) {
        if (row->insn == INSN_SFPNOP) {
            return NULL;
        }
        if (!machine_is_bh(m) && machine_rule(m, RULE_SWAP_STALL)) {
            const uint64_t touched = row->reads | row->writes;
            return (op_set(op, touched, exec_indirect(&m->state), true) & flight->writes) != 0
                       ? "SFPSWAP in its second cycle, operands overlap"
                       : NULL;
        }
        return "SFPSWAP in its second cycle";
    }
    if (!machine_is_bh(m)) {
        return NULL; /* no interlock: software separates the two */
    }
    if (flight->op.unit == TX_UNIT_ROUND) {
        return row->insn == INSN_SFPNOP ? NULL : "SFPSHFT2 in its second cycle";
    }
    return (op_set(op, row->belief, 0xFFFFu, true) & flight->believed) != 0
               ? "operand that the MAD sub-unit is about to write"
               : NULL;
}

/* SFPCONFIG and template writes that the next instruction may be too early for (R2). */
static void remember_config(struct tx_state *s, const struct tx_op *op, const struct effect *e)
{
    s->config_fresh = 0;
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
    (void)op;
}

static void start_flight(struct tx_machine *m, const struct tx_op *op, struct in_flight *next,
                         uint32_t lanes, uint32_t decide)
{
    const struct isa_row *row = isa_row((enum isa_row_id)op->row);
    const bool index = state_lane_config(&m->state, LC_ENABLE_DEST_INDEX) != 0;
    next->live = 1;
    next->swap = row->insn == INSN_SFPSWAP;
    next->op = *op;
    next->lanes = lanes;
    next->decide = decide;
    next->writes = op_set(op, row->writes, exec_indirect(&m->state), index);
    next->believed = believed_writes(op, row);
}

/* End of a two-cycle instruction. SFPSWAP reads its registers again now. */
static void finish_flight(struct tx_machine *m, struct in_flight *flight)
{
    if (flight->live == 0) {
        return;
    }
    effect_commit(m, &flight->effect);
    flight->live = 0;
}

static void issue_event(const struct tx_machine *m, const struct tx_op *op)
{
    if (m->settings.sink.event != NULL) {
        const struct tx_event event = {
            .kind = TX_EVENT_ISSUE,
            .thread = op->thread,
            .unit = op->unit,
            .cycle = m->state.cycle,
            .word = op->word,
            .row = &isa_row((enum isa_row_id)op->row)->text,
        };
        machine_event(m, &event);
    }
}

static void issue_vector(struct tx_machine *m, const struct tx_op *op, struct in_flight *flight)
{
    struct tx_state *s = &m->state;
    struct in_flight *next = &s->flight[s->flight_index ^ 1u];
    const struct isa_row *row = isa_row((enum isa_row_id)op->row);
    uint32_t lanes;
    uint32_t decide;
    if (flight->live != 0 && flight->swap != 0) {
        exec_swap(m, &flight->op, flight->lanes, flight->decide, &flight->effect);
    }
    const bool forwarded = flight->live != 0 && machine_rule(m, RULE_EARLY_READ);
    if (forwarded) {
        effect_commit(m, &flight->effect); /* the other reading: as if results were there */
    }
    check_visibility(m, op);
    check_word(m, op);
    exec_vector(m, op, &next->effect, &lanes, &decide);
    check_effect(m, op, &next->effect, lanes);
    if (flight->live != 0) {
        check_hazards(m, op, &next->effect, lanes, flight);
    }
    if (m->faulted) {
        return;
    }
    remember_config(s, op, &next->effect);
    if (forwarded) {
        flight->live = 0;
    }
    finish_flight(m, flight);
    if (row->text.latency == 2 && next->effect.template_mask != 0xFFFFFFFFu) {
        start_flight(m, op, next, lanes, decide);
        if (next->effect.template_mask != 0) {
            /* Captured in some lanes: that part is a configuration write of this cycle. */
            struct effect capture;
            effect_clear(&capture);
            capture.template_mask = next->effect.template_mask;
            capture.template_index = next->effect.template_index;
            capture.template_word = next->effect.template_word;
            effect_commit(m, &capture);
            next->effect.template_mask = 0;
        }
        s->flight_index ^= 1u;
    } else {
        effect_commit(m, &next->effect);
    }
    m->counters.vector_instructions++;
}

/* Resolves a word, or stops the machine with the reason. */
static bool resolve(struct tx_machine *m, unsigned thread, uint32_t word, struct tx_op *op)
{
    const unsigned opcode = word >> 24;
    const unsigned mode = word >> m->mode_lsb[opcode] & 15u;
    const enum isa_row_id id = (enum isa_row_id)m->row_cache[opcode][mode];
    if (id != ROWID_NONE) {
        op_decode_row(id, word, op);
        op->thread = (uint8_t)thread;
        return true;
    }
    memset(op, 0, sizeof *op);
    op->word = word;
    op->thread = (uint8_t)thread;
    const struct tx_insn *insn = tx_insn_of(m->arch, word);
    if (insn == NULL) {
        const enum tx_arch other = machine_is_bh(m) ? TX_WORMHOLE : TX_BLACKHOLE;
        const struct tx_insn *there = tx_insn_of(other, word);
        machine_stop(m, TX_UNDEFINED_BEHAVIOR, evidence_get(EVIDENCE_E_NOINSN)->id, op,
                     there == NULL ? "%08x is no instruction of %s"
                                   : "%08x is no instruction of %s (%s on the other chip)",
                     (unsigned)word, tx_arch_name(m->arch), there == NULL ? "" : there->name);
    } else {
        machine_stop(m, TX_UNSUPPORTED, evidence_get(EVIDENCE_E_UNIT)->id, op,
                     "%s: its unit is not modelled", insn->macro);
    }
    return false;
}

/* Nothing new starts for the Vector Unit in this cycle. */
static void idle_vector(struct tx_machine *m, struct in_flight *flight)
{
    if (flight->live != 0 && flight->swap != 0) {
        exec_swap(m, &flight->op, flight->lanes, flight->decide, &flight->effect);
    }
    finish_flight(m, flight);
}

static void stall(struct tx_machine *m, const struct tx_op *op, const char *cause)
{
    m->counters.stall_cycles++;
    if (m->settings.sink.event != NULL) {
        const struct tx_event event = {.kind = TX_EVENT_STALL,
                                       .thread = op->thread,
                                       .unit = op->unit,
                                       .cycle = m->state.cycle,
                                       .word = op->word,
                                       .text = cause,
                                       .row = &isa_row((enum isa_row_id)op->row)->text};
        machine_event(m, &event);
    }
}

void pipe_cycle(struct tx_machine *m, unsigned thread, const uint32_t *word, bool *accepted)
{
    struct tx_state *s = &m->state;
    struct in_flight *flight = &s->flight[s->flight_index];
    struct tx_op op;
    *accepted = false;
    if (word == NULL) {
        idle_vector(m, flight);
    } else if (!resolve(m, thread, *word, &op)) {
        return;
    } else if (!is_vector(&op)) {
        check_word(m, &op);
        if (!m->faulted) {
            unit_execute(m, &op);
        }
        if (m->faulted) {
            return;
        }
        idle_vector(m, flight);
        issue_event(m, &op);
        *accepted = true;
    } else {
        const char *cause = stall_cause(m, &op, flight);
        if (cause != NULL) {
            stall(m, &op, cause);
            idle_vector(m, flight);
        } else {
            issue_event(m, &op);
            issue_vector(m, &op, flight);
            if (m->faulted) {
                return;
            }
            *accepted = true;
        }
    }
    if (*accepted) {
        m->counters.instructions++;
        s->index++;
    }
    s->cycle++;
}
