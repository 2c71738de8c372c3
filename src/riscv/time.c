/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timing of a core: instruction fetch, operands, branches, the order of loads and stores. All
 * numbers are in isa/riscv_times.def; what is only inferred is marked here. Not modelled: conflicts
 * with other users of L1's banks, Blackhole's data cache (every access misses), and what is not
 * published of its branch predictor.
 */
#include "isa/chip.h"
#include "base/check.h"
#include "riscv/timing.h"

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

bool time_fetch_line(struct riscv *c, uint32_t pc)
{
    CHECK(pc % 4 == 0, "instructions are fetched from multiples of four");
    const bool small = CORE_HAS(c, ICACHE_SMALL) && (c->who == RISCV_T1 || c->who == RISCV_NC);
    const uint32_t line = pc / 16;
    uint64_t now10 = 10 * c->s.now;
    if (pc >= RISCV_IRAM_BASE) {
        return true;
    }
    const bool next = line == c->s.fetched + 1 && !time_cfg0(c, CFG0_DisIcPrefetch);
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
    return time_wait(c, TX_CORE_WAIT_FETCH);
}

/* ---- branches ---- */

/* Blackhole is assumed to predict that jalr jumps where it did the last time (inferred). */
void time_jalr(struct riscv *c, uint32_t target)
{
    struct riscv_state *s = &c->s;
    const unsigned i = s->pc / 4 % RISCV_TARGETS;
    const bool foreseen = time_predicts(c) && s->target_pc[i] == s->pc && s->target[i] == target;
    s->target_pc[i] = s->pc;
    s->target[i] = target;
    c->extra = (uint16_t)(core_time(c, foreseen ? TIME_TAKEN : TIME_MISS) - 1);
}

/* ---- order of loads and stores ---- */

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
    if (time_fenced(c) && !time_drained(c)) {
        return time_wait(c, TX_CORE_WAIT_ORDER);
    }
    if (cycles > RISCV_STORES && s->loads[s->loads_at] > s->now) {
        return time_wait(c, TX_CORE_WAIT_UNIT);
    }
    for (unsigned i = 0; i < s->stores; i++) {
        const struct riscv_store *q = &s->store[(s->store_head + i) % RISCV_STORES];
        if (behind(c, q, address, size, region)) {
            return time_wait(c, TX_CORE_WAIT_ORDER);
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
            !time_cfg0(c, CFG0_DisStMerge));
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

bool time_class_may_issue(struct riscv *c, const struct riscv_op *op, uint64_t *until)
{
    struct riscv_state *s = &c->s;
    switch ((enum riscv_class)op->class) {
    case CLASS_DIV:
    case CLASS_MUL:
        *until = s->divider;
        if (s->divider > s->now) {
            return time_wait(c, TX_CORE_WAIT_UNIT);
        }
        c->cycles = (uint16_t)(op->class == CLASS_DIV ? division(c, op) : core_time(c, TIME_MUL));
        c->extra = (uint16_t)(op->class == CLASS_MUL ? core_time(c, TIME_MUL_ISSUE) - 1 : 0);
        break;
    case CLASS_FLOAT:
    case CLASS_FLOAD:
        *until = float_ready(c, op);
        if (*until > s->now) {
            return time_wait(c, TX_CORE_WAIT_OPERAND);
        }
        c->cycles = (uint16_t)core_time(c, TIME_FLOAT);
        break;
    case CLASS_VECTOR:
        *until = vector_ready(c, op);
        if (*until > s->now) {
            return time_wait(c, TX_CORE_WAIT_OPERAND);
        }
        break;
    case CLASS_FSTORE:
        *until = float_ready(c, op);
        if (*until > s->now) {
            return time_wait(c, TX_CORE_WAIT_OPERAND);
        } /* and then as any store */
        /* fallthrough */
    case CLASS_STORE:
    case CLASS_PUSH:
        *until = 0;
        if (s->stores == RISCV_STORES) {
            return time_wait(c, TX_CORE_WAIT_QUEUE);
        }
        if (time_fenced(c) && !time_drained(c)) {
            return time_wait(c, TX_CORE_WAIT_ORDER);
        }
        break;
    case CLASS_FENCE:
    case CLASS_CSR:
        *until = s->stores == 0 ? s->loaded : 0;
        if (CORE_HAS(c, FENCE_DRAINS) && !time_drained(c) &&
            !(op->class == CLASS_CSR && time_cfg0(c, CFG0_DisCsrSync))) {
            return time_wait(c, TX_CORE_WAIT_ORDER);
        }
        break;
    default:
        break;
    }
    return true;
}

void time_class_issued(struct riscv *c, const struct riscv_op *op)
{
    struct riscv_state *s = &c->s;
    const uint64_t done = s->now + c->cycles;
    if (op->class == CLASS_VECTOR) {
        vector_issued(c, op, done);
    } else if (op->class == CLASS_FLOAT || op->class == CLASS_FLOAD) {
        float_issued(c, op, done);
    }
    const bool vector_load = op->class == CLASS_VECTOR && (op->word & 0x7Fu) == 0x07u;
    if (op->class == CLASS_AMO || op->class == CLASS_FLOAD || vector_load) {
        time_loaded(c, done);
    } else if (op->class == CLASS_DIV) {
        s->divider = done;
    }
}
