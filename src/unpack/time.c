/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timing of the unpackers. The jobs of an unpacker are done one after the other; the first
 * waits for its bank and then fetches at the rates of isa/unpack.def. It is a model, as nothing
 * better is public (E-UNPACKTIME). Source: spec/unpack.md 12; isa Unpackers, UNPACR_Regular
 * 545c98a.
 */
#include "isa/chip.h"
#include "base/check.h"
#include "isa/tokens.h"
#include "state/banks.h"
#include "state/delay.h"
#include "state/order.h"
#include "unpack/unpack.h"

/* ---- rates ---- */

enum throttle { THROTTLE_0, THROTTLE_1, THROTTLE_2, THROTTLE_3, DEFAULT, STRIDED, THROTTLES };

/* Returns bytes per cycle. Columns of the table: data of 2, 4, 8, 16, 32 bits. */
static unsigned rate_of(enum tx_arch arch, enum throttle mode, unsigned bits)
{
    static const uint8_t rates[2][THROTTLES][5] = {
#define RATE(chip, mode, b2, b4, b8, b16, b32) [CHIP_COLUMN_##chip][mode] = {b2, b4, b8, b16, b32},
#include "isa/unpack.def"
    };
    const unsigned size = bits <= 2 ? 0 : bits <= 4 ? 1 : bits <= 8 ? 2 : bits <= 16 ? 3 : 4;
    return rates[chip_column(arch)][mode][size];
}

enum {
#define NARROW(bytes) narrow_bytes = bytes,
#define COLLIDE(bytes) collide_bytes = bytes,
#define JOINT(bytes) joint_bytes = bytes,
#define EXPONENTS(data) exponents_a_cycle = data,
#include "isa/unpack.def"
};

enum cause { COMPRESSED, UPSAMPLED_4, UPSAMPLED_2, BFP4_TO_DST, CAUSES };

static bool holds(const struct unpack_job *j, enum cause cause)
{
    switch (cause) {
    case COMPRESSED:
        return j->compressed != 0;
    case UPSAMPLED_4:
        return j->zeros >= 3;
    case UPSAMPLED_2:
        return j->zeros >= 1;
    case BFP4_TO_DST:
        return j->to_dst != 0 && (j->in == FORMAT_BFP4 || j->in == FORMAT_BFP4A);
    case CAUSES:
        break;
    }
    return false;
}

static unsigned capped(const struct tx_machine *m, const struct unpack_job *j, unsigned rate)
{
    static const uint8_t most[CAUSES] = {
#define CAP(cause, bytes) [cause] = bytes,
#include "isa/unpack.def"
    };
    for (unsigned c = 0; c < CAUSES; c++) {
        rate = holds(j, (enum cause)c) && rate > most[c] ? most[c] : rate;
    }
    if (machine_has(m, UNPACK_NARROW) && !machine_rule(m, RULE_UNPACK_WIDE) &&
        rate > narrow_bytes) {
        rate = narrow_bytes;
    }
    return machine_has(m, UNPACK_COLLIDES) && j->strided != 0 && j->stride % collide_bytes == 0
               ? rate / 2
               : rate;
}

void unpack_set_rate(const struct tx_machine *m, unsigned u, struct unpack_job *j)
{
    CHECK(u < UNPACKERS, "a rate is one unpacker's");
    const struct unpack_places *p = unpack_places(m->arch, u);
    const unsigned bits = unpack_bits(j->in);
    const unsigned thread = j->op.thread;
    enum throttle mode = (enum throttle)cfg_banked(&m->state, m->places, thread, p->throttle);
    if (j->strided != 0) {
        mode = STRIDED;
    } else if (machine_has(m, THROTTLE_UNUSED) &&
               cfg_banked(&m->state, m->places, thread, p->throttle_used) == 0) {
        mode = DEFAULT;
    }
    const unsigned rate = rate_of(m->arch, mode, bits);
    const unsigned rows = rate / (2 * bits);
    j->burst = (uint8_t)(rows < 1 ? 1 : rows > 8 ? 8 : rows);
    j->rate = (uint8_t)capped(m, j, rate);
}

/* Divides the bandwidth of L1 between the two unpackers, in bytes per cycle. */
static void share(enum tx_arch arch, const unsigned wants[2], unsigned gets[2])
{
    static const struct {
        uint8_t wants[2], gets[2];
    } rows[] = {
#define SHARE(w0, w1, g0, g1) {{w0, w1}, {g0, g1}},
#include "isa/unpack.def"
    };
    const unsigned less = wants[0] < wants[1] ? 0 : 1;
    gets[0] = wants[0];
    gets[1] = wants[1];
    if (wants[less] == 0) {
        return;
    }
    if (CHIP_HAS(arch, UNPACK_SHARED_RATE)) {
        if (wants[0] + wants[1] > joint_bytes) {
            gets[less] = wants[less] < joint_bytes / 2 ? wants[less] : joint_bytes / 2;
            gets[1 - less] = joint_bytes - gets[less];
        }
        return;
    }
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].wants[0] == wants[0] && rows[i].wants[1] == wants[1]) {
            gets[0] = rows[i].gets[0];
            gets[1] = rows[i].gets[1];
        }
    }
}

