/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Delays (state/delay.h): other timings of the same program, at the host's request. A delayed
 * instruction of the Matrix Unit, the Vector Unit or the packers (and, of the Scalar Unit, STOREIND
 * and, on Blackhole, SETDMAREG) takes effect as a whole when its time has come; only the counters
 * change as it passes, since the next instruction reads them. Until then its unit accepts nothing
 * else and is busy to STALLWAIT. For unpackers, the mover and loads, the job just takes longer.
 */
#include <stdlib.h>
#include <string.h>

#include "front/front.h"
#include "base/check.h"
#include "pipe/pipe.h"
#include "scalar/unit.h"
#include "state/delay.h"
#include "state/l1.h"

/* ---- the list ---- */

/*
 * Returns the delay that the host has asked for the thread's next instruction, or NULL. late: the
 * delay of its effect, not of its passing.
 */
static const struct tx_delay *delay_of(const struct tx_machine *m, unsigned thread, bool late)
{
    const struct delays *d = m->delays;
    for (size_t i = 0; i < d->count; i++) {
        if (d->list[i].thread == thread && d->list[i].index == d->passed[thread] &&
            d->list[i].late == late) {
            return &d->list[i];
        }
    }
    return NULL;
}

enum tx_status tx_order_delays(tx_machine *m, const struct tx_delay *delays, size_t count)
{
    delay_free(m);
    if (count == 0) {
        return TX_OK;
    }
    struct delays *d = calloc(1, sizeof *d + count * sizeof d->list[0]);
    if (d == NULL) {
        return TX_ENOMEM;
    }
    d->kept = malloc(sizeof *d->kept);
    d->l1 = malloc(l1_own_size(m) + 1);
    if (d->kept == NULL || d->l1 == NULL) {
        free(d->kept);
        free(d->l1);
        free(d);
        return TX_ENOMEM;
    }
    d->count = count;
    d->number = UINT64_MAX;
    memcpy(d->list, delays, count * sizeof d->list[0]);
    m->delays = d;
    return TX_OK;
}

void delay_free(struct tx_machine *m)
{
    if (m->delays != NULL) {
        free(m->delays->kept);
        free(m->delays->l1);
        free(m->delays);
        m->delays = NULL;
    }
}

/* ---- at the gate ---- */

static bool same_unit(const struct tx_machine *m, const struct tx_op *a, const struct tx_op *b)
{
    const enum group group = unit_group(m, a);
    return group != GROUP_FREE && group == unit_group(m, b);
}

bool delay_holds(struct tx_machine *m, unsigned thread, const struct tx_op *op)
{
    struct delays *d = m->delays;
    const struct tx_delay *held = delay_of(m, thread, false);
    if (held != NULL && d->until[thread] == 0) {
        d->until[thread] = m->state.cycle + held->cycles;
    }
    const bool waits = held != NULL && m->state.cycle < d->until[thread];
    /* The counters that an unpacker has not read yet must not change. */
    const bool counts = d->enter > m->state.cycle && op->unit == TX_UNIT_MISC;
    const bool behind = d->late.live && same_unit(m, op, &d->late.op);
    m->moved = m->moved || waits || counts || behind;
    return waits || counts || behind;
}

void delay_passed(struct tx_machine *m, unsigned thread)
{
    CHECK(m->delays != NULL, "delays are counted where there are any");
    m->delays->passed[thread]++;
    m->delays->until[thread] = 0;
}

/* ---- late effects ---- */

static void run_op(struct tx_machine *m, const struct tx_op *op)
{
    if (pipe_is_vector(op)) {
        pipe_cycle(m, op);
    } else {
        unit_execute(m, op);
    }
}

/*
 * Applies what the instruction does to the RWC and ADC counters, and nothing else: executes it,
 * then restores the rest of the state.
 */
