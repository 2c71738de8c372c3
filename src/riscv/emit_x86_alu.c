/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic instructions as machine code of x86-64. */
#include "riscv/emit_x86.h"

#if defined(__x86_64__) && defined(__linux__)

static void two(struct emitter *e, const struct riscv_op *op, unsigned opcode_)
{
    const bool in_place = op->rd == op->rs1 && op->rd != op->rs2 && e->host[op->rd] != NOWHERE;
    const unsigned to = in_place ? e->host[op->rd] : target_of(e, op);
    load_into(e, to, op->rs1);
    with(e, opcode_, to, op->rs2);
    result(e, op, to);
}

static void one(struct emitter *e, const struct riscv_op *op, unsigned which)
{
    const bool in_place = op->rd == op->rs1 && e->host[op->rd] != NOWHERE;
    const unsigned to = in_place ? e->host[op->rd] : target_of(e, op);
    if (op->rs1 == 0 && which == ADD) {
        result_number(e, op, op->imm);
        return;
    }
    load_into(e, to, op->rs1);
    if (op->imm != 0 || which == AND) {
        number(e, which, to, op->imm);
    }
    result(e, op, to);
}

static void by_number(struct emitter *e, const struct riscv_op *op, unsigned which)
{
    load_into(e, AX, op->rs1);
    shift(e, which, AX, op->imm);
    result(e, op, AX);
}

static void by_register(struct emitter *e, const struct riscv_op *op, unsigned which)
{
    load_into(e, CX, op->rs2);
    load_into(e, AX, op->rs1);
    byte(e, 0xD3);
    byte(e, 0xC0 | which << 3 | AX);
    result(e, op, AX);
}

enum { SET_B = 0x0F92, SET_L = 0x0F9C };
static void emit_x86_alu_compare(struct emitter *e, const struct riscv_op *op, unsigned set,
                                 bool immediate)
{
    load_into(e, AX, op->rs1);
    if (immediate) {
        number(e, CMP, AX, op->imm);
    } else {
        with(e, 0x3B, AX, op->rs2);
    }
    opcode(e, set);
    byte(e, 0xC0);
    both(e, 0x0FB6, AX, AX);
    result(e, op, AX);
}

enum { CMOV_B = 0x0F42, CMOV_AE, CMOV_E, CMOV_L = 0x0F4C, CMOV_GE };
static void choose(struct emitter *e, const struct riscv_op *op, unsigned move)
{
    load_into(e, AX, op->rs1);
    with(e, 0x3B, AX, op->rs2);
    with(e, move, AX, op->rs2);
    result(e, op, AX);
}

static void multiply(struct emitter *e, const struct riscv_op *op)
{
    load_into(e, AX, op->rs1);
    if (op->id == RISCV_MUL) {
        with(e, 0x0FAF, AX, op->rs2);
        result(e, op, AX);
        return;
    }
    load_into(e, CX, op->rs2);
    if (op->id == RISCV_MULHSU) {
        byte(e, 0x48), byte(e, 0x63), byte(e, 0xC0);                /* movsxd rax, eax */
        byte(e, 0x48), byte(e, 0x0F), byte(e, 0xAF), byte(e, 0xC1); /* imul rax, rcx */
        byte(e, 0x48), byte(e, 0xC1), byte(e, 0xE8), byte(e, 32);   /* shr rax, 32 */
        result(e, op, AX);
        return;
    }
    byte(e, 0xF7);
    byte(e, op->id == RISCV_MULH ? 0xE9 : 0xE1); /* edx:eax = eax * ecx */
    result(e, op, DX);
}

/* What division by 0 and overflow give is left to the interpreter. */
static void divide(struct emitter *e, const struct riscv_op *op, unsigned index)
{
    const bool is_signed = op->id == RISCV_DIV || op->id == RISCV_REM;
    load_into(e, CX, op->rs2);
    both(e, 0x85, CX, CX);
    leave_if(e, J_E, index);
    if (is_signed) {
        number(e, CMP, CX, 0xFFFFFFFFu);
        leave_if(e, J_E, index);
    }
    load_into(e, AX, op->rs1);
    if (is_signed) {
        byte(e, 0x99);
    } else {
        set_number(e, DX, 0);
    }
    byte(e, 0xF7);
    byte(e, is_signed ? 0xF9 : 0xF1);
    result(e, op, op->id == RISCV_DIV || op->id == RISCV_DIVU ? AX : DX);
}

