/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a tile has beside what every kernel uses: Dst seen by cores, resets of units, watchpoints,
 * interrupts, TDMA-RISC, Auto TTSync, memory that nobody has written. Expectations: isa Dst
 * 093af91, SoftReset 585749d, PIC 136c7b2, TDMA-RISC 29e53cf, AutoTTSync dbbde1a; tile.md 9.1, 18.
 */
#include "tile/code.h"

#include <stdio.h>

enum { NOP = 0x02000000 };

static void access_word(struct code *c, uint32_t opcode, unsigned width, unsigned reg,
                        unsigned base)
{
    const unsigned at = opcode == 0x23 ? 20 : 7;
    word(c, opcode | width << 12 | base << 15 | reg << at);
}

static void configure(tx_tensix *tile, const char *name, uint32_t value)
{
    assert_int_equal(tx_config_set(tx_tensix_machine(tile), 0, name, value), TX_OK);
}

static uint32_t file(tx_tensix *tile, enum tx_file name, unsigned index, unsigned column)
{
    uint32_t values[32] = {0};
    const size_t count = name == TX_FILE_LREG                         ? 32
                         : name == TX_FILE_DST || name == TX_FILE_SRC ? 16
                                                                      : 1;
    assert_int_equal(tx_read(tx_tensix_machine(tile), name, index, values, count), TX_OK);
    return values[column];
}

/* ---- Dst ---- */

static const struct {
    uint8_t format, raw, is_unsigned;
    uint32_t stored, high, low, loaded;
} window[] = {
    {0, 0, 0, 0x3F800000, 0x007F, 0x0000, 0x3F800000},
    {0, 0, 0, 0xC0490FDB, 0xC980, 0x0FDB, 0xC0490FDB},
    {0, 1, 0, 0xC0490FDB, 0xC049, 0x0FDB, 0xC0490FDB},
    {1, 0, 0, 0xFFFFFFFB, 0x8000, 0x0005, 0xFFFFFFFB},
    {1, 0, 0, 0x80000000, 0xFFFF, 0xFFFF, 0x80000001},
    {1, 1, 0, 0x80000005, 0x8000, 0x0005, 0x80000005},
    {2, 0, 0, 0xC248, 0xC910, 0, 0xC248},
    {2, 1, 0, 0xC248, 0xC248, 0, 0xC248},
    {3, 0, 0, 0xC049, 0xC980, 0, 0xC049},
    {3, 1, 0, 0xC049, 0xC049, 0, 0xC049},
    {4, 0, 0, 0xFFFB, 0x8005, 0, 0xFFFB},
    {4, 0, 0, 0x8000, 0xFFFF, 0, 0x8001},
    {4, 0, 1, 0xFFFB, 0xFFFB, 0, 0xFFFB},
    {4, 1, 0, 0x8005, 0x8005, 0, 0x8005},
    {5, 0, 0, 0x00, 0x0000, 0, 0x00},
    {5, 0, 0, 0x05, 0x00B0, 0, 0x05},
    {5, 0, 0, 0xFF, 0x9030, 0, 0xFF}, /* these three: the documented bug */
    {5, 0, 0, 0x81, 0x9FF0, 0, 0x81},
    {5, 0, 0, 0x80, 0x9FF0, 0, 0x81},
    {5, 0, 1, 0xFF, 0x1FF0, 0, 0xFF},
};

static void test_dst(void **state)
{
    (void)state;
    static const uint8_t sizes[6] = {4, 4, 2, 2, 2, 1};
    static const uint8_t widths[5] = {0, 0, 1, 0, 2}; /* sb, sh, sw */
    static const uint8_t loads[5] = {0, 4, 5, 0, 2};  /* lbu, lhu, lw */
    for (unsigned i = 0; i < sizeof window / sizeof window[0]; i++) {
        tx_tensix *tile = open_tile(TX_BLACKHOLE, i % 2 != 0);
        struct code c = code_at(tile, CODE_T1);
        const unsigned size = sizes[window[i].format];
        const uint32_t invalid = 0;
        (void)tx_write(tx_tensix_machine(tile), TX_FILE_DST_VALID, 2, &invalid, 1);
        configure(tile, "RISC_DEST_ACCESS_CTRL_SEC1_fmt", window[i].format);
        configure(tile, "RISC_DEST_ACCESS_CTRL_SEC1_no_swizzle", window[i].raw);
        configure(tile, "RISC_DEST_ACCESS_CTRL_SEC1_unsigned_int", window[i].is_unsigned);
        li(&c, A0, 0xFFBD8000 + 37 * size); /* row 2, column 5 */
        li(&c, A1, window[i].stored);
        access_word(&c, 0x23, widths[size], A1, A0);
        access_word(&c, 0x03, loads[size], A2, A0);
        result(&c, A2, 0);
        ebreak(&c);
        start(&c, TX_CORE_T1);
        run(tile, TX_OK);
        assert_int_equal(get(tile, RESULTS), window[i].loaded);
        assert_int_equal(file(tile, TX_FILE_DST, 2, 5), window[i].high);
        assert_int_equal(file(tile, TX_FILE_DST, 10, 5), window[i].low);
        assert_int_equal(tx_finding_count(tx_tensix_machine(tile)), 0);
        tx_tensix_close(tile);
    }
}

