/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interpreter. Each instruction has one body, expanded with and without timing. An instruction
 * that has to wait has changed nothing and is executed again.
 */
#include "base/check.h"
#include "riscv/alu.h"
#include "riscv/timing.h"
#include "riscv/translate.h"

/* ---- loads and stores ---- */

/* Returns whether some of these bytes of L1 were never written. Their bits are in one byte. */
TX_INLINE bool unwritten(const struct riscv *c, uint32_t address, unsigned size)
{
    const uint32_t bits = bits_mask(size) << address % 8;
    return c->env.written != NULL && (c->env.written[address / 8] & bits) != bits;
}

/* A load of bytes of L1 that were never written, or with an undefined value. */
static enum outcome load_unwritten(struct riscv *c, const struct riscv_op *op, uint32_t address,
                                   unsigned size)
{
    struct riscv_origin from;
    const uint32_t bad = c->env.spoilt != NULL ? c->env.spoilt(c, address, size, &from) : 0;
    if (bad != 0) {
        core_taint(c, op, bad, from);
        return OUTCOME_TAINTED;
    }
    core_finding(c, RISCV_FINDING_UNWRITTEN, address);
    return OUTCOME_DONE;
}

TX_INLINE enum outcome load(struct riscv *c, const struct riscv_op *op, uint32_t address,
                            unsigned size, uint32_t *value, bool timed)
{
    if (address < c->env.l1_size) {
        if (timed) {
            c->cycles = (uint16_t)core_time(c, TIME_L1);
            if (!time_load_passes(c, address, size, REGION_L1, c->cycles)) {
                return OUTCOME_AGAIN;
            }
            core_l1_need(c, address, size);
        }
        enum outcome outcome = OUTCOME_DONE;
        if (unwritten(c, address, size)) {
            outcome = load_unwritten(c, op, address, size);
        }
        *value = bytes_get(c->env.l1 + address, size);
        core_l1_tell(c, address, size, false, TX_ORDER_L1_CORE);
        return outcome;
    }
    if (address - RISCV_RAM_BASE < riscv_ram_size(c->arch, c->who)) {
        c->cycles = (uint16_t)core_time(c, TIME_LOCAL);
        *value = bytes_get(c->s.ram + (address - RISCV_RAM_BASE), size);
        if (bytes_get(c->s.ram_bad + (address - RISCV_RAM_BASE), size) != 0) {
            core_local_taint(c, op, address, size);
            return OUTCOME_TAINTED;
        }
        return OUTCOME_DONE;
    }
    return outside_load(c, op, address, size, value);
}

/* Nobody else can see local memory, so that stores to it need not go through the queue. */
TX_INLINE enum outcome store(struct riscv *c, uint32_t address, unsigned size, uint32_t value,
                             bool timed)
{
    if ((address & (size - 1u)) != 0) {
        core_finding(c, RISCV_FINDING_UNALIGNED, address);
        address &= ~(size - 1u);
    }
    if (address - RISCV_RAM_BASE < riscv_ram_size(c->arch, c->who)) {
        uint8_t *at = c->s.ram + (address - RISCV_RAM_BASE);
        c->writes += bytes_get(at, size) != (value & bits_mask(8 * size)) ? 1 : 0;
        bytes_put(at, value, size);
        bytes_put(c->s.ram_bad + (address - RISCV_RAM_BASE), 0, size);
        return OUTCOME_DONE;
    }
    if (address >= c->env.l1_size) {
        return outside_store(c, address, size, value);
    }
    if (timed) {
        core_queue(c, address, value, size, REGION_L1);
    } else {
        core_l1_put(c, address, value, size, TX_ORDER_L1_CORE);
    }
    return OUTCOME_DONE;
}

enum outcome core_load(struct riscv *c, const struct riscv_op *op, uint32_t address, unsigned size,
                       uint32_t *value)
{
    return load(c, op, address, size, value, c->timed);
}

