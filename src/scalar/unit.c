/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dispatch and limits of the units beside the Vector Unit: which body executes an instruction, what
 * keeps it from entering its unit, and what happens between cycles. Source: isa pages ScalarUnit,
 * SyncUnit, ConfigurationUnit (b7b81ac for Blackhole), STALLWAIT 0553cc7, WaitGate; spec/timing.md
 * a.1, a.9, a.10 for what was measured.
 */
#include "scalar/unit.h"
#include "base/check.h"

#include "state/cfg.h"
#include "state/times.h"

#include "isa/tokens.h"

#include <string.h>

#define ID(name) evidence_get(EVIDENCE_##name)->id

void unit_nop(struct tx_machine *m, const struct tx_op *op)
{
    (void)m;
    (void)op;
}

/* A word for the front end (such as MOP) at the gate: it came out of a recording or a replay. */
void unit_front(struct tx_machine *m, const struct tx_op *op)
{
    machine_finding(m, TX_UNDEFINED_BEHAVIOR, ID(E_REPLAY), op, 0,
                    "%s behind the Replay Expander does nothing here",
                    isa_row((enum isa_row_id)op->row)->text.mnemonic);
}

typedef void unit_function(struct tx_machine *m, const struct tx_op *op);

#define LANE(body) unit_nop
#define WHOLE(body) unit_nop
#define UNIT(body) unit_##body
#define ROW(id_, mnemonic_, chips, format_, modes_, legal_, unit_, latency_, body_, ...) \
    [ROWID_##id_] = body_,
static unit_function *const unit_table[ROWID_COUNT] = {
    [ROWID_NONE] = unit_nop,
#include "isa/isa.def"
};
#undef ROW

void unit_execute(struct tx_machine *m, const struct tx_op *op)
{
    unit_table[op->row](m, op);
}

void unit_mark(struct tx_machine *m, const struct tx_op *op)
{
    struct units *u = &m->state.units;
    const enum group group = unit_group(m, op);
    const uint64_t now = m->state.cycle;
    if (group == GROUP_VECTOR) {
        u->gate[op->thread].vector = now + 1;
    } else if (group == GROUP_MATRIX) {
        const uint64_t until = now + TIME_MATRIX_BUSY;
        struct wait_gate *g = &u->gate[op->thread];
        g->matrix = g->matrix > until ? g->matrix : until;
        unit_matrix_mark(m, op);
    } else if (group == GROUP_UNPACK) {
        unit_unpack_mark(m, op);
    } else if (group == GROUP_PACK) {
        unit_pack_mark(m, op);
    } else if (group == GROUP_CONFIG || group == GROUP_WRCFG) {
        const uint64_t until = now + isa_row((enum isa_row_id)op->row)->text.latency;
        u->config_until = u->config_until > until ? u->config_until : until;
    }
    u->last[group] = op->thread;
}

/* ---- time ---- */

static void deliver(struct tx_machine *m)
{
    struct units *u = &m->state.units;
    for (unsigned i = 0; u->requests != 0 && i < REQUESTS; i++) {
        struct request *r = &u->request[i];
        if (r->live == 0 || r->due > m->state.cycle) {
            continue;
        }
        uint32_t *gpr = &m->state.gpr[r->thread][r->reg];
        for (unsigned k = 0; k < (r->size == 16 ? 4u : 1u); k++) {
            undefined_gpr_set(&m->state.undefined, r->thread, r->reg + k,
                              r->size == 16 ? 0xFFFFFFFFu : bits_mask(8u * r->size), 0, 0);
        }
        if (r->size == 16) {
            memcpy(gpr, r->data, 16);
        } else {
            *gpr = bits_set(*gpr, 0, 8u * r->size, r->data[0]);
        }
        r->live = 0;
        u->requests--;
    }
}

static void write_config(struct tx_machine *m)
{
    struct units *u = &m->state.units;
    for (unsigned i = 0; u->config_writes != 0 && i < CONFIG_WRITES; i++) {
        struct config_write *w = &u->config_write[i];
        if (w->live == 0 || w->due > m->state.cycle) {
            continue;
        }
        for (unsigned k = 0; k < w->count; k++) {
            cfg_write(m, w->bank, w->word + k, w->value[k], CFG_BY_WORD);
            if (w->undefined[k].bad != 0) {
                undefined_config_set(m, w->bank, w->word + k, w->undefined[k]);
            }
        }
        w->live = 0;
        u->config_writes--;
    }
}

static void finish_scalar(struct tx_machine *m)
{
    struct scalar *s = &m->state.units.scalar;
    const uint64_t now = m->state.cycle;
    switch ((enum scalar_kind)s->kind) {
    case SCALAR_TIMED:
        s->live = now < s->end;
        break;
    case SCALAR_FLUSH: /* a cycle of waiting is over: was it the last? */
        if (now >= s->end &&
            conditions_busy(m, s->op.thread,
                            unit_field(&s->op, FLD_COND) != 0 ? unit_field(&s->op, FLD_COND)
                                                              : 15u) == 0) {
            s->kind = SCALAR_TIMED;
            s->end = now + scalar_latency(&s->op) - 1;
        }
        break;
    case SCALAR_CONFIG: /* a write of the Configuration Unit to the same words takes precedence */
        if (now >= s->end && m->state.units.thcon_write != now) {
            s->live = 0;
            scalar_write_config(m, &s->op);
        }
        break;
    case SCALAR_BANK:
        if (memory_store_src(m, &s->op)) {
            s->kind = SCALAR_TIMED;
            s->end = now + scalar_latency(&s->op) - 1;
            m->moved = true;
        }
        break;
    case SCALAR_RETRY:
        if (now >= s->end) {
            if (memory_attempt(m, &s->op)) {
                s->live = 0;
            } else {
                s->end = now + scalar_latency(&s->op);
            }
        }
        break;
    }
}

void units_settle(struct tx_machine *m)
{
    deliver(m);
    write_config(m);
    mover_settle(m);
    if (m->state.units.scalar.live != 0) {
        finish_scalar(m);
        m->moved = m->moved || m->state.units.scalar.live == 0;
    }
    if (m->state.units.unpack.jobs != 0) {
        unit_unpack_settle(m);
    }
}

bool units_busy(const struct tx_machine *m)
{
    const struct units *u = &m->state.units;
    const bool timed = u->scalar.kind == SCALAR_TIMED || u->scalar.kind == SCALAR_CONFIG;
    return u->requests != 0 || u->config_writes != 0 || u->mover.live != 0 ||
           (u->scalar.live != 0 && timed) || unit_unpack_goes_on(m);
}

unsigned scalar_latency(const struct tx_op *op)
{
    return isa_row((enum isa_row_id)op->row)->text.latency;
}

/*
 * An instruction that waits for a condition checks it after one cycle and takes the rest of its
 * latency once it is met.
 */
void scalar_hold(struct tx_machine *m, const struct tx_op *op, unsigned extra,
                 enum scalar_kind kind)
{
    CHECK(m->state.units.scalar.live == 0, "the Scalar Unit takes one instruction at a time");
    CHECK(op->thread < TX_THREADS, "an instruction of the Scalar Unit is a thread's");
    struct scalar *s = &m->state.units.scalar;
    const bool waits = kind == SCALAR_FLUSH || kind == SCALAR_BANK;
    const unsigned cycles = waits ? 1 : scalar_latency(op) + extra;
    s->op = *op;
    s->start = m->state.cycle;
    s->end = m->state.cycle + cycles;
    s->kind = (uint8_t)kind;
    s->live = kind != SCALAR_TIMED || cycles > 1;
}

/* ---- limits ---- */

static enum group config_group(const struct tx_op *op)
{
    switch (unit_insn(op)) {
    case INSN_SETC16:
        return GROUP_FREE;
    case INSN_WRCFG:
        return GROUP_WRCFG;
    case INSN_NONE: /* STREAMWRCFG, which has no row */
        return GROUP_STREAM;
    default:
        return GROUP_CONFIG;
    }
}

enum group unit_group(const struct tx_machine *m, const struct tx_op *op)
{
    (void)m;
    switch ((enum tx_unit)op->unit) {
    case TX_UNIT_LOAD:
    case TX_UNIT_SIMPLE:
    case TX_UNIT_MAD:
    case TX_UNIT_ROUND:
    case TX_UNIT_STORE:
        return GROUP_VECTOR;
    case TX_UNIT_SCALAR:
        return GROUP_SCALAR;
    case TX_UNIT_CONFIG:
        return config_group(op);
    case TX_UNIT_SYNC:
        if (unit_insn(op) == INSN_ATGETM || unit_insn(op) == INSN_ATRELM) {
            return (enum group)(GROUP_MUTEX + (unit_field(op, FLD_INDEX) & 7u));
        }
        return GROUP_SYNC;
    case TX_UNIT_MATRIX:
        return GROUP_MATRIX;
    case TX_UNIT_UNPACK:
        return GROUP_UNPACK;
    case TX_UNIT_PACK:
        return GROUP_PACK;
    case TX_UNIT_MOVER:
        return GROUP_MOVER;
    default:
        return GROUP_FREE;
    }
}

static enum tx_hold hold_scalar(const struct units *u, const struct tx_op *op, uint64_t now,
                                uint8_t *other)
{
    const unsigned insn = unit_insn(op);
    if (u->scalar.live != 0) {
        *other = u->scalar.op.thread;
        return TX_HOLD_UNIT;
    }
    if ((insn == INSN_ATINCGET || insn == INSN_ATSWAP) && u->scalar.atomic > now) {
        return TX_HOLD_REQUESTS;
    }
    if ((insn == INSN_LOADIND || insn == INSN_LOADREG || insn == INSN_ATINCGET) &&
        u->requests == REQUESTS) {
        return TX_HOLD_REQUESTS;
    }
    return TX_HOLD_NONE;
}

static enum tx_hold hold_mutex(const struct tx_machine *m, const struct tx_op *op, uint8_t *other)
{
    const uint32_t index = unit_field(op, FLD_INDEX);
    const uint32_t last = machine_number(m, MUTEX_LAST);
    if (index == 1 || index > last) {
        return TX_HOLD_MUTEX; /* an invalid index waits for ever (isa ATGETM) */
    }
    const unsigned holder = m->state.units.mutex[index];
    if (unit_insn(op) == INSN_ATGETM && holder != 0 && holder != op->thread + 1u) {
        *other = (uint8_t)(holder - 1);
        return TX_HOLD_MUTEX;
    }
    return TX_HOLD_NONE;
}

enum tx_hold unit_hold(const struct tx_machine *m, const struct tx_op *op, uint8_t *other)
{
    const struct units *u = &m->state.units;
    switch ((enum tx_unit)op->unit) {
    case TX_UNIT_SCALAR:
        return hold_scalar(u, op, m->state.cycle, other);
    case TX_UNIT_CONFIG:
        return config_group(op) == GROUP_CONFIG && u->config_stage0 == m->state.cycle
                   ? TX_HOLD_CONFIG
                   : TX_HOLD_NONE;
    case TX_UNIT_SYNC:
        if (unit_insn(op) == INSN_ATGETM || unit_insn(op) == INSN_ATRELM) {
            return hold_mutex(m, op, other);
        }
        return TX_HOLD_NONE;
    case TX_UNIT_MOVER:
        *other = u->mover.op.thread;
        return u->mover.live != 0 ? TX_HOLD_UNIT : TX_HOLD_NONE;
    case TX_UNIT_MATRIX:
        return unit_matrix_hold(m, op);
    case TX_UNIT_UNPACK:
        return unit_unpack_hold(m, op, other);
    case TX_UNIT_PACK:
        return op->row == ROWID_NONE ? TX_HOLD_NONE : unit_pack_hold(m, op);
    default:
        return TX_HOLD_NONE;
    }
}

bool unit_blocked(const struct tx_machine *m, const struct tx_op *op, unsigned block)
{
    enum { B0 = 1, B1 = 2, B2 = 4, B3 = 8, B4 = 16, B5 = 32, B6 = 64, B7 = 128, B8 = 256 };
    switch ((enum tx_unit)op->unit) {
    case TX_UNIT_MISC:
        return (block & B0) != 0;
    case TX_UNIT_PACK:
        return (block & (B0 | B2)) != 0;
    case TX_UNIT_UNPACK:
        return (block & (B0 | B3)) != 0;
    case TX_UNIT_MOVER:
        return (block & (B0 | B4)) != 0;
    case TX_UNIT_SCALAR:
        return (block & (B0 | B5)) != 0;
    case TX_UNIT_MATRIX:
        return (block & B6) != 0;
    case TX_UNIT_CONFIG:
        return (block & B7) != 0;
    case TX_UNIT_SYNC:
        switch (unit_insn(op)) {
        case INSN_STALLWAIT:
        case INSN_NONE:  /* STREAMWAIT, which has no row */
            return true; /* it is held by every bit, and some bit is always set */
        case INSN_SEMWAIT:
            return machine_has(m, SEMWAIT_HELD_BY_ALL) || (block & B1) != 0;
        default:
            return (block & B1) != 0;
        }
    case TX_UNIT_NONE:
    case TX_UNIT_FRONT:
    case TX_UNIT_OTHER:
        return block == 511; /* NOP: held only if all bits are set */
    default:
        return (block & B8) != 0;
    }
}
