/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that wait for what never comes end at once, and the list of waits names the chain; the
 * same programs without their mistake end and list nothing. Who has to be named: spec/chip.md 16,
 * A7, and 2.10.
 */
#include "chip/niu.h"

enum { FLAG = 0x20000, LIMIT = 200000, WAITS = 16 };

static const struct way {
    const char *product;
    enum tx_chip_policy policy;
    uint32_t x, y; /* of the tile, and of the one to its right */
} ways[] = {
    {"p150", TX_CHIP_TIMED, 1, 2},   {"n150", TX_CHIP_TIMED, 18, 18},
    {"p150", TX_CHIP_PROMPT, 1, 2},  {"n150", TX_CHIP_PROMPT, 18, 18},
    {"p150", TX_CHIP_ADVERSE, 1, 2}, {"n150", TX_CHIP_ADVERSE, 18, 18},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

struct bench {
    tx_chip *chip;
    enum tx_arch arch;
    tx_tensix *tile;
    size_t index;
    uint32_t own, other; /* names */
    struct code c;
    struct tx_chip_wait wait[WAITS];
};

static struct bench open_bench(const struct way *w)
{
    struct tx_chip_settings s;
    struct bench b = {.own = w->x | w->y << 6, .other = (w->x + 1) | w->y << 6};
    const struct tx_chip_place at = {.x = w->x, .y = w->y};
    const struct tx_chip_place beside = {.x = w->x + 1, .y = w->y};
    uint8_t zero[0x100] = {0};
    assert_int_equal(tx_chip_settings_default(&s, w->product), TX_OK);
    s.policy = w->policy;
    s.adverse_delay = 300;
    s.rows = 1;
    s.columns = 2;
    assert_int_equal(tx_chip_open(&s, &b.chip), TX_OK);
    b.arch = s.arch;
    assert_int_equal(tx_chip_find(b.chip, at, &b.index), TX_OK);
    b.tile = tx_chip_tensix(b.chip, b.index);
    assert_int_equal(tx_chip_write(b.chip, at, FLAG, zero, sizeof zero), TX_OK);
    assert_int_equal(tx_chip_write(b.chip, beside, FLAG, zero, sizeof zero), TX_OK);
    b.c = code_at(b.tile, 0x1000);
    return b;
}

static uint32_t initiator(const struct bench *b, unsigned i)
{
    return NIU + i * layouts[b->arch == TX_BLACKHOLE].step;
}

/* A request of initiator i from and to FLAG; write: towards "at". */
static void request(struct bench *b, unsigned i, uint32_t control, uint32_t target, uint32_t back)
{
    const struct layout *l = &layouts[b->arch == TX_BLACKHOLE];
    place(&b->c, b->arch, initiator(b, i), FLAG, target);
    place(&b->c, b->arch, initiator(b, i) + 0xC, FLAG + 0x40, back);
    store(&b->c, initiator(b, i) + 0x1C, control);
    store(&b->c, initiator(b, i) + 0x20, 16);
    store(&b->c, initiator(b, i) + l->command, 1);
}

/* Polls a word until it has a value; returns where it is read. */
static uint32_t poll(struct bench *b, uint32_t address, uint32_t until)
{
    li(&b->c, S0, address);
    li(&b->c, S1, until);
    const uint32_t loop = b->c.at;
    lw(&b->c, T1, S0, 0);
    bne(&b->c, T1, S1, loop);
    return loop;
}

static size_t finish(struct bench *b, enum tx_status want)
{
    j_self(&b->c);
    start(&b->c, TX_CORE_B);
    assert_int_equal(tx_chip_run(b->chip, LIMIT), want);
    assert_true(tx_chip_cycles(b->chip) < LIMIT / 2); /* not by patience */
    return tx_chip_waits(b->chip, b->wait, WAITS);
}

static bool found(const struct bench *b, const char *name)
{
    for (size_t i = 0; i < tx_finding_count(tx_tensix_machine(b->tile)); i++) {
        if (strstr(tx_finding_at(tx_tensix_machine(b->tile), i)->message, name) != NULL) {
            return true;
        }
    }
    for (size_t i = 0; i < tx_chip_finding_count(b->chip); i++) {
        if (strstr(tx_chip_finding_at(b->chip, i)->message, name) != NULL) {
            return true;
        }
    }
    return false;
}

static void expect_word(const struct bench *b, size_t i, uint32_t address, uint32_t value,
                        uint32_t next)
{
    const struct tx_chip_wait *w = &b->wait[i];
    assert_int_equal(w->kind, TX_CHIP_WAIT_WORD);
    assert_int_equal(w->tile, b->index);
    assert_int_equal(w->who, TX_CORE_B);
    assert_int_equal(w->address, address);
    assert_int_equal(w->value, value);
    assert_int_equal(w->next, next);
}

/* A semaphore that nobody sets, and one that another tile sets. */
static void test_semaphore(void **state)
{
    (void)state;
    for (unsigned i = 0; i < WAYS; i++) {
        struct bench b = open_bench(&ways[i]);
        poll(&b, FLAG, 1);
        assert_int_equal(finish(&b, TX_EDEADLOCK), 1);
        expect_word(&b, 0, FLAG, 0, TX_CHIP_UNKNOWN);
        assert_non_null(strstr(b.wait[0].text, "core b at 000010"));
        assert_int_equal(tx_chip_waits(b.chip, NULL, 0), 1);
        tx_chip_close(b.chip);
        b = open_bench(&ways[i]);
        const struct tx_chip_place beside = {.x = b.other & 63u, .y = b.other >> 6};
        size_t index;
        uint8_t one[16] = {1};
        assert_int_equal(tx_chip_find(b.chip, beside, &index), TX_OK);
        assert_int_equal(tx_chip_write(b.chip, beside, FLAG, one, sizeof one), TX_OK);
        struct bench writer = b;
        writer.c = code_at(tx_chip_tensix(b.chip, index), 0x1000);
        request(&writer, 0, 0x2092, b.other, b.own);
        j_self(&writer.c);
        poll(&b, FLAG + 0x40, 1);
        start(&writer.c, TX_CORE_B);
        assert_int_equal(finish(&b, TX_OK), 0);
        tx_chip_close(b.chip);
    }
}

/* A read of a coordinate where nothing is; the program waits for its answer. */
static void test_nowhere(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2 * WAYS; i++) {
        const bool right = i % 2 != 0;
        struct bench b = open_bench(&ways[i / 2]);
        const uint32_t nowhere = b.arch == TX_BLACKHOLE ? 1 | 31 << 6 : 15 | 15 << 6;
        request(&b, 1, 0x2090, right ? b.other : nowhere, b.own);
        poll(&b, NIU + 0x208, 1);
        const size_t n = finish(&b, right ? TX_OK : TX_EDEADLOCK);
        assert_int_equal(n, right ? 0 : 2);
        if (!right) {
            assert_int_equal(b.wait[0].kind, TX_CHIP_WAIT_ANSWER);
            assert_int_equal(b.wait[0].noc, 0);
            assert_int_equal(b.wait[0].who, TX_CORE_B);
            assert_int_equal(b.wait[0].address, FLAG);
            expect_word(&b, 1, NIU + 0x208, 0, 0);
            assert_non_null(strstr(b.wait[1].text, "NIU_MST_RD_RESP_RECEIVED"));
        }
        assert_int_equal(found(&b, "noc-no-answer"), !right);
        tx_chip_close(b.chip);
    }
}

