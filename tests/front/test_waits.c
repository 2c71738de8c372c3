/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiting: block and condition bits, semaphores, mutexes, FLUSHDMA, deadlocks.
 * The tables are those of the STALLWAIT pages (0553cc7, both trees), stated here again by mnemonic.
 */
#include "units.h"

/* ---- block bits ---- */

static const struct {
    const char *name; /* as the macro spells it */
    unsigned wh, bh;  /* set of B0..B8; 512: only all of them together */
} blocks[] = {
    {"ADDDMAREG", 0x21, 0x21},   {"ADDRCRXY", 0x01, 0x01},    {"ADDRCRZW", 0x01, 0x01},
    {"APOOL3S1", 0x40, 0x40},    {"APOOL3S2", 0x40, 0x40},    {"ATCAS", 0x21, 0x21},
    {"ATGETM", 0x02, 0x02},      {"ATINCGET", 0x21, 0x21},    {"ATINCGETPTR", 0x21, 0x21},
    {"ATRELM", 0x02, 0x02},      {"ATSWAP", 0x21, 0x21},      {"BITWOPDMAREG", 0x21, 0x21},
    {"CLEARDVALID", 0x40, 0x40}, {"CLREXPHIST", 0x40, 0x40},  {"CMPDMAREG", 0x21, 0x21},
    {"CFGSHIFTMASK", 0, 0x80},   {"CONV3S1", 0x40, 0x40},     {"CONV3S2", 0x40, 0x40},
    {"DMANOP", 0x21, 0x21},      {"DOTPV", 0x40, 0x40},       {"ELWADD", 0x40, 0x40},
    {"ELWMUL", 0x40, 0x40},      {"ELWSUB", 0x40, 0x40},      {"FLUSHDMA", 0x21, 0x21},
    {"GAPOOL", 0x40, 0x40},      {"GATESRCRST", 0x40, 0x40},  {"GMPOOL", 0x40, 0x40},
    {"INCADCXY", 0x01, 0x01},    {"INCADCZW", 0x01, 0x01},    {"INCRWC", 0x40, 0x40},
    {"LOADIND", 0x21, 0x21},     {"LOADREG", 0x21, 0x21},     {"MFCONV3S1", 0x40, 0x40},
    {"MOVA2D", 0x40, 0x40},      {"MOVB2A", 0x40, 0x40},      {"MOVB2D", 0x40, 0x40},
    {"MOVD2A", 0x40, 0x40},      {"MOVD2B", 0x40, 0x40},      {"MPOOL3S1", 0x40, 0x40},
    {"MULDMAREG", 0x21, 0x21},   {"MVMUL", 0x40, 0x40},       {"NOP", 512, 512},
    {"PACR", 0x05, 0x05},        {"PACR_SETREG", 0x05, 0x05}, {"RDCFG", 0x80, 0x80},
    {"REG2FLOP", 0x21, 0x21},    {"RMWCIB0", 0x80, 0x80},     {"RMWCIB3", 0x80, 0x80},
    {"RSTDMA", 0x01, 0x01},      {"SEMGET", 0x02, 0x02},      {"SEMINIT", 0x02, 0x02},
    {"SEMPOST", 0x02, 0x02},     {"SEMWAIT", 0x02, 0x1FF},    {"SETADC", 0x01, 0x01},
    {"SETADCXX", 0x01, 0x01},    {"SETADCXY", 0x01, 0x01},    {"SETADCZW", 0x01, 0x01},
    {"SETC16", 0x80, 0x80},      {"SETDMAREG", 0x21, 0x21},   {"SETDVALID", 0x01, 0x01},
    {"SETRWC", 0x40, 0x40},      {"SFPABS", 0x100, 0x100},    {"SFPCONFIG", 0x100, 0x100},
    {"SFPGT", 0, 0x100},         {"SFPLOAD", 0x100, 0x100},   {"SFPLOADMACRO", 0x100, 0x100},
    {"SFPMAD", 0x100, 0x100},    {"SFPNOP", 0x100, 0x100},    {"SFPSTORE", 0x100, 0x100},
    {"SFPSWAP", 0x100, 0x100},   {"SHIFTDMAREG", 0x21, 0x21}, {"SHIFTXA", 0x40, 0x40},
    {"SHIFTXB", 0x40, 0x40},     {"STALLWAIT", 0x1FF, 0x1FF}, {"STOREIND", 0x21, 0x21},
    {"STOREREG", 0x21, 0x21},    {"STREAMWAIT", 0, 0x1FF},    {"STREAMWRCFG", 0, 0x80},
    {"SUBDMAREG", 0x21, 0x21},   {"TRNSPSRCB", 0x40, 0x40},   {"UNPACR", 0x09, 0x09},
    {"UNPACR_NOP", 0x09, 0x09},  {"WRCFG", 0x80, 0x80},       {"XMOV", 0x11, 0x11},
    {"ZEROACC", 0x40, 0x40},     {"ZEROSRC", 0x40, 0x40},
};