/* ---- the queue ---- */

static struct unpack_job *first_job(struct unpacker *unit)
{
    return &unit->job[unit->head];
}

/*
 * Returns how many jobs an unpacker holds: one more than the one that waits or runs. The real
 * number is not known (U25).
 */
static unsigned room(const struct tx_machine *m)
{
    return machine_rule(m, RULE_UNPACK_QUEUE) ? UNPACK_JOBS : 2;
}

enum tx_hold unit_unpack_hold(const struct tx_machine *m, const struct tx_op *op, uint8_t *other)
{
    const struct unpack *unpack = &m->state.units.unpack;
    const struct unpacker *unit = &unpack->unit[unpack_unit(op)];
    const unsigned entering =
        unpack->enters != 0 && unpack_unit(&unpack->entering) == unpack_unit(op);
    if (unit->count + entering >= room(m)) {
        *other = unit->count != 0 ? unit->job[unit->head].op.thread : unpack->entering.thread;
        return TX_HOLD_UNIT;
    }
    if (unit_insn(op) == INSN_UNPACR && unpack->generator > m->state.cycle) {
        *other = m->state.units.last[GROUP_UNPACK];
        return TX_HOLD_UNIT;
    }
    return TX_HOLD_NONE;
}

/* Records that the address generator is busy for two cycles, in which the thread passes nothing. */
void unit_unpack_mark(struct tx_machine *m, const struct tx_op *op)
{
    struct unpack *unpack = &m->state.units.unpack;
    uint64_t until = m->state.cycle + 1;
    if (unit_insn(op) == INSN_UNPACR) {
        until++;
        unpack->generator = until;
        m->state.units.gate[op->thread].until = until;
    }
    unpack->unit[unpack_unit(op)].entered[op->thread] = until;
}

bool unit_unpack_busy(const struct tx_machine *m, unsigned u, unsigned thread)
{
    CHECK(u < UNPACKERS, "one of two unpackers is asked for");
    const struct unpacker *unit = &m->state.units.unpack.unit[u];
    for (unsigned k = 0; k < unit->count; k++) {
        if (unit->job[(unit->head + k) % UNPACK_JOBS].op.thread == thread) {
            return true;
        }
    }
    return unit->entered[thread] > m->state.cycle;
}

bool unit_unpack_goes_on(const struct tx_machine *m)
{
    for (unsigned u = 0; u < UNPACKERS; u++) {
        const struct unpacker *unit = &m->state.units.unpack.unit[u];
        if (unit->running != 0 ||
            (unit->count != 0 && unit->job[unit->head].ready > m->state.cycle)) {
            return true;
        }
    }
    return m->state.units.unpack.enters != 0 || m->state.units.unpack.generator > m->state.cycle;
}

/* ---- the data phase ---- */

static bool bank_is_free(const struct tx_machine *m, const struct unpack_job *j, unsigned u)
{
    CHECK(u < UNPACKERS, "a bank is wanted by one of two unpackers");
    const struct units *units = &m->state.units;
    switch ((enum unpack_wait)j->wait) {
    case UNPACK_WAIT_OWN:
        return bank_with(m, u, units->unpack_bank[u], false);
    case UNPACK_WAIT_MATRIX:
        return bank_with(m, u, units->matrix_bank[u], false);
    case UNPACK_WAIT_NONE:
        break;
    }
    return true;
}

static void phase_event(const struct tx_machine *m, const struct unpacker *unit,
                        const struct unpack_job *j, unsigned u, enum tx_event_kind kind)
{
    if (m->settings.sink.event == NULL) {
        return;
    }
    const struct tx_event event = {.size = sizeof event,
                                   .kind = kind,
                                   .thread = j->op.thread,
                                   .unit = j->op.unit,
                                   .index = (uint16_t)u,
                                   .cycle = m->state.cycle,
                                   .start = kind == TX_EVENT_PHASE_WAIT ? j->since : unit->since,
                                   .number = j->op.number,
                                   .mode = j->wait,
                                   .word = j->op.word,
                                   .row = &isa_row((enum isa_row_id)j->op.row)->text};
    machine_event(m, &event);
}

/*
 * Tells the listener that a job begins: it is ordered behind the job before it, and behind the
 * instruction that has given it the bank.
 */
