/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How cores and threads wait for each other: PC buffers, done checks, semaphores, mailboxes, and
 * the status that CSRs show. Source: spec/tile.md 6, 7, 1.4 from isa TTSync, PCBufs 3930471,
 * Mailboxes 9f86315, CSRs 585749d.
 */
#include "front/front.h"
#include "base/check.h"
#include "scalar/unit.h"
#include "tile/check.h"

enum { SYNC_BASE = REGION_BASE_SYNC, MAILBOX_BASE = REGION_BASE_MAILBOX, SEMAPHORE_MAX = 15 };

/* ---- work that a thread has left ---- */

/*
 * Returns whether SFPLOADMACRO has scheduled instructions that count as work of the thread (T19,
 * inferred).
 */
static bool vector_pending(const struct tx_machine *m, unsigned thread)
{
    CHECK(thread < TX_THREADS, "the Vector Unit is waited for by a thread's core");
    for (unsigned unit = 0; m->state.pending_count != 0 && unit < MACRO_UNITS; unit++) {
        for (unsigned i = 0; i < m->state.pending_end[unit]; i++) {
            const struct pending *p = &m->state.pending[unit][i];
            if (p->live != 0 && p->op.thread == thread) {
                return true;
            }
        }
    }
    return false;
}

bool tile_thread_idle(const struct tx_tensix *t, unsigned thread)
{
    CHECK(thread < TX_THREADS, "a thread that is idle is one of three");
    const struct tx_machine *m = t->m;
    const struct units *u = &m->state.units;
    if (front_busy(m, thread) || u->gate[thread].until > m->state.cycle ||
        (u->scalar.live != 0 && u->scalar.op.thread == thread) || vector_pending(m, thread)) {
        return false;
    }
    for (unsigned c = 0; c < TX_CONDITION_COUNT; c++) {
        const bool bank = c >= TX_CONDITION_SRCA_UNPACK && c <= TX_CONDITION_SRCB_MATRIX;
        if (!bank && c != TX_CONDITION_RISC && condition_busy(m, thread, (enum tx_condition)c)) {
            return false;
        }
    }
    return true;
}

/*
 * Updates condition RISC of each thread, once per cycle: STALLWAIT must see requests that the core
 * has not sent yet.
 */
void tile_sync_cycle(struct tx_tensix *t)
{
    for (unsigned thread = 0; thread < TX_THREADS; thread++) {
        const struct riscv *core = &t->core[RISCV_T0 + thread];
        if (core->s.stores == 0 && t->s.risc[thread] == 0 && !t->held.live) {
            continue;
        }
        bool risc = t->held.live && t->held.who == RISCV_T0 + thread;
        for (unsigned i = 0; i < core->s.stores; i++) {
            const struct riscv_store *q = &core->s.store[(core->s.store_head + i) % RISCV_STORES];
            risc = risc || q->region == REGION_GPRS_T || q->region == REGION_CONFIG;
        }
        if (risc != (t->s.risc[thread] != 0)) {
            t->s.risc[thread] = risc;
            (void)tx_condition_set(t->m, thread, TX_CONDITION_RISC, risc);
        }
    }
    tile_check(t);
}

/* Returns whether the thread's bits of PC_BUF_OVERRIDE are all set. */
static bool override(const struct tx_tensix *t, unsigned thread, unsigned bits)
{
    const uint32_t word = t->s.debug[TILE_PC_BUF_OVERRIDE / 4] >> 10 * thread;
    return (word & bits) == bits;
}

/*
 * Answers a load of the done check. tensix_sync behind 100 words of three cycles takes 315 cycles
 * on a card (timing.md b.1), 316 here.
 */
static enum riscv_answer done_check(const struct tx_tensix *t, unsigned who)
{
    const unsigned thread = tile_thread(who);
    return override(t, thread, 3) || tile_thread_idle(t, thread) ? RISCV_DONE : RISCV_WAIT;
}

