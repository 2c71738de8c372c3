/* SPDX-License-Identifier: Apache-2.0 */
/* Words to text: against the vendor's own expectations, and back through the assembler. */
#include <tensix/asm.h>

#include "isa/insn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifndef TX_SOURCE_DIR
#define TX_SOURCE_DIR "."
#endif

static const enum tx_arch chips[] = {TX_WORMHOLE, TX_BLACKHOLE};

static uint32_t assemble_one(enum tx_arch arch, const char *text)
{
    const struct tx_asm_options options = {.arch = arch};
    struct tx_program *program = NULL;
    struct tx_diag diag;
    if (tx_assemble(text, strlen(text), &options, &program, &diag) != TX_OK) {
        fail_msg("%s: %s", text, diag.message);
    }
    assert_int_equal(tx_program_count(program, TX_SECTION_TILE), 1);
    const uint32_t word = tx_program_words(program, TX_SECTION_TILE)[0];
    tx_program_free(program);
    return word;
}

static void expect(enum tx_arch arch, uint32_t word, enum tx_dis_style style, const char *text)
{
    char line[128];
    const enum tx_status status = tx_disassemble(arch, word, style, line, sizeof line);
    assert_string_equal(line, text);
    assert_int_equal(status, tx_insn_of(arch, word) != NULL ? TX_OK : TX_ENOENT);
    assert_int_equal(assemble_one(arch, text), word);
}

/* ---- facts of the vendor's test-suite ---- */

static void vendor_file(enum tx_arch arch, const char *path)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    bool seen[INSN_COUNT] = {false};
    char line[256];
    unsigned count = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#') {
            continue;
        }
        char *text = strchr(line, '\t');
        assert_non_null(text);
        *text++ = '\0';
        const uint32_t word = (uint32_t)strtoul(line, NULL, 16);
        char got[128];
        assert_int_equal(tx_disassemble(arch, word, TX_DIS_OBJDUMP, got, sizeof got), TX_OK);
        char *tab = strchr(got, '\t');
        if (tab != NULL) {
            *tab = ' ';
        }
        assert_string_equal(got, text);
        assert_int_equal(assemble_one(arch, text), word);
        /* Plain text is plain in the other style too. */
        assert_int_equal(tx_disassemble(arch, word, TX_DIS_NORMAL, got, sizeof got), TX_OK);
        assert_string_equal(got, text);
        seen[insn_id_of(arch, word)] = true;
        count++;
    }
    fclose(file);
    assert_true(count > 600);
    for (int id = 1; id < INSN_COUNT; id++) {
        const struct tx_insn *insn = insn_get(arch, (enum insn_id)id);
        /* The vendor's objdump lacks Blackhole's TRNSPSRCA, which its instruction list has. */
        const bool listed = arch != TX_BLACKHOLE || id != INSN_TRNSPSRCA;
        if (insn != NULL && !seen[id] && listed) {
            fail_msg("%s is not in %s", insn->name, path);
        }
    }
}

static void test_vendor_blackhole(void **state)
{
    (void)state;
    vendor_file(TX_BLACKHOLE, TX_SOURCE_DIR "/tests/data/objdump-bh.tsv");
}

static void test_vendor_wormhole(void **state)
{
    (void)state;
    vendor_file(TX_WORMHOLE, TX_SOURCE_DIR "/tests/data/objdump-wh.tsv");
}

/* ---- single forms ---- */

static void test_normal(void **state)
{
    (void)state;
    const enum tx_arch bh = TX_BLACKHOLE, wh = TX_WORMHOLE;
    expect(bh, 0x84012340, TX_DIS_NORMAL, "sfpmad L4,L1,L2,L3,0");
    expect(bh, 0x84f12340, TX_DIS_NORMAL, "sfpmad L4,L1,L2,L3,0 !unused=0xf00000");
    expect(bh, 0x840123c0, TX_DIS_NORMAL, "sfpmad L12,L1,L2,L3,0");
    expect(bh, 0x7c00f140, TX_DIS_NORMAL, "sfpmov L4,L1,0 !imm12_math=0x00f");
    expect(bh, 0x85031240, TX_DIS_NORMAL, "sfpadd L4,L1,L2,0 !lreg_src_a=L3");
    expect(bh, 0x850a1240, TX_DIS_NORMAL, "sfpadd L4,L1,L2,0");
    expect(wh, 0x86031740, TX_DIS_NORMAL, "sfpmul L4,L3,L1,0 !lreg_src_c=L7");
    expect(bh, 0x8f000001, TX_DIS_NORMAL, "sfpnop !unused=0x000001");
    expect(bh, 0x93506005, TX_DIS_NORMAL, "sfploadmacro 1,L5,5,0,3");
    expect(bh, 0x93507c05, TX_DIS_NORMAL, "sfploadmacro 1,L5,5,0,3 !dest_reg_addr=0x1c05");
    expect(wh, 0x42004000, TX_DIS_NORMAL,
           "ttunpacr 0,0,0,0,0,0,0,0,0,0,0,0,0 !CfgContextCntInc=0x2");
    expect(wh, 0x42001c00, TX_DIS_NORMAL, "ttunpacr 0,0,1,7,4,0,0,0,0,0,0,0,0");
    expect(bh, 0x99000000, TX_DIS_NORMAL, "sfparecip L0,L0,0");
    expect(wh, 0x99000000, TX_DIS_NORMAL, ".word 0x99000000");
    expect(bh, 0x00000000, TX_DIS_NORMAL, ".word 0x00000000");
}

