/* SPDX-License-Identifier: Apache-2.0 */
/* Text to words: syntaxes, expressions, directives, and every error with its place. */
#include <tensix/asm.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct tx_program *assemble(enum tx_arch arch, const char *text)
{
    const struct tx_asm_options options = {.arch = arch};
    struct tx_program *program = NULL;
    struct tx_diag diag;
    if (tx_assemble(text, strlen(text), &options, &program, &diag) != TX_OK) {
        fail_msg("%u:%u: %s\n%s", diag.line, diag.column, diag.message, diag.source);
    }
    return program;
}

/* Words of the tile section, up to the first 0. */
static void words(enum tx_arch arch, const char *text, const uint32_t expected[])
{
    struct tx_program *program = assemble(arch, text);
    size_t n = 0;
    for (; expected[n] != 0; n++) {
        assert_true(n < tx_program_count(program, TX_SECTION_TILE));
        assert_int_equal(tx_program_words(program, TX_SECTION_TILE)[n], expected[n]);
    }
    assert_int_equal(tx_program_count(program, TX_SECTION_TILE), n);
    tx_program_free(program);
}

#define WORDS(arch, text, ...) words(arch, text, (const uint32_t[]){__VA_ARGS__, 0})

static void value(const char *expression, uint32_t expected)
{
    char text[300];
    snprintf(text, sizeof text, ".word %s", expression);
    struct tx_program *program = assemble(TX_BLACKHOLE, text);
    if (tx_program_words(program, TX_SECTION_TILE)[0] != expected) {
        fail_msg("%s is 0x%08x", expression, tx_program_words(program, TX_SECTION_TILE)[0]);
    }
    tx_program_free(program);
}

struct error {
    const char *text;
    unsigned line, column, length;
    const char *message; /* a part of it */
};

static void errors(enum tx_arch arch, const struct error list[], size_t count)
{
    const struct tx_asm_options options = {.arch = arch};
    for (size_t i = 0; i < count; i++) {
        struct tx_program *program = NULL;
        struct tx_diag diag;
        const enum tx_status status =
            tx_assemble(list[i].text, strlen(list[i].text), &options, &program, &diag);
        if (status == TX_OK || program != NULL || strstr(diag.message, list[i].message) == NULL ||
            diag.line != list[i].line || diag.column != list[i].column ||
            diag.length != list[i].length) {
            fail_msg("%s\n-> %u:%u+%u %s", list[i].text, diag.line, diag.column, diag.length,
                     diag.message);
        }
    }
}

#define ERRORS(arch, list) errors(arch, list, sizeof(list) / sizeof(list)[0])

/* ---- what is right ---- */

static void test_syntaxes(void **state)
{
    (void)state;
    const enum tx_arch bh = TX_BLACKHOLE, wh = TX_WORMHOLE;
    WORDS(bh, "sfpmad L4,L1,L2,L3,0", 0x84012340);
    WORDS(bh, "  SFPMAD\tl4 , L1,L2 ,L3, 0 # comment", 0x84012340);
    WORDS(bh, "TTI_SFPMAD(1, 2, 3, 4, 0)", 0x84012340);
    WORDS(bh, "TTI_SFPMAD(p_sfpu::LREG1, LREG2, ckernel::p_sfpu::LREG3, L4, 0); // c", 0x84012340);
    WORDS(bh, "TT_OP_SFPMAD(1,2,3,4,0); TT_SFPMAD(1,2,3,4,0);", 0x84012340, 0x84012340);
    WORDS(bh,
          "TTI_SFPMAD(instr_mod1=0, lreg_dest=4,\n  lreg_src_a=1, // a\n lreg_src_b=2,"
          " /* b */ lreg_src_c=3)\nttnop",
          0x84012340, 0x02000000);
    WORDS(bh, "TTI_SFPMAD(1, 2, lreg_dest=4, lreg_src_c=3, instr_mod1=0)", 0x84012340);
    WORDS(bh, "TTI_SFPNOP; TTI_SFPNOP;TTI_NOP()", 0x8f000000, 0x8f000000, 0x02000000);
    WORDS(bh, "TT_OP(0x84, 0x12340);", 0x84012340);
    WORDS(bh, "0x84012340 # c\n.word 1, 2 // d\n2214667088", 0x84012340, 1, 2, 0x84012350);
    WORDS(bh, ".ttinsn 0x84A12355\n.insn 4, 0x12848d56\n.insn 0x12848d56", 0x84A12355, 0x84A12355,
          0x84A12355);
    WORDS(bh, "sfpload L0,0,0,7\nttreplay 1,2,3,1", 0x7000e000, 0x04004027);
    WORDS(wh, "ttunpacr 0,0,3,0,0,0,0,0,0,0,0,0,0\nttunpacr 0,0,0,7,0,0,0,0,0,0,0,0,0", 0x42002000,
          0x42001800); /* the vendor's own overlap */
    WORDS(wh, "sfpload L0,0,0,3\nSETRWC 0,0,0,0,0,15", 0x7000c000, 0x3700000f);
    WORDS(bh, "sfpshft L1,L2,-4,5\nsfpshft L1,L2,0xffc,5", 0x7affc215, 0x7affc215);
    WORDS(bh, "sfploadi L0,-1,0\nsfploadi L0,65535,0", 0x7100ffff, 0x7100ffff);
    WORDS(bh, "sfpmov L12,L1,15 !imm12_math=-1", 0x7cffF1cf);
    WORDS(bh, "; # a\n# b\n// c\n/* d\n e */ ttnop /* f */", 0x02000000);
    WORDS(bh, "ttnop\r\nttnop\r\n", 0x02000000, 0x02000000);
    WORDS(bh, "TTI_STALLWAIT(p_stall::STALL_SFPU, p_stall::WAIT_SFPU)", 0xa2800800);
    WORDS(wh, "TTI_STALLWAIT(p_stall::STALL_SFPU, p_stall::WAIT_SFPU)", 0xa2804000);
    WORDS(bh, "TTI_SFPLOAD(LREG0, InstrModLoadStore::FP16B, ADDR_MOD_7, 0)", 0x7002e000);
    WORDS(bh, "TTI_SFPIADD(0, 1, 2, sfpi::SFPIADD_MOD1_CC_NONE | 2)", 0x79000126);
}

