/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ring of tiles (ring.h): that threads, windows, sleep and snapshots cannot be seen is compared
 * with the plain way.
 */
#include "chip/ring.h"

#include <pthread.h>
#include <stdlib.h>

#include <tensix/chip.h>

static const char *const products[2] = {"n150", "p150"};
static const struct tx_chip_settings timed = {.policy = TX_CHIP_TIMED};
static const struct tx_chip_settings prompt = {.policy = TX_CHIP_PROMPT};
static const struct tx_chip_settings adverse = {
    .policy = TX_CHIP_ADVERSE, .seed = 7, .adverse_delay = 100, .start_delay = 3000};

/* The values are the same however long requests take. */
static void test_values(void **state)
{
    (void)state;
    static const struct tx_tensix_settings way = {.untimed = true};
    const struct tx_chip_settings untimed = {.policy = TX_CHIP_PROMPT, .tile = &way};
    const struct tx_chip_settings *const ways[] = {&timed, &prompt, &untimed};
    for (unsigned i = 0; i < 6; i++) {
        const struct ring r = open_ring(products[i % 2], ways[i / 2]);
        begin(&r);
        assert_int_equal(tx_chip_run(r.chip, 10 * CYCLES), TX_EDEADLOCK); /* T0 waits */
        expect_values(&r);
        const uint64_t over = tx_chip_cycles(r.chip);
        for (unsigned k = 0; k < TILES; k++) {
            const struct tx_chip_place at = {.x = r.at[k] & 63u, .y = r.at[k] >> 6};
            const uint8_t one[4] = {1, 0, 0, 0};
            assert_int_equal(tx_chip_write(r.chip, at, TURN + 0x80, one, 4), TX_OK);
        }
        assert_int_equal(tx_chip_run(r.chip, 10 * CYCLES), TX_OK);
        /* A request that takes time is not faster than one that acts at once. */
        if (i / 2 == 0) {
            assert_in_range(over, 2 * TILES * ROUNDS * 100, 10 * CYCLES);
        }
        tx_chip_close(r.chip);
    }
}

/* Sleeping tiles and jumps of time cannot be seen. */
static void test_sleep(void **state)
{
    (void)state;
    struct tx_tensix_settings quick[2] = {{.untimed = false}};
    quick[0].machine.pace[TX_PACED_CORES] = TX_PACE_HALF;
    quick[1].machine.pace[TX_PACED_CORES] = TX_PACE_NONE;
    const struct tx_chip_settings half = {.policy = TX_CHIP_TIMED, .tile = &quick[0]};
    const struct tx_chip_settings none = {.policy = TX_CHIP_TIMED, .tile = &quick[1]};
    const struct tx_chip_settings *const ways[] = {&timed, &prompt, &adverse, &half, &none};
    for (unsigned i = 0; i < 10; i++) {
        struct tx_chip_settings plain = *ways[i / 2];
        const struct ring a = open_ring(products[i % 2], &plain);
        plain.sleepless = true;
        const struct ring b = open_ring(products[i % 2], &plain);
        begin(&a);
        begin(&b);
        assert_int_equal(tx_chip_cycle(a.chip, CYCLES), TX_OK);
        assert_int_equal(tx_chip_cycle(b.chip, CYCLES), TX_OK);
        expect_values(&a);
        expect_same(&a, &b);
        tx_chip_close(a.chip);
        tx_chip_close(b.chip);
    }
}

/*
 * In any legal order of requests, and whenever cores begin: the same values. More threads do not
 * change the order that a seed gives.
 */
static void test_seeds(void **state)
{
    (void)state;
    enum { SEEDS = 20 };
    uint64_t over[SEEDS];
    unsigned others = 0;
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        const struct tx_chip_settings how = {.policy =
                                                 seed % 2 != 0 ? TX_CHIP_ADVERSE : TX_CHIP_TIMED,
                                             .seed = seed,
                                             .adverse_delay = 500,
                                             .start_delay = seed % 4 < 2 ? 3000 : 0};
        const struct ring r = open_ring(products[seed / 2 % 2], &how);
        begin(&r);
        assert_int_equal(tx_chip_run(r.chip, 100 * CYCLES), TX_EDEADLOCK); /* T0 waits */
        expect_values(&r);
        over[seed] = tx_chip_cycles(r.chip);
        for (unsigned i = 0; i < seed; i++) {
            others += over[i] != over[seed] ? 1 : 0;
        }
        tx_chip_close(r.chip);
    }
    assert_in_range(others, SEEDS, SEEDS * SEEDS); /* the seeds do something */
}

