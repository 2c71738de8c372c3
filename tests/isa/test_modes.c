/* SPDX-License-Identifier: Apache-2.0 */
/*
 * isa/modes.def: every legal mode of every behaviour has a name, a meaning and a formula; fields
 * exist; a constant has one value; short names follow the vendor's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "isa/row.h"

#include <string.h>

static const enum tx_arch archs[2] = {TX_WORMHOLE, TX_BLACKHOLE};

static const char *text_of(enum tx_arch arch, const struct tx_row *row, unsigned mode,
                           enum tx_insn_mode_part part, char *text)
{
    const enum tx_status status = tx_row_mode_text(arch, row, mode, part, text, 512);
    return status == TX_OK ? text : "";
}

/* A mode is a value of the row's modifier; a row without one has nothing to say. */
static void test_every_mode_is_named(void **state)
{
    (void)state;
    unsigned modes = 0, without = 0;
    for (size_t a = 0; a < 2; a++) {
        const struct tx_row *row;
        for (size_t i = 0; (row = tx_row_at(archs[a], i)) != NULL; i++) {
            const struct isa_row *whole = (const struct isa_row *)(const void *)row;
            const unsigned width = isa_layout(whole, FLD_MOD).width;
            for (unsigned mode = 0; mode < 1u << width && width > 0; mode++) {
                char text[512];
                if ((row->legal >> mode & 1u) == 0) {
                    continue;
                }
                modes++;
                /* A behaviour of both chips has no mode that differs: it would be two rows. */
                for (unsigned part = TX_INSN_MODE_NAME; part <= TX_INSN_MODE_FORMULA; part++) {
                    char other[512];
                    if (row->archs == (1u << TX_WORMHOLE | 1u << TX_BLACKHOLE)) {
                        assert_string_equal(
                            text_of(TX_WORMHOLE, row, mode, (enum tx_insn_mode_part)part, text),
                            text_of(TX_BLACKHOLE, row, mode, (enum tx_insn_mode_part)part, other));
                    }
                }
                for (unsigned part = TX_INSN_MODE_NAME; part <= TX_INSN_MODE_FORMULA; part++) {
                    if (text_of(archs[a], row, mode, (enum tx_insn_mode_part)part, text)[0] == 0 &&
                        !(part == TX_INSN_MODE_NAME && strcmp(row->mnemonic, "SFPNOP") == 0)) {
                        fail_msg("%s mode %u on %s: no part %u", row->id, mode,
                                 tx_arch_name(archs[a]), part);
                    }
                }
            }
            without += width == 0;
        }
    }
    assert_true(modes > 400);
    assert_true(without > 100); /* other units have few modifiers */
}

