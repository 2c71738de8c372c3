/* SPDX-License-Identifier: Apache-2.0 */
/* The tile, by programs on its cores. Expectations: spec/tile.md, checks of section 18 by number.
 */
#include "tile/code.h"

/* Check 2. */
static void test_reset(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 2; a++) {
        tx_tensix *tile = open_tile(chips[a], false);
        assert_int_equal(get(tile, 0xFFB121B0), 0x47800);
        set(tile, 0xFFB121B0, 0x47000);
        assert_int_equal(phase_of(tile, TX_CORE_B), TX_CORE_RUNS);
        assert_int_equal(phase_of(tile, TX_CORE_T0), TX_CORE_HELD);
        assert_int_equal(pc_of(tile, TX_CORE_B), 0);
        set(tile, 0xFFB121B0, 0x40000);
        assert_int_equal(pc_of(tile, TX_CORE_T0), 0x6000);
        assert_int_equal(pc_of(tile, TX_CORE_T1), 0xA000);
        assert_int_equal(pc_of(tile, TX_CORE_T2), 0xE000);
        set(tile, 0xFFB121B0, 0);
        assert_int_equal(pc_of(tile, TX_CORE_NC), 0x12000);
        /* Start addresses: registers on Blackhole, configuration, written by B, on Wormhole. */
        set(tile, 0xFFB121B0, 0x47800);
        if (chips[a] == TX_BLACKHOLE) {
            set(tile, 0xFFB1222C, 0x9800);
            set(tile, 0xFFB12234, 2);
        } else {
            struct code c = code_at(tile, CODE_B);
            li(&c, A0, 0xFFEF0000);
            li(&c, A1, 0x9800);
            sw(&c, A1, A0, 4 * 159);
            addi(&c, A1, X0, 2);
            sw(&c, A1, A0, 4 * 161);
            ebreak(&c);
            start(&c, TX_CORE_B);
            run(tile, TX_OK);
        }
        set(tile, 0xFFB121B0, 0x40800);
        assert_int_equal(pc_of(tile, TX_CORE_T0), 0x6000);
        assert_int_equal(pc_of(tile, TX_CORE_T1), 0x9800);
        assert_int_equal(pc_of(tile, TX_CORE_T2), 0xE000);
        tx_tensix_close(tile);
    }
}

/* Check 3. */
static void test_semaphores(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 4; a++) {
        tx_tensix *tile = open_tile(chips[a & 1u], (a & 2u) != 0);
        struct code c = code_at(tile, CODE_T2);
        ttinsn(&c, 0xA3100008); /* SEMINIT max 1, value 0, semaphore 1 */
        li(&c, A0, 0xFFE80000);
        sw(&c, X0, A0, 4);
        lw(&c, A1, A0, 4);
        lw(&c, A1, A0, 0x24);
        result(&c, A1, 0);
        sw(&c, X0, A0, 0x24);
        sw(&c, X0, A0, 0x24);
        lw(&c, A1, A0, 0x24);
        result(&c, A1, 1);
        addi(&c, A2, X0, 1);
        sw(&c, A2, A0, 0x24);
        lw(&c, A1, A0, 0x24);
        result(&c, A1, 2);
        for (unsigned i = 0; i < 16; i++) {
            sw(&c, X0, A0, 0x24);
        }
        lw(&c, A1, A0, 0x24);
        result(&c, A1, 3);
        for (unsigned i = 0; i < 16; i++) {
            sw(&c, A2, A0, 0x24);
        }
        ebreak(&c);
        start(&c, TX_CORE_T2);
        run(tile, TX_OK);
        assert_int_equal(get(tile, RESULTS), 0);
        assert_int_equal(get(tile, RESULTS + 4), 2);
        assert_int_equal(get(tile, RESULTS + 8), 1);
        assert_int_equal(get(tile, RESULTS + 12), 15);
        assert_true(findings(tile, "TL-3") > 0);
        uint32_t values[2];
        assert_int_equal(tx_read(tx_tensix_machine(tile), TX_FILE_SEMAPHORE, 1, values, 2), TX_OK);
        assert_int_equal(values[0], 0);
        assert_int_equal(values[1], 1);
        tx_tensix_close(tile);
    }
}

