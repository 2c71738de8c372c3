/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One core stores the clock, and naps; another one, which works alone meanwhile, stores to a word
 * of these or loads one. A word that it stores may hold that value already, as of the time when the
 * other one fell asleep: it counts all the same until that core stores again.
 */
#include "chip/naps.h"

enum { WAIT = 1500 };

static void begin_shown(const struct pair *p, enum tx_core teller, enum tx_core other,
                        unsigned pause)
{
    const struct tx_chip_place at = {.x = p->at[0] & 63u, .y = p->at[0] >> 6};
    const uint8_t zero[0x400] = {0};
    uint32_t delays[ROUNDS];
    for (uint32_t to = RESULTS; to < RESULTS + 0x10000; to += sizeof zero) {
        assert_int_equal(tx_chip_write(p->chip, at, to, zero, sizeof zero), TX_OK);
    }
    for (unsigned i = 0; i < ROUNDS; i++) {
        delays[i] = WAIT + 5 * i;
    }
    assert_int_equal(tx_chip_write(p->chip, at, DELAYS, delays, sizeof delays), TX_OK);
    tx_tensix *tile = tx_chip_tensix(p->chip, p->index[0]);
    struct code c = code_at(tile, codes[teller]);
    tells_time(&c, teller, pause);
    c = code_at(tile, codes[other]);
    li(&c, S0, SHOWN);
    li(&c, S1, RESULTS + SEEN * (uint32_t)other);
    li(&c, A1, DELAYS);
    for (unsigned i = 0; i < ROUNDS; i++) {
        lw(&c, T0, A1, (int)(4 * i));
        const uint32_t rest = c.at;
        addi(&c, T0, T0, -1);
        bne(&c, T0, X0, rest);
        if (i % 2 == 0) {
            sw(&c, X0, S0, 12);
            lw(&c, T1, S0, 12);
        } else {
            lw(&c, T1, S0, 0);
        }
        sw(&c, T1, S1, (int)(4 * i));
        li(&c, A0, CLOCK);
        lw(&c, T1, A0, 0);
        sw(&c, T1, S1, (int)(4 * (ROUNDS + i)));
    }
    j_self(&c);
    start(&c, other);
}

static void test_shown(void **state)
{
    static const enum tx_core tellers[] = {TX_CORE_B, TX_CORE_T1, TX_CORE_NC};
    (void)state;
    for (unsigned i = 0; i < 24; i++) {
        const enum tx_core teller = tellers[i % 3];
        const enum tx_core other = i % 3 != 2 ? TX_CORE_NC : TX_CORE_B;
        const struct pair a = open_pair(chips[i / 12], false);
        const struct pair b = open_pair(chips[i / 12], true);
        begin_shown(&a, teller, other, 3 + 5 * i % 29);
        begin_shown(&b, teller, other, 3 + 5 * i % 29);
        for (unsigned k = 0; k < 3; k++) { /* somebody looks meanwhile */
            assert_int_equal(tx_chip_cycle(a.chip, CYCLES), TX_OK);
            assert_int_equal(tx_chip_cycle(b.chip, CYCLES), TX_OK);
            expect_same_bytes(&a, &b);
            expect_same(&a, &b);
        }
        tx_tensix *tile = tx_chip_tensix(a.chip, a.index[0]);
        assert_true(get(tile, RESULTS + SEEN * other + 4 * (2 * ROUNDS - 1)) > ROUNDS * WAIT);
        tx_chip_close(a.chip);
        tx_chip_close(b.chip);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