/* T2 takes two BF16 at once, T0 says that this is undefined; and what nobody has written. */
static void test_dst_widths(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        tx_tensix *tile = open_tile(TX_BLACKHOLE, false);
        struct code c = code_at(tile, CODE_T0);
        configure(tile,
                  k != 0 ? "RISC_DEST_ACCESS_CTRL_SEC2_fmt" : "RISC_DEST_ACCESS_CTRL_SEC0_fmt", 3);
        li(&c, A0, 0xFFBD8000 + 2 * 36);
        li(&c, A1, 0xC0493F80);
        sw(&c, A1, A0, 0);
        lw(&c, A2, A0, 0);
        result(&c, A2, 0);
        if (k != 0) {
            lw(&c, A2, A0, 4);
        }
        ebreak(&c);
        start(&c, k != 0 ? TX_CORE_T2 : TX_CORE_T0);
        run(tile, TX_OK);
        assert_int_equal(get(tile, RESULTS), k != 0 ? 0xC0493F80 : 0);
        assert_int_equal(file(tile, TX_FILE_DST, 2, 4), k != 0 ? 0x007F : 0);
        assert_int_equal(file(tile, TX_FILE_DST, 2, 5), k != 0 ? 0xC980 : 0);
        assert_int_equal(findings(tile, "E-DSTWINDOW"), k != 0 ? 1 : 2);
        assert_int_equal(tx_finding_at(tx_tensix_machine(tile), 0)->category,
                         k != 0 ? TX_UNPREDICTABLE_VALUE : TX_UNDEFINED_BEHAVIOR);
        tx_tensix_close(tile);
    }
}

/* Half a datum. */
static void test_dst_half(void **state)
{
    (void)state;
    tx_tensix *tile = open_tile(TX_BLACKHOLE, false);
    struct code c = code_at(tile, CODE_T2);
    const uint32_t row[16] = {0x3F80, 0x3F80, 0x3F80};
    (void)tx_write(tx_tensix_machine(tile), TX_FILE_DST, 0, row, 16);
    (void)tx_write(tx_tensix_machine(tile), TX_FILE_DST, 8, row, 16);
    li(&c, A0, 0xFFBD8000);
    access_word(&c, 0x03, 5, A1, A0); /* lhu */
    result(&c, A1, 0);
    ebreak(&c);
    start(&c, TX_CORE_T2);
    run(tile, TX_OK);
    assert_int_equal(get(tile, RESULTS), 0);
    assert_int_equal(findings(tile, "E-DSTWINDOW"), 1);
    tx_tensix_close(tile);
}

/* ---- resets of units ---- */

enum { RESET = 0xFFB121B0 };

static void pulse(tx_tensix *tile, uint32_t bits)
{
    set(tile, RESET, 0x47800 | bits);
    set(tile, RESET, 0x47800);
}