/* A barrier that counts one acknowledgement too many. */
static void test_count(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2 * WAYS; i++) {
        const bool right = i % 2 != 0;
        struct bench b = open_bench(&ways[i / 2]);
        request(&b, 0, 0x81B2, b.own, b.other | b.own << 12); /* own tile not included */
        poll(&b, NIU + 0x204, right ? 1 : 2);
        const size_t n = finish(&b, right ? TX_OK : TX_EDEADLOCK);
        assert_int_equal(n, right ? 0 : 1);
        if (!right) {
            expect_word(&b, 0, NIU + 0x204, 1, TX_CHIP_UNKNOWN);
            assert_non_null(strstr(b.wait[0].text, "NIU_MST_WR_ACK_RECEIVED"));
        }
        tx_chip_close(b.chip);
    }
}

/* A broadcast to a rectangle without any tile that takes it. */
static void test_empty(void **state)
{
    (void)state;
    for (unsigned i = 0; i < WAYS; i++) {
        struct bench b = open_bench(&ways[i]);
        const uint32_t at = b.arch == TX_BLACKHOLE ? 8 | 5 << 6 : 16 | 18 << 6;
        request(&b, 0, 0x81B2, b.own, at | at << 12);
        poll(&b, NIU + 0x204, 1);
        assert_int_equal(finish(&b, TX_EDEADLOCK), 2);
        assert_int_equal(b.wait[0].kind, TX_CHIP_WAIT_ANSWER);
        expect_word(&b, 1, NIU + 0x204, 0, 0);
        assert_true(found(&b, "noc-mcast-empty"));
        tx_chip_close(b.chip);
    }
}

