/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looks at the instructions around a core's load: whether it belongs to a loop that only waits
 * (S1), and whether such a loop would end with another value (S2). For that the loop is executed
 * here with the core's registers, without changing anything.
 */
#include <string.h>

#include "order/order.h"

enum { LONGEST = 128, STEPS = 256 };

static bool fetch(const struct txl_order *o, const struct order_core *core, uint32_t pc,
                  struct tx_core_decoded *d)
{
    uint32_t word;
    if (pc % 4 != 0 || pc >= ORDER_MMIO || !order_peek(o, core->number / ORDER_CORES, pc, &word)) {
        return false;
    }
    tx_core_decode(o->arch, word, d);
    return true;
}

/* ---- which loops wait ---- */

/* Returns where a backward jump goes to; 0: it is none. */
static uint32_t back_to(const struct tx_core_decoded *d, uint32_t pc)
{
    const bool jumps =
        d->kind == TX_CORE_KIND_BRANCH || (d->kind == TX_CORE_KIND_JAL && d->rd == 0);
    return jumps && (int32_t)d->imm < 0 ? pc + d->imm : 0;
}

/* Tells whether an instruction can be part of a loop that only waits. */
static bool idle(const struct tx_core_decoded *d)
{
    switch (d->kind) {
    case TX_CORE_KIND_COMPUTE:
    case TX_CORE_KIND_LOAD:
    case TX_CORE_KIND_BRANCH:
    case TX_CORE_KIND_FENCE:
        return true;
    case TX_CORE_KIND_JAL:
        return d->rd == 0;
    default:
        return false;
    }
}

/* Tells whether an instruction changes the register that the load takes its address from. */
static bool moves(const struct tx_core_decoded *d, const struct tx_core_decoded *load)
{
    const bool constant = d->id == TX_CORE_INSN_LUI || d->id == TX_CORE_INSN_AUIPC;
    return !constant && d->rd == load->rs1 && d->rd != 0 && d->word != load->word;
}

/* Finds the loop around pc. */
static bool loop_around(const struct txl_order *o, const struct order_core *core, uint32_t pc,
                        struct order_code *code)
{
    struct tx_core_decoded w;
    struct tx_core_decoded load;
    code->first = 0;
    if (!fetch(o, core, pc, &load)) {
        return false;
    }
    for (uint32_t at = pc; at < pc + LONGEST && code->first == 0; at += 4) {
        if (!fetch(o, core, at, &w) || !idle(&w)) {
            return false;
        }
        const uint32_t to = back_to(&w, at);
        if (to != 0 && to <= pc && to + LONGEST > pc) {
            code->first = to;
            code->last = at;
        }
    }
    code->drops = false;
    for (uint32_t at = code->first; code->first != 0 && at <= code->last; at += 4) {
        if (!fetch(o, core, at, &w) || !idle(&w) || moves(&w, &load)) {
            return false;
        }
        code->drops = code->drops || w.kind == TX_CORE_KIND_FENCE;
    }
    return code->first != 0;
}

/* A load with a branch behind it that leads around a loop with the same load. */
static bool guards(const struct txl_order *o, const struct order_core *core, uint32_t pc,
                   struct order_code *code)
{
    enum { NEAR = 40 };
    struct tx_core_decoded load;
    struct tx_core_decoded w;
    bool branch = false;
    if (!fetch(o, core, pc, &load)) {
        return false;
    }
    for (uint32_t at = pc + 4; at < pc + NEAR && fetch(o, core, at, &w) && idle(&w); at += 4) {
        branch = branch || w.kind == TX_CORE_KIND_BRANCH;
        if (w.kind == TX_CORE_KIND_LOAD && w.id == load.id && w.rs1 == load.rs1 &&
            w.imm == load.imm) {
            const bool found = branch && loop_around(o, core, at, code);
            code->first = found ? pc : 0;
            return found;
        }
    }
    return false;
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

const struct order_code *order_code_at(struct txl_order *o, struct order_core *core, uint32_t pc)
{
    struct order_code *code = &core->code[pc / 4 % ORDER_CODES];
    struct tx_core_decoded d = {.word = 0};
    const bool there = fetch(o, core, pc, &d);
    if (code->pc != pc || code->word != d.word || d.word == 0) {
        *code = (struct order_code){.pc = pc, .word = d.word};
        if (there && d.kind == TX_CORE_KIND_LOAD) {
            code->waits = loop_around(o, core, pc, code) || guards(o, core, pc, code);
            code->uses = uses(o, core, pc, &d);
        }
    }
    return code;
}

/* ---- executing a loop ---- */

struct machine {
    uint32_t x[32], pc;
};

/* What a load makes of the word that its address lies in. */
static uint32_t shorter(const struct tx_core_decoded *load, uint32_t address, uint32_t word)
{
    const unsigned above = 32u - 8u * load->size;
    const uint32_t v = word >> 8 * (address % 4) << above;
    return load->extends ? (uint32_t)((int32_t)v >> above) : v >> above;
}

/* The value of a load; false: it is not known without changing something. */
static bool loaded(const struct txl_order *o, const struct order_core *core, uint32_t address,
                   const struct order_guess *guess, unsigned guesses, uint32_t *value)
{
    const uint32_t tile = core->number / ORDER_CORES;
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
        *value = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
        return true;
    }
    return order_peek(o, tile, address & ~3u, value);
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
        if (!loaded(o, core, value, guess, guesses, &word)) {
            return false;
        }
        m->x[d->rd] = d->rd != 0 ? shorter(d, value, word) : 0;
        m->pc = next;
        return true;
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

enum order_exit order_code_exit(struct txl_order *o, const struct order_core *core,
                                const struct order_code *code, const struct order_guess *guess,
                                unsigned guesses)
{
    struct machine m = {.pc = code->pc};
    uint32_t address = 0;
    bool seen = false;
    for (unsigned i = 1; i < 32; i++) {
        m.x[i] = order_register(o, core->number, i);
    }
    for (unsigned i = 0; i < STEPS; i++) {
        struct tx_core_decoded d;
        if (m.pc < code->first || m.pc > code->last) {
            return ORDER_LEAVES;
        }
        if (!fetch(o, core, m.pc, &d)) {
            return ORDER_UNKNOWN;
        }
        if (d.kind == TX_CORE_KIND_LOAD) {
            const uint32_t at = m.x[d.rs1] + d.imm;
            if (seen && at == address) {
                return ORDER_STAYS;
            }
            address = seen ? address : at;
            seen = true;
        }
        if (!step(o, core, &m, &d, guess, guesses)) {
            return ORDER_UNKNOWN;
        }
    }
    return ORDER_UNKNOWN;
}