/* Lets a core of an Ethernet tile count in a register that it takes as it is; returns the number.
 */
static uint32_t ethernet_counts(tx_chip *chip, bool bh)
{
    enum { CODE = 0x10000, WORD = 0x20000 };
    const struct tx_chip_place at = {.x = bh ? 20 : 18, .y = bh ? 25 : 16};
    const struct tx_chip_place tensix = {.x = bh ? 1 : 18, .y = bh ? 2 : 18};
    const uint32_t pc = CODE;
    const uint32_t run = bh ? 0x1000 : 0;
    size_t index;
    uint8_t program[64], counted[4];
    assert_int_equal(tx_chip_find(chip, tensix, &index), TX_OK);
    struct code c = code_at(tx_chip_tensix(chip, index), CODE);
    li(&c, S0, WORD);
    const uint32_t loop = c.at;
    addi(&c, T2, T2, 1);
    sw(&c, T2, S0, 0);
    bne(&c, T2, 0, loop);
    assert_int_equal(tx_tensix_read(c.tile, CODE, program, sizeof program), TX_OK);
    assert_int_equal(tx_chip_write(chip, at, CODE, program, sizeof program), TX_OK);
    assert_int_equal(tx_chip_write(chip, at, bh ? 0xFFB14000 : 0xFFB9409C, (const uint8_t *)&pc, 4),
                     TX_OK);
    assert_int_equal(tx_chip_write(chip, at, 0xFFB121B0, (const uint8_t *)&run, 4), TX_OK);
    assert_int_equal(tx_chip_cycle(chip, 1000), TX_OK);
    assert_int_equal(tx_chip_read(chip, at, WORD, counted, 4), TX_OK);
    return counted[0] | (uint32_t)counted[1] << 8;
}

/* A reset leaves nothing of what a core of an Ethernet tile was: it starts as in a new chip. */
static void test_ethernet_reset(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct tx_chip_settings s;
        tx_chip *chip;
        assert_int_equal(tx_chip_settings_default(&s, products[i]), TX_OK);
        s.columns = s.rows = 1;
        assert_int_equal(tx_chip_open(&s, &chip), TX_OK);
        const uint32_t first = ethernet_counts(chip, s.arch == TX_BLACKHOLE);
        assert_in_range(first, 50, 1000);
        tx_chip_reset(chip);
        assert_int_equal(ethernet_counts(chip, s.arch == TX_BLACKHOLE), first);
        tx_chip_close(chip);
    }
}

/*
 * A core of an Ethernet tile polls a word and writes down when it changed: also if it sleeps
 * meanwhile, and the time that it takes to sleep is small.
 */
