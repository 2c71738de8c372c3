/* SPDX-License-Identifier: Apache-2.0 */
/*
 * REPLAY: spec/timing.md c.4. An expander of its own (below) says which words reach the back end
 * and how many cycles each REPLAY costs; the machine must agree on random programs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "bridge.h"
#include "coverage/coverage.h"

#include <stdlib.h>

enum { THREAD = 1, MAX_OUT = 8192, MAX_CYCLES = 65536 };

/* ---- the independent expander ---- */

struct expander {
    uint32_t buffer[32];
    uint32_t out[MAX_OUT];
    size_t count;
    unsigned at, left; /* of a recording */
    bool run;
    size_t cycles; /* where nothing stalls */
};

#define REPLAY(index, count, run, load) \
    (0x04000000u | (uint32_t)(index) << 14 | (uint32_t)(count) << 4 | (run) << 1 | (load))

static void expand(struct expander *e, uint32_t word)
{
    if (e->left != 0) {
        e->buffer[e->at] = word;
        e->at = (e->at + 1) % 32;
        e->left--;
        if (e->run) {
            e->out[e->count++] = word;
        }
        e->cycles++;
        return;
    }
    if (word >> 24 != 0x04) {
        e->out[e->count++] = word;
        e->cycles++;
        return;
    }
    unsigned count = word >> 4 & 63;
    const unsigned index = word >> 14 & 31;
    count = count == 0 ? 32 : count;
    if ((word & 1) != 0) {
        e->at = index;
        e->left = count;
        e->run = (word & 2) != 0;
        e->cycles++;
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        e->out[e->count++] = e->buffer[(index + i) % 32];
        e->cycles++;
    }
}

/* ---- the machine, with its issues collected ---- */

struct collected {
    uint32_t words[MAX_OUT];
    size_t count;
    enum tx_arch arch;
};

static void collect(void *user, const struct tx_event *event)
{
    struct collected *c = user;
    coverage_event(&c->arch, event);
    /* REPLAY itself passes too, as an event of the front end */
    if (event->kind == TX_EVENT_ISSUE && event->word >> 24 != 0x04 && c->count < MAX_OUT) {
        c->words[c->count++] = event->word;
    }
}

static struct collected collected;

static tx_machine *open_machine(enum tx_arch arch, enum tx_mode mode)
{
    struct tx_settings settings;
    tx_machine *m;
    tx_settings_default(&settings, arch);
    settings.mode = mode;
    settings.sink.event = collect;
    settings.sink.user = &collected;
    collected.arch = arch;
    collected.count = 0;
    assert_int_equal(tx_open(&settings, &m), TX_OK);
    return m;
}

/* SFPLOADI L1, 16 bits: tells words apart and never stalls. */
static uint32_t numbered(uint32_t n)
{
    return 0x71120000u | (n & 0xFFFFu);
}

static void expect(tx_machine *m, const uint32_t *words, size_t count, const uint32_t *want,
                   size_t want_count, uint64_t cycles)
{
    const struct tx_counters before = tx_machine_counters(m);
    collected.count = 0;
    assert_int_equal(tx_run(m, THREAD, words, count), TX_OK);
    assert_int_equal(collected.count, want_count);
    for (size_t i = 0; i < want_count; i++) {
        assert_int_equal(collected.words[i], want[i]);
    }
    const struct tx_counters after = tx_machine_counters(m);
    assert_int_equal(after.instructions - before.instructions, want_count);
    assert_int_equal(after.cycles - before.cycles, cycles);
}

#define N(a) numbered(a)
#define EACH_CHIP(...)                                                   \
    for (int a_ = TX_WORMHOLE; a_ <= TX_BLACKHOLE; a_++) {               \
        tx_machine *m = open_machine((enum tx_arch)a_, TX_MODE_SILICON); \
        __VA_ARGS__                                                      \
        assert_int_equal(tx_finding_count(m), 0);                        \
        tx_close(m);                                                     \
    }

static void test_record(void **state)
{
    (void)state;
    EACH_CHIP({
        const uint32_t words[] = {N(9), REPLAY(4, 3, 0, 1), N(1), N(2), N(3), N(8)};
        const uint32_t want[] = {N(9), N(8)};
        uint32_t slot;
        expect(m, words, 6, want, 2, 6); /* one cycle a word, four of them idle */
        for (unsigned i = 0; i < 3; i++) {
            assert_int_equal(tx_read(m, TX_FILE_REPLAY, 32 * THREAD + 4 + i, &slot, 1), TX_OK);
            assert_int_equal(slot, N(i + 1));
        }
        assert_int_equal(tx_read(m, TX_FILE_REPLAY, 32 * THREAD + 7, &slot, 1), TX_OK);
        assert_int_equal(slot, 0);
        assert_int_equal(tx_read(m, TX_FILE_REPLAY, 4, &slot, 1), TX_OK);
        assert_int_equal(slot, 0); /* each thread has its own */
        const uint32_t again[] = {REPLAY(4, 3, 0, 0)};
        const uint32_t out[] = {N(1), N(2), N(3)};
        expect(m, again, 1, out, 3, 3);
    })
}

