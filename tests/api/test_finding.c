/* SPDX-License-Identifier: Apache-2.0 */
/* A finding as a sentence and as JSON: the forms that every tool shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <tensix/finding.h>
#include <tensix/tile.h>

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <tensix/isa.h>

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

static struct tx_advice advice_for(const char *rule, enum tx_category category, const char *message)
{
    struct tx_finding f = one;
    f.rule = rule;
    f.category = category;
    snprintf(f.message, sizeof f.message, "%s", message);
    return tx_finding_advice(&f);
}

/* The words are those of the rule's source: what the documentation says that repairs it. */
static void test_advice(void **state)
{
    (void)state;
    static const struct {
        const char *rule, *message, *change;
        enum tx_category category;
    } known[] = {
        {"E-HAZ", "SFPMAD in cycle 1 reads L2", "SFPNOP", TX_HAZARD},
        {"E-ADD", "SFPADD without the constant 1", "SFPMAD", TX_NON_CONTRACTUAL_BEHAVIOR},
        {"E-CC", "SFPSETCC while predication is off", "SFPENCC", TX_NON_CONTRACTUAL_BEHAVIOR},
        {"E-STOREDST", "PACR reads rows", "STALLWAIT on the Vector Unit", TX_HAZARD},
        {"E-PACK-DST", "ELWADD writes rows", "STALLWAIT on the packer", TX_HAZARD},
        {"E-LEFT", "L0: what a tile leaves", ".carry", TX_UNPREDICTABLE_VALUE},
        {"E-RISC", "core b at 00001000, ecall: ecall on Blackhole; the core pauses", "ecall",
         TX_UNDEFINED_BEHAVIOR},
        {"E-NOC", "NoC 0: alignment of a request from (20; noc-misaligned)", "modulo 16",
         TX_UNDEFINED_BEHAVIOR},
        {"E-NOC", "NoC 0: a busy initiator was stored to, CTRL (2; noc-busy-initiator)", "CMD_CTRL",
         TX_HAZARD},
        {"TL-6", "core t0 at 00006000, sw: below the local memory, where a stack that has", "stack",
         TX_UNDEFINED_BEHAVIOR},
        {"U2", "UNPACR to rows of Src beyond 63: they wrap", "64", TX_UNDEFINED_BEHAVIOR},
        {"U2", "UNPACR with a burst of 5 rows that leaves its sixteen rows", "sixteen",
         TX_UNDEFINED_BEHAVIOR},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const struct tx_advice a = advice_for(known[i].rule, known[i].category, known[i].message);
        if (strstr(a.change, known[i].change) == NULL) {
            fail_msg("%s, %s: %s", known[i].rule, known[i].message, a.change);
        }
    }
    /* A rule without advice has that of its category, and no two categories have one. */
    const char *seen[TX_HAZARD + 1] = {NULL};
    for (unsigned c = TX_UNDEFINED_BEHAVIOR; c <= TX_HAZARD; c++) {
        seen[c] = advice_for("none", (enum tx_category)c, "").change;
        for (unsigned k = TX_UNDEFINED_BEHAVIOR; k < c; k++) {
            assert_true(seen[k] != seen[c]);
        }
    }
}

/* A clause: it begins with a small letter or a name, stands alone, and ends without a full stop. */
static void clause(const char *rule, const char *text)
{
    static const char *const leans[] = {"it ", "the same", "this ", "those ", "likewise"};
    const size_t length = strlen(text);
    bool good = length > 8 && length < 240 && text[length - 1] != '.' &&
                (islower((unsigned char)text[0]) || !islower((unsigned char)text[1]));
    for (size_t i = 0; i < sizeof leans / sizeof leans[0]; i++) {
        good = good && strncmp(text, leans[i], strlen(leans[i])) != 0;
    }
    if (!good) {
        fail_msg("%s: %s", rule, text);
    }
}

/* Looking through ADVICE, whose lines for one rule would hide one another behind a "". */
static void test_clauses(void **state)
{
    (void)state;
    static const struct {
        const char *evidence, *part, *on_card, *change;
    } lines[] = {
#define ADVICE(evidence_, part_, on_card_, change_) {#evidence_, part_, on_card_, change_},
#define OTHERWISE(category_, on_card_, change_) {#category_, "", on_card_, change_},
#include "isa/advice.def"
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        clause(lines[i].evidence, lines[i].on_card);
        clause(lines[i].evidence, lines[i].change);
        for (size_t k = 0; k < i; k++) {
            if (strcmp(lines[k].evidence, lines[i].evidence) == 0 &&
                strstr(lines[i].part, lines[k].part) != NULL) {
                fail_msg("%s: the line for '%s' is never reached", lines[i].evidence,
                         lines[i].part);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sentence), cmocka_unit_test(test_json),
                                       cmocka_unit_test(test_pushed), cmocka_unit_test(test_advice),
                                       cmocka_unit_test(test_clauses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
