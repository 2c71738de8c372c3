/* SPDX-License-Identifier: Apache-2.0 */
/* Assigns registers to the values and writes the words of the straight-line form. */
#include "expand/expand.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "flow/feed.h"
#include "flow/operands.h"

struct alloc {
    struct expand *x;
    int holder[EXPAND_REGS]; /* value in each register, or NO_VALUE */
    uint32_t fresh;          /* registers that the two-cycle instruction just before writes */
};

/* What an instruction is built from. Fields that it does not have are ignored. */
struct parts {
    unsigned mode, imm;
    int vc, vd;
};

static uint32_t build(const struct expand *x, enum tx_insn_id insn, struct parts parts)
{
    struct tx_decoded d;
    uint32_t word = TX_INSN_WORD(insn);
    (void)tx_decode(tx_program_arch(x->program), word, &d);
    word = tx_row_put(d.row, TX_FLD_MOD, word, parts.mode);
    word = tx_row_put(d.row, TX_FLD_IMM, word, parts.imm);
    word = tx_row_put(d.row, TX_FLD_VC, word, (uint32_t)parts.vc);
    return tx_row_put(d.row, TX_FLD_VD, word, (uint32_t)parts.vd);
}

static bool emit(struct expand *x, uint32_t word)
{
    if (!LIST_ROOM(x->out, x->out_count, x->out_room, 1)) {
        return expand_no_memory(x);
    }
    x->out[x->out_count++] = word;
    return true;
}

/*
 * Emits an SFPNOP when the next instruction touches a register that the two-cycle one before it
 * writes, or with `always` whenever that one writes any.
 */
static bool separate(struct alloc *a, uint32_t touched, bool always)
{
    bool need = a->fresh != 0 && (always || (a->fresh & touched) != 0);
    a->fresh = 0;
    return !need || emit(a->x, TX_INSN_WORD(TX_INSN_SFPNOP));
}

static bool live(const struct alloc *a, int value, long at)
{
    return value != NO_VALUE && a->x->values[value].last > at;
}

/* Returns a register whose value no later instruction reads, preferably `wish`; -1: none. */
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

enum copy_mode { COPY_ENABLED = TX_MOD_SFPMOV_COPY, COPY_ALL = TX_MOD_SFPMOV_ALL_LANES_ENABLED };

static bool copy(struct alloc *a, int from, int to, enum copy_mode mode)
{
    return separate(a, 1U << from | 1U << to, false) &&
           emit(a->x, build(a->x, TX_INSN_SFPMOV, (struct parts){mode, 0, from, to}));
}

static void expand_alloc_place(struct alloc *a, int value, int reg)
{
    a->x->values[value].reg = reg;
    a->holder[reg] = value;
}

/* Moves a live value out of a register that another value must have. */
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
    expand_alloc_place(a, value, to);
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

/* Returns the destination register, which then holds the tied value if there is one; -1: failed. */
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

/* Returns the word with the registers of its values in the fields that it has. */
static uint32_t named_fields(const struct alloc *a, const struct xop *op, int vd)
{
    const struct tx_row *row = op->row;
    uint32_t word = op->word;
    if ((row->reads & TX_SET(VAX)) != 0 && !tx_indirect_va(row->reads, op->o.mode)) {
        word = tx_row_put(row, TX_FLD_VA, word, (uint32_t)reg_of(a, op->va, op->o.va));
    }
    if ((row->reads & TX_SET(VB)) != 0) {
        word = tx_row_put(row, TX_FLD_VB, word, (uint32_t)reg_of(a, op->vb, op->o.vb));
    }
    if ((row->reads & TX_SET(VC)) != 0) {
        word = tx_row_put(row, TX_FLD_VC, word, (uint32_t)reg_of(a, op->vc, op->o.vc));
    }
    return tx_row_put(row, TX_FLD_VD, word, (uint32_t)vd);
}

enum { STILL = 3 }; /* an address modifier that changes no counter */

static uint32_t store_word(struct alloc *a, const struct xop *op, uint32_t rwc)
{
    struct expand *x = a->x;
    const uint32_t reg = (uint32_t)reg_of(a, op->vd_in, op->o.vd);
    uint32_t word = tx_row_put(op->row, TX_FLD_VD, op->word, reg);
    if (!op->scheduled) {
        return word;
    }
    if (op->address < 0) {
        (void)expand_fail(x, "cycle %llu: the address of a scheduled store is not known",
                          (unsigned long long)op->cycle);
    }
    word = tx_row_put(op->row, TX_FLD_VD, TX_INSN_WORD(TX_INSN_SFPSTORE), reg);
    word = tx_row_put(op->row, TX_FLD_MOD, word, op->o.mode);
    word = tx_row_put(op->row, TX_FLD_AMOD, word, STILL);
    return tx_row_put(op->row, TX_FLD_IMM, word, (uint32_t)op->address - rwc - x->math_offset);
}