static void test_resets(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 2; a++) {
        tx_tensix *tile = open_tile(chips[a], false);
        tx_machine *m = tx_tensix_machine(tile);
        uint32_t row[32];
        const uint32_t invalid = 0;
        const uint32_t banks[4] = {1, 1, 1, 1};
        for (unsigned i = 0; i < 32; i++) {
            row[i] = 0x100 + i;
        }
        (void)tx_write(m, TX_FILE_SRC, 3, row, 16);            /* SrcA, bank 0 */
        (void)tx_write(m, TX_FILE_SRC, 128 + 64 + 3, row, 16); /* SrcB, bank 1 */
        (void)tx_write(m, TX_FILE_SRC_BANK, 1, banks, 4);
        (void)tx_write(m, TX_FILE_LREG, 3, row, 32);
        (void)tx_write(m, TX_FILE_LREG, 12, row, 32);
        (void)tx_write(m, TX_FILE_DST, 5, row, 16);
        (void)tx_write(m, TX_FILE_DST_VALID, 5, &invalid, 1);
        (void)tx_write(m, TX_FILE_CONFIG, 100, row, 1);
        (void)tx_write(m, TX_FILE_CONFIG, 10 + 256, row, 1);
        pulse(tile, 1u << 20); /* columns 4 to 7 of SrcA */
        assert_int_equal(file(tile, TX_FILE_SRC, 3, 3), 0x103);
        assert_int_equal(file(tile, TX_FILE_SRC, 3, 4), 0);
        assert_int_equal(file(tile, TX_FILE_SRC, 3, 7), 0);
        assert_int_equal(file(tile, TX_FILE_SRC, 3, 8), 0x108);
        assert_int_equal(file(tile, TX_FILE_LREG, 3, 9), 0x109);
        pulse(tile, 1u << 16); /* SrcB */
        assert_int_equal(file(tile, TX_FILE_SRC, 128 + 64 + 3, 2), 0);
        assert_int_equal(tx_read(m, TX_FILE_SRC_BANK, 1, row, 4), TX_OK);
        assert_int_equal(row[0] | row[1] | row[2] | row[3], 0);
        assert_int_equal(file(tile, TX_FILE_DST_VALID, 5, 0), 0);
        pulse(tile, 1u << 17); /* what ZEROACC did is undone */
        assert_int_equal(file(tile, TX_FILE_DST_VALID, 5, 0), 1);
        assert_int_equal(file(tile, TX_FILE_DST, 5, 6), 0x106);
        assert_int_equal(file(tile, TX_FILE_CONFIG, 100, 0), 0x100);
        pulse(tile, 1u << 9); /* configuration from THCON on */
        assert_int_equal(file(tile, TX_FILE_CONFIG, 100, 0), 0);
        assert_int_equal(file(tile, TX_FILE_CONFIG, 10 + 256, 0), 0x100);
        set(tile, RESET, 0x47800 | 1u << 10);
        assert_int_equal(file(tile, TX_FILE_SRC, 3, 3), 0);
        assert_int_equal(file(tile, TX_FILE_LREG, 3, 9), 0x109);
        set(tile, RESET, 0x47800); /* registers of the Vector Unit as it leaves */
        assert_int_equal(file(tile, TX_FILE_LREG, 3, 9), 0);
        assert_int_equal(file(tile, TX_FILE_LREG, 11, 0), 0xBF800000);
        assert_int_equal(file(tile, TX_FILE_LREG, 12, 31), 0x3B000000); /* ruling R4 */
        assert_int_equal(tx_finding_count(m), 0);
        pulse(tile, 1u << 0); /* of the unpackers all three bits or none */
        assert_int_equal(findings(tile, "E-UNITRESET"), 1);
        tx_tensix_close(tile);
    }
}

/* What an unpacker or packer was at is gone, and the thread is idle; work while held is told. */
static void test_reset_aborts(void **state)
{
    (void)state;
    tx_tensix *tile = open_tile(TX_BLACKHOLE, false);
    struct code c = code_at(tile, CODE_T0);
    for (unsigned i = 0; i < 8; i++) {
        ttinsn(&c, 0x42000001 | 1u << 7); /* UNPACR */
    }
    ebreak(&c);
    start(&c, TX_CORE_T0);
    (void)tx_tensix_cycle(tile, 16);
    set(tile, RESET, 0x46800 | 0x83);
    (void)tx_tensix_cycle(tile, 4);
    assert_int_equal(findings(tile, "E-UNITRESET"), 1);
    set(tile, RESET, 0x46800);
    (void)tx_tensix_cycle(tile, 400);
    pulse(tile, 0x83);
    (void)tx_tensix_cycle(tile, 40);
    assert_true(tx_idle(tx_tensix_machine(tile)));
    tx_tensix_close(tile);
}

/* ---- watchpoints of the debug unit ---- */

static uint32_t dr_read(tx_tensix *tile, uint32_t dr)
{
    set(tile, 0xFFB12080, 0x80000000 | 1u << 17 | dr);
    set(tile, 0xFFB12080, 0);
    return get(tile, 0xFFB1208C);
}