static void test_ethernet(void **state)
{
    (void)state;
    enum { WAIT = 100003, FAR = 2000000000, CODE = 0x10000, WORD = 0x20000 };
    for (unsigned i = 0; i < 4; i++) {
        uint32_t seen[2][4];
        for (unsigned plain = 0; plain < 2; plain++) {
            struct tx_chip_settings s;
            tx_chip *chip;
            assert_int_equal(tx_chip_settings_default(&s, products[i % 2]), TX_OK);
            s.columns = s.rows = 1;
            s.sleepless = plain != 0;
            s.policy = i / 2 == 0 ? TX_CHIP_TIMED : TX_CHIP_PROMPT;
            assert_int_equal(tx_chip_open(&s, &chip), TX_OK);
            const bool bh = s.arch == TX_BLACKHOLE;
            const struct tx_chip_place at = {.x = bh ? 20 : 18, .y = bh ? 25 : 16};
            const struct tx_chip_place tensix = {.x = bh ? 1 : 18, .y = bh ? 2 : 18};
            size_t index;
            assert_int_equal(tx_chip_find(chip, tensix, &index), TX_OK);
            /* The words are written down in a Tensix tile, and copied from there. */
            struct code c = code_at(tx_chip_tensix(chip, index), CODE);
            li(&c, S0, WORD);
            li(&c, A0, 0xFFB121F0);
            for (unsigned k = 0; k < 2; k++) {
                const uint32_t loop = c.at;
                lw(&c, T1, S0, 0);
                addi(&c, T2, T2, 0);
                li(&c, T0, k + 1);
                bne(&c, T1, T0, loop);
                lw(&c, T1, A0, 0);
                sw(&c, T1, S0, (int)(16 + 4 * k));
            }
            j_self(&c);
            uint8_t program[256];
            uint8_t zero[64] = {0};
            const uint32_t pc = CODE;
            const uint32_t run = bh ? 0x1000 : 0;
            assert_int_equal(tx_tensix_read(c.tile, CODE, program, sizeof program), TX_OK);
            assert_int_equal(tx_chip_write(chip, at, CODE, program, sizeof program), TX_OK);
            assert_int_equal(tx_chip_write(chip, at, WORD, zero, sizeof zero), TX_OK);
            assert_int_equal(
                tx_chip_write(chip, at, bh ? 0xFFB14000 : 0xFFB9409C, (const uint8_t *)&pc, 4),
                TX_OK);
            assert_int_equal(tx_chip_write(chip, at, 0xFFB121B0, (const uint8_t *)&run, 4), TX_OK);
            for (uint32_t k = 1; k <= 2; k++) {
                assert_int_equal(tx_chip_cycle(chip, WAIT), TX_OK);
                assert_int_equal(tx_chip_write(chip, at, WORD, &k, 4), TX_OK);
            }
            assert_int_equal(tx_chip_cycle(chip, WAIT), TX_OK);
            assert_int_equal(tx_chip_read(chip, at, WORD + 16, seen[plain], 16), TX_OK);
            assert_in_range(seen[plain][0], WAIT, WAIT + 200);
            assert_in_range(seen[plain][1], 2 * WAIT, 2 * WAIT + 200);
            if (plain == 0) {
                assert_int_equal(tx_chip_cycle(chip, FAR), TX_OK); /* or the test never ends */
            }
            tx_chip_close(chip);
        }
        assert_memory_equal(seen[0], seen[1], sizeof seen[0]);
    }
}

/*
 * Loops that count while they wait, as a heartbeat: in a register, whose low half is written with a
 * mark, and in L1. What they count is that of a chip whose tiles never sleep, to the cycle; and the
 * time that it takes to sleep is small. Variant 2 counts to a bound, and 3 doubles a word of L1:
 * their rounds are not alike.
 */
enum { BEAT_CODE = 0x10000, BEAT_WORD = 0x20000, BEAT_AT = 0x20100 };

static void beat_program(struct code *c, unsigned variant)
{
    const bool memory = variant == 1;
    li(c, S0, BEAT_WORD);
    li(c, S1, 0xFFFF);
    li(c, A0, 0xAABB0000);
    li(c, A2, 0xFFFFF000);
    li(c, A4, 2000);
    const uint32_t loop = c->at;
    addi(c, A2, A2, 1);
    word(c, S1 << 20 | A2 << 15 | 7u << 12 | A1 << 7 | 0x33); /* and a1, a2, s1 */
    word(c, A0 << 20 | A1 << 15 | 6u << 12 | A1 << 7 | 0x33); /* or a1, a1, a0 */
    sw(c, A1, S0, 0x100);
    for (unsigned i = 0; i < 2 && memory; i++) {
        lw(c, A3, S0, 0x104);
        addi(c, A3, A3, 5);
        sw(c, A3, S0, 0x104);
    }
    if (variant == 2) {
        word(c, branch(A2 << 15 | A4 << 20 | 0x63u, c->at, c->at + 12)); /* beq a2, a4, out */
    } else if (variant == 3) {
        lw(c, A3, S0, 0x104);
        word(c, A3 << 20 | A3 << 15 | A3 << 7 | 0x33); /* add a3, a3, a3 */
        addi(c, A3, A3, 1);
        sw(c, A3, S0, 0x104);
    }
    lw(c, T1, S0, 0);
    word(c, branch(T1 << 15 | 0x63u, c->at, loop)); /* beqz t1 */
    sw(c, A2, S0, 0x108);
    j_self(c);
}

struct counting {
    tx_chip *chip;
    struct tx_chip_place at;
};

