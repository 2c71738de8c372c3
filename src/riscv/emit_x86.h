/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words of machine code for x86-64. rbx: the core; r12: instructions left of those asked for; r13:
 * L1; r14: struct code_data; r15: the bits of L1 that was written. rax, rcx and rdx are free within
 * an instruction; the others hold the registers x that the block uses most. Only where a block is
 * left is the core's state complete.
 */
#ifndef TX_RISCV_EMIT_X86_H
#define TX_RISCV_EMIT_X86_H

#include "riscv/translate.h"

enum host { AX, CX, DX, BX, SP, BP, SI, DI, R8, R9, R10, R11, R12, R13, R14, R15, NOWHERE };
enum { HELD = 7 };

/* A jump out of the block, whose code stands behind it. */
enum { OUTS = 8 * CODE_OPS };
struct out {
    uint32_t place;  /* of the jump's displacement */
    uint32_t pc;     /* where it leads */
    uint16_t done;   /* instructions executed by then */
    bool interprets; /* the one at pc is for the interpreter */
};

/* A load or store that turns out to go elsewhere than the last time. */
struct detour {
    uint32_t place, back;
    uint16_t index;
};

struct emitter {
    const struct code_source *from;
    struct riscv_code *code;
    uint8_t *at;
    uint8_t host[33]; /* where a register x is, or NOWHERE: in memory */
    uint32_t changed; /* registers that the block writes */
    struct out out[OUTS];
    unsigned outs;
    struct detour detour[CODE_OPS];
    unsigned detours;
    uint32_t body; /* behind what loads the registers */
};

static inline uint32_t here(const struct emitter *e)
{
    return (uint32_t)(e->at - e->code->code);
}

/* ---- bytes of instructions ---- */

static inline void byte(struct emitter *e, unsigned value)
{
    *e->at++ = (uint8_t)value;
}

static inline void word(struct emitter *e, uint32_t value)
{
    bytes_put(e->at, value, 4);
    e->at += 4;
}

/* A prefix for registers from r8 on; narrow: of a byte, which may be that of rsi. */
static inline void prefix(struct emitter *e, unsigned reg, unsigned index, unsigned base,
                          unsigned narrow)
{
    const unsigned rex = (reg >> 3) << 2 | (index >> 3) << 1 | base >> 3;
    if (rex != 0 || (narrow != 0 && reg >= SP)) {
        byte(e, 0x40 | rex);
    }
}

static inline void opcode(struct emitter *e, unsigned op)
{
    if (op > 0xFF) {
        byte(e, op >> 8);
    }
    byte(e, op & 0xFF);
}

/* op reg, rm: both registers. */
static inline void both(struct emitter *e, unsigned op, unsigned reg, unsigned rm)
{
    prefix(e, reg, 0, rm, 0);
    opcode(e, op);
    byte(e, 0xC0 | (reg & 7) << 3 | (rm & 7));
}

enum { WIDE = 1, NARROW = 2, HALF = 4 }; /* sizes of an access: 8, 1 and 2 bytes */

/* op reg, [base + index + offset]; index NOWHERE: none. */
static inline void memory(struct emitter *e, unsigned op, unsigned reg, unsigned base,
                          unsigned index, uint32_t offset, unsigned how)
{
    const bool near = offset + 128 < 256;
    const unsigned i = index == NOWHERE ? SP : index;
    if ((how & HALF) != 0) {
        byte(e, 0x66);
    }
    if ((how & WIDE) != 0) {
        byte(e, 0x48 | (reg >> 3) << 2 | (i >> 3) << 1 | base >> 3);
    } else {
        prefix(e, reg, i, base, how & NARROW);
    }
    opcode(e, op);
    byte(e, (near ? 0x44 : 0x84) | (reg & 7) << 3);
    byte(e, (i & 7) << 3 | (base & 7));
    if (near) {
        byte(e, offset & 0xFF);
    } else {
        word(e, offset);
    }
}

static inline void core_field(struct emitter *e, unsigned op, unsigned reg, size_t offset)
{
    memory(e, op, reg, BX, NOWHERE, (uint32_t)offset, 0);
}

