/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looks at the instructions around a core's load: whether it belongs to a loop that only waits
 * (S1), and whether such a loop would end with another value (S2). For that the loop is executed
 * here with the core's registers, without changing anything.
 */
#include <string.h>

#include "order/order.h"

enum {
    OP_LOAD = 0x03,
    OP_FENCE = 0x0F,
    OP_IMMEDIATE = 0x13,
    OP_AUIPC = 0x17,
    OP_STORE = 0x23,
    OP_ATOMIC = 0x2F,
    OP_REGISTER = 0x33,
    OP_LUI = 0x37,
    OP_BRANCH = 0x63,
    OP_JALR = 0x67,
    OP_JAL = 0x6F,
    OP_SYSTEM = 0x73
};
enum { LONGEST = 128, STEPS = 256 };

static uint32_t bits(uint32_t w, unsigned first, unsigned count)
{
    return w >> first & ((1u << count) - 1u);
}
static unsigned major(uint32_t w)
{
    return (w & 3u) == 3u ? w & 127u : 0; /* 0: .ttinsn */
}
static unsigned rd(uint32_t w)
{
    return bits(w, 7, 5);
}
static int32_t imm_i(uint32_t w)
{
    return (int32_t)w >> 20;
}
static int32_t imm_b(uint32_t w)
{
    const uint32_t v =
        bits(w, 31, 1) << 12 | bits(w, 7, 1) << 11 | bits(w, 25, 6) << 5 | bits(w, 8, 4) << 1;
    return (int32_t)(v << 19) >> 19;
}
static int32_t imm_j(uint32_t w)
{
    const uint32_t v =
        bits(w, 31, 1) << 20 | bits(w, 12, 8) << 12 | bits(w, 20, 1) << 11 | bits(w, 21, 10) << 1;
    return (int32_t)(v << 11) >> 11;
}

static bool fetch(const struct txl_order *o, const struct order_core *core, uint32_t pc,
                  uint32_t *word)
{
    return pc % 4 == 0 && pc < ORDER_MMIO && order_peek(o, core->number / ORDER_CORES, pc, word);
}

/* ---- which loops wait ---- */

/* Returns where a backward jump goes to; 0: it is none. */
static uint32_t back_to(uint32_t w, uint32_t pc)
{
    const int32_t by = major(w) == OP_BRANCH              ? imm_b(w)
                       : major(w) == OP_JAL && rd(w) == 0 ? imm_j(w)
                                                          : 0;
    return by < 0 ? pc + (uint32_t)by : 0;
}

/* Tells whether an instruction can be part of a loop that only waits. */
static bool idle(uint32_t w)
{
    const unsigned op = major(w);
    return op != 0 && op != OP_STORE && op != OP_ATOMIC && op != OP_JALR && op != OP_SYSTEM &&
           !(op == OP_JAL && rd(w) != 0);
}

/* Tells whether an instruction changes the register that the load takes its address from. */
static bool moves(uint32_t w, uint32_t load)
{
    const unsigned op = major(w);
    const bool constant = op == OP_LUI || op == OP_AUIPC;
    return !constant && op != OP_BRANCH && op != OP_FENCE && rd(w) == bits(load, 15, 5) &&
           rd(w) != 0 && w != load;
}

/* Finds the loop around pc. */
static bool loop_around(const struct txl_order *o, const struct order_core *core, uint32_t pc,
                        struct order_code *code)
{
    uint32_t w;
    uint32_t load;
    code->first = 0;
    if (!fetch(o, core, pc, &load)) {
        return false;
    }
    for (uint32_t at = pc; at < pc + LONGEST && code->first == 0; at += 4) {
        if (!fetch(o, core, at, &w) || !idle(w)) {
            return false;
        }
        const uint32_t to = back_to(w, at);
        if (to != 0 && to <= pc && to + LONGEST > pc) {
            code->first = to;
            code->last = at;
        }
    }
    code->drops = false;
    for (uint32_t at = code->first; code->first != 0 && at <= code->last; at += 4) {
        if (!fetch(o, core, at, &w) || !idle(w) || moves(w, load)) {
            return false;
        }
        code->drops = code->drops || major(w) == OP_FENCE;
    }
    return code->first != 0;
}

/* A load with a branch behind it that leads around a loop with the same load. */
static bool guards(const struct txl_order *o, const struct order_core *core, uint32_t pc,
                   struct order_code *code)
{
    enum { NEAR = 40 };
    const uint32_t same = 0xFFFFF07Fu & ~0x00000F80u; /* all but the destination */
    uint32_t load;
    uint32_t w;
    bool branch = false;
    if (!fetch(o, core, pc, &load)) {
        return false;
    }
    for (uint32_t at = pc + 4; at < pc + NEAR && fetch(o, core, at, &w) && idle(w); at += 4) {
        branch = branch || major(w) == OP_BRANCH;
        if (major(w) == OP_LOAD && (w & same) == (load & same)) {
            const bool found = branch && loop_around(o, core, at, code);
            code->first = found ? pc : 0;
            return found;
        }
    }
    return false;
}

static bool reads(uint32_t w, unsigned x)
{
    const bool one = bits(w, 15, 5) == x;
    const bool two = bits(w, 20, 5) == x;
    switch (major(w)) {
    case OP_LOAD:
    case OP_IMMEDIATE:
    case OP_JALR:
        return one;
    case OP_STORE:
    case OP_ATOMIC:
    case OP_REGISTER:
    case OP_BRANCH:
        return one || two;
    default:
        return false;
    }
}

