/* SPDX-License-Identifier: Apache-2.0 */
/*
 * V of Blackhole's core T2: 32 registers of 16 bytes, elements of up to 32 bits. Elements beyond vl
 * and those a mask leaves out stay as they are, whatever vta and vma say; vstart is always 0.
 * Source: isa BabyRISCV/InstructionSet (jasondavies e739ac0) for what the core has and lacks; The
 * RISC-V Instruction Set Manual 20240411 (V 1.0) for what it does; evidence entry TL-29.
 */
#include "riscv/vector.h"
#include "base/check.h"

const struct vector_row vector_rows[VECTOR_VSETVLI] = {
#define VECTOR(ID, name_, category_, funct6_, forms_, kind_, vs1_) \
    {name_, category_, funct6_, forms_, kind_, vs1_},
#include "isa/riscv_vector.def"
};

/* ---- decoding ---- */

enum { OPCODE_V = 0x57, OPIVV = 0, OPFVV, OPMVV, OPIVI, OPIVX, OPFVF, OPMVX, OPCFG };

uint32_t vector_find(uint32_t word)
{
    static const uint8_t categories[7] = {OPI, OPF, OPM, OPI, OPI, OPF, OPM};
    static const uint8_t forms[7] = {FORM_V, FORM_V, FORM_V, FORM_I, FORM_X, FORM_X, FORM_X};
    const unsigned funct3 = bits_get(word, 12, 3);
    if ((word & 0x7Fu) != OPCODE_V) {
        return VECTOR_MEMORY;
    }
    if (funct3 == OPCFG) {
        return (word >> 31) == 0            ? VECTOR_VSETVLI
               : (word >> 30) == 3          ? VECTOR_VSETIVLI
               : bits_get(word, 25, 6) == 0 ? VECTOR_VSETVL
                                            : VECTOR_NONE;
    }
    for (unsigned i = 0; i < VECTOR_VSETVLI; i++) {
        const struct vector_row *row = &vector_rows[i];
        if (row->funct6 == word >> 26 && row->category == categories[funct3] &&
            (row->forms & forms[funct3]) != 0 &&
            (row->vs1 < 0 || row->vs1 == (int)bits_get(word, 15, 5))) {
            return i;
        }
    }
    return VECTOR_NONE;
}

enum vector_form vector_form(uint32_t word)
{
    const unsigned funct3 = bits_get(word, 12, 3);
    return funct3 == OPIVI ? FORM_I : funct3 >= OPIVX ? FORM_X : FORM_V;
}

void vector_registers(uint32_t word, bool *writes, bool *first, bool *second)
{
    const uint32_t id = vector_find(word);
    const unsigned funct3 = bits_get(word, 12, 3);
    *writes = (id >= VECTOR_VSETVLI && id <= VECTOR_VSETVL) ||
              (id < VECTOR_VSETVLI && vector_rows[id].kind == TO_X);
    *first = id == VECTOR_MEMORY || id == VECTOR_VSETVLI || id == VECTOR_VSETVL ||
             (id < VECTOR_VSETVLI && (funct3 == OPIVX || funct3 == OPMVX));
    *second = id == VECTOR_VSETVL || (id == VECTOR_MEMORY && bits_get(word, 26, 2) == 2);
}

/* ---- vl and vtype ---- */

bool vector_type(uint32_t vtype, unsigned *bytes, int *lmul)
{
    *lmul = bits_sext(vtype, 3);
    *bytes = 1u << bits_get(vtype, 3, 3);
    const int most = 4 + *lmul - (int)bits_get(vtype, 3, 3);
    return bits_get(vtype, 8, 24) == 0 && *bytes <= 4 && *lmul != -4 && most >= 0;
}

/* Returns VLMAX. */
static uint32_t elements_of(int lmul, unsigned bytes)
{
    CHECK(bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8,
          "an element has one, two, four or eight bytes");
    return ((uint32_t)RISCV_VECTOR_BYTES << (lmul + 3)) / 8 / bytes;
}