static uint32_t stallwait(enum tx_arch arch, unsigned block, unsigned condition)
{
    const struct tx_insn *insn = tx_insn_find(arch, "STALLWAIT");
    return (uint32_t)insn->opcode << 24 | block << 15 | condition;
}

/* A PACR of one FP32 datum needs no more than this. */
static void let_pack(struct rig *r)
{
    static const char *const ones[] = {"THCON_SEC0_REG1_Disable_zero_compress",
                                       "PCK_DEST_RD_CTRL_Read_32b_data"};
    for (size_t i = 0; i < 2; i++) {
        const struct tx_config_field *f = tx_config_field_find(r->arch, ones[i]);
        const uint32_t value = 1u << f->lsb;
        assert_int_equal(tx_write(r->m, TX_FILE_CONFIG, f->word, &value, 1), TX_OK);
    }
}

/* Is the word caught by a wait with this block mask? */
static bool caught(struct rig *r, uint32_t word, unsigned block)
{
    const uint32_t words[2] = {stallwait(r->arch, block, 2), word};
    const uint32_t owned[4] = {0, 0, 1, 1};
    tx_reset(r->m);
    for (unsigned src = 0; src < 2; src++) { /* it waits for nothing else */
        assert_int_equal(tx_write(r->m, TX_FILE_SRC_BANK, src, owned, 4), TX_OK);
    }
    let_pack(r);
    tx_findings_clear(r->m);
    r->issues = 0;
    assert_int_equal(tx_condition_set(r->m, 0, TX_CONDITION_UNPACK0, true), TX_OK);
    assert_int_equal(tx_push(r->m, 0, words, 2), 2);
    assert_int_equal(tx_step(r->m, 20), TX_OK);
    const size_t issued = rig_issued(r, 0);
    const struct tx_gate gate = tx_gate_read(r->m, 0);
    assert_true(issued == 1 || issued == 2);
    assert_int_equal(gate.wait, TX_WAIT_STALLWAIT);
    assert_int_equal(gate.busy, 2);
    assert_int_equal(gate.present, issued == 1);
    assert_int_equal(gate.hold, issued == 1 ? TX_HOLD_WAIT : TX_HOLD_NONE);
    return issued == 1;
}

static bool in_l1(void *user, struct tx_access *access)
{
    (void)user;
    access->data[0] = 0;
    return true;
}

static void test_block_bits(void **state)
{
    (void)state;
    RIG_EACH(arch)
    {
        struct rig *r = open_with_units(arch);
        r->host.memory = in_l1;
        assert_int_equal(tx_host_set(r->m, &r->host), TX_OK);
        for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
            const unsigned want = arch == TX_WORMHOLE ? blocks[i].wh : blocks[i].bh;
            const struct tx_insn *insn = tx_insn_find(arch, blocks[i].name);
            if (want == 0) {
                assert_null(insn);
                continue;
            }
            assert_non_null(insn);
            const uint32_t word = (uint32_t)insn->opcode << 24;
            for (unsigned bit = 0; bit < 9; bit++) {
                unit.count = 0;
                if (caught(r, word, 1u << bit) != ((want >> bit & 1u) != 0)) {
                    /* WH: an uncaught SEMWAIT takes the place of the latched wait. */
                    fail_msg("%s on %s: B%u", blocks[i].name, tx_arch_short(arch), bit);
                }
            }
            assert_true(caught(r, word, 511));
        }
        rig_close(r);
    }
}

/* A block mask of 0 is B6; a condition mask of 0 the default set of the chip. */
static void test_defaults(void **state)
{
    (void)state;
    RIG_EACH(arch)
    {
        struct rig *r = rig_open_ready(arch, true);
        const uint32_t words[3] = {stallwait(arch, 0, 0), 0x8F000000u,
                                   (uint32_t)tx_insn_find(arch, "INCRWC")->opcode << 24};
        const unsigned defaults = arch == TX_WORMHOLE ? 0x7F : 0x0F;
        for (unsigned c = 0; c < TX_CONDITION_COUNT; c++) {
            const int bit = tx_condition_bit(arch, (enum tx_condition)c);
            const bool waits = bit >= 0 && (defaults >> bit & 1u) != 0;
            tx_reset(r->m);
            r->issues = 0;
            assert_int_equal(tx_condition_set(r->m, 1, (enum tx_condition)c, true), TX_OK);
            assert_true(tx_condition_get(r->m, 1, (enum tx_condition)c));
            assert_false(tx_condition_get(r->m, 0, (enum tx_condition)c));
            assert_int_equal(tx_push(r->m, 1, words, 3), 3);
            assert_int_equal(tx_run_idle(r->m, 100), waits ? TX_EDEADLOCK : TX_OK);
            assert_int_equal(rig_issued(r, 1), waits ? 2 : 3);
        }
        assert_int_equal(tx_condition_set(r->m, 3, TX_CONDITION_MEMORY, true), TX_EINVAL);
        assert_int_equal(tx_condition_set(r->m, 0, TX_CONDITION_COUNT, true), TX_EINVAL);
        rig_close(r);
    }
}