/* op rm, immediate: add, or, and, sub, xor, cmp by their number. */
enum { ADD, OR, AND = 4, SUB, XOR, CMP };
static inline void number(struct emitter *e, unsigned op, unsigned rm, uint32_t value)
{
    const bool near = value + 128 < 256;
    prefix(e, 0, 0, rm, 0);
    byte(e, near ? 0x83 : 0x81);
    byte(e, 0xC0 | op << 3 | (rm & 7));
    if (near) {
        byte(e, value & 0xFF);
    } else {
        word(e, value);
    }
}

static inline void number_left(struct emitter *e, unsigned op, uint32_t value)
{
    byte(e, 0x49);
    byte(e, 0x81);
    byte(e, 0xC0 | op << 3 | (R12 & 7));
    word(e, value);
}

static inline void set_number(struct emitter *e, unsigned rm, uint32_t value)
{
    if (value == 0) {
        both(e, 0x31, rm, rm);
        return;
    }
    prefix(e, 0, 0, rm, 0);
    byte(e, 0xB8 | (rm & 7));
    word(e, value);
}

enum { SHL = 4, SHR = 5, SAR = 7, ROL = 0, ROR = 1 };
static inline void shift(struct emitter *e, unsigned op, unsigned rm, uint32_t by)
{
    prefix(e, 0, 0, rm, 0);
    byte(e, 0xC1);
    byte(e, 0xC0 | op << 3 | (rm & 7));
    byte(e, by & 31);
}

/* ---- jumps ---- */

enum { J_B = 2, J_AE, J_E, J_NE, J_L = 12, J_GE };

/* A jump if a condition holds; its displacement is to be given by land. */
static inline uint32_t jump_if(struct emitter *e, unsigned condition)
{
    byte(e, 0x0F);
    byte(e, 0x80 | condition);
    word(e, 0);
    return here(e) - 4;
}

static inline uint32_t jump(struct emitter *e)
{
    byte(e, 0xE9);
    word(e, 0);
    return here(e) - 4;
}

static inline void land(struct emitter *e, uint32_t place, uint32_t target)
{
    bytes_put(e->code->code + place, target - (place + 4), 4);
}

static inline void out(struct emitter *e, uint32_t place, uint32_t pc, unsigned done,
                       bool interprets)
{
    e->out[e->outs++] = (struct out){place, pc, (uint16_t)done, interprets};
}

/* The interpreter executes the instruction if the condition holds. */
static inline void leave_if(struct emitter *e, unsigned condition, unsigned index)
{
    out(e, jump_if(e, condition), e->from->op[index].op.pc, index, true);
}

/* ---- registers x ---- */

static inline uint32_t x_offset(unsigned reg)
{
    return 4 * reg;
}
_Static_assert(offsetof(struct riscv, s) == 0 && offsetof(struct riscv_state, x) == 0,
               "registers x are what a core begins with");

static inline void load_into(struct emitter *e, unsigned to, unsigned reg)
{
    if (e->host[reg] != NOWHERE) {
        if (e->host[reg] != to) {
            both(e, 0x8B, to, e->host[reg]);
        }
    } else if (reg == 0) {
        set_number(e, to, 0);
    } else {
        core_field(e, 0x8B, to, x_offset(reg));
    }
}

/* op reg, x. */
static inline void with(struct emitter *e, unsigned op, unsigned reg, unsigned x)
{
    if (e->host[x] != NOWHERE) {
        both(e, op, reg, e->host[x]);
    } else {
        core_field(e, op, reg, x_offset(x));
    }
}

/* Returns where a result is to be computed, if that is not a source. */
static inline unsigned target_of(const struct emitter *e, const struct riscv_op *op)
{
    const unsigned to = e->host[op->rd];
    const bool source = op->rd == op->rs1 || op->rd == op->rs2;
    return to == NOWHERE || source ? AX : to;
}

static inline void result(struct emitter *e, const struct riscv_op *op, unsigned from)
{
    const unsigned to = e->host[op->rd];
    if (to == NOWHERE) {
        core_field(e, 0x89, from, x_offset(op->rd));
    } else if (to != from) {
        both(e, 0x8B, to, from);
    }
}

static inline void result_number(struct emitter *e, const struct riscv_op *op, uint32_t value)
{
    if (op->rd == 32) {
        return;
    }
    if (e->host[op->rd] != NOWHERE) {
        set_number(e, e->host[op->rd], value);
    } else {
        core_field(e, 0xC7, 0, x_offset(op->rd));
        word(e, value);
    }
}

/* emit_x86_alu.c */
void x86_alu(struct emitter *e, const struct riscv_op *op, unsigned index);

#endif
