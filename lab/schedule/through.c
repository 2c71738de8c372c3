/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values that a kernel hands to itself through Dst: it stores them where it will store its result,
 * and loads them again. As a value of the row they need neither store nor load, provided that Dst
 * gives back what was stored. A store that the tile overwrites has no other purpose.
 */
#include "schedule/reader.h"

#include <stdlib.h>

uint16_t read_address(const struct reader *r, const struct txl_step *step)
{
    /* Bit 0 selects nothing (Dst of the ISA documentation); macros keep a bit of VD there. */
    return (uint16_t)((step->address - r->base) & 0x3FEU);
}

static const struct txl_step *maker_of(const struct reader *r, uint32_t value)
{
    const struct txl_value *v = txl_graph_value(r->graph, value);
    return v != NULL && v->step != TXL_NO_VALUE ? txl_graph_step(r->graph, v->step) : NULL;
}

/* Multiply-adds take denormals for zeros and make none. */
static bool multiplies(const struct txl_step *step)
{
    return step != NULL && tx_row_terms(step->row) != NULL;
}

/* Whether all that reads what a step wrote to its register takes denormals for zeros. */
static bool read_by_multiplies(const struct reader *r, uint32_t step)
{
    const unsigned reg = txl_graph_operands(r->graph, step)->vd;
    const uint32_t value = txl_graph_wrote(r->graph, step, reg);
    for (uint32_t i = step + 1; i < txl_graph_steps(r->graph); i++) {
        const struct txl_step *s = txl_graph_step(r->graph, i);
        for (uint32_t regs = s->reads; regs != 0; regs &= regs - 1) {
            if (txl_graph_read(r->graph, i, (unsigned)__builtin_ctz(regs)) == value &&
                !multiplies(s)) {
                return false;
            }
        }
    }
    return true;
}

enum { DEEP = 8 };

/* Whether the format of these loads holds the value: one that was loaded, or a choice of such. */
static bool representable(const struct reader *r, uint32_t value, unsigned mode, unsigned depth)
{
    const struct txl_value *v = txl_graph_value(r->graph, value);
    const struct txl_step *s = v != NULL ? maker_of(r, value) : NULL;
    if (v == NULL || depth == DEEP) {
        return false;
    }
    if (s == NULL || v->reg > 7) { /* exchanges leave constant registers alone */
        for (unsigned lane = 0; lane < TX_LANES; lane++) {
            if (mode != TX_MOD_SFPLOAD_FMT_FP16B || v->reg > 15 ||
                (r->constant[v->reg][lane] & 0xFFFF) != 0) {
                return false;
            }
        }
        return true;
    }
    if (s->row->insn == TX_INSN_SFPLOAD) {
        return s->mode == mode;
    }
    struct tx_real real;
    bool all = tx_row_real(s->row, s->mode, &real) && real.relation == TX_REAL_EXCHANGED;
    for (uint32_t regs = s->reads; all && regs != 0; regs &= regs - 1) {
        all = representable(r, txl_graph_read(r->graph, v->step, (unsigned)__builtin_ctz(regs)),
                            mode, depth + 1);
    }
    return all;
}

/* Whether a load finds all bits of what a store has put there, as far as anybody can tell. */
static bool survives(const struct reader *r, uint32_t store, uint32_t load)
{
    const struct txl_step *from = txl_graph_step(r->graph, store);
    const struct txl_step *to = txl_graph_step(r->graph, load);
    const uint32_t value = txl_graph_read(r->graph, store, txl_graph_operands(r->graph, store)->vd);
    if (from->mode != to->mode || from->lanes != UINT32_MAX || to->lanes != UINT32_MAX ||
        value == TXL_NO_VALUE || (to->row->reads & TX_SET(VD)) != 0) {
        return false;
    }
    switch (from->mode) {
    case TX_MOD_SFPSTORE_FMT_INT32:
        return r->body->wide;
    case TX_MOD_SFPSTORE_FMT_FP32: /* denormals become zeros */
        return r->body->wide && (multiplies(maker_of(r, value)) || read_by_multiplies(r, load));
    case TX_MOD_SFPSTORE_FMT_FP16B:
        return representable(r, value, from->mode, 0) && read_by_multiplies(r, load);
    default:
        return false;
    }
}

