/* SPDX-License-Identifier: Apache-2.0 */
/* See invariants.h. */
#include "state/invariants.h"

#if defined(TX_CHECK)

#include "base/check.h"
#include "state/l1.h"

static void check_vector(const struct tx_state *s)
{
    unsigned pending = 0;
    for (unsigned i = 0; i < FLIGHTS; i++) {
        CHECK((s->flights >> i & 1u) == (s->flight[i].live != 0),
              "an instruction is in flight if its bit is set");
    }
    for (unsigned u = 0; u < MACRO_UNITS; u++) {
        CHECK(s->pending_end[u] <= MACRO_PENDING, "scheduled instructions fit their places");
        for (unsigned i = 0; i < MACRO_PENDING; i++) {
            pending += s->pending[u][i].live != 0;
            CHECK(s->pending[u][i].live == 0 || i < s->pending_end[u],
                  "no scheduled instruction lies behind the end of its unit's list");
        }
    }
    CHECK(pending == s->pending_count, "scheduled instructions are counted");
    for (unsigned lane = 0; lane < TX_LANES; lane++) {
        CHECK(s->stack_ctr[lane] <= 15, "a flag stack's counter has four bits");
    }
}

static void check_known(const struct src_known *k)
{
    for (unsigned row = 0; row < TX_SRC_ROWS; row++) {
        CHECK((k->unknown_rows >> row & 1u) == (k->unknown[row] != 0),
              "a row of Src has unknown cells if its bit is set");
        CHECK((k->old_rows >> row & 1u) == (k->old[row] != 0),
              "a row of Src has cells of an earlier hand-over if its bit is set");
    }
}

static void check_registers(const struct tx_state *s)
{
    for (unsigned i = 0; i < 2 * SRC_BANKS; i++) {
        check_known(&s->src_known[i / SRC_BANKS][i % SRC_BANKS]);
        CHECK(s->units.bank_owner[i / SRC_BANKS][i % SRC_BANKS] <= 1,
              "a bank of Src has one owner");
    }
    for (unsigned row = 0; row < TX_DST_ROWS; row++) {
        CHECK((s->dst_wide[row] & s->dst_narrow[row]) == 0,
              "a cell of Dst was last written as 16 bits or as half of 32");
    }
    for (unsigned i = 0; i < 8; i++) {
        CHECK(s->semaphore[i] <= 15 && s->semaphore_max[i] <= 15, "a semaphore has four bits");
        CHECK(s->units.mutex[i] <= TX_THREADS, "a mutex is free or a thread's");
    }
    for (unsigned src = 0; src < 2; src++) {
        CHECK(s->units.matrix_bank[src] < SRC_BANKS && s->units.unpack_bank[src] < SRC_BANKS,
              "units use one of two banks");
    }
}

static void check_queues(const struct tx_state *s)
{
    const struct units *u = &s->units;
    unsigned requests = 0, writes = 0, jobs = 0;
    for (unsigned t = 0; t < TX_THREADS; t++) {
        for (unsigned q = 0; q < TX_QUEUE_COUNT; q++) {
            const struct queue *queue = &s->front.queue[t][q];
            CHECK(queue->head < QUEUE_WORDS && queue->count <= QUEUE_WORDS,
                  "a queue holds no more words than it has room for");
        }
    }
    for (unsigned i = 0; i < REQUESTS; i++) {
        requests += u->request[i].live != 0;
    }
    for (unsigned i = 0; i < CONFIG_WRITES; i++) {
        writes += u->config_write[i].live != 0;
    }
    CHECK(requests == u->requests, "memory requests under way are counted");
    CHECK(writes == u->config_writes, "writes of configuration under way are counted");
    for (unsigned i = 0; i < UNPACKERS; i++) {
        const struct unpacker *p = &u->unpack.unit[i];
        CHECK(p->head < UNPACK_JOBS && p->count <= UNPACK_JOBS,
              "an unpacker's queue holds no more jobs than it has room for");
        jobs += p->count;
    }
    CHECK(jobs + (u->unpack.enters != 0) == u->unpack.jobs, "jobs of the unpackers are counted");
}

