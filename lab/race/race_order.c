/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ordering rules of the architecture as operations on clocks. A thread's gate lets instructions
 * pass in order. What a unit does for an instruction comes after the gate and in the unit's order
 * for that thread, and is ordered before nothing else unless a wait with a documented guarantee
 * waits for it. Source of each rule: isa STALLWAIT 0553cc7, SEMWAIT 2537675, MatrixUnit 1ae1f85,
 * UNPACR_Regular 545c98a, WRCFG, BackendConfiguration 492ccd0, ScalarUnit; tt-isa-documentation #58
 * for SETDMAREG on Blackhole; spec/matrix-unit.md 3.3, 3.5.
 */
#include <tensix/facts.h>

#include <string.h>

#include "race/race.h"

static uint32_t field(const struct tx_order *o, enum tx_fld fld)
{
    return o->row != NULL ? tx_row_field(o->row, fld, o->word) : 0;
}

static enum tx_insn_id insn_of(const struct tx_order *o)
{
    return o->row != NULL ? (enum tx_insn_id)o->row->insn : TX_INSN_NONE;
}

/* Returns the actor that executes an instruction after the gate. */
static enum race_actor unit_of(const struct tx_order *o)
{
    static const uint8_t actors[TX_UNIT_COUNT] = {
        [TX_UNIT_LOAD] = ACTOR_VECTOR,   [TX_UNIT_SIMPLE] = ACTOR_VECTOR,
        [TX_UNIT_MAD] = ACTOR_VECTOR,    [TX_UNIT_ROUND] = ACTOR_VECTOR,
        [TX_UNIT_STORE] = ACTOR_VECTOR,  [TX_UNIT_MATRIX] = ACTOR_MATRIX,
        [TX_UNIT_PACK] = ACTOR_PACK,     [TX_UNIT_UNPACK] = ACTOR_UNPACK0,
        [TX_UNIT_SCALAR] = ACTOR_MEMORY, [TX_UNIT_CONFIG] = ACTOR_CONFIG,
        [TX_UNIT_MOVER] = ACTOR_MOVER};
    if (o->unit == TX_UNIT_UNPACK) {
        return field(o, TX_FLD_UNPACKER) == 0 ? ACTOR_UNPACK0 : ACTOR_UNPACK1;
    }
    return o->unit < TX_UNIT_COUNT ? (enum race_actor)actors[o->unit] : ACTOR_GATE;
}

/*
 * Tells whether an access writes the result of a load, which arrives while the Scalar Unit
 * continues.
 */
static bool is_loaded(const struct tx_order *o)
{
    const enum tx_insn_id insn = insn_of(o);
    return o->shared == TX_SHARED_GPR && o->kind == TX_ORDER_WRITE &&
           (insn == TX_INSN_LOADREG || insn == TX_INSN_ATINCGET ||
            (insn == TX_INSN_LOADIND && field(o, TX_FLD_RES) == o->index % 64));
}

/*
 * Tells whether an access is complete before the next instruction of the thread can pass. Counters
 * change at the gate; an instruction of one cycle in the Matrix Unit completes in it; the Scalar
 * Unit blocks its thread. Results of loads come later, and on Blackhole the Configuration Unit may
 * overtake.
 */
static bool at_gate(const struct txl_race *r, const struct tx_order *o, enum race_actor unit)
{
    const enum tx_insn_id insn = insn_of(o);
    switch ((enum tx_shared)o->shared) {
    case TX_SHARED_RWC:
    case TX_SHARED_ADC:
    case TX_SHARED_SEMAPHORE:
        return true;
    case TX_SHARED_GPR:
        return unit != ACTOR_MEMORY || o->kind == TX_ORDER_READ ||
               !tx_arch_fact(r->arch, TX_FACT_CONFIG_BEHIND_SCALAR);
    case TX_SHARED_CONFIG:
    case TX_SHARED_THREAD_CONFIG:
        if (unit == ACTOR_CONFIG) {
            return insn != TX_INSN_WRCFG && insn != TX_INSN_CFGSHIFTMASK;
        }
        return unit == ACTOR_MEMORY || unit == ACTOR_GATE ||
               (unit == ACTOR_MATRIX && o->row->latency <= 1);
    case TX_SHARED_SRC:
    case TX_SHARED_DST:
    case TX_SHARED_BANK:
        return unit == ACTOR_GATE || (unit == ACTOR_MATRIX && o->row->latency <= 1);
    default:
        return unit == ACTOR_GATE;
    }
}