enum outcome core_store(struct riscv *c, uint32_t address, unsigned size, uint32_t value)
{
    return store(c, address, size, value, c->timed);
}

static enum outcome atomic(struct riscv *c, const struct riscv_op *op)
{
    const uint32_t address = c->s.x[op->rs1] & ~3u;
    if (address >= c->env.l1_size) {
        return core_end(c, RISCV_HUNG, RISCV_FINDING_ATOMIC, address);
    }
    if (c->timed && !time_atomic_passes(c)) {
        return OUTCOME_AGAIN;
    }
    if (address != c->s.x[op->rs1]) {
        core_finding(c, RISCV_FINDING_UNALIGNED, c->s.x[op->rs1]);
    }
    if (unwritten(c, address, 4)) {
        core_finding(c, RISCV_FINDING_UNWRITTEN, address);
    }
    core_l1_need(c, address, 4);
    const uint32_t old = bytes_get(c->env.l1 + address, 4);
    const uint32_t value = alu_atomic((enum riscv_id)op->id, old, c->s.x[op->rs2]);
    c->changes += value != old ? 1 : 0;
    core_l1_put(c, address, value, 4, TX_ORDER_L1_ATOMIC);
    c->cycles = (uint16_t)core_time(c, TIME_ATOMIC);
    c->s.x[op->rd] = old;
    return OUTCOME_DONE;
}

/* ---- what silicon may have fetched ---- */

/*
 * Returns whether the core may have fetched another word from pc than memory holds now. A word that
 * the pipeline had taken before the cache was dropped counts until that is drained.
 */
static bool maybe_stale(const struct riscv *c, const struct riscv_op *op, uint32_t word,
                        uint32_t pc)
{
    return op->live != RISCV_EMPTY && op->pc == pc && op->word != word &&
           (op->live != RISCV_IN_FLIGHT || c->s.instret < c->drained);
}

/* Returns the address behind the last instruction that may be fetched while pc executes. */
static uint32_t reach(const struct riscv *c, uint32_t pc)
{
    const bool off =
        CORE_HAS(c, CORES_HAVE_CSRS) && (c->s.csr[CSR_CFG0] >> CFG0_DisIcPrefetch & 1u) != 0;
    const uint32_t pipeline = (pc + 4 * RISCV_PIPELINE) / 16 * 16 + 16;
    uint32_t end = pipeline + (off ? 0 : 16u * c->prefetches);
    if (c->prefetch_end != 0 && end > c->prefetch_end) {
        end = pipeline > c->prefetch_end ? pipeline : c->prefetch_end / 4 * 4 + 4;
    }
    return end < c->env.l1_size ? end : c->env.l1_size;
}

/*
 * Notes the words behind pc, which is executed for the first time, as silicon may have them by now.
 * Those of an earlier instruction end where theirs ended, so that usually one line is new.
 */
static void look_ahead(struct riscv *c, uint32_t pc)
{
    for (uint32_t at = reach(c, pc) - 4; at > pc && at < c->env.l1_size; at -= 4) {
        struct riscv_op *op = core_place(c, at);
        const bool old = op->live == RISCV_IN_FLIGHT && c->s.instret >= c->drained;
        if (op->live != RISCV_EMPTY && op->pc == at && !old) {
            break;
        }
        op->live = RISCV_AHEAD;
        op->pc = at;
        op->word = bytes_get(c->env.l1 + at, 4);
    }
}

/* ---- the rest ---- */

static bool splits_at(const struct riscv *c, uint32_t pc)
{
    for (unsigned i = 0; i < c->splits; i++) {
        if (c->split[i] == pc) {
            return true;
        }
    }
    return false;
}

/*
 * Blackhole: .ttinsn that follow this one within its 16 bytes may enter the queue together with it
 * (T10). Returns how many.
 */
