/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Delays by their text (tensix/chip.h): a core stands still for so long, from that cycle; of
 * requests nothing is left after a reset.
 */
#include "chip/ring.h"

#include <stdio.h>

enum { ADDS = 300, LIMIT = 20000, WALL_CLOCK = 0xFFB121F0 };

/* Returns the cycle in which a core has counted; delay: NULL, or what stands behind its
 * coordinates. */
static uint64_t count(const char *product, const char *delay)
{
    struct tx_chip_settings s;
    tx_chip *chip;
    size_t index = 0;
    struct tx_chip_tile t;
    assert_int_equal(tx_chip_settings_default(&s, product), TX_OK);
    s.policy = TX_CHIP_TIMED;
    s.rows = s.columns = 1;
    assert_int_equal(tx_chip_open(&s, &chip), TX_OK);
    do {
        assert_int_equal(tx_chip_tile_at(chip, index++, &t), TX_OK);
    } while (t.kind != TX_CHIP_TENSIX || t.off);
    if (delay != NULL) {
        char text[64];
        snprintf(text, sizeof text, "%u,%u/%s", (unsigned)t.x[0], (unsigned)t.y[0], delay);
        assert_int_equal(tx_chip_delay(chip, text), TX_OK);
    }
    struct code c = code_at(tx_chip_tensix(chip, index - 1), 0x1000);
    for (unsigned i = 0; i < ADDS; i++) {
        addi(&c, A0, A0, 1);
    }
    li(&c, T0, WALL_CLOCK);
    lw(&c, A1, T0, 0);
    result(&c, A1, 0);
    j_self(&c);
    start(&c, TX_CORE_B);
    /* With a delay left a chip goes on until its limit. */
    (void)tx_chip_run(chip, LIMIT);
    const uint64_t cycles = get(c.tile, RESULTS);
    tx_chip_close(chip);
    return cycles;
}

static void test_core(void **state)
{
    static const char *const products[] = {"n150", "p150"};
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        const uint64_t plain = count(products[i], NULL);
        assert_in_range(plain, ADDS, LIMIT);
        /* A cycle or two in which it would have waited of itself are among them. */
        assert_in_range(count(products[i], "b@100+250"), plain + 248, plain + 250);
        assert_in_range(count(products[i], "b@100+10203"), plain + 10201, plain + 10203);
        assert_int_equal(count(products[i], "t0@100+250"), plain); /* another core */
    }
}

/* The first round's write of each tile is late, and what must not overtake it. */
static struct ring open_late(const char *product)
{
    const struct tx_chip_settings timed = {.policy = TX_CHIP_TIMED};
    const struct ring r = open_ring(product, &timed);
    for (unsigned k = 0; k < TILES; k++) {
        struct tx_chip_tile t;
        char text[64];
        assert_int_equal(tx_chip_tile_at(r.chip, r.index[k], &t), TX_OK);
        snprintf(text, sizeof text, "%u,%u/n%u/2>dst+300", (unsigned)t.x[0], (unsigned)t.y[0],
                 k % 2);
        assert_int_equal(tx_chip_delay(r.chip, text), TX_OK);
    }
    return r;
}

/* Requests are late before the reset at times that are far ahead after it. */
static void test_reset(void **state)
{
    static const char *const products[] = {"n150", "p150"};
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        const struct ring a = open_late(products[i]);
        const struct ring b = open_late(products[i]);
        assert_int_equal(tx_chip_cycle(a.chip, 9000), TX_OK);
        begin(&a);
        assert_int_equal(tx_chip_cycle(a.chip, CYCLES), TX_OK);
        tx_chip_reset(a.chip);
        begin(&a);
        begin(&b);
        assert_int_equal(tx_chip_cycle(a.chip, CYCLES), TX_OK);
        assert_int_equal(tx_chip_cycle(b.chip, CYCLES), TX_OK);
        expect_values(&b);
        expect_same(&a, &b);
        tx_chip_close(a.chip);
        tx_chip_close(b.chip);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_core), cmocka_unit_test(test_reset)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
