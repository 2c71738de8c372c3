/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads whose words are held at their gates, by semaphores that nobody posts for a long time,
 * while cores of their tile work, wait or poll. All that is seen, and the cycles in which words
 * were held, must be as on a chip on which every core and every gate runs in every cycle.
 */
#include "chip/naps.h"

#include <stdlib.h>

enum {
    SEMWAIT_2 = (int)0xA6FF8011u, /* holds what follows while semaphore 2 is 0 */
    SEMWAIT_4 = (int)0xA6FF8041u,
    SEMGET_2 = (int)0xA5000010u,
    SEMPOST_3 = (int)0xA4000020u,
    POSTED = 2,
    ANSWERED = 3,
    NEVER = 4,
    SEMAPHORE_0 = (int)0xFFE80020u, /* as a core sees them; an even word posts, an odd one takes */
};

/* T1's thread waits for each round; its core polls what the thread answers, and takes it. */
static void answers(struct code *c)
{
    li(c, S0, (uint32_t)SEMAPHORE_0 + 4 * ANSWERED);
    li(c, S1, RESULTS + SEEN * TX_CORE_T1);
    li(c, A2, 1);
    li(c, A4, ROUNDS);
    const uint32_t round = c->at;
    ttinsn(c, (uint32_t)SEMWAIT_2);
    ttinsn(c, (uint32_t)SEMGET_2);
    ttinsn(c, (uint32_t)SEMPOST_3);
    const uint32_t poll = c->at;
    lw(c, T1, S0, 0);
    bne(c, T1, A2, poll);
    sw(c, A2, S0, 0);
    seen(c);
    addi(c, A4, A4, -1);
    bne(c, A4, X0, round);
    j_self(c);
    start(c, TX_CORE_T1);
}

/* T2's thread waits for what only the host does, in the end. */
static void waits_for_host(struct code *c)
{
    li(c, S0, (uint32_t)SEMAPHORE_0 + 4 * ANSWERED);
    ttinsn(c, (uint32_t)SEMWAIT_4);
    ttinsn(c, (uint32_t)SEMPOST_3);
}

/* Posts semaphore 2 once a round, after a while; B polls a word of L1 that it stores then. */
static void posts(struct code *c)
{
    li(c, S0, (uint32_t)SEMAPHORE_0 + 4 * POSTED);
    li(c, S1, RESULTS + SEEN * TX_CORE_T0);
    li(c, A1, DELAYS);
    li(c, A3, PLAIN);
    li(c, A2, 1);
    li(c, A5, ROUNDS + 1);
    const uint32_t round = c->at;
    lw(c, T0, A1, 0);
    addi(c, A1, A1, 4);
    const uint32_t rest = c->at;
    addi(c, T0, T0, -1);
    bne(c, T0, X0, rest);
    sw(c, X0, S0, 0);
    sw(c, A2, A3, 0);
    seen(c);
    addi(c, A2, A2, 1);
    bne(c, A2, A5, round);
    j_self(c);
    start(c, TX_CORE_T0);
}

static void polls(struct code *c, enum tx_core core, unsigned rounds)
{
    li(c, S0, PLAIN);
    li(c, S1, RESULTS + SEEN * (uint32_t)core);
    li(c, A2, 1);
    li(c, A3, rounds + 1);
    const uint32_t loop = c->at;
    lw(c, T1, S0, 0);
    bne(c, T1, A2, loop);
    seen(c);
    addi(c, A2, A2, 1);
    bne(c, A2, A3, loop);
    j_self(c);
    start(c, core);
}