static unsigned gather(struct riscv *c)
{
    struct riscv_store *q = &c->s.store[(c->s.store_head + c->s.stores + 3u) % RISCV_STORES];
    const uint32_t most = core_time(c, TIME_GATHER);
    unsigned count = 1;
    if (c->single || (c->s.csr[CSR_CFG0] >> CFG0_DisTriscCache & 1u) != 0) {
        return count;
    }
    for (uint32_t pc = c->s.pc + 4; count < most && pc % 16 != 0 && pc < c->env.l1_size; pc += 4) {
        const uint32_t word = bytes_get(c->env.l1 + pc, 4);
        if ((word & 3u) == 3u || splits_at(c, pc) || maybe_stale(c, core_place(c, pc), word, pc)) {
            break;
        }
        q->data[count++] = word >> 2 | word << 30;
    }
    q->words = (uint8_t)count;
    return count;
}

static enum outcome push(struct riscv *c, const struct riscv_op *op, uint32_t *next)
{
    const unsigned stores = c->s.stores;
    const enum outcome outcome = memory_push(c, op->imm);
    if (c->timed && c->s.stores != stores) {
        const unsigned more = gather(c) - 1;
        *next += 4 * more;
        c->s.instret += more;
    }
    return outcome;
}

static void pause(struct riscv *c)
{
    c->s.phase = RISCV_PAUSED;
    c->s.broke = 1;
}

/* Executes the rarer instructions. *next: the address of the instruction that follows. */
static enum outcome special(struct riscv *c, const struct riscv_op *op, uint32_t *next)
{
    switch ((enum riscv_id)op->id) {
    case RISCV_TTINSN:
        return push(c, op, next);
    case RISCV_FENCE:
        return OUTCOME_DONE;
    case RISCV_ECALL:
        if (CORE_HAS(c, ECALL_UNDEFINED)) {
            core_finding(c, RISCV_FINDING_ECALL, c->s.pc);
        }
        pause(c);
        return OUTCOME_DONE;
    case RISCV_EBREAK:
        pause(c);
        return OUTCOME_DONE;
    case RISCV_MRET:
        if (riscv_is_t(c->who)) {
            break;
        }
        *next = core_jump(c, c->s.csr[CSR_INTP_RESTORE_PC]);
        c->s.handling = 0;
        return OUTCOME_DONE;
    default:
        if (op->class == CLASS_AMO) {
            return atomic(c, op);
        }
        if (op->class == CLASS_CSR) {
            csr_access(c, op);
            return OUTCOME_DONE;
        }
        if (op->class == CLASS_FLOAT || op->class == CLASS_FLOAD || op->class == CLASS_FSTORE) {
            return float_execute(c, op);
        }
        if (op->class == CLASS_VECTOR && c->who == RISCV_T2) {
            return vector_execute(c, op);
        }
        break;
    }
    core_finding(c, RISCV_FINDING_ILLEGAL, c->s.pc);
    return OUTCOME_DONE;
}

TX_INLINE enum outcome load_to(struct riscv *c, const struct riscv_op *op, unsigned size,
                               bool is_signed, bool timed)
{
    uint32_t value = 0;
    const uint32_t address = c->s.x[op->rs1] + op->imm;
    const enum outcome outcome = load(c, op, address & ~(size - 1u), size, &value, timed);
    if ((address & (size - 1u)) != 0 && outcome != OUTCOME_AGAIN) {
        core_finding(c, RISCV_FINDING_UNALIGNED, address);
    }
    if (outcome <= OUTCOME_TAINTED) {
        c->s.x[op->rd] = is_signed ? (uint32_t)bits_sext(value, 8 * size) : value;
    }
    return outcome;
}

TX_INLINE uint32_t branch(struct riscv *c, const struct riscv_op *op, uint32_t pc, bool taken,
                          bool timed)
{
    if (timed) {
        time_branch(c, op, taken);
    }
    return taken ? (op->imm & 2u) == 0 ? pc + op->imm : core_jump(c, pc + op->imm) : pc + 4;
}