static enum riscv_answer mop_check(const struct tx_tensix *t, unsigned who)
{
    const unsigned thread = tile_thread(who);
    const struct front *f = &t->m->state.front;
    const struct queue *q = &f->queue[thread][TX_QUEUE_MOP];
    if (override(t, thread, 3)) {
        return RISCV_DONE;
    }
    for (unsigned i = 0; i < q->count; i++) {
        if (mop_is_mop(t->m, q->word[(q->head + i) % QUEUE_WORDS])) {
            return RISCV_WAIT;
        }
    }
    return f->mop[thread].active == 0 && f->mop[thread].waiting == 0 ? RISCV_DONE : RISCV_WAIT;
}

/* ---- a T core's synchronization window ---- */

/* Takes a word of a queue. A debugger only reads it and leaves it there. */
static bool sync_take(struct tx_tensix *t, struct fifo *f, uint32_t *word)
{
    *word = f->word[f->head];
    return t->looking ? f->count != 0 : fifo_take(f, word);
}

static enum riscv_answer pc_take(struct tx_tensix *t, unsigned thread, uint32_t *value)
{
    CHECK(thread < TX_THREADS, "a PC buffer is one of three threads'");
    if (override(t, thread, 1)) {
        *value = t->s.debug[TILE_PC_BUF_OVERRIDE / 4] >> (10 * thread + 2) & 0xFFu;
        return RISCV_DONE;
    }
    if (sync_take(t, &t->s.pcbuf[thread], value)) {
        return RISCV_DONE;
    }
    t->s.pc_wait[thread] = t->looking ? t->s.pc_wait[thread] : t->s.cycle + 1;
    return RISCV_WAIT;
}

static enum riscv_answer tell_done(struct tx_tensix *t, unsigned who, uint32_t mask,
                                   enum riscv_answer answer)
{
    if (answer == RISCV_DONE) {
        tile_tell(t, who, TX_ORDER_DONE, TX_SHARED_COUNT, tile_thread(who), mask);
    }
    return answer;
}

static enum riscv_answer tell_taken(struct tx_tensix *t, unsigned who, enum riscv_answer answer)
{
    if (answer == RISCV_DONE && !override(t, tile_thread(who), 1)) {
        tile_tell(t, who, TX_ORDER_RECEIVE, TX_SHARED_COUNT, RISCV_B, TX_ORDER_PC_BUFFER);
    }
    return answer;
}

static enum riscv_answer sync_load(struct tx_tensix *t, unsigned who, struct riscv_access *a)
{
    const uint32_t offset = a->address - SYNC_BASE;
    a->value = 0;
    switch (offset) {
    case TILE_SYNC_PC:
        return tell_taken(t, who, pc_take(t, tile_thread(who), &a->value));
    case TILE_SYNC_DONE:
        return tell_done(t, who, 1, done_check(t, who));
    case TILE_SYNC_MOP_DONE:
        return tell_done(t, who, 0, mop_check(t, who));
    default:
        if (offset < TILE_SYNC_SEMAPHORES || offset >= TILE_SYNC_SEMAPHORES_END) {
            return RISCV_HANG;
        }
        a->value = t->m->state.semaphore[(offset - TILE_SYNC_SEMAPHORES) / 4];
        tile_tell(t, who, TX_ORDER_READ, TX_SHARED_SEMAPHORE, (offset - TILE_SYNC_SEMAPHORES) / 4,
                  1);
        return RISCV_DONE;
    }
}

static enum riscv_answer sync_store(struct tx_tensix *t, unsigned who, const struct riscv_access *a)
{
    const uint32_t offset = a->address - SYNC_BASE;
    if (offset <= TILE_SYNC_MOP_DONE) {
        return RISCV_DONE; /* discarded: such stores only force order */
    }
    if (offset < TILE_SYNC_SEMAPHORES || offset >= TILE_SYNC_SEMAPHORES_END) {
        return RISCV_HANG;
    }
    const unsigned i = (offset - TILE_SYNC_SEMAPHORES) / 4;
    uint8_t *semaphore = &t->m->state.semaphore[i];
    const bool take = (a->value & 1u) != 0;
    if (take ? *semaphore == 0 : *semaphore == SEMAPHORE_MAX) {
        tile_finding(t, who, TX_UNDEFINED_BEHAVIOR, EVIDENCE_TILE_SEMAPHORE,
                     "semaphore %u is at %u and cannot be %s", i, *semaphore,
                     take ? "taken" : "posted");
        return RISCV_DONE;
    }
    *semaphore = (uint8_t)(take ? *semaphore - 1 : *semaphore + 1);
    tile_tell(t, who, TX_ORDER_WRITE, TX_SHARED_SEMAPHORE, i, take ? 2 : 1);
    t->m->quiet = 0;
    return RISCV_DONE;
}