/* Check 4: the fifth word waits. */
static void test_mailboxes(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 4; a++) {
        tx_tensix *tile = open_tile(chips[a & 1u], (a & 2u) != 0);
        struct code c = code_at(tile, CODE_T0);
        li(&c, A0, 0xFFEC2000);
        for (int i = 0; i < 5; i++) {
            addi(&c, A1, X0, 100 + i);
            sw(&c, A1, A0, 0);
        }
        word(&c, 0x0FF0000F); /* fence */
        result(&c, A1, 9);
        ebreak(&c);
        start(&c, TX_CORE_T0);
        (void)tx_tensix_cycle(tile, 200);
        assert_int_equal(get(tile, RESULTS + 36), 0); /* what stands behind it waits, too */
        c = code_at(tile, CODE_T1);
        li(&c, A0, 0xFFEC1000);
        for (unsigned i = 0; i < 6; i++) {
            lw(&c, A2, A0, 4);
            result(&c, A2, 2 * i);
            if (i < 5) {
                lw(&c, A1, A0, 0);
                result(&c, A1, 2 * i + 1);
                for (unsigned k = 0; k < 8; k++) {
                    addi(&c, X0, X0, 0);
                }
            }
        }
        li(&c, A0, 0xFFEC2000);
        lw(&c, A1, A0, 0); /* from itself: for ever */
        start(&c, TX_CORE_T1);
        run(tile, TX_EDEADLOCK);
        for (unsigned i = 0; i < 5; i++) {
            assert_int_equal(get(tile, RESULTS + 8 * i), 1);
            assert_int_equal(get(tile, RESULTS + 8 * i + 4), 100 + i);
        }
        assert_int_equal(get(tile, RESULTS + 40), 0);
        assert_int_equal(phase_of(tile, TX_CORE_T1), TX_CORE_HUNG);
        assert_int_equal(findings(tile, "TL-20"), 1);
        char text[256];
        assert_true(tx_tensix_wait_text(tile, TX_CORE_T1, text, sizeof text));
        assert_non_null(strstr(text, "lw a1, 0(a0): waits for ever for ffec2000"));
        tx_tensix_close(tile);
    }
}

/* Four words of a writer over all of its queues: three to T1, and of two to T2 the second waits. */
static void test_mailbox_limit(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 4; a++) {
        tx_tensix *tile = open_tile(chips[a & 1u], (a & 2u) != 0);
        struct code c = code_at(tile, CODE_T0);
        li(&c, A0, 0xFFEC2000);
        li(&c, A2, 0xFFEC3000);
        for (unsigned i = 0; i < 5; i++) {
            addi(&c, A1, X0, 1);
            sw(&c, A1, i < 3 ? A0 : A2, 0);
        }
        addi(&c, A3, X0, 77);
        result(&c, A3, 0);
        ebreak(&c);
        start(&c, TX_CORE_T0);
        run(tile, TX_EDEADLOCK);
        assert_int_equal(get(tile, RESULTS), 0);
        c = code_at(tile, CODE_T1);
        li(&c, A0, 0xFFEC1000);
        lw(&c, A1, A0, 0);
        ebreak(&c);
        start(&c, TX_CORE_T1);
        run(tile, TX_OK);
        assert_int_equal(get(tile, RESULTS), 77);
        tx_tensix_close(tile);
    }
}

/* Check 5. */
static void test_pc_buffer(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 4; a++) {
        tx_tensix *tile = open_tile(chips[a & 1u], (a & 2u) != 0);
        struct code b = code_at(tile, CODE_B);
        li(&b, A0, 0xFFE90000);
        li(&b, A1, 0x1234);
        sw(&b, A1, A0, 0);
        lw(&b, A2, A0, 0);
        li(&b, A4, 0xFFB121F0);
        lw(&b, A3, A4, 0);
        result(&b, A2, 0);
        result(&b, A3, 1);
        ebreak(&b);
        struct code c = code_at(tile, CODE_T1);
        li(&c, A0, 0xFFE80000);
        lw(&c, A1, A0, 0);
        result(&c, A1, 2);
        addi(&c, A3, X0, 300);
        addi(&c, A3, A3, -1);
        bne(&c, A3, X0, c.at - 4);
        li(&c, A4, 0xFFB121F0);
        lw(&c, A3, A4, 0);
        result(&c, A3, 3);
        lw(&c, A1, A0, 0); /* waits */
        ebreak(&c);
        start(&b, TX_CORE_B);
        start(&c, TX_CORE_T1);
        run(tile, TX_EDEADLOCK);
        assert_int_equal(get(tile, RESULTS + 8), 0x1234);
        assert_int_equal(get(tile, RESULTS), 0);
        assert_true(get(tile, RESULTS + 4) > get(tile, RESULTS + 12));
        /* PC_BUF_OVERRIDE answers with its own eight bits. */
        set(tile, 0xFFB12090, (1u | 0x5Au << 2) << 10);
        run(tile, TX_OK);
        uint32_t a1;
        assert_int_equal(tx_core_read(tile, TX_CORE_T1, A1, &a1), TX_OK);
        assert_int_equal(a1, 0x5A);
        tx_tensix_close(tile);
    }
}