static enum outcome configure(struct vector *e, const struct riscv_op *op)
{
    struct riscv *c = e->c;
    const uint32_t w = e->word;
    const uint32_t *x = c->s.x;
    const bool immediate = e->id == VECTOR_VSETIVLI;
    const uint32_t vtype = e->id == VECTOR_VSETVL ? x[op->rs2]
                           : immediate            ? bits_get(w, 20, 10)
                                                  : bits_get(w, 20, 11);
    unsigned bytes;
    int lmul;
    if (!vector_type(vtype, &bytes, &lmul)) {
        return core_end(c, RISCV_STOPPED, RISCV_FINDING_V_TYPE, vtype);
    }
    const uint32_t most = elements_of(lmul, bytes);
    uint32_t wanted = immediate ? bits_get(w, 15, 5) : x[op->rs1];
    if (!immediate && bits_get(w, 15, 5) == 0) {
        wanted = op->rd < 32 ? most : c->s.csr[CSR_VL];
    }
    c->s.csr[CSR_VTYPE] = vtype;
    c->s.csr[CSR_VL] = wanted < most ? wanted : most;
    c->s.x[op->rd] = c->s.csr[CSR_VL];
    const bool synchronizes = (c->s.csr[CSR_CFG0] >> CFG0_DisCsrSync & 1u) == 0;
    c->extra = (uint16_t)(synchronizes ? core_time(c, TIME_VSET) - 1 : 0);
    return OUTCOME_DONE;
}

/* ---- register groups ---- */

/* Logarithms of how many registers vd, vs2 and vs1 take; NO_GROUP: one, whatever LMUL is. */
enum { NO_GROUP = -4 };
struct groups {
    int vd, vs2, vs1;
};

static struct groups groups_of(const struct vector *e)
{
    const int l = e->lmul;
    const int one = e->form == FORM_V ? l : NO_GROUP;
    switch ((enum vector_kind)e->row->kind) {
    case COMPARE:
    case CARRY_OUT:
        return (struct groups){NO_GROUP, l, one};
    case NARROW:
        return (struct groups){l, l + 1, one};
    case WIDE:
    case WIDE_TERNARY:
        return (struct groups){l + 1, l, one};
    case WIDE_WIDE:
        return (struct groups){l + 1, l + 1, one};
    case REDUCE:
    case WIDE_REDUCE:
        return (struct groups){NO_GROUP, l, NO_GROUP};
    case GATHER:
        return (struct groups){l, l,
                               e->id == VECTOR_VRGATHEREI16 ? l + 1 - (int)(e->bytes / 2) : one};
    case TO_X:
    case TO_F:
    case OF_SCALAR:
    case MASK_FIRST:
    case MASK:
    case WHOLE:
    case ABSENT:
        return (struct groups){NO_GROUP, NO_GROUP, NO_GROUP};
    case EXTEND:
        return (struct groups){l, l - (e->id <= VECTOR_VSEXT_VF4 ? 2 : 1), NO_GROUP};
    case IOTA:
    case COMPRESS:
        return (struct groups){l, e->row->kind == IOTA ? NO_GROUP : l, NO_GROUP};
    case CONVERT_WIDE:
        return (struct groups){l + 1, l, NO_GROUP};
    case CONVERT_NARROW:
        return (struct groups){l, l + 1, NO_GROUP};
    case CONVERT:
        return (struct groups){l, l, NO_GROUP};
    default:
        return (struct groups){l, l, one};
    }
}

static bool fits(unsigned reg, int group)
{
    CHECK(reg < 32, "a vector register is one of 32");
    return group == NO_GROUP ||
           (group >= -3 && group <= 3 && reg % vector_registers_of(group) == 0);
}

static bool overlaps(unsigned a, int a_group, unsigned b, int b_group)
{
    return a < b + vector_registers_of(b_group) && b < a + vector_registers_of(a_group);
}