/* ---- waits ---- */

/* Returns the actors of a thread that a condition of its STALLWAIT waits for, as a bit mask. */
static uint32_t actors_of(const struct txl_race *r, unsigned thread, enum tx_condition c)
{
    const struct race_thread *t = &r->thread[thread];
    switch (c) {
    case TX_CONDITION_MEMORY:
        return 1u << ACTOR_MEMORY | 1u << ACTOR_LOAD | 1u << ACTOR_EXPONENT;
    case TX_CONDITION_UNPACK0:
        return 1u << ACTOR_UNPACK0;
    case TX_CONDITION_UNPACK1:
        return 1u << ACTOR_UNPACK1;
    case TX_CONDITION_MATRIX:
        return 1u << ACTOR_MATRIX;
    case TX_CONDITION_MOVER:
        return 1u << ACTOR_MOVER;
    case TX_CONDITION_VECTOR:
        return 1u << ACTOR_VECTOR;
    case TX_CONDITION_CONFIG:
        return 1u << ACTOR_CONFIG;
    case TX_CONDITION_PACK0:
    case TX_CONDITION_PACK1:
    case TX_CONDITION_PACK2:
    /* Only once all packers in use have been waited for: see latch_stall. */
    case TX_CONDITION_PACK3:
        return t->packers == 0 ? 1u << ACTOR_PACK : 0;
    default:
        return 0;
    }
}

/* Tells whether a condition mask has the condition's bit. */
static bool asks(const struct txl_race *r, uint32_t mask, enum tx_condition c)
{
    const int bit = tx_condition_bit(r->arch, c);
    return bit >= 0 && (mask >> bit & 1u) != 0;
}

/*
 * Adds what the units have done for the thread; mover and Configuration Unit count for all threads.
 */
static void join_units(struct txl_race *r, unsigned thread, uint32_t units, struct race_clock *to)
{
    for (unsigned a = 0; a < ACTORS_OF_THREAD; a++) {
        for (unsigned t = 0; t < TX_THREADS; t++) {
            const bool all = a == ACTOR_MOVER || a == ACTOR_CONFIG;
            if ((units >> a & 1u) != 0 && (t == thread || all)) {
                race_join(to, &r->unit[race_actor(t, (enum race_actor)a)]);
            }
        }
    }
}

static void latch(struct txl_race *r, unsigned thread, uint32_t block, uint32_t units)
{
    struct race_thread *t = &r->thread[thread];
    t->waits = true;
    t->wait_block = block;
    t->wait_units = units;
    t->wait_access = t->now->access;
    memset(&t->wait, 0, sizeof t->wait);
    join_units(r, thread, units, &t->wait);
    t->latched = t->wait;
    t->log[t->waited++ % WAITS] =
        (struct race_wait){t->sequence, t->now->access.word, t->now->access.place};
}