/* Finds the store whose value a load finds. Returns false where it is of several, or of a part. */
static bool store_of(const struct reader *r, uint32_t load, uint32_t *store)
{
    unsigned of_tile = 0;
    *store = TXL_NO_VALUE;
    for (unsigned lane = 0; lane < TX_LANES; lane++) {
        const struct txl_source from = txl_graph_loaded(r->graph, load, lane);
        if (from.value != TXL_NO_VALUE) {
            const uint32_t by = txl_graph_value(r->graph, from.value)->step;
            if (from.lane != lane || (of_tile != 0 && by != *store)) {
                return false;
            }
            *store = by;
            of_tile++;
        }
    }
    return of_tile == 0 || (of_tile == TX_LANES && *store != TXL_NO_VALUE);
}

const char sched_unproven[] =
    "a load takes a 16-bit datum that the row has stored in another format, or a half of it: how "
    "soon behind the store it is there is not proven (T-12), so rows that do this cannot be moved";

/* A load in another format, or of a half, directly behind the store: T-12 of the evidence. */
static bool in_doubt(const struct reader *r, uint32_t store, uint32_t load)
{
    const struct txl_step *to = txl_graph_step(r->graph, load);
    return store != TXL_NO_VALUE && !r->body->wide &&
           (txl_graph_step(r->graph, store)->mode != to->mode ||
            (to->row->reads & TX_SET(VD)) != 0);
}

/* The word of an instruction with this modifier and immediate and no registers. False: none such.
 */
static bool make_word(const struct reader *r, enum tx_insn_id insn, unsigned mode, uint32_t imm,
                      struct read_step *step)
{
    const struct tx_decoded blank = {.insn = tx_insn_get(r->body->arch, insn)};
    const struct tx_row *row;
    for (size_t i = 0; (row = tx_row_at(r->body->arch, i)) != NULL; i++) {
        if (row->insn == insn && (row->legal >> mode & 1) != 0) {
            (void)tx_encode(&blank, &step->word);
            step->word = tx_row_put(row, TX_FLD_MOD, step->word, mode);
            step->word = tx_row_put(row, TX_FLD_IMM, step->word, imm);
            step->instead = row;
            return true;
        }
    }
    return false;
}

/* Whether a value has the same bits in all lanes and all rows. */
static bool is_fixed(const struct reader *r, uint32_t value)
{
    const struct txl_value *v = txl_graph_value(r->graph, value);
    uint32_t bits;
    if (v != NULL && v->step == TXL_NO_VALUE && v->reg < 16) {
        for (unsigned lane = 1; lane < TX_LANES; lane++) {
            if (r->constant[v->reg][lane] != r->constant[v->reg][0]) {
                return false;
            }
        }
        return true;
    }
    return read_is_constant(r, value, &bits);
}

/*
 * What gives a row that which a load finds in another format, without Dst. A half of a constant is
 * that half of what the load has made here, by SFPLOADI. A number of BF16 as a whole number is its
 * upper half, but for the order of the bits below the sign: where that matters, the proof refuses
 * the schedule. Returns false where there is nothing.
 */
static bool stand_in(struct reader *r, uint32_t store, uint32_t load)
{
    const struct txl_step *from = txl_graph_step(r->graph, store);
    const struct txl_step *to = txl_graph_step(r->graph, load);
    const uint32_t value = txl_graph_read(r->graph, store, txl_graph_operands(r->graph, store)->vd);
    struct read_step *step = &r->step[load];
    if (from->lanes != UINT32_MAX || to->lanes != UINT32_MAX || value == TXL_NO_VALUE) {
        return false;
    }
    const bool lower = to->mode == TX_MOD_SFPLOAD_FMT_LO16_ONLY;
    if (lower || to->mode == TX_MOD_SFPLOAD_FMT_HI16_ONLY) {
        const uint32_t made =
            txl_graph_wrote(r->graph, load, txl_graph_operands(r->graph, load)->vd);
        const uint32_t bits = txl_graph_bits(r->graph, made, 0);
        return is_fixed(r, value) &&
               make_word(r, TX_INSN_SFPLOADI, lower ? TX_MOD_SFPLOADI_LOWER : TX_MOD_SFPLOADI_UPPER,
                         lower ? bits & 0xFFFF : bits >> 16, step);
    }
    const bool number =
        to->mode == TX_MOD_SFPLOAD_FMT_UINT16 || to->mode == TX_MOD_SFPLOAD_FMT_LO16;
    step->found = value;
    return from->mode == TX_MOD_SFPSTORE_FMT_FP16B && number &&
           make_word(r, TX_INSN_SFPSHFT, TX_MOD_SFPSHFT_ARG_IMM | TX_MOD_SFPSHFT_ARG_IMM_USE_VC,
                     (uint32_t)-16, step);
}

