/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The conditions that STALLWAIT, SEMWAIT and FLUSHDMA wait for. Source: isa STALLWAIT 0553cc7,
 * SEMWAIT 2537675.
 */
#include "isa/chip.h"
#include "base/check.h"
#include "scalar/unit.h"
#include "state/banks.h"
#include "state/delay.h"

struct condition {
    const char *name, *text, *end;
    uint8_t bit[2]; /* bit number by column; 31: it has no bit there */
};

#define CONDITION(id, name, wh, bh, text, end) [TX_CONDITION_##id] = {name, text, end, {wh, bh}},
static const struct condition conditions[TX_CONDITION_COUNT] = {
#include "isa/conditions.def"
};

const char *tx_condition_name(enum tx_condition condition)
{
    return (unsigned)condition < TX_CONDITION_COUNT ? conditions[condition].name : "?";
}

const char *tx_condition_text(enum tx_condition condition)
{
    return (unsigned)condition < TX_CONDITION_COUNT ? conditions[condition].text : "?";
}

const char *condition_end(enum tx_condition condition)
{
    return (unsigned)condition < TX_CONDITION_COUNT ? conditions[condition].end : "?";
}

static const uint8_t *bit_of(enum tx_arch arch, enum tx_condition condition)
{
    return &conditions[condition].bit[chip_column(arch)];
}

int tx_condition_bit(enum tx_arch arch, enum tx_condition condition)
{
    if ((unsigned)condition >= TX_CONDITION_COUNT || !chip_known(arch) ||
        *bit_of(arch, condition) == 31) {
        return -1;
    }
    return *bit_of(arch, condition);
}

/*
 * Returns whether vector instructions of the thread are executing. Instructions scheduled by
 * SFPLOADMACRO that have not started do not count: whether they do is documented nowhere.
 */
static bool vector_busy(const struct tx_state *s, unsigned thread)
{
    CHECK(thread < TX_THREADS, "the Vector Unit works for one of three threads");
    if (s->units.gate[thread].vector == s->cycle + 1) {
        return true;
    }
    for (uint32_t left = s->flights; left != 0; left &= left - 1) {
        if (s->flight[bits_lowest(left)].op.thread == thread) {
            return true;
        }
    }
    return false;
}

static bool request_busy(const struct units *u, unsigned thread)
{
    CHECK(thread < TX_THREADS, "a request is one of three threads'");
    if (u->scalar.live != 0 && u->scalar.kind == SCALAR_RETRY && u->scalar.op.thread == thread) {
        return true;
    }
    for (unsigned i = 0; u->requests != 0 && i < REQUESTS; i++) {
        if (u->request[i].live != 0 && u->request[i].thread == thread) {
            return true;
        }
    }
    return false;
}

static bool bank_busy(const struct tx_machine *m, enum tx_condition condition)
{
    const struct units *u = &m->state.units;
    const bool matrix =
        condition == TX_CONDITION_SRCA_MATRIX || condition == TX_CONDITION_SRCB_MATRIX;
    const unsigned src =
        condition == TX_CONDITION_SRCB_MATRIX || condition == TX_CONDITION_SRCB_UNPACK;
    const unsigned bank = matrix ? u->matrix_bank[src] : u->unpack_bank[src];
    return !m->settings.src_ready && !bank_with(m, src, bank, matrix);
}

bool condition_busy(const struct tx_machine *m, unsigned thread, enum tx_condition condition)
{
    const struct tx_state *s = &m->state;
    const struct units *u = &s->units;
    if ((u->gate[thread].host_busy >> condition & 1u) != 0) {
        return true;
    }
    if (condition == TX_CONDITION_MEMORY && m->delays != NULL && m->delays->late.live &&
        m->delays->late.op.thread == thread && m->delays->late.op.unit == TX_UNIT_SCALAR) {
        return true;
    }
    switch (condition) {
    case TX_CONDITION_MEMORY:
        return request_busy(u, thread);
    case TX_CONDITION_UNPACK0:
    case TX_CONDITION_UNPACK1:
        return unit_unpack_busy(m, condition == TX_CONDITION_UNPACK1, thread);
    case TX_CONDITION_PACK0:
    case TX_CONDITION_PACK1:
    case TX_CONDITION_PACK2:
    case TX_CONDITION_PACK3:
        return unit_pack_busy(m, thread, condition - TX_CONDITION_PACK0);
    case TX_CONDITION_MATRIX:
        return u->gate[thread].matrix > s->cycle;
    case TX_CONDITION_VECTOR:
        return vector_busy(s, thread);
    case TX_CONDITION_MOVER:
        return u->mover.live != 0;
    case TX_CONDITION_CONFIG:
        return u->config_until > s->cycle;
    case TX_CONDITION_SRCA_UNPACK:
    case TX_CONDITION_SRCB_UNPACK:
    case TX_CONDITION_SRCA_MATRIX:
    case TX_CONDITION_SRCB_MATRIX:
        return bank_busy(m, condition);
    default:
        return false;
    }
}

uint32_t conditions_busy(const struct tx_machine *m, unsigned thread, uint32_t mask)
{
    uint32_t busy = 0;
    /* The table is ordered by bits, so that a wait for one condition need not look at all rows. */
    for (unsigned c = 0; mask != 0 && c < TX_CONDITION_COUNT; c++) {
        const uint32_t bit = 1u << *bit_of(m->arch, (enum tx_condition)c);
        if ((mask & bit) != 0 && condition_busy(m, thread, (enum tx_condition)c)) {
            busy |= bit;
        }
        mask &= ~bit;
    }
    return busy;
}

uint32_t wait_busy(const struct tx_machine *m, unsigned thread, uint8_t *semaphores)
{
    CHECK(thread < TX_THREADS, "a wait is one of three threads'");
    CHECK(m->state.units.gate[thread].wait != TX_WAIT_NONE, "what is asked for is latched");
    const struct wait_gate *g = &m->state.units.gate[thread];
    uint32_t busy = 0;
    *semaphores = 0;
    if (g->wait != TX_WAIT_SEMWAIT) {
        return conditions_busy(m, thread, g->conditions);
    }
    for (unsigned i = 0; i < 8; i++) {
        const unsigned value = m->state.semaphore[i];
        const uint32_t met =
            (value == 0 ? 1u : 0u) | (value >= m->state.semaphore_max[i] ? 2u : 0u);
        if ((g->semaphores >> i & 1u) != 0 && (met & g->conditions) != 0) {
            busy |= met & g->conditions;
            *semaphores = (uint8_t)(*semaphores | 1u << i);
        }
    }
    return busy;
}

/* ---- public ---- */

enum tx_status tx_condition_set(tx_machine *m, unsigned thread, enum tx_condition condition,
                                bool busy)
{
    if (thread >= TX_THREADS || (unsigned)condition >= TX_CONDITION_COUNT) {
        return TX_EINVAL;
    }
    struct wait_gate *g = &m->state.units.gate[thread];
    g->host_busy = (uint16_t)bits_set(g->host_busy, condition, 1, busy);
    m->quiet = 0;
    return TX_OK;
}

bool tx_condition_get(const tx_machine *m, unsigned thread, enum tx_condition condition)
{
    return thread < TX_THREADS && (unsigned)condition < TX_CONDITION_COUNT &&
           condition_busy(m, thread, condition);
}