/* ";" separates statements everywhere, as in gas, and is never the start of a comment. */
static void test_semicolons(void **state)
{
    (void)state;
    const enum tx_arch bh = TX_BLACKHOLE;
    WORDS(bh, "sfpmad L4,L1,L2,L3,0; ttnop ;sfpnop", 0x84012340, 0x02000000, 0x8f000000);
    WORDS(bh, "0x84012340; .word 1, 2; ttnop;;\n; ; sfpnop", 0x84012340, 1, 2, 0x02000000,
          0x8f000000);
    WORDS(bh, ".word 1 # 2; .word 3\n.word 4 // 5; .word 6\n.word 7 /* ; */; .word 8", 1, 4, 7, 8);
    WORDS(bh, "A = 3; .word A; .set A, 4; .word A", 3, 4);
    WORDS(bh, ".loadi L1, 0x12345678; sfpnop", 0x71181234, 0x711a5678, 0x8f000000);
    WORDS(bh, ".rept 2; .word 1; .rept 2; .word 2; .endr; .endr; .word 3", 1, 2, 2, 1, 2, 2, 3);
    WORDS(bh, ".rept 1; .word 1\n.word 2; .endr ; .word 3", 1, 2, 3);
    WORDS(bh, ".macro m a; .word \\a; .word 9; .endm; m 1; m 2 ; .word 3", 1, 9, 2, 9, 3);
    WORDS(bh, ".if 0; .word 1; .else; .word 2; .endif; .word 3", 2, 3);
    WORDS(bh, ".if 1; .word 1; .else; .word 2; .endif; .word 3", 1, 3);
    WORDS(bh, ".if 0; .word ';'; .endif; .word ';', '#'; .word '\\''; .word 1", ';', '#', '\'', 1);
    struct tx_program *p = assemble(TX_ARCH_NONE, ".arch wh; .title \"a; b\"; .dst fp32; .init; "
                                                  "sfpnop; .tile; ttnop\nttnop");
    assert_string_equal(tx_program_title(p), "a; b");
    assert_int_equal(tx_program_count(p, TX_SECTION_INIT), 1);
    assert_int_equal(tx_program_count(p, TX_SECTION_TILE), 2);
    assert_int_equal(tx_program_lines(p, TX_SECTION_TILE)[0], 1);
    assert_int_equal(tx_program_lines(p, TX_SECTION_TILE)[1], 2);
    tx_program_free(p);
    static const struct error wrong[] = {
        {"ttnop ; of all threads", 1, 9, 2, "';' separates statements"},
        {"ttnop\n.rept 2; sfpnop; .bad; .endr", 2, 18, 4, "no directive '.bad'"},
        {"ttnop; .rept 2; sfpnop", 1, 14, 1, ".endr is missing"},
    };
    ERRORS(bh, wrong);
}

