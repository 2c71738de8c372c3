/* SPDX-License-Identifier: Apache-2.0 */
/* Every DMAREG instruction and mode on all pairs of 8-bit operands, low and high, and corners. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "dmareg.h"

/* The build that checks itself does each twice and compares all state: it takes every 61st pair. */
#ifdef TX_CHECK
enum { PAIR_STEP = 61 };
#else
enum { PAIR_STEP = 1 };
#endif

static void test_pairs(void **state)
{
    (void)state;
    static const uint32_t scales[] = {1, 0x01000000u, 0x01010101u};
    for (int arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        struct tx_settings settings;
        tx_machine *m;
        tx_settings_default(&settings, (enum tx_arch)arch);
        assert_int_equal(tx_open(&settings, &m), TX_OK);
        for (unsigned kind = 0; kind < DMAREG_KINDS; kind++) {
            for (uint32_t pair = 0; pair < 1u << 16; pair += PAIR_STEP) {
                const uint32_t scale = scales[(pair ^ pair >> 8) % 3];
                const uint32_t a = (pair & 255) * scale;
                const uint32_t b = (pair >> 8) * scale;
                if (!dmareg_agrees(m, kind, false, pair % 64, 1 + pair % 7, 1 + pair % 5, a, b) ||
                    (scale != 1 &&
                     !dmareg_agrees(m, kind, false, 9, 10, 11, pair & 255, pair >> 8))) {
                    fail_msg("kind %u: %08x, %08x", kind, a, b);
                }
            }
            for (uint32_t b = 0; b < (kind == 6 || kind == 7 ? 32 : 64); b++) {
                for (uint32_t a = 0; a < 256; a++) {
                    assert_true(dmareg_agrees(m, kind, true, 12, b, 13, a * 0x01010101u, 0));
                }
            }
        }
        assert_int_equal(tx_finding_count(m), 0);
        tx_close(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