/* A write elsewhere waits behind a linked transaction until that has ended. */
static void test_link(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2 * WAYS; i++) {
        const bool right = i % 2 != 0;
        struct bench b = open_bench(&ways[i / 2]);
        const uint32_t command = layouts[b.arch == TX_BLACKHOLE].command;
        request(&b, 0, 0x2092 | 0x40, b.own, b.other);
        request(&b, 1, 0x2090, b.own, b.own); /* another place: it waits */
        li(&b.c, A0, initiator(&b, 1) + command);
        lw(&b.c, A1, A0, 0);
        result(&b.c, A1, 1000);
        if (right) {
            request(&b, 2, 0x2092, b.own, b.other);
        }
        poll(&b, NIU + 0x208, 1);
        const size_t n = finish(&b, right ? TX_OK : TX_EDEADLOCK);
        assert_int_equal(get(b.tile, RESULTS + 4000), 1); /* it was busy */
        assert_int_equal(n, right ? 0 : 3);
        assert_true(found(&b, "noc-linked-broken"));
        assert_int_equal(found(&b, "noc-linked-open"), !right);
        if (!right) {
            assert_int_equal(b.wait[0].kind, TX_CHIP_WAIT_OPEN);
            assert_int_equal(b.wait[1].kind, TX_CHIP_WAIT_LINK);
            assert_int_equal(b.wait[1].next, 0);
            assert_int_equal(b.wait[1].on, b.index);
            expect_word(&b, 2, NIU + 0x208, 0, 0);
        }
        tx_chip_close(b.chip);
    }
}

/* A thread of the coprocessor waits for a semaphore, and its core for room in its queue. */
static void test_thread(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct bench b = open_bench(&ways[i]);
        for (unsigned n = 0; n < 64; n++) {
            ttinsn(&b.c, n == 0 ? 0xA6FF8005u : 0x02000000u);
        }
        j_self(&b.c);
        start(&b.c, TX_CORE_T0);
        assert_int_equal(tx_chip_run(b.chip, LIMIT), TX_EDEADLOCK);
        assert_true(tx_chip_cycles(b.chip) < LIMIT / 2);
        const size_t n = tx_chip_waits(b.chip, b.wait, WAITS);
        assert_true(n >= 1);
        assert_int_equal(b.wait[0].kind, TX_CHIP_WAIT_THREAD);
        assert_int_equal(b.wait[0].who, 0);
        tx_chip_close(b.chip);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_semaphore), cmocka_unit_test(test_nowhere),
        cmocka_unit_test(test_count),     cmocka_unit_test(test_empty),
        cmocka_unit_test(test_link),      cmocka_unit_test(test_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
