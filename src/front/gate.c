/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Wait Gates, and which instructions enter the units. All gates judge the state at the start of
 * the cycle; each unit accepts one instruction per cycle, the threads taking turns. A latched wait
 * is evaluated in every cycle after the one that latched it, and still blocks in the cycle in which
 * its condition is found to be met. Source: isa WaitGate, STALLWAIT 0553cc7; spec/timing.md a.1,
 * c.5.
 */
#include "front/front.h"
#include "base/check.h"
#include "pipe/check.h"
#include "pipe/pipe.h"
#include "scalar/unit.h"
#include "state/order.h"

#define ID(name) evidence_get(EVIDENCE_##name)->id

/* The word at a gate in this cycle, and the gate's verdict on it. */
struct head {
    struct tx_op op;
    const char *cause; /* text of the interlock that holds it, or NULL */
    struct tx_stall by;
    enum group group;
    enum tx_hold hold;
    uint8_t other;
    bool present;
    bool drop;  /* it passes without effect */
    bool asked; /* the host has accepted it */
};

/* ---- one thread ---- */

/*
 * Returns whether the thread's own instruction in the Scalar Unit holds the word. Blackhole lets a
 * configuration instruction pass one cycle early (spec/timing.md c.5).
 */
static bool scalar_holds(const struct tx_machine *m, unsigned thread, const struct tx_op *op)
{
    const struct scalar *s = &m->state.units.scalar;
    if (s->live == 0 || s->op.thread != thread) {
        return false;
    }
    return !(machine_has(m, CONFIG_BEHIND_SCALAR) && op->unit == TX_UNIT_CONFIG &&
             s->kind == SCALAR_TIMED && m->state.cycle + 1 >= s->end);
}

/* Sets h->hold to the first reason why the word may not pass in this cycle, before arbitration. */
static void judge(struct tx_machine *m, unsigned thread, struct head *h)
{
    CHECK(thread < TX_THREADS, "a word that is judged is a thread's");
    const struct wait_gate *g = &m->state.units.gate[thread];
    h->group = unit_group(m, &h->op);
    h->other = TX_THREADS;
    if (m->delays != NULL && delay_holds(m, thread, &h->op)) {
        h->hold = TX_HOLD_HOST;
    } else if (scalar_holds(m, thread, &h->op)) {
        h->hold = TX_HOLD_SCALAR_OWN;
    } else if (g->until > m->state.cycle) {
        h->hold = TX_HOLD_READ;
    } else if (g->wait != TX_WAIT_NONE && unit_blocked(m, &h->op, g->block)) {
        h->hold = TX_HOLD_WAIT;
    } else if (pipe_is_vector(&h->op)) {
        h->cause = pipe_hold(m, &h->op, &h->by);
        h->hold = h->cause != NULL ? TX_HOLD_INTERLOCK : TX_HOLD_NONE;
    } else {
        h->hold = unit_hold(m, &h->op, &h->other);
    }
}

/* ---- arbitration ---- */

static bool is_rdcfg(const struct head *h)
{
    return h->op.row == ROWID_RDCFG;
}

/*
 * Holds a word that has lost its turn. Exception: on Wormhole, RDCFGs of the same cycle all pass,
 * and only one of them takes effect.
 */
static void lose(struct tx_machine *m, struct head *h, const struct head *winner)
{
    if (machine_has(m, RDCFG_COLLIDES) && is_rdcfg(h) && is_rdcfg(winner)) {
        h->drop = true;
        machine_finding(m, TX_HAZARD, ID(E_RDCFG), &h->op, 0,
                        "RDCFG together with that of thread %u does nothing",
                        (unsigned)winner->op.thread);
        return;
    }
    h->hold = TX_HOLD_ARBITRATION;
    h->other = winner->op.thread;
    machine_note(m, EVIDENCE_E_TURN);
}

/*
 * Returns whether two words want the same entry, or stages of the Configuration Unit that exclude
 * each other.
 */
static bool contested(const struct head *a, const struct head *b)
{
    return a->present && b->present &&
           (a->group == b->group || (a->group == GROUP_CONFIG && b->group == GROUP_WRCFG) ||
            (a->group == GROUP_WRCFG && b->group == GROUP_CONFIG));
}

