/* SPDX-License-Identifier: Apache-2.0 */
/* A finding as a sentence and as JSON: the forms that every tool shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <tensix/finding.h>
#include <tensix/tile.h>

#include <string.h>

/* SFPABS L0,L1 with modifier 5; it has the modes 0 and 1. */
static const struct tx_finding one = {.size = sizeof one,
                                      .category = TX_NON_CONTRACTUAL_BEHAVIOR,
                                      .arch = TX_BLACKHOLE,
                                      .thread = 2,
                                      .rule = "E-MODE",
                                      .cycle = 7,
                                      .index = 3,
                                      .word = 0x7D000105,
                                      .lanes = 0xFF,
                                      .count = 40000000000,
                                      .message = "a \"word\" \\ of\ttwo lines"};

static void test_sentence(void **state)
{
    (void)state;
    char text[TX_FINDING_TEXT];
    char small[16];
    assert_string_equal(tx_finding_text(&one, text, sizeof text),
                        "NonContractualBehavior: a \"word\" \\ of\ttwo lines [E-MODE]");
    assert_string_equal(tx_finding_text(&one, small, sizeof small), "NonContractualB");
}

static void test_json(void **state)
{
    (void)state;
    static const char expected[] =
        "{\"category\": \"NonContractualBehavior\", \"rule\": \"E-MODE\", \"message\": "
        "\"a \\\"word\\\" \\\\ of\\u0009two lines\", \"arch\": \"blackhole\", \"thread\": 2, "
        "\"cycle\": 7, \"index\": 3, \"word\": \"0x7d000105\", \"text\": \"sfpabs L0,L1,5\", "
        "\"lanes\": \"0x000000ff\", \"count\": 40000000000}";
    char text[TX_FINDING_JSON];
    char small[20];
    assert_int_equal(tx_finding_json(&one, text, sizeof text), sizeof expected - 1);
    assert_string_equal(text, expected);
    assert_int_equal(tx_finding_json(&one, small, sizeof small), sizeof expected - 1);
    assert_string_equal(small, "{\"category\": \"NonCo");
    assert_int_equal(tx_finding_json(&one, NULL, 0), sizeof expected - 1);
}

/* Of a pushed word with which core, and where; and the longest that there is fits. */
static void test_pushed(void **state)
{
    (void)state;
    struct tx_finding f = one;
    char text[TX_FINDING_JSON];
    f.pusher = 1 + TX_CORE_T1;
    f.pusher_pc = 0x6018;
    const size_t length = tx_finding_json(&f, text, sizeof text);
    static const char end[] = ", \"core\": \"t1\", \"pc\": \"0x00006018\"}";
    assert_string_equal(text + length - (sizeof end - 1), end);
    /* What a core's own word has done shows none of Tensix's instructions. */
    strcpy(f.message, "core t0 at 00006014, lw a1, 16(a0): 00021010: load");
    (void)tx_finding_json(&f, text, sizeof text);
    assert_null(strstr(text, "sfpabs"));
    char insn[128] = "as it was";
    assert_false(tx_finding_instruction(&f, insn, sizeof insn));
    assert_string_equal(insn, "as it was");
    assert_true(tx_finding_instruction(&one, insn, sizeof insn));
    assert_string_equal(insn, "sfpabs L0,L1,5");
    memset(f.message, 1, sizeof f.message - 1);
    f.message[sizeof f.message - 1] = '\0';
    assert_true(tx_finding_json(&f, text, sizeof text) < sizeof text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sentence), cmocka_unit_test(test_json),
                                       cmocka_unit_test(test_pushed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