static void count_now(struct tx_machine *m, const struct tx_op *op)
{
    struct delays *d = m->delays;
    struct rwc rwc[TX_THREADS];
    struct adc adc[TX_THREADS][ADC_UNITS];
    const size_t findings = m->finding_count;
    memcpy(d->kept, &m->state, sizeof m->state);
    memcpy(d->l1, m->own_l1 != NULL ? m->own_l1 : d->l1, l1_own_size(m));
    run_op(m, op);
    memcpy(rwc, m->state.rwc, sizeof rwc);
    memcpy(adc, m->state.adc, sizeof adc);
    memcpy(&m->state, d->kept, sizeof m->state);
    machine_reconfigured(m);
    if (m->own_l1 != NULL) {
        memcpy(m->own_l1, d->l1, l1_own_size(m));
    }
    memcpy(m->state.rwc, rwc, sizeof rwc);
    memcpy(m->state.adc, adc, sizeof adc);
    m->finding_count = findings;
}

/* Returns whether a delay postpones the whole effect of the instruction. */
static bool defers(const struct tx_machine *m, const struct tx_op *op)
{
    switch ((enum tx_unit)op->unit) {
    case TX_UNIT_MATRIX:
    case TX_UNIT_PACK:
        return true;
    case TX_UNIT_SCALAR:
        /* Other units read the registers that SETDMAREG writes; STOREIND is a store. */
        return (machine_has(m, SETDMAREG_DELAYED) && unit_insn(op) == INSN_SETDMAREG) ||
               unit_insn(op) == INSN_STOREIND;
    default:
        return pipe_is_vector(op);
    }
}

/* An UNPACR that is delayed reads its configuration later, and later ones behind it. */
static void enter_later(struct tx_machine *m, const struct tx_op *op, uint64_t cycles)
{
    struct unpack *unpack = &m->state.units.unpack;
    if (unit_insn(op) == INSN_UNPACR) {
        m->delays->enter = m->state.cycle + 1 + cycles;
        unpack->generator = m->delays->enter;
        for (unsigned u = 0; u < UNPACKERS; u++) {
            unpack->unit[u].entered[op->thread] = m->delays->enter;
        }
    }
}

bool delay_begins(struct tx_machine *m, const struct tx_op *op)
{
    struct delays *d = m->delays;
    const struct tx_delay *late = delay_of(m, op->thread, true);
    d->number = UINT64_MAX;
    if (late == NULL) {
        return false;
    }
    if (!defers(m, op)) {
        d->number = op->number;
        d->extra = late->cycles;
        enter_later(m, op, late->cycles);
        return false;
    }
    d->late.op = *op;
    d->late.due = m->state.cycle + late->cycles;
    memcpy(d->late.rwc, m->state.rwc, sizeof d->late.rwc);
    memcpy(d->late.adc, m->state.adc, sizeof d->late.adc);
    if (op->unit != TX_UNIT_SCALAR) {
        count_now(m, op);
    }
    d->late.live = !m->faulted;
    return true;
}

void delay_settle(struct tx_machine *m)
{
    struct delays *d = m->delays;
    struct rwc rwc[TX_THREADS];
    struct adc adc[TX_THREADS][ADC_UNITS];
    m->moved = m->moved || d->late.live || d->enter > m->state.cycle;
    if (!d->late.live) {
        return;
    }
    unit_mark(m, &d->late.op); /* the unit stays busy, in the end for as long as the effect takes */
    if (m->state.cycle < d->late.due) {
        return;
    }
    d->late.live = false;
    memcpy(rwc, m->state.rwc, sizeof rwc);
    memcpy(adc, m->state.adc, sizeof adc);
    memcpy(m->state.rwc, d->late.rwc, sizeof rwc);
    memcpy(m->state.adc, d->late.adc, sizeof adc);
    run_op(m, &d->late.op);
    memcpy(m->state.rwc, rwc, sizeof rwc);
    memcpy(m->state.adc, adc, sizeof adc);
}