static void test_record_and_execute(void **state)
{
    (void)state;
    EACH_CHIP({
        const uint32_t words[] = {REPLAY(0, 2, 1, 1), N(1), N(2), REPLAY(0, 2, 0, 0),
                                  REPLAY(1, 1, 0, 0)};
        const uint32_t want[] = {N(1), N(2), N(1), N(2), N(2)};
        expect(m, words, 5, want, 5, 5);
    })
}

/* The index wraps at 32, in recording and in replaying; a count of 0 is 32. */
static void test_wrap(void **state)
{
    (void)state;
    EACH_CHIP({
        uint32_t words[34];
        uint32_t want[32];
        words[0] = REPLAY(30, 0, 0, 1);
        for (unsigned i = 0; i < 32; i++) {
            words[1 + i] = N(100 + i);
            want[i] = N(100 + (i + 2) % 32);
        }
        words[33] = REPLAY(0, 0, 0, 0);
        expect(m, words, 34, want, 32, 32);
    })
}

/* Past 32: outside the contract, a finding, and a fault in strict mode. */
static void test_too_many(void **state)
{
    (void)state;
    for (int arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        tx_machine *m = open_machine((enum tx_arch)arch, TX_MODE_SILICON);
        uint32_t words[34] = {REPLAY(0, 32, 0, 1)};
        for (unsigned i = 1; i <= 32; i++) {
            words[i] = N(i);
        }
        words[33] = REPLAY(0, 33, 0, 0);
        assert_int_equal(tx_run(m, THREAD, words, 34), TX_OK);
        assert_int_equal(tx_finding_count(m), 1);
        assert_string_equal(tx_finding_at(m, 0)->rule, "E-REPLAY");
        assert_int_equal(tx_finding_at(m, 0)->category, TX_UNDEFINED_BEHAVIOR);
        tx_close(m);
        m = open_machine((enum tx_arch)arch, TX_MODE_STRICT);
        assert_int_equal(tx_run(m, THREAD, words, 34), TX_FAULT);
        assert_string_equal(tx_fault(m)->rule, "E-REPLAY");
        tx_close(m);
    }
}

/* A word that waits is emitted once. BH: MAD and a reader, replayed; SWAP on both chips. */
static void test_stall(void **state)
{
    (void)state;
    EACH_CHIP({
        /* sfpswap L2,L1,0; sfpnot L3,L2 */
        const uint32_t words[] = {REPLAY(0, 2, 0, 1), 0x92000120, 0x80000230, REPLAY(0, 2, 0, 0),
                                  REPLAY(0, 2, 0, 0)};
        const uint32_t want[] = {0x92000120, 0x80000230, 0x92000120, 0x80000230};
        expect(m, words, 5, want, 4, 6);
        assert_int_equal(tx_machine_counters(m).stall_cycles, 2);
    })
    tx_machine *m = open_machine(TX_BLACKHOLE, TX_MODE_SILICON);
    /* sfpmad L2,L10,L10,L10,0; sfpnot L3,L2 */
    const uint32_t words[] = {REPLAY(0, 2, 1, 1), 0x840AAA20, 0x80000230, REPLAY(0, 2, 0, 0)};
    const uint32_t want[] = {0x840AAA20, 0x80000230, 0x840AAA20, 0x80000230};
    expect(m, words, 4, want, 4, 6);
    tx_close(m);
}

/* A REPLAY among recorded words is stored like any other and, replayed, is no instruction to run.
 */
static void test_recorded_replay(void **state)
{
    (void)state;
    for (int arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        tx_machine *m = open_machine((enum tx_arch)arch, TX_MODE_SILICON);
        const uint32_t words[] = {REPLAY(0, 2, 0, 1), REPLAY(5, 1, 0, 0), N(1)};
        uint32_t slot;
        assert_int_equal(tx_run(m, THREAD, words, 3), TX_OK);
        assert_int_equal(tx_read(m, TX_FILE_REPLAY, 32 * THREAD, &slot, 1), TX_OK);
        assert_int_equal(slot, words[1]);
        const uint32_t again[] = {REPLAY(0, 2, 0, 0)};
        assert_int_equal(tx_run(m, THREAD, again, 1), TX_OK);
        assert_int_equal(collected.count, 1);
        assert_int_equal(collected.words[0], N(1));
        assert_true(tx_finding_count(m) != 0); /* E-REPLAY: inside another replay */
        assert_string_equal(tx_finding_at(m, 0)->rule, "E-REPLAY");
        tx_close(m);
    }
}

