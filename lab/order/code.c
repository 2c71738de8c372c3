/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tells whether a loop that waits would end with another value (S2). For that it is executed here
 * with the core's registers, without changing anything.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "order/memo.h"
#include "base/small.h"

enum { STEPS = 256 };

static bool fetch(const struct txl_order *o, const struct order_core *core, uint32_t pc,
                  struct tx_core_decoded *d)
{
    return order_fetch(o, core->number, pc, d);
}

/* C4: whether something uses the value, which it then has, before the next access. */
static bool uses(const struct txl_order *o, const struct order_core *core, uint32_t pc,
                 const struct tx_core_decoded *load)
{
    enum { RETIRE_QUEUE = 8 };
    struct tx_core_decoded w;
    for (uint32_t at = pc + 4; at < pc + 4 * RETIRE_QUEUE && fetch(o, core, at, &w); at += 4) {
        if ((w.reads >> load->rd & 1u) != 0 || w.kind == TX_CORE_KIND_FENCE ||
            w.kind == TX_CORE_KIND_ATOMIC || w.kind == TX_CORE_KIND_JALR ||
            w.kind == TX_CORE_KIND_JAL) {
            return true;
        }
        if (w.kind == TX_CORE_KIND_LOAD || w.kind == TX_CORE_KIND_STORE ||
            w.kind == TX_CORE_KIND_PUSH || (w.rd == load->rd && w.kind != TX_CORE_KIND_BRANCH)) {
            return false;
        }
    }
    return true;
}

/*
 * K17: whether the value only goes on to memory, as where bytes are copied in whole words: who uses
 * the copy is who uses bytes that nobody wrote.
 */
bool order_code_copies(const struct txl_order *o, const struct order_core *core, uint32_t pc)
{
    enum { NEAR = 24 };
    struct tx_core_decoded load;
    struct tx_core_decoded w;
    if (!fetch(o, core, pc, &load)) {
        return false;
    }
    for (uint32_t at = pc + 4; at < pc + 4 * NEAR && fetch(o, core, at, &w); at += 4) {
        if ((w.reads >> load.rd & 1u) != 0) {
            return w.kind == TX_CORE_KIND_STORE && w.rs1 != load.rd;
        }
        if (w.kind == TX_CORE_KIND_BRANCH || w.kind == TX_CORE_KIND_JAL ||
            w.kind == TX_CORE_KIND_JALR || w.rd == load.rd) {
            return false;
        }
    }
    return false;
}

/* ---- what follows a loop ---- */

/* The registers that have in them what the loop has loaded, or what it has computed from that. */
static uint32_t loaded_into(const struct txl_order *o, const struct order_core *core,
                            const struct order_code *code, uint32_t from)
{
    struct tx_core_decoded d;
    uint32_t set = 1u << from;
    for (uint32_t before = 0; before != set;) {
        before = set;
        for (unsigned i = 0; i < code->count; i++) {
            if (fetch(o, core, code->at[i], &d) && d.kind == TX_CORE_KIND_COMPUTE &&
                (d.reads & set) != 0) {
                set |= 1u << d.rd;
            }
        }
    }
    return set & ~1u;
}

static bool inside(const struct order_code *code, uint32_t pc)
{
    unsigned i = 0;
    while (i < code->count && code->at[i] != pc) {
        i++;
    }
    return i < code->count;
}

