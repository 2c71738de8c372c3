/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values that nobody has defined: what a core has loaded from local memory, or from a register of
 * the coprocessor, that was never written. Registers and local memory have a bit beside each bit.
 * Moving, storing and loading such a value is no finding: compilers save registers that nobody has
 * set, and copy padding. One comes where it decides something: an address, a branch, what a
 * register of the tile gets. It names the place that nobody has written and the load that took it
 * from there. Only instructions that meet such a register come here (riscv_op.uses).
 */
#include "base/defined.h"
#include "base/check.h"
#include "isa/row.h"
#include "riscv/alu.h"
#include "riscv/core.h"

uint32_t riscv_compute(const struct riscv_op *op, uint32_t pc, uint32_t a, uint32_t b)
{
    const uint32_t i = op->imm;
    switch ((enum riscv_id)op->id) {
#define ALU(ID, expression) \
    case RISCV_##ID:        \
        return (uint32_t)(expression);
#include "riscv/alu.def"
    default:
        return 0;
    }
}

/* Of instructions that move each bit to a place of its own, which may be several. */
static uint32_t moved(const struct riscv_op *op, uint32_t pc, struct shadowed a, struct shadowed b)
{
    return riscv_compute(op, pc, a.value & ~a.bad, b.value & ~b.bad) ^
           riscv_compute(op, pc, a.value | a.bad, b.value | b.bad);
}

/* Returns the undefined bits of what an arithmetic instruction computes. */
static uint32_t result_of(const struct riscv_op *op, uint32_t pc, struct shadowed a,
                          struct shadowed b)
{
    const struct shadowed i = {.value = op->imm};
    const struct shadowed not_b = {.value = ~b.value, .bad = b.bad};
    const uint32_t bad = a.bad | b.bad;
    switch ((enum riscv_id)op->id) {
    case RISCV_AND:
        return shadow_and(a, b);
    case RISCV_ANDI:
        return shadow_and(a, i);
    case RISCV_ANDN:
        return shadow_and(a, not_b);
    case RISCV_OR:
        return shadow_or(a, b);
    case RISCV_ORI:
        return shadow_or(a, i);
    case RISCV_ORN:
        return shadow_or(a, not_b);
    case RISCV_XOR:
        return op->rs1 == op->rs2 ? 0 : bad;
    case RISCV_XNOR:
    case RISCV_XORI:
        return bad;
    case RISCV_ADDI:
        return shadow_add(a, i, 0);
    case RISCV_SUB:
        return op->rs1 == op->rs2 ? 0 : shadow_add(a, not_b, 1);
    case RISCV_ADD:
        return shadow_add(a, b, 0);
    case RISCV_MUL:
        return shadow_carry(bad);
    case RISCV_SH1ADD:
    case RISCV_SH2ADD:
    case RISCV_SH3ADD:
        a.value <<= 1 + op->id - RISCV_SH1ADD;
        a.bad <<= 1 + op->id - RISCV_SH1ADD;
        return shadow_add(a, b, 0);
    case RISCV_SLTI:
    case RISCV_SLTIU:
    case RISCV_SLT:
    case RISCV_SLTU:
        return shadow_any(bad, 1);
    case RISCV_SLL:
    case RISCV_SRL:
    case RISCV_SRA:
    case RISCV_ROL:
    case RISCV_ROR:
        return (b.bad & 31u) != 0 ? 0xFFFFFFFFu : moved(op, pc, a, b);
    case RISCV_SLLI:
    case RISCV_SRLI:
    case RISCV_SRAI:
    case RISCV_RORI:
    case RISCV_SEXT_B:
    case RISCV_SEXT_H:
    case RISCV_GREVI:
    case RISCV_PACK:
        return moved(op, pc, a, b);
    default:
        return shadow_any(bad, 0xFFFFFFFFu);
    }
}

/* ---- registers and local memory ---- */

static void set(struct riscv *c, unsigned rd, uint32_t bad, struct riscv_origin from)
{
    CHECK(rd <= 32, "a result goes to a register, or to the one of x0");
    if (rd < 32) {
        c->s.x_bad[rd] = bad;
        c->s.x_from[rd] = from;
        c->s.undefined = (c->s.undefined & ~(1u << rd)) | (uint32_t)(bad != 0) << rd;
    }
}

