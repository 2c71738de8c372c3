/* SPDX-License-Identifier: Apache-2.0 */
/* Control and status registers, which only Blackhole has. */
#include "riscv/core.h"
#include "base/check.h"

enum kind {
    STORE,
    FIXED,
    INHIBIT,
    EVENT,
    CYCLE,
    CYCLEH,
    INSTRET,
    INSTRETH,
    STATUS,
    STREAM,
    VECTOR,
    VECTOR_FIXED
};

static const struct {
    uint16_t number;
    uint8_t kind;
    uint32_t reset;
} csrs[CSR_COUNT] = {
#define CSR(ID, name_, number_, kind_, reset_) {number_, kind_, reset_},
#include "isa/riscv_csrs.def"
};

/* The user's numbers of the counters: c00 is an alias of b00 and so on, and as writable. */
enum { USER_COUNTERS = 0xC00, MACHINE_COUNTERS = 0xB00, COUNTER_NUMBERS = 0x85 };

/* Returns the index of a CSR that this core has, or CSR_COUNT. */
static unsigned csr_find(const struct riscv *c, uint32_t number)
{
    const uint32_t counter = number - USER_COUNTERS;
    if (counter < COUNTER_NUMBERS && (counter & 0x7Fu) <= 4) {
        number = MACHINE_COUNTERS + counter;
    }
    for (unsigned i = 0; i < CSR_COUNT; i++) {
        if (csrs[i].number == number) {
            const bool vector = csrs[i].kind == VECTOR || csrs[i].kind == VECTOR_FIXED;
            return vector && c->who != RISCV_T2 ? CSR_COUNT : i;
        }
    }
    return CSR_COUNT;
}

void csr_reset(struct riscv *c)
{
    for (unsigned i = 0; i < CSR_COUNT; i++) {
        c->s.csr[i] = csrs[i].reset;
    }
    c->s.cycle_base = c->s.now;
    c->s.instret_base = c->s.instret;
}

/* ---- counters: base is what must be subtracted, or, while inhibited, the value itself ---- */

enum { INHIBIT_CYCLE = 0, INHIBIT_INSTRET = 2 };

static uint64_t counter(const struct riscv *c, bool instret)
{
    const uint64_t base = instret ? c->s.instret_base : c->s.cycle_base;
    const bool still =
        (c->s.csr[CSR_MCOUNTINHIBIT] >> (instret ? INHIBIT_INSTRET : INHIBIT_CYCLE) & 1u) != 0;
    return still ? base : (instret ? c->s.instret : c->s.now) - base;
}

static void counter_set(struct riscv *c, bool instret, uint64_t value)
{
    const bool still =
        (c->s.csr[CSR_MCOUNTINHIBIT] >> (instret ? INHIBIT_INSTRET : INHIBIT_CYCLE) & 1u) != 0;
    const uint64_t base = still ? value : (instret ? c->s.instret : c->s.now) - value;
    if (instret) {
        c->s.instret_base = base;
    } else {
        c->s.cycle_base = base;
    }
}

static void inhibit(struct riscv *c, uint32_t value)
{
    const uint64_t cycles = counter(c, false);
    const uint64_t instructions = counter(c, true);
    c->s.csr[CSR_MCOUNTINHIBIT] = value;
    counter_set(c, false, cycles);
    counter_set(c, true, instructions);
}

/* ---- access ---- */

static uint32_t read(struct riscv *c, unsigned id)
{
    CHECK(id < CSR_COUNT, "a CSR that is read is one of the core's");
    switch ((enum kind)csrs[id].kind) {
    case CYCLE:
    case INSTRET:
        return (uint32_t)counter(c, csrs[id].kind == INSTRET);
    case CYCLEH:
    case INSTRETH:
        return (uint32_t)(counter(c, csrs[id].kind == INSTRETH) >> 32);
    case STATUS:
        return c->env.status != NULL ? c->env.status(c, (enum riscv_csr_id)id) : 0;
    case STREAM:
        if (riscv_is_t(c->who)) {
            core_finding(c, RISCV_FINDING_CSR_PART, csrs[id].number);
        }
        return c->s.csr[id];
    case STORE:
    case FIXED:
    case INHIBIT:
    case EVENT:
    case VECTOR:
    case VECTOR_FIXED:
        break;
    }
    return c->s.csr[id];
}

static void write(struct riscv *c, unsigned id, uint32_t value)
{
    CHECK(id < CSR_COUNT, "a CSR that is written is one of the core's");
    const enum kind kind = (enum kind)csrs[id].kind;
    const bool instret = kind == INSTRET || kind == INSTRETH;
    switch (kind) {
    case CYCLE:
    case INSTRET:
        counter_set(c, instret, (counter(c, instret) >> 32) << 32 | value);
        return;
    case CYCLEH:
    case INSTRETH:
        counter_set(c, instret, (uint32_t)counter(c, instret) | (uint64_t)value << 32);
        return;
    case INHIBIT:
        inhibit(c, value);
        return;
    case FIXED:
    case VECTOR_FIXED:
    case STATUS:
        core_finding(c, RISCV_FINDING_CSR_WRITE, csrs[id].number);
        return;
    case EVENT: /* the countable events are not published */
        if (value != 0) {
            core_finding(c, RISCV_FINDING_CSR_PART, csrs[id].number);
        }
        break;
    case STREAM:
    case STORE:
    case VECTOR:
        break;
    }
    c->s.csr[id] = value;
}

uint32_t riscv_csr_get(struct riscv *c, enum riscv_csr_id id)
{
    return read(c, id);
}

void riscv_csr_set(struct riscv *c, enum riscv_csr_id id, uint32_t value)
{
    riscv_stir(c);
    write(c, id, value);
}

const struct riscv_csr_info *riscv_csr_info(enum riscv_csr_id id)
{
    static const struct riscv_csr_info infos[CSR_COUNT] = {
#define CSR(ID, name_, number_, kind_, reset_)                     \
    {name_, number_, (kind_) == VECTOR || (kind_) == VECTOR_FIXED, \
     (kind_) == FIXED || (kind_) == VECTOR_FIXED || (kind_) == STATUS},
#include "isa/riscv_csrs.def"
    };
    return &infos[id];
}

/*
 * Executes a CSR instruction. rs1 is the number of the register, or the five-bit immediate itself.
 */
void csr_access(struct riscv *c, const struct riscv_op *op)
{
    c->changes++;
    const bool immediate =
        op->id == RISCV_CSRRWI || op->id == RISCV_CSRRSI || op->id == RISCV_CSRRCI;
    const bool swap = op->id == RISCV_CSRRW || op->id == RISCV_CSRRWI;
    const bool set = op->id == RISCV_CSRRS || op->id == RISCV_CSRRSI;
    const uint32_t operand = immediate ? op->rs1 : c->s.x[op->rs1];
    const unsigned id = csr_find(c, op->imm);
    if (id == CSR_COUNT) {
        core_finding(c, RISCV_FINDING_CSR, op->imm);
        c->s.x[op->rd] = 0;
        return;
    }
    const uint32_t old = swap && op->rd == 32 ? 0 : read(c, id);
    if ((swap || op->rs1 != 0) && c->s.handling != 0) {
        core_finding(c, RISCV_FINDING_CSR_HANDLER, op->imm);
    } else if (swap || op->rs1 != 0) {
        write(c, id, swap ? operand : set ? old | operand : old & ~operand);
    }
    c->s.x[op->rd] = old;
}
