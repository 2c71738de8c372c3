/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPLOADMACRO in three parts: a launch schedules what the lanes' configuration says, per sub-unit
 * and group of lanes that agree; counters count down, in cycles or in instructions; what is due is
 * executed in its cycle. What the port and hazard rules forbid is a finding.
 */
#include "pipe/macro.h"
#include "base/check.h"

#include "pipe/exec.h"

#include <string.h>

#define ID(name) evidence_get(EVIDENCE_##name)->id

/* The sub-units of the sequence bytes, as enum tx_unit. */
static const uint8_t unit_names[MACRO_UNITS] = {
    [MACRO_SIMPLE] = TX_UNIT_SIMPLE,
    [MACRO_MAD] = TX_UNIT_MAD,
    [MACRO_ROUND] = TX_UNIT_ROUND,
    [MACRO_STORE] = TX_UNIT_STORE,
};

/* Values of rule macro-delay: which counters an instruction-counted operation holds up. */
enum { DELAY_ISA, DELAY_PER_UNIT, DELAY_FROZEN };

/* Frees an entry. */
static void end_pending(struct tx_state *s, unsigned unit, unsigned i)
{
    CHECK(unit < MACRO_UNITS && i < MACRO_PENDING, "what ends was scheduled for a sub-unit");
    CHECK(s->pending_count != 0, "what ends was counted");
    s->pending[unit][i].live = 0;
    s->pending_count--;
    while (s->pending_end[unit] != 0 && s->pending[unit][s->pending_end[unit] - 1].live == 0) {
        s->pending_end[unit]--;
    }
}

/* Returns whether an entry of this sub-unit waits for a count of instructions. */
static bool holds(const struct tx_state *s, unsigned unit)
{
    CHECK(unit < MACRO_UNITS, "a sub-unit that holds is one of four");
    for (unsigned i = 0; i < s->pending_end[unit]; i++) {
        if (s->pending[unit][i].live != 0 && s->pending[unit][i].by_instruction != 0) {
            return true;
        }
    }
    return false;
}

/* Returns whether the counters of this sub-unit count instructions, not cycles. */
static bool counts_instructions(const struct tx_machine *m, unsigned unit)
{
    CHECK(unit < MACRO_UNITS, "a sub-unit that counts is one of four");
    const struct tx_state *s = &m->state;
    if (machine_rule_value(m, RULE_MACRO_DELAY) != DELAY_ISA) {
        return holds(s, unit);
    }
    return holds(s, MACRO_SIMPLE) || holds(s, MACRO_MAD) || holds(s, MACRO_ROUND) ||
           holds(s, MACRO_STORE);
}

/*
 * Returns whether the sub-unit, waiting for instructions, does not even start what is due: one of
 * the readings of rule macro-delay.
 */
static bool frozen(const struct tx_machine *m, unsigned unit, bool issued)
{
    return !issued && machine_rule_value(m, RULE_MACRO_DELAY) == DELAY_FROZEN &&
           holds(&m->state, unit);
}

unsigned macro_thread(const struct tx_machine *m)
{
    const struct tx_state *s = &m->state;
    for (unsigned unit = 0; s->pending_count != 0 && unit < MACRO_UNITS; unit++) {
        const bool counting = !counts_instructions(m, unit);
        const bool starting = !frozen(m, unit, false);
        for (unsigned i = 0; i < s->pending_end[unit]; i++) {
            const struct pending *p = &s->pending[unit][i];
            if (p->live != 0 && (p->counter == 0 ? starting : counting)) {
                return p->op.thread;
            }
        }
    }
    return TX_THREADS;
}

bool macro_running(const struct tx_machine *m)
{
    return macro_thread(m) != TX_THREADS;
}

static const char *name_of(const struct tx_op *op)
{
    return isa_row((enum isa_row_id)op->row)->text.mnemonic;
}

uint32_t macro_taken(struct tx_machine *m, const struct tx_op *op)
{
    const struct tx_state *s = &m->state;
    const struct pending *taker = NULL;
    uint32_t lanes = 0;
    for (unsigned unit = 0; s->pending_count != 0 && unit < MACRO_UNITS; unit++) {
        for (unsigned i = 0; op->unit == unit_names[unit] && i < s->pending_end[unit]; i++) {
            const struct pending *p = &s->pending[unit][i];
            if (p->live != 0 && p->counter == 0) {
                lanes |= p->lanes;
                taker = p;
            }
        }
    }
    if (taker != NULL) {
        machine_hazard(m, ID(E_DROP), op, &taker->op, taker->launched, lanes,
                       "%s of cycle %llu vanishes: the SFPLOADMACRO of cycle %llu has scheduled "
                       "%s for the same sub-unit and cycle",
                       name_of(op), (unsigned long long)s->cycle,
                       (unsigned long long)taker->launched, name_of(&taker->op));
    }
    return lanes;
}

