/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vendor's names as operands: each of tests/data/operand_names.tsv has its value, and gives it
 * to the modifier of the instruction it is named after; short names; what a wrong name suggests.
 */
#include <tensix/asm.h>
#include <tensix/isa.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t word_of(enum tx_arch arch, const char *text)
{
    const struct tx_asm_options options = {.arch = arch};
    tx_program *program = NULL;
    struct tx_diag diag;
    if (tx_assemble(text, strlen(text), &options, &program, &diag) != TX_OK) {
        fail_msg("%s: %s", text, diag.message);
    }
    assert_int_equal(tx_program_count(program, TX_SECTION_TILE), 1);
    const uint32_t word = tx_program_words(program, TX_SECTION_TILE)[0];
    tx_program_free(program);
    return word;
}

/* The instruction that a name begins with: SFPSETCC of sfpi::SFPSETCC_MOD1_LREG_LT0. */
static const struct tx_insn *named_after(enum tx_arch arch, const char *name)
{
    char first[32];
    const char *plain = strncmp(name, "sfpi::", 6) == 0 ? name + 6 : name;
    const size_t length = strcspn(plain, "_");
    if (length >= sizeof first ||
        (strstr(plain, "_MOD0_") == NULL && strstr(plain, "_MOD1_") == NULL)) {
        return NULL;
    }
    memcpy(first, plain, length);
    first[length] = '\0';
    return tx_insn_find(arch, first);
}

static bool as_modifier(enum tx_arch arch, const char *name, uint32_t value)
{
    const struct tx_insn *insn = named_after(arch, name);
    char text[400];
    if (insn == NULL) {
        return false;
    }
    size_t used = (size_t)snprintf(text, sizeof text, "TTI_%s(", insn->macro);
    const struct tx_field *modifier = NULL;
    for (unsigned i = 0; i < insn->field_count; i++) {
        const bool here = strncmp(insn->fields[i].name, "instr_mod", 9) == 0;
        modifier = here ? &insn->fields[i] : modifier;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i > 0 ? ", " : "",
                                 here ? name : "0");
    }
    assert_non_null(modifier);
    assert_true(used + 2 < sizeof text);
    strcat(text, ")");
    assert_int_equal(word_of(arch, text) >> modifier->lsb & 15u, value);
    return true;
}

static void test_vendor_list(void **state)
{
    (void)state;
    FILE *f = fopen(TX_SOURCE_DIR "/tests/data/operand_names.tsv", "r");
    char line[256];
    unsigned names = 0, modifiers = 0;
    assert_non_null(f);
    while (fgets(line, sizeof line, f) != NULL) {
        char name[96], chips[8], text[128];
        unsigned value;
        if (line[0] == '#') {
            continue;
        }
        assert_int_equal(sscanf(line, "%95[^\t]\t%7[^\t]\t%u", name, chips, &value), 3);
        for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
            if (strcmp(chips, "both") != 0 && strcmp(chips, tx_arch_short(arch)) != 0) {
                continue;
            }
            snprintf(text, sizeof text, ".word %s", name);
            if (word_of(arch, text) != value) {
                fail_msg("%s is not %u on %s", name, value, tx_arch_name(arch));
            }
            names++;
            modifiers += as_modifier(arch, name, value);
        }
    }
    fclose(f);
    assert_true(names > 1200 && modifiers > 300);
}

/* Short names belong to one instruction's operands. */
static void test_short_names(void **state)
{
    (void)state;
    assert_int_equal(word_of(TX_BLACKHOLE, "sfpsetcc L3,0,LREG_EQ0"), 0x7b000306);
    assert_int_equal(word_of(TX_BLACKHOLE, "TTI_SFPENCC(BOTH, 0, 0, EI_RI)"), 0x8a00300a);
    assert_int_equal(word_of(TX_WORMHOLE, "sfpload L1,0,FMT_INT32,3"), 0x7014c000);
    assert_int_equal(word_of(TX_BLACKHOLE, "sfpmad L0,L1,L2,L3,NEGATE_VA|NEGATE_VC"), 0x84012303);
    assert_int_equal(word_of(TX_BLACKHOLE, "sfpadd L0,L2,L3,NEGATE_VC"), 0x850a2302);
    assert_int_equal(word_of(TX_BLACKHOLE, "sfpconfig SFPU_CTRL,0,IMM16_IS_VALUE"), 0x910000f1);
    assert_int_equal(word_of(TX_BLACKHOLE, "TTI_SEMPOST(semaphore::t6_sem(semaphore::MATH_PACK))"),
                     0xa4000008);
    assert_int_equal(word_of(TX_BLACKHOLE, "TTI_SEMGET(ckernel::semaphore::t6_sem(7))"),
                     0xa5000200);
}

static void test_suggestions(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"sfpsetcc L0,0,LT0", "did you mean 'LREG_LT0'?"},
        {"sfpsetcc L0,0,SFPSETCC_MOD1_LREG_LT", "did you mean 'SFPSETCC_MOD1_LREG_LT0'?"},
        {"sfpmov L0,L1,sfpi::SFPMOV_MOD1_NEGATED", "did you mean 'SFPMOV_MOD1_NEGATE'?"},
        {"TTI_SETRWC(CLR_A,0,0,0,0,0)", "did you mean 'p_setrwc::CLR_A'?"},
        {"sfpload L0,0,FMT_INT31,3", "did you mean 'FMT_INT32'?"},
        {".set GAIN, 3\n.word GIAN", "did you mean 'GAIN'?"},
        {"TTI_SEMPOST(semaphore::t6_sem(8))", "semaphore 8 is outside 0..7"},
        {"sfpmov L0,L1,LREG_EQ0", "name 'LREG_EQ0' is not defined"}, /* of SFPSETCC */
        {"sfpmov L0,L1,nothing_like_this", "name 'nothing_like_this' is not defined"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct tx_asm_options options = {.arch = TX_BLACKHOLE};
        tx_program *program = NULL;
        struct tx_diag diag;
        assert_int_equal(
            tx_assemble(cases[i].text, strlen(cases[i].text), &options, &program, &diag),
            TX_EPARSE);
        if (strstr(diag.message, cases[i].message) == NULL) {
            fail_msg("%s: %s", cases[i].text, diag.message);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vendor_list),
        cmocka_unit_test(test_short_names),
        cmocka_unit_test(test_suggestions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
