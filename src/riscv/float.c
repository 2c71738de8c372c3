/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The F and Zfh instructions of Blackhole's cores: registers, boxes, rounding, undefined values.
 * Rounding is to nearest whatever the instruction and fcsr ask for; a finding says so where another
 * result was asked for. Source: isa BabyRISCV/InstructionSet and CSRs (jasondavies e739ac0).
 */
#include "riscv/float.h"
#include "base/check.h"
#include "riscv/core.h"

/* What an instruction works with. */
struct operands {
    struct fp_format format;
    enum fp_rounding mode;
    uint32_t a, b, d;
    uint32_t flags;
    bool bad; /* an operand has undefined bits */
    struct riscv_origin from;
};

static bool is_half(const struct riscv_op *op)
{
    switch ((enum riscv_id)op->id) {
    case RISCV_FLH:
    case RISCV_FSH:
        return true;
    case RISCV_FCVT_S_H:
    case RISCV_FLW:
    case RISCV_FSW:
        return false;
    default:
        return bits_get(op->word, 25, 2) == 2;
    }
}

static bool bfloat(const struct riscv *c)
{
    return (c->s.csr[CSR_CFG0] >> CFG0_EnBFloat & 1u) != 0;
}

static struct fp_format half_of(const struct riscv *c)
{
    return bfloat(c) ? FP_BF16 : FP_16;
}

/* BF16 is the only format with a mode of its own, and it is in cfg0. */
static enum fp_rounding mode_of(const struct riscv *c, struct fp_format f)
{
    const bool nearest = (c->s.csr[CSR_CFG0] >> CFG0_EnBFloatRTNE & 1u) != 0;
    return f.fraction == FP_BF16.fraction && !nearest ? FP_RTZ : FP_RNE;
}

/* Returns the value of a register; a half that is not boxed is NaN. */
static uint32_t read(const struct riscv *c, struct operands *o, unsigned reg, struct fp_format f)
{
    CHECK(reg < 32, "a floating-point register is one of 32");
    const uint32_t value = c->s.f[reg];
    if (c->s.f_bad[reg] != 0) {
        o->bad = true;
        o->from = c->s.f_from[reg];
    }
    if (f.fraction == FP_32.fraction) {
        return value;
    }
    return value >> 16 == 0xFFFFu ? value & 0xFFFFu : fp_nan(f);
}

static void write(struct riscv *c, unsigned reg, struct fp_format f, uint32_t value, uint32_t bad,
                  struct riscv_origin from)
{
    CHECK(reg < 32, "a floating-point result goes to one of 32 registers");
    c->s.f[reg] = f.fraction == FP_32.fraction ? value : 0xFFFF0000u | value;
    c->s.f_bad[reg] = bad;
    c->s.f_from[reg] = from;
}

/* ---- loads and stores ---- */

static enum outcome float_load(struct riscv *c, const struct riscv_op *op)
{
    const unsigned size = is_half(op) ? 2 : 4;
    const uint32_t address = c->s.x[op->rs1] + op->imm;
    uint32_t value = 0;
    c->float_bad = 0;
    const enum outcome outcome = core_load(c, op, address & ~(size - 1u), size, &value);
    if ((address & (size - 1u)) != 0 && outcome != OUTCOME_AGAIN) {
        core_finding(c, RISCV_FINDING_UNALIGNED, address);
    }
    if (outcome > OUTCOME_TAINTED) {
        return outcome;
    }
    write(c, bits_get(op->word, 7, 5), size == 2 ? FP_16 : FP_32, value, c->float_bad,
          c->float_from);
    return OUTCOME_DONE; /* no register x is undefined */
}

static enum outcome store(struct riscv *c, const struct riscv_op *op)
{
    const unsigned size = is_half(op) ? 2 : 4;
    const unsigned reg = bits_get(op->word, 20, 5);
    const uint32_t address = c->s.x[op->rs1] + op->imm;
    const uint32_t bad = c->s.f_bad[reg] & bits_mask(8 * size);
    const enum outcome outcome = core_store(c, address, size, c->s.f[reg] & bits_mask(8 * size));
    if (outcome == OUTCOME_DONE && bad != 0) {
        core_stored_bad(c, address & ~(size - 1u), size, bad, c->s.f_from[reg]);
    }
    return outcome;
}

/* ---- arithmetic ---- */