static bool idles(const struct tx_op *op)
{
    return isa_row((enum isa_row_id)op->row)->insn == INSN_SFPNOP;
}

/*
 * Checks two instructions of one cycle: Simple and Round share a write port, so that exactly one of
 * them may write a real register, and SFPSWAP uses that of MAD.
 */
static void check_pair(struct tx_machine *m, const struct started *x, const struct started *y)
{
    const struct tx_op *a = x->op;
    const struct tx_op *b = y->op;
    const uint32_t lanes = x->lanes & y->lanes;
    if (lanes == 0 || (a->scheduled | b->scheduled) == 0 || idles(a) || idles(b)) {
        return;
    }
    if (a->unit == TX_UNIT_SIMPLE && b->unit == TX_UNIT_ROUND &&
        (a->vd == LREG_L16) == (b->vd == LREG_L16)) {
        machine_hazard(m, ID(E_PORT), a, b, m->state.cycle, lanes,
                       "%s on Simple and %s on Round in cycle %llu: exactly one must write L16",
                       name_of(a), name_of(b), (unsigned long long)m->state.cycle);
    }
    if (a->unit == TX_UNIT_SIMPLE && b->unit == TX_UNIT_ROUND &&
        (x->effect->prng_mask & y->effect->prng_mask) != 0) {
        machine_finding(m, TX_MISSING_SPECIFICATION, ID(E_DRAWS), a,
                        x->effect->prng_mask & y->effect->prng_mask,
                        "%s on Simple and %s on Round draw a random word in cycle %llu: both get "
                        "the same one",
                        name_of(a), name_of(b), (unsigned long long)m->state.cycle);
    }
    if (a->unit == TX_UNIT_SIMPLE && b->unit == TX_UNIT_MAD &&
        isa_row((enum isa_row_id)a->row)->insn == INSN_SFPSWAP) {
        machine_hazard(m, ID(E_PORT), a, b, m->state.cycle, lanes,
                       "SFPSWAP takes the write port of the MAD sub-unit in cycle %llu, where %s "
                       "runs: it must be idle in the first cycle",
                       (unsigned long long)m->state.cycle, name_of(b));
    }
}

/*
 * Checks against an SFPSWAP in its second cycle, when Simple and Round must be idle. Instructions
 * of threads are held by the interlock, so that only scheduled ones can offend.
 */
static void check_second(struct tx_machine *m, const struct started *x)
{
    if ((x->op->unit != TX_UNIT_SIMPLE && x->op->unit != TX_UNIT_ROUND) || idles(x->op)) {
        return;
    }
    for (uint32_t left = m->state.flights; left != 0; left &= left - 1) {
        const struct in_flight *f = &m->state.flight[bits_lowest(left)];
        if (f->swap != 0 && (f->op.scheduled | x->op->scheduled) != 0 &&
            f->start < m->state.cycle && (f->lanes & x->lanes) != 0) {
            machine_hazard(m, ID(E_PORT), x->op, &f->op, f->start, f->lanes & x->lanes,
                           "%s in cycle %llu is the second cycle of SFPSWAP: Simple and Round must "
                           "be idle there",
                           name_of(x->op), (unsigned long long)m->state.cycle);
        }
    }
}

void macro_check(struct tx_machine *m, const struct started *started, unsigned count)
{
    CHECK(count <= MACRO_PENDING_RUN + 1, "what starts in a cycle is one instruction for each "
                                          "sub-unit and column, and one of the thread");
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = i + 1; k < count; k++) {
            check_pair(m, &started[i], &started[k]);
            check_pair(m, &started[k], &started[i]);
        }
        check_second(m, &started[i]);
    }
}

unsigned macro_execute(struct tx_machine *m, struct started *out, bool issued)
{
    struct tx_state *s = &m->state;
    unsigned count = 0;
    for (unsigned unit = 0; unit < MACRO_UNITS; unit++) {
        const bool stands = frozen(m, unit, issued);
        for (unsigned i = 0; !stands && i < s->pending_end[unit]; i++) {
            struct pending *p = &s->pending[unit][i];
            if (p->live == 0 || p->counter != 0) {
                continue;
            }
            if (count == MACRO_PENDING_RUN) {
                machine_stop(m, TX_UNSUPPORTED, ID(R14), &p->op,
                             "more than eight different macro configurations in one cycle");
                return count;
            }
            struct started *to = &out[count];
            if (m->settings.sink.event != NULL) {
                machine_op_event(m, TX_EVENT_EXECUTE, &p->op, p->lanes, NULL);
            }
            to->own = p->op;
            to->op = &to->own;
            to->effect = &m->effects[count];
            exec_vector(m, to->op, p->lanes, to->effect, &to->lanes, &to->decide);
            end_pending(s, unit, i);
            m->counters.scheduled_instructions++;
            count++;
        }
    }
    return count;
}

