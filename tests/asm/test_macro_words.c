/* SPDX-License-Identifier: Apache-2.0 */
/*
 * .template, .sequence and .misc. Expected words are the fields of the SFPLOADMACRO and SFPCONFIG
 * pages put together by hand, and what the vendor's schedules hold in hexadecimal.
 */
#include <tensix/asm.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct tx_program *assemble(enum tx_arch arch, const char *text, size_t length)
{
    const struct tx_asm_options options = {.arch = arch};
    struct tx_program *program = NULL;
    struct tx_diag diag;
    if (tx_assemble(text, length, &options, &program, &diag) != TX_OK) {
        fail_msg("%u:%u: %s\n%s", diag.line, diag.column, diag.message, diag.source);
    }
    return program;
}

static void words(enum tx_arch arch, const char *text, size_t count, const uint32_t expected[])
{
    struct tx_program *p = assemble(arch, text, strlen(text));
    assert_int_equal(tx_program_count(p, TX_SECTION_TILE), count);
    for (size_t i = 0; i < count; i++) {
        if (tx_program_words(p, TX_SECTION_TILE)[i] != expected[i]) {
            fail_msg("%s: word %u is %08x, not %08x", text, (unsigned)i,
                     tx_program_words(p, TX_SECTION_TILE)[i], expected[i]);
        }
    }
    tx_program_free(p);
}

#define WORDS(arch, text, ...)                                                    \
    words(arch, text, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), \
          (const uint32_t[]){__VA_ARGS__})

static void test_words(void **state)
{
    (void)state;
    const enum tx_arch bh = TX_BLACKHOLE, wh = TX_WORMHOLE;
    /* byte = other << 7 | L16 << 6 | delay << 3 | source; bytes simple, mad, round, store */
    WORDS(bh, ".sequence 1, mad=t0@0 round=t1@2>L16 store@3", 0x71081b55, 0x710a0400, 0x91000050);
    WORDS(wh, ".sequence 0, simple=t3.vb@3>L16 mad=t1.vb@0 round=t2@2 store@4<L16", 0x71086316,
          0x710a85df, 0x91000040);
    WORDS(bh, ".sequence 3, simple=nop@7 mad=none@7 round=store@1 store.vd@5", 0x7108ab0b,
          0x710a383a, 0x91000070);
    WORDS(bh, ".sequence 0, store=t1.vd@6<L16, simple=undefined@2", 0x7108f500, 0x710a0011,
          0x91000040);
    /* where the upper half is 0, SFPCONFIG's own immediate is enough; else one SFPLOADI may be */
    WORDS(bh, ".sequence 2, simple=t1@0", 0x91000561);
    WORDS(bh, ".sequence 2", 0x91000061);
    WORDS(bh, ".sequence 2, store=t0@0", 0x71000400, 0x91000060);
    /* numbers follow each other where none is given */
    WORDS(bh, ".sequence simple=t0@0; .sequence simple=t1@0; .sequence 3, mad=t0@0", 0x91000441,
          0x91000551, 0x91040071);
    WORDS(bh, ".misc mod0=6 load_mod0=0,2 instructions=mad,store", 0x910a5681);
    WORDS(bh, ".misc load_mod0=all instructions=all", 0x910ff081);
    WORDS(bh, ".misc", 0x91000081);
    WORDS(bh, ".misc mod0=InstrModLoadStore::INT32 | 2 instructions=simple", 0x91010681);
    /* through the backdoor: the instruction with L12 and up as its destination */
    WORDS(bh, ".template t1, sfpmad VD,L1,L2,L3,0", 0x840123d0);
    WORDS(bh, ".template sfpmad VD,L1,L2,L3,0; .template 3, TTI_SFPMAD(1, 2, 3, VD, 0)", 0x840123c0,
          0x840123f0);
    WORDS(bh, ".template t0, sfpsetcc L0,0,6 !lreg_dest=VD", 0x7b0000c6);
    WORDS(bh, ".template t2, sfpstore VD,0,3,3", 0x72e36000);
    WORDS(bh, ".template t0, 0x840123c0", 0x840123c0);
    /* any other destination: through L0 and SFPCONFIG */
    WORDS(bh, ".template t1, sfpmad L3,L1,L2,L3,0", 0x71088401, 0x710a2330, 0x91000010);
    WORDS(bh, ".template t2, sfpnop", 0x71008f00, 0x91000020);
}

