/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constants that rows load for themselves by SFPLOADI are loaded once, in .init: into a register
 * that holds them already, into one of L12 to L14 that the kernel leaves alone, or into one of L0
 * to L7. L11 stays: the vendor's start code makes it -1 once for all kernels (isa/start.def).
 */
#include "schedule/reader.h"

static bool loads_immediate(const struct reader *r, uint32_t step)
{
    const struct txl_step *s = txl_graph_step(r->graph, step);
    return s->row->insn == TX_INSN_SFPLOADI && !read_masked(r, step) &&
           (s->lanes == UINT32_MAX || r->step[step].loose);
}

/*
 * What such a step writes. Under flags it may have run in no lane, but another row has the same
 * word. False: none has run.
 */
static bool immediate(const struct reader *r, uint32_t step, uint32_t *bits)
{
    const uint32_t word = txl_graph_step(r->graph, step)->word;
    const unsigned reg = txl_graph_operands(r->graph, step)->vd;
    for (uint32_t i = 0; i < txl_graph_steps(r->graph); i++) {
        const struct txl_step *s = txl_graph_step(r->graph, i);
        if (s->word == word && s->lanes != 0) {
            const unsigned lane = (unsigned)__builtin_ctz(s->lanes);
            *bits = txl_graph_bits(r->graph, txl_graph_wrote(r->graph, i, reg), lane);
            return true;
        }
    }
    return false;
}

bool read_is_constant(const struct reader *r, uint32_t value, uint32_t *bits)
{
    uint32_t at = value;
    uint32_t known = 0; /* the bits that what was seen so far has written */
    *bits = 0;
    for (unsigned parts = 0; parts < 4; parts++) {
        const struct txl_value *v = txl_graph_value(r->graph, at);
        uint32_t loaded = 0;
        if (v == NULL || v->step == TXL_NO_VALUE || !loads_immediate(r, v->step) ||
            !immediate(r, v->step, &loaded)) {
            return false;
        }
        /* one that writes a half of the register keeps what is in the other one */
        const unsigned mode = txl_graph_operands(r->graph, v->step)->mode;
        const uint32_t part = mode == TX_MOD_SFPLOADI_UPPER   ? 0xFFFF0000U
                              : mode == TX_MOD_SFPLOADI_LOWER ? 0xFFFFU
                                                              : UINT32_MAX;
        *bits |= loaded & part & ~known;
        known |= part;
        if (known == UINT32_MAX) {
            return true;
        }
        at = txl_graph_read(r->graph, v->step, v->reg);
    }
    return false;
}

/* Whether a register has these bits in all lanes where the tile begins. */
static bool holds(const struct reader *r, unsigned reg, uint32_t bits)
{
    for (unsigned lane = 0; lane < TX_LANES; lane++) {
        if (r->constant[reg][lane] != bits) {
            return false;
        }
    }
    return true;
}

int read_standing(const struct reader *r, uint32_t bits)
{
    for (unsigned i = 8; i < 15; i++) { /* L15 numbers the lanes */
        if (holds(r, i, bits)) {
            return (int)i;
        }
    }
    return SCHED_NONE;
}

bool read_hoist(struct reader *r, uint32_t bits, uint8_t *reg)
{
    const int standing = read_standing(r, bits);
    if (standing != SCHED_NONE) {
        *reg = (uint8_t)standing;
        return true;
    }
    unsigned at = 0;
    while (at < r->hoisted_count && r->hoisted[at] != bits) {
        at++;
    }
    if (at == READ_CONSTANTS) {
        return sched_refuse(r->why, "a row loads more than %d constants", READ_CONSTANTS);
    }
    r->hoisted[at] = bits;
    r->hoisted_count += at == r->hoisted_count;
    *reg = (uint8_t)(16 + at);
    return true;
}

uint32_t read_configured(const struct tx_program *program)
{
    uint32_t set = 0;
    for (size_t i = 0; i < tx_program_count(program, TX_SECTION_INIT); i++) {
        const uint32_t word = tx_program_words(program, TX_SECTION_INIT)[i];
        struct tx_decoded d;
        if (tx_insn_id_of(tx_program_arch(program), word) == TX_INSN_SFPCONFIG &&
            tx_decode(tx_program_arch(program), word, &d) == TX_OK) {
            set |= 1U << (tx_row_field(d.row, TX_FLD_VD, word) & 15U);
        }
    }
    return set;
}

/* L12 to L14 that neither .init nor the tile writes, and that no row reads. */
static uint32_t free_constants(const struct reader *r, uint32_t tile_writes)
{
    uint32_t taken = r->written | tile_writes | read_configured(r->body->program);
    for (unsigned i = 0; i < r->body->values; i++) {
        const struct sched_value *v = &r->body->value[i];
        taken |= v->kind == SCHED_CONSTANT && v->reg < 16 ? 1U << v->reg : 0;
    }
    return 0x7000U & ~taken;
}

static bool is_stored(const struct sched_body *b, unsigned reg)
{
    bool stored = false;
    for (unsigned i = 0; i < b->values; i++) {
        const struct sched_value *v = &b->value[i];
        stored = stored || (v->kind == SCHED_CONSTANT && v->reg == reg && v->stored);
    }
    return stored;
}

bool read_settle(struct reader *r, uint32_t tile_writes)
{
    struct sched_body *b = r->body;
    uint32_t high = free_constants(r, tile_writes);
    uint32_t low = 0xFFU & ~(uint32_t)b->constants;
    for (unsigned i = 0; i < b->values; i++) {
        const struct sched_value *v = &b->value[i];
        low &= v->kind == SCHED_CONSTANT && v->reg < 8 ? ~(1U << v->reg) : UINT32_MAX;
    }
    for (unsigned i = 0; i < r->hoisted_count; i++) {
        /* a store cannot name L12 to L14: with such a VD it would be a template */
        const uint32_t from = high != 0 && !is_stored(b, 16 + i) ? high : low;
        if (from == 0) {
            for (unsigned k = 0; k < r->hoisted_count; k++) { /* for another way to read the rows */
                b->hoisted[k] = (struct sched_hoisted){r->hoisted[k], 0};
            }
            b->hoisted_count = r->hoisted_count;
            return sched_refuse(r->why,
                                "there is no register for the constants that its rows load");
        }
        /* L14 and L7 first: .init goes on from the other end */
        const unsigned reg = 31U - (unsigned)__builtin_clz(from);
        high &= ~(1U << reg);
        low &= ~(1U << reg);
        b->hoisted[i] = (struct sched_hoisted){r->hoisted[i], (uint8_t)reg};
        b->hoisted_count = i + 1;
        for (unsigned k = 0; k < b->values; k++) {
            struct sched_value *v = &b->value[k];
            if (v->kind == SCHED_CONSTANT && v->reg == 16 + i) {
                v->reg = (uint8_t)reg;
            }
        }
    }
    return true;
}
