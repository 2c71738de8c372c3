/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A fast path for runs of everyday instructions: those of the Vector Unit, the Matrix Unit and the
 * packers from one thread, while nothing else is under way and nobody watches. It is front_cycle
 * without the checks whose result cannot change from word to word, and it advances cycle by cycle
 * without settling other units. Not for a machine with a sink. tests/front/test_straight.c and
 * test_skip.c compare it with front_cycle.
 */
#include "front/front.h"
#include "base/check.h"
#include "front/span.h"
#include "pipe/check.h"
#include "pipe/pipe.h"
#include "scalar/unit.h"
#include "state/order.h"

/*
 * Returns whether nothing is under way and no setting is active that an instruction would have to
 * check.
 */
static bool ordinary(const struct tx_machine *m, unsigned thread)
{
    const struct tx_state *s = &m->state;
    const struct replay *r = &s->front.replay[thread];
    return (s->flights | s->pending_count | s->config_fresh) == 0 && !order_wanted(m) &&
           m->delays == NULL && m->on_exec == NULL && !m->faulted &&
           !machine_rule(m, RULE_EARLY_READ) && !state_has_config(s, LC_BITS) &&
           front_alone(m, thread) && (r->emitting | r->remaining) == 0 &&
           s->units.gate[thread].until <= s->cycle;
}

/* Returns whether the instruction takes effect as it passes and leaves nothing to settle. */
static bool takes_effect(const struct tx_op *op)
{
    return op->unit == TX_UNIT_MATRIX || op->unit == TX_UNIT_PACK;
}

/*
 * Returns whether this path knows the word's instruction. Checked first, as it most often decides.
 */
static bool is_everyday(struct tx_machine *m, uint32_t word)
{
    struct tx_op op;
    return machine_decode(m, word, &op) && (pipe_kind(&op) != PIPE_OTHER || takes_effect(&op));
}

/* Returns whether an SFPSWAP of Blackhole right before it holds this word for a cycle. */
static bool held_by_swap(struct tx_machine *m, uint32_t word)
{
    struct tx_op op;
    return machine_has(m, SWAP_HOLDS_ALL) && machine_decode(m, word, &op) && pipe_is_vector(&op) &&
           isa_row((enum isa_row_id)op.row)->insn != INSN_SFPNOP;
}

/* Records a cycle in which the interlock holds the word at the gate. */
static void hold_word(struct tx_machine *m, unsigned thread, uint32_t word)
{
    CHECK(thread < TX_THREADS, "a word that an interlock holds is a thread's");
    struct wait_gate *g = &m->state.units.gate[thread];
    g->since = m->state.cycle;
    g->hold = TX_HOLD_INTERLOCK;
    g->other = TX_THREADS;
    g->word = word;
    m->counters.stall_cycles++;
}

/* Counts an executed instruction and ends its cycle. */
static void passed(struct tx_machine *m, const struct tx_op *op)
{
    CHECK(!m->faulted, "an instruction that has stopped the machine has not passed");
    check_passed(m, op);
    m->state.index++;
    m->state.units.gate[op->thread].passed++;
    m->counters.instructions++;
    m->state.cycle++;
}

/*
 * Passes and executes a vector instruction. "next" is the word behind it, which an SFPSWAP holds.
 */
static void pass_vector(struct tx_machine *m, const struct tx_op *op, enum pipe_kind kind,
                        uint32_t next, struct pipe_late *late)
{
    CHECK(kind != PIPE_OTHER, "a vector instruction of a straight run is an everyday one");
    struct units *u = &m->state.units;
    struct wait_gate *g = &u->gate[op->thread];
    g->hold = TX_HOLD_NONE;
    g->vector = m->state.cycle + 1;
    u->last[GROUP_VECTOR] = op->thread;
    pipe_alone(m, op, kind, late);
    if (m->faulted) {
        return;
    }
    passed(m, op);
    if (kind == PIPE_SWAP) {
        hold_word(m, op->thread, next);
        m->state.cycle++;
    }
}

/*
 * Passes and executes an instruction of the Matrix Unit or the packers. Returns false if its unit
 * holds it.
 */
static bool pass_unit(struct tx_machine *m, const struct tx_op *op, struct pipe_late *late)
{
    if (!takes_effect(op) || (op->unit == TX_UNIT_PACK ? unit_pack_hold(m, op)
                                                       : unit_matrix_hold(m, op)) != TX_HOLD_NONE) {
        return false;
    }
    m->state.units.gate[op->thread].hold = TX_HOLD_NONE;
    unit_mark(m, op);
    m->wrote.rows = 0;
    pipe_late_end(m, late);
    check_word(m, op);
    if (!m->faulted) {
        unit_execute(m, op);
    }
    if (!m->faulted) {
        passed(m, op);
    }
    if (m->wrote.rows != 0 && !m->faulted) {
        /* The three instructions before a load are counted from the next cycle on. */
        m->state.fpu = m->wrote;
    }
    return true;
}

size_t front_straight(struct tx_machine *m, unsigned thread, const uint32_t *words, size_t count,
                      struct span *run, uint64_t *left)
{
    const uint64_t start = m->state.cycle;
    const uint64_t room = machine_unasked(m) - 1;
    const uint64_t most = room < *left ? room : *left;
    struct pipe_late late = {.effect = NULL};
    size_t i = 0;
    if (!is_everyday(m, words[0]) || !ordinary(m, thread)) {
        return 0;
    }
    /* Ends before the host must be asked; what has been packed meanwhile counts too. */
    while (i + 1 < count && m->state.cycle + 2 - start <= most &&
           m->state.cycle + 2 - start < machine_unasked(m) && !m->faulted) {
        struct tx_op op;
        const uint64_t now = m->state.cycle;
        if (!machine_decode(m, words[i], &op)) {
            break;
        }
        const enum pipe_kind kind = pipe_kind(&op);
        op.thread = (uint8_t)thread;
        op.number = m->state.index;
        if (kind == PIPE_OTHER) {
            const size_t n = late.effect != NULL || op.unit != TX_UNIT_PACK
                                 ? 0
                                 : front_packs(m, thread, words + i, count - 1 - i,
                                               most - (now - start) - 1, run);
            i += n;
            if (n != 0) {
                continue;
            }
            if (!pass_unit(m, &op, &late)) {
                break;
            }
        } else if (kind == PIPE_SWAP && !held_by_swap(m, words[i + 1])) {
            break;
        } else if (late.effect != NULL && pipe_meets(&op, &late) != 0) {
            if (pipe_waits(m, &op, &late) == 0) {
                break; /* a finding may be due: left to front_cycle */
            }
            hold_word(m, thread, words[i]);
            pipe_late_end(m, &late);
            m->state.cycle++;
            continue;
        } else {
            m->wrote.rows = 0;
            pass_vector(m, &op, kind, words[i + 1], &late);
        }
        if (!m->faulted) {
            run->first = run->started ? run->first : now;
            run->started = true;
            run->last_issue = now;
            i++;
        }
    }
    pipe_late_keep(m, &late);
    if (i != 0) {
        const uint64_t cycles = m->state.cycle - start;
        run->end = m->state.cycle - 1;
        *left -= cycles;
        machine_ran(m, cycles);
        m->moved = true;
        m->quiet = 0;
    }
    return i;
}