/* .loc gives words another file and line; joined programs keep theirs. */
static void test_loc(void **state)
{
    (void)state;
    static const char *const texts[] = {
        ".arch bh\n.file 2, \"a.cpp\"\nsfpnop\n.loc 2, 7\nsfpnop\nsfpnop\n.loc 0, 0\nsfpnop\n",
        ".arch bh\n.file 1, \"b.cpp\"\n.file 2, \"a.cpp\"\n.loc 1, 9\nsfpnop\n.loc 2, 8\nsfpnop\n"};
    struct tx_program *parts[2] = {NULL};
    struct tx_program *joined = NULL;
    struct tx_diag diag;
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(tx_assemble(texts[i], strlen(texts[i]), NULL, &parts[i], &diag), TX_OK);
    }
    static const uint32_t lines[] = {3, 7, 7, 8};
    static const uint8_t files[] = {0, 2, 2, 0};
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(tx_program_lines(parts[0], TX_SECTION_TILE)[i], lines[i]);
        assert_int_equal(tx_program_files(parts[0], TX_SECTION_TILE)[i], files[i]);
    }
    assert_string_equal(tx_program_source(parts[0], 2), "a.cpp");
    const struct tx_program *const both[] = {parts[0], parts[1]};
    assert_int_equal(tx_program_join(both, 2, &joined), TX_OK);
    static const char *const names[] = {NULL, "a.cpp", "a.cpp", NULL, "b.cpp", "a.cpp"};
    for (unsigned i = 0; i < 6; i++) {
        const unsigned file = tx_program_files(joined, TX_SECTION_TILE)[i];
        assert_true((file != 0) == (names[i] != NULL));
        assert_true(file == 0 || strcmp(tx_program_source(joined, file), names[i]) == 0);
    }
    assert_int_equal(tx_program_lines(joined, TX_SECTION_TILE)[4], 9);
    /* Refused before a fourth program, or a first one, is looked at. */
    const struct tx_program *const four[] = {parts[0], parts[1], parts[0], (void *)16};
    struct tx_program *none = joined;
    assert_int_equal(tx_program_join(four, 4, &none), TX_EINVAL);
    assert_null(none);
    assert_int_equal(tx_program_join(NULL, 0, &none), TX_EINVAL);
    tx_program_free(parts[0]);
    tx_program_free(parts[1]);
    tx_program_free(joined);
    static const char *const bad[] = {".loc 1, 2", ".file 0, \"a\"", ".file 16, \"a\"",
                                      ".file 1",   ".loc 0",         ".file 1, \"a\"\n.loc 1, -1"};
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(tx_assemble(bad[i], strlen(bad[i]), NULL, &joined, &diag), TX_EPARSE);
    }
}

static void test_hex(void **state)
{
    (void)state;
    static const char text[] = "# words\n84012340\n0x02000000 # nop\n\n  8f000000\r\n";
    struct tx_asm_options options = {.arch = TX_WORMHOLE, .hex = true};
    struct tx_program *program = NULL;
    struct tx_diag diag;
    assert_int_equal(tx_assemble(text, strlen(text), &options, &program, &diag), TX_OK);
    assert_int_equal(tx_program_count(program, TX_SECTION_TILE), 3);
    assert_int_equal(tx_program_words(program, TX_SECTION_TILE)[2], 0x8f000000);
    assert_int_equal(tx_program_lines(program, TX_SECTION_TILE)[2], 5);
    tx_program_free(program);
    options.ttinsn = true;
    assert_int_equal(tx_assemble("12848d56", 8, &options, &program, &diag), TX_OK);
    assert_int_equal(tx_program_words(program, TX_SECTION_TILE)[0], 0x84A12355);
    tx_program_free(program);
    options.ttinsn = false;
    assert_int_equal(tx_assemble("84012340; 2000000;", 18, &options, &program, &diag), TX_OK);
    assert_int_equal(tx_program_count(program, TX_SECTION_TILE), 2);
    assert_int_equal(tx_program_words(program, TX_SECTION_TILE)[1], 0x02000000);
    tx_program_free(program);
    options.ttinsn = true;
    assert_int_equal(tx_assemble("1 2", 3, &options, &program, &diag), TX_EPARSE);
    assert_int_equal(diag.column, 3);
    assert_int_equal(tx_assemble("123456789", 9, &options, &program, &diag), TX_EPARSE);
    assert_int_equal(tx_assemble("xyz", 3, &options, &program, &diag), TX_EPARSE);
    options.hex = false;
    assert_int_equal(tx_assemble("0x12848d56", 10, &options, &program, &diag), TX_OK);
    assert_int_equal(tx_program_words(program, TX_SECTION_TILE)[0], 0x84A12355);
    tx_program_free(program);
}

static void test_expressions(void **state)
{
    (void)state;
    value("1 + 2 * 3", 7);
    value("(1 + 2) * 3", 9);
    value("10 - 3 - 2", 5);
    value("1 << 4 | 3", 19);
    value("7 & 3 == 3", 1);
    value("6 ^ 3 & 1", 7);
    value("~0 & 0xff", 255);
    value("!5 + !0", 1);
    value("-7 / 2 + 10", 7);
    value("-7 % 3 + 10", 9);
    value("-16 >> 2 & 0xff", 0xfc);
    value("1 < 2 && 3 >= 3 || 0", 1);
    value("0 && 1 / 0", 0);
    value("1 || 1 << 99", 1);
    value("1 ? 2 : 0 ? 3 : 1 / 0", 2);
    value("0 ? 2 : 0 ? 3 : 4", 4);
    value("0x10 + 0b101 + 010 + 'a'", 16 + 5 + 8 + 97);
    value("'\\n' + 1u + 2UL", 13);
    value("hi16(0x12345678)", 0x1234);
    value("lo16(0x12345678 + 1)", 0x5679);
    value("LCONST_neg1 + L5", 16);
    value("-1", 0xffffffff);
}