/* Returns whether operands overlap in a way that the manual reserves. */
static bool reserved_overlap(const struct vector *e, struct groups g)
{
    const enum vector_kind kind = (enum vector_kind)e->row->kind;
    const bool apart = kind == GATHER || kind == SLIDE_UP || kind == COMPRESS || kind == IOTA ||
                       kind == MASK_FIRST;
    const bool vs2 = e->id != VECTOR_VID_V && overlaps(e->vd, g.vd, e->vs2, g.vs2);
    const bool first = (apart && kind != IOTA && kind != MASK_FIRST && kind != SLIDE_UP &&
                        e->form == FORM_V && overlaps(e->vd, g.vd, e->vs1, g.vs1));
    /* A wider result may overlap the upper end of its source, a narrower one the lower end. */
    const bool wider = g.vd != NO_GROUP && g.vs2 != NO_GROUP && g.vd > g.vs2 && g.vd > 0;
    const unsigned upper =
        wider ? e->vd + vector_registers_of(g.vd) - vector_registers_of(g.vs2) : 0;
    const bool mask = e->masked && g.vd != NO_GROUP && overlaps(e->vd, g.vd, 0, NO_GROUP);
    return (apart && vs2) || first || mask || (wider && vs2 && e->vs2 != upper);
}

/* ---- instructions ---- */

static uint64_t second(struct vector *e, uint32_t i, unsigned bytes)
{
    if (e->form == FORM_V) {
        return vector_get(e, e->vs1, i, bytes);
    }
    if (e->scalar_bad) {
        e->bad = true;
        e->from = e->scalar_from;
    }
    return e->scalar & bits_mask(8 * bytes);
}

/* The kinds that compute element i of the result from elements i. */
static void element(struct vector *e, uint32_t i)
{
    const unsigned n = e->bytes;
    const enum vector_kind kind = (enum vector_kind)e->row->kind;
    const bool wide_a = kind == NARROW || kind == WIDE_WIDE || kind == CONVERT_NARROW;
    const bool wide_d =
        kind == WIDE || kind == WIDE_WIDE || kind == WIDE_TERNARY || kind == CONVERT_WIDE;
    const bool unary = kind == CONVERT || kind == CONVERT_WIDE || kind == CONVERT_NARROW;
    const uint64_t a = vector_get(e, e->vs2, i, wide_a ? 2 * n : n);
    const uint64_t b = unary ? 0 : second(e, i, n);
    const bool adds = kind == TERNARY || kind == WIDE_TERNARY;
    const uint64_t d = adds ? vector_get(e, e->vd, i, wide_d ? 2 * n : n) : 0;
    const uint64_t result = vector_compute(e, a, b, d);
    if (kind == COMPARE) {
        vector_set_bit(e, e->vd, i, result != 0);
    } else {
        vector_set(e, e->vd, i, wide_d ? 2 * n : n, result);
    }
}

static void carry(struct vector *e, uint32_t i)
{
    const bool out = e->row->kind == CARRY_OUT;
    const bool subtracts = e->id == VECTOR_VSBC || e->id == VECTOR_VMSBC;
    e->bad = false;
    const uint64_t in = e->masked && vector_bit(e, 0, i) ? 1 : 0;
    const uint64_t a = vector_get(e, e->vs2, i, e->bytes);
    const uint64_t b = second(e, i, e->bytes);
    const uint64_t result = subtracts ? a - b - in : a + b + in;
    if (out) {
        vector_set_bit(e, e->vd, i, (result >> 8 * e->bytes & 1u) != 0);
    } else {
        vector_set(e, e->vd, i, e->bytes, result);
    }
}

static void merge(struct vector *e, uint32_t i)
{
    e->bad = false;
    const bool b = !e->masked || vector_bit(e, 0, i);
    const uint64_t value = b ? second(e, i, e->bytes) : vector_get(e, e->vs2, i, e->bytes);
    vector_set(e, e->vd, i, e->bytes, value);
}