/* Whether what follows at pc reads one of the registers before all of them have other values. */
static bool reads_on(const struct txl_order *o, const struct order_core *core,
                     const struct order_code *code, uint32_t pc, uint32_t set, unsigned forks)
{
    enum { NEAR = 48, ARGUMENTS = 0xFF << 10, RETURNED = 1 << 10 };
    const uint32_t saved = 3u << 8 | 0x3FFu << 18; /* s0 to s11 */
    for (unsigned i = 0; i < NEAR && set != 0 && !inside(code, pc); i++) {
        struct tx_core_decoded d;
        if (!fetch(o, core, pc, &d)) {
            return false;
        }
        if ((d.reads & set) != 0) {
            return true;
        }
        if (d.kind == TX_CORE_KIND_JALR) {
            return (set & (d.rd != 0 ? (uint32_t)ARGUMENTS : (uint32_t)RETURNED)) != 0;
        }
        if (d.kind == TX_CORE_KIND_JAL && d.rd != 0) { /* a call */
            if ((set & ARGUMENTS) != 0) {
                return true;
            }
            set &= saved;
        }
        if (d.kind == TX_CORE_KIND_BRANCH && forks != 0 &&
            reads_on(o, core, code, pc + d.imm, set, forks - 1)) {
            return true;
        }
        set &= d.kind == TX_CORE_KIND_BRANCH ? ~0u : ~(1u << d.rd);
        pc += d.kind == TX_CORE_KIND_JAL && d.rd == 0 ? d.imm : 4;
    }
    return false;
}

/*
 * Whether what follows goes by the value that ended the loop, as where it is the number of pages
 * that there are: all that made the value is needed, not only what would have ended the loop.
 */
static bool keeps(const struct txl_order *o, const struct order_core *core,
                  const struct order_code *code, const struct tx_core_decoded *load)
{
    enum { FORKS = 3 };
    const uint32_t set = loaded_into(o, core, code, load->rd);
    for (unsigned i = 0; i < code->count; i++) {
        struct tx_core_decoded d;
        const uint32_t at = code->at[i];
        if (!fetch(o, core, at, &d)) {
            continue;
        }
        if (d.kind == TX_CORE_KIND_STORE && (set >> d.rs2 & 1u) != 0) {
            return true; /* in the core's own memory */
        }
        if (d.kind != TX_CORE_KIND_BRANCH) {
            continue;
        }
        if ((!inside(code, at + 4) && reads_on(o, core, code, at + 4, set, FORKS)) ||
            (!inside(code, at + d.imm) && reads_on(o, core, code, at + d.imm, set, FORKS))) {
            return true;
        }
    }
    return false;
}

/* Whether a branch close behind goes by what is loaded. */
static bool decides(const struct txl_order *o, const struct order_core *core, uint32_t pc,
                    const struct tx_core_decoded *load)
{
    enum { NEAR = 16 };
    uint32_t set = 1u << load->rd & ~1u;
    struct tx_core_decoded d;
    for (uint32_t at = pc + 4; at < pc + 4 * NEAR && set != 0 && fetch(o, core, at, &d); at += 4) {
        const bool reads = (d.reads & set) != 0;
        if (d.kind == TX_CORE_KIND_BRANCH && reads) {
            return true;
        }
        if (d.kind == TX_CORE_KIND_JAL || d.kind == TX_CORE_KIND_JALR) {
            return false;
        }
        if (d.kind != TX_CORE_KIND_BRANCH && d.kind != TX_CORE_KIND_STORE) {
            set &= ~(1u << d.rd);
            set |= reads && d.kind == TX_CORE_KIND_COMPUTE ? 1u << d.rd & ~1u : 0;
        }
    }
    return false;
}

/* The place for a load's answers: its own, or a free one, or the first that may be its. */
static unsigned poll_of(const struct order_core *core, uint32_t pc)
{
    enum { PLACES = 4 };
    const unsigned first = pc >> 2 & (ORDER_POLLS - 1);
    unsigned i = 0;
    while (i < PLACES && core->poll[(first + i) % ORDER_POLLS].pc != pc &&
           core->poll[(first + i) % ORDER_POLLS].pc != 0) {
        i++;
    }
    return i == PLACES ? first : (first + i) % ORDER_POLLS;
}

bool order_code_polled(const struct order_core *core, uint32_t pc, uint64_t address)
{
    enum { OFTEN = 4 };
    const struct order_poll *p = &core->poll[poll_of(core, pc)];
    return p->pc == pc && p->word == (address & ~(uint64_t)3) && p->same >= OFTEN;
}