static void tell_begun(struct tx_machine *m, const struct unpack_job *j, unsigned u)
{
    const struct units *units = &m->state.units;
    if (order_wanted(m)) {
        order_tell(m, TX_ORDER_BEGIN, &j->op, TX_SHARED_COUNT, u, 0, 0);
        if (j->wait != UNPACK_WAIT_NONE) {
            const unsigned bank =
                j->wait == UNPACK_WAIT_OWN ? units->unpack_bank[u] : units->matrix_bank[u];
            order_bank(m, &j->op, TX_ORDER_TAKE, bank + 2 * u, false);
        }
    }
}

static void time_start(struct tx_machine *m, unsigned u)
{
    CHECK(m->state.units.unpack.unit[u].count != 0, "an unpacker that starts has a job");
    CHECK(m->state.units.unpack.unit[u].running == 0, "an unpacker starts one job at a time");
    struct unpacker *unit = &m->state.units.unpack.unit[u];
    struct unpack_job *j = first_job(unit);
    unit->running = 1;
    unit->since = m->state.cycle;
    unit->left = 0;
    unit->tail = 1;
    m->moved = true;
    if (j->kind == UNPACK_DATA) {
        machine_note(m, EVIDENCE_E_UNPACKTIME);
        m->bounds |= TX_BOUND_UNPACK;
        machine_uses_l1(m, L1_UNPACK);
        if (j->compressed != 0) {
            unpack_read_row_starts(m, j);
        }
        const uint32_t data = j->count + (j->compressed != 0 && j->row_end == 0 ? j->drop : 0);
        const bool exponents = unpack_is_block(j->in) && j->force_exponent == 0;
        unit->left = data * (unpack_bits(j->in) + (j->compressed != 0 ? 4u : 0));
        unit->tail =
            exponents ? (uint8_t)((data / 16 + exponents_a_cycle - 1) / exponents_a_cycle) : 0;
        unit->tail = unit->left == 0 && unit->tail == 0 ? 1 : unit->tail;
    }
    phase_event(m, unit, j, u, TX_EVENT_PHASE_START);
    tell_begun(m, j, u);
}

/*
 * Queues a job. It starts in this very cycle if nothing is in its way, which matters for a job that
 * fetches nothing.
 */
void unpack_queue(struct tx_machine *m, unsigned u, const struct unpack_job *j)
{
    CHECK(m->state.units.unpack.unit[u].count < UNPACK_JOBS,
          "an unpacker's queue has room for a job that enters");
    struct unpack *unpack = &m->state.units.unpack;
    struct unpacker *unit = &unpack->unit[u];
    unit->job[(unit->head + unit->count) % UNPACK_JOBS] = *j;
    unit->job[(unit->head + unit->count) % UNPACK_JOBS].ready += delay_extra(m, &j->op);
    unit->count++;
    unpack->jobs++;
    phase_event(m, unit, j, u, TX_EVENT_PHASE_WAIT);
    if (unit->count == 1 && j->ready <= m->state.cycle && bank_is_free(m, j, u)) {
        time_start(m, u);
    }
}

static void finish(struct tx_machine *m, unsigned u)
{
    CHECK(m->state.units.unpack.unit[u].running != 0, "what ends in an unpacker was under way");
    CHECK(m->state.units.unpack.jobs != 0, "a job that ends was counted");
    struct unpack *unpack = &m->state.units.unpack;
    struct unpacker *unit = &unpack->unit[u];
    struct unpack_job *j = first_job(unit);
    unpack_finish(m, j, u);
    phase_event(m, unit, j, u, TX_EVENT_PHASE_END);
    if (order_wanted(m)) {
        order_tell(m, TX_ORDER_END, &j->op, TX_SHARED_COUNT, u, 0, 0);
    }
    unit->running = 0;
    unit->head = (uint8_t)((unit->head + 1u) % UNPACK_JOBS);
    unit->count--;
    unpack->jobs--;
    m->moved = true;
}

/* Accounts for the cycle that is over. Returns whether the job's data phase has ended. */
static bool advance(struct unpacker *unit, unsigned rate)
{
    if (unit->left != 0) {
        unit->left -= unit->left < 8 * rate ? unit->left : 8 * rate;
    } else {
        unit->tail--;
    }
    return unit->left == 0 && unit->tail == 0;
}

/* Determines the bytes that both unpackers fetch in this cycle. */
static void rates(const struct tx_machine *m, unsigned gets[UNPACKERS])
{
    unsigned wants[UNPACKERS] = {0};
    for (unsigned u = 0; u < UNPACKERS; u++) {
        const struct unpacker *unit = &m->state.units.unpack.unit[u];
        wants[u] = unit->running != 0 && unit->left != 0 ? unit->job[unit->head].rate : 0;
    }
    share(m->arch, wants, gets);
}