/* Returns the result of an instruction that puts a value into a register f. */
static uint32_t computed(const struct riscv_op *op, struct operands *o)
{
    const struct fp_format f = o->format;
    const uint32_t sign = fp_sign(f);
    switch ((enum riscv_id)op->id) {
#define CASE(ID)         \
    case RISCV_##ID##_S: \
    case RISCV_##ID##_H
        CASE(FADD) : return float_add(f, o->a, o->b, o->mode, &o->flags);
        CASE(FSUB) : return float_add(f, o->a, o->b ^ sign, o->mode, &o->flags);
        CASE(FMUL) : return float_mul(f, o->a, o->b, o->mode, &o->flags);
        CASE(FMADD) : return float_fma(f, o->a, o->b, o->d, o->mode, &o->flags);
        CASE(FMSUB) : return float_fma(f, o->a, o->b, o->d ^ sign, o->mode, &o->flags);
        CASE(FNMSUB) : return float_fma(f, o->a ^ sign, o->b, o->d, o->mode, &o->flags);
        CASE(FNMADD) : return float_fma(f, o->a ^ sign, o->b, o->d ^ sign, o->mode, &o->flags);
        CASE(FSGNJ) : return (o->a & ~sign) | (o->b & sign);
        CASE(FSGNJN) : return (o->a & ~sign) | (~o->b & sign);
        CASE(FSGNJX) : return o->a ^ (o->b & sign);
        CASE(FMIN) : return float_least(f, o->a, o->b, false, &o->flags);
        CASE(FMAX) : return float_least(f, o->a, o->b, true, &o->flags);
    default:
        return 0;
    }
}

/* Returns the result of an instruction that puts a number into a register x. */
static uint32_t counted(const struct riscv_op *op, struct operands *o)
{
    const struct fp_format f = o->format;
    switch ((enum riscv_id)op->id) {
        CASE(FEQ) : return float_compares(f, FLOAT_EQ, o->a, o->b, &o->flags) ? 1 : 0;
        CASE(FLT) : return float_compares(f, FLOAT_LT, o->a, o->b, &o->flags) ? 1 : 0;
        CASE(FLE) : return float_compares(f, FLOAT_LE, o->a, o->b, &o->flags) ? 1 : 0;
        CASE(FCLASS) : return float_class(f, o->a);
        CASE(FCVT_W) : return float_to_integer(f, o->a, true, 32, FP_RNE, &o->flags);
        CASE(FCVT_WU) : return float_to_integer(f, o->a, false, 32, FP_RNE, &o->flags);
    default:
        return 0;
    }
}

/* Says that another rounding was asked for, where that gives another result. */
static void rounded(struct riscv *c, const struct riscv_op *op, const struct operands *o,
                    uint32_t result, bool to_x)
{
    const uint32_t rm = bits_get(op->word, 12, 3);
    const uint32_t asked = rm == 7 ? c->s.csr[CSR_FCSR] >> 5 & 7u : rm;
    if ((o->flags & (FP_INEXACT | FP_INVALID)) != FP_INEXACT || asked == FP_RNE || asked > FP_RMM ||
        o->mode != FP_RNE) {
        return;
    }
    struct operands other = *o;
    other.mode = (enum fp_rounding)asked;
    const bool is_signed = op->id == RISCV_FCVT_W_S || op->id == RISCV_FCVT_W_H;
    const uint32_t wanted =
        to_x ? float_to_integer(o->format, o->a, is_signed, 32, other.mode, &other.flags)
             : computed(op, &other);
    if (wanted != result) {
        core_finding(c, RISCV_FINDING_ROUNDING, c->s.pc);
    }
}

static enum outcome to_x(struct riscv *c, const struct riscv_op *op, struct operands *o)
{
    uint32_t value;
    uint32_t bad = o->bad ? 0xFFFFFFFFu : 0;
    const unsigned reg = bits_get(op->word, 15, 5);
    if (op->id == RISCV_FMV_X_S || op->id == RISCV_FMV_X_H) {
        const bool half = op->id == RISCV_FMV_X_H;
        value = half ? (uint32_t)bits_sext(c->s.f[reg], 16) : c->s.f[reg];
        bad = half ? (uint32_t)bits_sext(c->s.f_bad[reg], 16) : c->s.f_bad[reg];
    } else {
        value = counted(op, o);
        if ((op->word & 0xF8000000u) == 0xC0000000u) { /* fcvt.w, fcvt.wu */
            rounded(c, op, o, value, true);
        }
    }
    c->s.x[op->rd] = value;
    if (bad != 0) {
        core_given(c, op->rd, bad, o->from);
        return op->rd < 32 ? OUTCOME_TAINTED : OUTCOME_DONE;
    }
    return OUTCOME_DONE;
}

