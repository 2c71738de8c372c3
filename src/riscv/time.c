/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timing of a core: instruction fetch, operands, branches, the order of loads and stores. All
 * numbers are in isa/riscv_times.def; what is only inferred is marked here. Not modelled: conflicts
 * with other users of L1's banks, Blackhole's data cache (every access misses), and what is not
 * published of its branch predictor.
 */
#include "isa/chip.h"
#include "base/check.h"
#include "riscv/core.h"

static bool wait(struct riscv *c, enum tx_core_wait why)
{
    c->s.wait = (uint8_t)why;
    return false;
}

static inline bool cfg0(const struct riscv *c, unsigned bit)
{
    return CORE_HAS(c, CORES_HAVE_CSRS) && (c->s.csr[CSR_CFG0] >> bit & 1u) != 0;
}

/* ---- fetch ---- */

/*
 * Looks a line up in the instruction cache, and puts it there. With two ways and replacement of the
 * one used less recently, a loop of 4608, 5120, 5632, 6144 bytes misses 1/3, 3/5, 9/11 and all of
 * its lines: 1.083, 1.15, 1.205 and 1.25 cycles per instruction; measured 1.09, 1.15, 1.21, 1.25
 * (mesham/tt-sim 8b031a6).
 */
static bool cached(struct riscv *c, uint32_t line, unsigned sets)
{
    const unsigned set = line % sets;
    uint32_t *ways = c->s.line[set];
    for (unsigned way = 0; way < 2; way++) {
        if (ways[way] == line + 1) {
            c->s.older[set] = (uint8_t)(way ^ 1u);
            return true;
        }
    }
    ways[c->s.older[set] & 1u] = line + 1;
    c->s.older[set] ^= 1u;
    return false;
}

bool time_fetch(struct riscv *c, uint32_t pc)
{
    CHECK(pc % 4 == 0, "instructions are fetched from multiples of four");
    const bool small = CORE_HAS(c, ICACHE_SMALL) && (c->who == RISCV_T1 || c->who == RISCV_NC);
    const uint32_t line = pc / 16;
    uint64_t now10 = 10 * c->s.now;
    if (line == c->s.fetched || pc >= RISCV_IRAM_BASE) {
        return true;
    }
    const bool next = line == c->s.fetched + 1 && !cfg0(c, CFG0_DisIcPrefetch);
    c->s.fetched = line;
    if (cached(c, line, small ? 16 : NUMBER_OF(c->arch, ICACHE_LINES))) {
        c->s.line10 = now10;
        return true;
    }
    const uint64_t arrives = next ? c->s.line10 + core_time(c, small ? TIME_LINE_SMALL : TIME_LINE)
                                  : now10 + 10 * core_time(c, TIME_LINE_FIRST);
    /* A line fetched ahead may have arrived some time ago, but then it is the only one. */
    c->s.line10 = arrives + core_time(c, TIME_LINE) > now10 ? arrives : now10;
    if (arrives <= now10) {
        return true;
    }
    c->s.next = (arrives + 9) / 10;
    c->s.behind = TX_CORE_WAIT_FETCH;
    return wait(c, TX_CORE_WAIT_FETCH);
}

/* ---- branches ---- */

static bool predicts(const struct riscv *c)
{
    return CORE_HAS(c, PREDICTS) && c->predict && !cfg0(c, CFG0_DisBp);
}

/*
 * Wormhole predicts every branch as not taken. Blackhole's predictor learns patterns (alternating
 * branches cost nothing); here, inferred, by two-bit counters indexed by address and the last four
 * branches.
 */
