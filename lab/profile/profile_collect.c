/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds the lanes from the machine's events and the cores' states. Every lane has exactly one
 * state in every cycle, so that a lane's cycles add up to those of the run.
 */
#include "profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- states ---- */

int profile_state(txl_profile *p, unsigned lane, const struct profile_state *wanted)
{
    struct profile_lane_data *l = &p->lane[lane];
    for (unsigned i = 0; i < l->state_count; i++) {
        const struct profile_state *s = &l->states[i];
        if (s->kind == wanted->kind && s->thread == wanted->thread && s->end == wanted->end &&
            s->index == wanted->index && s->address == wanted->address &&
            strcmp(s->text, wanted->text) == 0) {
            return (int)i;
        }
    }
    if (!LIST_ONE(l->states, l->state_count, l->state_room, p->failed)) {
        return PROFILE_NOTHING;
    }
    l->states[l->state_count] = *wanted;
    l->states[l->state_count].cycles = 0;
    return (int)l->state_count++;
}

/*
 * Sets what a lane does in this cycle. A state that was set before is replaced only by a more
 * active one.
 */
static void now(txl_profile *p, unsigned lane, const struct profile_state *state)
{
    struct profile_lane_data *l = &p->lane[lane];
    p->said |= 1u << lane;
    if (l->now != PROFILE_NOTHING && l->states[l->now].kind <= state->kind) {
        return;
    }
    l->now = profile_state(p, lane, state);
}

/* now() with a state that the lane has. */
static void now_again(txl_profile *p, unsigned lane, int state)
{
    struct profile_lane_data *l = &p->lane[lane];
    p->said |= 1u << lane;
    if (l->now == PROFILE_NOTHING || l->states[l->now].kind > l->states[state].kind) {
        l->now = state;
    }
}

/* "text" stays as it is: it is known by its address. True: it was said, as last time. */
static bool said_again(txl_profile *p, unsigned lane, const struct profile_said *what)
{
    const struct profile_said *last = &p->lane[lane].said;
    const bool again = last->text == what->text && last->kind == what->kind &&
                       last->bound == what->bound && last->thread == what->thread &&
                       last->state != PROFILE_NOTHING;
    if (again) {
        now_again(p, lane, last->state);
    }
    return again;
}

static void profile_collect_say(txl_profile *p, unsigned lane, const struct profile_said *what,
                                const struct profile_state *state)
{
    struct profile_lane_data *l = &p->lane[lane];
    l->said = *what;
    l->said.state = profile_state(p, lane, state);
    if (l->said.state != PROFILE_NOTHING) {
        now_again(p, lane, l->said.state);
    }
}

/* Says something with a text that stays. */
static void tells(txl_profile *p, unsigned lane, enum txl_profile_kind kind,
                  enum profile_bound bound, const char *text)
{
    const struct profile_said what = {text, kind, bound, TX_THREADS, PROFILE_NOTHING};
    if (!said_again(p, lane, &what)) {
        struct profile_state s = {.kind = kind, .bound = bound, .thread = TX_THREADS};
        snprintf(s.text, sizeof s.text, "%s", text);
        profile_collect_say(p, lane, &what, &s);
    }
}

/* Sets that a unit works for a thread. */
static void works(txl_profile *p, unsigned lane, unsigned thread, enum profile_bound bound,
                  const char *text)
{
    const struct profile_said what = {text, TXL_PROFILE_WORKS, bound, thread, PROFILE_NOTHING};
    if (!said_again(p, lane, &what)) {
        struct profile_state s = {
            .kind = TXL_PROFILE_WORKS, .bound = bound, .thread = (uint8_t)thread};
        snprintf(s.text, sizeof s.text, "T%u: %s", thread, text);
        profile_collect_say(p, lane, &what, &s);
    }
}