static bool read_load(struct reader *r, uint32_t load)
{
    uint32_t store;
    if (store_of(r, load, &store) && in_doubt(r, store, load)) {
        r->body->stands = true;
        if (r->way == SCHED_PASS) {
            r->body->passes = true;
            r->step[load].from = store;
            return true;
        }
        return stand_in(r, store, load) || sched_refuse(r->why, "%s", sched_unproven);
    }
    if (!store_of(r, load, &store) || (store != TXL_NO_VALUE && !survives(r, store, load))) {
        return sched_refuse(r->why, "rows depend on one another through Dst: a load finds what "
                                    "the tile has stored in part, or for another row; a register, "
                                    "or a whole datum of the row, can hand it on");
    }
    if (store != TXL_NO_VALUE) {
        r->step[load].found =
            txl_graph_read(r->graph, store, txl_graph_operands(r->graph, store)->vd);
    }
    return true;
}

/* 32-bit formats have 512 rows: those above are places of others once more (Dst, Adj32). */
bool read_no_alias(struct reader *r, const struct txl_step *step)
{
    const bool wide =
        step->mode == TX_MOD_SFPLOAD_FMT_FP32 || step->mode == TX_MOD_SFPLOAD_FMT_INT32 ||
        step->mode == TX_MOD_SFPLOAD_FMT_INT32_ALL || step->mode == TX_MOD_SFPLOAD_FMT_SM32;
    return !wide || step->address < TX_DST_ROWS / 2 ||
           sched_refuse(r->why,
                        "address %u of Dst, which has 512 rows of 32 bits, is another name of a "
                        "lower one",
                        step->address);
}

/* Whether a store leaves a half of what is at its place. */
static bool keeps_half(const struct txl_step *step)
{
    return step->mode == TX_MOD_SFPSTORE_FMT_HI16 || step->mode == TX_MOD_SFPSTORE_FMT_LO16 ||
           step->mode == TX_MOD_SFPSTORE_FMT_LO16_ONLY ||
           step->mode == TX_MOD_SFPSTORE_FMT_HI16_ONLY;
}

/* Whether the immediate of a load or store is not its address, so that the tile moves counters. */
static bool is_moved(const struct reader *r, uint32_t i)
{
    const uint32_t imm = txl_graph_operands(r->graph, i)->imm;
    return ((imm + r->base) & 1023U) != txl_graph_step(r->graph, i)->address;
}

void read_moves(struct reader *r)
{
    for (uint32_t i = 0; i < txl_graph_steps(r->graph); i++) {
        const struct txl_step *s = txl_graph_step(r->graph, i);
        const bool access = s->unit == TX_UNIT_STORE || s->row->insn == TX_INSN_SFPLOAD;
        r->moves = r->moves || (access && is_moved(r, i));
    }
}

bool read_through(struct reader *r)
{
    const size_t steps = txl_graph_steps(r->graph);
    uint32_t last[TX_DST_ROWS];
    read_moves(r);
    for (unsigned i = 0; i < TX_DST_ROWS; i++) {
        last[i] = TXL_NO_VALUE;
    }
    for (uint32_t i = 0; i < steps; i++) {
        const struct txl_step *s = txl_graph_step(r->graph, i);
        const bool store = s->unit == TX_UNIT_STORE;
        r->step[i].found = r->step[i].from = TXL_NO_VALUE;
        if (!store && s->row->insn != TX_INSN_SFPLOAD) {
            continue;
        }
        if (store) {
            const unsigned at = s->address & 1022U;
            if (last[at] != TXL_NO_VALUE && keeps_half(s)) {
                return sched_refuse(r->why,
                                    "two stores make one datum: the second one keeps a half "
                                    "of what the first one has stored");
            }
            if (last[at] != TXL_NO_VALUE && s->lanes == UINT32_MAX) {
                r->step[last[at]].dead = true;
            }
            last[at] = i;
        } else if (!read_load(r, i)) {
            return false;
        }
    }
    return true;
}