static void test_whole_texts(void **state)
{
    (void)state;
    /* What the ISA pages of these instructions say of these values, in the table's notation. */
    static const struct {
        enum tx_arch arch;
        uint32_t word;
        const char *name, *formula;
    } cases[] = {
        {TX_BLACKHOLE, 0x7b000006, "LREG_EQ0", "flag = use & (VC == 0)"},
        {TX_BLACKHOLE, 0x8400000f, "INDIRECT_VA|NEGATE_VA|NEGATE_VC|INDIRECT_VD",
         "VA := L[L7 & 15]; VA := -VA; VC := -VC; VD := L[L7 & 15]; VD = VA * VB + VC"},
        {TX_WORMHOLE, 0x86000000, "OFFSET_NONE", "VD = VA * VB + VC"},
        {TX_BLACKHOLE, 0x79000009, "ARG_IMM|CC_GTE0", "VD = VC + sext(imm); flag = VD >= 0"},
        {TX_WORMHOLE, 0x70050000, "FMT_INT8", "VD = sm(sign Dst, Dst >> 5 & 0x7f)"},
        {TX_BLACKHOLE, 0x930c0000, "FMT_SM32", "VD = Dst32"},
        {TX_BLACKHOLE, 0x8e00000d, "IMM8|SMAG32_TO_SMAG8",
         "VB := imm; VD = sign VC . min(round(|VC| >> (VB & 31)), 127)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tx_decoded d;
        char text[512];
        assert_int_equal(tx_decode(cases[i].arch, cases[i].word, &d), TX_OK);
        assert_string_equal(text_of(cases[i].arch, d.row, d.mode, TX_INSN_MODE_NAME, text),
                            cases[i].name);
        assert_string_equal(text_of(cases[i].arch, d.row, d.mode, TX_INSN_MODE_FORMULA, text),
                            cases[i].formula);
        assert_int_equal(tx_row_mode_text(cases[i].arch, d.row, d.mode, TX_INSN_MODE_NAME, text, 2),
                         TX_EINVAL);
    }
    struct tx_decoded d;
    char text[512];
    assert_int_equal(tx_decode(TX_BLACKHOLE, 0x7b000003, &d), TX_OK);
    assert_int_equal(tx_row_mode_text(TX_BLACKHOLE, NULL, 0, TX_INSN_MODE_NAME, text, 512),
                     TX_EINVAL);
    assert_int_equal(tx_decode(TX_BLACKHOLE, 0x94000009, &d), TX_OK); /* SFPSHFT2 has no mode 9 */
    assert_int_equal(tx_row_mode_text(TX_BLACKHOLE, d.row, d.mode, TX_INSN_MODE_NAME, text, 512),
                     TX_ENOENT);
}

/* Which entries of other fields a word selects: the source of SFPMOV only where it is special. */
static void test_holds(void **state)
{
    (void)state;
    static const struct {
        uint32_t word;
        const char *names; /* of all that hold, each followed by a blank */
    } cases[] = {
        {0x7c000910, "COPY "},
        {0x7c000918, "FROM_SPECIAL SPECIAL_RAND "},
        {0x91000081, "IMM16_IS_VALUE REPLACE MACRO_CTRL "},
        {0x8e200001, "FP32_TO_FP16B RND_STOCH "},
        {0x8a00300a, "EI_RI BOTH "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char names[256] = "";
        const struct tx_insn *insn = tx_insn_of(TX_BLACKHOLE, cases[i].word);
        const struct tx_insn_mode *mode;
        for (size_t k = 0; (mode = tx_insn_mode_at(TX_BLACKHOLE, insn, k)) != NULL; k++) {
            if (tx_insn_mode_holds(TX_BLACKHOLE, mode, cases[i].word)) {
                strcat(names, mode->name);
                strcat(names, " ");
            }
            assert_false(tx_insn_mode_holds(TX_BLACKHOLE, mode, 0x84000000)); /* SFPMAD */
        }
        assert_string_equal(names, cases[i].names);
    }
    assert_null(tx_insn_mode_at(TX_BLACKHOLE, NULL, 0));
    assert_null(tx_insn_mode_at(TX_ARCH_NONE, tx_insn_of(TX_BLACKHOLE, 0x7c000000), 0));
}

static bool ends_one(const char *constants, const char *name)
{
    const size_t length = strlen(name);
    for (const char *p = constants; (p = strstr(p, name)) != NULL; p++) {
        if (p[length] == ' ' || p[length] == '\0') {
            return true;
        }
    }
    return false;
}

/* Value and bits fit, the field exists in some behaviour, a name stands once for each value. */
static void test_entries_are_sound(void **state)
{
    (void)state;
    for (size_t a = 0; a < 2; a++) {
        const struct tx_insn *insn;
        for (size_t i = 0; (insn = tx_insn_at(archs[a], i)) != NULL; i++) {
            const struct tx_insn_mode *m, *other;
            for (size_t k = 0; (m = tx_insn_mode_at(archs[a], insn, k)) != NULL; k++) {
                assert_int_equal(m->value & ~m->bits, 0);
                assert_true(m->meaning[0] != '\0' && m->formula[0] != '\0');
                /* Where the vendor has a name, the short one is the end of one of his. */
                if (m->constants[0] != '\0' && !ends_one(m->constants, m->name)) {
                    fail_msg("%s: %s is not the end of %s", insn->name, m->name, m->constants);
                }
                for (size_t n = 0; n < k; n++) {
                    other = tx_insn_mode_at(archs[a], insn, n);
                    if (m->name[0] != '\0' && strcmp(other->name, m->name) == 0) {
                        fail_msg("%s: %s stands twice", insn->name, m->name);
                    }
                }
            }
        }
    }
}

/* One name, one value: in both tables, whatever the instruction. */
static void test_constants_have_one_value(void **state)
{
    (void)state;
    enum { WH = 1, BH = 2, BOTH = 3, MOST = 1200 };
    static const struct {
        const char *names;
        unsigned value, chips;
    } lists[] = {
#define CONSTANT(chips, text, number) {text, number, chips},
#include "isa/constants.def"
#define MODE(mnemonic, chips, field, bits, number, name, texts, meaning, formula) \
    {texts, number, chips},
#include "isa/modes.def"
    };
    static struct {
        char name[64];
        unsigned value, chips;
    } seen[MOST];
    size_t count = 0;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        for (const char *p = lists[i].names; *p != '\0';) {
            const size_t length = strcspn(p, " ");
            assert_true(length < sizeof seen[0].name && count < MOST);
            memcpy(seen[count].name, p, length);
            seen[count].value = lists[i].value;
            seen[count].chips = lists[i].chips;
            for (size_t k = 0; k < count; k++) {
                if (strcmp(seen[k].name, seen[count].name) == 0 &&
                    (seen[k].chips & seen[count].chips) != 0 &&
                    seen[k].value != seen[count].value) {
                    fail_msg("%s is %u and %u", seen[k].name, seen[k].value, seen[count].value);
                }
            }
            count++;
            p += length + (p[length] == ' ');
        }
    }
    assert_true(count > 600);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_mode_is_named),
        cmocka_unit_test(test_whole_texts),
        cmocka_unit_test(test_holds),
        cmocka_unit_test(test_entries_are_sound),
        cmocka_unit_test(test_constants_have_one_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