static void put_span(txl_profile *p, unsigned lane)
{
    struct profile_lane_data *l = &p->lane[lane];
    const bool thread = lane >= LANE_THREAD && lane < LANE_THREAD + TX_THREADS;
    const bool nothing = l->now == PROFILE_NOTHING;
    if (nothing && l->nothing != PROFILE_NOTHING) {
        l->now = l->nothing;
    } else if (nothing) {
        struct profile_state s = {.kind = thread ? TXL_PROFILE_WAITS : TXL_PROFILE_IDLE,
                                  .bound = thread ? BOUND_DELIVERY : BOUND_OTHER,
                                  .end = thread ? END_WORD : END_NONE,
                                  .thread = TX_THREADS};
        snprintf(s.text, sizeof s.text, "%s", thread ? "a word" : "nothing");
        l->now = l->nothing = profile_state(p, lane, &s);
    }
    if (l->now == PROFILE_NOTHING) {
        return;
    }
    p->shown = nothing ? p->shown & ~(1u << lane) : p->shown | 1u << lane;
    if ((l->span_count == 0 || l->spans[l->span_count - 1].state != (unsigned)l->now) &&
        LIST_ONE(l->spans, l->span_count, l->span_room, p->failed)) {
        l->spans[l->span_count++] =
            (struct profile_span){.from = p->cycle, .state = (unsigned)l->now};
    }
    l->now = PROFILE_NOTHING;
}

/* ---- unpackers and packers ---- */

static struct profile_job *find_job(txl_profile *p, unsigned lane, uint64_t number)
{
    struct profile_job *unused = NULL;
    for (unsigned i = 0; i < PROFILE_JOBS; i++) {
        struct profile_job *j = &p->jobs[i];
        if (j->live && j->lane == lane && j->number == number) {
            return j;
        }
        unused = !j->live && unused == NULL ? j : unused;
    }
    return unused;
}

static void phase(txl_profile *p, const struct tx_event *e)
{
    const unsigned lane = LANE_UNPACK + (e->index & 1u);
    struct profile_job *j = find_job(p, lane, e->number);
    if (j == NULL) {
        return;
    }
    if (!j->live) {
        *j = (struct profile_job){.live = true,
                                  .lane = (uint8_t)lane,
                                  .thread = e->thread,
                                  .bank = e->mode,
                                  .number = e->number};
        p->live |= 1u << (j - p->jobs);
    }
    j->works = j->works || e->kind == TX_EVENT_PHASE_START;
    j->over = e->kind == TX_EVENT_PHASE_END;
}

static void packs(txl_profile *p, const struct tx_event *e)
{
    const unsigned lane = LANE_PACK + (e->index & 3u);
    struct profile_job *j = find_job(p, lane, e->number);
    if (j != NULL) {
        const uint64_t start = p->cycle + (e->start - e->cycle);
        *j = (struct profile_job){.live = true,
                                  .lane = (uint8_t)lane,
                                  .thread = e->thread,
                                  .number = e->number,
                                  .start = start,
                                  .end = start + e->lanes};
        p->live |= 1u << (j - p->jobs);
    }
}

static void waits_for_bank(txl_profile *p, const struct profile_job *j)
{
    static const char *const texts[] = {"a bank of SrcA that math has",
                                        "a bank of SrcB that math has"};
    const char *text = texts[j->lane != LANE_UNPACK];
    const struct profile_said what = {text, TXL_PROFILE_WAITS, BOUND_WAIT, j->thread,
                                      PROFILE_NOTHING};
    if (said_again(p, j->lane, &what)) {
        return;
    }
    struct profile_state s = {.kind = TXL_PROFILE_WAITS,
                              .bound = BOUND_WAIT,
                              .end = END_BANK,
                              .index = j->lane - LANE_UNPACK,
                              .thread = j->thread};
    snprintf(s.text, sizeof s.text, "%s", text);
    profile_collect_say(p, j->lane, &what, &s);
}

/*
 * Sets the states of unpackers and packers; working jobs come first, since others wait behind them.
 */
static void jobs_now(txl_profile *p)
{
    for (unsigned i = 0; i < PROFILE_JOBS && p->live >> i != 0; i++) {
        struct profile_job *j = &p->jobs[i];
        if (j->live && j->lane >= LANE_PACK) {
            j->works = p->cycle >= j->start && p->cycle < j->end;
            j->over = p->cycle >= j->end;
        }
        if (j->live && !j->over && j->works) {
            works(p, j->lane, j->thread, j->lane >= LANE_PACK ? BOUND_PACK : BOUND_UNPACK,
                  j->lane >= LANE_PACK ? "packs" : "unpacks");
        }
        j->live = j->live && !j->over;
        p->live &= j->live ? UINT32_MAX : ~(1u << i);
    }
    for (unsigned i = 0; i < PROFILE_JOBS && p->live >> i != 0; i++) {
        const struct profile_job *j = &p->jobs[i];
        if (!j->live || j->works) {
            continue;
        }
        if (j->lane < LANE_PACK && j->bank != TX_PHASE_BANK_NONE) {
            waits_for_bank(p, j);
        } else {
            tells(p, j->lane, TXL_PROFILE_WAITS, BOUND_OTHER, "its turn to begin");
        }
    }
}

