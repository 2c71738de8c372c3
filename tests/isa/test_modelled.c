/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every instruction of tests/data/mnemonics.tsv either has a behaviour or is among those of which
 * the specifications say that nobody has published any; those answer Unsupported, with the reason.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <tensix/tensix.h>

#include <stdio.h>
#include <string.h>

/* matrix-unit.md 7.10, timing.md a.9 and a.10 (streams); TBUFCMD has no text anywhere. */
static const char *const nobody_knows[] = {"TRNSPSRCA", "RAREB",      "SETASHRMH0", "SETASHRMH1",
                                           "SETASHRMV", "SETASHRMH",  "SETPKEDGOF", "SETIBRWC",
                                           "TBUFCMD",   "STREAMWAIT", "STREAMWRCFG"};

static bool is_listed(const char *macro)
{
    for (size_t i = 0; i < sizeof nobody_knows / sizeof nobody_knows[0]; i++) {
        if (strcmp(macro, nobody_knows[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* What strict mode and silicon mode answer to the word. */
static void answers_unsupported(enum tx_arch arch, const struct tx_insn *insn, const char *reason)
{
    for (int mode = TX_MODE_SILICON; mode <= TX_MODE_STRICT; mode++) {
        struct tx_settings settings;
        tx_machine *m;
        const uint32_t word = (uint32_t)insn->opcode << 24;
        tx_settings_default(&settings, arch);
        settings.mode = (enum tx_mode)mode;
        assert_int_equal(tx_open(&settings, &m), TX_OK);
        assert_int_equal(tx_run(m, 1, &word, 1), TX_FAULT);
        assert_non_null(tx_fault(m));
        assert_int_equal(tx_fault(m)->category, TX_UNSUPPORTED);
        assert_non_null(strstr(tx_fault(m)->message, insn->macro));
        assert_non_null(strstr(tx_fault(m)->message, reason));
        tx_close(m);
    }
}

static void test_all_modelled(void **state)
{
    (void)state;
    const enum tx_arch archs[2] = {TX_WORMHOLE, TX_BLACKHOLE};
    const unsigned counts[2] = {128, 137};
    for (size_t a = 0; a < 2; a++) {
        const struct tx_insn *insn;
        unsigned count = 0;
        unsigned unknown = 0;
        for (; (insn = tx_insn_at(archs[a], count)) != NULL; count++) {
            const struct tx_row *row;
            const char *reason = tx_insn_undocumented(insn);
            unsigned rows = 0;
            for (size_t i = 0; (row = tx_row_at(archs[a], i)) != NULL; i++) {
                rows += row->insn == insn->opcode;
            }
            if (is_listed(insn->macro)) {
                assert_int_equal(rows, 0);
                assert_non_null(reason);
                answers_unsupported(archs[a], insn, reason);
                unknown++;
            } else {
                if (rows == 0 || reason != NULL) {
                    print_error("%s: %u behaviours, %s\n", insn->macro, rows,
                                reason != NULL ? reason : "not modelled");
                }
                assert_true(rows != 0 && reason == NULL);
            }
        }
        assert_int_equal(count, counts[a]);
        assert_int_equal(unknown, archs[a] == TX_BLACKHOLE ? 11 : 9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_modelled)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