bool order_code_polls(struct order_core *core, uint32_t pc, uint32_t address, uint32_t value,
                      bool *fresh)
{
    const bool polls = order_code_polled(core, pc, address);
    struct order_poll *p = &core->poll[poll_of(core, pc)];
    const bool again = p->pc == pc && p->word == (address & ~3u) && (value == p->value || polls);
    const uint32_t same = again && p->same < UINT16_MAX ? p->same + 1 : again ? p->same : 0;
    *fresh = polls && value != p->value;
    *p = (struct order_poll){pc, address & ~3u, value, same};
    return polls;
}

static void code_search(const struct txl_order *o, const struct order_core *core,
                        struct order_code *code)
{
    struct tx_core_decoded d;
    if (fetch(o, core, code->pc, &d) && d.kind == TX_CORE_KIND_LOAD) {
        code->waits = order_loop(o, core->number, code->pc, code);
        code->keeps = code->waits && keeps(o, core, code, &d);
        code->uses = uses(o, core, code->pc, &d);
        code->decides = !code->waits && decides(o, core, code->pc, &d);
    }
}

/* In the build that checks itself: what has been kept is what a search finds. */
static void code_check(const struct txl_order *o, const struct order_core *core,
                       const struct order_code *kept)
{
#if defined(TX_CHECK)
    struct order_code found = {.pc = kept->pc, .epoch = kept->epoch};
    code_search(o, core, &found);
    if (found.waits != kept->waits || found.uses != kept->uses || found.drops != kept->drops ||
        found.keeps != kept->keeps || found.decides != kept->decides ||
        found.first != kept->first || found.count != kept->count ||
        memcmp(found.at, kept->at, found.count * sizeof found.at[0]) != 0) {
        fprintf(stderr, "check: %s: what is kept of the load at %x is not what it is\n", __FILE__,
                (unsigned)kept->pc);
        abort();
    }
#else
    (void)o, (void)core, (void)kept;
#endif
}

const struct order_code *order_code_at(struct txl_order *o, struct order_core *core, uint32_t pc)
{
    struct order_code *code = &core->code[pc / 4 % ORDER_CODES];
    const uint32_t epoch = o->code_epoch[core->number / ORDER_CORES] + 1;
    if (code->pc != pc || code->epoch != epoch) {
        *code = (struct order_code){.pc = pc, .epoch = epoch};
        if (order_memo_find(o, core, pc, code)) {
            code_check(o, core, code);
        } else {
            order_memo_begin(o);
            code_search(o, core, code);
            order_memo_keep(o, code);
        }
        order_code_used(o, core->number / ORDER_CORES, pc);
    }
    return code;
}

/* ---- executing a loop ---- */

struct machine {
    uint32_t x[32], pc;
    struct order_guess own[4]; /* words of its own memory that the loop has stored */
    unsigned owns;
};

/* What a load makes of the word that its address lies in. */
static uint32_t shorter(const struct tx_core_decoded *load, uint32_t address, uint32_t word)
{
    const unsigned above = 32u - 8u * load->size;
    const uint32_t v = word >> 8 * (address % 4) << above;
    return load->extends ? (uint32_t)((int32_t)v >> above) : v >> above;
}

/* The value of a load; false: it is not known without changing something. */
static bool loaded(const struct txl_order *o, const struct order_core *core,
                   const struct machine *m, uint32_t address, const struct order_guess *guess,
                   unsigned guesses, uint32_t *value)
{
    const uint32_t tile = core->number / ORDER_CORES;
    for (unsigned i = 0; i < m->owns; i++) {
        if (m->own[i].address == (address & ~3u)) {
            *value = m->own[i].value;
            return true;
        }
    }
    for (unsigned i = 0; i < guesses; i++) {
        if (guess[i].address == (address & ~3u)) {
            *value = guess[i].value;
            return true;
        }
    }
    if (address - tx_core_local() < tx_core_local_size(o->arch, core->number % ORDER_CORES)) {
        uint8_t b[4];
        if (tx_core_local_read(o->tile[tile].tile, (enum tx_core)(core->number % ORDER_CORES),
                               (address & ~3u) - tx_core_local(), b, sizeof b) != TX_OK) {
            return false;
        }
        *value = word_of_bytes(b);
        return true;
    }
    return order_peek(o, tile, address & ~3u, value);
}

