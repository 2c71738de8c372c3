/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State that something else than a vector instruction changes inside .tile: seeds, configuration of
 * every kind that loads, stores and tiles ask, counters, semaphores, the host. Each change matters:
 * the kernel without it gives another result. All engines give the reference engine's, or refuse.
 */
#include <tensix-internal/fast_steps.h>

#include "engines.h"

enum { WH = 1 << TX_WORMHOLE, BH = 1 << TX_BLACKHOLE, BOTH = WH | BH };

/* Draws around the change, and what they round. */
#define DRAWS                      \
    "sfpmov L0,L9,8\n"             \
    "sfpstore L0,0,4,3\n"          \
    "%s"                           \
    "sfpmov L0,L9,8\n"             \
    "sfpstore L0,2,4,3\n"          \
    "sfpload L1,4,3,3\n"           \
    "sfpstochrnd L1,L1,L1,0,1,1\n" \
    "sfpstore L1,4,3,3\n"

/* Loads and stores of every kind of mode, with every address modifier. */
#define ACCESSES                                                         \
    "%s"                                                                 \
    "A = 0\n"                                                            \
    ".rept 4\n"                                                          \
    "sfpload L0,A,0,A\nsfpload L1,A+8,3,3\nsfpload L2,A+16,10,2\n"       \
    "sfpload L3,A+24,1,1\nsfpload L4,A+64,2,0\n"                         \
    "sfpstore L0,A+4,0,3\nsfpstore L1,A+10,10,A\nsfpstore L2,A+20,4,1\n" \
    "sfpstore L3,A+28,2,2\nsfpstore L4,A+32,1,0\n"                       \
    "A = A + 1\n"                                                        \
    ".endr\n"

