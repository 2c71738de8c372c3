/* SPDX-License-Identifier: Apache-2.0 */
/* V of Blackhole's core T2: what its files share. */
#ifndef TX_RISCV_VECTOR_H
#define TX_RISCV_VECTOR_H

#include "riscv/core.h"

enum vector_id {
#define VECTOR(ID, ...) VECTOR_##ID,
#include "isa/riscv_vector.def"
    VECTOR_VSETVLI,
    VECTOR_VSETIVLI,
    VECTOR_VSETVL,
    VECTOR_MEMORY,
    VECTOR_NONE
};

enum vector_category { OPI, OPM, OPF };
enum vector_form { FORM_V = 1, FORM_X = 2, FORM_I = 4 };
enum vector_kind {
    BINARY,
    SHIFT,
    TERNARY,
    COMPARE,
    CARRY,
    CARRY_OUT,
    MERGE,
    NARROW,
    WIDE,
    WIDE_WIDE,
    WIDE_TERNARY,
    REDUCE,
    WIDE_REDUCE,
    GATHER,
    SLIDE_UP,
    SLIDE_DOWN,
    WHOLE,
    TO_X,
    TO_F,
    OF_SCALAR,
    EXTEND,
    MASK_FIRST,
    IOTA,
    COMPRESS,
    MASK,
    CONVERT,
    CONVERT_WIDE,
    CONVERT_NARROW,
    ABSENT
};

struct vector_row {
    const char *name;
    uint8_t category, funct6, forms, kind;
    int8_t vs1;
};
extern const struct vector_row vector_rows[VECTOR_VSETVLI];

/* An instruction under way. */
struct vector {
    struct riscv *c;
    const struct vector_row *row; /* NULL: a load or store */
    uint32_t word;
    enum vector_id id;
    enum vector_form form;
    unsigned vd, vs1, vs2; /* registers; vs1 also is that of x or f, and the immediate */
    bool masked;
    unsigned bytes; /* of an element, SEW / 8 */
    int lmul;       /* logarithm of LMUL, -3 to 3 */
    uint32_t vl, most;
    uint32_t scalar; /* second operand, unless it is a register v */
    bool scalar_bad;
    struct riscv_origin scalar_from;
    /* Of the element being computed. */
    bool bad;
    struct riscv_origin from;
    uint32_t flags;
    bool saturates;
};

enum vector_form vector_form(uint32_t word);

static inline unsigned vector_registers_of(int lmul)
{
    return lmul > 0 ? 1u << lmul : 1u;
}

/* Returns element i of so many bytes of the register group that starts at reg. */
static inline uint64_t vector_get(struct vector *e, unsigned reg, uint32_t i, unsigned bytes)
{
    const uint32_t at = i * bytes;
    const unsigned r = (reg + at / RISCV_VECTOR_BYTES) % 32;
    const unsigned from = at % RISCV_VECTOR_BYTES;
    if (((uint32_t)e->c->s.v_bad[r] >> from & bits_mask(bytes)) != 0) {
        e->bad = true;
        e->from = e->c->s.v_from[r];
    }
    return bytes_get(&e->c->s.v[r][from], bytes);
}

static inline void vector_set(struct vector *e, unsigned reg, uint32_t i, unsigned bytes,
                              uint64_t value)
{
    const uint32_t at = i * bytes;
    const unsigned r = (reg + at / RISCV_VECTOR_BYTES) % 32;
    const unsigned from = at % RISCV_VECTOR_BYTES;
    const uint32_t mask = bits_mask(bytes) << from;
    bytes_put(&e->c->s.v[r][from], (uint32_t)value, bytes);
    e->c->s.v_bad[r] = (uint16_t)((e->c->s.v_bad[r] & ~mask) | (e->bad ? mask : 0u));
    e->c->s.v_from[r] = e->bad ? e->from : e->c->s.v_from[r];
}

static inline bool vector_bit(struct vector *e, unsigned reg, uint32_t i)
{
    return (vector_get(e, reg, i / 8, 1) >> i % 8 & 1u) != 0;
}

static inline void vector_set_bit(struct vector *e, unsigned reg, uint32_t i, bool value)
{
    const uint32_t old = e->c->s.v[reg % 32][i / 8];
    vector_set(e, reg, i / 8, 1, (old & ~(1u << i % 8)) | (uint32_t)value << i % 8);
}

/* Begins an element. Returns whether it is active. */
static inline bool vector_active(struct vector *e, uint32_t i)
{
    e->bad = false;
    return !e->masked || vector_bit(e, 0, i);
}

/* vector_values.c: what the instruction computes of elements, in the low bits of the result */
uint64_t vector_compute(struct vector *e, uint64_t a, uint64_t b, uint64_t d);
/* vector_memory.c */
enum outcome vector_memory(struct vector *e, const struct riscv_op *op);
/* Returns whether vtype is one that the core has, with its parts. */
bool vector_type(uint32_t vtype, unsigned *bytes, int *lmul);

#endif