static void slide(struct vector *e, uint32_t i)
{
    const bool one = (e->row->category != OPI);
    const bool up = e->row->kind == SLIDE_UP;
    const uint32_t by = one ? 1 : e->scalar;
    uint64_t value = 0;
    if (one && i == (up ? 0 : e->vl - 1)) {
        value = second(e, i, e->bytes);
    } else if (up) {
        if (i < by) {
            return;
        }
        value = vector_get(e, e->vs2, i - by, e->bytes);
    } else if (by < e->most - i) {
        value = vector_get(e, e->vs2, i + by, e->bytes);
    }
    vector_set(e, e->vd, i, e->bytes, value);
}

static void gather(struct vector *e, uint32_t i)
{
    const bool wide = e->id == VECTOR_VRGATHEREI16;
    const uint64_t index = e->form == FORM_V ? second(e, i, wide ? 2 : e->bytes) : e->scalar;
    const uint64_t value = index < e->most ? vector_get(e, e->vs2, (uint32_t)index, e->bytes) : 0;
    vector_set(e, e->vd, i, e->bytes, value);
}

static void extend(struct vector *e, uint32_t i)
{
    const unsigned from =
        e->bytes / (e->id == VECTOR_VZEXT_VF4 || e->id == VECTOR_VSEXT_VF4 ? 4 : 2);
    const uint32_t value = (uint32_t)vector_get(e, e->vs2, i, from);
    const bool is_signed = e->id == VECTOR_VSEXT_VF4 || e->id == VECTOR_VSEXT_VF2;
    vector_set(e, e->vd, i, e->bytes, is_signed ? (uint32_t)bits_sext(value, 8 * from) : value);
}

static void reduce(struct vector *e)
{
    const unsigned wide = e->row->kind == WIDE_REDUCE ? 2 * e->bytes : e->bytes;
    bool bad = false;
    struct riscv_origin from = {0, 0};
    e->bad = false;
    uint64_t d = vector_get(e, e->vs1, 0, wide);
    for (uint32_t i = 0; i < e->vl; i++) {
        bad |= e->bad;
        from = e->bad ? e->from : from;
        if (vector_active(e, i)) {
            d = vector_compute(e, vector_get(e, e->vs2, i, e->bytes), 0, d);
            d &= bits_mask(8 * wide);
        }
    }
    e->from = e->bad ? e->from : from;
    e->bad |= bad;
    if (e->vl != 0) {
        vector_set(e, e->vd, 0, wide, d);
    }
    if (e->id == VECTOR_VFREDUSUM && (e->flags & 1u) != 0 && e->vl > 1) {
        core_finding(e->c, RISCV_FINDING_V_ORDER, e->c->s.pc);
    }
}

/* vmsbf, vmsof, vmsif: the bits before the first one, that one, and both. */
static void mask_first(struct vector *e)
{
    bool found = false;
    for (uint32_t i = 0; i < e->vl; i++) {
        if (vector_active(e, i)) {
            const bool bit = vector_bit(e, e->vs2, i);
            const bool now = bit && !found;
            const bool before = !bit && !found;
            vector_set_bit(e, e->vd, i,
                           e->id == VECTOR_VMSBF_M   ? before
                           : e->id == VECTOR_VMSOF_M ? now
                                                     : before || now);
            found |= bit;
        }
    }
}

static void count_up(struct vector *e)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < e->vl; i++) {
        if (vector_active(e, i)) {
            const bool bit = e->id == VECTOR_VIOTA_M && vector_bit(e, e->vs2, i);
            vector_set(e, e->vd, i, e->bytes, e->id == VECTOR_VID_V ? i : count);
            count += bit ? 1 : 0;
        }
    }
}