/* Returns false where there is no room for the word. */
static bool code_keep(struct machine *m, uint32_t address, uint32_t value)
{
    unsigned i = 0;
    while (i < m->owns && m->own[i].address != address) {
        i++;
    }
    if (i == sizeof m->own / sizeof m->own[0]) {
        return false;
    }
    m->own[i] = (struct order_guess){address, value};
    m->owns += i == m->owns ? 1 : 0;
    return true;
}

/* Executes one instruction. Returns false where it is none that a waiting loop has. */
static bool step(const struct txl_order *o, const struct order_core *core, struct machine *m,
                 const struct tx_core_decoded *d, const struct order_guess *guess, unsigned guesses)
{
    const uint32_t next = m->pc + 4;
    uint32_t value = 0;
    uint32_t word = 0;
    switch (d->kind) {
    case TX_CORE_KIND_LOAD:
        (void)tx_core_compute(d, m->pc, m->x[d->rs1], 0, &value);
        if (!loaded(o, core, m, value, guess, guesses, &word)) {
            return false;
        }
        m->x[d->rd] = d->rd != 0 ? shorter(d, value, word) : 0;
        m->pc = next;
        return true;
    case TX_CORE_KIND_STORE:
        (void)tx_core_compute(d, m->pc, m->x[d->rs1], 0, &value);
        m->pc = next;
        return d->size == 4 && code_keep(m, value, m->x[d->rs2]);
    case TX_CORE_KIND_COMPUTE:
        (void)tx_core_compute(d, m->pc, m->x[d->rs1], m->x[d->rs2], &value);
        m->x[d->rd] = d->rd != 0 ? value : 0;
        m->pc = next;
        return true;
    case TX_CORE_KIND_BRANCH:
    case TX_CORE_KIND_JAL:
        (void)tx_core_compute(d, m->pc, m->x[d->rs1], m->x[d->rs2], &m->pc);
        return d->rd == 0;
    case TX_CORE_KIND_FENCE:
        m->pc = next;
        return true;
    default:
        return false;
    }
}

/* Where the way from an instruction leads through jumps. */
static uint32_t target(const struct txl_order *o, const struct order_core *core, uint32_t pc)
{
    enum { JUMPS = 8 };
    struct tx_core_decoded d;
    for (unsigned i = 0;
         i < JUMPS && fetch(o, core, pc, &d) && d.kind == TX_CORE_KIND_JAL && d.rd == 0; i++) {
        pc += d.imm;
    }
    return pc;
}

enum order_exit order_code_exit(struct txl_order *o, const struct order_core *core,
                                const struct order_code *code, const struct order_guess *guess,
                                unsigned guesses, uint32_t *to)
{
    struct machine m = {.pc = code->pc};
    uint32_t load = 0; /* the first that the loop comes to */
    unsigned turns = 0;
    for (unsigned i = 1; i < 32; i++) {
        m.x[i] = order_register(o, core->number, i);
    }
    for (unsigned i = 0; i < STEPS; i++) {
        struct tx_core_decoded d;
        if (!inside(code, m.pc)) {
            if (to != NULL) {
                *to = target(o, core, m.pc);
            }
            return ORDER_LEAVES;
        }
        if (!fetch(o, core, m.pc, &d)) {
            return ORDER_UNKNOWN;
        }
        if (d.kind == TX_CORE_KIND_LOAD) {
            /* The first turn may have begun in its middle, with what was loaded before. */
            if (turns != 0 && m.pc == load && ++turns > 2) {
                return ORDER_STAYS;
            }
            load = turns != 0 ? load : m.pc;
            turns = turns != 0 ? turns : 1;
        }
        if (!step(o, core, &m, &d, guess, guesses)) {
            return ORDER_UNKNOWN;
        }
    }
    return ORDER_UNKNOWN;
}