/* ---- threads ---- */

static enum profile_bound bound_of(unsigned unit)
{
    switch (unit) {
    case TX_UNIT_LOAD:
    case TX_UNIT_SIMPLE:
    case TX_UNIT_MAD:
    case TX_UNIT_ROUND:
    case TX_UNIT_STORE:
        return BOUND_VECTOR;
    case TX_UNIT_MATRIX:
        return BOUND_MATRIX;
    case TX_UNIT_UNPACK:
        return BOUND_UNPACK;
    case TX_UNIT_PACK:
        return BOUND_PACK;
    case TX_UNIT_SCALAR:
        return BOUND_SCALAR;
    case TX_UNIT_CONFIG:
        return BOUND_CONFIG;
    case TX_UNIT_SYNC:
        return BOUND_WAIT;
    default:
        return BOUND_OTHER;
    }
}

static const char *unit_text(unsigned unit)
{
    static const char *const texts[BOUNDS] = {"words",
                                              "Vector Unit",
                                              "Matrix Unit",
                                              "unpackers",
                                              "packers",
                                              "Scalar Unit",
                                              "Configuration Unit",
                                              "Sync Unit",
                                              "NoC",
                                              "DRAM",
                                              "counters, NOP and the like"};
    return texts[bound_of(unit)];
}

static void semaphore_wait(const struct tx_gate *gate, struct profile_state *s)
{
    unsigned i = 0;
    while (i < 7 && (gate->busy_semaphores >> i & 1u) == 0) {
        i++;
    }
    s->bound = BOUND_WAIT;
    s->end = END_SEMAPHORE;
    s->index = (uint8_t)i;
    snprintf(s->text, sizeof s->text, "semaphore %u to be %s", i,
             (gate->busy & 1u) != 0 ? "above 0" : "below its maximum");
}

/* Returns what a condition waits for. */
static const char *condition_text(enum tx_condition condition)
{
    switch (condition) {
    case TX_CONDITION_SRCA_UNPACK:
        return "a bank of SrcA for the unpacker";
    case TX_CONDITION_SRCB_UNPACK:
        return "a bank of SrcB for the unpacker";
    case TX_CONDITION_SRCA_MATRIX:
        return "a bank of SrcA for the Matrix Unit";
    case TX_CONDITION_SRCB_MATRIX:
        return "a bank of SrcB for the Matrix Unit";
    default:
        return tx_condition_text(condition);
    }
}

/* Describes a STALLWAIT. The first of its busy conditions determines the bound. */
static void condition_wait(const txl_profile *p, const struct tx_gate *gate,
                           struct profile_state *s)
{
    static const enum profile_bound bounds[TX_CONDITION_COUNT] = {
        [TX_CONDITION_MEMORY] = BOUND_SCALAR,      [TX_CONDITION_UNPACK0] = BOUND_UNPACK,
        [TX_CONDITION_UNPACK1] = BOUND_UNPACK,     [TX_CONDITION_PACK0] = BOUND_PACK,
        [TX_CONDITION_PACK1] = BOUND_PACK,         [TX_CONDITION_PACK2] = BOUND_PACK,
        [TX_CONDITION_PACK3] = BOUND_PACK,         [TX_CONDITION_MATRIX] = BOUND_MATRIX,
        [TX_CONDITION_SRCA_UNPACK] = BOUND_WAIT,   [TX_CONDITION_SRCB_UNPACK] = BOUND_WAIT,
        [TX_CONDITION_SRCA_MATRIX] = BOUND_UNPACK, [TX_CONDITION_SRCB_MATRIX] = BOUND_UNPACK,
        [TX_CONDITION_MOVER] = BOUND_OTHER,        [TX_CONDITION_RISC] = BOUND_DELIVERY,
        [TX_CONDITION_VECTOR] = BOUND_VECTOR,      [TX_CONDITION_CONFIG] = BOUND_CONFIG};
    size_t n = 0;
    bool first = true;
    for (unsigned c = 0; c < TX_CONDITION_COUNT; c++) {
        const int bit = tx_condition_bit(p->arch, (enum tx_condition)c);
        if (bit < 0 || (gate->busy >> bit & 1u) == 0) {
            continue;
        }
        if (first) {
            s->bound = bounds[c];
            s->end = c >= TX_CONDITION_SRCA_UNPACK && c <= TX_CONDITION_SRCB_MATRIX ? END_BANK
                                                                                    : END_NONE;
            s->index = c == TX_CONDITION_SRCB_UNPACK || c == TX_CONDITION_SRCB_MATRIX;
        }
        n += (size_t)snprintf(s->text + n, n < sizeof s->text ? sizeof s->text - n : 0, "%s%s",
                              first ? "" : ", ", condition_text((enum tx_condition)c));
        n = n < sizeof s->text ? n : sizeof s->text - 1;
        first = false;
    }
    snprintf(s->text + n, sizeof s->text - n, " (STALLWAIT)");
}