static void dr_write(tx_tensix *tile, uint32_t dr, uint32_t value)
{
    set(tile, 0xFFB12084, value);
    set(tile, 0xFFB12080, 0x80010000 | 1u << 17 | dr);
    set(tile, 0xFFB12080, 0);
}

static void go_on(tx_tensix *tile)
{
    dr_write(tile, 1, 4);
    (void)tx_tensix_cycle(tile, 200);
}

static void test_watchpoints(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        tx_tensix *tile = open_tile(chips[k & 1u], (k & 2u) != 0);
        struct code c = code_at(tile, CODE_T0);
        li(&c, A0, 0x30000);
        set(tile, 0x30000, 5);
        lw(&c, A1, A0, 0); /* CODE_T0 + 8 */
        addi(&c, A1, A1, 1);
        sw(&c, A1, A0, 0);
        ttinsn(&c, 0x02000000); /* NOP, and a second, which may not be gathered */
        ttinsn(&c, 0x02000000);
        j_self(&c);
        start(&c, TX_CORE_T0);
        dr_write(tile, 10, CODE_T0 + 12);
        dr_write(tile, 11, 0x30002);
        dr_write(tile, 12, 0x30000);
        dr_write(tile, 13, CODE_T0 + 24);
        dr_write(tile, 5, 8u | 10u << 4 | 9u << 8 | 8u << 12);
        (void)tx_tensix_cycle(tile, 200);
        assert_int_equal(dr_read(tile, 0), 1u | 1u << 2 | 1u << 10); /* the load */
        assert_int_equal(pc_of(tile, TX_CORE_T0), CODE_T0 + 12);
        go_on(tile); /* on from the watchpoint at the pc, to the store */
        assert_int_equal(dr_read(tile, 0), 1u | 1u << 2 | 1u << 9);
        assert_int_equal(pc_of(tile, TX_CORE_T0), CODE_T0 + 20);
        assert_int_equal(get(tile, 0x30000), 6);
        go_on(tile);
        assert_int_equal(dr_read(tile, 0), 1u | 1u << 1 | 1u << 11);
        assert_int_equal(pc_of(tile, TX_CORE_T0), CODE_T0 + 24);
        dr_write(tile, 1, 0x80000002); /* a step from there */
        assert_int_equal(dr_read(tile, 0), 1);
        assert_int_equal(pc_of(tile, TX_CORE_T0), CODE_T0 + 28);
        dr_write(tile, 5, 0);
        go_on(tile);
        assert_int_equal(dr_read(tile, 0), 0);
        assert_int_equal(phase_of(tile, TX_CORE_T0), TX_CORE_RUNS);
        assert_int_equal(tx_finding_count(tx_tensix_machine(tile)), 0);
        dr_write(tile, 5, 7); /* no such setting, no such register */
        dr_write(tile, 7, 1);
        assert_int_equal(findings(tile, "E-TILE"), 2);
        tx_tensix_close(tile);
    }
}

/* ---- interrupts ---- */

static void test_interrupts(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        const bool nc = (k & 1u) != 0;
        tx_tensix *tile = open_tile(TX_BLACKHOLE, (k & 2u) != 0);
        const uint32_t enable = 0xFFB13000 + (nc ? 0xC : 0);
        struct code c = code_at(tile, CODE_B);
        li(&c, A3, 0);
        const uint32_t loop = c.at;
        addi(&c, A3, A3, 1);
        bne(&c, A3, X0, loop);
        start(&c, nc ? TX_CORE_NC : TX_CORE_B);
        c = code_at(tile, 0x8000); /* the handler: what was raised, and with what */
        li(&c, A0, 0xFFB13000);
        lw(&c, A1, A0, nc ? 0x14 : 8);
        result(&c, A1, 0);
        lw(&c, A1, A0, 0x18 + 4 * 7);
        result(&c, A1, 1);
        lw(&c, A1, A0, 0x18 + 4 * 7); /* reading it has cleared it */
        result(&c, A1, 2);
        word(&c, 0x7C02D073); /* csrwi 0x7c0, 5: nothing is written here */
        word(&c, 0x30200073); /* mret */
        set(tile, 0xFFB130A8 + 4 * 7, 0x8000);
        set(tile, enable, 1u << 7);
        (void)tx_tensix_cycle(tile, 100);
        assert_int_equal(get(tile, RESULTS + 4), 0);
        set(tile, 0xFFB13018 + 4 * 8, 0x99); /* not enabled */
        set(tile, 0xFFB13018 + 4 * 7, 0xABCD);
        (void)tx_tensix_cycle(tile, 300);
        assert_int_equal(get(tile, RESULTS), 7);
        assert_int_equal(get(tile, RESULTS + 4), 0xABCD);
        assert_int_equal(get(tile, RESULTS + 8), 0);
        const uint32_t pc = pc_of(tile, nc ? TX_CORE_NC : TX_CORE_B);
        assert_true(pc >= loop && pc <= loop + 4);
        assert_int_equal(get(tile, 0xFFB13018 + 4 * 8), 0x99);
        assert_int_equal(get(tile, 0xFFB13018 + 4 * 8), 0);
        assert_int_equal(findings(tile, "E-CSR"), 1);
        set(tile, 0xFFB13018 + 4 * 7, 0x1234); /* and again */
        (void)tx_tensix_cycle(tile, 300);
        assert_int_equal(get(tile, RESULTS + 4), 0x1234);
        set(tile, 0xFFB13098, 1); /* HW_INT is read only */
        assert_int_equal(findings(tile, "E-READONLY"), 1);
        tx_tensix_close(tile);
    }
}