/* Every word that there is comes back from its text. */
static void test_back(void **state)
{
    (void)state;
    char text[256];
    for (unsigned slot = 0; slot < 4; slot++) {
        for (uint32_t byte = 0; byte < 256; byte++) {
            const uint32_t word = byte << 8 * slot | 0x5bu << (8 * slot + 8) % 32;
            assert_int_equal(tx_macro_text(TX_BLACKHOLE, 5, word, text, sizeof text), TX_OK);
            struct tx_program *p = assemble(TX_BLACKHOLE, text, strlen(text));
            struct tx_macro_reader reader = {0};
            char got[256] = "";
            bool told = false;
            for (size_t i = 0; i < tx_program_count(p, TX_SECTION_TILE); i++) {
                told = tx_macro_follow(&reader, TX_BLACKHOLE,
                                       tx_program_words(p, TX_SECTION_TILE)[i], got, sizeof got);
            }
            assert_true(told);
            assert_string_equal(got, text);
            const uint32_t value = tx_program_count(p, TX_SECTION_TILE) == 1
                                       ? tx_program_words(p, TX_SECTION_TILE)[0] >> 8 & 0xffff
                                       : reader.l0;
            assert_int_equal(value, word);
            tx_program_free(p);
        }
    }
    for (uint32_t word = 0; word < 4096; word++) {
        assert_int_equal(tx_macro_text(TX_WORMHOLE, 8, word, text, sizeof text), TX_OK);
        words(TX_WORMHOLE, text, 1, (const uint32_t[]){0x91000081 | word << 8});
    }
}

static void test_text(void **state)
{
    (void)state;
    static const struct {
        enum tx_arch arch;
        unsigned vd;
        uint32_t value;
        const char *text;
    } rows[] = {
        {TX_BLACKHOLE, 4, 0x73383804,
         ".sequence 0, simple=t0@0 mad=none@7 round=none@7 store@6<L16"},
        {TX_BLACKHOLE, 7, 0x1b388e38,
         ".sequence 3, simple=none@7 mad=t2.vb@1 round=none@7 store@3"},
        {TX_BLACKHOLE, 5, 0, ".sequence 1"},
        {TX_BLACKHOLE, 8, 0xff0, ".misc mod0=0 load_mod0=all instructions=all"},
        {TX_BLACKHOLE, 8, 0x106, ".misc mod0=6 instructions=simple"},
        {TX_BLACKHOLE, 1, 0x840123d0, ".template t1, sfpmad VD,L1,L2,L3,0"},
        {TX_BLACKHOLE, 0, 0x840ccdc0, ".template t0, sfpmad VD,L12,L12,L13,0"},
        {TX_BLACKHOLE, 2, 0x840123d0, ".template t2, sfpmad L13,L1,L2,L3,0"},
        {TX_BLACKHOLE, 0, 0x7b0000c6, ".template t0, sfpsetcc L0,0x000,6 !lreg_dest=VD"},
        {TX_WORMHOLE, 0, 0x99000000, ".template t0, 0x99000000"},
    };
    char text[224];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(tx_macro_text(rows[i].arch, rows[i].vd, rows[i].value, text, sizeof text),
                         TX_OK);
        assert_string_equal(text, rows[i].text);
    }
    assert_int_equal(tx_macro_text(TX_BLACKHOLE, 9, 0, text, sizeof text), TX_EINVAL);
    assert_int_equal(tx_macro_text(TX_BLACKHOLE, 8, 0, text, 4), TX_EINVAL);
    assert_int_equal(tx_macro_text(TX_ARCH_NONE, 8, 0, text, sizeof text), TX_EINVAL);
}