static void latch_stall(struct txl_race *r, const struct tx_order *o)
{
    struct race_thread *t = &r->thread[o->thread];
    const uint32_t given = field(o, TX_FLD_COND);
    const uint32_t mask = given != 0 ? given : tx_arch_fact(r->arch, TX_FACT_STALL_DEFAULT);
    const uint32_t block = field(o, TX_FLD_BLOCK);
    uint32_t units = 0;
    for (unsigned p = 0; p < 4; p++) {
        if (asks(r, mask, (enum tx_condition)(TX_CONDITION_PACK0 + p))) {
            t->packers &= ~(1u << p);
        }
    }
    for (unsigned c = 0; c < TX_CONDITION_COUNT; c++) {
        units |=
            asks(r, mask, (enum tx_condition)c) ? actors_of(r, o->thread, (enum tx_condition)c) : 0;
    }
    latch(r, o->thread, block != 0 ? block : 1u << 6, units);
    if (r->tile != NULL && asks(r, mask, TX_CONDITION_RISC)) {
        race_tile_stores(r, o->thread, &t->wait);
    }
}

/*
 * Completes a latched wait: its units have finished the instructions they had when it was latched,
 * and it knows everything that these waited for.
 */
static void complete_wait(struct txl_race *r, unsigned thread)
{
    struct race_thread *t = &r->thread[thread];
    join_units(r, thread, t->wait_units, &t->wait);
    for (unsigned a = 0; a < THREAD_ACTORS; a++) {
        const bool own = (t->wait_units >> a % ACTORS_OF_THREAD & 1u) != 0;
        if (own && t->wait.at[a] > t->latched.at[a]) {
            t->wait.at[a] = t->latched.at[a];
        }
    }
}

/*
 * Adds the order that a SEMWAIT enforces: there has been at least one post more than gets, or one
 * get more than leaves the semaphore full.
 */
static void join_semaphores(struct txl_race *r, struct race_thread *t)
{
    struct tx_decoded d;
    const uint32_t word = t->wait_access.word;
    if (tx_decode(r->arch, word, &d) != TX_OK || d.row == NULL) {
        return;
    }
    const uint32_t chosen = tx_row_field(d.row, TX_FLD_SEM, word);
    const uint32_t conditions = tx_row_field(d.row, TX_FLD_COND, word);
    struct race_clock known = t->gate;
    for (unsigned i = 0; i < SEMAPHORES; i++) {
        const struct race_semaphore *s = &r->semaphore[i];
        if ((chosen >> i & 1u) == 0) {
            continue;
        }
        if ((conditions & 1u) != 0) {
            race_join(&t->wait, &s->post[(s->gets + 1) % COUNTS]);
        }
        if ((conditions & 2u) != 0 && s->inits == 1) {
            /* Before the first SEMINIT the maximum was 0, and no value is below it. */
            race_join(&t->wait, &s->init);
        }
        if ((conditions & 2u) != 0 && s->posts >= s->max) {
            race_join(&t->wait, &s->get[(s->posts - s->max + 1) % COUNTS]);
        }
    }
    race_join(&known, &t->wait);
    for (unsigned i = 0; i < SEMAPHORES; i++) {
        const struct tx_order read = {.kind = TX_ORDER_READ,
                                      .shared = TX_SHARED_SEMAPHORE,
                                      .index = i,
                                      .count = 1,
                                      .mask = 1};
        if ((chosen >> i & 1u) != 0) {
            race_access(r, &read, &t->wait_access, &known);
        }
    }
}

/*
 * Adds the hand-overs of banks that a STALLWAIT has seen; it has also read which bank is the
 * unit's.
 */
static void join_banks(struct txl_race *r, const struct tx_order *o, struct race_thread *t)
{
    static const enum tx_condition conditions[4] = {
        TX_CONDITION_SRCA_UNPACK, TX_CONDITION_SRCB_UNPACK, TX_CONDITION_SRCA_MATRIX,
        TX_CONDITION_SRCB_MATRIX};
    struct tx_decoded d;
    const uint32_t word = t->wait_access.word;
    if (tx_decode(r->arch, word, &d) != TX_OK || d.row == NULL) {
        return;
    }
    const uint32_t mask = tx_row_field(d.row, TX_FLD_COND, word);
    for (unsigned i = 0; i < 4; i++) {
        if (asks(r, mask, conditions[i])) {
            struct race_clock known = t->gate;
            const struct tx_order read = {
                .kind = TX_ORDER_READ, .shared = TX_SHARED_BANK, .index = i, .count = 1, .mask = 1};
            race_join(&known, &t->wait);
            race_access(r, &read, &t->wait_access, &known);
            race_join(&t->wait, &r->bank[i / 2][(o->mask >> i & 1u) + 2 * (i % 2)]);
            t->took[i % 2] = t->took[i % 2] || i >= 2;
        }
    }
}