static void test_objdump(void **state)
{
    (void)state;
    const enum tx_arch bh = TX_BLACKHOLE;
    expect(bh, 0x84012340, TX_DIS_OBJDUMP, "sfpmad\tL4,L1,L2,L3,0");
    expect(bh, 0x84f12340, TX_DIS_OBJDUMP, ".insn\t4, 0x13c48d02");
    expect(bh, 0x7a123405, TX_DIS_OBJDUMP, "sfpshft\tL0,L4,0x123,5");
    expect(bh, 0x7100ffff, TX_DIS_OBJDUMP, "sfploadi\tL0,-1,0");
    expect(bh, 0x70001fff, TX_DIS_OBJDUMP, "sfpload\tL0,8191,0,0");
    expect(bh, 0x02000000, TX_DIS_OBJDUMP, "ttnop");
    expect(bh, 0x02000001, TX_DIS_OBJDUMP, ".insn\t4, 0x08000004");
    expect(bh, 0xffffffff, TX_DIS_OBJDUMP, ".word 0xffffffff");
}

static void test_macro(void **state)
{
    (void)state;
    const enum tx_arch bh = TX_BLACKHOLE;
    expect(bh, 0x84012340, TX_DIS_MACRO, "TTI_SFPMAD(1, 2, 3, 4, 0)");
    expect(bh, 0x8e2f1235, TX_DIS_MACRO, "TTI_SFP_STOCH_RND(1, 15, 1, 2, 3, 5)");
    expect(bh, 0x93506005, TX_DIS_MACRO, "TTI_SFPLOADMACRO(5, 0, 3, 5)");
    expect(bh, 0x7100ffff, TX_DIS_MACRO, "TTI_SFPLOADI(0, 0, 0xffff)");
    expect(bh, 0x03000010, TX_DIS_MACRO, "TTI_MOP_CFG(0x000010)");
    expect(bh, 0x02000000, TX_DIS_MACRO, "TTI_NOP()");
    expect(bh, 0x02000001, TX_DIS_MACRO, "TTI_NOP() !unused=0x000001");
}

static void test_arguments(void **state)
{
    (void)state;
    char text[128];
    assert_int_equal(tx_disassemble(TX_BLACKHOLE, 0x02000000, TX_DIS_NORMAL, text, 6), TX_OK);
    assert_int_equal(tx_disassemble(TX_BLACKHOLE, 0x02000000, TX_DIS_NORMAL, text, 5), TX_EINVAL);
    assert_string_equal(text, "");
    assert_int_equal(tx_disassemble(TX_ARCH_NONE, 0, TX_DIS_NORMAL, text, 128), TX_EINVAL);
    assert_int_equal(tx_disassemble(TX_BLACKHOLE, 0, (enum tx_dis_style)9, text, 128), TX_EINVAL);
}

/* ---- the tables behind it ---- */

static void test_lookup(void **state)
{
    (void)state;
    const struct tx_insn *rnd = tx_insn_find(TX_BLACKHOLE, "SFPSTOCHRND");
    assert_non_null(rnd);
    static const char *const spellings[] = {
        "sfpstochrnd",         "SfpStochRnd",      "SFP_STOCH_RND",   "TTI_SFP_STOCH_RND",
        "TT_OP_SFP_STOCH_RND", "TT_SFP_STOCH_RND", "TTI_SFPSTOCHRND",
    };
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        assert_ptr_equal(tx_insn_find(TX_BLACKHOLE, spellings[i]), rnd);
    }
    assert_non_null(tx_insn_find(TX_WORMHOLE, "ttreplay"));
    assert_non_null(tx_insn_find(TX_WORMHOLE, "REPLAY"));
    assert_non_null(tx_insn_find(TX_WORMHOLE, "mopcfg"));
    assert_null(tx_insn_find(TX_WORMHOLE, "sfparecip"));
    assert_null(tx_insn_find(TX_BLACKHOLE, "TTI_"));
    assert_null(tx_insn_find(TX_BLACKHOLE, ""));
    assert_null(tx_insn_find(TX_ARCH_NONE, "sfpmad"));
    assert_null(tx_insn_of(TX_ARCH_NONE, 0x84000000));
    assert_int_equal(insn_id_of(TX_BLACKHOLE, 0x84000000), INSN_SFPMAD);
    assert_int_equal(insn_id_of(TX_WORMHOLE, 0x99000000), INSN_NONE);
    assert_null(insn_get(TX_WORMHOLE, INSN_SFPARECIP));
    assert_null(insn_get(TX_WORMHOLE, INSN_NONE));
    assert_null(insn_get(TX_WORMHOLE, INSN_COUNT));
}