/* ---- TDMA-RISC ---- */

static void test_tdma(void **state)
{
    (void)state;
    tx_tensix *tile = open_tile(TX_WORMHOLE, false);
    set(tile, 0xFFB11028, 0xFFFFFFFF);
    assert_int_equal(get(tile, 0xFFB11028), 0x01FF007F);
    set(tile, 0xFFB1103C, 3u | 5u << 9 | 7u << 18);
    assert_int_equal(get(tile, 0xFFB1103C), 3u | 5u << 9 | 7u << 18);
    set(tile, 0xFFB11038, 0x00012345);
    assert_int_equal(get(tile, 0xFFB11038), 0x01234500 | 0x55); /* no packer has a tile to tell */
    assert_int_equal(get(tile, 0xFFB11014), 0x428);
    set(tile, 0xFFB11024, 0xFF);
    assert_int_equal(get(tile, 0xFFB11024), 0x7F);
    set(tile, 0xFFB11000, 0x30000); /* a write of 64 bits to L1 */
    set(tile, 0xFFB11008, 0x11223344);
    set(tile, 0xFFB1100C, 0x55667788);
    set(tile, 0xFFB11010, 0x766);
    assert_int_equal(get(tile, 0x30000), 0x11223344);
    assert_int_equal(get(tile, 0x30004), 0x55667788);
    set(tile, 0x30000, 0x99);
    set(tile, 0x0, 0x99);
    pulse(tile, 1u << 8); /* the parameters are 0 */
    set(tile, 0xFFB11010, 0x666);
    assert_int_equal(get(tile, 0x30000), 0x99);
    assert_int_equal(get(tile, 0), 0);
    set(tile, RESET, 0x47800 | 1u << 8); /* stores do nothing while it is held */
    set(tile, 0xFFB11024, 0x11);
    set(tile, RESET, 0x47800);
    assert_int_equal(get(tile, 0xFFB11024), 0x7F);
    assert_int_equal(tx_finding_count(tx_tensix_machine(tile)), 0);
    assert_int_equal(get(tile, 0xFFB11048), 0);
    assert_int_equal(get(tile, 0xFFB11070), 0);
    assert_int_equal(findings(tile, "E-TILE"), 2);
    assert_int_equal(findings(tile, "E-PACK"), 0);
    struct code c = code_at(tile, CODE_T0); /* the size of a tile that nobody packs */
    li(&c, A0, 0xFFB11000);
    lw(&c, A1, A0, 0x30);
    ebreak(&c);
    start(&c, TX_CORE_T0);
    run(tile, TX_EDEADLOCK);
    tx_tensix_close(tile);
}