static void begin(const struct pair *p, unsigned turn)
{
    const uint8_t zero[0x400] = {0};
    uint32_t delays[ROUNDS];
    uint32_t random = 54321 + turn;
    for (unsigned i = 0; i < ROUNDS; i++) {
        random = random * 1664525u + 1013904223u;
        delays[i] = 1 + (random >> 16) % (i % 3 == 0 ? 12 : 700);
    }
    for (unsigned k = 0; k < 2; k++) {
        tx_tensix *tile = tx_chip_tensix(p->chip, p->index[k]);
        for (uint32_t to = RESULTS; to < RESULTS + 0x10000; to += sizeof zero) {
            assert_int_equal(tx_tensix_write(tile, to, zero, sizeof zero), TX_OK);
        }
        for (unsigned i = POSTED; i <= NEVER; i++) {
            const uint32_t empty[2] = {0, 15};
            assert_int_equal(tx_write(tx_tensix_machine(tile), TX_FILE_SEMAPHORE, i, empty, 2),
                             TX_OK);
        }
        assert_int_equal(tx_tensix_write(tile, DELAYS, delays, sizeof delays), TX_OK);
        struct code c = code_at(tile, codes[TX_CORE_T2]);
        waits_for_host(&c);
        if (k == 0) {
            j_self(&c);
            start(&c, TX_CORE_T2);
            c = code_at(tile, codes[TX_CORE_T0]);
            posts(&c);
            c = code_at(tile, codes[TX_CORE_T1]);
            answers(&c);
            c = code_at(tile, codes[TX_CORE_B]);
            polls(&c, TX_CORE_B, ROUNDS);
        } else { /* the core sees when its thread has gone on */
            li(&c, S1, RESULTS + SEEN * TX_CORE_T2);
            li(&c, A2, 1);
            const uint32_t loop = c.at;
            lw(&c, T1, S0, 0);
            bne(&c, T1, A2, loop);
            seen(&c);
            j_self(&c);
            start(&c, TX_CORE_T2);
            c = code_at(tile, codes[TX_CORE_NC]);
            polls(&c, TX_CORE_NC, 1);
        }
    }
}

static uint64_t stalls(const struct pair *p, unsigned k)
{
    tx_tensix *tile = tx_chip_tensix(p->chip, p->index[k]);
    return tx_machine_counters(tx_tensix_machine(tile)).stall_cycles;
}

static void expect_same_gates(const struct pair *a, const struct pair *b)
{
    expect_same(a, b);
    for (unsigned k = 0; k < 2; k++) {
        assert_int_equal(stalls(a, k), stalls(b, k));
        for (unsigned thread = 0; thread < TX_THREADS; thread++) {
            const struct tx_gate x =
                tx_gate_read(tx_tensix_machine(tx_chip_tensix(a->chip, a->index[k])), thread);
            const struct tx_gate y =
                tx_gate_read(tx_tensix_machine(tx_chip_tensix(b->chip, b->index[k])), thread);
            assert_int_equal(x.hold, y.hold);
            assert_int_equal(x.since, y.since);
        }
    }
}

static void test_stands(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 16; i++) {
        const struct pair p[2] = {open_pair(chips[i / 8], false), open_pair(chips[i / 8], true)};
        const bool host = i % 2 == 0; /* without one, cores do not nap */
        for (unsigned k = 0; k < 2; k++) {
            if (!host) {
                assert_int_equal(tx_chip_device(p[k].chip, TX_CHIP_PCIE, NULL, NULL), TX_OK);
            }
            begin(&p[k], i);
        }
        for (unsigned part = 0; part < 3; part++) {
            assert_int_equal(tx_chip_cycle(p[0].chip, 1500 + 77 * i), TX_OK);
            assert_int_equal(tx_chip_cycle(p[1].chip, 1500 + 77 * i), TX_OK);
            if (part != 1) {
                expect_same_gates(&p[0], &p[1]);
            }
        }
        assert_int_equal(tx_chip_run(p[0].chip, CYCLES), TX_EDEADLOCK);
        const uint64_t ran = tx_chip_cycles(p[0].chip) - tx_chip_cycles(p[1].chip);
        assert_true(ran < CYCLES); /* it was not the limit that ended it */
        assert_int_equal(tx_chip_cycle(p[1].chip, ran), TX_OK);
        expect_same_gates(&p[0], &p[1]);
        tx_tensix *tile = tx_chip_tensix(p[0].chip, p[0].index[0]);
        for (unsigned n = 0, last = 0; n < ROUNDS; n++) {
            const uint32_t posted = get(tile, RESULTS + SEEN * TX_CORE_T0 + 4 * n);
            const uint32_t answered = get(tile, RESULTS + SEEN * TX_CORE_T1 + 4 * n);
            assert_true(posted > last && answered > posted && answered < posted + 40);
            last = posted;
        }
        assert_true(stalls(&p[0], 1) > 1500); /* T2's word was held all the time */
        assert_int_equal(
            get(tx_chip_tensix(p[0].chip, p[0].index[1]), RESULTS + SEEN * (uint32_t)TX_CORE_T2),
            0);
        for (unsigned k = 0; k < 2; k++) { /* now the host posts */
            const uint32_t posted[2] = {1, 15};
            tx_machine *m = tx_tensix_machine(tx_chip_tensix(p[k].chip, p[k].index[1]));
            assert_int_equal(tx_write(m, TX_FILE_SEMAPHORE, NEVER, posted, 2), TX_OK);
            assert_int_equal(tx_chip_cycle(p[k].chip, 300), TX_OK);
        }
        expect_same_gates(&p[0], &p[1]);
        assert_int_not_equal(
            get(tx_chip_tensix(p[0].chip, p[0].index[1]), RESULTS + SEEN * (uint32_t)TX_CORE_T2),
            0);
        tx_chip_close(p[0].chip);
        tx_chip_close(p[1].chip);
    }
}

