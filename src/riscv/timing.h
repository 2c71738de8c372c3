/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timing of a core, as far as every instruction needs it: time.c has the rest and says where it
 * is from. These are in a header so that the interpreter's loop has them in place.
 */
#ifndef TX_RISCV_TIMING_H
#define TX_RISCV_TIMING_H

#include "base/check.h"
#include "riscv/core.h"

/* time.c: the rarer parts of the functions below */
bool time_fetch_line(struct riscv *c, uint32_t pc);
bool time_class_may_issue(struct riscv *c, const struct riscv_op *op, uint64_t *until);
void time_class_issued(struct riscv *c, const struct riscv_op *op);

static inline bool time_wait(struct riscv *c, enum tx_core_wait why)
{
    c->s.wait = (uint8_t)why;
    return false;
}

static inline bool time_cfg0(const struct riscv *c, unsigned bit)
{
    return CORE_HAS(c, CORES_HAVE_CSRS) && (c->s.csr[CSR_CFG0] >> bit & 1u) != 0;
}

static inline bool time_drained(const struct riscv *c)
{
    return c->s.stores == 0 && c->s.loaded <= c->s.now;
}

/* Returns whether pmacfg0 or pmacfg1 asks for a fence before every access. */
static inline bool time_fenced(const struct riscv *c)
{
    return CORE_HAS(c, CORES_HAVE_CSRS) &&
           ((c->s.csr[CSR_PMACFG0] | c->s.csr[CSR_PMACFG1]) & 1u) != 0;
}

/* Returns whether the instruction at pc can be fetched now. If not, s.next says when. */
TX_INLINE bool time_fetch(struct riscv *c, uint32_t pc)
{
    return pc / 16 == c->s.fetched || time_fetch_line(c, pc);
}

static inline bool time_predicts(const struct riscv *c)
{
    return CORE_HAS(c, PREDICTS) && c->predict && !time_cfg0(c, CFG0_DisBp);
}

/*
 * Wormhole predicts every branch as not taken. Blackhole's predictor learns patterns (alternating
 * branches cost nothing); here, inferred, by two-bit counters indexed by address and the last four
 * branches.
 */
TX_INLINE void time_branch(struct riscv *c, const struct riscv_op *op, bool taken)
{
    struct riscv_state *s = &c->s;
    bool foreseen = false;
    if (time_predicts(c)) {
        uint8_t *counter = &s->counter[(op->pc / 4 ^ (uint32_t)s->history << 5) % RISCV_COUNTERS];
        foreseen = *counter >= 2;
        if (taken) {
            *counter = (uint8_t)(*counter < 3 ? *counter + 1 : 3);
        } else {
            *counter = (uint8_t)(*counter > 0 ? *counter - 1 : 0);
        }
        s->history = (uint8_t)((s->history << 1 | (taken ? 1 : 0)) & 15);
    }
    if (foreseen != taken) {
        c->extra = (uint16_t)(core_time(c, TIME_MISS) - 1);
    } else if (taken) {
        c->extra = (uint16_t)(core_time(c, TIME_TAKEN) - 1);
    }
}

/*
 * Returns whether the instruction can issue now. If not, *until is a cycle before which it cannot.
 */
TX_INLINE bool time_may_issue(struct riscv *c, const struct riscv_op *op, uint64_t *until)
{
    CHECK(c->timed, "only a core that keeps time waits for its registers");
    struct riscv_state *s = &c->s;
    const uint64_t a = s->ready[op->rs1];
    const uint64_t b = s->ready[op->rs2];
    const uint64_t left = s->retire[s->retire_at];
    *until = a > b ? a : b;
    if (*until > s->now) {
        return time_wait(c, TX_CORE_WAIT_OPERAND);
    }
    *until = left;
    if (left > s->now) {
        return time_wait(c, TX_CORE_WAIT_UNIT);
    }
    c->cycles = (uint16_t)core_time(c, TIME_ALU);
    c->extra = 0;
    const bool plain = op->class == CLASS_ALU || op->class == CLASS_LOAD ||
                       op->class == CLASS_BRANCH || op->class == CLASS_JAL ||
                       op->class == CLASS_JALR;
    return plain || time_class_may_issue(c, op, until);
}

/* A load has its value in that cycle. */
TX_INLINE void time_loaded(struct riscv *c, uint64_t done)
{
    struct riscv_state *s = &c->s;
    s->loaded = done > s->loaded ? done : s->loaded;
    if (c->cycles > RISCV_STORES) {
        s->loads[s->loads_at] = done - 1;
        s->loads_at = (uint8_t)((s->loads_at + 1) % RISCV_STORES);
    }
}

/* Records the results' times of an instruction that has issued. */
TX_INLINE void time_issued(struct riscv *c, const struct riscv_op *op)
{
    CHECK(c->timed, "only a core that keeps time notes what issued");
    struct riscv_state *s = &c->s;
    const uint64_t done = s->now + c->cycles;
    s->ready[op->rd] = done;
    if (op->class == CLASS_LOAD) {
        time_loaded(c, done);
    } else if (op->class == CLASS_DIV || op->class == CLASS_AMO || op->class >= CLASS_FLOAT) {
        time_class_issued(c, op);
    }
    const unsigned at = s->retire_at % 8u;
    const uint64_t last = s->retire[(at + 7) % 8];
    s->retire[at] = done > last ? done : last;
    s->retire_at = (uint8_t)((at + 1) % 8);
    s->ready[0] = s->ready[32] = 0;
    s->next = s->now + 1 + c->extra;
    s->behind = op->class == CLASS_MUL ? TX_CORE_WAIT_UNIT : TX_CORE_WAIT_BRANCH;
}

#endif