/* Each bit of the condition mask waits for its condition and for no other. */
static void test_condition_bits(void **state)
{
    (void)state;
    static const char *const names[2][15] = {
        {"memory", "unpack0", "unpack1", "pack0", "pack1", "pack2", "pack3", "matrix",
         "srca-unpack", "srcb-unpack", "srca-matrix", "srcb-matrix", "mover", "risc", "vector"},
        {"memory", "unpack0", "unpack1", "pack0", "matrix", "srca-unpack", "srcb-unpack",
         "srca-matrix", "srcb-matrix", "mover", "risc", "vector", "config", NULL, NULL},
    };
    RIG_EACH(arch)
    {
        struct rig *r = rig_open_ready(arch, true);
        for (unsigned bit = 0; bit < 15 && names[arch - 1][bit] != NULL; bit++) {
            for (unsigned c = 0; c < TX_CONDITION_COUNT; c++) {
                const uint32_t words[2] = {stallwait(arch, 0x100, 1u << bit), 0x8F000000u};
                const bool same =
                    strcmp(tx_condition_name((enum tx_condition)c), names[arch - 1][bit]) == 0;
                tx_reset(r->m);
                assert_int_equal(tx_condition_set(r->m, 0, (enum tx_condition)c, true), TX_OK);
                assert_int_equal(tx_push(r->m, 0, words, 2), 2);
                assert_int_equal(tx_run_idle(r->m, 100), same ? TX_EDEADLOCK : TX_OK);
                char text[256];
                assert_int_equal(tx_wait_text(r->m, 0, text, sizeof text), same);
                assert_int_equal(strstr(text, names[arch - 1][bit]) != NULL, same);
            }
        }
        rig_close(r);
    }
}

/* What the machine itself knows: a two-cycle vector instruction, a write of configuration. */
static void test_own_conditions(void **state)
{
    (void)state;
    static const struct {
        const char *before, *wait;
        enum tx_condition condition;
        unsigned extra; /* cycles beyond the two that a met wait costs */
    } rows[] = {
        {"sfpnop", "sfpnop", TX_CONDITION_VECTOR, 0},
        {"sfpmad L1,L2,L3,L4,0", "sfpnop", TX_CONDITION_VECTOR, 0}, /* over before the first look */
        {"ttwrcfg 8,0,1", "ttrdcfg 9,1", TX_CONDITION_CONFIG, 0},
        {"ttstorereg 8,0x4400", "ttdmanop", TX_CONDITION_MEMORY, 0},
        {"ttloadind 1,4,0,8,1", "ttdmanop", TX_CONDITION_MEMORY, 6},      /* 10 - 3 - 1 */
        {"ttincrwc 0,0,0,0", "ttincrwc 0,0,0,0", TX_CONDITION_MATRIX, 4}, /* 6 - 2: MATRIX_BUSY */
    };
    RIG_EACH(arch)
    {
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            struct rig *r = rig_open(arch);
            char text[256];
            const int bit = tx_condition_bit(arch, rows[i].condition);
            const char *const texts[TX_THREADS] = {text, NULL, NULL};
            if (bit < 0) {
                rig_close(r);
                continue;
            }
            r->host.memory = in_l1;
            assert_int_equal(tx_host_set(r->m, &r->host), TX_OK);
            snprintf(text, sizeof text, "%s\nttstallwait 511,%u\n%s", rows[i].before, 1u << bit,
                     rows[i].wait);
            assert_int_equal(rig_run(r, texts, 1000), TX_OK);
            assert_int_equal(rig_cycle(r, 0, 2) - rig_cycle(r, 0, 1), 2 + rows[i].extra);
            rig_close(r);
        }
    }
    /* Blackhole C12: any thread's. A RMWCIB in the cycle of the first look costs one more. */
    struct rig *r = rig_open(TX_BLACKHOLE);
    const char *const other[TX_THREADS] = {"ttstallwait 511,0x1000\nttnop",
                                           "ttnop\nttrmwcib0 1,1,1", NULL};
    assert_int_equal(rig_run(r, other, 1000), TX_OK);
    assert_int_equal(rig_cycle(r, 0, 1) - rig_cycle(r, 0, 0), 3);
    rig_close(r);
}

/* Src conditions follow the banks where the host has unpackers (SETRWC hands banks back, which the
 * others see SEEN cycles later: docs/silicon.md, BANK_HANDOVER). */