/* Executes op, which is at address *at; *at becomes the address of the next instruction. */
TX_INLINE enum outcome execute_defined(struct riscv *c, const struct riscv_op *op, uint32_t *at,
                                       bool timed)
{
    uint32_t *x = c->s.x;
    const uint32_t pc = *at;
    const uint32_t a = x[op->rs1];
    const uint32_t b = x[op->rs2];
    const uint32_t i = op->imm;
    uint32_t next = pc + 4;
    enum outcome outcome = OUTCOME_DONE;
    switch ((enum riscv_id)op->id) {
#define ALU(ID, expression)                 \
    case RISCV_##ID:                        \
        x[op->rd] = (uint32_t)(expression); \
        break;
#include "riscv/alu.def"
    case RISCV_JAL:
        x[op->rd] = next;
        next = core_jump(c, pc + i);
        c->extra = (uint16_t)(timed ? core_time(c, TIME_TAKEN) - 1 : 0);
        break;
    case RISCV_JALR:
        x[op->rd] = next;
        next = core_jump(c, (a + i) & ~1u);
        if (timed) {
            time_jalr(c, next);
        }
        break;
#define BRANCH(ID, condition)                         \
    case RISCV_##ID:                                  \
        next = branch(c, op, pc, (condition), timed); \
        break;
        BRANCH(BEQ, a == b)
        BRANCH(BNE, a != b)
        BRANCH(BLT, (int32_t)a < (int32_t)b)
        BRANCH(BGE, (int32_t)a >= (int32_t)b)
        BRANCH(BLTU, a < b)
        BRANCH(BGEU, a >= b)
#undef BRANCH
#define LOAD(ID, size, is_signed)                         \
    case RISCV_##ID:                                      \
        outcome = load_to(c, op, size, is_signed, timed); \
        break;
        LOAD(LB, 1, true)
        LOAD(LH, 2, true)
        LOAD(LW, 4, false)
        LOAD(LBU, 1, false)
        LOAD(LHU, 2, false)
#undef LOAD
#define STORE(ID, size)                            \
    case RISCV_##ID:                               \
        outcome = store(c, a + i, size, b, timed); \
        break;
        STORE(SB, 1)
        STORE(SH, 2)
        STORE(SW, 4)
#undef STORE
    default:
        outcome = special(c, op, &next);
        break;
    }
    if (outcome <= OUTCOME_TAINTED) {
        *at = next;
        c->s.instret++;
    }
    return outcome;
}

/* The same, where registers may have undefined bits. */
TX_INLINE enum outcome execute(struct riscv *c, const struct riscv_op *op, uint32_t *at, bool timed)
{
    struct undefined u;
    const bool meets = (c->s.undefined & op->uses) != 0;
    if (meets) {
        undefined_before(c, op, &u);
    }
    const enum outcome outcome = execute_defined(c, op, at, timed);
    if (meets && outcome != OUTCOME_AGAIN) {
        undefined_after(c, op, &u);
    }
    return outcome;
}

/* ---- fetch ---- */

/* Returns the instructions at pc, or NULL if there is no memory for them. */
static const uint8_t *code_at(const struct riscv *c, uint32_t pc)
{
    if (pc < c->env.l1_size) {
        return c->env.l1 + pc;
    }
    if (c->env.iram != NULL && pc - RISCV_IRAM_BASE < RISCV_IRAM_BYTES) {
        return c->env.iram + (pc - RISCV_IRAM_BASE);
    }
    return NULL;
}

/*
 * Decodes an instruction. It is always the word that memory holds now; where silicon could still
 * execute an older one from its cache, a finding says so.
 */
static void decode(struct riscv *c, struct riscv_op *op, uint32_t word, uint32_t pc)
{
    const bool stale = maybe_stale(c, op, word, pc);
    c->decodes++;
    riscv_decode(c->arch, word, op);
    op->pc = pc;
    if (pc < c->env.l1_size) {
        if (unwritten(c, pc, 4)) {
            core_finding(c, RISCV_FINDING_BLANK, pc);
        }
        look_ahead(c, pc);
    }
    if (stale) {
        core_finding(c, RISCV_FINDING_STALE, pc);
    }
}