static void test_listing(void **state)
{
    (void)state;
    static const size_t counts[] = {128, 137};
    for (size_t c = 0; c < 2; c++) {
        int last = -1;
        size_t n = 0;
        for (const struct tx_insn *insn; (insn = tx_insn_at(chips[c], n)) != NULL; n++) {
            assert_true(insn->opcode > last);
            last = insn->opcode;
            assert_ptr_equal(tx_insn_of(chips[c], (uint32_t)insn->opcode << 24), insn);
            assert_ptr_equal(tx_insn_find(chips[c], insn->name), insn);
            assert_ptr_equal(tx_insn_find(chips[c], insn->macro), insn);
            assert_true(insn->unit != TX_UNIT_NONE && insn->unit < TX_UNIT_COUNT);
            unsigned modes = 0;
            for (unsigned f = 0; f < insn->field_count; f++) {
                modes += insn->fields[f].kind == TX_FIELD_MOD;
            }
            assert_true(modes <= 1); /* "the modifier" is one */
        }
        assert_int_equal(n, counts[c]);
    }
}

static void test_fields(void **state)
{
    (void)state;
    for (size_t c = 0; c < 2; c++) {
        const struct tx_insn *insn;
        for (size_t n = 0; (insn = tx_insn_at(chips[c], n)) != NULL; n++) {
            for (uint32_t i = 0; i < 200; i++) {
                const uint32_t word =
                    (uint32_t)insn->opcode << 24 | (i * UINT32_C(2654435761) >> 8);
                uint32_t fields[TX_INSN_MAX_FIELDS], back = 0;
                const uint32_t rest = insn_fields_extract(insn, word, fields);
                assert_int_equal(insn_fields_encode(insn, fields, &back), TX_OK);
                assert_int_equal(back | rest, word);
                assert_int_equal(rest & insn_field_mask(insn), 0);
            }
            if (insn->field_count > 0) {
                uint32_t fields[TX_INSN_MAX_FIELDS] = {0}, back = 0;
                fields[0] = UINT32_C(1) << insn->fields[0].width;
                assert_int_equal(insn_fields_encode(insn, fields, &back), TX_EINVAL);
            }
        }
    }
    assert_int_equal(tx_ttinsn(0x84A12355), 0x12848d56);
    assert_int_equal(tx_ttinsn_undo(0x12848d56), 0x84A12355);
}

/* ---- there and back ---- */

enum { WORDS = 1000000, BATCH = 4096, LINE = 128 };

static uint32_t random32(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 32);
}

static void round_trip(enum tx_arch arch, enum tx_dis_style style)
{
    static char text[BATCH * LINE];
    static uint32_t words[BATCH];
    uint64_t state = (uint64_t)arch * 77 + (uint64_t)style;
    const struct tx_asm_options options = {.arch = arch};
    size_t longest = 0;
    for (size_t done = 0; done < WORDS; done += BATCH) {
        size_t length = 0;
        for (size_t i = 0; i < BATCH; i++) {
            words[i] = random32(&state);
            if ((i & 1) != 0) {
                words[i] &= random32(&state) | UINT32_C(0xff000000);
            }
            const enum tx_status status =
                tx_disassemble(arch, words[i], style, text + length, LINE);
            assert_true(status == TX_OK || status == TX_ENOENT);
            const size_t n = strlen(text + length);
            longest = n > longest ? n : longest;
            length += n;
            text[length++] = '\n';
        }
        struct tx_program *program = NULL;
        struct tx_diag diag;
        if (tx_assemble(text, length, &options, &program, &diag) != TX_OK) {
            fail_msg("line %u: %s: %s", diag.line, diag.message, diag.source);
        }
        assert_int_equal(tx_program_count(program, TX_SECTION_TILE), BATCH);
        assert_memory_equal(tx_program_words(program, TX_SECTION_TILE), words, sizeof words);
        tx_program_free(program);
    }
    assert_true(longest < LINE - 1);
}

static void test_round_trip(void **state)
{
    (void)state;
    for (size_t c = 0; c < 2; c++) {
        round_trip(chips[c], TX_DIS_NORMAL);
        round_trip(chips[c], TX_DIS_OBJDUMP);
        round_trip(chips[c], TX_DIS_MACRO);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vendor_blackhole),
        cmocka_unit_test(test_vendor_wormhole),
        cmocka_unit_test(test_normal),
        cmocka_unit_test(test_objdump),
        cmocka_unit_test(test_macro),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_lookup),
        cmocka_unit_test(test_listing),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