/* A chip of one Tensix tile, whose core B, or that of an Ethernet tile, counts. */
static struct counting open_counting(unsigned kind, bool sleepless, uint8_t pace)
{
    struct tx_chip_settings s;
    struct tx_tensix_settings tile;
    struct counting n;
    size_t index;
    assert_int_equal(tx_chip_settings_default(&s, products[kind % 2]), TX_OK);
    s.columns = s.rows = 1;
    tx_tensix_settings_default(&tile, s.arch);
    tile.machine.pace[TX_PACED_CORES] = pace;
    s.tile = &tile;
    s.sleepless = sleepless;
    s.policy = kind / 16 == 0 ? TX_CHIP_TIMED : TX_CHIP_PROMPT;
    assert_int_equal(tx_chip_open(&s, &n.chip), TX_OK);
    const bool bh = s.arch == TX_BLACKHOLE;
    const bool ethernet = kind % 4 / 2 != 0;
    const struct tx_chip_place tensix = {.x = bh ? 1 : 18, .y = bh ? 2 : 18};
    const struct tx_chip_place port = {.x = bh ? 20 : 18, .y = bh ? 25 : 16};
    n.at = ethernet ? port : tensix;
    assert_int_equal(tx_chip_find(n.chip, tensix, &index), TX_OK);
    struct code c = code_at(tx_chip_tensix(n.chip, index), BEAT_CODE);
    uint8_t bytes[256];
    const uint8_t zero[0x200] = {0};
    beat_program(&c, kind / 4 % 4);
    assert_int_equal(tx_tensix_read(c.tile, BEAT_CODE, bytes, sizeof bytes), TX_OK);
    assert_int_equal(tx_chip_write(n.chip, n.at, BEAT_CODE, bytes, sizeof bytes), TX_OK);
    assert_int_equal(tx_chip_write(n.chip, n.at, BEAT_WORD, zero, sizeof zero), TX_OK);
    if (!ethernet) {
        start(&c, TX_CORE_B);
        return n;
    }
    const uint32_t pc = BEAT_CODE;
    const uint32_t run = bh ? 0x1000 : 0;
    const uint32_t from = bh ? 0xFFB14000 : 0xFFB9409C;
    assert_int_equal(tx_chip_write(n.chip, n.at, from, (const uint8_t *)&pc, 4), TX_OK);
    assert_int_equal(tx_chip_write(n.chip, n.at, 0xFFB121B0, (const uint8_t *)&run, 4), TX_OK);
    return n;
}

static void test_counting(void **state)
{
    (void)state;
    enum { WAIT = 70001, FAR = 2000000000, SEEN = 3 };
    for (unsigned kind = 0; kind < 32; kind++) {
        uint32_t seen[2][3][SEEN];
        for (unsigned plain = 0; plain < 2; plain++) {
            const struct counting n = open_counting(kind, plain != 0, TX_PACE_REAL);
            for (unsigned k = 0; k < 3; k++) {
                const uint32_t end = k / 2;
                assert_int_equal(tx_chip_write(n.chip, n.at, BEAT_WORD, (const uint8_t *)&end, 4),
                                 TX_OK);
                assert_int_equal(tx_chip_cycle(n.chip, WAIT + 13 * k), TX_OK);
                assert_int_equal(
                    tx_chip_read(n.chip, n.at, BEAT_AT, (uint8_t *)seen[plain][k], 4 * SEEN),
                    TX_OK);
            }
            tx_chip_close(n.chip);
        }
        assert_memory_equal(seen[0], seen[1], sizeof seen[0]);
        assert_int_equal(seen[0][0][0] >> 16, 0xAABB);
        if (kind / 4 % 4 != 2) {
            assert_int_equal((seen[0][2][0] - seen[0][2][2]) & 0xFFFF, 0);
        }
        if (kind / 4 % 4 == 1) { /* as many rounds in each cycle as before */
            const struct counting n = open_counting(kind, false, TX_PACE_REAL);
            uint32_t far[SEEN];
            assert_int_equal(tx_chip_cycle(n.chip, FAR), TX_OK); /* or the test never ends */
            assert_int_equal(tx_chip_read(n.chip, n.at, BEAT_AT, (uint8_t *)far, 4 * SEEN), TX_OK);
            const uint64_t wanted = (uint64_t)seen[0][0][1] * FAR / WAIT % UINT32_MAX;
            assert_in_range(far[1], wanted - wanted / 200, wanted + wanted / 200);
            assert_int_equal(far[0] & 0xFFFF, (far[1] / 10 - 4096) & 0xFFFF);
            tx_chip_close(n.chip);
        }
    }
}