/* Check 6: 100 ADDDMAREG of 3 cycles; 315 were measured from the first to after the sync. */
static void test_tensix_sync(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 2; a++) {
        tx_tensix *tile = open_tile(chips[a], false);
        struct code c = code_at(tile, CODE_T1);
        li(&c, A0, 0xFFE80000);
        li(&c, A2, 0xFFB121F0);
        word(&c, chips[a] == TX_BLACKHOLE ? 0x7C046073 /* csrsi cfg0, 8 */ : 0x00000013);
        lw(&c, A3, A2, 0);
        addi(&c, A3, A3, 0);
        for (unsigned i = 0; i < 100; i++) {
            ttinsn(&c, 0x58000000); /* ADDDMAREG of registers of one group */
        }
        sw(&c, X0, A0, 4);
        lw(&c, A1, A0, 4);
        addi(&c, A1, A1, 0);
        lw(&c, A4, A2, 0);
        result(&c, A3, 0);
        result(&c, A4, 1);
        ebreak(&c);
        start(&c, TX_CORE_T1);
        run(tile, TX_OK);
        const uint32_t cycles = get(tile, RESULTS + 4) - get(tile, RESULTS);
        assert_in_range(cycles, 313, 318);
        tx_tensix_close(tile);
    }
}

/* mop_sync: MOP configuration may be written behind it. Template 1: 2 x (A B) and an end each. */
static void test_mop(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 4; a++) {
        tx_tensix *tile = open_tile(chips[a & 1u], (a & 2u) != 0);
        struct code c = code_at(tile, CODE_T0);
        const uint32_t config[9] = {
            3,          5,          0x02000000, 0x02000000, 0x02000000,
            0xA4000008, 0x02000000, 0xA4000008, 0xA4000008}; /* SEMPOST 1, 3 x 5 times */
        li(&c, A0, 0xFFB80000);
        for (unsigned i = 0; i < 9; i++) {
            li(&c, A1, config[i]);
            sw(&c, A1, A0, (int)(4 * i));
        }
        ttinsn(&c, 0xA3F00008); /* SEMINIT max 15, value 0, semaphore 1 */
        ttinsn(&c, 0x01800000); /* MOP template 1 */
        li(&c, A2, 0xFFE80000);
        sw(&c, X0, A2, 8);
        lw(&c, A1, A2, 8);
        addi(&c, A1, A1, 0);
        sw(&c, X0, A0, 0); /* outer count 0 */
        sw(&c, X0, A2, 4);
        lw(&c, A1, A2, 4);
        lw(&c, A1, A2, 0x24);
        result(&c, A1, 0);
        ebreak(&c);
        start(&c, TX_CORE_T0);
        run(tile, TX_OK);
        assert_int_equal(get(tile, RESULTS), 15);
        uint32_t outer;
        assert_int_equal(tx_read(tx_tensix_machine(tile), TX_FILE_MOP, 0, &outer, 1), TX_OK);
        assert_int_equal(outer, 0);
        tx_tensix_close(tile);
    }
}