static void waited(struct txl_race *r, const struct tx_order *o)
{
    struct race_thread *t = &r->thread[o->thread];
    if (!t->waits || t->wait_access.word != o->word) {
        return;
    }
    complete_wait(r, o->thread);
    if (t->wait_access.insn == TX_INSN_SEMWAIT) {
        join_semaphores(r, t);
    } else {
        join_banks(r, o, t);
    }
}

/* ---- semaphores and mutexes ---- */

static void tell_semaphore(struct txl_race *r, const struct tx_order *o, unsigned index,
                           enum tx_order_kind kind)
{
    struct race_thread *t = &r->thread[o->thread];
    const struct tx_order access = {.kind = (uint8_t)kind,
                                    .shared = TX_SHARED_SEMAPHORE,
                                    .index = index,
                                    .count = 1,
                                    .mask = 1};
    race_access(r, &access, &t->now->access, &t->gate);
}

static void init_semaphore(struct txl_race *r, const struct tx_order *o, struct race_semaphore *s)
{
    const struct race_clock *gate = &r->thread[o->thread].gate;
    s->max = field(o, TX_FLD_MAX);
    s->posts = field(o, TX_FLD_IMM);
    s->gets = 0;
    s->inits++;
    s->init = *gate;
    for (unsigned i = 0; i < COUNTS; i++) {
        s->post[i] = s->get[i] = *gate;
    }
}

static void change_semaphores(struct txl_race *r, const struct tx_order *o)
{
    const struct race_clock *gate = &r->thread[o->thread].gate;
    const enum tx_insn_id insn = insn_of(o);
    for (unsigned i = 0; i < SEMAPHORES; i++) {
        struct race_semaphore *s = &r->semaphore[i];
        if ((field(o, TX_FLD_SEM) >> i & 1u) == 0) {
            continue;
        }
        tell_semaphore(r, o, i, insn == TX_INSN_SEMINIT ? TX_ORDER_WRITE : TX_ORDER_READ);
        if (insn == TX_INSN_SEMINIT) {
            init_semaphore(r, o, s);
        } else if (insn == TX_INSN_SEMPOST) {
            s->posts++;
            s->post[s->posts % COUNTS] = s->post[(s->posts - 1) % COUNTS];
            race_join(&s->post[s->posts % COUNTS], gate);
        } else if (insn == TX_INSN_SEMGET && s->gets < s->posts) {
            s->gets++;
            s->get[s->gets % COUNTS] = s->get[(s->gets - 1) % COUNTS];
            race_join(&s->get[s->gets % COUNTS], gate);
        }
    }
}

/* ---- an instruction passes ---- */

static void settle_config(struct race_thread *t, unsigned thread)
{
    for (unsigned i = 0; i < 2; i++) {
        uint32_t *at = &t->gate.at[race_actor(thread, ACTOR_CONFIG)];
        if (t->config_sequence[i] != 0 && t->sequence >= t->config_sequence[i] + 2 &&
            *at < t->config_clock[i]) {
            *at = t->config_clock[i];
        }
    }
}