uint64_t unit_unpack_next(const struct tx_machine *m, uint64_t now, uint64_t first)
{
    const struct unpack *unpack = &m->state.units.unpack;
    unsigned gets[UNPACKERS];
    rates(m, gets);
    first = unpack->enters != 0 ? now : first;
    first = unpack->generator >= now && unpack->generator < first ? unpack->generator : first;
    for (unsigned u = 0; u < UNPACKERS; u++) {
        const struct unpacker *unit = &unpack->unit[u];
        uint64_t then = UINT64_MAX;
        if (unit->running != 0) { /* leaves one cycle of the data or of the tail to be run */
            then =
                now + 2 + (unit->left != 0 ? (unit->left - 1) / (8u * gets[u]) : unit->tail - 1u);
        } else if (unit->count != 0) {
            then = unit->job[unit->head].ready;
        }
        first = then >= now && then < first ? then : first;
        for (unsigned t = 0; t < TX_THREADS; t++) {
            const uint64_t entered = unit->entered[t];
            first = entered >= now && entered < first ? entered : first;
        }
    }
    return first;
}

void unit_unpack_pass(struct tx_machine *m, uint64_t cycles)
{
    struct unpack *unpack = &m->state.units.unpack;
    unsigned gets[UNPACKERS];
    rates(m, gets);
    for (unsigned u = 0; u < UNPACKERS; u++) {
        struct unpacker *unit = &unpack->unit[u];
        if (unit->running != 0 && unit->left != 0) {
            unit->left -= (uint32_t)cycles * 8u * gets[u];
        } else if (unit->running != 0) {
            unit->tail = (uint8_t)(unit->tail - cycles);
        }
    }
}

void unit_unpack_settle(struct tx_machine *m)
{
    struct unpack *unpack = &m->state.units.unpack;
    unsigned gets[UNPACKERS];
    rates(m, gets);
    if (unpack->enters != 0 && (m->delays == NULL || m->delays->enter <= m->state.cycle)) {
        unpack->enters = 0;
        unpack->jobs--;
        unpack_enter(m, &unpack->entering);
    }
    for (unsigned u = 0; u < UNPACKERS && !m->faulted; u++) {
        if (unpack->unit[u].running != 0 && advance(&unpack->unit[u], gets[u])) {
            finish(m, u);
        }
    }
    for (unsigned u = 0; u < UNPACKERS && !m->faulted; u++) {
        struct unpacker *unit = &unpack->unit[u];
        if (unit->running == 0 && unit->count != 0 && first_job(unit)->ready <= m->state.cycle &&
            bank_is_free(m, first_job(unit), u)) {
            time_start(m, u);
        }
    }
}

/* ---- bringing foreign state into range ---- */

static void safe_job(struct unpack_job *j)
{
    if (j->op.row >= ROWID_COUNT ||
        isa_row((enum isa_row_id)j->op.row)->text.unit != TX_UNIT_UNPACK) {
        j->op.row = ROWID_UNPACR;
    }
    j->op.unit = TX_UNIT_UNPACK;
    j->op.thread %= TX_THREADS;
    j->kind &= 3u;
    j->wait %= UNPACK_WAIT_MATRIX + 1u;
    j->in &= 15u;
    j->out_format &= 15u;
    j->column_shift &= 15u;
    j->zeros &= 7u;
    j->count &= 0x7FFFFu;
    j->drop &= 0x3FFFFu;
    j->burst = j->burst == 0 ? 1 : j->burst;
    j->rate = j->rate == 0 ? 16 : j->rate;
    j->format &= 15u;
    j->context = j->context > UNPACK_CONTEXTS ? 0 : j->context;
    j->cell &= 0x7FFFFu;
}

void unit_unpack_make_safe(struct tx_state *s)
{
    struct unpack *unpack = &s->units.unpack;
    unpack->enters = unpack->enters != 0;
    unpack->entering.thread %= TX_THREADS;
    if (unpack->entering.row != ROWID_UNPACR) {
        unpack->enters = 0;
    }
    unpack->jobs = unpack->enters;
    for (unsigned u = 0; u < UNPACKERS; u++) {
        struct unpacker *unit = &unpack->unit[u];
        unit->head %= UNPACK_JOBS;
        unit->count = unit->count >= UNPACK_JOBS ? UNPACK_JOBS - 1u : unit->count;
        unit->running = unit->running != 0 && unit->count != 0;
        unit->tail = unit->left == 0 && unit->tail == 0 ? 1 : unit->tail;
        unpack->jobs = (uint8_t)(unpack->jobs + unit->count);
        for (unsigned k = 0; k < UNPACK_JOBS; k++) {
            safe_job(&unit->job[k]);
        }
        for (unsigned t = 0; t < TX_THREADS; t++) {
            unit->src_row[t] &= 63u;
            unit->context[t] &= 7u;
        }
    }
}