static void test_src_banks(void **state)
{
    (void)state;
    enum { SEEN = 5 };
    RIG_EACH(arch)
    {
        struct rig *r = open_with_units(arch);
        const uint32_t ours[4] = {0, 0, 1, 0};
        assert_true(tx_condition_get(r->m, 0, TX_CONDITION_SRCA_MATRIX));
        assert_false(tx_condition_get(r->m, 0, TX_CONDITION_SRCA_UNPACK));
        assert_int_equal(tx_write(r->m, TX_FILE_SRC_BANK, 0, ours, 4), TX_OK);
        assert_false(tx_condition_get(r->m, 0, TX_CONDITION_SRCA_MATRIX));
        assert_true(tx_condition_get(r->m, 0, TX_CONDITION_SRCA_UNPACK));
        assert_true(tx_condition_get(r->m, 0, TX_CONDITION_SRCB_MATRIX));
        const char *const text[TX_THREADS] = {"ttnop\nttdmanop",
                                              "ttstoreind 0,0,0,4,0,8,1\nttdmanop",
                                              "ttnop\nttnop\nttnop\nttsetrwc 1,0,0,0,0,0"};
        assert_int_equal(rig_run(r, text, 1000), TX_OK);
        /* STOREIND waits for the bank in the Scalar Unit: nobody else enters it meanwhile */
        assert_int_equal(rig_cycle(r, 1, 0), rig_cycle(r, 2, 0));
        assert_int_equal(rig_cycle(r, 0, 1), rig_cycle(r, 2, 3) + SEEN + 2);
        assert_string_equal(r->cause[0], "T1 executes there");
        assert_int_equal(rig_cycle(r, 1, 1), rig_cycle(r, 0, 1) + 1);
        assert_string_equal(r->cause[1], "T0 enters the unit");
        assert_int_equal(unit.count, 1);
        assert_int_equal(unit.call[0].cycle, rig_cycle(r, 2, 3) + SEEN);
        /* a bank that nobody hands over: a deadlock with its reason */
        char line[256];
        const char *const alone[TX_THREADS] = {NULL, "ttstoreind 0,0,1,4,0,8,1\nttnop", NULL};
        assert_int_equal(tx_write(r->m, TX_FILE_SRC_BANK, 1, ours, 4), TX_OK);
        assert_int_equal(rig_run(r, alone, 10000), TX_EDEADLOCK);
        assert_true(tx_wait_text(r->m, 1, line, sizeof line));
        assert_non_null(strstr(line, "STOREIND"));
        assert_non_null(strstr(line, "waits for its Src bank"));
        rig_close(r);
    }
}

/* ---- the latch ---- */

/* A STALLWAIT waits for the latched wait; a SEMWAIT too on Blackhole, on Wormhole it replaces it.
 */
static void test_second_wait(void **state)
{
    (void)state;
    RIG_EACH(arch)
    {
        for (unsigned second = 0; second < 2; second++) {
            struct rig *r = rig_open(arch);
            const char *const text[TX_THREADS] = {
                second == 0 ? "ttstallwait 0x40,2\nttstallwait 0x100,4\nsfpnop"
                            : "ttseminit 1,1,1\nttstallwait 0x40,2\nttsemwait 0x100,1,1\nsfpnop\n"
                              "ttincrwc 0,0,0,0",
                NULL, NULL};
            const bool replaces = second == 1 && arch == TX_WORMHOLE;
            assert_int_equal(tx_condition_set(r->m, 0, TX_CONDITION_UNPACK0, true), TX_OK);
            assert_int_equal(rig_run(r, text, 1000), replaces ? TX_OK : TX_EDEADLOCK);
            if (!replaces) {
                assert_int_equal(rig_issued(r, 0), 1 + second);
                assert_int_equal(tx_condition_set(r->m, 0, TX_CONDITION_UNPACK0, false), TX_OK);
                assert_int_equal(tx_run_idle(r->m, 1000), TX_OK);
            }
            assert_int_equal(rig_issued(r, 0), second == 0 ? 3 : 5);
            rig_close(r);
        }
    }
}

/*
 * PACR waits for the rows of Dst that it reads until ELWADD's result is there, five cycles on, and
 * for no others, without a STALLWAIT. The Matrix Unit is at work while it looks. A result that
 * the host lets come later (tx_order_delays) counts from its time: the PACR first looks right
 * after.
 */
