/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Sync Unit. Source: isa SyncUnit, STALLWAIT 0553cc7, SEMINIT, SEMPOST, SEMGET, SEMWAIT
 * 2537675, ATGETM f7fda21, ATRELM.
 */
#include "scalar/unit.h"

#define ID(name) evidence_get(EVIDENCE_##name)->id

/* Returns the conditions that a mask of 0 stands for. */
static uint32_t default_conditions(const struct tx_machine *m)
{
    return machine_number(m, STALL_DEFAULT);
}

static void latch(struct tx_machine *m, const struct tx_op *op, enum tx_wait wait,
                  uint32_t conditions, uint32_t semaphores)
{
    struct wait_gate *g = &m->state.units.gate[op->thread];
    const uint32_t block = unit_field(op, FLD_BLOCK);
    if (g->wait == TX_WAIT_NONE) {
        m->state.units.waits++;
    }
    g->wait = (uint8_t)wait;
    g->wait_word = op->word;
    g->wait_since = m->state.cycle;
    g->block = (uint16_t)(block != 0 ? block : 1u << 6);
    g->conditions = (uint16_t)conditions;
    g->semaphores = (uint8_t)semaphores;
}

void unit_stallwait(struct tx_machine *m, const struct tx_op *op)
{
    const uint32_t conditions = unit_field(op, FLD_COND);
    machine_note(m, EVIDENCE_R16);
    machine_note(m, EVIDENCE_E_UNIT); /* units that are not modelled read as idle */
    latch(m, op, TX_WAIT_STALLWAIT, conditions != 0 ? conditions : default_conditions(m), 0);
}

void unit_semwait(struct tx_machine *m, const struct tx_op *op)
{
    const uint32_t conditions = unit_field(op, FLD_COND);
    if (conditions == 0) {
        machine_finding(m, TX_UNDEFINED_BEHAVIOR, ID(E_SEMWAIT), op, 0,
                        "SEMWAIT without a condition is taken for a STALLWAIT on the default ones");
        latch(m, op, TX_WAIT_STALLWAIT, default_conditions(m), 0);
    } else {
        latch(m, op, TX_WAIT_SEMWAIT, conditions, unit_field(op, FLD_SEM));
    }
}

void unit_seminit(struct tx_machine *m, const struct tx_op *op)
{
    for (unsigned i = 0; i < 8; i++) {
        if ((unit_field(op, FLD_SEM) >> i & 1u) != 0) {
            m->state.semaphore[i] = (uint8_t)op->imm;
            m->state.semaphore_max[i] = (uint8_t)unit_field(op, FLD_MAX);
        }
    }
}

void unit_sempost(struct tx_machine *m, const struct tx_op *op)
{
    for (unsigned i = 0; i < 8; i++) {
        if ((unit_field(op, FLD_SEM) >> i & 1u) != 0 && m->state.semaphore[i] < 15) {
            m->state.semaphore[i]++;
        }
    }
}

void unit_semget(struct tx_machine *m, const struct tx_op *op)
{
    for (unsigned i = 0; i < 8; i++) {
        if ((unit_field(op, FLD_SEM) >> i & 1u) != 0 && m->state.semaphore[i] > 0) {
            m->state.semaphore[i]--;
        }
    }
}

/* The gate has established that the mutex is free or the thread's own. */
void unit_atgetm(struct tx_machine *m, const struct tx_op *op)
{
    m->state.units.mutex[unit_field(op, FLD_INDEX) & 7u] = (uint8_t)(op->thread + 1);
}

void unit_atrelm(struct tx_machine *m, const struct tx_op *op)
{
    uint8_t *mutex = &m->state.units.mutex[unit_field(op, FLD_INDEX) & 7u];
    if (*mutex == op->thread + 1) {
        *mutex = 0; /* thread + 1 is the next that the gate lets acquire it */
    }
}