static bool in_vector(unsigned unit)
{
    return unit >= TX_UNIT_LOAD && unit <= TX_UNIT_STORE;
}

/* Describes why a word is held, as what it waits for. */
static void held_text(const struct tx_gate *gate, const struct tx_event *e, char *text)
{
    const char *unit = unit_text(e->unit);
    switch (gate->hold) {
    case TX_HOLD_UNIT:
        snprintf(text, PROFILE_TEXT, "room: %s at work", unit);
        break;
    case TX_HOLD_ARBITRATION:
        snprintf(text, PROFILE_TEXT, "its turn: %s", unit);
        break;
    case TX_HOLD_DST:
        snprintf(text, PROFILE_TEXT, "rows of Dst that are still being written");
        break;
    case TX_HOLD_READ:
        snprintf(text, PROFILE_TEXT, "its own UNPACR or RDCFG");
        break;
    case TX_HOLD_SCALAR_OWN:
        snprintf(text, PROFILE_TEXT, "its own instruction in the Scalar Unit");
        break;
    default:
        snprintf(text, PROFILE_TEXT, "%s", e->text != NULL ? e->text : "its gate");
        break;
    }
}

enum { WHICH_UNPACKER = 23 /* bit of UNPACR and UNPACR_NOP */ };

/* The unit waits with its thread. */
static void waits_too(txl_profile *p, struct profile_held *held, unsigned lane,
                      enum profile_bound bound, const char *text)
{
    struct profile_state s = {.kind = TXL_PROFILE_WAITS, .bound = bound, .thread = TX_THREADS};
    snprintf(s.text, sizeof s.text, "%s", text);
    now(p, lane, &s);
    held->other = lane;
    held->other_state = profile_state(p, lane, &s);
}

static void held(txl_profile *p, const struct tx_event *e)
{
    const struct tx_gate gate = tx_gate_read(p->machine, e->thread);
    struct profile_state s = {
        .kind = TXL_PROFILE_WAITS, .bound = bound_of(e->unit), .thread = TX_THREADS};
    const bool latched = gate.hold == TX_HOLD_WAIT && gate.present;
    const char *text = e->text != NULL ? e->text : "";
    struct profile_held *last = &p->held[e->thread];
    const struct profile_held is = {.known = true,
                                    .present = gate.present,
                                    .hold = gate.hold,
                                    .wait = gate.wait,
                                    .word = e->word,
                                    .wait_word = gate.wait_word,
                                    .busy = gate.busy,
                                    .unit = (uint8_t)e->unit,
                                    .busy_semaphores = gate.busy_semaphores,
                                    .other = LANES};
    if (last->known && last->hold == is.hold && last->present == is.present &&
        last->wait == is.wait && last->word == is.word && last->wait_word == is.wait_word &&
        last->busy == is.busy && last->unit == is.unit &&
        last->busy_semaphores == is.busy_semaphores && strcmp(last->text, text) == 0) {
        if (last->other != LANES) {
            now_again(p, last->other, last->other_state);
        }
        now_again(p, LANE_THREAD + e->thread, last->state);
        return;
    }
    *last = is;
    held_text(&gate, e, s.text);
    if (gate.hold == TX_HOLD_UNIT && s.bound == BOUND_UNPACK) {
        s.end = END_UNIT;
        s.index = (uint8_t)(LANE_UNPACK + (e->word >> WHICH_UNPACKER & 1u));
    } else if (gate.hold == TX_HOLD_UNIT && s.bound == BOUND_PACK) {
        s.end = END_UNIT;
        s.index = LANE_PACK;
    }
    if (latched && gate.busy == 0) {
        s.bound = BOUND_WAIT;
        snprintf(s.text, sizeof s.text, "the cycle in which its wait ends");
    } else if (latched && gate.wait == TX_WAIT_SEMWAIT) {
        semaphore_wait(&gate, &s);
    } else if (latched) {
        condition_wait(p, &gate, &s);
    } else if (in_vector(e->unit)) {
        snprintf(s.text, sizeof s.text, "Vector Unit: %.90s", e->text != NULL ? e->text : "stall");
        waits_too(p, last, LANE_VECTOR, BOUND_VECTOR, s.text + strlen("Vector Unit: "));
    } else if (gate.hold == TX_HOLD_BANK || gate.hold == TX_HOLD_DST) {
        if (gate.hold == TX_HOLD_BANK) {
            s.bound = BOUND_UNPACK;
            s.end = END_BANK;
            s.index = e->text != NULL && strstr(e->text, "SrcA") == NULL;
        }
        waits_too(p, last, LANE_MATRIX, s.bound, s.text);
    }
    now(p, LANE_THREAD + e->thread, &s);
    last->state = profile_state(p, LANE_THREAD + e->thread, &s);
    last->known = last->state != PROFILE_NOTHING && strlen(text) < sizeof last->text &&
                  (last->other == LANES || last->other_state != PROFILE_NOTHING);
    snprintf(last->text, sizeof last->text, "%s", text);
}