/* Lets one word into each entry, in turn after the thread that entered last; holds the others. */
static void arbitrate(struct tx_machine *m, struct head head[TX_THREADS])
{
    if (!contested(&head[0], &head[1]) && !contested(&head[0], &head[2]) &&
        !contested(&head[1], &head[2])) {
        return; /* and so nobody can have lost in a previous round either */
    }
    const struct head *winner[GROUP_COUNT] = {NULL};
    for (unsigned t = 0; t < TX_THREADS; t++) {
        if (head[t].present && head[t].hold == TX_HOLD_ARBITRATION) {
            /* The winner of the previous round was refused by the host. */
            head[t].hold = TX_HOLD_NONE;
            head[t].other = TX_THREADS;
        }
    }
    for (unsigned turn = 1; turn <= TX_THREADS; turn++) {
        for (unsigned t = 0; t < TX_THREADS; t++) {
            struct head *h = &head[t];
            const bool its_turn = (m->state.units.last[h->group] + turn) % TX_THREADS == t;
            if (!h->present || h->hold != TX_HOLD_NONE || h->group == GROUP_FREE || !its_turn ||
                h->drop) {
                continue;
            }
            if (winner[h->group] == NULL) {
                winner[h->group] = h;
            } else {
                lose(m, h, winner[h->group]);
            }
        }
    }
    /* CFGSHIFTMASK also excludes the stage before its own, whose instruction comes first. */
    const struct head *shift = winner[GROUP_CONFIG];
    if (shift != NULL && shift->op.row == ROWID_CFGSHIFTMASK && winner[GROUP_WRCFG] != NULL) {
        head[shift->op.thread].hold = TX_HOLD_CONFIG;
        head[shift->op.thread].other = winner[GROUP_WRCFG]->op.thread;
    }
}

/* ---- the latched waits ---- */

/*
 * Returns the threads whose latched wait finds its condition met. Instructions that pass in this
 * cycle count as executing.
 */
static uint32_t waits_over(const struct tx_machine *m)
{
    uint32_t over = 0;
    for (unsigned t = 0; m->state.units.waits != 0 && t < TX_THREADS; t++) {
        uint8_t semaphores;
        if (m->state.units.gate[t].wait != TX_WAIT_NONE && wait_busy(m, t, &semaphores) == 0) {
            over |= 1u << t;
        }
    }
    return over;
}

/* Tells the listener that a thread's wait is over, and which banks the units now use. */
static void tell_waited(struct tx_machine *m, unsigned thread)
{
    const struct units *u = &m->state.units;
    struct tx_op op = {.word = u->gate[thread].wait_word, .thread = (uint8_t)thread};
    order_tell(m, TX_ORDER_WAITED, &op, TX_SHARED_COUNT, 0, 0,
               u->unpack_bank[0] | (uint32_t)u->unpack_bank[1] << 1 |
                   (uint32_t)u->matrix_bank[0] << 2 | (uint32_t)u->matrix_bank[1] << 3);
}

/* Removes the waits of the threads in "over". A wait that was latched in this very cycle stays. */
static void forget(struct tx_machine *m, uint32_t over)
{
    for (unsigned t = 0; over != 0 && t < TX_THREADS; t++) {
        struct wait_gate *g = &m->state.units.gate[t];
        if ((over >> t & 1u) != 0 && g->wait_since != m->state.cycle) {
            g->wait = TX_WAIT_NONE;
            m->state.units.waits--;
            m->moved = true;
            if (order_wanted(m)) {
                tell_waited(m, t);
            }
        }
    }
}

/* ---- passing ---- */

/*
 * Reports a read of configuration in the cycle after the instruction that writes it: the write is
 * still in its second stage, so that the reader may see the old word.
 */