/* Cores that have several rounds in a cycle, and store the clock in each. */
static void test_counting_quick(void **state)
{
    (void)state;
    enum { WAIT = 9001, SEEN = 3 };
    for (unsigned i = 0; i < 64; i++) {
        uint32_t seen[2][SEEN];
        for (unsigned plain = 0; plain < 2; plain++) {
            const struct counting n =
                open_counting(i % 32, plain != 0, i / 32 != 0 ? TX_PACE_NONE : TX_PACE_HALF);
            assert_int_equal(tx_chip_cycle(n.chip, WAIT), TX_OK);
            assert_int_equal(tx_chip_read(n.chip, n.at, BEAT_AT, (uint8_t *)seen[plain], 4 * SEEN),
                             TX_OK);
            tx_chip_close(n.chip);
        }
        assert_memory_equal(seen[0], seen[1], sizeof seen[0]);
    }
}

static void test_reset(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        const struct ring a = open_ring(products[i], &timed);
        const struct ring b = open_ring(products[i], &timed);
        begin(&a);
        assert_int_equal(tx_chip_cycle(a.chip, CYCLES), TX_OK);
        tx_chip_reset(a.chip);
        assert_int_equal(tx_chip_cycle(a.chip, 1003), TX_OK);
        assert_int_equal(tx_chip_cycle(b.chip, 1003), TX_OK);
        begin(&a);
        begin(&b);
        assert_int_equal(tx_chip_cycle(a.chip, CYCLES), TX_OK);
        assert_int_equal(tx_chip_cycle(b.chip, CYCLES), TX_OK);
        expect_values(&a);
        expect_same(&a, &b);
        tx_chip_close(a.chip);
        tx_chip_close(b.chip);
    }
}

/* Firmware of Blackhole has written the word that matrix products look at; a raw chip has none. */
static void test_word(void **state)
{
    (void)state;
    for (unsigned raw = 0; raw < 2; raw++) {
        struct tx_chip_settings s;
        tx_chip *chip;
        assert_int_equal(tx_chip_settings_default(&s, "p150"), TX_OK);
        s.columns = s.rows = 1;
        s.raw = raw != 0;
        assert_int_equal(tx_chip_open(&s, &chip), TX_OK);
        const struct tx_chip_place at = {.x = 1, .y = 2};
        size_t index;
        assert_int_equal(tx_chip_find(chip, at, &index), TX_OK);
        struct code c = code_at(tx_chip_tensix(chip, index), 0x1000);
        lw(&c, T1, X0, 0x10);
        j_self(&c);
        start(&c, TX_CORE_T1);
        assert_int_equal(tx_chip_run(chip, CYCLES), TX_OK);
        assert_int_equal(findings(c.tile, "E-L1INIT"), raw);
        tx_chip_close(chip);
    }
}

/* ---- threads ---- */

struct job {
    void (*task)(void *context, uint32_t part);
    void *context;
    uint32_t part;
};

static void *work(void *user)
{
    const struct job *j = user;
    j->task(j->context, j->part);
    return NULL;
}

/* Runs the parts on threads of their own, the last one first. */
static void spread(void *user, void (*task)(void *context, uint32_t part), void *context,
                   uint32_t parts)
{
    pthread_t thread[8];
    struct job job[8];
    unsigned *calls = user;
    (*calls)++;
    for (uint32_t i = parts; i-- != 0;) {
        job[i] = (struct job){task, context, i};
        assert_int_equal(pthread_create(&thread[i], NULL, work, &job[i]), 0);
    }
    for (uint32_t i = 0; i < parts; i++) {
        pthread_join(thread[i], NULL);
    }
}