static void test_floats(void **state)
{
    (void)state;
    value("float(1.5)", 0x3fc00000);
    value("float(-0.1)", 0xbdcccccd);
    value("float( 1e-45 )", 1);
    value("float(7e-46)", 0);
    value("float(1.17549435e-38)", 0x00800000);
    value("float(1.1754942e-38)", 0x007fffff);
    value("float(3.4028234663852886e38)", 0x7f7fffff);
    value("float(16777217)", 0x4b800000);
    value("float(16777219)", 0x4b800002);
    value("float(16777217.000000000000000000000000000001)", 0x4b800001);
    value("float(0.0)", 0);
    value("float(-0)", 0x80000000);
    value("float(inf)", 0x7f800000);
    value("float(-INF)", 0xff800000);
    value("float(nan)", 0x7fc00000);
    value("bf16(1.5)", 0x3fc0);
    value("bf16(1.00390625)", 0x3f80);
    value("bf16(1.01171875)", 0x3f82);
    value("bf16(-3)", 0xc040);
    value("fp16(65504)", 0x7bff);
    value("fp16(6e-8)", 1);
    value("fp16(0.33325195)", 0x3555);
    value("fp16(inf)", 0x7c00);
    value("hi16(float(3.14159265))", 0x4049);
    value("float(123456789012345678901234567890e-29)", 0x3f9e0652);
}

static void test_floats_against_libc(void **state)
{
    (void)state;
    uint64_t random = 12345;
    for (unsigned i = 0; i < 20000; i++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        char number[64], text[96];
        snprintf(number, sizeof number, "%u.%ue%d", (unsigned)(random >> 60),
                 (unsigned)(random >> 24), (int)(random >> 8 & 63) - 44);
        float expected = strtof(number, NULL);
        uint32_t bits;
        memcpy(&bits, &expected, sizeof bits);
        snprintf(text, sizeof text, "float(%s)", number);
        value(text, bits);
    }
}

static void test_loadi(void **state)
{
    (void)state;
    const enum tx_arch bh = TX_BLACKHOLE;
    WORDS(bh, ".loadi L1, 0xffff", 0x7112ffff);
    WORDS(bh, ".loadi L1, 0", 0x71120000);
    WORDS(bh, ".loadi L1, float(1.0)", 0x71103f80);
    WORDS(bh, ".loadi L1, -2", 0x7114fffe);
    WORDS(bh, ".loadi L1, 0x12345678", 0x71181234, 0x711a5678);
    WORDS(bh, ".loadi L1, 0xffff7fff", 0x7118ffff, 0x711a7fff);
}

static void test_directives(void **state)
{
    (void)state;
    struct tx_program *p = assemble(TX_ARCH_NONE, ".arch tt-wh # chip\n"
                                                  ".title \"a # b; c\" # x\n"
                                                  ".reference exp2\n"
                                                  ".dst Float16_b\n"
                                                  ".inputs 3\n"
                                                  ".output 2\n"
                                                  ".config PRNG_SEED, 0x10\n"
                                                  ".config OTHER, -1\n"
                                                  "ttnop\n"
                                                  ".init\n"
                                                  "sfpnop\n"
                                                  ".tile\n"
                                                  "ttdmanop\n");
    assert_int_equal(tx_program_arch(p), TX_WORMHOLE);
    assert_string_equal(tx_program_title(p), "a # b; c");
    assert_string_equal(tx_program_reference(p), "exp2");
    assert_int_equal(tx_program_dst(p), TX_DST_FORMAT_BF16);
    assert_int_equal(tx_program_inputs(p), 3);
    assert_int_equal(tx_program_output(p), 2);
    assert_int_equal(tx_program_config_count(p), 2);
    assert_string_equal(tx_program_config_name(p, 0), "PRNG_SEED");
    assert_int_equal(tx_program_config_value(p, 1), 0xffffffff);
    assert_int_equal(tx_program_count(p, TX_SECTION_INIT), 1);
    assert_int_equal(tx_program_count(p, TX_SECTION_TILE), 2);
    assert_int_equal(tx_program_lines(p, TX_SECTION_TILE)[1], 13);
    tx_program_free(p);

    const struct tx_asm_options options = {.arch = TX_BLACKHOLE, .force_arch = true};
    assert_int_equal(tx_assemble(".arch wh", 8, &options, &p, NULL), TX_OK);
    assert_int_equal(tx_program_arch(p), TX_BLACKHOLE);
    assert_int_equal(tx_program_inputs(p), 1);
    assert_int_equal(tx_program_dst(p), TX_DST_FORMAT_UNSET);
    tx_program_free(p);
    assert_int_equal(tx_assemble("", 0, NULL, &p, NULL), TX_OK);
    assert_int_equal(tx_program_arch(p), TX_ARCH_NONE);
    tx_program_free(p);
}