static void begin_flight(struct txl_race *r, const struct tx_order *o, enum race_actor unit)
{
    struct race_thread *t = &r->thread[o->thread];
    struct race_clock *u = &r->unit[race_actor(o->thread, unit)];
    const uint32_t place = race_place_of(r, o->thread, o->word);
    t->last[unit] = (uint8_t)((t->last[unit] + 1u) % FLIGHTS);
    struct race_flight *f = &t->flight[unit][t->last[unit]];
    t->gate.at[race_actor(o->thread, ACTOR_GATE)]++;
    if (unit != ACTOR_GATE) {
        u->at[race_actor(o->thread, unit)]++;
    }
    if (unit != ACTOR_UNPACK0 && unit != ACTOR_UNPACK1) {
        race_join(u, &t->gate);
    }
    f->number = o->number;
    f->exponents = 0;
    f->clock = t->gate;
    f->clock.at[race_actor(o->thread, unit)] = u->at[race_actor(o->thread, unit)];
    f->access = (struct race_access){.gate = t->gate.at[race_actor(o->thread, ACTOR_GATE)],
                                     .clock = u->at[race_actor(o->thread, unit)],
                                     .place = place,
                                     .blocks = o->mask,
                                     .loose = t->waits ? t->wait_access.place : NOWHERE,
                                     .word = o->word,
                                     .pass = place != NOWHERE ? ++r->places[place].passes : 0,
                                     .sequence = t->sequence,
                                     .actor = (uint8_t)race_actor(o->thread, unit),
                                     .thread = o->thread,
                                     .unit = o->unit,
                                     .insn = (uint8_t)insn_of(o)};
    if (r->tile != NULL) {
        race_tile_pushed(r, o->thread, &f->access);
    }
    f->gate = f->access;
    f->gate.actor = (uint8_t)race_actor(o->thread, ACTOR_GATE);
    f->gate.clock = f->gate.gate;
    t->now = f;
}

static void special(struct txl_race *r, const struct tx_order *o)
{
    struct race_thread *t = &r->thread[o->thread];
    const uint32_t index = field(o, TX_FLD_INDEX) & 7u;
    switch (insn_of(o)) {
    case TX_INSN_STALLWAIT:
        latch_stall(r, o);
        break;
    case TX_INSN_SEMWAIT:
        latch(r, o->thread, field(o, TX_FLD_BLOCK) != 0 ? field(o, TX_FLD_BLOCK) : 1u << 6, 0);
        break;
    case TX_INSN_SEMINIT:
    case TX_INSN_SEMPOST:
    case TX_INSN_SEMGET:
        change_semaphores(r, o);
        break;
    case TX_INSN_ATGETM:
        race_join(&t->gate, &r->mutex[index]);
        break;
    case TX_INSN_ATRELM:
        r->mutex[index] = t->gate;
        break;
    case TX_INSN_FLUSHDMA: /* holds its thread until the units are done */
        latch_stall(r, o);
        t->wait_block = BLOCKS_ALL | 511u;
        break;
    case TX_INSN_WRCFG:
    case TX_INSN_CFGSHIFTMASK:
        t->config_clock[t->sequence % 2] = t->now->access.clock;
        t->config_sequence[t->sequence % 2] = t->sequence;
        break;
    case TX_INSN_PACR:
        t->packers |= tx_arch_fact(r->arch, TX_FACT_PACKERS) == 1 || field(o, TX_FLD_MASK) == 0
                          ? 1u
                          : field(o, TX_FLD_MASK);
        break;
    default:
        break;
    }
}

static void pass(struct txl_race *r, const struct tx_order *o)
{
    struct race_thread *t = &r->thread[o->thread];
    const enum race_actor unit = unit_of(o);
    r->result.instructions++;
    t->sequence++;
    const bool all = (t->wait_block & 511u) == 511u && (o->mask & BLOCKS_ALL) != 0;
    if (t->waits &&
        ((o->mask & t->wait_block & 511u) != 0 || all || (t->wait_block & BLOCKS_ALL) != 0)) {
        if ((t->wait_block & BLOCKS_ALL) != 0) {
            complete_wait(r, o->thread);
        }
        race_join(&t->gate, &t->wait);
        t->waits = false;
    }
    settle_config(t, o->thread);
    begin_flight(r, o, unit);
    if (unit == ACTOR_GATE || unit == ACTOR_CONFIG || unit == ACTOR_MEMORY || unit == ACTOR_PACK) {
        if (unit == ACTOR_GATE) {
            t->now->access = t->now->gate;
        }
        special(r, o);
    }
}