/* Unused bits of the word: E-UNUSED. The operands of the assembler are wider than the fields. */
static void test_unused(void **state)
{
    (void)state;
    tx_machine *m = open_machine(TX_BLACKHOLE, TX_MODE_SILICON);
    const uint32_t words[] = {REPLAY(0, 1, 0, 1) | 4u, N(1), REPLAY(0, 1, 0, 0) | 1u << 23};
    assert_int_equal(tx_run(m, THREAD, words, 3), TX_OK);
    assert_int_equal(collected.count, 1);
    assert_true(tx_finding_count(m) == 2);
    assert_string_equal(tx_finding_at(m, 0)->rule, "E-UNUSED");
    tx_close(m);
}

/* The buffer survives between runs and starts anew with a reset; a recording may span two runs. */
static void test_runs(void **state)
{
    (void)state;
    EACH_CHIP({
        const uint32_t first[] = {REPLAY(0, 2, 0, 1), N(1)};
        const uint32_t second[] = {N(2), REPLAY(0, 2, 0, 0)};
        const uint32_t want[] = {N(1), N(2)};
        expect(m, first, 2, NULL, 0, 0);
        expect(m, second, 2, want, 2, 2);
        uint32_t slot;
        tx_reset(m);
        assert_int_equal(tx_read(m, TX_FILE_REPLAY, 32 * THREAD, &slot, 1), TX_OK);
        assert_int_equal(slot, 0);
    })
}

static uint32_t random_program_word(struct bridge_rng *rng, const struct expander *e, uint32_t n)
{
    const uint32_t pick = bridge_u32(rng);
    if (e->left == 0 && (pick & 7u) == 0) {
        const uint32_t more = bridge_u32(rng);
        const uint32_t count = (more & 15u) == 0 ? 0 : 1 + (more >> 4) % 32;
        return REPLAY(more >> 16 & 31u, count, more >> 22 & 1u, more >> 23 & 1u);
    }
    return numbered(n);
}

static void test_random(void **state)
{
    (void)state;
    static struct expander e;
    struct bridge_rng rng = {7};
    for (unsigned program = 0; program < 100000; program++) {
        static tx_machine *machines[3];
        const enum tx_arch arch = (program & 1u) != 0 ? TX_BLACKHOLE : TX_WORMHOLE;
        uint32_t words[40];
        if (machines[arch] == NULL) {
            machines[arch] = open_machine(arch, TX_MODE_SILICON);
        }
        tx_machine *m = machines[arch];
        collected.arch = arch;
        tx_reset(m);
        memset(&e, 0, sizeof e);
        for (unsigned i = 0; i < 32; i++) {
            e.buffer[i] = numbered(0x8000u + i);
            assert_int_equal(tx_write(m, TX_FILE_REPLAY, 32 * THREAD + i, &e.buffer[i], 1), TX_OK);
        }
        const size_t count = 1 + bridge_u32(&rng) % 40;
        for (size_t i = 0; i < count; i++) {
            words[i] = random_program_word(&rng, &e, (uint32_t)i);
            expand(&e, words[i]);
        }
        collected.count = 0;
        assert_int_equal(tx_run(m, THREAD, words, count), TX_OK);
        if (collected.count != e.count ||
            memcmp(collected.words, e.out, e.count * sizeof e.out[0]) != 0) {
            fail_msg("program %u: %zu words, want %zu", program, collected.count, e.count);
        }
    }
}

/* The cycles too: total time is what the expander says, first to last issue trimmed. */
static void test_random_time(void **state)
{
    (void)state;
    static struct expander e;
    struct bridge_rng rng = {11};
    for (unsigned program = 0; program < 2000; program++) {
        tx_machine *m = open_machine(TX_BLACKHOLE, TX_MODE_SILICON);
        uint32_t words[42];
        memset(&e, 0, sizeof e);
        for (unsigned i = 0; i < 32; i++) {
            e.buffer[i] = numbered(0x8000u + i);
            assert_int_equal(tx_write(m, TX_FILE_REPLAY, 32 * THREAD + i, &e.buffer[i], 1), TX_OK);
        }
        size_t count = 1 + bridge_u32(&rng) % 40;
        words[0] = numbered(1000); /* first and last issue at the ends, so that all time counts */
        expand(&e, words[0]);
        for (size_t i = 1; i < count || e.left != 0; i++) {
            words[i % 42] = random_program_word(&rng, &e, (uint32_t)i);
            if (i >= 41) {
                break;
            }
            expand(&e, words[i]);
            count = i + 1;
        }
        if (e.left == 0) {
            words[count] = numbered(2000);
            expand(&e, words[count++]);
            assert_int_equal(tx_run(m, THREAD, words, count), TX_OK);
            assert_int_equal(tx_machine_counters(m).cycles, e.cycles);
        }
        tx_close(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_record), cmocka_unit_test(test_record_and_execute),
        cmocka_unit_test(test_wrap),   cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_stall),  cmocka_unit_test(test_recorded_replay),
        cmocka_unit_test(test_unused), cmocka_unit_test(test_runs),
        cmocka_unit_test(test_random), cmocka_unit_test(test_random_time),
    };
    coverage_open("replay");
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return !coverage_close() || failed != 0;
}