/* The build that checks itself: what was decoded before is what the word is. */
static inline void check_decoded(const struct riscv *c, const struct riscv_op *op, uint32_t word)
{
#if defined(TX_CHECK)
    struct riscv_op now;
    riscv_decode(c->arch, word, &now);
    CHECK(op->word == word && op->id == now.id && op->class == now.class && op->imm == now.imm,
          "a decoded instruction is the word that memory holds");
    CHECK(op->rd == now.rd && op->rs1 == now.rs1 && op->rs2 == now.rs2 && op->uses == now.uses,
          "a decoded instruction has the registers of its word");
    CHECK(c->s.x[0] == 0 && c->s.x_bad[0] == 0, "x0 is zero");
    for (unsigned i = 0; i < 32; i++) {
        CHECK((c->s.undefined >> i & 1u) == (c->s.x_bad[i] != 0),
              "a register has undefined bits if its bit is set");
    }
#else
    (void)c, (void)op, (void)word;
#endif
}

TX_INLINE struct riscv_op *fetch(struct riscv *c, uint32_t pc)
{
    const uint8_t *code = pc < c->env.l1_size ? c->env.l1 + pc : code_at(c, pc);
    if (code == NULL) {
        (void)core_end(c, RISCV_STOPPED, RISCV_FINDING_FETCH, pc);
        return NULL;
    }
    const uint32_t word = bytes_get(code, 4);
    struct riscv_op *op = core_place(c, pc);
    if (op->word != word || op->pc != pc || op->live != RISCV_DECODED_OP) {
        decode(c, op, word, pc);
    }
    check_decoded(c, op, word);
    return op;
}

/* ---- running ---- */

/*
 * Runs until the core cannot go on, "count" instructions have run, registers get undefined bits
 * ("defined") or have none any more, or the core has jumped (to_jump). *done: how many have run.
 * OUTCOME_AGAIN, OUTCOME_OVER: the core cannot go on.
 */
TX_INLINE enum outcome run_some(struct riscv *c, uint64_t count, bool defined, bool to_jump,
                                uint64_t *done)
{
    uint32_t pc = c->s.pc;
    uint64_t n = 0;
    enum outcome outcome = OUTCOME_DONE;
    while (n < count && c->s.phase == RISCV_RUNS && (defined || c->s.undefined != 0)) {
        c->s.pc = pc;
        const struct riscv_op *op = fetch(c, pc);
        outcome = op == NULL ? OUTCOME_OVER
                  : defined  ? execute_defined(c, op, &pc, false)
                             : execute(c, op, &pc, false);
        if (outcome > (defined ? OUTCOME_DONE : OUTCOME_TAINTED)) {
            break;
        }
        n++;
        c->s.now++;
        if (to_jump && pc != c->s.pc + 4) {
            break;
        }
    }
    if (defined && outcome == OUTCOME_TAINTED) {
        n++;
        c->s.now++;
    }
    c->s.pc = pc;
    *done += n;
    return outcome;
}

static enum outcome run_undefined(struct riscv *c, uint64_t count, uint64_t *done)
{
    return run_some(c, count, false, false, done);
}

void run_plain(struct riscv *c, uint64_t count)
{
    uint64_t done = 0;
    (void)run_some(c, count, true, false, &done);
}

/* Returns whether nothing has to be told of each instruction. */
static bool may_translate(const struct riscv *c)
{
    return c->translates && (c->env.listener == NULL || c->env.listener->order == NULL);
}

/* The same as run_some, with machine code for loops. */
static enum outcome run_translated(struct riscv *c, uint64_t count, uint64_t *done)
{
    enum outcome outcome = OUTCOME_DONE;
    while (*done < count && c->s.phase == RISCV_RUNS && c->s.undefined == 0 &&
           outcome == OUTCOME_DONE) {
        bool interpret = false;
        *done += code_run(c, count - *done, &interpret);
        const uint64_t left = count - *done;
        outcome = run_some(c, interpret && left != 0 ? 1 : left, true, true, done);
    }
    return outcome;
}