static void check_gates(const struct tx_state *s)
{
    unsigned waits = 0;
    for (unsigned t = 0; t < TX_THREADS; t++) {
        const struct wait_gate *g = &s->units.gate[t];
        const struct rwc *r = &s->rwc[t];
        const struct replay *replay = &s->front.replay[t];
        waits += g->wait != TX_WAIT_NONE;
        CHECK(g->wait <= TX_WAIT_SEMWAIT, "a latched wait is STALLWAIT's or SEMWAIT's");
        CHECK(g->hold < TX_HOLD_COUNT, "what holds a word has a name");
        CHECK(g->other <= TX_THREADS, "who is in the way is a thread, or nobody");
        CHECK(g->passed <= s->index || s->index == 0, "a thread has passed no more words than all");
        CHECK(r->dst <= 1023 && r->dst_cr <= 1023, "a counter of Dst has ten bits");
        CHECK(r->sp <= 1023, "the stack's counter has ten bits");
        CHECK(r->srca <= 63 && r->srca_cr <= 63, "a counter of SrcA has six bits");
        CHECK(r->srcb <= 63 && r->srcb_cr <= 63, "a counter of SrcB has six bits");
        CHECK(r->fidelity <= 3, "the fidelity phase has two bits");
        CHECK(replay->index <= 31, "a recording goes on in one of 32 slots");
        CHECK(replay->remaining <= 64 && replay->emitting <= 64,
              "a recording and a replay have 64 words at most");
        CHECK(s->front.mop[t].step <= (s->front.mop[t].template1 != 0 ? 3 : 4),
              "an iteration of an expansion has five words, or four steps");
        CHECK(s->front.mop[t].waiting <= 1 && s->front.mop[t].active <= 1,
              "an expansion is under way or not");
        CHECK(s->front.behind_live[t] <= 1, "a word behind the MOP Expander is there or not");
        CHECK(s->front.queued[t] != 0 || s->front.queue[t][TX_QUEUE_GATE].count == 0,
              "a thread with a word in the gate's queue has words");
        CHECK(s->front.queued[t] != 0 || s->front.queue[t][TX_QUEUE_MOP].count == 0,
              "a thread with a word before the MOP Expander has words");
    }
    CHECK(waits == s->units.waits, "gates with a latched wait are counted");
    for (unsigned i = 0; i < GROUP_COUNT; i++) {
        CHECK(s->units.last[i] < TX_THREADS, "who had the last turn is a thread");
    }
    for (unsigned lane = 0; lane < 8; lane++) {
        CHECK((s->lane_config[lane] & ~(uint32_t)LC_BITS) == 0,
              "a column's configuration has 18 bits");
    }
}

static void check_packers(const struct packers *k)
{
    for (unsigned i = 0; i < PACKERS; i++) {
        const struct packer *p = &k->unit[i];
        CHECK(p->next < PACK_DEPTH_MAX, "the ring of a packer's instructions has eight places");
        CHECK(p->fifo_count <= PACK_FIFO, "tiles that a packer has finished fit their queue");
        CHECK(p->group_count <= 16, "an open block has sixteen data");
        CHECK(p->output <= 15, "data since the start of a tile are counted modulo sixteen");
        CHECK(p->last_thread < TX_THREADS, "the last tile was a thread's");
        for (unsigned n = 0; n < PACK_STREAMS; n++) {
            CHECK(p->stream[n].count <= 16, "sixteen bytes are collected at a time");
            CHECK(p->stream[n].written <= p->stream[n].count,
                  "no more bytes are in L1 than were collected");
            CHECK(p->stream[n].open <= 1, "the address of a stream is valid or not");
        }
        for (unsigned n = 0; n < PACK_DEPTH_MAX; n++) {
            CHECK(p->end[n] <= k->until, "no instruction of a packer ends after all have");
        }
    }
    for (unsigned i = 0; i < TX_DST_ROWS / 8; i++) {
        CHECK(k->dst_read[i] <= k->reading, "no rows are read after the last that are");
    }
}