static void check_config(struct tx_machine *m, const struct tx_op *op)
{
    const struct units *u = &m->state.units;
    const struct isa_row *row = isa_row((enum isa_row_id)op->row);
    for (unsigned i = 0; i < CONFIG_WRITES; i++) {
        const struct config_write *w = &u->config_write[i];
        if (w->live != 0 && w->thread == op->thread && w->due == m->state.cycle + 1 &&
            op->unit != TX_UNIT_CONFIG && (row->text.reads & TX_SET(CFG)) != 0) {
            machine_finding(m, TX_HAZARD, ID(E_CFGSOON), op, 0,
                            "%s right behind the write of configuration word %u sees the %s word",
                            row->text.mnemonic, (unsigned)w->word,
                            op->row == ROWID_UNPACR ? "new" : "old");
        }
    }
}

/*
 * Tells the listener that the instruction passes, and which STALLWAIT block bits would have held it
 * (bit 9: all of them together).
 */
static void tell_passed(struct tx_machine *m, const struct tx_op *op)
{
    uint32_t blocks = unit_blocked(m, op, 511) ? 1u << 9 : 0;
    for (unsigned b = 0; b < 9; b++) {
        blocks |= unit_blocked(m, op, 1u << b) ? 1u << b : 0;
    }
    order_tell(m, TX_ORDER_PASS, op, TX_SHARED_COUNT, 0, 0, blocks);
}

static void let_pass(struct tx_machine *m, const struct tx_op *op)
{
    m->moved = true;
    if (order_wanted(m)) {
        tell_passed(m, op);
    }
    m->state.units.gate[op->thread].hold = TX_HOLD_NONE;
    if (m->settings.sink.event != NULL) {
        machine_op_event(m, TX_EVENT_ISSUE, op, 0, NULL);
    }
    if (m->state.units.config_writes != 0) {
        check_config(m, op);
    }
    unit_mark(m, op);
}

static void count_passed(struct tx_machine *m, const struct tx_op *op)
{
    if (!m->faulted) {
        check_passed(m, op);
        m->state.index++;
        m->state.units.gate[op->thread].passed++;
        m->counters.instructions++;
        if (m->delays != NULL) {
            delay_passed(m, op->thread);
        }
    }
}

/* Returns the text of a stall event: which instruction, mutex or wait holds the word. */
static const char *cause_text(const struct tx_machine *m, const struct head *h)
{
    static const char *const entered[TX_THREADS] = {"T0 enters the unit", "T1 enters the unit",
                                                    "T2 enters the unit"};
    static const char *const executes[TX_THREADS] = {"T0 executes there", "T1 executes there",
                                                     "T2 executes there"};
    static const char *const holds[TX_THREADS] = {"mutex held by T0", "mutex held by T1",
                                                  "mutex held by T2"};
    if (h->cause != NULL) {
        return h->cause;
    }
    if (h->hold == TX_HOLD_WAIT) {
        return m->state.units.gate[h->op.thread].wait == TX_WAIT_SEMWAIT ? "its SEMWAIT"
                                                                         : "its STALLWAIT";
    }
    if (h->hold == TX_HOLD_BANK) {
        return unit_matrix_missing(m, &h->op);
    }
    if (h->other < TX_THREADS) {
        return h->hold == TX_HOLD_ARBITRATION ? entered[h->other]
               : h->hold == TX_HOLD_UNIT      ? executes[h->other]
               : h->hold == TX_HOLD_MUTEX     ? holds[h->other]
                                              : tx_hold_text(h->hold);
    }
    return tx_hold_text(h->hold);
}

static void keep_out(struct tx_machine *m, const struct head *h)
{
    CHECK(h->hold != TX_HOLD_NONE, "a word that is kept out is held by something");
    CHECK(h->present, "a word that is kept out is there");
    struct wait_gate *g = &m->state.units.gate[h->op.thread];
    if (g->hold == TX_HOLD_NONE) {
        g->since = m->state.cycle;
    }
    g->hold = (uint8_t)h->hold;
    g->other = h->other;
    m->counters.stall_cycles++;
    if (m->settings.sink.event != NULL) {
        const char *text = cause_text(m, h);
        m->stood[h->op.thread].op = h->op;
        m->stood[h->op.thread].text = text;
        m->stood[h->op.thread].by = h->by;
        machine_stall_event(m, &h->op, text, &h->by);
    }
}

/*
 * Offers the instruction to the host, if a port of the host executes it. Returns false if the host
 * is busy: then the word is held.
 */