static void test_pack_after_matrix(void **state)
{
    (void)state;
    RIG_EACH(arch)
    {
        for (unsigned i = 0; i < 4; i++) {
            const unsigned row = i % 2 * 16;
            const unsigned nops = i < 2 ? 0 : 7;
            const struct tx_delay late = {.late = true, .cycles = nops};
            struct rig *r = rig_open_ready(arch, true);
            char text[96];
            const char *const texts[TX_THREADS] = {text, NULL, NULL};
            const struct tx_insn *pacr = tx_insn_find(arch, "PACR");
            const uint32_t owned[4] = {0, 0, 1, 1};
            snprintf(text, sizeof text, "ttelwadd 0,0,0,0,%u\n%s.word 0x%08x", row,
                     nops == 0 ? "" : ".rept 7\nttnop\n.endr\n", (unsigned)pacr->opcode << 24);
            let_pack(r);
            r->host.memory = in_l1;
            assert_int_equal(tx_host_set(r->m, &r->host), TX_OK);
            assert_int_equal(tx_write(r->m, TX_FILE_SRC_BANK, 0, owned, 4), TX_OK);
            assert_int_equal(tx_write(r->m, TX_FILE_SRC_BANK, 1, owned, 4), TX_OK);
            assert_int_equal(tx_order_delays(r->m, &late, nops != 0), TX_OK);
            assert_int_equal(rig_run(r, texts, 1000), TX_OK);
            assert_int_equal(rig_cycle(r, 0, 1 + nops) - rig_cycle(r, 0, 0),
                             nops + (row == 0 ? 5 : 1));
            rig_close(r);
        }
    }
}

/* Cycles from one instruction to the next that the Matrix Unit takes: spec/matrix-unit.md 8. */
static void test_matrix_pairs(void **state)
{
    (void)state;
    static const struct {
        const char *first, *then;
        unsigned cycles;
    } rows[] = {
        {"ttmova2d 0,0,0,0,0", "ttmvmul 0,0,0,32", 4},
        {"ttmova2d 0,0,0,0,0", "ttmovd2a 0,0,0,0,32", 4},
        {"ttmovb2d 0,0,0,0,0", "ttmovd2b 0,0,0,0,32", 4},
        {"ttmova2d 0,0,0,0,0", "ttelwadd 0,0,0,0,32", 1},
        {"ttmova2d 0,0,0,0,0", "ttmova2d 0,0,0,0,0", 1},
        {"ttmovd2a 0,0,0,0,0", "ttmvmul 0,0,0,32", 2},
        {"ttmovd2a 0,0,0,0,0", "ttmovd2a 0,0,0,0,32", 1},
        {"ttmovd2a 0,0,0,0,0", "ttmovb2a 0,0,0,0", 1},
        {"ttmovb2a 0,0,0,0", "ttmovd2a 0,0,0,0,32", 1},
        {"ttmovb2a 0,0,0,0", "ttelwadd 0,0,0,0,32", 2},
        {"ttmovd2b 0,0,0,0,0", "ttmvmul 0,0,0,32", 4},
        {"ttmovd2b 0,0,0,0,0", "ttmovd2a 0,0,0,0,32", 4},
        {"ttmovd2b 0,0,0,0,0", "ttmovd2b 0,0,0,0,32", 1},
    };
    RIG_EACH(arch)
    {
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            struct rig *r = rig_open(arch);
            const uint32_t owned[4] = {0, 0, 1, 1};
            char text[80];
            const char *const texts[TX_THREADS] = {text, NULL, NULL};
            snprintf(text, sizeof text, "%s\n%s", rows[i].first, rows[i].then);
            assert_int_equal(tx_write(r->m, TX_FILE_SRC_BANK, 0, owned, 4), TX_OK);
            assert_int_equal(tx_write(r->m, TX_FILE_SRC_BANK, 1, owned, 4), TX_OK);
            assert_int_equal(rig_run(r, texts, 1000), TX_OK);
            if (rig_cycle(r, 0, 1) - rig_cycle(r, 0, 0) != rows[i].cycles) {
                fail_msg("%s, then %s: %u cycles", rows[i].first, rows[i].then,
                         (unsigned)(rig_cycle(r, 0, 1) - rig_cycle(r, 0, 0)));
            }
            rig_close(r);
        }
    }
}

/* ---- FLUSHDMA against STALLWAIT ---- */

/*
 * S-13: while a condition is busy FLUSHDMA lets nothing of its thread pass and keeps the others out
 * of the Scalar Unit; STALLWAIT with B5 stops its own thread's Scalar Unit instructions only.
 */