static void log_event(txl_profile *p, enum profile_end end, unsigned index, unsigned lane)
{
    if (LIST_ONE(p->events, p->event_count, p->event_room, p->failed)) {
        p->events[p->event_count++] = (struct profile_event){
            .cycle = p->cycle, .end = end, .index = (uint8_t)index, .lane = (uint8_t)lane};
    }
}

static bool is_front(const struct tx_event *e)
{
    return e->row->insn == TX_INSN_MOP || e->row->insn == TX_INSN_MOPCFG ||
           e->row->insn == TX_INSN_REPLAY || e->row->insn == TX_INSN_RESOURCEDECL;
}

static void issued(txl_profile *p, const struct tx_event *e)
{
    if (e->row == NULL || is_front(e)) {
        return; /* taken by an expander before the gate */
    }
    tells(p, LANE_THREAD + e->thread, TXL_PROFILE_WORKS, bound_of(e->unit), unit_text(e->unit));
    if (e->row->insn == TX_INSN_SFPNOP) {
        tells(p, LANE_VECTOR, TXL_PROFILE_WAITS, BOUND_VECTOR, "SFPNOP");
    } else if (in_vector(e->unit)) {
        works(p, LANE_VECTOR, e->thread, BOUND_VECTOR, "computes");
    } else if (e->unit == TX_UNIT_MATRIX) {
        const bool counts = e->row->insn == TX_INSN_SETRWC || e->row->insn == TX_INSN_INCRWC;
        works(p, LANE_MATRIX, e->thread, BOUND_MATRIX, counts ? "counters" : "computes");
    } else if (e->unit == TX_UNIT_SCALAR) {
        p->scalar_until = p->cycle + e->row->latency;
        works(p, LANE_SCALAR, e->thread, BOUND_SCALAR, "executes");
    } else if (e->row->insn == TX_INSN_SEMPOST || e->row->insn == TX_INSN_SEMGET ||
               e->row->insn == TX_INSN_SEMINIT) {
        log_event(p, END_SEMAPHORE, tx_row_field(e->row, TX_FLD_SEM, e->word),
                  LANE_THREAD + e->thread);
    }
}

/* ---- cycles ---- */

void profile_end_cycle(txl_profile *p)
{
    jobs_now(p);
    if (p->cycle < p->scalar_until) {
        tells(p, LANE_SCALAR, TXL_PROFILE_WORKS, BOUND_SCALAR, "executes");
    }
    const uint32_t lanes =
        (p->said | p->shown) & (p->cores ? UINT32_MAX : UINT32_MAX << LANE_THREAD);
    for (unsigned lane = 0; lanes >> lane != 0; lane++) {
        if ((lanes >> lane & 1u) != 0) {
            put_span(p, lane);
        }
    }
    p->said = 0;
    p->shown &= UINT32_MAX << LANE_THREAD;
    p->cycle++;
}