static void compress(struct vector *e)
{
    uint32_t to = 0;
    for (uint32_t i = 0; i < e->vl; i++) {
        e->bad = false;
        if (vector_bit(e, e->vs1, i)) {
            vector_set(e, e->vd, to++, e->bytes, vector_get(e, e->vs2, i, e->bytes));
        }
    }
}

static enum outcome to_x(struct vector *e, const struct riscv_op *op)
{
    uint32_t value = e->id == VECTOR_VFIRST_M ? 0xFFFFFFFFu : 0;
    bool bad = false;
    e->bad = false;
    if (e->id == VECTOR_VMV_X_S) {
        value = (uint32_t)bits_sext((uint32_t)vector_get(e, e->vs2, 0, e->bytes), 8 * e->bytes);
        bad = e->bad;
    }
    for (uint32_t i = 0; i < e->vl && e->id != VECTOR_VMV_X_S; i++) {
        const bool set = vector_active(e, i) && vector_bit(e, e->vs2, i);
        bad |= e->bad;
        if (set && e->id == VECTOR_VFIRST_M) {
            value = i;
            break;
        }
        value += set ? 1 : 0;
    }
    e->c->s.x[op->rd] = value;
    if (bad && op->rd < 32) {
        core_given(e->c, op->rd, 0xFFFFFFFFu, e->from);
        return OUTCOME_TAINTED;
    }
    return OUTCOME_DONE;
}

static void move(struct vector *e)
{
    struct riscv_state *s = &e->c->s;
    e->bad = false;
    if (e->row->kind == TO_F) {
        s->f[e->vd] = (uint32_t)vector_get(e, e->vs2, 0, 4);
        s->f_bad[e->vd] = e->bad ? 0xFFFFFFFFu : 0;
        s->f_from[e->vd] = e->from;
    } else if (e->row->kind == WHOLE) {
        for (uint32_t i = 0; i < 4 * (e->vs1 + 1u); i++) {
            e->bad = false;
            vector_set(e, e->vd, i, 4, vector_get(e, e->vs2, i, 4));
        }
    } else if (e->vl != 0) { /* OF_SCALAR */
        vector_set(e, e->vd, 0, e->bytes, second(e, 0, e->bytes));
    }
}

static void each(struct vector *e)
{
    for (uint32_t i = 0; i < e->vl; i++) {
        switch ((enum vector_kind)e->row->kind) {
        case CARRY:
        case CARRY_OUT:
            carry(e, i);
            continue;
        case MERGE:
            merge(e, i);
            continue;
        case MASK:
            e->bad = false;
            vector_set_bit(
                e, e->vd, i,
                (vector_compute(e, vector_bit(e, e->vs2, i), vector_bit(e, e->vs1, i), 0) & 1u) !=
                    0);
            continue;
        default:
            break;
        }
        if (!vector_active(e, i)) {
            continue;
        }
        switch ((enum vector_kind)e->row->kind) {
        case SLIDE_UP:
        case SLIDE_DOWN:
            slide(e, i);
            break;
        case GATHER:
            gather(e, i);
            break;
        case EXTEND:
            extend(e, i);
            break;
        default:
            element(e, i);
            break;
        }
    }
}

static enum outcome execute(struct vector *e, const struct riscv_op *op)
{
    switch ((enum vector_kind)e->row->kind) {
    case TO_X:
        return to_x(e, op);
    case TO_F:
    case WHOLE:
    case OF_SCALAR:
        move(e);
        break;
    case REDUCE:
    case WIDE_REDUCE:
        reduce(e);
        break;
    case MASK_FIRST:
        mask_first(e);
        break;
    case IOTA:
        count_up(e);
        break;
    case COMPRESS:
        compress(e);
        break;
    default:
        each(e);
        break;
    }
    e->c->s.csr[CSR_FCSR] |= e->flags;
    e->c->s.csr[CSR_VXSAT] |= e->saturates ? 1u : 0u;
    return OUTCOME_DONE;
}

