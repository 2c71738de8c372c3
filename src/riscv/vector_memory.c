/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads and stores of V: unit stride, strided, indexed, segments, whole registers, masks. An
 * instruction that has to wait goes on at the element that had to (riscv_state.v_at). Source: The
 * RISC-V Instruction Set Manual 20240411 (V 1.0, 7).
 */
#include "riscv/vector.h"

enum { UNIT, INDEXED_UNORDERED, STRIDED, INDEXED_ORDERED };
enum { PLAIN = 0, WHOLE_REGISTERS = 8, MASK_BITS = 11, FAULT_ONLY_FIRST = 16 };

struct transfer {
    unsigned bytes;  /* of an element in memory */
    unsigned index;  /* bytes of an index, 0: none */
    unsigned fields; /* of a segment */
    unsigned group;  /* registers of a field */
    uint32_t count;  /* segments */
    uint32_t base, stride;
    bool store;
};

static unsigned width(uint32_t word)
{
    switch (bits_get(word, 12, 3)) {
    case 0:
        return 1;
    case 5:
        return 2;
    default:
        return 4;
    }
}

static int logarithm(unsigned bytes)
{
    return bytes == 4 ? 2 : bytes == 2 ? 1 : 0;
}

/* Returns whether the instruction is one, with what it moves. */
static bool transfer(const struct vector *e, const struct riscv_op *op, struct transfer *t)
{
    const uint32_t w = e->word;
    const unsigned mop = bits_get(w, 26, 2);
    const unsigned kind = mop == UNIT ? bits_get(w, 20, 5) : PLAIN;
    const bool indexed = mop == INDEXED_UNORDERED || mop == INDEXED_ORDERED;
    *t = (struct transfer){.bytes = indexed ? e->bytes : width(w),
                           .index = indexed ? width(w) : 0,
                           .fields = bits_get(w, 29, 3) + 1,
                           .count = e->vl,
                           .base = e->c->s.x[op->rs1],
                           .store = (w & 0x7Fu) == 0x27u};
    const int scale = e->lmul - logarithm(e->bytes);
    const int lmul = scale + logarithm(t->bytes);
    const int index_lmul = scale + logarithm(t->index);
    t->group = vector_registers_of(lmul);
    if (bits_get(w, 28, 1) != 0) {
        return false;
    }
    if (kind == WHOLE_REGISTERS) {
        const unsigned registers = t->fields;
        t->fields = t->group = 1;
        t->count = registers * RISCV_VECTOR_BYTES / t->bytes;
        t->stride = t->bytes;
        return !e->masked && (registers & (registers - 1)) == 0 && e->vd % registers == 0;
    }
    if (kind == MASK_BITS) {
        t->count = (e->vl + 7) / 8;
        t->group = 1;
        t->stride = 1;
        return !e->masked && t->fields == 1 && t->bytes == 1;
    }
    t->stride = mop == STRIDED ? e->c->s.x[op->rs2] : indexed ? 0 : t->fields * t->bytes;
    const bool index_fits = !indexed || (index_lmul >= -3 && index_lmul <= 3 &&
                                         e->vs2 % vector_registers_of(index_lmul) == 0);
    return (kind == PLAIN || (kind == FAULT_ONLY_FIRST && !t->store)) && lmul >= -3 && lmul <= 3 &&
           e->vd % t->group == 0 && t->group * t->fields <= 8 &&
           e->vd + t->group * t->fields <= 32 && index_fits;
}

static uint32_t address_of(struct vector *e, const struct transfer *t, uint32_t segment,
                           unsigned field)
{
    uint32_t at = t->base + segment * t->stride + field * t->bytes;
    if (t->index != 0) {
        at += (uint32_t)vector_get(e, e->vs2, segment, t->index);
        if (e->bad) {
            core_decides(e->c, e->from, RISCV_FINDING_UNDEF_ADDRESS);
            e->bad = false;
        }
    }
    if (at % t->bytes != 0) {
        core_finding(e->c, RISCV_FINDING_UNALIGNED, at);
    }
    return at & ~(t->bytes - 1u);
}