void macro_tick(struct tx_machine *m, bool issued)
{
    struct tx_state *s = &m->state;
    bool waits[MACRO_UNITS];
    for (unsigned unit = 0; s->pending_count != 0 && unit < MACRO_UNITS; unit++) {
        waits[unit] = !issued && counts_instructions(m, unit);
    }
    for (unsigned unit = 0; s->pending_count != 0 && unit < MACRO_UNITS; unit++) {
        for (unsigned i = 0; !waits[unit] && i < s->pending_end[unit]; i++) {
            struct pending *p = &s->pending[unit][i];
            if (p->live != 0 && p->counter != 0) {
                p->counter--;
            }
        }
    }
}

/* What the configuration of one lane schedules on one sub-unit. */
struct slot {
    uint32_t word; /* the template, or 0 for a built-in instruction */
    uint32_t misc;
    uint8_t byte;
};

static struct slot lane_slot(const struct tx_state *s, unsigned macro, unsigned unit, unsigned lane)
{
    CHECK(macro < 4 && unit < MACRO_UNITS && lane < TX_LANES,
          "a sequence has a slot for each sub-unit and lane");
    const uint8_t byte = macro_slot_byte(s->macro_sequence[macro][lane], unit);
    const unsigned select = MACRO_GET(byte, SLOT_SOURCE);
    const struct slot slot = {select >= MACRO_SOURCE_TEMPLATE
                                  ? s->macro_template[select - MACRO_SOURCE_TEMPLATE][lane]
                                  : 0,
                              s->macro_misc[lane], byte};
    return slot;
}

static bool same_slot(const struct slot *a, const struct slot *b)
{
    return a->word == b->word && a->misc == b->misc && a->byte == b->byte;
}

/* Returns the word of a built-in instruction: SFPNOP, or a store of L0. */
static uint32_t built_in(const struct tx_machine *m, enum insn_id insn)
{
    return (uint32_t)insn_get(m->arch, insn)->opcode << 24;
}

static bool executable(struct tx_machine *m, uint32_t word, unsigned unit, struct tx_op *op)
{
    if (!machine_decode(m, word, op)) {
        return false;
    }
    const unsigned insn = isa_row((enum isa_row_id)op->row)->insn;
    return op->unit == unit_names[unit] || (insn == INSN_SFPNOP && unit != MACRO_STORE);
}

/* Sets the registers that the macro supplies; isa.def has what the encoding itself implies. */
static void route(struct tx_op *op, unsigned load_vd, uint8_t byte)
{
    const struct isa_row *row = isa_row((enum isa_row_id)op->row);
    const uint8_t old_vd = op->vd;
    if (MACRO_GET(byte, SLOT_OTHER) != 0) {
        op->vb = (uint8_t)load_vd;
        if (isa_layout(row, FLD_VC).width == 0) {
            op->vc = old_vd;
        }
    } else {
        op->vc = (uint8_t)load_vd;
        if (isa_layout(row, FLD_VB).width == 0 && row->text.implied != TX_IMPLIED_VB_IMM) {
            op->vb = old_vd;
        }
    }
    op->vd = MACRO_GET(byte, SLOT_L16) != 0 ? LREG_L16 : (uint8_t)load_vd;
}

static void route_store(struct tx_machine *m, struct tx_op *op, const struct tx_op *load,
                        const struct slot *slot, uint16_t address)
{
    const unsigned macro = load->va;
    const bool own = (MACRO_GET(slot->misc, MISC_LOAD_MOD0) >> macro & 1u) != 0;
    const uint8_t vd = op->vd;
    const uint32_t mode = own ? load->mode : MACRO_GET(slot->misc, MISC_MOD0);
    const struct isa_row *row = isa_row((enum isa_row_id)op->row);
    const struct isa_layout place = isa_layout(row, FLD_MOD);
    const uint32_t word = (op->word & ~(15u << place.lsb)) | mode << place.lsb;
    (void)machine_decode(m, word, op); /* the mode may select another row */
    op->vd = MACRO_GET(slot->byte, SLOT_L16) != 0     ? LREG_L16
             : MACRO_GET(slot->byte, SLOT_OTHER) != 0 ? vd
                                                      : load->vd;
    op->address = address;
}