static void test_blocks(void **state)
{
    (void)state;
    const enum tx_arch bh = TX_BLACKHOLE;
    WORDS(bh, ".rept 2\n.rept 1 + 1\n.word 1\n.endr\n.word 2\n.endr\n.word 3", 1, 1, 2, 1, 1, 2, 3);
    WORDS(bh, ".rept 0\nnonsense\n.rept 3\n.endr\n.endr\n.word 3", 3);
    WORDS(bh, "N = 1\n.rept 3\n.word N\nN = N * 2\n.endr", 1, 2, 4);
    WORDS(bh, ".set A, 5\n.equ B, A + 1 // c\nA = A * B\n.word A", 30);
}

static void test_macros(void **state)
{
    (void)state;
    const enum tx_arch bh = TX_BLACKHOLE;
    WORDS(bh, ".macro m a, b=7\n.word \\a, \\b\n.endm\nm 1\nm 2, 3\nm 4,", 1, 7, 2, 3, 4, 7);
    WORDS(bh,
          ".macro m a b\nx\\@ = \\a\\() + \\b\n.word x\\@\n.endm\nm 1, 2 // c\nm (1+1),"
          " hi16(0x30000)",
          3, 5);
    WORDS(bh, ".macro down n\n.word \\n\n.if \\n > 1\ndown \\n - 1\n.endif\n.endm\ndown 3", 3, 2,
          1);
    WORDS(bh, ".macro op r\nsfpmov \\r,L1,0\nTTI_SFPNOP;\n.endm\nop L4", 0x7c000140, 0x8f000000);
    WORDS(bh, ".macro outer x\n.macro inner y\n.word \\y + \\x\n.endm\ninner 1\n.endm\nouter 5", 6);
    WORDS(bh, ".macro none\n.word 9\n.endm\nnone\nnone # twice", 9, 9);
    WORDS(bh,
          ".macro m a, b=7, c=8\n.word \\a, \\b, \\c\n.endm\nm 1, c=2\nm c = 5 , a=(3 == 4) + 9\nm "
          "6==6",
          1, 7, 2, 9, 7, 5, 1, 7, 8);
}

static void test_conditions(void **state)
{
    (void)state;
    const enum tx_arch bh = TX_BLACKHOLE;
    WORDS(bh, ".if 1\n.word 1\n.else\nrubbish\n.endif", 1);
    WORDS(bh, ".if 0\nrubbish\n.if 1\n.else\n.endif\n.else\n.word 2\n.endif", 2);
    WORDS(bh, ".if 0\n.elseif 2 > 1\n.word 3\n.elseif 1\n.word 4\n.else\n.word 5\n.endif", 3);
    WORDS(bh, ".if 1\n.if 0\n.else\n.word 6\n.endif\n.endif # c\n.word 7", 6, 7);
    WORDS(bh, "/* .if 0 */ .if 0\n/* .endif\n*/ .word 1\n.endif\n.word 8", 8);
}

/* ---- what is wrong ---- */

static void test_operand_errors(void **state)
{
    (void)state;
    static const struct error bh[] = {
        {"sfpmad L4,L1,L2,L3", 1, 19, 1, "instr_mod1 is missing"},
        {"ttnop\n  sfpmad L4,L1", 2, 15, 1, "lreg_src_b is missing"},
        {"sfpmad", 1, 7, 1, "lreg_dest is missing"},
        {"sfpmad L4,", 1, 11, 1, "lreg_src_a is missing"},
        {"sfpmad L4 L1", 1, 11, 2, "',' expected"},
        {"sfpmad L4,L1,L2,L3,0,1", 1, 21, 1, "takes 5 operands"},
        {"sfpmad L4,L1,L2,L3,0 x", 1, 22, 1, "left over"},
        {"sfpmad L16,L1,L2,L3,0", 1, 8, 3, "no register 'L16'"},
        {"sfpmad 4,L1,L2,L3,0", 1, 8, 1, "lreg_dest is a register"},
        {"sfpmad L4,L1,L2,L3,16", 1, 20, 2, "instr_mod1 is 16 and must lie in 0..15"},
        {"sfpload L4,8192,0,0", 1, 12, 4, "dest_reg_addr is 8192 and must lie in -4096..8191"},
        {"sfpload L4,-(4097) ,0,0", 1, 12, 7, "-4097"},
        {"sfpsetcc L4,-1,1", 1, 13, 2, "imm12_math is -1 and must lie in 0..4095"},
        {"sfploadmacro 0,L8,0,0,0", 1, 16, 2, "lreg_ind is 8 and must lie in 0..7"},
        {"sfploadmacro 0,L5,0,0,0", 1, 19, 1, "disagrees with an operand before it about bit 0"},
        {"TTI_SFPMAD(1,2,3,4)", 1, 19, 1, "instr_mod1 is missing"},
        {"TTI_SFPMAD(1,2,3,4,0,0)", 1, 22, 1, "no more operands"},
        {"TTI_SFPMAD(1,2,3,4,16)", 1, 20, 2, "must lie in 0..15"},
        {"TTI_SFPMAD(foo=2)", 1, 12, 3, "no operand 'foo'"},
        {"TTI_SFPMAD(1,lreg_src_a=2)", 1, 14, 10, "given twice"},
        {"TTI_SFPMAD(lreg_src_a=2,1)", 1, 25, 1, "by position come before"},
        {"TTI_SFPMAD(1 2)", 1, 14, 1, "',' expected"},
        {"TTI_SFPMAD 1,2", 1, 12, 1, "'(' expected"},
        {"sfpmov L0,L1,0 !unused=1", 1, 24, 1, "unused bits of sfpmov are 0x000000"},
        {"sfpmov L0,L1,0 !imm12=1", 1, 17, 5, "no field 'imm12'"},
        {"sfpmov L0,L1,0 !imm12_math=4096", 1, 28, 4, "must lie in"},
        {"sfpmov L0,L1,0 !3", 1, 17, 1, "name of a field"},
        {"TT_OP(256, 0)", 1, 1, 5, "opcode of 8 bits"},
        {"0x123456789", 1, 1, 11, "32 bits"},
    };
    ERRORS(TX_BLACKHOLE, bh);
    static const struct error wh[] = {
        {"sfparecip L0,L1,0", 1, 1, 9, "sfparecip exists on blackhole only"},
    };
    ERRORS(TX_WORMHOLE, wh);
}

