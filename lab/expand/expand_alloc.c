/* SPDX-License-Identifier: Apache-2.0 */
/* Registers for values, and the words. */
#include "expand/expand.h"

#include <stdlib.h>
#include <string.h>

#include "flow/lint_flow.h"

struct alloc {
    struct expand *x;
    int holder[EXPAND_REGS]; /* value in each register, or NO_VALUE */
    uint32_t fresh;          /* registers that a two-cycle instruction just before writes */
};

static uint32_t opcode(const struct expand *x, const char *name)
{
    const struct tx_insn *insn = tx_insn_find(x->program->arch, name);
    return insn != NULL ? (uint32_t)insn->opcode << 24 : 0;
}

static bool emit(struct expand *x, uint32_t word)
{
    if (x->out_count == x->out_room) {
        size_t room = x->out_room == 0 ? 1024 : x->out_room * 2;
        uint32_t *larger = realloc(x->out, room * sizeof *larger);
        if (larger == NULL) {
            return expand_fail(x, "out of memory");
        }
        x->out = larger;
        x->out_room = room;
    }
    x->out[x->out_count++] = word;
    return true;
}

/* Separates an instruction that touches these registers from the two-cycle one before it. */
static bool separate(struct alloc *a, uint32_t touched, bool always)
{
    bool need = a->fresh != 0 && (always || (a->fresh & touched) != 0);
    a->fresh = 0;
    return !need || emit(a->x, flow_nop(a->x->program->arch));
}

static bool live(const struct alloc *a, int value, long at)
{
    return value != NO_VALUE && a->x->values[value].last > at;
}

/* A register whose value nobody reads behind this place. */
static int free_register(const struct alloc *a, long at, uint32_t not_these, unsigned wish)
{
    if (wish < EXPAND_REGS && !live(a, a->holder[wish], at) && (not_these >> wish & 1) == 0) {
        return (int)wish;
    }
    for (int r = EXPAND_REGS - 1; r >= 0; r--) {
        if (!live(a, a->holder[r], at) && (not_these >> r & 1) == 0) {
            return r;
        }
    }
    return -1;
}

enum copy_mode { COPY_ENABLED = 0, COPY_ALL = 2 }; /* Mod1 of SFPMOV */

static bool copy(struct alloc *a, int from, int to, enum copy_mode mode)
{
    return separate(a, 1U << from | 1U << to, false) &&
           emit(a->x,
                opcode(a->x, "sfpmov") | (uint32_t)from << 8 | (uint32_t)to << 4 | (uint32_t)mode);
}

static void place(struct alloc *a, int value, int reg)
{
    a->x->values[value].reg = reg;
    a->holder[reg] = value;
}

/* Moves a live value out of a register that another one must have. */
static bool evict(struct alloc *a, int reg, long at, uint32_t keep)
{
    int value = a->holder[reg];
    if (!live(a, value, at - 1)) {
        return true;
    }
    int to = free_register(a, at - 1, keep | 1U << reg, EXPAND_L16);
    if (to < 0 || a->x->values[value].pinned) {
        return expand_fail(a->x, "cycle %llu: L%d is needed by its number and holds another value",
                           (unsigned long long)a->x->ops[at].cycle, reg);
    }
    if (!copy(a, reg, to, COPY_ALL)) {
        return false;
    }
    place(a, value, to);
    return true;
}

static int reg_of(const struct alloc *a, int value, unsigned otherwise)
{
    return value != NO_VALUE && a->x->values[value].reg >= 0 ? a->x->values[value].reg
                                                             : (int)otherwise;
}

static uint32_t used(const struct alloc *a, const struct xop *op)
{
    uint32_t set = op->pinned;
    const int values[4] = {op->va, op->vb, op->vc, op->vd_in};
    for (unsigned i = 0; i < 4; i++) {
        int r = reg_of(a, values[i], EXPAND_REGS);
        set |= r < EXPAND_REGS ? 1U << r : 0;
    }
    return set;
}

static int no_register(struct alloc *a, const struct xop *op, long at)
{
    unsigned needed = 0;
    for (unsigned r = 0; r < EXPAND_REGS; r++) {
        needed += live(a, a->holder[r], at) ? 1 : 0;
    }
    (void)expand_fail(a->x, "cycle %llu: no free LReg for what %s writes to L%u: %s",
                      (unsigned long long)op->cycle, op->row->mnemonic, op->o.vd,
                      needed == EXPAND_REGS ? "L0 to L7 all hold what is read later"
                                            : "what L0 to L7 hold is read later or its operand");
    return -1;
}

/* The destination register, holding the tied value where there is one. */
static int destination(struct alloc *a, const struct xop *op, long at)
{
    struct value *out = &a->x->values[op->out];
    int tied = reg_of(a, op->tied, EXPAND_REGS);
    bool must = out->pinned;
    if (tied < EXPAND_REGS && !live(a, op->tied, at) && (!must || tied == out->home)) {
        return tied;
    }
    int reg = -1;
    uint32_t busy = tied < EXPAND_REGS ? used(a, op) : op->pinned & ~(must ? 1U << out->home : 0);
    if (must) {
        reg = out->home;
        if (a->holder[reg] != op->tied && !evict(a, reg, at, used(a, op))) {
            return -1;
        }
    } else {
        reg = free_register(a, at, busy, out->home);
    }
    if (reg < 0) {
        return no_register(a, op, at);
    }
    if (tied < EXPAND_REGS && reg != tied && !copy(a, tied, reg, COPY_ALL)) {
        return -1;
    }
    return reg;
}