/* ---- banks, unpackers, accesses ---- */

/* Returns the instruction that an event belongs to, or NULL when none has passed the gate. */
static struct race_flight *flight_of(struct txl_race *r, const struct tx_order *o,
                                     enum race_actor unit)
{
    struct race_thread *t = &r->thread[o->thread];
    if (t->now != NULL && t->now->number == o->number) {
        return t->now;
    }
    for (unsigned i = 0; i < FLIGHTS; i++) {
        struct race_flight *f = &t->flight[unit][(t->last[unit] + FLIGHTS - i) % FLIGHTS];
        if (f->number == o->number && f->access.gate != 0) {
            return f;
        }
    }
    return t->now;
}

/* Returns what an instruction knows when it acts in its unit. */
static struct race_clock *known_by(struct txl_race *r, const struct tx_order *o,
                                   struct race_flight *f, enum race_actor unit)
{
    if (unit == ACTOR_UNPACK0 || unit == ACTOR_UNPACK1) {
        return &f->clock;
    }
    return unit == ACTOR_GATE ? &r->thread[o->thread].gate : &r->unit[race_actor(o->thread, unit)];
}

static void begin_unpack(struct txl_race *r, const struct tx_order *o, struct race_flight *f)
{
    const unsigned actor = race_actor(o->thread, unit_of(o));
    const uint32_t own = f->clock.at[actor];
    const uint32_t last = r->unit[actor].at[actor];
    race_join(&f->clock, &r->unit[actor]);
    f->clock.at[actor] = own; /* instructions behind it in the unpacker have not begun */
    race_join(&r->unit[actor], &f->clock);
    r->unit[actor].at[actor] = last;
}

static void take_bank(struct txl_race *r, const struct tx_order *o, struct race_flight *f,
                      enum race_actor unit)
{
    const struct race_clock *given = &r->bank[o->mask][o->index & 3u];
    race_join(known_by(r, o, f, unit), given);
    if (o->mask != 0) {
        race_join(&r->thread[o->thread].gate, given); /* the gate has waited for it */
        r->thread[o->thread].took[o->index / 2 & 1u] = true;
    } else {
        race_join(&r->unit[race_actor(o->thread, unit)], given);
    }
}

/*
 * The ownership of a bank is state, too: a bank given back before it was handed over goes to the
 * wrong side. The write of RACE_OWNER checks for that.
 */
static void give_bank(struct txl_race *r, const struct tx_order *o, struct race_flight *f,
                      enum race_actor unit)
{
    struct race_clock *known = known_by(r, o, f, unit);
    const struct tx_order write = {.kind = TX_ORDER_WRITE,
                                   .shared = TX_SHARED_SRC,
                                   .index = 64 * (o->index & 3u),
                                   .count = 1,
                                   .mask = RACE_OWNER};
    struct race_thread *t = &r->thread[o->thread];
    const unsigned src = o->index / 2 & 1u;
    f->access.cycle = o->cycle;
    if (o->mask == 0) {
        t->gave[src] = t->took[src] ? o->number + 1 : 0;
        t->took[src] = false;
        f->access.paired = t->took[src ^ 1u] || t->gave[src ^ 1u] == o->number + 1;
    }
    race_access(r, &write, &f->access, known);
    f->access.paired = false;
    r->bank[o->mask][o->index & 3u] = *known;
}

/*
 * Returns whether an access to lane flags takes place at the gate. The Vector Unit takes one
 * instruction per cycle from all threads together and reads lane flags in that cycle, and
 * instructions that change them take one cycle (isa VectorUnit f7fda21, SFPENCC). So these accesses
 * are in the order of the gates, unless SFPLOADMACRO has scheduled them.
 */