const struct tile_page tile_sync = {sync_load, sync_store};

/* ---- B's PC buffers ---- */

/*
 * Answers B's question whether the previous kernel has ended: it has when the core waits for its
 * next word and its thread is idle.
 */
static enum riscv_answer pcbuf_load(struct tx_tensix *t, unsigned who, struct riscv_access *a)
{
    const unsigned thread = (a->address - SYNC_BASE) >> 16;
    const bool waits = t->s.pc_wait[thread] != 0 && t->s.pc_wait[thread] >= t->s.cycle;
    a->value = 0;
    if (!waits || t->s.pcbuf[thread].count != 0 || !tile_thread_idle(t, thread)) {
        return RISCV_WAIT;
    }
    tile_tell(t, who, TX_ORDER_RECEIVE, TX_SHARED_COUNT, RISCV_T0 + thread, TX_ORDER_PC_EMPTY);
    return RISCV_DONE;
}

static enum riscv_answer pcbuf_store(struct tx_tensix *t, unsigned who,
                                     const struct riscv_access *a)
{
    const unsigned thread = (a->address - SYNC_BASE) >> 16;
    if (!fifo_put(&t->s.pcbuf[thread], a->value, PCBUF_WORDS)) {
        return RISCV_WAIT;
    }
    tile_tell(t, who, TX_ORDER_SEND, TX_SHARED_COUNT, RISCV_T0 + thread, TX_ORDER_PC_BUFFER);
    return RISCV_DONE;
}

const struct tile_page tile_pcbuf = {pcbuf_load, pcbuf_store};

/* ---- mailboxes, numbered B 0, T0 1, T1 2, T2 3 ---- */

static bool own_mailbox(struct tx_tensix *t, unsigned who, unsigned other)
{
    if (other == who) {
        tile_finding(t, who, TX_UNDEFINED_BEHAVIOR, EVIDENCE_TILE_MAILBOX,
                     "a core uses the mailbox to itself");
    }
    return other == who;
}

static enum riscv_answer mailbox_load(struct tx_tensix *t, unsigned who, struct riscv_access *a)
{
    const uint32_t offset = a->address - MAILBOX_BASE;
    const unsigned from = offset >> 12;
    if (own_mailbox(t, who, from)) {
        return RISCV_HANG;
    }
    if ((offset & 4u) != 0) {
        a->value = t->s.mailbox[from][who].count != 0;
        return RISCV_DONE;
    }
    if (!sync_take(t, &t->s.mailbox[from][who], &a->value)) {
        return RISCV_WAIT;
    }
    tile_tell(t, who, TX_ORDER_RECEIVE, TX_SHARED_COUNT, from, TX_ORDER_MAILBOX);
    return RISCV_DONE;
}

/* A queue holds four words, and all queues of a writer together no more than four. */
static enum riscv_answer mailbox_store(struct tx_tensix *t, unsigned who,
                                       const struct riscv_access *a)
{
    const unsigned to = (a->address - MAILBOX_BASE) >> 12;
    unsigned out = 0;
    if (own_mailbox(t, who, to)) {
        return RISCV_DONE;
    }
    for (unsigned i = 0; i < MAILBOXES; i++) {
        out += t->s.mailbox[who][i].count;
    }
    if (out >= MAILBOX_WORDS || !fifo_put(&t->s.mailbox[who][to], a->value, MAILBOX_WORDS)) {
        return RISCV_WAIT;
    }
    tile_tell(t, who, TX_ORDER_SEND, TX_SHARED_COUNT, to, TX_ORDER_MAILBOX);
    return RISCV_DONE;
}

const struct tile_page tile_mailbox = {mailbox_load, mailbox_store};

/* ---- tt_cfg_qstatus, tt_cfg_bstatus ---- */