/* The mover is busy, until its reset aborts what it does. */
static void test_mover_busy(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 2; a++) {
        tx_tensix *tile = open_tile(chips[a], false);
        struct code c = code_at(tile, CODE_T0);
        configure(tile, "THCON_SEC0_REG6_Destination_address", 0x40000 / 16);
        configure(tile, "THCON_SEC0_REG6_Buffer_size", 0x1000); /* 64 KiB of L1 become 0 */
        ttinsn(&c, 0x40000000);                                 /* XMOV */
        ebreak(&c);
        start(&c, TX_CORE_T0);
        set(tile, 0x40010, 5);
        struct code look = code_at(tile, CODE_T1);
        li(&look, A0, 0xFFB11000);
        lw(&look, A1, A0, 0x14);
        result(&look, A1, 0);
        ebreak(&look);
        (void)tx_tensix_cycle(tile, 40);
        start(&look, TX_CORE_T1);
        (void)tx_tensix_cycle(tile, 60);
        assert_int_equal(get(tile, RESULTS), 0x429);
        set(tile, RESET, get(tile, RESET) | 1u << 6);
        set(tile, RESET, get(tile, RESET) & ~(1u << 6));
        start(&look, TX_CORE_T1);
        run(tile, TX_OK);
        assert_int_equal(get(tile, RESULTS), 0x428);
        assert_int_equal(get(tile, 0x40010), 5);
        tx_tensix_close(tile);
    }
}

/* ---- Auto TTSync ---- */

/*
 * T0 pushes a wait for a semaphore that the host posts later, WRCFG of a GPR, and stores that GPR:
 * without Auto TTSync the store comes first and WRCFG takes the new value. Its load of the word
 * that WRCFG writes waits too.
 */
static void test_ttsync(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        const bool on = (k & 1u) != 0;
        tx_tensix *tile = open_tile(TX_BLACKHOLE, (k & 2u) != 0);
        struct code c = code_at(tile, CODE_T0);
        const uint32_t gpr = 0x1111;
        const uint32_t semaphore[2] = {0, 1};
        (void)tx_write(tx_tensix_machine(tile), TX_FILE_GPR, 28, &gpr, 1);
        (void)tx_write(tx_tensix_machine(tile), TX_FILE_SEMAPHORE, 2, semaphore, 2);
        ttinsn(&c, 0xB2380000 | (on ? 0x15 : 0)); /* SETC16 56: configuration, GPRs */
        li(&c, A0, 0xFFE80000);
        sw(&c, X0, A0, 4); /* it has taken effect */
        lw(&c, A1, A0, 4);
        addi(&c, A1, A1, 0);
        ttinsn(&c, 0xA6FF8011); /* SEMWAIT while semaphore 2 is 0: all units */
        ttinsn(&c, 0xB01C000C); /* WRCFG 28, 0, 12 */
        word(&c, 0x0FF0000F);   /* fence: the pushes have left the core */
        li(&c, A0, 0xFFE00000);
        lw(&c, A1, A0, 4 * 28); /* WRCFG only reads it */
        result(&c, A1, 1);
        li(&c, A1, 0x2222);
        sw(&c, A1, A0, 4 * 28);
        li(&c, A0, 0xFFEF0000);
        lw(&c, A2, A0, 4 * 12);
        result(&c, A2, 0);
        ebreak(&c);
        start(&c, TX_CORE_T0);
        (void)tx_tensix_cycle(tile, 400);
        assert_int_equal(get(tile, RESULTS + 4), 0x1111);
        assert_int_equal(file(tile, TX_FILE_GPR, 28, 0), on ? 0x1111 : 0x2222);
        c = code_at(tile, CODE_T1);
        li(&c, A0, 0xFFE80000);
        sw(&c, X0, A0, 0x28); /* post */
        ebreak(&c);
        start(&c, TX_CORE_T1);
        run(tile, TX_OK);
        assert_int_equal(file(tile, TX_FILE_CONFIG, 12, 0), on ? 0x1111 : 0x2222);
        assert_int_equal(file(tile, TX_FILE_GPR, 28, 0), 0x2222);
        assert_int_equal(get(tile, RESULTS), on ? 0x1111 : 0);
        assert_int_equal(tx_finding_count(tx_tensix_machine(tile)), 0);
        tx_tensix_close(tile);
    }
}

/*
 * RESOURCEDECL: WRCFG, of class 8, is said to use nothing, or TDMA-RISC alone, and the core's store
 * to its GPR does not wait; or GPRs, and it does. Bits of resources: tt-llk 36b092e assembly.yaml.
 */
