/* SPDX-License-Identifier: Apache-2.0 */
/* MOP and REPLAY against an expander of their own, a few thousand of the campaign's programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "expand.h"

static void test_expand(void **state)
{
    (void)state;
    static struct expand_seen seen;
    for (int arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        struct tx_settings settings;
        tx_machine *m;
        tx_settings_default(&settings, (enum tx_arch)arch);
        settings.sink.event = expand_event;
        settings.sink.user = &seen;
        assert_int_equal(tx_open(&settings, &m), TX_OK);
        for (uint64_t seed = 1; seed <= 4000; seed++) {
            char text[160];
            if (!expand_check((enum tx_arch)arch, m, &seen, seed << 20, text)) {
                fail_msg("%s, program %u: %s", tx_arch_short((enum tx_arch)arch), (unsigned)seed,
                         text);
            }
        }
        tx_close(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_expand)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