/* Reports that a register decides something. From then on it counts as defined. */
static void decides(struct riscv *c, unsigned reg, struct riscv_origin from,
                    enum finding_kind finding)
{
    CHECK(reg < 32, "what decides is one of 32 registers");
    c->blame = from;
    core_finding(c, finding, from.address);
    set(c, reg, 0, from);
}

void core_given(struct riscv *c, unsigned reg, uint32_t bad, struct riscv_origin from)
{
    CHECK(reg <= 32, "a register that is given is one of 32, or the place of x0");
    set(c, reg, bad, from);
    c->tainted = bad != 0;
}

void core_decides(struct riscv *c, struct riscv_origin from, enum finding_kind finding)
{
    c->blame = from;
    core_finding(c, finding, from.address);
}

void core_taint(struct riscv *c, const struct riscv_op *op, uint32_t bad, struct riscv_origin from)
{
    if (op->class == CLASS_FLOAD || op->class == CLASS_VECTOR) {
        /* The instruction puts it where it belongs. */
        c->float_bad = bad;
        c->float_from = from;
        return;
    }
    const unsigned bits = op->id == RISCV_LB || op->id == RISCV_LBU   ? 8
                          : op->id == RISCV_LH || op->id == RISCV_LHU ? 16
                                                                      : 32;
    const bool is_signed = op->id == RISCV_LB || op->id == RISCV_LH;
    bad &= bits_mask(bits);
    set(c, op->rd, is_signed ? (uint32_t)bits_sext(bad, bits) : bad, from);
    c->tainted = true;
}

/* Remembers where an undefined value came from that has been stored to local memory. */
static void spill(struct riscv *c, uint32_t address, struct riscv_origin from)
{
    struct riscv_state *s = &c->s;
    unsigned at = s->spilt_at;
    for (unsigned i = 0; i < RISCV_SPILT; i++) {
        at = s->spilt[i].address == address ? i : at;
    }
    s->spilt[at] = (struct riscv_spilt){address, from};
    s->spilt_at = (uint8_t)(at == s->spilt_at ? (at + 1) % RISCV_SPILT : s->spilt_at);
}

void core_local_taint(struct riscv *c, const struct riscv_op *op, uint32_t address, unsigned size)
{
    struct riscv_origin from = {address, c->s.pc};
    for (unsigned i = 0; i < RISCV_SPILT; i++) {
        if (c->s.spilt[i].address == address) {
            from = c->s.spilt[i].from;
        }
    }
    core_taint(c, op, bytes_get(&c->s.ram_bad[address - RISCV_RAM_BASE], size), from);
}

void riscv_local_given(struct riscv *c, uint32_t offset, size_t size)
{
    CHECK(offset + size <= RISCV_RAM_BYTES, "bytes that are given lie in local memory");
    memset(&c->s.ram_bad[offset], 0, size);
}

bool riscv_local_undefined(const struct riscv *c, uint32_t offset, size_t size)
{
    CHECK(offset + size <= RISCV_RAM_BYTES, "bytes that are asked for lie in local memory");
    for (size_t i = 0; i < size; i++) {
        if (c->s.ram_bad[offset + i] != 0) {
            return true;
        }
    }
    return false;
}

void riscv_given(struct riscv *c, unsigned reg)
{
    CHECK(reg <= 32, "a register that is defined now is one of 32, or the place of x0");
    set(c, reg, 0, (struct riscv_origin){0, 0});
}

/* ---- an instruction that meets an undefined register, or writes to one ---- */