/* Determines the instruction that a slot schedules. Returns false if there is none. */
static bool slot_op(struct tx_machine *m, const struct tx_op *load, unsigned unit,
                    const struct slot *slot, uint16_t address, uint32_t lanes, struct tx_op *op)
{
    CHECK(unit < MACRO_UNITS, "a slot is a sub-unit's");
    const unsigned select = MACRO_GET(slot->byte, SLOT_SOURCE);
    uint32_t word = slot->word;
    if (select == MACRO_SOURCE_NOTHING) {
        return false;
    }
    if (select == MACRO_SOURCE_UNDEFINED) {
        machine_finding(m, TX_UNDEFINED_BEHAVIOR, ID(E_TEMPLATE), load, lanes,
                        "sequence selects source 1, which is undefined: nothing is scheduled");
        return false;
    }
    if (select == MACRO_SOURCE_NOP || select == MACRO_SOURCE_STORE) {
        word = built_in(m, select == MACRO_SOURCE_NOP ? INSN_SFPNOP : INSN_SFPSTORE);
    }
    if (!executable(m, word, unit, op)) {
        if (unit == MACRO_STORE) {
            machine_finding(m, TX_UNDEFINED_BEHAVIOR, ID(E_TEMPLATE), load, lanes,
                            "sequence puts %08x on the Store sub-unit: nothing is scheduled",
                            (unsigned)word);
            return false;
        }
        if (select >= MACRO_SOURCE_TEMPLATE) {
            machine_finding(m, TX_HAZARD, ID(E_TEMPLATE), load, lanes,
                            "template %08x cannot run on the sub-unit it is scheduled for and "
                            "becomes SFPNOP",
                            (unsigned)word);
        }
        (void)machine_decode(m, built_in(m, INSN_SFPNOP), op);
    }
    if (unit == MACRO_STORE) {
        route_store(m, op, load, slot, address);
    } else {
        route(op, load->vd, slot->byte);
    }
    op->unit = unit_names[unit]; /* SFPNOP also occupies the sub-unit where it was scheduled */
    op->thread = load->thread;
    op->number = load->number;
    op->scheduled = 1;
    return true;
}

/* Removes an outstanding instruction that would execute on the same sub-unit in the same cycle. */
static void forget(struct tx_machine *m, const struct tx_op *load, unsigned unit, unsigned delay,
                   uint32_t lanes)
{
    struct tx_state *s = &m->state;
    for (unsigned i = 0; i < s->pending_end[unit]; i++) {
        struct pending *p = &s->pending[unit][i];
        if (p->live == 0 || p->counter != delay || (p->lanes & lanes) == 0) {
            continue;
        }
        machine_hazard(m, ID(E_LOST), load, &p->op, p->launched, p->lanes & lanes,
                       "the SFPLOADMACRO of cycle %llu makes the %s be forgotten that the one of "
                       "cycle %llu scheduled for the same sub-unit and cycle",
                       (unsigned long long)s->cycle, name_of(&p->op),
                       (unsigned long long)p->launched);
        p->lanes &= ~lanes;
        if (p->lanes == 0) {
            end_pending(s, unit, i);
        }
    }
}

/* Schedules one slot for a set of lanes. Returns those in which an instruction was scheduled. */
static uint32_t schedule(struct tx_machine *m, const struct tx_op *load, unsigned unit,
                         const struct slot *slot, uint32_t lanes)
{
    CHECK(unit < MACRO_UNITS, "what is scheduled is a sub-unit's");
    struct tx_state *s = &m->state;
    const unsigned delay = MACRO_GET(slot->byte, SLOT_DELAY);
    struct tx_op op = {0};
    /*
     * A byte that schedules nothing is 00 in shipping kernels, so that it cannot be meant to remove
     * what an earlier launch scheduled for the next cycle; the model in the documentation would do
     * so (E-FORGET).
     */
    if (delay != 7 &&
        (MACRO_GET(slot->byte, SLOT_SOURCE) != 0 || machine_rule(m, RULE_MACRO_FORGET))) {
        forget(m, load, unit, delay, lanes);
    } else if (delay != 7) {
        machine_note(m, EVIDENCE_E_FORGET);
    }
    if (!slot_op(m, load, unit, slot, m->load_address, lanes, &op)) {
        return 0;
    }
    for (unsigned i = 0; i < MACRO_PENDING; i++) {
        struct pending *p = &s->pending[unit][i];
        if (p->live == 0) {
            if (i >= s->pending_end[unit]) {
                s->pending_end[unit] = (uint8_t)(i + 1);
            }
            p->live = 1;
            p->counter = (uint8_t)delay;
            p->by_instruction = (MACRO_GET(slot->misc, MISC_INSTRUCTIONS) >> unit & 1u) != 0;
            p->lanes = lanes;
            p->launch = load->word;
            p->launched = s->cycle;
            p->op = op;
            s->pending_count++;
            return lanes;
        }
    }
    machine_stop(m, TX_UNSUPPORTED, ID(R14), load, "too many scheduled instructions outstanding");
    return 0;
}