static void test_resourcedecl(void **state)
{
    (void)state;
    static const struct {
        uint32_t resources;
        bool waits;
    } rows[] = {{0, false}, {0x180, false}, {0x020, true}, {0x040, true}, {0x1FF, true}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        tx_tensix *tile = open_tile(TX_BLACKHOLE, false);
        struct code c = code_at(tile, CODE_T0);
        const uint32_t semaphore[2] = {0, 1};
        const uint32_t on = 0x15;
        (void)tx_write(tx_tensix_machine(tile), TX_FILE_SEMAPHORE, 2, semaphore, 2);
        (void)tx_write(tx_tensix_machine(tile), TX_FILE_THREAD_CONFIG, 56, &on, 1);
        ttinsn(&c, 0x05002000 | rows[k].resources << 4 | 8);
        ttinsn(&c, 0xA6FF8011); /* SEMWAIT while semaphore 2 is 0: all units */
        ttinsn(&c, 0xB01C000C); /* WRCFG 28, 0, 12 */
        word(&c, 0x0FF0000F);
        li(&c, A0, 0xFFE00000);
        li(&c, A1, 0x2222);
        sw(&c, A1, A0, 4 * 28);
        ebreak(&c);
        start(&c, TX_CORE_T0);
        (void)tx_tensix_cycle(tile, 400);
        assert_int_equal(file(tile, TX_FILE_GPR, 28, 0), rows[k].waits ? 0 : 0x2222);
        tx_tensix_close(tile);
    }
}

/* Words that a MOP has made use everything, whatever they are: here they only wait. */
static void test_ttsync_mop(void **state)
{
    (void)state;
    tx_tensix *tile = open_tile(TX_BLACKHOLE, false);
    struct code c = code_at(tile, CODE_T0);
    const uint32_t semaphore[2] = {0, 1};
    const uint32_t on = 0x15;
    const uint32_t mop[9] = {1, 1, NOP, 0x60000000, NOP, 0xA6FF8011, NOP, 0xA6FF8011, 0xA6FF8011};
    tx_machine *m = tx_tensix_machine(tile);
    (void)tx_write(m, TX_FILE_SEMAPHORE, 2, semaphore, 2);
    (void)tx_write(m, TX_FILE_THREAD_CONFIG, 56, &on, 1);
    for (unsigned i = 0; i < 9; i++) {
        (void)tx_mop_config(m, 0, i, mop[i]);
    }
    ttinsn(&c, 0x01800000); /* MOP: SEMWAIT for semaphore 2, DMANOP behind it */
    word(&c, 0x0FF0000F);
    li(&c, A0, 0xFFE00000);
    li(&c, A1, 0x2222);
    sw(&c, A1, A0, 4 * 28);
    ebreak(&c);
    start(&c, TX_CORE_T0);
    (void)tx_tensix_cycle(tile, 400);
    assert_int_equal(file(tile, TX_FILE_GPR, 28, 0), 0);
    const uint32_t posted[2] = {1, 1};
    (void)tx_write(m, TX_FILE_SEMAPHORE, 2, posted, 2);
    run(tile, TX_OK);
    assert_int_equal(file(tile, TX_FILE_GPR, 28, 0), 0x2222);
    tx_tensix_close(tile);
}

/* ---- memory that nobody has written ---- */

static void test_unwritten(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        tx_tensix *tile = open_tile(chips[k & 1u], (k & 2u) != 0);
        struct code c = code_at(tile, CODE_T0);
        li(&c, A0, 0x30000);
        sw(&c, A0, A0, 0);
        lw(&c, A1, A0, 0);
        ebreak(&c);
        start(&c, TX_CORE_T0);
        run(tile, TX_OK);
        assert_int_equal(tx_finding_count(tx_tensix_machine(tile)), 0);
        c = code_at(tile, CODE_T0);
        li(&c, A0, 0x30000);
        lw(&c, A1, A0, 4);
        ebreak(&c);
        start(&c, TX_CORE_T0);
        run(tile, TX_OK);
        assert_int_equal(findings(tile, "E-L1INIT"), 1);
        assert_non_null(strstr(tx_finding_at(tx_tensix_machine(tile), 0)->message, "00030004"));
        c = code_at(tile, 0x40000); /* instructions too */
        start(&c, TX_CORE_T1);
        (void)tx_tensix_cycle(tile, 20);
        assert_non_null(strstr(tx_finding_at(tx_tensix_machine(tile), 1)->message,
                               "core t1 at 00040000, .ttinsn 0x00000000: 00040000: executed"));
        tx_tensix_close(tile);
    }
}

/* ---- checks of tile.md 18 ---- */