static bool offer(struct tx_machine *m, struct head *h)
{
    if (unit_is_port(m, &h->op)) {
        if (unit_offer(m, &h->op) == TX_PORT_BUSY) {
            h->hold = TX_HOLD_HOST;
            return false;
        }
    }
    return true;
}

/*
 * Decides which words pass, and numbers them in order. If the host is busy, its word stays at the
 * gate, and the arbitration is repeated: another thread may have lost to that word.
 */
static void choose(struct tx_machine *m, struct head head[TX_THREADS])
{
    unsigned count = 0;
    bool again = true;
    m->wrote.rows = 0;
    while (again) {
        again = false;
        arbitrate(m, head);
        for (unsigned t = 0; t < TX_THREADS && !m->faulted; t++) {
            struct head *h = &head[t];
            if (!h->present || h->asked || h->hold != TX_HOLD_NONE) {
                continue;
            }
            h->op.number = m->state.index + count;
            h->asked = offer(m, h);
            count += h->asked ? 1 : 0;
            again = again || !h->asked;
        }
    }
}

/*
 * Executes the words that pass, the Vector Unit's first: it reads state that the others change in
 * this cycle.
 */
static void execute(struct tx_machine *m, struct head head[TX_THREADS])
{
    const struct tx_op *vector = NULL;
    for (unsigned t = 0; t < TX_THREADS; t++) {
        const bool passes = head[t].present && head[t].hold == TX_HOLD_NONE;
        vector = passes && head[t].group == GROUP_VECTOR ? &head[t].op : vector;
    }
    if (vector != NULL && m->delays != NULL && delay_begins(m, vector)) {
        vector = NULL;
    }
    pipe_cycle(m, vector);
    for (unsigned t = 0; t < TX_THREADS && !m->faulted; t++) {
        const struct head *h = &head[t];
        if (!h->present || h->hold != TX_HOLD_NONE || h->group == GROUP_VECTOR || h->drop) {
            continue;
        }
        if (h->op.row != ROWID_NONE) {
            check_word(m, &h->op);
        }
        if (!m->faulted && (m->delays == NULL || !delay_begins(m, &h->op))) {
            unit_execute(m, &h->op);
        }
    }
}

static void note_gates(struct tx_machine *m, const uint32_t *const word[TX_THREADS])
{
    for (unsigned t = 0; t < TX_THREADS; t++) {
        struct wait_gate *g = &m->state.units.gate[t];
        g->present = word[t] != NULL;
        if (word[t] != NULL) {
            g->word = *word[t];
        } else {
            g->hold = TX_HOLD_NONE;
        }
    }
}

/*
 * Keeps the rows that the Matrix Unit has written in this cycle, to check early loads. The three
 * instructions that must come between are counted from the next cycle on.
 */
static void keep_written(struct tx_machine *m)
{
    if (m->wrote.rows != 0 && !m->faulted) {
        m->state.fpu = m->wrote;
    }
}

/* A cycle in which no thread has a word: only latched waits and the Vector Unit go on. */
static void empty_cycle(struct tx_machine *m)
{
    const uint32_t over = waits_over(m);
    m->wrote.rows = 0;
    pipe_cycle(m, NULL);
    forget(m, over);
}

static void full_cycle(struct tx_machine *m, const uint32_t *const word[TX_THREADS],
                       bool passed[TX_THREADS])
{
    struct head head[TX_THREADS];
    note_gates(m, word);
    if (word[0] == NULL && word[1] == NULL && word[2] == NULL) {
        empty_cycle(m);
        return;
    }
    for (unsigned t = 0; t < TX_THREADS; t++) {
        head[t].present = word[t] != NULL;
        head[t].drop = head[t].asked = false;
        head[t].cause = NULL;
        head[t].by.row = NULL;
        head[t].group = GROUP_FREE;
        if (word[t] != NULL && pipe_resolve(m, t, *word[t], &head[t].op)) {
            judge(m, t, &head[t]);
        }
    }
    if (m->faulted) {
        return;
    }
    choose(m, head);
    for (unsigned t = 0; t < TX_THREADS && !m->faulted; t++) {
        if (!head[t].present) {
            continue;
        }
        passed[t] = head[t].hold == TX_HOLD_NONE;
        if (passed[t]) {
            let_pass(m, &head[t].op);
        } else {
            keep_out(m, &head[t]);
        }
    }
    const uint32_t over = waits_over(m);
    if (!m->faulted) {
        execute(m, head);
    }
    forget(m, over);
    for (unsigned t = 0; t < TX_THREADS; t++) {
        if (passed[t]) {
            count_passed(m, &head[t].op);
        }
    }
    keep_written(m);
}