/* Returns whether the encoding is legal for this vtype. */
static bool legal(const struct vector *e, struct groups g)
{
    const unsigned n = e->bytes;
    const enum vector_kind kind = (enum vector_kind)e->row->kind;
    const bool widens = kind == WIDE || kind == WIDE_WIDE || kind == WIDE_TERNARY ||
                        kind == NARROW || kind == WIDE_REDUCE;
    const bool unmasked = kind == MASK || kind == COMPRESS || kind == WHOLE || kind == OF_SCALAR ||
                          kind == TO_F || e->id == VECTOR_VMV_X_S;
    if (kind == WHOLE) {
        const unsigned count = e->vs1 + 1;
        return !e->masked && (count == 1 || count == 2 || count == 4 || count == 8) &&
               e->vd % count == 0 && e->vs2 % count == 0;
    }
    if (kind == EXTEND && n < (e->id == VECTOR_VZEXT_VF4 || e->id == VECTOR_VSEXT_VF4 ? 4u : 2u)) {
        return false;
    }
    if (kind == CARRY && !e->masked) {
        return false;
    }
    if (kind == MERGE && !e->masked && e->vs2 != 0) {
        return false;
    }
    return fits(e->vd, g.vd) && fits(e->vs2, g.vs2) && (e->form != FORM_V || fits(e->vs1, g.vs1)) &&
           !(widens && n > 2) && !(unmasked && e->masked);
}

/* Returns bytes that elements of a floating-point instruction have to have, 0: any. */
static unsigned float_bytes(const struct vector *e)
{
    if (e->row->category != OPF) {
        return 0;
    }
    return e->row->kind == CONVERT_WIDE || e->row->kind == CONVERT_NARROW ? 2 : 4;
}

static void scalar_of(struct vector *e, const struct riscv_op *op)
{
    struct riscv_state *s = &e->c->s;
    const enum vector_kind kind = (enum vector_kind)e->row->kind;
    const bool is_unsigned =
        kind == SHIFT || kind == NARROW || kind == GATHER || kind == SLIDE_UP || kind == SLIDE_DOWN;
    if (e->form == FORM_I) {
        e->scalar = is_unsigned ? e->vs1 : (uint32_t)bits_sext(e->vs1, 5);
    } else if (e->row->category == OPF) {
        e->scalar = s->f[e->vs1];
        e->scalar_bad = s->f_bad[e->vs1] != 0;
        e->scalar_from = s->f_from[e->vs1];
    } else {
        e->scalar = s->x[op->rs1];
        e->scalar_bad = s->x_bad[op->rs1] != 0;
        e->scalar_from = s->x_from[op->rs1];
    }
}

static bool open(struct vector *e, struct riscv *c, const struct riscv_op *op)
{
    const uint32_t w = op->word;
    *e = (struct vector){.c = c,
                         .id = (enum vector_id)op->imm,
                         .row = op->imm < VECTOR_VSETVLI ? &vector_rows[op->imm] : NULL,
                         .word = w,
                         .form = vector_form(w),
                         .vd = bits_get(w, 7, 5),
                         .vs1 = bits_get(w, 15, 5),
                         .vs2 = bits_get(w, 20, 5),
                         .masked = bits_get(w, 25, 1) == 0};
    const bool valid = vector_type(c->s.csr[CSR_VTYPE], &e->bytes, &e->lmul);
    e->bytes = e->bytes <= 4 ? e->bytes : 4;
    e->most = elements_of(e->lmul < -3 ? -3 : e->lmul, e->bytes);
    e->vl = c->s.csr[CSR_VL] < e->most ? c->s.csr[CSR_VL] : e->most;
    return valid;
}

