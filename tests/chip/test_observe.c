/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an observer of tiles is told (tensix/chip.h): one that lets cycles pass at once in which
 * nothing begins or ends learns what one learns that sees each. Tiles run a ring (ring.h).
 */
#include "chip/ring.h"

#include <stdlib.h>
#include <string.h>

#include <tensix/order.h>

static const struct tx_chip_settings timed = {.policy = TX_CHIP_TIMED};

enum { SEEN = 6000, WINDOW = 16 };

/* Marks of a tile's cores at the end of each cycle; at[n] is 0 where nobody was told of n. */
struct told {
    const tx_tensix *tile;
    uint8_t at[SEEN];
    uint64_t marks[SEEN][TX_CORES];
    struct tx_core_state before[TX_CORES];
    uint64_t last;
};

static bool same(const struct tx_core_state *a, const struct tx_core_state *b)
{
    return a->phase == b->phase && a->address == b->address && a->rests == b->rests &&
           a->waits_for == b->waits_for;
}

/* The end of a cycle. Marks are compared with what they stand for. */
static void told(void *user, uint64_t cycles)
{
    struct told *t = user;
    uint64_t marks[TX_CORES];
    if (cycles >= SEEN) {
        return;
    }
    tx_tensix_core_marks(t->tile, marks);
    for (unsigned c = 0; c < TX_CORES; c++) {
        struct tx_core_state now;
        assert_int_equal(tx_tensix_core(t->tile, (enum tx_core)c, &now), TX_OK);
        if (t->last != 0) {
            assert_int_equal(marks[c] == t->marks[t->last][c], same(&now, &t->before[c]));
        }
        t->before[c] = now;
    }
    memcpy(t->marks[cycles], marks, sizeof marks);
    t->at[cycles] = 1;
    t->last = cycles;
}

/* A tile with a listener does not sleep, in which its cores would go round in loops. */
static void heard(void *user, const struct tx_order *order)
{
    (void)user, (void)order;
}

static struct told *observe(const struct ring *r, bool jumps)
{
    struct told *t = calloc(TILES, sizeof *t);
    assert_non_null(t);
    for (unsigned k = 0; k < TILES; k++) {
        const struct tx_chip_observer seen = {
            .struct_size = sizeof seen, .jumps = jumps, .cycle = told, .user = &t[k]};
        t[k].tile = tx_chip_tensix(r->chip, r->index[k]);
        assert_int_equal(tx_chip_observe(r->chip, r->index[k], &seen), TX_OK);
    }
    return t;
}

static void test_jumps(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        const struct ring a = open_ring(i == 0 ? "n150" : "p150", &timed);
        const struct ring b = open_ring(i == 0 ? "n150" : "p150", &timed);
        unsigned jumped = 0;
        begin(&a);
        begin(&b);
        struct told *each = observe(&a, false);
        struct told *some = observe(&b, true);
        for (unsigned k = 0; k < TILES; k++) { /* nobody sleeps */
            const struct tx_order_sink sink = {.order = heard};
            tx_order_listen(tx_tensix_machine(tx_chip_tensix(b.chip, b.index[k])), &sink);
            assert_int_equal(tx_chip_watch(a.chip, a.index[k], true), TX_OK);
        }
        assert_int_equal(tx_chip_cycle(a.chip, SEEN), TX_OK);
        assert_int_equal(tx_chip_cycle(b.chip, SEEN), TX_OK);
        for (unsigned k = 0; k < TILES; k++) {
            uint64_t last = 0;
            for (uint64_t n = 1; n < SEEN; n++) {
                if (some[k].at[n] == 0) {
                    continue;
                }
                assert_int_equal(each[k].at[n], 1);
                assert_memory_equal(some[k].marks[n], each[k].marks[n], sizeof some[k].marks[n]);
                assert_true(last == 0 || n - last <= WINDOW);
                for (uint64_t m = last + 1; m < n && last != 0; m++) {
                    assert_memory_equal(each[k].marks[m], each[k].marks[last],
                                        sizeof each[k].marks[m]);
                    jumped++;
                }
                last = n;
            }
            assert_int_not_equal(last, 0);
        }
        assert_true(jumped > 1000);
        tx_chip_close(a.chip);
        tx_chip_close(b.chip);
        free(each);
        free(some);
    }
}

/* Only what is known is taken. */
static void test_settings(void **state)
{
    (void)state;
    const struct ring r = open_ring("p150", &timed);
    const struct tx_chip_observer seen = {.struct_size = sizeof seen, .jumps = 2};
    assert_int_equal(tx_chip_observe(r.chip, r.index[0], &seen), TX_EINVAL);
    tx_chip_close(r.chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_jumps),
                                       cmocka_unit_test(test_settings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