void profile_event(void *user, const struct tx_event *e)
{
    txl_profile *p = user;
    if (!p->on) {
        return;
    }
    if (!p->cores && !p->begun) {
        if (e->kind != TX_EVENT_ISSUE) {
            return;
        }
        p->begun = true;
        p->base = e->cycle;
    }
    while (!p->cores && p->cycle < e->cycle - p->base) {
        profile_end_cycle(p);
    }
    switch (e->kind) {
    case TX_EVENT_ISSUE:
        issued(p, e);
        break;
    case TX_EVENT_STALL:
        held(p, e);
        break;
    case TX_EVENT_EXECUTE:
        works(p, LANE_VECTOR, e->thread, BOUND_VECTOR, "computes");
        break;
    case TX_EVENT_PHASE_WAIT:
    case TX_EVENT_PHASE_START:
    case TX_EVENT_PHASE_END:
        phase(p, e);
        break;
    case TX_EVENT_PACK:
        packs(p, e);
        break;
    case TX_EVENT_BANK:
        log_event(p, END_BANK, e->index & 1u,
                  e->unit == TX_UNIT_UNPACK ? (unsigned)LANE_UNPACK + (e->index & 1u)
                                            : (unsigned)LANE_THREAD + e->thread);
        break;
    default:
        break;
    }
}

/* ---- cores ---- */

static void core_waits(const txl_profile *p, enum tx_core core, const struct tx_core_state *c,
                       struct profile_state *s)
{
    s->bound = BOUND_DELIVERY;
    if (c->waits_for == TX_CORE_WAIT_QUEUE) {
        s->end = END_THREAD;
        snprintf(s->text, sizeof s->text, "%s: its thread takes no word", c->wait);
        return;
    }
    if (c->waits_for != TX_CORE_WAIT_ANSWER) {
        snprintf(s->text, sizeof s->text, "%s", c->wait);
        return;
    }
    switch (tx_tile_place(p->arch, core, c->address).space) {
    case TX_SPACE_THREAD_DONE:
        s->end = END_THREAD;
        snprintf(s->text, sizeof s->text, "its thread to come to an end (tensix_sync)");
        break;
    case TX_SPACE_MOP_DONE:
        s->end = END_THREAD;
        snprintf(s->text, sizeof s->text, "its MOP to come to an end (mop_sync)");
        break;
    default:
        snprintf(s->text, sizeof s->text, "%s of %08x", c->wait, (unsigned)c->address);
        break;
    }
}

static void core_now(txl_profile *p, enum tx_core core, const struct tx_core_state *c)
{
    struct profile_state s = {
        .kind = TXL_PROFILE_WORKS, .bound = BOUND_DELIVERY, .thread = TX_THREADS};
    for (unsigned i = 0; i < PROFILE_KNOWN; i++) {
        const struct profile_core *last = &p->core[core][i];
        if (last->known && last->phase == c->phase && last->rests == c->rests &&
            last->waits_for == c->waits_for && last->address == c->address &&
            last->wait == c->wait) {
            now_again(p, LANE_CORE + core, last->state);
            return;
        }
    }
    if (c->phase == TX_CORE_HELD || c->rests) {
        s.kind = TXL_PROFILE_IDLE;
        snprintf(s.text, sizeof s.text, "%s", c->phase == TX_CORE_HELD ? "in reset" : "rests");
    } else if (c->waits_for == TX_CORE_WAIT_NONE) {
        snprintf(s.text, sizeof s.text, "instructions");
    } else {
        s.kind = TXL_PROFILE_WAITS;
        core_waits(p, core, c, &s);
    }
    now(p, LANE_CORE + (unsigned)core, &s);
    p->core[core][p->core_next[core]++ % PROFILE_KNOWN] = (struct profile_core){
        c->rests, true, c->phase, c->waits_for, c->address, c->wait, p->lane[LANE_CORE + core].now};
}

void profile_cycle(void *user)
{
    txl_profile *p = user;
    uint64_t mark[TX_CORES];
    tx_tensix_core_marks(p->tile, mark);
    for (unsigned core = 0; core < TX_CORES; core++) {
        struct tx_core_state state;
        if (p->marked && mark[core] == p->mark[core]) {
            continue; /* its lane goes on */
        }
        if (tx_tensix_core(p->tile, (enum tx_core)core, &state) == TX_OK) {
            core_now(p, (enum tx_core)core, &state);
        }
        p->mark[core] = mark[core];
    }
    p->marked = true;
    profile_end_cycle(p);
}