static uint64_t run_untimed(struct riscv *c, uint64_t count)
{
    uint64_t done = 0;
    enum outcome outcome = OUTCOME_DONE;
    c->s.wait = TX_CORE_WAIT_NONE;
    while (done < count && c->s.phase == RISCV_RUNS && outcome <= OUTCOME_TAINTED) {
        outcome = c->s.undefined != 0 ? run_undefined(c, count - done, &done)
                  : may_translate(c)  ? run_translated(c, count, &done)
                                      : run_some(c, count - done, true, false, &done);
    }
    c->s.x[32] = 0; /* which of the ways was taken is not to be seen */
    return done;
}

/*
 * The second half of a cycle. Returns whether an instruction issued; if not, *until is a cycle
 * before which none can.
 */
TX_INLINE bool issue(struct riscv *c, uint64_t *until)
{
    struct riscv_state *s = &c->s;
    s->wait = s->behind;
    *until = s->next;
    if (s->now < s->next) {
        return false;
    }
    if (!time_fetch(c, s->pc)) {
        *until = s->next;
        return false;
    }
    const struct riscv_op *op = fetch(c, s->pc);
    *until = 0;
    if (op == NULL || !time_may_issue(c, op, until)) {
        return false;
    }
    uint32_t pc = s->pc;
    if (execute(c, op, &pc, true) > OUTCOME_TAINTED) {
        *until = 0;
        return false;
    }
    s->wait = TX_CORE_WAIT_NONE;
    const bool led = pc != s->pc;
    s->pc = pc;
    time_issued(c, op);
    if (led) {
        c->led = s->next;
        c->led_instret = s->instret;
    }
    return true;
}

void riscv_issue(struct riscv *c)
{
    uint64_t until;
    if (c->s.phase != RISCV_RUNS) {
        return;
    }
    if (!c->timed) {
        (void)run_untimed(c, 1);
        c->s.waited[c->s.wait]++;
        return;
    }
    c->rests = 0;
    if (issue(c, &until)) {
        return;
    }
    c->s.waited[c->s.wait]++;
    if (until > c->s.now + 1 && c->s.pc < c->env.l1_size) {
        c->rests = until;
        memcpy(&c->rests_word, c->env.l1 + c->s.pc, sizeof c->rests_word);
    }
}

/* The build that checks itself: in none of so many cycles would an instruction have issued. */
static inline void check_waits(struct riscv *c, uint64_t cycles)
{
#if defined(TX_CHECK)
    const struct riscv_state then = c->s;
    for (uint64_t until, i = 1; i < cycles; i++) {
        c->s.now++;
        CHECK(!issue(c, &until), "a core that waits until a cycle issues nothing before it");
    }
    c->s = then;
#endif
    (void)c, (void)cycles;
}

static uint64_t run_timed(struct riscv *c, uint64_t cycles)
{
    struct riscv_state *s = &c->s;
    const uint64_t start = s->now;
    const uint64_t end = start + cycles;
    while (s->now < end && (s->phase == RISCV_RUNS || s->stores != 0)) {
        uint64_t until = 0;
        riscv_deliver(c);
        if (s->phase != RISCV_RUNS) {
            s->now++;
            continue;
        }
        const bool issued = issue(c, &until);
        uint64_t step = 1;
        if (!issued && s->stores == 0 && until > s->now) {
            step = (until < end ? until : end) - s->now;
            check_waits(c, step);
        }
        if (!issued) {
            s->waited[s->wait] += step;
        }
        s->now += step;
    }
    return s->now - start;
}

uint64_t riscv_run(struct riscv *c, uint64_t count)
{
    return c->timed ? run_timed(c, count) : run_untimed(c, count);
}