static void of_x(struct riscv *c, const struct riscv_op *op, struct operands *o, unsigned reg)
{
    const uint32_t x = c->s.x[op->rs1];
    const uint32_t x_bad = c->s.x_bad[op->rs1];
    const struct riscv_origin from = c->s.x_from[op->rs1];
    if (op->id == RISCV_FMV_S_X || op->id == RISCV_FMV_H_X) {
        const uint32_t mask = op->id == RISCV_FMV_H_X ? 0xFFFFu : 0xFFFFFFFFu;
        write(c, reg, o->format, x & mask, x_bad & mask, from);
        return;
    }
    const bool is_signed = op->id == RISCV_FCVT_S_W || op->id == RISCV_FCVT_H_W;
    const uint32_t value = float_of_integer(o->format, x, is_signed, o->mode, &o->flags);
    write(c, reg, o->format, value, x_bad != 0 ? 0xFFFFFFFFu : 0, from);
}

enum outcome float_execute(struct riscv *c, const struct riscv_op *op)
{
    c->changes++; /* a loop may count in registers that beat.c does not look at */
    if (op->class == CLASS_FLOAD) {
        return float_load(c, op);
    }
    if (op->class == CLASS_FSTORE) {
        return store(c, op);
    }
    const uint32_t word = op->word;
    const unsigned reg = bits_get(word, 7, 5);
    const struct fp_format format = is_half(op) ? half_of(c) : FP_32;
    struct operands o = {.format = format, .mode = mode_of(c, format)};
    const bool from_x = op->id == RISCV_FMV_S_X || op->id == RISCV_FMV_H_X ||
                        (word >> 27 == 0x1Au && (word & 0x7Fu) == 0x53u); /* fcvt.s.w and so on */
    const bool fused = (word & 0x7Fu) != 0x53u;
    switch ((enum riscv_id)op->id) {
        CASE(FDIV) : CASE(FSQRT) : core_finding(c, RISCV_FINDING_NO_FDIV, c->s.pc);
        return OUTCOME_DONE;
    case RISCV_FCVT_S_H:
    case RISCV_FCVT_H_S: {
        const struct fp_format source = op->id == RISCV_FCVT_S_H ? half_of(c) : FP_32;
        const uint32_t value = float_convert(
            format, source, read(c, &o, bits_get(word, 15, 5), source), o.mode, &o.flags);
        write(c, reg, format, value, o.bad ? 0xFFFFFFFFu : 0, o.from);
        c->s.csr[CSR_FCSR] |= o.flags;
        return OUTCOME_DONE;
    }
    default:
        break;
    }
    enum outcome outcome = OUTCOME_DONE;
    if (from_x) {
        of_x(c, op, &o, reg);
    } else {
        o.a = read(c, &o, bits_get(word, 15, 5), format);
        const bool second = (word >> 30 & 1u) == 0; /* no conversion, fclass or fmv */
        o.b = fused || second ? read(c, &o, bits_get(word, 20, 5), format) : 0;
        o.d = fused ? read(c, &o, word >> 27, format) : 0;
        const bool counts = !fused && (word >> 31) != 0; /* compares, fclass, fcvt.w, fmv.x */
        if (counts) {
            outcome = to_x(c, op, &o);
        } else {
            const uint32_t value = computed(op, &o);
            write(c, reg, format, value, o.bad ? 0xFFFFFFFFu : 0, o.from);
            rounded(c, op, &o, value, false);
        }
    }
    c->s.csr[CSR_FCSR] |= o.flags;
    return outcome;
}

/* ---- time ---- */

uint64_t float_ready(const struct riscv *c, const struct riscv_op *op)
{
    const uint32_t word = op->word;
    const uint64_t *ready = c->s.f_ready;
    const bool fused = (word & 0x7Fu) != 0x53u;
    const bool second = fused || (word >> 30 & 1u) == 0;
    const uint64_t a = ready[bits_get(word, 15, 5)];
    const uint64_t b = second ? ready[bits_get(word, 20, 5)] : 0;
    const uint64_t d = fused ? ready[word >> 27] : 0;
    if (op->class == CLASS_FLOAD || op->rs1 != 0) {
        return op->class == CLASS_FSTORE ? ready[bits_get(word, 20, 5)] : 0;
    }
    if (op->class == CLASS_FSTORE) {
        return ready[bits_get(word, 20, 5)];
    }
    return a > b ? (a > d ? a : d) : (b > d ? b : d);
}

void float_issued(struct riscv *c, const struct riscv_op *op, uint64_t done)
{
    if (op->class != CLASS_FSTORE && op->rd == 32) {
        c->s.f_ready[bits_get(op->word, 7, 5)] = done;
    }
}