static bool uniform(const uint32_t lanes[32])
{
    return memcmp(lanes, lanes + 1, 31 * sizeof lanes[0]) == 0;
}

/* Returns the lanes that have the same slot as this one, from this one on. */
static uint32_t same_lanes(const struct tx_state *s, unsigned macro, unsigned unit, unsigned lane)
{
    const struct slot slot = lane_slot(s, macro, unit, lane);
    uint32_t lanes = 0;
    for (unsigned other = lane; other < 32; other++) {
        const struct slot its = lane_slot(s, macro, unit, other);
        lanes |= same_slot(&slot, &its) ? 1u << other : 0;
    }
    return lanes;
}

/* Schedules what all lanes have for one sub-unit. Returns the lanes with something scheduled. */
static uint32_t launch_unit(struct tx_machine *m, const struct tx_op *op, unsigned unit,
                            bool lanes_agree)
{
    CHECK(unit < MACRO_UNITS, "a launch schedules for one of four sub-units");
    const struct tx_state *s = &m->state;
    uint32_t left = 0xFFFFFFFFu;
    uint32_t scheduled = 0;
    while (left != 0) {
        const unsigned lane = bits_lowest(left);
        const struct slot slot = lane_slot(s, op->va, unit, lane);
        const uint32_t lanes = lanes_agree ? left : same_lanes(s, op->va, unit, lane) & left;
        scheduled |= schedule(m, op, unit, &slot, lanes);
        left &= ~lanes;
    }
    return scheduled;
}

void macro_launch(struct tx_machine *m, const struct tx_op *op)
{
    struct tx_state *s = &m->state;
    if (isa_row((enum isa_row_id)op->row)->insn != INSN_SFPLOADMACRO) {
        return;
    }
    s->launched = 1;
    bool agree = uniform(s->macro_sequence[op->va]) && uniform(s->macro_misc);
    for (unsigned i = 0; i < 4; i++) {
        agree = agree && uniform(s->macro_template[i]);
    }
    for (unsigned unit = 0; unit < MACRO_UNITS; unit++) {
        const uint32_t scheduled = launch_unit(m, op, unit, agree);
        if (unit == MACRO_STORE && scheduled != 0 && scheduled != 0xFFFFFFFFu) {
            machine_finding(m, TX_UNDEFINED_BEHAVIOR, ID(E_TEMPLATE), op, ~scheduled,
                            "a store is scheduled in some lanes only: all must do so or none");
        }
    }
}

/*
 * Reports scheduled instructions that are outstanding at the end of a run because only further
 * instructions would make them execute.
 */
static void finish_pending(struct tx_machine *m)
{
    const struct tx_state *s = &m->state;
    for (unsigned unit = 0; s->pending_count != 0 && unit < MACRO_UNITS; unit++) {
        for (unsigned i = 0; i < s->pending_end[unit]; i++) {
            const struct pending *p = &s->pending[unit][i];
            if (p->live != 0) {
                machine_hazard(m, ID(L_PENDING), &p->op, &p->op, p->launched, p->lanes,
                               "%s, scheduled by the SFPLOADMACRO of cycle %llu, is still "
                               "outstanding at the end and runs with whatever comes next: "
                               "SFPNOPs are missing behind it",
                               name_of(&p->op), (unsigned long long)p->launched);
            }
        }
    }
}

void macro_finish(struct tx_machine *m)
{
    const struct tx_state *s = &m->state;
    uint32_t armed = 0;
    finish_pending(m);
    for (unsigned lane = 0; lane < 32; lane++) {
        armed |= MACRO_GET(s->macro_misc[lane], MISC_INSTRUCTIONS) != 0 ? 1u << lane : 0;
    }
    if (armed != 0 && s->launched == 0) {
        machine_finding(m, TX_HAZARD, ID(L_ARMED), NULL, armed,
                        "delay kinds stay armed in Misc and no SFPLOADMACRO used them: a Wormhole "
                        "hung in this state");
    }
}