static void test_flushdma(void **state)
{
    (void)state;
    RIG_EACH(arch)
    {
        for (unsigned flush = 0; flush < 2; flush++) {
            struct rig *r = rig_open(arch);
            const char *const text[TX_THREADS] = {
                flush ? "ttflushdma 2\nttsempost 1\nttnop\nttdmanop"
                      : "ttstallwait 0x20,2\nttsempost 1\nttnop\nttdmanop",
                "ttnop\nttnop\nttnop\nttdmanop\nttnop", "sfpnop\nsfpnop\nsfpnop\nsfpnop\nsfpnop"};
            assert_int_equal(tx_condition_set(r->m, 0, TX_CONDITION_UNPACK0, true), TX_OK);
            assert_int_equal(rig_run(r, text, 1000), TX_EDEADLOCK);
            assert_int_equal(rig_issued(r, 0), flush ? 1 : 3);
            assert_int_equal(rig_issued(r, 1), flush ? 3 : 5);
            assert_int_equal(rig_issued(r, 2), 5);
            assert_int_equal(tx_scalar_read(r->m).busy, flush);
            if (flush) {
                char line[256];
                assert_true(tx_wait_text(r->m, 0, line, sizeof line));
                assert_non_null(strstr(line, "FLUSHDMA"));
                assert_non_null(strstr(line, "unpack0 (C1)"));
                assert_int_equal(tx_gate_read(r->m, 1).hold, TX_HOLD_UNIT);
                assert_int_equal(tx_gate_read(r->m, 1).other, 0);
            }
            assert_int_equal(tx_condition_set(r->m, 0, TX_CONDITION_UNPACK0, false), TX_OK);
            assert_int_equal(tx_run_idle(r->m, 1000), TX_OK);
            assert_int_equal(rig_issued(r, 0), 4);
            assert_int_equal(rig_issued(r, 1), 5);
            rig_close(r);
        }
    }
}

/* FLUSHDMA's four bits; 0 stands for all of them, on both chips (S-12). */
static void test_flushdma_mask(void **state)
{
    (void)state;
    static const enum tx_condition bits[4] = {TX_CONDITION_MEMORY, TX_CONDITION_UNPACK0,
                                              TX_CONDITION_UNPACK1, TX_CONDITION_PACK0};
    RIG_EACH(arch)
    {
        for (unsigned mask = 0; mask < 16; mask++) {
            for (unsigned c = 0; c < TX_CONDITION_COUNT; c++) {
                struct rig *r = rig_open(arch);
                char line[64];
                bool waits = false;
                for (unsigned i = 0; i < 4; i++) {
                    waits = waits || (bits[i] == c && ((mask == 0 ? 15 : mask) >> i & 1u) != 0);
                }
                snprintf(line, sizeof line, "ttflushdma %u\nttnop", mask);
                const char *const text[TX_THREADS] = {line, NULL, NULL};
                assert_int_equal(tx_condition_set(r->m, 0, (enum tx_condition)c, true), TX_OK);
                assert_int_equal(rig_run(r, text, 100), waits ? TX_EDEADLOCK : TX_OK);
                rig_close(r);
            }
        }
    }
}

/* ---- threads that work together ---- */

/* T0 fills a place, T1 takes it and fills another, T2 takes that, eight times round. */
static enum tx_status relay(struct rig *r, unsigned forgotten)
{
    static char text[3][4096];
    const char *const texts[TX_THREADS] = {text[0], text[1], text[2]};
    /* semaphores 1 and 2: full places between T0 and T1, T1 and T2; at most one each */
    strcpy(text[0], "ttseminit 1,0,6\n");
    strcpy(text[1], "ttnop\nttnop\nttnop\n");
    strcpy(text[2], "ttnop\nttnop\nttnop\n");
    for (unsigned i = 0; i < 8; i++) {
        strcat(text[0], "ttsemwait 511,2,2\nttadddmareg 1,8,1,8\n");
        strcat(text[0], i == forgotten ? "" : "ttsempost 2\n");
        strcat(text[1], "ttsemwait 511,2,1\nttsemget 2\nttsemwait 511,4,2\nttadddmareg 1,8,1,8\n"
                        "ttsempost 4\n");
        strcat(text[2], "ttsemwait 511,4,1\nttadddmareg 1,8,1,8\nttsemget 4\n");
    }
    return rig_run(r, texts, 10000);
}

static void test_relay(void **state)
{
    (void)state;
    RIG_EACH(arch)
    {
        struct rig *r = rig_open(arch);
        for (unsigned t = 0; t < 3; t++) {
            const uint32_t zero = 0;
            assert_int_equal(tx_write(r->m, TX_FILE_GPR, 64 * t + 8, &zero, 1), TX_OK);
        }
        assert_int_equal(relay(r, 99), TX_OK);
        for (unsigned t = 0; t < 3; t++) {
            assert_int_equal(rig_gpr(r, t, 8), 8);
        }
        assert_true(tx_idle(r->m));
        assert_false(tx_stuck(r->m));
        rig_close(r);
    }
}