/* Returns an SFPLOAD that does what the load of an SFPLOADMACRO does. */
static uint32_t load_word(struct alloc *a, const struct xop *op, int vd)
{
    const uint32_t address = op->address >= 0
                                 ? (uint32_t)op->address - op->rwc - a->x->math_offset
                                 : op->o.imm & ~UINT32_C(1); /* bit 0 is a part of VD */
    const uint32_t modifier = tx_row_field(op->row, TX_FLD_AMOD, op->word);
    const uint32_t word = build(a->x, TX_INSN_SFPLOAD, (struct parts){op->o.mode, address, 0, vd});
    struct tx_decoded d;
    (void)tx_decode(tx_program_arch(a->x->program), word, &d);
    return tx_row_put(d.row, TX_FLD_AMOD, word, modifier);
}

/* Finds the instruction that does the same from the register that its word names. */
static bool other(const struct expand *x, const struct xop *op, struct tx_same *same)
{
    const uint32_t imm = tx_row_field(op->row, TX_FLD_IMM, op->word);
    return tx_row_same(tx_program_arch(x->program), op->row, imm, same);
}

bool expand_free_source(const struct expand *x, const struct xop *op)
{
    struct tx_same same;
    return other(x, op, &same) && same.field == TX_FLD_VC;
}

/*
 * Returns the word of that instruction, for an op whose source is a part of its immediate.
 * expand_unknown has made sure that there is one.
 */
static uint32_t other_word(const struct alloc *a, const struct xop *op, int vd)
{
    struct tx_same same = {.insn = TX_INSN_NONE};
    (void)other(a->x, op, &same);
    const int source = same.field == TX_FLD_VC ? reg_of(a, op->vb, op->o.vb) : 0;
    return build(a->x, (enum tx_insn_id)same.insn,
                 (struct parts){same.mode, op->o.imm, source, vd});
}

static bool word_of(struct alloc *a, const struct xop *op, int vd, uint32_t rwc)
{
    struct expand *x = a->x;
    uint32_t word = 0;
    if (op->unit == TX_UNIT_STORE) {
        word = store_word(a, op, rwc);
    } else if (op->launch) {
        word = load_word(a, op, vd);
    } else if (op->row->implied == TX_IMPLIED_VB_IMM) {
        word = other_word(a, op, vd);
    } else if (op->row->insn == TX_INSN_SFPCONFIG) {
        word = op->word;
    } else {
        word = named_fields(a, op, vd);
    }
    return x->failure.status == TXL_OK && emit(x, word);
}

/*
 * SFPSWAP changes its VC too. When the old value is read later, it changes a copy instead. *reg:
 * the register to change.
 */
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
        return op->row->insn == TX_INSN_SFPNOP || (separate(a, 0, true) && emit(x, op->word));
    }
    if (op->row->insn == TX_INSN_SFPNOP) {
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
        vd = reg_of(a, op->tied, op->o.vd); /* SFPSETCC and similar ones */
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
        a->holder[r] = (op->writes >> r & 1) != 0 ? op->made[r] : a->holder[r];
    }
    if (op->out != NO_VALUE) {
        expand_alloc_place(a, op->out, vd);
    }
    if (op->out2 != NO_VALUE) {
        x->values[op->vc].reg = kept;
        expand_alloc_place(a, op->out2, vc);
    }
    a->fresh = op->latency == 2 ? (rotator ? 0xFF : 1U << (vd & 7) | op->writes) : 0;
    if (op->out2 != NO_VALUE) {
        a->fresh |= 1U << reg_of(a, op->out2, 0);
    }
    return true;
}

/* Finds the values that the registers hold when the tile begins. */
static void first_holders(struct alloc *a)
{
    const struct expand *x = a->x;
    for (unsigned r = 0; r < EXPAND_REGS; r++) {
        a->holder[r] = NO_VALUE;
    }
    for (size_t i = txl_graph_values(x->graph); i > 0; i--) {
        const struct txl_value *v = txl_graph_value(x->graph, (uint32_t)(i - 1));
        if (v->step == TXL_NO_VALUE && v->reg < EXPAND_REGS) {
            a->holder[v->reg] = (int)(i - 1);
        }
    }
}

bool expand_alloc(struct expand *x)
{
    struct alloc a = {.x = x};
    first_holders(&a);
    size_t next = 0;
    for (size_t i = 0; i < x->count; i++) {
        struct xop *op = &x->ops[i];
        while (next < x->count && x->ops[next].cycle <= op->cycle) {
            next++;
        }
        uint32_t rwc = next < x->count ? x->ops[next].rwc : x->final_rwc;
        if (!one(&a, op, (long)i, rwc)) {
            return false;
        }
    }
    return separate(&a, 0, true);
}