static const struct change {
    const char *name;
    unsigned chips;
    const char *text, *change;
} changes[] = {
    {"seed by WRCFG", BH, ".tile\n" DRAWS,
     "ttsetdmareg 0,0x1234,0,0\nttsetdmareg 0,0x1678,0,1\nttwrcfg 0,0,186\n"},
    {"seed by WRCFG", WH, ".tile\n" DRAWS,
     "ttsetdmareg 0,0x1234,0,0\nttsetdmareg 0,0x1678,0,1\nttwrcfg 0,0,164\n"},
    {"seed by WRCFG of four words", BH, ".tile\n" DRAWS,
     "ttsetdmareg 0,0x1234,0,4\nttsetdmareg 0,0x1678,0,5\nttwrcfg 0,1,186\n"},
    {"a byte of the seed", BH, ".tile\n" DRAWS, "ttrmwcib1 0x3C,0x77,186\n"},
    {"a byte of the seed", WH, ".tile\n" DRAWS, "ttrmwcib1 0x3C,0x77,164\n"},
    {"seeds one after the other", BOTH, ".tile\n" DRAWS,
     ".setcfg PRNG_SEED_Seed_Val, 0x12345678\nsfpnop\nsfpmov L5,L9,8\n"
     ".setcfg PRNG_SEED_Seed_Val, 0x9ABCDEF0\n"},
    /* In its cycle a scheduled SFPSTOCHRND draws: the seed comes behind the step. */
    {"a seed while a scheduled instruction draws", BH,
     ".init\n"
     "sfpstochrnd L14,L0,L0,0,1,1\n"
     ".loadi L0, 0x00060000\nsfpconfig 4,0,0\nsfpconfig 8,0,1\nsfpnop\n"
     ".tile\n"
     "sfploadmacro 0,L2,0,3,3\n"
     "%s"
     "sfpmov L0,L9,8\n"
     "sfpstore L0,2,4,3\n"
     "sfpstore L2,0,3,3\n",
     "ttrmwcib0 0xFF,0x5A,186\n"},
    /* Both end in the cycle behind: where nothing is exchanged the multiply-add's result stays. */
    {"a swap of a register that a scheduled instruction writes", BOTH,
     ".init\n"
     "sfpmad L12,L2,L10,L3,0\n"
     ".loadi L0, 0x00000400\nsfpconfig 4,0,0\nsfpconfig 8,3,1\nsfpnop\n"
     ".tile\n"
     "sfpload L2,0,3,3\n"
     "sfpload L3,2,3,3\n"
     "sfploadmacro 0,L1,4,3,3\n"
     "%s"
     "sfpnop\nsfpnop\n"
     "sfpstore L1,0,3,3\n"
     "sfpstore L3,2,3,3\n",
     "sfpswap L1,L3,1\n"},
    {"a seed in every row", BOTH,
     ".tile\nA = 0\n.rept 32\n"
     "%s"
     "sfpload L0,A,3,3\nsfpstochrnd L0,L0,L0,0,1,1\nsfpstore L0,A,3,3\nA = A + 2\n.endr\n",
     ".setcfg PRNG_SEED_Seed_Val, 0x12345678\n"},
    /* Where the tile is read from Dst: the switches as .tile leaves them. */
    {"remapped rows at the end", BH, ".tile\nsfpload L0,0,3,3\nsfpstore L0,18,3,3\n%s",
     ".setcfg DEST_ACCESS_CFG_remap_addrs, 1\n"},
    {"swizzled rows at the end", BH, ".tile\nsfpload L0,0,3,3\nsfpstore L0,18,3,3\n%s",
     ".setcfg DEST_ACCESS_CFG_swizzle_32b, 1\n"},
    {"remapped rows", BH, ".dst bf16\n.inputs 2\n.tile\n" ACCESSES,
     ".setcfg DEST_ACCESS_CFG_remap_addrs, 1\n"},
    {"the other bank", BOTH, ".inputs 2\n.tile\n" ACCESSES, ".setcfg CFG_STATE_ID_StateID, 1\n"},
    {"bank cleared", BOTH, ".inputs 2\n.tile\n" ACCESSES,
     "ttsetdmareg 0,1,0,0\nttwrcfg 0,0,4\nttnop\n"},
    {"format by FP32 switch", BOTH, ".dst bf16\n.inputs 2\n.tile\n" ACCESSES,
     ".setcfg ALU_ACC_CTRL_SFPU_Fp32_enabled, 1\n"},
    {"format of SrcB", BOTH, ".dst bf16\n.inputs 2\n.tile\n" ACCESSES,
     ".setcfg ALU_FORMAT_SPEC_REG1_SrcB, 1\n"},
    {"format that overrides SrcB's", BOTH, ".dst bf16\n.inputs 2\n.tile\n" ACCESSES,
     ".setcfg ALU_FORMAT_SPEC_REG_SrcB_val, 1\n.setcfg ALU_FORMAT_SPEC_REG_SrcB_override, 1\n"},
    {"format for Dst", BH, ".dst bf16\n.inputs 2\n.tile\n" ACCESSES, "ttsetc16 4,3\n"},
    {"offset of the thread", BOTH, ".inputs 2\n.tile\n" ACCESSES,
     ".setcfg DEST_TARGET_REG_CFG_MATH_Offset, 8\n"},
    {"base of Dst", BOTH, ".inputs 2\n.tile\n" ACCESSES, ".setcfg DEST_REGW_BASE_Base, 8\n"},
    {"base of the stack", BH, ".inputs 2\n.tile\n" ACCESSES, ".setcfg DEST_SP_BASE_Base, 16\n"},
    {"increment of the stack", BH,
     ".tile\nsfpload L0,0,3,3\nsfpload L1,8,3,3\n%s"
     "sfpstore L0,16,10,3\nsfpstore L1,16,10,3\nsfpload L2,16,10,3\nsfpstore L2,32,3,3\n",
     ".setcfg SFPU_STACK_Incr, 4\n"},
    {"address modifier", BOTH, ".inputs 2\n.tile\n" ACCESSES,
     ".setcfg ADDR_MOD_DST_SEC1_DestIncr, 4\n"},
    {"carriage return", BOTH, ".inputs 2\n.tile\n" ACCESSES,
     ".setcfg ADDR_MOD_DST_SEC2_DestIncr, 4\n.setcfg ADDR_MOD_DST_SEC1_DestCR, 1\n"},
    {"address modifiers of the other set", WH,
     ".config ADDR_MOD_DST_SEC5_DestIncr, 8\n.inputs 2\n.tile\n" ACCESSES,
     ".setcfg ADDR_MOD_SET_Base, 1\n"},
    {"bias counter", WH, ".config ADDR_MOD_DST_SEC5_DestIncr, 8\n.inputs 2\n.tile\n" ACCESSES,
     ".setcfg ADDR_MOD_BIAS_SEC2_BiasIncr, 1\n"},
    {"SETRWC", BOTH, ".inputs 2\n.tile\n" ACCESSES, "ttsetrwc 0,0,8,0,0,4\n"},
    {"INCRWC", BOTH, ".inputs 2\n.tile\n" ACCESSES, "ttincrwc 0,8,0,0\n"},
};

static void check(const struct change *c, enum tx_arch arch)
{
    char text[4096];
    struct subject *of[2];
    for (unsigned i = 0; i < 2; i++) {
        snprintf(text, sizeof text, c->text, i == 0 ? "" : c->change);
        of[i] = subject_open(c->name, text, arch, NULL, 0);
        subject_reference(of[i]);
    }
    const char *reason = subject_engines(of[1], false);
    if (reason != NULL) {
        fail_msg("%s on %s: %s", c->name, tx_arch_name(arch), reason);
    }
    if (memcmp(of[0]->want, of[1]->want, sizeof of[0]->want) == 0) {
        fail_msg("%s on %s does not matter", c->name, tx_arch_name(arch));
    }
    subject_close(of[0]);
    subject_close(of[1]);
}

static void test_changes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
            if ((changes[i].chips >> arch & 1u) != 0) {
                check(&changes[i], arch);
            }
        }
    }
}

/* The kernel of the report, compiled too. */
static void test_seed_compiled(void **state)
{
    char text[4096];
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const enum tx_arch arch = changes[i].chips == BH ? TX_BLACKHOLE : TX_WORMHOLE;
        snprintf(text, sizeof text, changes[i].text, changes[i].change);
        struct subject *s = subject_open(changes[i].name, text, arch, NULL, 1);
        subject_reference(s);
        assert_null(subject_engines(s, true));
        subject_close(s);
    }
}