/* The same without one SEMPOST: a deadlock, named, soon. */
static void test_deadlock(void **state)
{
    (void)state;
    RIG_EACH(arch)
    {
        for (unsigned forgotten = 0; forgotten < 8; forgotten++) {
            struct rig *r = rig_open(arch);
            char line[256];
            assert_int_equal(relay(r, forgotten), TX_EDEADLOCK);
            const uint64_t last = r->issue[r->issues - 1].cycle;
            assert_false(tx_wait_text(r->m, 0, line, sizeof line)); /* it has run to its end */
            assert_true(tx_wait_text(r->m, 1, line, sizeof line));
            assert_non_null(strstr(line, "SEMWAIT"));
            assert_non_null(strstr(line, "semaphore 1 (0 of 1) to be above 0"));
            assert_true(tx_wait_text(r->m, 2, line, sizeof line));
            assert_non_null(strstr(line, "semaphore 2 (0 of 1) to be above 0"));
            assert_true(tx_gate_read(r->m, 1).since <= last + 2);
            assert_false(tx_idle(r->m));
            assert_true(tx_stuck(r->m));
            uint64_t cycles = tx_gate_read(r->m, 2).since;
            while (tx_step(r->m, 1) == TX_OK && tx_stuck(r->m) && cycles < 10000) {
                cycles++; /* and nothing ever changes */
            }
            assert_int_equal(cycles, 10000);
            /* a post from outside, and it runs on */
            const uint32_t one[2] = {1, 1};
            assert_int_equal(tx_write(r->m, TX_FILE_SEMAPHORE, 1, one, 2), TX_OK);
            assert_int_equal(tx_run_idle(r->m, 10000), TX_OK);
            rig_close(r);
        }
    }
}

/* Three threads, one mutex: it goes round (isa ATRELM), nobody is inside with another. */
static void test_mutex(void **state)
{
    (void)state;
    RIG_EACH(arch)
    {
        struct rig *r = rig_open(arch);
        static const char text[] =
            "ttatgetm 2\nttnop\nttnop\nttnop\nttatrelm 2\nttatgetm 2\nttnop\nttatrelm 2\n"
            "ttatgetm 2\nttnop\nttnop\nttatrelm 2";
        const char *const texts[TX_THREADS] = {text, text, text};
        const uint32_t get = (uint32_t)tx_insn_find(arch, "ATGETM")->opcode << 24 | 2;
        const uint32_t release = (uint32_t)tx_insn_find(arch, "ATRELM")->opcode << 24 | 2;
        unsigned holder = TX_THREADS;
        unsigned last = TX_THREADS;
        assert_int_equal(rig_run(r, texts, 1000), TX_OK);
        for (size_t i = 0; i < r->issues; i++) {
            const struct rig_issue *issue = &r->issue[i];
            if (issue->word == get) {
                assert_int_equal(holder, TX_THREADS);
                assert_true(last == TX_THREADS || issue->thread == (last + 1) % 3);
                holder = last = issue->thread;
            } else if (issue->word == release) {
                assert_int_equal(holder, issue->thread);
                holder = TX_THREADS;
            }
        }
        rig_close(r);
        /* indices that do not exist wait for ever */
        for (unsigned index = 0; index < 10; index++) {
            const bool exists =
                index == 0 || (index >= 2 && index <= (arch == TX_WORMHOLE ? 7 : 4));
            char line[256];
            char program[64];
            const char *const single[TX_THREADS] = {program, NULL, NULL};
            r = rig_open(arch);
            snprintf(program, sizeof program, "ttatgetm %u\nttatrelm %u", index, index);
            assert_int_equal(rig_run(r, single, 1000), exists ? TX_OK : TX_EDEADLOCK);
            assert_int_equal(tx_wait_text(r->m, 0, line, sizeof line), !exists);
            assert_int_equal(strstr(line, "does not exist") != NULL, !exists);
            rig_close(r);
        }
        r = rig_open(arch);
        const char *const two[TX_THREADS] = {"ttatgetm 3", "ttnop\nttnop\nttatgetm 3", NULL};
        char line[256];
        assert_int_equal(rig_run(r, two, 1000), TX_EDEADLOCK);
        assert_true(tx_wait_text(r->m, 1, line, sizeof line));
        assert_non_null(strstr(line, "mutex 3, held by T0"));
        rig_close(r);
    }
}

/* ATCAS waits until another thread has written; where nobody does, it is a deadlock. */
static void test_atcas(void **state)
{
    (void)state;
    RIG_EACH(arch)
    {
        struct rig *r = rig_open(arch);
        char line[256];
        const char *const lonely[TX_THREADS] = {"ttatcas 0,9,3,0,0,1\nttnop", NULL, NULL};
        assert_int_equal(rig_run(r, lonely, 100000), TX_EDEADLOCK);
        assert_true(tx_wait_text(r->m, 0, line, sizeof line));
        assert_non_null(strstr(line, "ATCAS"));
        r->l1[0] = 3; /* the host writes */
        assert_int_equal(tx_run_idle(r->m, 100), TX_OK);
        assert_int_equal(r->l1[0], 9);
        assert_int_equal(rig_issued(r, 0), 2);
        rig_close(r);
    }
}

/* ---- snapshots ---- */