static void check_matrix(const struct units *u)
{
    const struct matrix_time *t = &u->matrix;
    for (unsigned i = 0; i < TX_DST_ROWS / 8; i++) {
        CHECK(t->dst_block[i] <= t->until, "no rows are written after the Matrix Unit is done");
        CHECK(t->stored[i] <= t->stored_until, "no rows are stored after the last that are");
    }
    for (unsigned i = 0; i < 2 * SRC_BANKS; i++) {
        CHECK(u->bank_seen[i / SRC_BANKS][i % SRC_BANKS] <= u->banks_until,
              "no bank changes hands after the last that does");
    }
}

static void check_scalar(const struct units *u)
{
    CHECK(u->scalar.live <= 1, "the Scalar Unit executes an instruction or none");
    CHECK(u->scalar.live == 0 || u->scalar.op.thread < TX_THREADS,
          "the Scalar Unit executes for one of three threads");
    CHECK(u->scalar.kind <= SCALAR_BANK, "an instruction of the Scalar Unit ends in a known way");
    CHECK(u->mover.live <= 1 && u->mover.direction <= 3, "the mover has four directions");
    for (unsigned i = 0; i < REQUESTS; i++) {
        CHECK(u->request[i].live == 0 || u->request[i].thread < TX_THREADS,
              "a request under way is one of three threads'");
        CHECK(u->request[i].live == 0 || u->request[i].reg < TX_GPRS,
              "a request under way is for a GPR");
        CHECK(u->request[i].live == 0 || u->request[i].size <= 16,
              "a request under way has sixteen bytes at most");
    }
    for (unsigned i = 0; i < CONFIG_WRITES; i++) {
        CHECK(u->config_write[i].live == 0 || u->config_write[i].bank < 2,
              "a write of configuration is for one of two banks");
        CHECK(u->config_write[i].live == 0 ||
                  u->config_write[i].word + u->config_write[i].count <= 256,
              "a write of configuration under way lies in its bank");
    }
}

static void check_unpackers(const struct unpack *k)
{
    CHECK(k->enters <= 1, "one UNPACR enters at a time");
    for (unsigned i = 0; i < UNPACKERS; i++) {
        const struct unpacker *p = &k->unit[i];
        CHECK(p->running == 0 || p->count != 0, "an unpacker that runs has a job");
        for (unsigned n = 0; n < p->count; n++) {
            const struct unpack_job *j = &p->job[(p->head + n) % UNPACK_JOBS];
            CHECK(j->kind <= UNPACK_IDLE, "a job of an unpacker is of a known kind");
            CHECK(j->op.thread < TX_THREADS, "a job of an unpacker is a thread's");
            CHECK(j->wait <= UNPACK_WAIT_MATRIX, "what a job waits for has a name");
        }
    }
}

static void check_undefined(const struct undefined_state *u)
{
    unsigned words = 0;
    for (unsigned i = 0; i < 512; i++) {
        words += u->config[i / 256][i % 256] != 0;
    }
    CHECK(words == u->words, "configuration words with undefined bits are counted");
    CHECK(u->next < L1_SPOILT, "the ring of stores to L1 has a place for the next one");
}

void invariants_check(const struct tx_machine *m)
{
    check_vector(&m->state);
    check_registers(&m->state);
    check_queues(&m->state);
    check_gates(&m->state);
    check_packers(&m->state.units.pack);
    check_matrix(&m->state.units);
    check_scalar(&m->state.units);
    check_unpackers(&m->state.units.unpack);
    check_undefined(&m->state.undefined);
    CHECK(m->finding_count <= TX_MAX_FINDINGS, "findings fit their list");
    CHECK(!m->faulted || m->fault.message[0] != '\0', "a machine that has stopped says why");
    CHECK(m->watched <= 2u * TX_WATCH_CYCLES, "cycles since the host was asked are bounded");
    CHECK(m->wrote.rows == 0 || m->wrote.first < TX_DST_ROWS,
          "rows that were written in this cycle are in Dst");
    CHECK((m->own_l1 == NULL) == (l1_own_size(m) == 0), "L1 has its size if there is one");
}

#endif