void gate_cycle(struct tx_machine *m, const uint32_t *const word[TX_THREADS],
                bool passed[TX_THREADS])
{
    passed[0] = passed[1] = passed[2] = false;
    full_cycle(m, word, passed);
    if (m->faulted) {
        passed[0] = passed[1] = passed[2] = false;
        return;
    }
    m->state.cycle++;
}

/*
 * Returns whether the instruction's unit accepts it. Of the units, the Matrix Unit and the packers
 * only, whose instructions take effect as they pass and leave nothing to settle; with "any", all
 * but those that a port of the host executes.
 */
static bool enters(const struct tx_machine *m, const struct tx_op *op, bool any)
{
    uint8_t other;
    switch ((enum tx_unit)op->unit) {
    case TX_UNIT_MATRIX:
        return unit_matrix_hold(m, op) == TX_HOLD_NONE;
    case TX_UNIT_PACK:
        return unit_pack_hold(m, op) == TX_HOLD_NONE;
    default:
        return any && op->row != ROWID_NONE && !unit_is_port(m, op) &&
               unit_hold(m, op, &other) == TX_HOLD_NONE;
    }
}

bool gate_waits(struct tx_machine *m, unsigned thread)
{
    CHECK(thread < TX_THREADS, "a latched wait is one of three threads'");
    CHECK(m->state.units.waits != 0, "a wait that may be over was counted");
    uint8_t semaphores;
    if (wait_busy(m, thread, &semaphores) != 0) {
        return true;
    }
    m->state.units.gate[thread].wait = TX_WAIT_NONE;
    m->state.units.waits--;
    if (order_wanted(m)) {
        tell_waited(m, thread);
    }
    return false;
}

bool gate_blocks(struct tx_machine *m, unsigned thread, uint32_t word)
{
    struct tx_op op;
    return machine_decode(m, word, &op) && unit_blocked(m, &op, m->state.units.gate[thread].block);
}

bool gate_quick(struct tx_machine *m, unsigned thread, uint32_t word, bool any, bool *passed)
{
    struct head head;
    struct tx_op *op = &head.op;
    struct wait_gate *g = &m->state.units.gate[thread];
    if (!machine_decode(m, word, op) || g->until > m->state.cycle) {
        return false;
    }
    const bool vector = pipe_is_vector(op);
    op->thread = (uint8_t)thread;
    CHECK(g->wait == TX_WAIT_NONE || !unit_blocked(m, op, g->block),
          "a quick word is none that a latched wait holds");
    if (!vector && op->row != ROWID_NOP && !enters(m, op, any)) {
        return false;
    }
    op->number = m->state.index;
    head.by.row = NULL;
    head.cause = vector ? pipe_hold(m, op, &head.by) : NULL;
    *passed = head.cause == NULL;
    if (*passed) {
        g->hold = TX_HOLD_NONE;
        if (order_wanted(m)) {
            tell_passed(m, op);
        }
        if (m->settings.sink.event != NULL) {
            machine_op_event(m, TX_EVENT_ISSUE, op, 0, NULL);
        }
        if (op->row != ROWID_NOP) {
            unit_mark(m, op);
        }
    } else {
        head.hold = TX_HOLD_INTERLOCK;
        head.other = TX_THREADS;
        head.present = true;
        g->word = word;
        keep_out(m, &head);
    }
    m->wrote.rows = 0;
    pipe_cycle(m, *passed && vector ? op : NULL);
    if (!vector && !m->faulted) {
        check_word(m, op);
        if (!m->faulted) {
            unit_execute(m, op);
        }
    }
    if (m->faulted) {
        *passed = false;
        return true;
    }
    if (*passed) {
        count_passed(m, op);
    }
    keep_written(m);
    m->state.cycle++;
    return true;
}