/* Check 9, and what SETC16 wrote. */
static void test_config(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 4; a++) {
        const bool bh = chips[a & 1u] == TX_BLACKHOLE;
        tx_tensix *tile = open_tile(chips[a & 1u], (a & 2u) != 0);
        struct code c = code_at(tile, CODE_T1);
        const uint32_t bank = bh ? 0x380 : 0x2F0;
        const uint32_t global = bh ? 222 : 160;
        li(&c, A0, 0xFFEF0000);
        li(&c, A3, 0xFFEF0000 + bank);
        li(&c, A1, 0x13579BDF);
        sw(&c, A1, A0, (int)(4 * global));
        sw(&c, A1, A3, 4 * 20);
        lw(&c, A2, A3, (int)(4 * global));
        result(&c, A2, 0);
        lw(&c, A2, A0, 4 * 20);
        result(&c, A2, 1);
        ttinsn(&c, 0xB2000000 | 5u << 16 | 0xBEEFu); /* SETC16 word 5 of this thread */
        li(&c, A4, 0xFFE80000);
        sw(&c, X0, A4, 4);
        lw(&c, A2, A4, 4);
        li(&c, A3, bh ? 0xFFEF0A80 + (68 + 5) * 4 : 0xFFEF05E0 + (57 + 5) * 16);
        lw(&c, A2, A3, 0);
        result(&c, A2, 2);
        sw(&c, X0, A3, 0); /* read only */
        lw(&c, A2, A3, 0);
        result(&c, A2, 3);
        sw(&c, X0, A0, 4 * 4); /* STATE_RESET_EN of bank 0 */
        lw(&c, A2, A0, (int)(4 * global));
        result(&c, A2, 4);
        word(&c, (4u * 20u + 1u) << 20 | (unsigned)A0 << 15 | 4u << 12 | (unsigned)A2 << 7 | 3u);
        result(&c, A2, 5); /* lbu */
        ebreak(&c);
        start(&c, TX_CORE_T1);
        run(tile, TX_OK);
        assert_int_equal(get(tile, RESULTS), 0x13579BDF);
        assert_int_equal(get(tile, RESULTS + 4), 0);
        assert_int_equal(get(tile, RESULTS + 8), 0xBEEF);
        assert_int_equal(get(tile, RESULTS + 12), 0xBEEF);
        assert_int_equal(get(tile, RESULTS + 16), 0x13579BDF);
        uint32_t value;
        assert_int_equal(tx_read(tx_tensix_machine(tile), TX_FILE_CONFIG, 20 + 256, &value, 1),
                         TX_OK);
        assert_int_equal(value, 0x13579BDF);
        assert_int_equal(findings(tile, "E-READONLY"), 1);
        tx_tensix_close(tile);
    }
}

/* GPRs from both sides, and STOREREG to the overlay: spec/tile.md 10.2. */
static void test_gprs(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 4; a++) {
        tx_tensix *tile = open_tile(chips[a & 1u], (a & 2u) != 0);
        struct code c = code_at(tile, CODE_T2);
        li(&c, A0, 0xFFE00000);
        li(&c, A1, 0x00C0FFEE);
        sw(&c, A1, A0, 4 * 4);
        lw(&c, A1, A0, 4 * 4);
        addi(&c, A1, A1, 0);
        ttinsn(&c, 0x67110008); /* STOREREG GPR 4 to FFB40020 */
        li(&c, A4, 0xFFE80000);
        sw(&c, X0, A4, 4);
        lw(&c, A2, A4, 4);
        li(&c, A3, 0xFFB40000);
        lw(&c, A2, A3, 0x20);
        result(&c, A2, 0);
        ebreak(&c);
        start(&c, TX_CORE_T2);
        run(tile, TX_OK);
        assert_int_equal(get(tile, RESULTS), 0x0000FFEE); /* the register has 17 bits */
        assert_int_equal(get(tile, 0xFFB40020), 0x0000FFEE);
        uint32_t value;
        assert_int_equal(tx_read(tx_tensix_machine(tile), TX_FILE_GPR, 4 + 128, &value, 1), TX_OK);
        assert_int_equal(value, 0x00C0FFEE);
        /* B reaches those of T2 at +0x200. */
        c = code_at(tile, CODE_B);
        li(&c, A0, 0xFFE00200);
        lw(&c, A1, A0, 4 * 4);
        result(&c, A1, 1);
        ebreak(&c);
        start(&c, TX_CORE_B);
        run(tile, TX_OK);
        assert_int_equal(get(tile, RESULTS + 4), 0x00C0FFEE);
        tx_tensix_close(tile);
    }
}