/* A machine that is saved and restored in every seventh cycle does what an undisturbed one does. */
static void test_snapshot(void **state)
{
    (void)state;
    RIG_EACH(arch)
    {
        struct rig *rig[2] = {rig_open(arch), rig_open(arch)};
        const size_t size = tx_snapshot_size(NULL);
        unsigned char *image = malloc(size);
        static const char text[] =
            "ttreplay 0,3,1,1\nsfpmad L1,L2,L3,L4,0\nttadddmareg 0,8,3,4\nttwrcfg 8,0,1\n"
            "ttloadind 1,4,0,8,1\nttstallwait 511,1\nttreplay 0,3,0,0\nttsempost 1\nttatgetm 0\n"
            "ttmop 0,9,2\nttatrelm 0\nttflushdma 0\nttatcas 0,0,0,0,0,1";
        uint32_t words[RIG_WORDS];
        const size_t count = rig_assemble(arch, text, words);
        for (unsigned i = 0; i < 2; i++) {
            for (unsigned t = 0; t < 3; t++) {
                assert_int_equal(tx_mop_config(rig[i]->m, t, 3, 0x8F000000u), TX_OK);
                assert_int_equal(tx_mop_config(rig[i]->m, t, 7, 0x02000000u), TX_OK);
                assert_int_equal(tx_push(rig[i]->m, t, words, count), count);
            }
        }
        for (unsigned cycle = 0; cycle < 400; cycle++) {
            if (cycle % 7 == 0) {
                assert_int_equal(tx_snapshot(rig[1]->m, image, size), TX_OK);
                tx_reset(rig[1]->m);
                assert_int_equal(tx_restore(rig[1]->m, image, size), TX_OK);
            }
            assert_int_equal(tx_step(rig[0]->m, 1), TX_OK);
            assert_int_equal(tx_step(rig[1]->m, 1), TX_OK);
        }
        assert_true(tx_idle(rig[0]->m) && tx_idle(rig[1]->m));
        assert_int_equal(rig[0]->issues, rig[1]->issues);
        assert_true(rig[0]->issues > 60);
        for (size_t i = 0; i < rig[0]->issues; i++) {
            assert_int_equal(rig[0]->issue[i].cycle, rig[1]->issue[i].cycle);
            assert_int_equal(rig[0]->issue[i].word, rig[1]->issue[i].word);
            assert_int_equal(rig[0]->issue[i].number, rig[1]->issue[i].number);
        }
        free(image);
        rig_close(rig[0]);
        rig_close(rig[1]);
    }
}

static void test_arguments(void **state)
{
    (void)state;
    struct rig *r = rig_open(TX_BLACKHOLE);
    struct tx_host host;
    const uint32_t nop = 0x02000000u;
    tx_host_default(&host);
    host.size = 1;
    assert_int_equal(tx_host_set(r->m, &host), TX_EINVAL);
    tx_host_default(&host);
    host.l1_size = 16;
    assert_int_equal(tx_host_set(r->m, &host), TX_EINVAL);
    tx_host_default(&host);
    host.load_cycles = 3;
    assert_int_equal(tx_host_set(r->m, &host), TX_EINVAL);
    assert_int_equal(tx_push(r->m, 3, &nop, 1), 0);
    assert_int_equal(tx_queue_words(r->m, 3, TX_QUEUE_MOP, NULL, 0), 0);
    assert_int_equal(tx_queue_words(r->m, 0, TX_QUEUE_COUNT, NULL, 0), 0);
    assert_int_equal(tx_queue_capacity(r->m, 0, TX_QUEUE_COUNT), 0);
    assert_false(tx_gate_read(r->m, 3).present);
    assert_string_equal(tx_condition_name(TX_CONDITION_COUNT), "?");
    assert_int_equal(tx_condition_bit(TX_BLACKHOLE, TX_CONDITION_PACK1), -1);
    assert_string_equal(tx_hold_text(TX_HOLD_COUNT), "?");
    assert_string_equal(tx_status_text(TX_EDEADLOCK),
                        "every thread waits for something that nobody is going to do");
    const struct tx_stream streams[TX_THREADS] = {{&nop, 1}, {NULL, 0}, {NULL, 0}};
    assert_int_equal(tx_run_threads(r->m, streams, 2), TX_ELIMIT);
    assert_int_equal(tx_run_idle(r->m, 100), TX_OK);
    rig_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_bits),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_condition_bits),
        cmocka_unit_test(test_own_conditions),
        cmocka_unit_test(test_src_banks),
        cmocka_unit_test(test_second_wait),
        cmocka_unit_test(test_pack_after_matrix),
        cmocka_unit_test(test_matrix_pairs),
        cmocka_unit_test(test_flushdma),
        cmocka_unit_test(test_flushdma_mask),
        cmocka_unit_test(test_relay),
        cmocka_unit_test(test_deadlock),
        cmocka_unit_test(test_mutex),
        cmocka_unit_test(test_atcas),

        cmocka_unit_test(test_snapshot),
        cmocka_unit_test(test_arguments),
    };
    coverage_open("waits");
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return coverage_close() ? failed : 1;
}