static void test_name_errors(void **state)
{
    (void)state;
    static const struct error bh[] = {
        {"sfpmat L4", 1, 1, 6, "there is no instruction 'sfpmat'; is it sfpm"},
        {"sfpmadd L4", 1, 1, 7, "is it sfpmad?"},
        {"sfpmda L4", 1, 1, 6, "is it sfpmad?"},
        {"SFPSOTRE L4", 1, 1, 8, "is it sfpstore?"},
        {"TTI_SFPSETC(1)", 1, 1, 11, "is it SFPSETCC?"},
        {"rubbishword 1", 1, 1, 11, "there is no instruction 'rubbishword'"},
        {".frobnicate 1", 1, 1, 11, "no directive '.frobnicate'"},
        {".word FOO", 1, 7, 3, "name 'FOO' is not defined"},
        {".word foo(1)", 1, 7, 3, "no function 'foo'"},
        {".arch z80", 1, 7, 3, "no chip 'z80'"},
        {".arch", 1, 6, 1, "name of a chip"},
        {"ttnop\n.arch wh", 2, 7, 2, "the chip is blackhole already"},
        {".dst fp8", 1, 6, 3, "no format 'fp8'"},
        {".inputs 99", 1, 9, 2, "must lie in 0..16"},
        {".output -1", 1, 9, 2, "must lie in 0..15"},
        {".config 3", 1, 9, 1, "name of a configuration field"},
        {".title", 1, 7, 1, "text is expected"},
        {".title \"x", 1, 8, 1, "not closed"},
        {".reference aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 1, 12, 32, "longer than 31"},
        {"L4 = 3", 1, 1, 2, "a register is not a name"},
        {".loadi 4, 3", 1, 8, 1, "a register, L0..L15"},
        {".insn 2, 3", 1, 7, 1, "4 bytes"},
    };
    ERRORS(TX_BLACKHOLE, bh);
    static const struct error none[] = {
        {"sfpmad L4,L1,L2,L3,0", 1, 1, 6, ".arch (or --arch) comes before"},
        {"0x84000000", 1, 11, 1, ".arch (or --arch) comes before"},
        {".arch quasar", 1, 7, 6, "not modelled"},
    };
    ERRORS(TX_ARCH_NONE, none);
}

static void test_text_errors(void **state)
{
    (void)state;
    static const struct error bh[] = {
        {".word 1 +", 1, 10, 1, "a value is expected"},
        {".word (1", 1, 9, 1, "')' expected"},
        {".word 1 ? 2", 1, 12, 1, "':' expected"},
        {".word 5 / 0", 1, 9, 1, "division by zero"},
        {".word 5 << 64", 1, 9, 2, "shift count 64"},
        {".word 0x", 1, 7, 2, "not a number"},
        {".word 12ab", 1, 7, 4, "not a number"},
        {".word 089", 1, 7, 3, "not a number"},
        {".word 1.5", 1, 7, 3, "float()"},
        {".word 99999999999999999999", 1, 7, 20, "64 bits"},
        {".word 0x100000000", 1, 7, 11, "word is 4294967296"},
        {".word 'ab'", 1, 7, 1, "character constants"},
        {".word float(abc)", 1, 13, 3, "decimal number"},
        {".word fp16(65520)", 1, 12, 5, "too large"},
        {".word float(1e39)", 1, 13, 4, "too large"},
        {".word $", 1, 7, 1, "'$' means nothing"},
        {".word \x80", 1, 7, 1, "byte 0x80"},
        {"+ 3", 1, 1, 1, "an instruction is expected"},
        {".rept 2\nttnop", 1, 7, 1, ".endr is missing"},
        {".rept -1\n.endr", 1, 7, 1, "cannot repeat -1"},
        {".endr", 1, 1, 5, "nothing is open"},
        {".macro m\nttnop", 1, 8, 1, ".endm is missing"},
        {".macro sfpmad\n.endm", 1, 8, 6, "already"},
        {".macro m\n.endm\n.macro m\n.endm", 3, 8, 1, "defined already"},
        {".macro m a\n.endm\nm", 3, 1, 1, "wants argument 'a'"},
        {".macro m a\n.endm\nm 1, 2", 3, 6, 1, "has 1 arguments"},
        {".macro m a\n.endm\nm b=2", 3, 3, 1, "macro m has no argument 'b'"},
        {".macro m a\n.endm\nm a=2, a=3", 3, 8, 1, "macro m is given 'a' twice"},
        {".macro m a\n.endm\nm 2, a=3", 3, 6, 1, "macro m is given 'a' twice"},
        {".macro m a, b=1\n.endm\nm b=2, 3", 3, 8, 1, "by position come before arguments by name"},
        {".macro m a, b=1\n.endm\nm b=2", 3, 1, 1, "macro m wants argument 'a'"},
        {".macro m a\n  sfpmov \\a,L16,0\n.endm\nm L0", 2, 13, 3, "no register 'L16'"},
        {".if 1\nttnop\n", 2, 6, 1, ".endif is missing"},
        {".if 0\nttnop\n", 1, 5, 1, ".endif is missing"},
        {".else", 1, 6, 1, "no .if"},
        {".endif", 1, 7, 1, "no .if"},
        {".if 0\n.else\n.else\n.endif", 3, 6, 1, "no .if"},
    };
    ERRORS(TX_BLACKHOLE, bh);
}

static void test_limits(void **state)
{
    (void)state;
    static const struct error bh[] = {
        {".macro m\nm\n.endm\nm", 2, 1, 1, "nested deeper than 32"},
        {".rept 1 << 21\nttnop\n.endr", 2, 6, 1, "more than 1048576 words"},
        {".rept 1 << 40\n.endr", 2, 1, 1, "expands to too much"},
        {".word ((((((((((((((((((((((((((((((((((((1", 1, 39, 1, "nested deeper"},
    };
    ERRORS(TX_BLACKHOLE, bh);
    const struct tx_asm_options options = {.arch = TX_BLACKHOLE};
    struct tx_program *program;
    struct tx_diag diag;
    assert_int_equal(tx_assemble(bh[1].text, strlen(bh[1].text), &options, &program, &diag),
                     TX_ELIMIT);
    static const char full[] = ".rept 1 << 20\nttnop\n.endr";
    assert_int_equal(tx_assemble(full, strlen(full), &options, &program, &diag), TX_OK);
    assert_int_equal(tx_program_count(program, TX_SECTION_TILE), 1 << 20);
    tx_program_free(program);
    assert_int_equal(tx_assemble(NULL, 1, &options, &program, &diag), TX_EINVAL);
    assert_int_equal(tx_assemble("", 0, &options, NULL, &diag), TX_EINVAL);
}

/* Files of a test: name, text. */
static const char *const included_files[][2] = {
    {"one.inc", ".macro pair word\n.word \\word\n.word \\word + 1\n.endm\n.equ BASE, 0x02000000\n"},
    {"two.inc", ".include \"one.inc\"\n\n.word BASE\n"},
    {"bad.inc", "\nsfpmat L0\n"},
    {"open.inc", ".if 1\n"},
    {"self.inc", ".include \"self.inc\"\n"},
    {"empty.inc", ""},
};

static enum tx_status include_from_table(void *user, struct tx_include *asked)
{
    if (user != NULL) {
        snprintf(user, 100, "%s", asked->from);
    }
    for (size_t i = 0; i < sizeof included_files / sizeof included_files[0]; i++) {
        if (strcmp(asked->name, included_files[i][0]) == 0) {
            asked->text = included_files[i][1];
            asked->length = strlen(asked->text);
            snprintf(asked->path, sizeof asked->path, "lib/%s", asked->name);
            return TX_OK;
        }
    }
    snprintf(asked->message, sizeof asked->message, "nobody has %s", asked->name);
    return TX_ENOENT;
}

static void test_include(void **state)
{
    (void)state;
    char from[100] = "?";
    struct tx_asm_options options = {
        .arch = TX_BLACKHOLE, .include = include_from_table, .include_user = from};
    struct tx_program *program = NULL;
    struct tx_diag diag;
    static const char text[] = ".include \"two.inc\"; .word 7\npair BASE + 4\n"
                               ".rept 2; .include \"empty.inc\"; .endr\n.word 9\n";
    assert_int_equal(tx_assemble(text, strlen(text), &options, &program, &diag), TX_OK);
    assert_int_equal(tx_program_count(program, TX_SECTION_TILE), 5);
    static const uint32_t words[] = {0x02000000, 7, 0x02000004, 0x02000005, 9};
    static const uint32_t lines[] = {3, 1, 2, 3, 4};
    static const char *const files[] = {"lib/two.inc", NULL, "lib/one.inc", "lib/one.inc", NULL};
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(tx_program_words(program, TX_SECTION_TILE)[i], words[i]);
        assert_int_equal(tx_program_lines(program, TX_SECTION_TILE)[i], lines[i]);
        const char *file =
            tx_program_source(program, tx_program_files(program, TX_SECTION_TILE)[i]);
        if (files[i] == NULL) {
            assert_null(file);
        } else {
            assert_string_equal(file, files[i]);
        }
    }
    assert_string_equal(from, ""); /* of empty.inc, which the text itself asks for */
    tx_program_free(program);

    static const struct {
        const char *text, *file, *message;
        unsigned line, column;
        enum tx_status status;
    } bad[] = {
        {"\n.include \"bad.inc\"", "lib/bad.inc", "no instruction 'sfpmat'", 2, 1, TX_EPARSE},
        {".include \"gone.inc\"", "", "nobody has gone.inc", 1, 10, TX_ENOENT},
        {".include \"open.inc\"\n.endif", "lib/open.inc", ".endif is missing", 1, 6, TX_EPARSE},
        {".include \"self.inc\"", "lib/self.inc", "nested deeper than 32", 1, 10, TX_ELIMIT},
        {".include one.inc", "", "in quotes", 1, 10, TX_EPARSE},
        {".include \"\"", "", "1 to 191 characters", 1, 10, TX_EPARSE},
        {".include \"one.inc\" x", "", "left over", 1, 20, TX_EPARSE},
        {".include \"one.inc\"\n.file 15, \"x\"", "", "belongs to an .include", 2, 7, TX_EPARSE},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(tx_assemble(bad[i].text, strlen(bad[i].text), &options, &program, &diag),
                         bad[i].status);
        assert_null(program);
        assert_non_null(strstr(diag.message, bad[i].message));
        assert_string_equal(diag.file, bad[i].file);
        assert_int_equal(diag.line, bad[i].line);
        assert_int_equal(diag.column, bad[i].column);
    }
    options.include = NULL;
    assert_int_equal(tx_assemble(text, strlen(text), &options, &program, &diag), TX_EPARSE);
    assert_non_null(strstr(diag.message, "nothing to include"));
    /* Who was compiled before there was .include passes less. */
    assert_int_equal(tx_assemble_sized(".word 7", 7, &options,
                                       offsetof(struct tx_asm_options, include), &program, NULL, 0),
                     TX_OK);
    tx_program_free(program);
}