/* ---- observers ---- */

enum { MOST = 400000 };

struct told {
    unsigned events, cycles;
    struct {
        uint64_t cycle;
        uint32_t word;
        uint8_t kind, thread;
        const char *text;
    } event[MOST];
    uint64_t cycle[MOST];
};

static void hear(void *user, const struct tx_event *e)
{
    struct told *told = user;
    assert_true(told->events < MOST);
    told->event[told->events].cycle = e->cycle;
    told->event[told->events].word = e->word;
    told->event[told->events].kind = (uint8_t)e->kind;
    told->event[told->events].thread = e->thread;
    told->event[told->events++].text = e->text;
}

static void reached(void *user, uint64_t cycles)
{
    struct told *told = user;
    assert_true(told->cycles < MOST);
    told->cycle[told->cycles++] = cycles;
}

/* In the cycles that it is told of, an observer with jumps hears what one hears without them. */
static void test_observed(void **state)
{
    (void)state;
    struct told *told = calloc(2, sizeof *told);
    assert_non_null(told);
    for (unsigned i = 0; i < 4; i++) {
        const struct pair p[2] = {open_pair(chips[i / 2], false), open_pair(chips[i / 2], false)};
        memset(told, 0, 2 * sizeof *told);
        for (unsigned k = 0; k < 2; k++) {
            const struct tx_chip_observer seen = {.struct_size = sizeof seen,
                                                  .jumps = k,
                                                  .sink = {hear, &told[k]},
                                                  .cycle = reached,
                                                  .user = &told[k]};
            begin(&p[k], i);
            assert_int_equal(tx_chip_observe(p[k].chip, p[k].index[i % 2], &seen), TX_OK);
            assert_int_equal(tx_chip_cycle(p[k].chip, 12000), TX_OK);
        }
        expect_same_gates(&p[0], &p[1]);
        unsigned at = 0;
        unsigned from = 0;
        for (unsigned n = 0; n < told[1].cycles; n++) {
            const uint64_t cycle = told[1].cycle[n] - 1;
            while (from < told[0].events && told[0].event[from].cycle < cycle) {
                from++;
            }
            for (; from < told[0].events && told[0].event[from].cycle == cycle; from++, at++) {
                assert_true(at < told[1].events);
                assert_int_equal(told[1].event[at].cycle, cycle);
                assert_int_equal(told[1].event[at].kind, told[0].event[from].kind);
                assert_int_equal(told[1].event[at].thread, told[0].event[from].thread);
                assert_int_equal(told[1].event[at].word, told[0].event[from].word);
                assert_true(told[1].event[at].text == told[0].event[from].text);
            }
        }
        assert_int_equal(at, told[1].events);
        assert_true(told[1].events > (i % 2 == 0 ? 10000 : 2));
        assert_true(i % 2 == 0 || told[1].cycles < told[0].cycles); /* in the first one B polls */
        tx_chip_close(p[0].chip);
        tx_chip_close(p[1].chip);
    }
    free(told);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stands),
                                       cmocka_unit_test(test_observed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