static uint32_t put(uint32_t word, unsigned lsb, int reg)
{
    return (word & ~(15U << lsb)) | (uint32_t)(reg & 15) << lsb;
}

static uint32_t named_fields(const struct alloc *a, const struct xop *op, uint32_t word, int vd)
{
    const char *m = op->row->mnemonic;
    const char *reads = op->row->reads;
    bool four = strcmp(m, "SFPMAD") == 0 || strcmp(m, "SFPADD") == 0 || strcmp(m, "SFPMUL") == 0 ||
                strcmp(m, "SFPMUL24") == 0;
    bool three = four || strstr(op->row->id, "_VB_") != NULL || strcmp(m, "SFPARECIP") == 0 ||
                 strcmp(m, "SFPSTOCHRND") == 0 || strcmp(op->row->id, "SFPSHFT2_SHFT_LREG") == 0;
    if (four && (op->o.mode & 4) == 0) {
        word = put(word, 16, reg_of(a, op->va, op->o.va));
    }
    if (three && expand_has(reads, "VB")) {
        word = put(word, 12, reg_of(a, op->vb, op->o.vb));
    }
    if (expand_has(reads, "VC") && op->row->unit != TX_UNIT_LOAD && strcmp(m, "SFPMULI") != 0 &&
        strcmp(m, "SFPADDI") != 0) {
        word = put(word, 8, reg_of(a, op->vc, op->o.vc));
    }
    return put(word, 4, vd);
}

/* An address modifier that moves nothing. */
static uint32_t still(const struct expand *x)
{
    (void)x;
    return 3;
}

static uint32_t store_word(struct alloc *a, const struct xop *op, uint32_t rwc)
{
    struct expand *x = a->x;
    bool bh = x->program->arch == TX_BLACKHOLE;
    int reg = reg_of(a, op->vd_in, op->o.vd);
    uint32_t word = put(op->word, 20, reg);
    if (!op->scheduled) {
        return word;
    }
    uint32_t address = 0;
    bool known = false;
    for (size_t i = 0; i < x->count && !known; i++) {
        if (x->ops[i].launch && x->ops[i].number == op->number) {
            known = x->ops[i].address >= 0;
            address = (uint32_t)x->ops[i].address;
        }
    }
    if (!known) {
        (void)expand_fail(x, "cycle %llu: the address of a scheduled store is not known",
                          (unsigned long long)op->cycle);
    }
    word &= 0xFFF00000 | 0xF0000;
    return word | still(x) << (bh ? 13 : 14) | ((address - rwc - x->math_offset) & 1023);
}

static uint32_t load_word(struct alloc *a, const struct xop *op, int vd)
{
    uint32_t word = put(op->word, 20, vd);
    if (op->launch) {
        uint32_t imm = op->address >= 0
                           ? ((uint32_t)op->address - op->rwc - a->x->math_offset) & 1023
                           : op->word & 1022;
        word = (word & 0x00FFFC00) | opcode(a->x, "sfpload") | imm;
    }
    return word;
}

bool expand_shifts_apart(const struct expand *x, const struct xop *op)
{
    return strcmp(op->row->id, "SFPSHFT2_SHFT_IMM") == 0 &&
           (x->program->arch == TX_BLACKHOLE || (op->o.imm & 0xFFF) == 0);
}

/* SFPSHFT2's own form takes its source from the amount; Wormhole's SFPSHFT shifts VD alone. */
static uint32_t shift_word(const struct alloc *a, const struct xop *op, int vd)
{
    const struct expand *x = a->x;
    const uint32_t by_immediate = 1;
    const uint32_t of_vc = 4;
    const uint32_t amount = (op->o.imm & 0xFFF) << 12;
    const uint32_t registers = (uint32_t)reg_of(a, op->vb, op->o.vb) << 8 | (uint32_t)vd << 4;
    if (amount == 0) {
        return opcode(x, "sfpmov") | registers;
    }
    return expand_shifts_apart(x, op)
               ? opcode(x, "sfpshft") | amount | registers | of_vc | by_immediate
               : opcode(x, "sfpshft") | amount | (uint32_t)vd << 4 | by_immediate;
}