/*
 * Returns the status bits of an instruction: 0 REPLAY, 1 MOP, 2 ThCon, 3 mover, 4 unpacker, 5
 * packer, 6 Config, 7 Sync, 8 Misc or any of 2 to 5, 9 SFPU, 10 FPU.
 */
static uint32_t class_of(const struct tx_tensix *t, uint32_t word)
{
    static const uint32_t classes[TX_UNIT_COUNT] = {[TX_UNIT_LOAD] = 1u << 9,
                                                    [TX_UNIT_SIMPLE] = 1u << 9,
                                                    [TX_UNIT_MAD] = 1u << 9,
                                                    [TX_UNIT_ROUND] = 1u << 9,
                                                    [TX_UNIT_STORE] = 1u << 9,
                                                    [TX_UNIT_SCALAR] = 1u << 2 | 1u << 8,
                                                    [TX_UNIT_CONFIG] = 1u << 6,
                                                    [TX_UNIT_SYNC] = 1u << 7,
                                                    [TX_UNIT_MATRIX] = 1u << 10,
                                                    [TX_UNIT_UNPACK] = 1u << 4 | 1u << 8,
                                                    [TX_UNIT_PACK] = 1u << 5 | 1u << 8,
                                                    [TX_UNIT_MOVER] = 1u << 3 | 1u << 8,
                                                    [TX_UNIT_MISC] = 1u << 8};
    const struct tx_insn *insn = tx_insn_of(t->m->arch, word);
    if (replay_is_replay(t->m, word)) {
        return 1u << 0;
    }
    if (mop_is_mop(t->m, word)) {
        return 1u << 1;
    }
    return insn != NULL ? classes[insn->unit] : 0;
}

static uint32_t queued(const struct tx_tensix *t, unsigned thread)
{
    CHECK(thread < TX_THREADS, "words are queued for one of three threads");
    const struct front *f = &t->m->state.front;
    uint32_t mask = (f->replay[thread].emitting != 0 ? 1u << 0 : 0u) |
                    (f->mop[thread].active != 0 ? 1u << 1 : 0u);
    for (unsigned k = 0; k < TX_QUEUE_COUNT; k++) {
        const struct queue *q = &f->queue[thread][k];
        for (unsigned i = 0; i < q->count; i++) {
            mask |= class_of(t, q->word[(q->head + i) % QUEUE_WORDS]);
        }
    }
    return mask;
}

static uint32_t executing(const struct tx_tensix *t, unsigned thread)
{
    static const struct {
        uint8_t condition, bit;
    } rows[] = {{TX_CONDITION_MEMORY, 2},  {TX_CONDITION_MOVER, 3},  {TX_CONDITION_UNPACK0, 4},
                {TX_CONDITION_UNPACK1, 4}, {TX_CONDITION_PACK0, 5},  {TX_CONDITION_CONFIG, 6},
                {TX_CONDITION_VECTOR, 9},  {TX_CONDITION_MATRIX, 10}};
    uint32_t mask = 0;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (condition_busy(t->m, thread, (enum tx_condition)rows[i].condition)) {
            mask |= 1u << rows[i].bit;
        }
    }
    if (t->m->state.units.scalar.live != 0 && t->m->state.units.scalar.op.thread == thread) {
        mask |= 1u << 2;
    }
    return mask | ((mask & 0x3Cu) != 0 ? 1u << 8 : 0u);
}

uint32_t tile_status(struct riscv *core, enum riscv_csr_id csr)
{
    const struct tx_tensix *t = core->env.user;
    const bool busy = csr == CSR_BSTATUS;
    const bool thread = core->who != RISCV_B && core->who != RISCV_NC;
    uint32_t own = 0;
    uint32_t all = 0;
    for (unsigned i = 0; i < TX_THREADS; i++) {
        const uint32_t mask = queued(t, i) | (busy ? executing(t, i) : 0u);
        all |= mask;
        own = thread && i == tile_thread(core->who) ? mask : own;
    }
    if (busy) {
        return (thread ? own : all) | all << 11;
    }
    const uint32_t cc = state_enabled(&t->m->state) != 0;
    return own | cc << 11 | all << 13 | cc << 24;
}