void undefined_before(struct riscv *c, const struct riscv_op *op, struct undefined *u)
{
    const struct riscv_state *s = &c->s;
    const struct shadowed a = {s->x[op->rs1], s->x_bad[op->rs1]};
    const struct shadowed b = {s->x[op->rs2], s->x_bad[op->rs2]};
    u->address = a.value + op->imm;
    u->bad = 0;
    u->first = a.bad != 0;
    u->second = b.bad != 0;
    u->from = s->x_from[u->first ? op->rs1 : op->rs2];
    c->tainted = false;
    if (op->class == CLASS_ALU || op->class == CLASS_MUL || op->class == CLASS_DIV) {
        u->bad = result_of(op, s->pc, a, b);
    } else if (op->class == CLASS_STORE) {
        const unsigned size = op->id == RISCV_SB ? 1 : op->id == RISCV_SH ? 2 : 4;
        u->bad = b.bad & bits_mask(8 * size);
        u->size = (uint8_t)size;
        u->address &= ~(size - 1u);
    }
}

void core_stored_bad(struct riscv *c, uint32_t address, unsigned size, uint32_t bad,
                     struct riscv_origin from)
{
    struct riscv_state *s = &c->s;
    const uint32_t local = address - RISCV_RAM_BASE;
    if (local < riscv_ram_size(c->arch, c->who)) {
        bytes_put(&s->ram_bad[local], bad, size);
        spill(c, address, from);
    } else if (address >= c->env.l1_size) {
        core_decides(c, from, RISCV_FINDING_UNDEF_STORE);
    } else if (c->timed) {
        struct riscv_store *q = &s->store[(s->store_head + s->stores + 3u) % RISCV_STORES];
        q->bad = bad;
        q->origin = from;
    } else {
        core_spoil(c, address, size, bad, from);
    }
}

/*
 * Whether an instruction of the coprocessor is pushed that goes by defined bits alone: code that
 * changes some bits of a field of the configuration reads the others from where nobody wrote them.
 */
static bool pushes_well(const struct riscv *c, const struct riscv_op *op, const struct undefined *u)
{
    const uint32_t end =
        c->who == RISCV_B ? (uint32_t)REGION_END_PUSH_B : (uint32_t)REGION_END_PUSH_T;
    return u->address >= REGION_BASE_PUSH_T && u->address < end &&
           (u->bad & ~isa_ignored(c->arch, c->s.x[op->rs2])) == 0;
}

static void stored(struct riscv *c, const struct riscv_op *op, const struct undefined *u)
{
    const bool outside = u->address - RISCV_RAM_BASE >= riscv_ram_size(c->arch, c->who) &&
                         u->address >= c->env.l1_size;
    if (u->bad != 0 && !(outside && pushes_well(c, op, u))) {
        core_stored_bad(c, u->address, u->size, u->bad, c->s.x_from[op->rs2]);
        if (outside) { /* it has decided something: from now on it counts as defined */
            riscv_given(c, op->rs2);
        }
    }
}

void undefined_after(struct riscv *c, const struct riscv_op *op, const struct undefined *u)
{
    const struct riscv_origin second = c->s.x_from[op->rs2];
    switch ((enum riscv_class)op->class) {
    case CLASS_ALU:
    case CLASS_MUL:
    case CLASS_DIV:
        set(c, op->rd, u->bad, u->from);
        return;
    case CLASS_BRANCH:
        if (u->first || u->second) {
            decides(c, u->first ? op->rs1 : op->rs2, u->from, RISCV_FINDING_UNDEF_BRANCH);
        }
        return;
    case CLASS_JALR:
    case CLASS_LOAD:
    case CLASS_STORE:
    case CLASS_AMO:
    case CLASS_FLOAD:
    case CLASS_FSTORE:
        if (op->class == CLASS_STORE) {
            stored(c, op, u);
        }
        if (u->first) { /* register 0: what the load has put there is another value */
            decides(c, c->tainted && op->rd == op->rs1 ? 0 : op->rs1, u->from,
                    RISCV_FINDING_UNDEF_ADDRESS);
        }
        if (op->class == CLASS_AMO && u->second) {
            decides(c, op->rs2, second, RISCV_FINDING_UNDEF_STORE);
        }
        break;
    case CLASS_CSR:
        if (op->id <= RISCV_CSRRC && u->first) {
            decides(c, op->rs1, u->from, RISCV_FINDING_UNDEF_STORE);
        }
        break;
    default:
        break;
    }
    if (!c->tainted) {
        riscv_given(c, op->rd);
    }
}