static bool flags_at_gate(const struct tx_order *o, const struct race_flight *f,
                          enum race_actor unit)
{
    return unit == ACTOR_VECTOR && o->shared == TX_SHARED_LREG && o->index == 1 &&
           (o->mask & 1u) != 0 && insn_of(o) == (enum tx_insn_id)f->access.insn &&
           (o->kind == TX_ORDER_READ || o->row->latency <= 1);
}

static void access(struct txl_race *r, const struct tx_order *given, struct race_flight *f,
                   enum race_actor unit)
{
    struct race_clock *known = known_by(r, given, f, unit);
    struct tx_order part = *given;
    const struct tx_order *o = &part;
    if (flags_at_gate(given, f, unit)) {
        part.mask = 1;
        f->gate.cycle = given->cycle;
        race_access(r, &part, &f->gate, known);
        part.mask = given->mask & ~1u;
        if (part.mask == 0) {
            return;
        }
    }
    f->access.cycle = o->cycle;
    if (o->shared == TX_SHARED_DST && o->kind == TX_ORDER_WRITE) {
        race_exponents_over(r, o, known);
    } else if (o->shared == TX_SHARED_DST && unit == ACTOR_PACK) {
        race_exponents(r, o, f, known);
    }
    if (o->shared == TX_SHARED_L1 && o->kind == TX_ORDER_WRITE && unit == ACTOR_MEMORY &&
        r->tile != NULL) {
        race_flag_set(r, o->index, o->count, known, f->access.actor,
                      race_actor(o->thread, ACTOR_GATE));
    } else if (o->shared == TX_SHARED_THREAD_CONFIG && o->kind == TX_ORDER_WRITE) {
        race_tile_tracks(r, o->thread);
    }
    if (is_loaded(o)) {
        struct race_access load = f->access;
        struct tx_host host;
        tx_host_default(&host);
        load.cycle += insn_of(o) == TX_INSN_ATINCGET ? host.atomic_cycles : host.load_cycles;
        load.actor = (uint8_t)race_actor(o->thread, ACTOR_LOAD);
        load.clock = ++r->unit[load.actor].at[load.actor];
        race_join(&r->unit[load.actor], known);
        race_access(r, o, &load, &r->unit[load.actor]);
    } else if (at_gate(r, o, unit)) {
        const bool queued = unit == ACTOR_UNPACK0 || unit == ACTOR_UNPACK1;
        f->gate.cycle = o->cycle;
        race_access(r, o, &f->gate, queued ? &r->thread[o->thread].gate : known);
    } else {
        f->access.cycle += unit == ACTOR_CONFIG ? o->row->latency : 0;
        race_access(r, o, &f->access, known);
    }
}

void race_order(void *user, const struct tx_order *o)
{
    struct txl_race *r = user;
    if (o->thread >= TX_ORDER_CORE) {
        race_tile_order(r, o);
        return;
    }
    if (o->kind == TX_ORDER_PASS) {
        pass(r, o);
        return;
    }
    if (o->kind == TX_ORDER_WAITED) {
        waited(r, o);
        return;
    }
    const enum race_actor unit = unit_of(o);
    struct race_flight *f = flight_of(r, o, unit);
    if (f == NULL) {
        return;
    }
    switch ((enum tx_order_kind)o->kind) {
    case TX_ORDER_READ:
    case TX_ORDER_WRITE:
        access(r, o, f, unit);
        break;
    case TX_ORDER_TAKE:
        take_bank(r, o, f, unit);
        break;
    case TX_ORDER_GIVE:
        give_bank(r, o, f, unit);
        break;
    case TX_ORDER_BEGIN:
        begin_unpack(r, o, f);
        break;
    default:
        break;
    }
}

void race_drained(struct txl_race *r)
{
    race_shadow_clear(r);
}