/* What a reader of words can know of L0, and what not. */
static void test_follow(void **state)
{
    (void)state;
    static const struct {
        const char *program, *told; /* of the last word; NULL: nothing */
    } rows[] = {
        {"sfploadi L0,6997,8; sfploadi L0,1024,10; sfpconfig 5,0,0",
         ".sequence 1, mad=t0@0 round=t1@2>L16 store@3"},
        {"sfploadi L0,6997,8; sfpnop; sfpmul L1,L0,L0,0; sfploadi L0,1024,10; sfpconfig 5,0,0",
         ".sequence 1, mad=t0@0 round=t1@2>L16 store@3"},
        {"sfploadi L0,1024,10; sfpconfig 5,0,0", NULL},
        {"sfploadi L0,6997,8; sfpmul L0,L1,L1,0; sfploadi L0,1024,10; sfpconfig 5,0,0", NULL},
        {"sfploadi L0,0,2; sfptransp; sfpconfig 5,0,0", NULL},
        {"sfploadi L0,0,2; ttreplay 0,4,0,0; sfpconfig 5,0,0", NULL},
        {"sfploadi L0,0,2; sfpswap L3,L0,0; sfpconfig 5,0,0", NULL},
        {"sfploadi L0,1,1; sfpconfig 5,0,0", NULL},
        {"sfploadi L0,-2,4; sfpconfig 4,0,0",
         ".sequence 0, simple=t2.vb@7>L16 mad=t3.vb@7>L16 round=t3.vb@7>L16 store=t3.vd@7<L16"},
        {"sfpconfig 8,3,1", ".misc mod0=3"},
        {"sfpconfig 8,3,3", NULL},
        {"sfpmad L14,L1,L2,L3,0", ".template t2, sfpmad VD,L1,L2,L3,0"},
        {"sfpconfig 15,2,1; sfpmad L14,L1,L2,L3,0", NULL},
        {"sfpconfig 15,2,1; sfpconfig 15,0,1; sfpmad L14,L1,L2,L3,0",
         ".template t2, sfpmad VD,L1,L2,L3,0"},
        {"sfpconfig 12,0,0", NULL},
        {"sfpmad L4,L1,L2,L3,0", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tx_program *p = assemble(TX_BLACKHOLE, rows[i].program, strlen(rows[i].program));
        struct tx_macro_reader reader = {0};
        char text[224] = "";
        bool told = false;
        for (size_t k = 0; k < tx_program_count(p, TX_SECTION_TILE); k++) {
            told = tx_macro_follow(&reader, TX_BLACKHOLE, tx_program_words(p, TX_SECTION_TILE)[k],
                                   text, sizeof text);
        }
        if (told != (rows[i].told != NULL) || (told && strcmp(text, rows[i].told) != 0)) {
            fail_msg("%s: %s", rows[i].program, told ? text : "nothing");
        }
        tx_program_free(p);
    }
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned column;
        const char *message;
    } rows[] = {
        {".sequence 4, mad=t0@0", 11, "four sequences, 0 to 3"},
        {".sequence; .sequence; .sequence; .sequence; .sequence", 54, "each has been written"},
        {".sequence 0, mad=t4@0", 18, "no source 't4'"},
        {".sequence 0, mad=t0@8", 21, "a number from 0 to 7"},
        {".sequence 0, mad=t0", 20, "the delay"},
        {".sequence 0, mad@1", 17, "as in mad=t0@0"},
        {".sequence 0, load=t0@1", 14, "no sub-unit"},
        {".sequence 0, mad=t0@1 mad=t1@2", 23, "mad is given twice"},
        {".sequence 0, mad=t0@1<L16", 22, "a result goes to L16"},
        {".sequence 0, store@1>L16", 21, "takes its value from L16"},
        {".sequence 0, mad=t0@1>L3", 23, "L16 is expected"},
        {".sequence 0, mad=t0.vd@1", 18, "'.vb' is all that may follow"},
        {".sequence 0 mad=t0@1", 13, "left over"},
        {".template t4, sfpnop", 11, "an instruction is expected"},
        {".template t0 sfpnop", 14, "',' expected"},
        {".template t0, sfpload VD,0,0,0", 15, "runs 'sfpload'"},
        {".template t0, ttnop", 15, "runs 'ttnop'"},
        {".template t0, sfpmad VD,L0,L0", 30, "lreg_src_c is missing"},
        {"sfpmad VD,L0,L0,L0,0", 8, "'VD' is not defined"},
        {".misc mod0=16", 12, "must lie in 0..15"},
        {".misc mode=1", 7, "Misc has no 'mode'"},
        {".misc load_mod0=4", 17, "0 to 3, or all"},
        {".misc instructions=load", 20, "simple, mad, round, store or all"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct tx_asm_options options = {.arch = TX_BLACKHOLE};
        struct tx_program *p = NULL;
        struct tx_diag diag;
        const enum tx_status status =
            tx_assemble(rows[i].text, strlen(rows[i].text), &options, &p, &diag);
        if (status != TX_EPARSE || p != NULL || diag.column != rows[i].column ||
            strstr(diag.message, rows[i].message) == NULL) {
            fail_msg("%s\n-> %u: %s", rows[i].text, diag.column, diag.message);
        }
    }
    struct tx_program *p = NULL;
    assert_int_equal(tx_assemble(".misc", 5, NULL, &p, NULL), TX_EPARSE);
}

/* The example kernels are the words that their hexadecimal sources were. */
static void test_kernels(void **state)
{
    (void)state;
    FILE *list = fopen(TX_SOURCE_DIR "/tests/data/macro-init.txt", "r");
    assert_non_null(list);
    static char line[8192], source[65536];
    unsigned kernels = 0, symbols = 0;
    while (fgets(line, sizeof line, list) != NULL) {
        if (line[0] == '#') {
            continue;
        }
        char *rest = line;
        const char *name = strtok_r(line, " ", &rest);
        const char *chip = strtok_r(NULL, " ", &rest);
        char path[256];
        snprintf(path, sizeof path, "%s/examples/kernels/macro/%s.s", TX_SOURCE_DIR, name);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        const size_t length = fread(source, 1, sizeof source - 1, file);
        fclose(file);
        source[length] = '\0';
        symbols += strstr(source, "\n.sequence ") != NULL && strstr(source, "\n.misc ") != NULL &&
                   strstr(source, "sfpconfig   4") == NULL;
        struct tx_program *p =
            assemble(strcmp(chip, "wh") == 0 ? TX_WORMHOLE : TX_BLACKHOLE, source, length);
        size_t i = 0;
        for (const char *w; (w = strtok_r(NULL, " \n", &rest)) != NULL; i++) {
            assert_true(i < tx_program_count(p, TX_SECTION_INIT));
            assert_int_equal(tx_program_words(p, TX_SECTION_INIT)[i], strtoul(w, NULL, 16));
        }
        assert_int_equal(tx_program_count(p, TX_SECTION_INIT), i);
        tx_program_free(p);
        kernels++;
    }
    fclose(list);
    assert_int_equal(kernels, 32);
    assert_int_equal(symbols, 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),  cmocka_unit_test(test_back),
        cmocka_unit_test(test_text),   cmocka_unit_test(test_follow),
        cmocka_unit_test(test_errors), cmocka_unit_test(test_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