enum outcome vector_execute(struct riscv *c, const struct riscv_op *op)
{
    c->changes++; /* a loop may count in registers that beat.c does not look at */
    struct vector e;
    const bool valid = open(&e, c, op);
    if (e.id == VECTOR_NONE) {
        core_finding(c, RISCV_FINDING_ILLEGAL, c->s.pc);
        return OUTCOME_DONE;
    }
    if (e.id >= VECTOR_VSETVLI && e.id <= VECTOR_VSETVL) {
        return configure(&e, op);
    }
    if (!valid) {
        return core_end(c, RISCV_STOPPED, RISCV_FINDING_V_TYPE, c->s.csr[CSR_VTYPE]);
    }
    if (e.row == NULL) {
        return vector_memory(&e, op);
    }
    if (e.row->kind == ABSENT) {
        core_finding(c, RISCV_FINDING_V_ABSENT, c->s.pc);
        return OUTCOME_DONE;
    }
    const unsigned floats = float_bytes(&e);
    if (floats != 0 && e.bytes != floats) {
        return core_end(c, RISCV_STOPPED, RISCV_FINDING_V_HALF, c->s.pc);
    }
    const struct groups g = groups_of(&e);
    if (!legal(&e, g)) {
        core_finding(c, RISCV_FINDING_V_RESERVED, c->s.pc);
        return OUTCOME_DONE;
    }
    if (reserved_overlap(&e, g)) {
        core_finding(c, RISCV_FINDING_V_OVERLAP, c->s.pc);
    }
    scalar_of(&e, op);
    const bool split = e.row->kind == GATHER || e.row->kind == COMPRESS;
    c->cycles = (uint16_t)core_time(c, TIME_VECTOR);
    c->extra = (uint16_t)(split && e.vl > 1 ? e.vl - 1
                                            : vector_registers_of(g.vd > g.vs2 ? g.vd : g.vs2) - 1);
    return execute(&e, op);
}

/* ---- time ---- */

static uint64_t latest(const struct riscv *c, unsigned reg, int group, uint64_t so_far)
{
    for (unsigned i = 0; i < vector_registers_of(group); i++) {
        const uint64_t ready = c->s.v_ready[(reg + i) % 32];
        so_far = ready > so_far ? ready : so_far;
    }
    return so_far;
}

static struct groups timed_groups(const struct vector *e)
{
    return e->row == NULL ? (struct groups){e->lmul, NO_GROUP, NO_GROUP} : groups_of(e);
}

uint64_t vector_ready(const struct riscv *c, const struct riscv_op *op)
{
    struct vector e;
    (void)open(&e, (struct riscv *)c, op);
    if (e.id >= VECTOR_VSETVLI && e.id != VECTOR_MEMORY) {
        return 0;
    }
    const struct groups g = timed_groups(&e);
    /* A result's register counts as read, as if elements of it stayed (isa InstructionSet). */
    uint64_t ready = latest(c, e.vd, g.vd, 0);
    ready = latest(c, e.vs2, g.vs2, ready);
    if (e.row != NULL && e.form == FORM_V) {
        ready = latest(c, e.vs1, g.vs1, ready);
    } else if (e.row != NULL && e.row->category == OPF) {
        ready = c->s.f_ready[e.vs1] > ready ? c->s.f_ready[e.vs1] : ready;
    }
    return e.masked ? latest(c, 0, NO_GROUP, ready) : ready;
}

void vector_issued(struct riscv *c, const struct riscv_op *op, uint64_t done)
{
    struct vector e;
    (void)open(&e, c, op);
    const bool store = e.id == VECTOR_MEMORY && (op->word & 0x7Fu) == 0x27u;
    if (store || (e.id >= VECTOR_VSETVLI && e.id != VECTOR_MEMORY) ||
        (e.row != NULL && e.row->kind == TO_X)) {
        return;
    }
    if (e.row != NULL && e.row->kind == TO_F) {
        c->s.f_ready[e.vd] = done;
        return;
    }
    const struct groups g = timed_groups(&e);
    for (unsigned i = 0; i < vector_registers_of(g.vd); i++) {
        c->s.v_ready[(e.vd + i) % 32] = done + i;
    }
}