void time_branch(struct riscv *c, const struct riscv_op *op, bool taken)
{
    struct riscv_state *s = &c->s;
    bool foreseen = false;
    if (predicts(c)) {
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

/* Blackhole is assumed to predict that jalr jumps where it did the last time (inferred). */
void time_jalr(struct riscv *c, uint32_t target)
{
    struct riscv_state *s = &c->s;
    const unsigned i = s->pc / 4 % RISCV_TARGETS;
    const bool foreseen = predicts(c) && s->target_pc[i] == s->pc && s->target[i] == target;
    s->target_pc[i] = s->pc;
    s->target[i] = target;
    c->extra = (uint16_t)(core_time(c, foreseen ? TIME_TAKEN : TIME_MISS) - 1);
}

/* ---- order of loads and stores ---- */

static bool drained(const struct riscv *c)
{
    return c->s.stores == 0 && c->s.loaded <= c->s.now;
}

/* Returns whether pmacfg0 or pmacfg1 asks for a fence before every access. */
static bool fenced(const struct riscv *c)
{
    return CORE_HAS(c, CORES_HAVE_CSRS) &&
           ((c->s.csr[CSR_PMACFG0] | c->s.csr[CSR_PMACFG1]) & 1u) != 0;
}

/*
 * Returns whether the load has to wait for that store. In L1, Blackhole compares bytes, Wormhole
 * start addresses only (a hardware bug). Elsewhere order is kept within a region; done checks also
 * stay behind pushes (inferred: LLK's tensix_sync relies on it).
 */
static bool behind(struct riscv *c, const struct riscv_store *q, uint32_t address, unsigned size,
                   unsigned region)
{
    enum {
        DONE_CHECK = REGION_BASE_SYNC + TILE_SYNC_DONE,
        MOP_CHECK = REGION_BASE_SYNC + TILE_SYNC_MOP_DONE
    };
    if (region != REGION_L1) {
        const bool check = region == REGION_SYNC && (address == DONE_CHECK || address == MOP_CHECK);
        return q->region == region || (check && q->region == REGION_PUSH_T);
    }
    const bool overlap =
        q->region == REGION_L1 && address < q->address + q->size && q->address < address + size;
    if (overlap && CORE_HAS(c, LOADS_OVERTAKE) && q->address != address) {
        core_finding(c, RISCV_FINDING_OVERTAKEN, address);
        return false;
    }
    return overlap;
}

bool time_load_passes(struct riscv *c, uint32_t address, unsigned size, unsigned region,
                      unsigned cycles)
{
    const struct riscv_state *s = &c->s;
    if (fenced(c) && !drained(c)) {
        return wait(c, TX_CORE_WAIT_ORDER);
    }
    if (cycles > RISCV_STORES && s->loads[s->loads_at] > s->now) {
        return wait(c, TX_CORE_WAIT_UNIT);
    }
    for (unsigned i = 0; i < s->stores; i++) {
        const struct riscv_store *q = &s->store[(s->store_head + i) % RISCV_STORES];
        if (behind(c, q, address, size, region)) {
            return wait(c, TX_CORE_WAIT_ORDER);
        }
    }
    return true;
}

bool time_atomic_passes(struct riscv *c)
{
    return time_load_passes(c, 0, RISCV_L1_MAX, REGION_L1, core_time(c, TIME_ATOMIC));
}

/*
 * Returns whether a store to L1 may leave. L1 takes one per so many cycles; Blackhole merges stores
 * to the same 16 bytes.
 */
static bool l1_takes(const struct riscv *c, uint32_t address)
{
    const struct riscv_state *s = &c->s;
    const uint64_t since = s->now - s->l1_store;
    return since >= core_time(c, TIME_L1_STORE) || s->l1_store == 0 ||
           (address / 16 == s->l1_line && since <= core_time(c, TIME_L1_MERGE) &&
            !cfg0(c, CFG0_DisStMerge));
}

/* Puts a store into L1, a vector's in aligned pieces of up to a word. */
static void l1_put_queued(struct riscv *c, const struct riscv_store *q)
{
    unsigned done = 0;
    while (done < q->size) {
        const uint32_t at = q->address + done;
        unsigned size = 4;
        while (at % size != 0 || size > q->size - done) {
            size /= 2;
        }
        const uint64_t both = q->data[done / 4] | (uint64_t)q->data[(done / 4 + 1) % 4] << 32;
        core_l1_put(c, at, (uint32_t)(both >> 8 * (done % 4)), size, TX_ORDER_L1_CORE);
        done += size;
    }
}

/* Delivers the oldest store. Returns false if its target does not accept it yet. */
static bool deliver(struct riscv *c, struct riscv_store *q)
{
    struct riscv_state *s = &c->s;
    if (q->region == REGION_L1) {
        if (!l1_takes(c, q->address)) {
            return false;
        }
        l1_put_queued(c, q);
        if (q->bad != 0) {
            core_spoil(c, q->address, q->size, q->bad, q->origin);
        }
        s->l1_store = s->now;
        s->l1_line = q->address / 16;
        return true;
    }
    do {
        const struct riscv_access a = {
            .address = q->address, .value = q->data[0], .size = q->size, .region = q->region};
        const enum riscv_answer answer = c->env.store != NULL ? c->env.store(c, &a) : RISCV_HANG;
        if (answer == RISCV_WAIT) {
            return false;
        }
        if (answer == RISCV_HANG) {
            core_finding(c, RISCV_FINDING_STORE, q->address);
        }
        memmove(&q->data[0], &q->data[1], sizeof q->data - sizeof q->data[0]);
        q->pc += 4; /* words that were gathered stand one behind the other */
    } while (q->words != 0 && --q->words != 0);
    return true;
}

void riscv_deliver(struct riscv *c)
{
    struct riscv_state *s = &c->s;
    struct riscv_store *q = &s->store[s->store_head];
    if (s->stores == 0 || q->from > s->now) {
        return;
    }
    c->leaving = q;
    const bool left = deliver(c, q);
    c->leaving = NULL;
    if (left) {
        s->store_head = (uint8_t)((s->store_head + 1) % RISCV_STORES);
        s->stores--;
    }
}

/* ---- issue ---- */

/* Returns the latency of a division, which depends on the operands. */
static unsigned division(const struct riscv *c, const struct riscv_op *op)
{
    const bool is_signed = op->id == RISCV_DIV || op->id == RISCV_REM;
    const uint32_t a = c->s.x[op->rs1];
    const uint32_t b = c->s.x[op->rs2];
    const uint32_t size = is_signed && (a & SIGN32) != 0 ? 0u - a : a;
    if (b <= 1 || (is_signed && a == SIGN32 && b == 0xFFFFFFFFu)) {
        return core_time(c, TIME_DIV_SPECIAL);
    }
    return core_time(c, size >= 1u << 24 ? TIME_DIV_LONG : TIME_DIV_SHORT);
}

bool time_may_issue(struct riscv *c, const struct riscv_op *op, uint64_t *until)
{
    CHECK(c->timed, "only a core that keeps time waits for its registers");
    struct riscv_state *s = &c->s;
    const uint64_t a = s->ready[op->rs1];
    const uint64_t b = s->ready[op->rs2];
    const uint64_t left = s->retire[s->retire_at];
    *until = a > b ? a : b;
    if (*until > s->now) {
        return wait(c, TX_CORE_WAIT_OPERAND);
    }
    *until = left;
    if (left > s->now) {
        return wait(c, TX_CORE_WAIT_UNIT);
    }
    c->cycles = (uint16_t)core_time(c, TIME_ALU);
    c->extra = 0;
    switch ((enum riscv_class)op->class) {
    case CLASS_DIV:
    case CLASS_MUL:
        *until = s->divider;
        if (s->divider > s->now) {
            return wait(c, TX_CORE_WAIT_UNIT);
        }
        c->cycles = (uint16_t)(op->class == CLASS_DIV ? division(c, op) : core_time(c, TIME_MUL));
        c->extra = (uint16_t)(op->class == CLASS_MUL ? core_time(c, TIME_MUL_ISSUE) - 1 : 0);
        break;
    case CLASS_FLOAT:
    case CLASS_FLOAD:
        *until = float_ready(c, op);
        if (*until > s->now) {
            return wait(c, TX_CORE_WAIT_OPERAND);
        }
        c->cycles = (uint16_t)core_time(c, TIME_FLOAT);
        break;
    case CLASS_VECTOR:
        *until = vector_ready(c, op);
        if (*until > s->now) {
            return wait(c, TX_CORE_WAIT_OPERAND);
        }
        break;
    case CLASS_FSTORE:
        *until = float_ready(c, op);
        if (*until > s->now) {
            return wait(c, TX_CORE_WAIT_OPERAND);
        } /* and then as any store */
        /* fallthrough */
    case CLASS_STORE:
    case CLASS_PUSH:
        *until = 0;
        if (s->stores == RISCV_STORES) {
            return wait(c, TX_CORE_WAIT_QUEUE);
        }
        if (fenced(c) && !drained(c)) {
            return wait(c, TX_CORE_WAIT_ORDER);
        }
        break;
    case CLASS_FENCE:
    case CLASS_CSR:
        *until = s->stores == 0 ? s->loaded : 0;
        if (CORE_HAS(c, FENCE_DRAINS) && !drained(c) &&
            !(op->class == CLASS_CSR && cfg0(c, CFG0_DisCsrSync))) {
            return wait(c, TX_CORE_WAIT_ORDER);
        }
        break;
    default:
        break;
    }
    return true;
}

/* Records the results' times of an instruction that has issued. */
void time_issued(struct riscv *c, const struct riscv_op *op)
{
    CHECK(c->timed, "only a core that keeps time notes what issued");
    struct riscv_state *s = &c->s;
    uint64_t done = s->now + c->cycles;
    s->ready[op->rd] = done;
    if (op->class == CLASS_VECTOR) {
        vector_issued(c, op, done);
    } else if (op->class == CLASS_FLOAT || op->class == CLASS_FLOAD) {
        float_issued(c, op, done);
    }
    const bool vector_load = op->class == CLASS_VECTOR && (op->word & 0x7Fu) == 0x07u;
    if (op->class == CLASS_LOAD || op->class == CLASS_AMO || op->class == CLASS_FLOAD ||
        vector_load) {
        s->loaded = done > s->loaded ? done : s->loaded;
        if (c->cycles > RISCV_STORES) {
            s->loads[s->loads_at] = done - 1;
            s->loads_at = (uint8_t)((s->loads_at + 1) % RISCV_STORES);
        }
    } else if (op->class == CLASS_DIV) {
        s->divider = done;
    }
    const uint64_t last = s->retire[(s->retire_at + 7) % 8];
    s->retire[s->retire_at] = done > last ? done : last;
    s->retire_at = (uint8_t)((s->retire_at + 1) % 8);
    s->ready[0] = s->ready[32] = 0;
    s->next = s->now + 1 + c->extra;
    s->behind = op->class == CLASS_MUL ? TX_CORE_WAIT_UNIT : TX_CORE_WAIT_BRANCH;
}
