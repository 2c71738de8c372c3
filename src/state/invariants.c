/* SPDX-License-Identifier: Apache-2.0 */
/* See invariants.h. */
#include "state/invariants.h"

#if defined(TX_CHECK)

#include "base/check.h"

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
    CHECK(s->store16_next < STORES16, "the ring of stores has a place for the next one");
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
    check_undefined(&m->state.undefined);
    CHECK(m->finding_count <= TX_MAX_FINDINGS, "findings fit their list");
}

#endif