static void counts(struct emitter *e, const struct riscv_op *op)
{
    const bool leading = op->id == RISCV_CLZ;
    with(e, leading ? 0x0FBD : 0x0FBC, CX, op->rs1); /* bsr, bsf; ZF: all bits are 0 */
    set_number(e, AX, leading ? 63 : 32);
    both(e, CMOV_E, CX, AX);
    if (leading) {
        number(e, XOR, CX, 31);
    }
    result(e, op, CX);
}

/* a op ~b, or ~(a xor b). */
static void inverted(struct emitter *e, const struct riscv_op *op)
{
    load_into(e, AX, op->rs2);
    byte(e, 0xF7), byte(e, 0xD0); /* not eax */
    with(e, op->id == RISCV_ANDN ? 0x23 : op->id == RISCV_ORN ? 0x0B : 0x33, AX, op->rs1);
    result(e, op, AX);
}

static void rest_of_alu(struct emitter *e, const struct riscv_op *op)
{
    switch ((enum riscv_id)op->id) {
    case RISCV_SH1ADD:
    case RISCV_SH2ADD:
    case RISCV_SH3ADD:
        load_into(e, AX, op->rs1);
        shift(e, SHL, AX, 1u + op->id - RISCV_SH1ADD);
        with(e, 0x03, AX, op->rs2);
        break;
    case RISCV_SEXT_B:
    case RISCV_SEXT_H:
        load_into(e, AX, op->rs1);
        both(e, op->id == RISCV_SEXT_B ? 0x0FBE : 0x0FBF, AX, AX);
        break;
    case RISCV_PACK:
        load_into(e, AX, op->rs1);
        both(e, 0x0FB7, AX, AX);
        load_into(e, CX, op->rs2);
        shift(e, SHL, CX, 16);
        both(e, 0x0B, AX, CX);
        break;
    default: /* GREVI by 24: the bytes in reverse */
        load_into(e, AX, op->rs1);
        byte(e, 0x0F), byte(e, 0xC8);
        break;
    }
    result(e, op, AX);
}

void x86_alu(struct emitter *e, const struct riscv_op *op, unsigned index)
{
    if (op->rd == 32) {
        return;
    }
    switch ((enum riscv_id)op->id) {
    case RISCV_LUI:
        result_number(e, op, op->imm);
        return;
    case RISCV_AUIPC:
        result_number(e, op, op->pc + op->imm);
        return;
#define ONE(ID, which)       \
    case RISCV_##ID:         \
        one(e, op, (which)); \
        return;
        ONE(ADDI, ADD)
        ONE(XORI, XOR)
        ONE(ORI, OR)
        ONE(ANDI, AND)
#undef ONE
#define TWO(ID, code)       \
    case RISCV_##ID:        \
        two(e, op, (code)); \
        return;
        TWO(ADD, 0x03)
        TWO(SUB, 0x2B)
        TWO(XOR, 0x33)
        TWO(OR, 0x0B)
        TWO(AND, 0x23)
#undef TWO
#define BY(ID, how, which)   \
    case RISCV_##ID:         \
        how(e, op, (which)); \
        return;
        BY(SLLI, by_number, SHL)
        BY(SRLI, by_number, SHR)
        BY(SRAI, by_number, SAR)
        BY(RORI, by_number, ROR)
        BY(SLL, by_register, SHL)
        BY(SRL, by_register, SHR)
        BY(SRA, by_register, SAR)
        BY(ROL, by_register, ROL)
        BY(ROR, by_register, ROR)
        BY(MIN, choose, CMOV_GE)
        BY(MINU, choose, CMOV_AE)
        BY(MAX, choose, CMOV_L)
        BY(MAXU, choose, CMOV_B)
#undef BY
    case RISCV_SLTI:
    case RISCV_SLTIU:
        emit_x86_alu_compare(e, op, op->id == RISCV_SLTI ? SET_L : SET_B, true);
        return;
    case RISCV_SLT:
    case RISCV_SLTU:
        emit_x86_alu_compare(e, op, op->id == RISCV_SLT ? SET_L : SET_B, false);
        return;
    case RISCV_MUL:
    case RISCV_MULH:
    case RISCV_MULHSU:
    case RISCV_MULHU:
        multiply(e, op);
        return;
    case RISCV_DIV:
    case RISCV_DIVU:
    case RISCV_REM:
    case RISCV_REMU:
        divide(e, op, index);
        return;
    case RISCV_CLZ:
    case RISCV_CTZ:
        counts(e, op);
        return;
    case RISCV_ANDN:
    case RISCV_ORN:
    case RISCV_XNOR:
        inverted(e, op);
        return;
    default:
        rest_of_alu(e, op);
        return;
    }
}

#endif