/* B pushes behind the MOP Expanders of all threads. */
static void test_push_b(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 4; a++) {
        tx_tensix *tile = open_tile(chips[a & 1u], (a & 2u) != 0);
        struct code c = code_at(tile, CODE_B);
        for (unsigned t = 0; t < 3; t++) {
            li(&c, A0, 0xFFE40000 + 0x10000 * t);
            li(&c, A1, 0xB2000000 | 5u << 16 | (0x100 + t));
            sw(&c, A1, A0, 0);
        }
        ttinsn(&c, 0xB2000000 | 7u << 16 | 0x777); /* .ttinsn of B: thread 0 */
        ebreak(&c);
        start(&c, TX_CORE_B);
        run(tile, TX_OK);
        uint32_t value;
        for (unsigned t = 0; t < 3; t++) {
            assert_int_equal(
                tx_read(tx_tensix_machine(tile), TX_FILE_THREAD_CONFIG, 5 + 128 * t, &value, 1),
                TX_OK);
            assert_int_equal(value, 0x100 + t);
        }
        assert_int_equal(tx_read(tx_tensix_machine(tile), TX_FILE_THREAD_CONFIG, 7, &value, 1),
                         TX_OK);
        assert_int_equal(value, 0x777);
        tx_tensix_close(tile);
    }
}

/* A T core waits in its coprocessor for a semaphore that nobody posts: who waits for what. */
static void test_deadlock(void **state)
{
    (void)state;
    tx_tensix *tile = open_tile(TX_BLACKHOLE, false);
    struct code c = code_at(tile, CODE_T1);
    ttinsn(&c, 0xA3100008);                               /* SEMINIT max 1, value 0, semaphore 1 */
    ttinsn(&c, 0xA6000000 | 0x100u << 15 | 2u << 2 | 1u); /* SEMWAIT: SFPU waits for it above 0 */
    ttinsn(&c, 0x8F000000);                               /* SFPNOP */
    li(&c, A4, 0xFFE80000);
    sw(&c, X0, A4, 4);
    lw(&c, A2, A4, 4);
    ebreak(&c);
    start(&c, TX_CORE_T1);
    run(tile, TX_EDEADLOCK);
    char text[256];
    assert_true(tx_tensix_wait_text(tile, TX_CORE_T1, text, sizeof text));
    assert_string_equal(text, "t1 at 0000a018, lw a2, 4(a4): waits for the answer of ffe80004 "
                              "(PC buffer, done checks and semaphores)");
    assert_true(tx_wait_text(tx_tensix_machine(tile), 1, text, sizeof text));
    assert_non_null(strstr(text, "semaphore 1"));
    assert_false(tx_tensix_wait_text(tile, TX_CORE_T0, text, sizeof text));
    tx_tensix_close(tile);
}

static void test_wall_clock(void **state)
{
    (void)state;
    tx_tensix *tile = open_tile(TX_BLACKHOLE, false);
    (void)tx_tensix_cycle(tile, 1000);
    assert_int_equal(get(tile, 0xFFB121F0), 1000);
    assert_int_equal(get(tile, 0xFFB121F8), 0);
    /* Two reads of a core are as far apart as its instructions take. */
    struct code c = code_at(tile, CODE_T0);
    li(&c, A0, 0xFFB12000);
    lw(&c, A1, A0, 0x1F0);
    for (unsigned i = 0; i < 20; i++) {
        addi(&c, A2, A2, 1);
    }
    lw(&c, A3, A0, 0x1F0);
    result(&c, A1, 0);
    result(&c, A3, 1);
    ebreak(&c);
    start(&c, TX_CORE_T0);
    run(tile, TX_OK);
    assert_in_range(get(tile, RESULTS + 4) - get(tile, RESULTS), 21, 30);
    tx_tensix_close(tile);
}

/* Wormhole's NC runs from its own RAM, which only the mover fills. */
static void test_mover(void **state)
{
    (void)state;
    tx_tensix *tile = open_tile(TX_WORMHOLE, false);
    struct code n = code_at(tile, 0x4000);
    li(&n, A0, 0x5A5A0000);
    result(&n, A0, 0);
    ebreak(&n);
    struct code c = code_at(tile, CODE_B);
    li(&c, A0, 0xFFB11000);
    li(&c, A1, 0x4000 / 16);
    sw(&c, A1, A0, 0); /* from */
    li(&c, A1, 0x40000 / 16);
    sw(&c, A1, A0, 4);
    addi(&c, A1, X0, 4); /* 64 bytes */
    sw(&c, A1, A0, 8);
    addi(&c, A1, X0, 1); /* L1 to L0 */
    sw(&c, A1, A0, 12);
    addi(&c, A1, X0, 0x40);
    sw(&c, A1, A0, 16);
    li(&c, A2, 0xFFEF0000); /* start address of NC */
    li(&c, A1, 0xFFC00000);
    sw(&c, A1, A2, 4 * 162);
    addi(&c, A1, X0, 1);
    sw(&c, A1, A2, 4 * 163);
    lw(&c, A1, A2, 4 * 163);
    addi(&c, A1, A1, 0);
    li(&c, A3, 0xFFB12000);
    lw(&c, A1, A3, 0x1B0);
    li(&c, A2, 0xFFFBFFFF);
    word(&c, (unsigned)A2 << 20 | (unsigned)A1 << 15 | 7u << 12 | (unsigned)A1 << 7 | 0x33u);
    sw(&c, A1, A3, 0x1B0);
    ebreak(&c);
    start(&c, TX_CORE_B);
    run(tile, TX_OK);
    assert_int_equal(get(tile, RESULTS), 0x5A5A0000);
    assert_int_equal(pc_of(tile, TX_CORE_NC) & 0xFFFF0000u, 0xFFC00000u);
    assert_int_equal(tx_finding_count(tx_tensix_machine(tile)), 0);
    tx_tensix_close(tile);
}