static enum outcome vector_memory_load(struct vector *e, const struct riscv_op *op,
                                       const struct transfer *t, uint32_t segment, unsigned field)
{
    uint32_t value = 0;
    struct riscv *c = e->c;
    const uint32_t at = address_of(e, t, segment, field);
    const uint16_t before = c->cycles;
    c->float_bad = 0;
    const enum outcome outcome = core_load(c, op, at, t->bytes, &value);
    if (outcome > OUTCOME_TAINTED) {
        return outcome;
    }
    c->cycles = before > c->cycles ? before : c->cycles;
    e->bad = c->float_bad != 0;
    e->from = c->float_from;
    vector_set(e, e->vd + field * t->group, segment, t->bytes, value);
    return OUTCOME_DONE;
}

/*
 * Returns how many elements of a plain store, from one on, leave for L1 as one entry of the queue:
 * those within 16 aligned bytes.
 */
static uint32_t together(const struct vector *e, const struct transfer *t, uint32_t segment)
{
    const uint32_t at = t->base + segment * t->bytes;
    const bool plain = t->fields == 1 && t->index == 0 && t->stride == t->bytes && !e->masked &&
                       e->c->timed && at % t->bytes == 0;
    const uint32_t room = (16 - at % 16) / t->bytes;
    const uint32_t left = t->count - segment;
    if (!plain || at >= e->c->env.l1_size || e->c->env.l1_size - at < 16) {
        return 1;
    }
    return left < room ? left : room;
}

static enum outcome store(struct vector *e, const struct transfer *t, uint32_t segment,
                          unsigned field, uint32_t *done)
{
    struct riscv *c = e->c;
    if (c->timed && c->s.stores == RISCV_STORES) {
        c->s.wait = TX_CORE_WAIT_QUEUE;
        return OUTCOME_AGAIN;
    }
    const uint32_t at = address_of(e, t, segment, field);
    uint32_t count = together(e, t, segment);
    uint8_t bytes[16];
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t value = vector_get(e, e->vd + field * t->group, segment + i, t->bytes);
        bytes_put(&bytes[i * t->bytes], (uint32_t)value, t->bytes);
    }
    count = e->bad ? 1 : count;
    *done = count;
    if (count * t->bytes > 4) {
        core_queue(c, at, 0, count * t->bytes, REGION_L1);
        struct riscv_store *q = &c->s.store[(c->s.store_head + c->s.stores + 3u) % RISCV_STORES];
        for (uint32_t i = 0; i < count * t->bytes; i += 4) {
            const uint32_t left = count * t->bytes - i;
            q->data[i / 4] = bytes_get(&bytes[i], left < 4 ? left : 4);
        }
        return OUTCOME_DONE;
    }
    if (count > 1) {
        *done = 1;
    }
    const enum outcome outcome = core_store(c, at, t->bytes, bytes_get(bytes, t->bytes));
    if (outcome == OUTCOME_DONE && e->bad) {
        core_stored_bad(c, at, t->bytes, 0xFFFFFFFFu >> (32 - 8 * t->bytes), e->from);
    }
    return outcome;
}

enum outcome vector_memory(struct vector *e, const struct riscv_op *op)
{
    struct riscv *c = e->c;
    struct transfer t;
    if (!transfer(e, op, &t)) {
        c->s.v_at = 0;
        core_finding(c, RISCV_FINDING_V_RESERVED, c->s.pc);
        return OUTCOME_DONE;
    }
    for (unsigned i = 0; i < 2; i++) {
        const unsigned reg = i == 0 ? op->rs1 : op->rs2;
        if (c->s.x_bad[reg] != 0) {
            core_decides(c, c->s.x_from[reg], RISCV_FINDING_UNDEF_ADDRESS);
            riscv_given(c, reg);
        }
    }
    while (c->s.v_at < t.count * t.fields) {
        const uint32_t segment = c->s.v_at / t.fields;
        const unsigned field = c->s.v_at % t.fields;
        uint32_t done = 1;
        if (vector_active(e, segment)) {
            e->bad = false; /* where it goes is what counts */
            const enum outcome outcome = t.store ? store(e, &t, segment, field, &done)
                                                 : vector_memory_load(e, op, &t, segment, field);
            if (outcome != OUTCOME_DONE) {
                return outcome;
            }
        }
        c->s.v_at += done;
    }
    const bool split = t.index != 0 || t.stride != t.bytes;
    const uint32_t lines = split ? t.count * t.fields : (t.count * t.bytes + 15) / 16;
    c->extra = (uint16_t)(lines > 1 ? lines - 1 : 0);
    c->s.v_at = 0;
    return OUTCOME_DONE;
}