/* Check 1: words as cores fetch them. */
static void test_words(void **state)
{
    (void)state;
    static const struct {
        uint32_t tensix, word;
    } rows[] = {{0xB20D0000, 0xC8340002}, {0xA6A1000A, 0x9A84002A}, {0x01800000, 0x06000000},
                {0x02000000, 0x08000000}, {0x60000000, 0x80000001}, {0xA5000008, 0x94000022},
                {0xA2400001, 0x89000006}, {0xB01C000C, 0xC0700032}};
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[64];
        char want[32];
        tx_core_text(TX_BLACKHOLE, rows[i].word, 0, text, sizeof text);
        (void)snprintf(want, sizeof want, ".ttinsn 0x%08x", (unsigned)rows[i].tensix);
        assert_string_equal(text, want);
    }
}

/* What a MOP makes: words that each add another power of ten to a GPR, in sums that tell. */
static uint32_t mop_sum(enum tx_arch arch, const uint32_t config[9], uint32_t mop)
{
    tx_tensix *tile = open_tile(arch, false);
    struct code c = code_at(tile, CODE_T0);
    li(&c, A0, 0xFFB80000);
    for (unsigned i = 0; i < 9; i++) {
        li(&c, A1, config[i]);
        sw(&c, A1, A0, (int)(4 * i));
    }
    ttinsn(&c, mop);
    li(&c, A2, 0xFFE80000);
    sw(&c, X0, A2, 4);
    lw(&c, A1, A2, 4);
    addi(&c, A1, A1, 0);
    ebreak(&c);
    start(&c, TX_CORE_T0);
    for (unsigned i = 0; i < 7; i++) {
        static const uint32_t digits[7] = {1, 10, 100, 1000, 10000, 100000, 1000000};
        (void)tx_write(tx_tensix_machine(tile), TX_FILE_GPR, 1 + i, &digits[i], 1);
    }
    run(tile, TX_OK);
    const uint32_t sum = file(tile, TX_FILE_GPR, 0, 0);
    tx_tensix_close(tile);
    return sum;
}

/* ADDDMAREG: GPR 0 += GPR 1 + n. */
#define ADD(n) (0x58000000u | (1u + (n)) << 6)

/* Checks 7 and 8: how often each word comes. Their order is tests/front's. */
static void test_mop_counts(void **state)
{
    (void)state;
    const uint32_t both[9] = {2, 2, NOP, ADD(0), NOP, ADD(1), ADD(2), ADD(3), ADD(4)};
    const uint32_t one[9] = {2, 1, NOP, ADD(0), NOP, ADD(1), ADD(2), ADD(3), ADD(4)};
    const uint32_t plain[9] = {2, 3, NOP, ADD(0), NOP, ADD(1), NOP, ADD(3), ADD(4)};
    const uint32_t bug[9] = {1, 0, NOP, ADD(0), NOP, ADD(1), NOP, ADD(3), ADD(4)};
    const uint32_t masked[9] = {0, 3, ADD(4), ADD(0), ADD(1), ADD(2), ADD(3), ADD(5), ADD(6)};
    for (unsigned a = 0; a < 2; a++) {
        /* A B A X E, A B A Y E: Y is the last of all. */
        assert_int_equal(mop_sum(chips[a], both, 0x01800000), 11242);
        assert_int_equal(mop_sum(chips[a], one, 0x01800000), 11022);
        assert_int_equal(mop_sum(chips[a], plain, 0x01800000), 11042);
        /* skipA skipB, A0 A1 A2 A3 B, twice; MOP 0, count 3, mask 5. */
        assert_int_equal(mop_sum(chips[a], masked, 0x01030005), 2222222);
    }
    assert_int_equal(mop_sum(TX_WORMHOLE, bug, 0x01800000), 129);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dst),          cmocka_unit_test(test_dst_widths),
        cmocka_unit_test(test_dst_half),     cmocka_unit_test(test_ttsync_mop),
        cmocka_unit_test(test_resets),       cmocka_unit_test(test_reset_aborts),
        cmocka_unit_test(test_watchpoints),  cmocka_unit_test(test_interrupts),
        cmocka_unit_test(test_tdma),         cmocka_unit_test(test_mover_busy),
        cmocka_unit_test(test_ttsync),       cmocka_unit_test(test_unwritten),
        cmocka_unit_test(test_resourcedecl), cmocka_unit_test(test_words),
        cmocka_unit_test(test_mop_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