/* C4: whether something uses the value, which it then has, before the next access. */
static bool uses(const struct txl_order *o, const struct order_core *core, uint32_t pc,
                 uint32_t load)
{
    enum { RETIRE_QUEUE = 8 };
    uint32_t w;
    for (uint32_t at = pc + 4; at < pc + 4 * RETIRE_QUEUE && fetch(o, core, at, &w); at += 4) {
        const unsigned op = major(w);
        if ((rd(load) != 0 && reads(w, rd(load))) || op == OP_FENCE || op == OP_ATOMIC ||
            op == OP_JALR || op == OP_JAL) {
            return true;
        }
        if (op == OP_LOAD || op == OP_STORE || op == 0 || (op != OP_BRANCH && rd(w) == rd(load))) {
            return false;
        }
    }
    return true;
}

const struct order_code *order_code_at(struct txl_order *o, struct order_core *core, uint32_t pc)
{
    struct order_code *code = &core->code[pc / 4 % ORDER_CODES];
    uint32_t word = 0;
    const bool there = fetch(o, core, pc, &word);
    if (code->pc != pc || code->word != word || word == 0) {
        *code = (struct order_code){.pc = pc, .word = word};
        if (there && major(word) == OP_LOAD) {
            code->waits = loop_around(o, core, pc, code) || guards(o, core, pc, code);
            code->uses = uses(o, core, pc, word);
        }
    }
    return code;
}

/* ---- executing a loop ---- */

struct machine {
    uint32_t x[32], pc;
};

static uint32_t shorter(uint32_t word, uint32_t address, unsigned how)
{
    const uint32_t v = word >> 8 * (address % 4);
    switch (how) {
    case 0:
        return (uint32_t)(int32_t)(int8_t)v;
    case 1:
        return (uint32_t)(int32_t)(int16_t)v;
    case 4:
        return v & 0xFFu;
    case 5:
        return v & 0xFFFFu;
    default:
        return v;
    }
}

static uint32_t arithmetic(unsigned how, bool other, uint32_t a, uint32_t b)
{
    switch (how) {
    case 0:
        return other ? a - b : a + b;
    case 1:
        return a << (b & 31u);
    case 2:
        return (int32_t)a < (int32_t)b;
    case 3:
        return a < b;
    case 4:
        return a ^ b;
    case 5:
        return other ? (uint32_t)((int32_t)a >> (b & 31u)) : a >> (b & 31u);
    case 6:
        return a | b;
    default:
        return a & b;
    }
}

static bool taken(unsigned how, uint32_t a, uint32_t b)
{
    switch (how) {
    case 0:
        return a == b;
    case 1:
        return a != b;
    case 4:
        return (int32_t)a < (int32_t)b;
    case 5:
        return (int32_t)a >= (int32_t)b;
    case 6:
        return a < b;
    default:
        return a >= b;
    }
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
                 uint32_t w, const struct order_guess *guess, unsigned guesses)
{
    const uint32_t a = m->x[bits(w, 15, 5)];
    const uint32_t b = m->x[bits(w, 20, 5)];
    const unsigned how = bits(w, 12, 3);
    uint32_t value = 0;
    uint32_t next = m->pc + 4;
    switch (major(w)) {
    case OP_LOAD:
        if (!loaded(o, core, a + (uint32_t)imm_i(w), guess, guesses, &value)) {
            return false;
        }
        value = shorter(value, a + (uint32_t)imm_i(w), how);
        break;
    case OP_IMMEDIATE:
        value = arithmetic(how, how == 5 && bits(w, 30, 1) != 0, a, (uint32_t)imm_i(w));
        break;
    case OP_REGISTER:
        if (bits(w, 25, 1) != 0) {
            value = how == 0 ? a * b : 0;
        } else {
            value = arithmetic(how, bits(w, 30, 1) != 0, a, b);
        }
        break;
    case OP_LUI:
        value = w & 0xFFFFF000u;
        break;
    case OP_AUIPC:
        value = m->pc + (w & 0xFFFFF000u);
        break;
    case OP_BRANCH:
        m->pc = taken(how, a, b) ? m->pc + (uint32_t)imm_b(w) : next;
        return true;
    case OP_JAL:
        m->pc += (uint32_t)imm_j(w);
        return rd(w) == 0;
    case OP_FENCE:
        m->pc = next;
        return true;
    default:
        return false;
    }
    if (rd(w) != 0) {
        m->x[rd(w)] = value;
    }
    m->pc = next;
    return true;
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
        uint32_t w;
        if (m.pc < code->first || m.pc > code->last) {
            return ORDER_LEAVES;
        }
        if (!fetch(o, core, m.pc, &w)) {
            return ORDER_UNKNOWN;
        }
        if (major(w) == OP_LOAD) {
            const uint32_t at = m.x[bits(w, 15, 5)] + (uint32_t)imm_i(w);
            if (seen && at == address) {
                return ORDER_STAYS;
            }
            address = seen ? address : at;
            seen = true;
        }
        if (!step(o, core, &m, w, guess, guesses)) {
            return ORDER_UNKNOWN;
        }
    }
    return ORDER_UNKNOWN;
}