/* The mover's addresses below 0x10000 are the configuration, whoever asks for the transfer. */
static void test_mover_to_configuration(void **state)
{
    (void)state;
    enum { WORD = 100 };
    tx_tensix *tile = open_tile(TX_WORMHOLE, false);
    struct code c = code_at(tile, CODE_B);
    for (unsigned i = 0; i < 4; i++) {
        li(&c, A0, 0x4000);
        li(&c, A1, 0x11110000 + i);
        sw(&c, A1, A0, 4 * i);
    }
    lw(&c, A1, A0, 12);
    addi(&c, A1, A1, 0); /* the stores have arrived */
    li(&c, A0, 0xFFB11000);
    li(&c, A1, 0x4000 / 16);
    sw(&c, A1, A0, 0); /* from */
    addi(&c, A1, X0, 4 * WORD / 16);
    sw(&c, A1, A0, 4);
    addi(&c, A1, X0, 1); /* 16 bytes */
    sw(&c, A1, A0, 8);
    sw(&c, A1, A0, 12); /* L1 to L0 */
    addi(&c, A1, X0, 0x40);
    sw(&c, A1, A0, 16);
    lw(&c, A1, A0, 20);
    addi(&c, A1, A1, 0);
    li(&c, A2, 0xFFEF0000);
    for (unsigned i = 0; i < 4; i++) {
        lw(&c, A1, A2, 4 * (WORD + i));
        result(&c, A1, i);
    }
    ebreak(&c);
    start(&c, TX_CORE_B);
    run(tile, TX_OK);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(get(tile, RESULTS + 4 * i), 0x11110000 + i);
    }
    assert_int_equal(tx_finding_count(tx_tensix_machine(tile)), 0);
    tx_tensix_close(tile);
}

/* Addresses of spec/tile.md 2.1, 3.1 and 2.3, for programs that are put into a tile. */
static void test_addresses(void **state)
{
    (void)state;
    uint32_t address = 0;
    assert_true(tx_tile_register("TRISC0_RESET_PC", &address));
    assert_int_equal(address, 0xFFB12228);
    assert_true(tx_tile_register("CLK_GATE_EN", &address));
    assert_int_equal(address, 0xFFB11024);
    assert_true(tx_tile_register("semaphores", &address));
    assert_int_equal(address, 0xFFE80020);
    assert_false(tx_tile_register("TRISC9_RESET_PC", &address));
    assert_false(tx_tile_register(NULL, &address));
    assert_int_equal(tx_core_local(), 0xFFB00000);
    assert_int_equal(tx_core_start(TX_CORE_B), 0);
    assert_int_equal(tx_core_start(TX_CORE_T2), 0xE000);
    assert_int_equal(tx_core_start(TX_CORE_NC), 0x12000);
    assert_int_equal(tx_core_start((enum tx_core)9), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reset),         cmocka_unit_test(test_semaphores),
        cmocka_unit_test(test_mailboxes),     cmocka_unit_test(test_pc_buffer),
        cmocka_unit_test(test_mailbox_limit), cmocka_unit_test(test_tensix_sync),
        cmocka_unit_test(test_mop),           cmocka_unit_test(test_config),
        cmocka_unit_test(test_gprs),          cmocka_unit_test(test_push_b),
        cmocka_unit_test(test_deadlock),      cmocka_unit_test(test_wall_clock),
        cmocka_unit_test(test_mover),         cmocka_unit_test(test_mover_to_configuration),
        cmocka_unit_test(test_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