/* Memory that one tile leaves to the next: not what a recording can have. */
static void test_host(void **state)
{
    static const char text[] = ".tile\n"
                               "sfpload L0,0,3,3\n"
                               "ttsetdmareg 0,0,0,0\nttsetdmareg 0,0,0,1\n"
                               "ttsetdmareg 0,0,0,2\nttsetdmareg 0,0,0,3\n"
                               "ttloadind 1,0,0,4,0\n"
                               "sfpstore L0,2,3,3\n";
    uint8_t l1[64] = {1};
    struct tx_host host;
    (void)state;
    struct subject *s = subject_open("host", text, TX_BLACKHOLE, NULL, 0);
    tx_host_default(&host);
    host.l1 = l1;
    host.l1_size = sizeof l1;
    assert_int_equal(tx_host_set(tx_kernel_machine(s->kernel), &host), TX_OK);
    subject_reference(s);
    const char *reason = subject_engines(s, false);
    assert_non_null(reason);
    assert_non_null(strstr(reason, "host"));
    subject_close(s);
}

/* What the host writes between two runs is no execution either: the machine keeps its values. */
static void test_host_writes(void **state)
{
    static const uint32_t words[] = {0x7C000010u, 0x8F000000u}; /* sfpmov L1,L0 */
    uint32_t value[32];
    uint32_t got[32];
    struct tx_settings settings;
    (void)state;
    for (unsigned how = 0; how < 4; how++) {
        tx_machine *m;
        tx_fast_again *again;
        const char *reason = NULL;
        tx_settings_default(&settings, TX_BLACKHOLE);
        assert_int_equal(tx_open(&settings, &m), TX_OK);
        assert_int_equal(tx_fast_again_begin(m, &again), TX_OK);
        assert_int_equal(tx_run(m, 0, words, 2), TX_OK);
        for (unsigned i = 0; i < 32; i++) {
            value[i] = 0x40400000u + i;
        }
        if (how == 0) {
            assert_int_equal(tx_write(m, TX_FILE_LREG, 0, value, 32), TX_OK);
        } else if (how == 1) {
            tx_prng_seed(m, 77);
        } else if (how == 2) {
            tx_reset(m);
        }
        assert_int_equal(tx_run(m, 0, words, 2), TX_OK);
        const enum tx_status status = tx_fast_again_end(again, NULL, &reason);
        assert_int_equal(status, how < 3 ? TX_EUNSUPPORTED : TX_OK);
        assert_true(how == 3 || strstr(reason, "host") != NULL);
        assert_int_equal(tx_read(m, TX_FILE_LREG, 1, got, 32), TX_OK);
        for (unsigned i = 0; i < 32; i++) {
            assert_int_equal(got[i], how == 0 ? value[i] : 0);
        }
        tx_close(m);
    }
}

/* A seed through configuration is recorded there too. */
static void test_again(void **state)
{
    static const char text[] = "sfpmov L0,L9,8\n.setcfg PRNG_SEED_Seed_Val, 0x2468\n"
                               "sfpmov L1,L9,8\nsfpmov L2,L9,8\n";
    (void)state;
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        const struct tx_asm_options how = {.arch = arch};
        struct tx_settings settings;
        struct tx_program *program;
        struct tx_diag diag;
        uint32_t want[4][32];
        uint32_t got[32];
        tx_machine *m;
        assert_int_equal(tx_assemble(text, sizeof text - 1, &how, &program, &diag), TX_OK);
        tx_settings_default(&settings, arch);
        const uint32_t *words = tx_program_words(program, TX_SECTION_TILE);
        const size_t count = tx_program_count(program, TX_SECTION_TILE);
        for (unsigned turn = 0; turn < 2; turn++) { /* alone, then computed again */
            tx_fast_again *again = NULL;
            const char *reason = NULL;
            assert_int_equal(tx_open(&settings, &m), TX_OK);
            tx_prng_seed(m, 3);
            assert_true(turn == 0 || tx_fast_again_begin(m, &again) == TX_OK);
            assert_int_equal(tx_run(m, 0, words, count), TX_OK);
            assert_true(turn == 0 || tx_fast_again_end(again, NULL, &reason) == TX_OK);
            for (unsigned i = 0; i < 4; i++) {
                assert_int_equal(i < 3 ? tx_read(m, TX_FILE_LREG, i, got, 32)
                                       : tx_read(m, TX_FILE_PRNG, 0, got, 32),
                                 TX_OK);
                if (turn == 0) {
                    memcpy(want[i], got, sizeof got);
                }
                assert_memory_equal(got, want[i], sizeof got);
            }
            tx_close(m);
        }
        tx_program_free(program);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changes), cmocka_unit_test(test_seed_compiled),
        cmocka_unit_test(test_host), cmocka_unit_test(test_host_writes),
        cmocka_unit_test(test_again)};
    return cmocka_run_group_tests(tests, subject_begin, subject_end);
}