static bool word_of(struct alloc *a, const struct xop *op, int vd, uint32_t rwc)
{
    struct expand *x = a->x;
    uint32_t top = op->word >> 24;
    uint32_t word = 0;
    if (op->unit == TX_UNIT_STORE) {
        word = store_word(a, op, rwc);
    } else if (top >= 0x70 && top <= 0x73) {
        word = put(op->word, 20, vd);
    } else if (op->launch) {
        word = load_word(a, op, vd);
    } else if (strcmp(op->row->id, "SFPSHFT2_SHFT_IMM") == 0) {
        word = shift_word(a, op, vd);
    } else if (strcmp(op->row->mnemonic, "SFPCONFIG") == 0) {
        word = op->word;
    } else {
        word = named_fields(a, op, op->word, vd);
    }
    return x->message[0] == '\0' && emit(x, word);
}

/* SFPSWAP changes VC: where that is read later, it gets a copy. Leaves the register to change. */
static bool second_register(struct alloc *a, const struct xop *op, long at, int vd, int *reg)
{
    *reg = reg_of(a, op->vc, op->o.vc);
    if (op->out2 == NO_VALUE) {
        return true;
    }
    const int old = *reg;
    if (live(a, op->vc, at)) {
        *reg = free_register(a, at - 1, used(a, op) | 1U << vd, EXPAND_L16);
        if (*reg < 0) {
            return expand_fail(a->x, "cycle %llu: no free LReg for a copy of what %s changes",
                               (unsigned long long)op->cycle, op->row->mnemonic);
        }
    }
    if (a->x->values[op->out2].pinned && *reg != op->o.vc) {
        return expand_fail(a->x, "cycle %llu: L%u is read by its number, and %s writes elsewhere",
                           (unsigned long long)op->cycle, op->o.vc, op->row->mnemonic);
    }
    return *reg == old || copy(a, old, *reg, COPY_ALL);
}

static bool one(struct alloc *a, struct xop *op, long at, uint32_t rwc)
{
    struct expand *x = a->x;
    if (op->verbatim) {
        return strcmp(op->row->mnemonic, "SFPNOP") == 0 ||
               (separate(a, 0, true) && emit(x, op->word));
    }
    if (strcmp(op->row->mnemonic, "SFPNOP") == 0) {
        return true;
    }
    for (unsigned r = 0; r < EXPAND_REGS; r++) {
        if (op->pins[r] != NO_VALUE && live(a, op->pins[r], at - 1) &&
            x->values[op->pins[r]].reg != (int)r) {
            return expand_fail(x, "cycle %llu: %s reads L%u by its number, and it is elsewhere",
                               (unsigned long long)op->cycle, op->row->mnemonic, r);
        }
    }
    int vd = op->out != NO_VALUE ? destination(a, op, at) : (int)op->o.vd;
    if (op->out == NO_VALUE && op->tied != NO_VALUE) {
        vd = reg_of(a, op->tied, op->o.vd); /* SFPSETCC and their like */
    }
    int vc = 0;
    if (vd < 0 || !second_register(a, op, at, vd, &vc) ||
        (op->under != NO_VALUE && !copy(a, reg_of(a, op->under, 0), vd, COPY_ENABLED))) {
        return false;
    }
    const int kept = op->vc != NO_VALUE ? x->values[op->vc].reg : 0;
    if (op->out2 != NO_VALUE) {
        x->values[op->vc].reg = vc;
    }
    uint32_t touched = used(a, op) | op->writes | (vd < EXPAND_REGS ? 1U << vd : 0);
    bool rotator = op->unit == TX_UNIT_ROUND && op->latency == 2;
    if (!separate(a, touched, op->unit == TX_UNIT_ROUND) || !word_of(a, op, vd, rwc)) {
        return false;
    }
    for (unsigned r = 0; r < EXPAND_REGS; r++) {
        a->holder[r] = (op->writes >> r & 1) != 0 ? NO_VALUE : a->holder[r];
    }
    if (op->out != NO_VALUE) {
        place(a, op->out, vd);
    }
    if (op->out2 != NO_VALUE) {
        x->values[op->vc].reg = kept;
        place(a, op->out2, vc);
    }
    a->fresh = op->latency == 2 ? (rotator ? 0xFF : 1U << (vd & 7) | op->writes) : 0;
    if (op->out2 != NO_VALUE) {
        a->fresh |= 1U << reg_of(a, op->out2, 0);
    }
    return true;
}

bool expand_alloc(struct expand *x)
{
    struct alloc a = {.x = x};
    for (unsigned r = 0; r < EXPAND_REGS; r++) {
        a.holder[r] = (int)r; /* the first eight values */
    }
    size_t next = 0;
    for (size_t i = 0; i < x->count; i++) {
        struct xop *op = &x->ops[i];
        while (next < x->count && x->ops[next].cycle <= op->cycle) {
            next++;
        }
        uint32_t rwc = next < x->count ? x->ops[next].rwc : x->final_rwc;
        if (!one(&a, op, (long)i, rwc)) {
            return expand_fail(x, "out of memory");
        }
        /* Values that an instruction writes by number. */
        for (unsigned r = 0; r < EXPAND_REGS; r++) {
            for (int v = 0; (op->writes >> r & 1) != 0 && v < x->value_count; v++) {
                if (x->values[v].reg == (int)r && x->values[v].last > (long)i) {
                    a.holder[r] = v;
                }
            }
        }
    }
    return separate(&a, 0, true);
}