static void test_threads(void **state)
{
    (void)state;
    static const uint32_t parts[] = {2, 3, 8};
    for (unsigned i = 0; i < 4; i++) {
        const struct tx_chip_settings *how = i < 2 ? &timed : &adverse;
        const struct ring a = open_ring(products[i % 2], how);
        begin(&a);
        assert_int_equal(tx_chip_cycle(a.chip, CYCLES), TX_OK);
        for (unsigned p = 0; p < 3; p++) {
            unsigned calls = 0;
            const struct tx_chip_executor executor = {
                .struct_size = sizeof executor, .parts = parts[p], .run = spread, .user = &calls};
            const struct ring b = open_ring(products[i % 2], how);
            assert_int_equal(tx_chip_execute(b.chip, &executor), TX_OK);
            begin(&b);
            /* Cut into pieces of odd length, which cannot be seen either. */
            for (unsigned done = 0; done < CYCLES;) {
                const unsigned n = done % 977 + 1 < CYCLES - done ? done % 977 + 1 : CYCLES - done;
                assert_int_equal(tx_chip_cycle(b.chip, n), TX_OK);
                done += n;
            }
            assert_true(calls > 0);
            expect_same(&a, &b);
            tx_chip_close(b.chip);
        }
        tx_chip_close(a.chip);
    }
}

/* ---- snapshots ---- */

static void test_snapshot(void **state)
{
    (void)state;
    static const struct tx_chip_settings *const ways[] = {&timed, &prompt, &adverse};
    for (unsigned i = 0; i < 6; i++) {
        const struct tx_chip_settings *how = ways[i / 2];
        const struct ring a = open_ring(products[i % 2], how);
        const struct ring b = open_ring(products[i % 2], how);
        begin(&a);
        for (unsigned done = 0; done < CYCLES;) {
            const unsigned n = CYCLES - done < 3571 ? CYCLES - done : 3571;
            assert_int_equal(tx_chip_cycle(a.chip, n), TX_OK);
            done += n;
            if (done % 2 != 0) {
                const size_t size = tx_chip_snapshot_size(a.chip);
                uint8_t *bytes = malloc(size);
                assert_non_null(bytes);
                assert_int_equal(tx_chip_snapshot(a.chip, bytes, size - 1), TX_EINVAL);
                assert_int_equal(tx_chip_snapshot(a.chip, bytes, size), TX_OK);
                assert_int_equal(tx_chip_restore(b.chip, bytes, size), TX_OK);
                free(bytes);
                assert_int_equal(tx_chip_cycle(b.chip, CYCLES - done), TX_OK);
                expect_values(&b);
            }
        }
        expect_same(&a, &b);
        tx_chip_close(a.chip);
        tx_chip_close(b.chip);
    }
}

/* Damaged snapshots are refused or give some state; nothing is reached outside the chip. */
static void test_damaged(void **state)
{
    (void)state;
    const struct ring r = open_ring("p150", &timed);
    uint32_t seed = 1;
    begin(&r);
    assert_int_equal(tx_chip_cycle(r.chip, 3000), TX_OK);
    const size_t size = tx_chip_snapshot_size(r.chip);
    uint8_t *good = malloc(2 * size);
    assert_non_null(good);
    assert_int_equal(tx_chip_snapshot(r.chip, good, size), TX_OK);
    for (unsigned i = 0; i < 40; i++) {
        uint8_t *bytes = good + size;
        memcpy(bytes, good, size);
        for (unsigned k = 0; k < 1u << i % 10; k++) {
            seed = seed * 1664525u + 1013904223u;
            bytes[(seed >> 4) % size] = (uint8_t)(seed >> 20);
        }
        const size_t given = i % 4 == 3 ? size / 2 : size;
        if (tx_chip_restore(r.chip, bytes, given) == TX_OK) {
            (void)tx_chip_cycle(r.chip, 200);
        }
    }
    assert_int_equal(tx_chip_restore(r.chip, good, size), TX_OK);
    assert_int_equal(tx_chip_cycle(r.chip, CYCLES), TX_OK);
    expect_values(&r);
    free(good);
    tx_chip_close(r.chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),         cmocka_unit_test(test_sleep),
        cmocka_unit_test(test_seeds),          cmocka_unit_test(test_word),
        cmocka_unit_test(test_counting),       cmocka_unit_test(test_ethernet),
        cmocka_unit_test(test_ethernet_reset), cmocka_unit_test(test_reset),
        cmocka_unit_test(test_threads),        cmocka_unit_test(test_snapshot),
        cmocka_unit_test(test_damaged),        cmocka_unit_test(test_counting_quick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