static void test_chip_names(void **state)
{
    (void)state;
    static const char text[] = ".if BLACKHOLE\n.word 1\n.elseif WORMHOLE\n.word 2\n.endif";
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        const struct tx_asm_options options = {.arch = arch};
        struct tx_program *program = NULL;
        assert_int_equal(tx_assemble(text, strlen(text), &options, &program, NULL), TX_OK);
        assert_int_equal(tx_program_count(program, TX_SECTION_TILE), 1);
        assert_int_equal(tx_program_words(program, TX_SECTION_TILE)[0],
                         arch == TX_BLACKHOLE ? 1 : 2);
        tx_program_free(program);
    }
    static const struct error none[] = {
        {".if BLACKHOLE\n.endif", 1, 5, 9, "is not defined (.arch or --arch comes first)"}};
    ERRORS(TX_ARCH_NONE, none);
}

static void test_formats(void **state)
{
    (void)state;
    static const char *const bf16[] = {"bf16", "BFLOAT16", "Float16_b", "fp16b"};
    enum tx_dst_format format;
    for (size_t i = 0; i < sizeof bf16 / sizeof bf16[0]; i++) {
        assert_int_equal(tx_dst_format_parse(bf16[i], &format), TX_OK);
        assert_int_equal(format, TX_DST_FORMAT_BF16);
    }
    for (int f = TX_DST_FORMAT_FP32; f <= TX_DST_FORMAT_INT8; f++) {
        assert_int_equal(tx_dst_format_parse(tx_dst_format_name((enum tx_dst_format)f), &format),
                         TX_OK);
        assert_int_equal(format, f);
    }
    assert_string_equal(tx_dst_format_name(TX_DST_FORMAT_UNSET), "unset");
    assert_int_equal(tx_dst_format_parse("unset", &format), TX_ENOENT);
    assert_int_equal(tx_dst_format_parse(NULL, &format), TX_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_semicolons),
        cmocka_unit_test(test_syntaxes),
        cmocka_unit_test(test_loc),
        cmocka_unit_test(test_hex),
        cmocka_unit_test(test_expressions),
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_floats_against_libc),
        cmocka_unit_test(test_loadi),
        cmocka_unit_test(test_directives),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_macros),
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_operand_errors),
        cmocka_unit_test(test_name_errors),
        cmocka_unit_test(test_text_errors),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_include),
        cmocka_unit_test(test_chip_names),
        cmocka_unit_test(test_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
