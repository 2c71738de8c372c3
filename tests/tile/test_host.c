/* SPDX-License-Identifier: Apache-2.0 */
/* The tile as its host has it: debug units, resets, snapshots, what is not modelled. */
#include "tile/code.h"

/* Check 13, by the host's sequence. */
static uint32_t dr_read(tx_tensix *tile, unsigned core, uint32_t dr)
{
    set(tile, 0xFFB12080, 0x80000000 | core << 17 | dr);
    set(tile, 0xFFB12080, 0);
    assert_true((get(tile, 0xFFB12088) >> 30 & 1u) != 0);
    return get(tile, 0xFFB1208C);
}

static void dr_write(tx_tensix *tile, unsigned core, uint32_t dr, uint32_t value)
{
    set(tile, 0xFFB12084, value);
    set(tile, 0xFFB12080, 0x80010000 | core << 17 | dr);
    set(tile, 0xFFB12080, 0);
}

static void test_debug(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 2; a++) {
        tx_tensix *tile = open_tile(chips[a], false);
        struct code c = code_at(tile, CODE_T0);
        j_self(&c);
        start(&c, TX_CORE_T0);
        (void)tx_tensix_cycle(tile, 100);
        dr_write(tile, 1, 1, 0x80000001); /* halt */
        assert_int_equal(dr_read(tile, 1, 0), 1);
        dr_write(tile, 1, 2, 32);
        dr_write(tile, 1, 1, 0x80000008); /* read the pc */
        assert_int_equal(dr_read(tile, 1, 4), CODE_T0);
        dr_write(tile, 1, 2, 5);
        dr_write(tile, 1, 3, 0xCAFE);
        dr_write(tile, 1, 1, 0x80000010);
        dr_write(tile, 1, 3, 0);
        dr_write(tile, 1, 1, 0x80000008);
        assert_int_equal(dr_read(tile, 1, 4), 0xCAFE);
        dr_write(tile, 1, 2, 0xFFB00010); /* local memory */
        dr_write(tile, 1, 3, 0x01020304);
        dr_write(tile, 1, 1, 0x80000040);
        dr_write(tile, 1, 1, 0x80000020);
        assert_int_equal(dr_read(tile, 1, 4), 0x01020304);
        set(tile, CODE_T0, 0x00100073); /* ebreak */
        dr_write(tile, 1, 1, 4);        /* continue */
        (void)tx_tensix_cycle(tile, 100);
        assert_int_equal(dr_read(tile, 1, 0), 9);
        assert_int_equal(pc_of(tile, TX_CORE_T0), CODE_T0 + 4);
        set(tile, CODE_T0 + 4, 0x00700093); /* li ra, 7 */
        dr_write(tile, 1, 1, 0x80000002);   /* step */
        assert_int_equal(pc_of(tile, TX_CORE_T0), CODE_T0 + 8);
        assert_int_equal(dr_read(tile, 1, 0), 1);
        /* Words pushed by hand: SETC16. */
        set(tile, 0xFFB120A0, 2);
        assert_int_equal(get(tile, 0xFFB120A8) & 0x22u, 0x22u);
        set(tile, 0xFFB120A4, 0xB2050042);
        set(tile, 0xFFB120A0, 2u | 2u << 4);
        (void)tx_tensix_cycle(tile, 20);
        uint32_t value;
        (void)tx_read(tx_tensix_machine(tile), TX_FILE_THREAD_CONFIG, 5 + 128, &value, 1);
        assert_int_equal(value, 0x42);
        tx_tensix_close(tile);
    }
}

/* A debug unit reaches what its core reaches, and the debug bus and arrays what tt-exalens asks. */
static void test_debug_reach(void **state)
{
    (void)state;
    static const uint16_t pc_signal[5] = {11, 13, 15, 17, 25};
    for (unsigned a = 0; a < 2; a++) {
        tx_tensix *tile = open_tile(chips[a], false);
        struct code c = code_at(tile, CODE_T1);
        addi(&c, A0, X0, 1);
        j_self(&c);
        start(&c, TX_CORE_T1);
        (void)tx_tensix_cycle(tile, 100);
        dr_write(tile, 2, 1, 0x80000001); /* halt */
        dr_write(tile, 2, 2, 0xFFEF0000 + 4 * 3);
        dr_write(tile, 2, 3, 0x1234);
        dr_write(tile, 2, 1, 0x80000040);
        uint32_t value = 0;
        (void)tx_read(tx_tensix_machine(tile), TX_FILE_CONFIG, 3, &value, 1);
        assert_int_equal(value, 0x1234);
        dr_write(tile, 2, 1, 0x80000020);
        assert_int_equal(dr_read(tile, 2, 4), 0x1234);
        dr_write(tile, 2, 2, 0x30000); /* L1 */
        dr_write(tile, 2, 1, 0x80000040);
        assert_int_equal(get(tile, 0x30000), 0x1234);
        /* Words 1 of the bus on both chips, words 0 on Wormhole only. */
        set(tile, 0xFFB12054, 1u << 29 | 1u << 25 | 7u << 16 | pc_signal[2]);
        assert_int_equal(get(tile, 0xFFB1205C), CODE_T1 + 4);
        set(tile, 0xFFB12054, 1u << 29 | 7u << 16 | (pc_signal[2] - 1u));
        assert_int_equal(get(tile, 0xFFB1205C), chips[a] == TX_WORMHOLE ? CODE_T1 + 4 : 0);
        set(tile, 0xFFB12054, 1u << 25 | 7u << 16 | pc_signal[2]);
        assert_int_equal(get(tile, 0xFFB1205C), 0); /* it is off */
        uint32_t row[16];
        for (unsigned i = 0; i < 16; i++) {
            row[i] = 0x1000 + i;
        }
        (void)tx_write(tx_tensix_machine(tile), TX_FILE_DST, 77, row, 16);
        set(tile, 0xFFB12060, 1);
        set(tile, 0xFFB12064, 2u << 16 | 3u << 12 | 77);
        assert_int_equal(get(tile, 0xFFB1206C), 0x10071006);
        set(tile, 0xFFB12060, 0);
        assert_int_equal(get(tile, 0xFFB1206C), 0);
        /* Blackhole has no words 0 of these signals that are known. */
        assert_int_equal(findings(tile, "E-TILE"), chips[a] == TX_WORMHOLE ? 0 : 1);
        tx_tensix_close(tile);
    }
}

/* Time goes on alike whether or not anything happens. */
static void test_stands_still(void **state)
{
    (void)state;
    tx_tensix *tile = open_tile(TX_BLACKHOLE, false);
    assert_int_equal(tx_tensix_cycle(tile, 100000), TX_OK);
    assert_true(tx_tensix_cycles(tile) == 100000);
    assert_int_equal(get(tile, 0xFFB121F0), 100000);
    struct code c = code_at(tile, CODE_T0);
    for (unsigned i = 0; i < 20; i++) {
        ttinsn(&c, 0x60000000); /* DMANOP */
    }
    ebreak(&c);
    start(&c, TX_CORE_T0);
    assert_int_equal(tx_tensix_cycle(tile, 100000), TX_OK);
    assert_true(tx_tensix_cycles(tile) == 200000);
    assert_true(tx_idle(tx_tensix_machine(tile)));
    assert_int_equal(phase_of(tile, TX_CORE_T0), TX_CORE_PAUSED);
    tx_tensix_close(tile);
}

/* What reset of a core drops: words before the MOP Expander, mailboxes that it has written. */
static void test_reset_drops(void **state)
{
    (void)state;
    tx_tensix *tile = open_tile(TX_BLACKHOLE, false);
    struct code c = code_at(tile, CODE_T0);
    li(&c, A0, 0xFFEC2000);
    sw(&c, A0, A0, 0);
    ttinsn(&c, 0xA3100008);
    ttinsn(&c, 0xA6000000 | 0x1FFu << 15 | 2u << 2 | 1u);
    for (unsigned i = 0; i < 30; i++) {
        ttinsn(&c, 0x60000000); /* DMANOP */
    }
    j_self(&c);
    start(&c, TX_CORE_T0);
    (void)tx_tensix_cycle(tile, 300);
    tx_machine *m = tx_tensix_machine(tile);
    assert_true(tx_queue_words(m, 0, TX_QUEUE_MOP, NULL, 0) > 10);
    const size_t gate = tx_queue_words(m, 0, TX_QUEUE_GATE, NULL, 0);
    set(tile, 0xFFB121B0, 0x47800);
    assert_int_equal(tx_queue_words(m, 0, TX_QUEUE_MOP, NULL, 0), 0);
    assert_int_equal(tx_queue_words(m, 0, TX_QUEUE_GATE, NULL, 0), gate);
    c = code_at(tile, CODE_T1);
    li(&c, A0, 0xFFEC1000);
    lw(&c, A1, A0, 4);
    result(&c, A1, 0);
    ebreak(&c);
    start(&c, TX_CORE_T1);
    (void)tx_tensix_cycle(tile, 100);
    assert_int_equal(get(tile, RESULTS), 0);
    assert_int_equal(phase_of(tile, TX_CORE_T1), TX_CORE_PAUSED);
    tx_tensix_close(tile);
}

/* Reset of a core ends its MOP's expansion, too: what has left the expander is all that comes. */
static void test_reset_mop(void **state)
{
    (void)state;
    enum { DMANOP = 0x60000000, NOP = 0x02000000, MANY = 127 };
    const uint32_t config[9] = {MANY, MANY, NOP, NOP, NOP, DMANOP, NOP, DMANOP, DMANOP};
    for (unsigned a = 0; a < 4; a++) {
        const bool held = (a & 2u) != 0; /* the core is reset while they wait */
        tx_tensix *tile = open_tile(chips[a & 1u], false);
        tx_machine *m = tx_tensix_machine(tile);
        struct code c = code_at(tile, CODE_T0);
        li(&c, A0, 0xFFB80000);
        for (unsigned i = 0; i < 9; i++) {
            li(&c, A1, config[i]);
            sw(&c, A1, A0, (int)(4 * i));
        }
        ttinsn(&c, 0xA3100008);                               /* SEMINIT max 1, value 0 */
        ttinsn(&c, 0xA6000000 | 0x1FFu << 15 | 2u << 2 | 1u); /* SEMWAIT while it is 0 */
        ttinsn(&c, 0x01800000);                               /* MOP template 1 */
        j_self(&c);
        start(&c, TX_CORE_T0);
        (void)tx_tensix_cycle(tile, 500);
        assert_false(tx_idle(m));
        if (held) {
            set(tile, 0xFFB121B0, 0x47800);
        }
        const uint32_t posted[2] = {1, 1};
        assert_int_equal(tx_write(m, TX_FILE_SEMAPHORE, 1, posted, 2), TX_OK);
        (void)tx_tensix_cycle(tile, 1000); /* of 16129 DMANOPs */
        assert_int_equal(tx_idle(m), held);
        tx_tensix_close(tile);
    }
}

/* Words for a T core that B stored before the core left reset are gone (spec/tile.md 2.1). */
static void test_release_empties(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 2; a++) {
        tx_tensix *tile = open_tile(chips[a], false);
        struct code b = code_at(tile, CODE_B);
        li(&b, A0, 0xFFE90000);
        for (unsigned i = 0; i < 2; i++) {
            sw(&b, A0, A0, 0);
        }
        ebreak(&b);
        start(&b, TX_CORE_B);
        run(tile, TX_OK);
        struct code c = code_at(tile, CODE_T1);
        li(&c, A0, 0xFFE80000);
        lw(&c, A1, A0, 0);
        result(&c, A1, 0);
        ebreak(&c);
        start(&c, TX_CORE_T1);
        run(tile, TX_EDEADLOCK);
        assert_int_equal(phase_of(tile, TX_CORE_T1), TX_CORE_RUNS);
        tx_tensix_close(tile);
    }
}

/*
 * A counter of a stream: it is set with the size of the buffer, and a store to its update register
 * adds the bits from 6 on, modulo 2^17 (spec/chip.md 4.1, check 11; the vendor's fast dispatch).
 */
static void test_overlay_adds(void **state)
{
    (void)state;
    static const struct {
        uint32_t size, update, available;
    } rows[2] = {{0x28, 0x438, 0x4A4}, {0x10, 0x88, 0x100}}; /* Blackhole, Wormhole */
    for (unsigned a = 0; a < 2; a++) {
        tx_tensix *tile = open_tile(chips[a], false);
        const unsigned i = chips[a] == TX_BLACKHOLE ? 0 : 1;
        const uint32_t stream = 0xFFB40000 + 9 * 0x1000;
        set(tile, stream + rows[i].size, 100);
        set(tile, stream + rows[i].update, 5 << 6);
        set(tile, stream + rows[i].update, (uint32_t)-7 << 6);
        assert_int_equal(get(tile, stream + rows[i].available), 98);
        assert_int_equal(get(tile, stream + rows[i].size), 100);
        assert_int_equal(get(tile, stream + 0x1000 + rows[i].available), 0);
        set(tile, stream + rows[i].available, 3); /* it cannot be stored to */
        assert_int_equal(get(tile, stream + rows[i].available), 98);
        assert_int_equal(findings(tile, "E-NOC"), 1);
        set(tile, stream + rows[i].size, 0xFFFFFFFF);
        set(tile, stream + rows[i].update, 2 << 6);
        assert_int_equal(get(tile, stream + rows[i].available), 1);
        /* A second counter exists in the first four streams only. */
        set(tile, stream + rows[i].update, 1 << 6 | 1);
        assert_int_equal(get(tile, stream + rows[i].available + 4), 0);
        set(tile, stream - 8 * 0x1000 + rows[i].update, 1 << 6 | 1);
        assert_int_equal(get(tile, stream - 8 * 0x1000 + rows[i].available + 4), 1);
        tx_tensix_close(tile);
    }
}

/* Returns how many findings say that a stream was started. */
static unsigned starts(tx_tensix *tile)
{
    const tx_machine *m = tx_tensix_machine(tile);
    unsigned n = 0;
    for (size_t i = 0; i < tx_finding_count(m); i++) {
        n += strstr(tx_finding_at(m, i)->message, "(stream-start)") != NULL;
    }
    return n;
}

/* Nothing transports messages: who starts a stream is told (isa Overlay, spec/chip.md 4.3). */
static void test_overlay_starts(void **state)
{
    (void)state;
    static const struct {
        uint32_t advance, misc, automatic;
    } rows[2] = {{0x42C, 0x8, 1}, {0x6C, 0x28, 0x200}}; /* Blackhole, Wormhole */
    for (unsigned a = 0; a < 2; a++) {
        const unsigned i = chips[a] == TX_BLACKHOLE ? 0 : 1;
        const uint32_t stream = 0xFFB40000 + 9 * 0x1000;
        tx_tensix *tile = open_tile(chips[a], false);
        for (uint32_t at = 0; at < 0x1000; at += 4) {
            if (at != rows[i].advance) {
                set(tile, stream + at, at == rows[i].misc ? ~rows[i].automatic : 7);
            }
        }
        assert_int_equal(starts(tile), 0);
        set(tile, stream + rows[i].advance, 1);
        assert_int_equal(starts(tile), 1);
        tx_tensix_close(tile);
        tile = open_tile(chips[a], false);
        struct code c = code_at(tile, CODE_B);
        li(&c, A0, stream + rows[i].misc);
        li(&c, A1, rows[i].automatic);
        sw(&c, A1, A0, 0);
        ebreak(&c);
        start(&c, TX_CORE_B);
        run(tile, TX_OK);
        assert_int_equal(starts(tile), 1);
        tx_tensix_close(tile);
    }
}

/* A core that does not exist has no addresses. */
static void test_no_core(void **state)
{
    static const unsigned cores[] = {TX_CORES, 31, 32, 33, 64, 0x80000000u, 0xFFFFFFFFu};
    (void)state;
    for (unsigned i = 0; i < 2 * sizeof cores / sizeof cores[0]; i++) {
        const enum tx_core core = (enum tx_core)cores[i / 2];
        tx_tensix *tile = open_tile(chips[i % 2], false);
        struct tx_core_state s;
        uint32_t value;
        assert_int_equal(tx_tile_place(chips[i % 2], core, 0xFFE80004).space, TX_SPACE_OTHER);
        assert_int_equal(tx_tensix_start(tile, core, 0), TX_EINVAL);
        assert_int_equal(tx_tensix_hold(tile, core), TX_EINVAL);
        assert_int_equal(tx_tensix_core(tile, core, &s), TX_EINVAL);
        assert_int_equal(tx_core_read(tile, core, 0, &value), TX_EINVAL);
        assert_int_equal(tx_core_write(tile, core, 1, 0), TX_EINVAL);
        assert_int_equal(tx_core_local_size(chips[i % 2], core), 0);
        assert_int_equal(tx_core_start(core), 0);
        assert_string_equal(tx_core_name(core), "?");
        tx_tensix_close(tile);
    }
}

/* What a core waits for in a cycle is a number and its text: here a load's result, and nothing. */
static void test_wait_text(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 2; a++) {
        unsigned results = 0;
        unsigned nothing = 0;
        tx_tensix *tile = open_tile(chips[a], false);
        set(tile, 0x20000, 1);
        struct code c = code_at(tile, CODE_B);
        li(&c, A0, 0x20000);
        lw(&c, A1, A0, 0);
        addi(&c, A1, A1, 1);
        ebreak(&c);
        start(&c, TX_CORE_B);
        for (unsigned cycle = 0; cycle < 100; cycle++) {
            struct tx_core_state s;
            (void)tx_tensix_cycle(tile, 1);
            assert_int_equal(tx_tensix_core(tile, TX_CORE_B, &s), TX_OK);
            assert_non_null(s.wait);
            if (s.waits_for == TX_CORE_WAIT_OPERAND) {
                assert_string_equal(s.wait, "a result");
                results++;
            } else if (s.waits_for == TX_CORE_WAIT_NONE) {
                assert_string_equal(s.wait, "nothing");
                nothing++;
            }
        }
        assert_true(results >= 1 && nothing >= 1);
        tx_tensix_close(tile);
    }
}

/* Blackhole: where each core is, in the order B, NC, T0, T1, T2 (spec/tile.md 3). */
static void test_pc_snapshots(void **state)
{
    (void)state;
    static const enum tx_core cores[TX_CORES] = {TX_CORE_B, TX_CORE_NC, TX_CORE_T0, TX_CORE_T1,
                                                 TX_CORE_T2};
    static const uint32_t places[TX_CORES] = {CODE_B, CODE_NC, CODE_T0, CODE_T1, CODE_T2};
    tx_tensix *tile = open_tile(TX_BLACKHOLE, false);
    for (unsigned i = 0; i < TX_CORES; i++) {
        struct code c = code_at(tile, places[i]);
        j_self(&c);
        start(&c, cores[i]);
    }
    (void)tx_tensix_cycle(tile, 100);
    for (unsigned i = 0; i < TX_CORES; i++) {
        assert_int_equal(get(tile, 0xFFB13138 + 4 * i), places[i]);
    }
    tx_tensix_close(tile);
}

/* Blackhole: any core reaches the local memory of any other. */
static void test_slow_memory(void **state)
{
    (void)state;
    tx_tensix *tile = open_tile(TX_BLACKHOLE, false);
    set(tile, 0xFFB1C010, 0x11223344); /* T2's */
    assert_int_equal(get(tile, 0xFFB1D010), 0x11223344);
    struct code c = code_at(tile, CODE_T2);
    li(&c, A0, 0xFFB00000);
    lw(&c, A1, A0, 0x10);
    result(&c, A1, 0);
    ebreak(&c);
    /* Local memory is cleared as the core leaves reset, unless DISABLE_RESET keeps it. */
    set(tile, 0xFFB12224, 1u << 4);
    start(&c, TX_CORE_T2);
    run(tile, TX_OK);
    assert_int_equal(get(tile, RESULTS), 0x11223344);
    set(tile, 0xFFB12224, 0);
    start(&c, TX_CORE_T2);
    run(tile, TX_OK);
    assert_int_equal(get(tile, RESULTS), 0);
    tx_tensix_close(tile);
}

/* What is not modelled says so by name. */
static void test_unsupported(void **state)
{
    (void)state;
    static const struct {
        uint32_t place;
        enum tx_arch arch;
        bool load;
        const char *named;
    } rows[] = {{0xFFB13004, TX_BLACKHOLE, false, "interrupts of hardware"},
                {0xFFB11040, TX_BLACKHOLE, false, "ffb11040"},
                {0xFFB11040, TX_BLACKHOLE, true, "ffb11040"},
                {0xFFB11000, TX_BLACKHOLE, false, "ffb11000"},
                {0xFFB12000, TX_BLACKHOLE, false, "ffb12000"},
                {0xFFB12218, TX_WORMHOLE, true, "ffb12218"},
                {0xFFB12228, TX_WORMHOLE, false, "ffb12228"}}; /* Blackhole's alone */
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tx_tensix *tile = open_tile(rows[i].arch, false);
        struct code c = code_at(tile, CODE_T0);
        li(&c, A0, rows[i].place);
        addi(&c, A1, X0, 1);
        if (rows[i].load) {
            lw(&c, A1, A0, 0);
        } else {
            sw(&c, A1, A0, 0);
        }
        ebreak(&c);
        start(&c, TX_CORE_T0);
        run(tile, TX_OK);
        const struct tx_finding *f = tx_finding_at(tx_tensix_machine(tile), 0);
        assert_int_equal(findings(tile, "E-TILE"), 1);
        assert_int_equal(f->category, TX_UNSUPPORTED);
        assert_non_null(strstr(f->message, rows[i].named));
        assert_non_null(strstr(f->message, rows[i].load ? "core t0 at 0000600c, lw a1, 0(a0)"
                                                        : "core t0 at 0000600c, sw a1, 0(a0)"));
        tx_tensix_close(tile);
    }
    /* One for each instruction, however often; the host's by what they say. */
    tx_tensix *tile = open_tile(TX_BLACKHOLE, false);
    struct code c = code_at(tile, CODE_T0);
    li(&c, A0, 0xFFB12000);
    li(&c, A2, 4);
    const uint32_t loop = c.at;
    lw(&c, A1, A0, 0);
    lw(&c, A1, A0, 0);
    addi(&c, A2, A2, -1);
    bne(&c, A2, X0, loop);
    ebreak(&c);
    start(&c, TX_CORE_T0);
    run(tile, TX_OK);
    assert_int_equal(findings(tile, "E-TILE"), 2);
    assert_int_equal(tx_finding_at(tx_tensix_machine(tile), 1)->count, 4);
    (void)get(tile, 0xFFB12000);
    (void)get(tile, 0xFFB12004);
    (void)get(tile, 0xFFB12004);
    assert_int_equal(findings(tile, "E-TILE"), 4);
    tx_tensix_close(tile);
    tile = open_tile(TX_WORMHOLE, false);
    assert_int_equal(get(tile, 0xFFB2002C), 1u | 1u << 6 | 10u << 12 | 12u << 19 | 1u << 28);
    tx_tensix_close(tile);
}

/* Timed and untimed, a snapshot taken anywhere leads to the same end, to the byte. */
static void test_snapshot(void **state)
{
    (void)state;
    tx_tensix *tile = open_tile(TX_BLACKHOLE, false);
    struct code c = code_at(tile, CODE_T0);
    li(&c, A0, 0xFFEC2000);
    addi(&c, A3, X0, 40);
    const uint32_t loop = c.at;
    sw(&c, A3, A0, 0);
    ttinsn(&c, 0x58000000);
    addi(&c, A3, A3, -1);
    bne(&c, A3, X0, loop);
    ebreak(&c);
    start(&c, TX_CORE_T0);
    c = code_at(tile, CODE_T1);
    li(&c, A0, 0xFFEC1000);
    addi(&c, A3, X0, 40);
    const uint32_t again = c.at;
    lw(&c, A1, A0, 0);
    word(&c, (unsigned)A1 << 20 | (unsigned)A2 << 15 | (unsigned)A2 << 7 | 0x33u); /* add */
    addi(&c, A3, A3, -1);
    bne(&c, A3, X0, again);
    result(&c, A2, 0);
    ebreak(&c);
    start(&c, TX_CORE_T1);
    const size_t size = tx_tensix_snapshot_size(tile);
    char *middle = test_malloc(size);
    char *first = test_malloc(size);
    char *second = test_malloc(size);
    (void)tx_tensix_cycle(tile, 137);
    assert_int_equal(tx_tensix_snapshot(tile, middle, size), TX_OK);
    (void)tx_tensix_cycle(tile, 2000);
    assert_int_equal(get(tile, RESULTS), 40 * 41 / 2);
    assert_int_equal(tx_tensix_snapshot(tile, second, size), TX_OK);
    assert_int_equal(tx_tensix_restore(tile, middle, size), TX_OK);
    (void)tx_tensix_cycle(tile, 2000);
    assert_int_equal(tx_tensix_snapshot(tile, first, size), TX_OK);
    /* The coprocessor's dead state may differ after a restore, the tile and its cores do not. */
    assert_memory_equal(first, second, size - tx_snapshot_size(tx_tensix_machine(tile)));
    assert_int_equal(tx_tensix_restore(tile, middle, size), TX_OK);
    assert_int_equal(get(tile, RESULTS), 0);
    (void)tx_tensix_cycle(tile, 2000);
    assert_int_equal(tx_tensix_snapshot(tile, second, size), TX_OK);
    assert_memory_equal(first, second, size);
    assert_int_equal(tx_tensix_restore(tile, middle, size - 1), TX_EINVAL);
    middle[0] ^= 1;
    assert_int_equal(tx_tensix_restore(tile, middle, size), TX_EINVAL);
    test_free(middle);
    test_free(first);
    test_free(second);
    tx_tensix_reset(tile);
    assert_int_equal(get(tile, RESULTS), 0);
    assert_int_equal(get(tile, 0xFFB121B0), 0x47800);
    assert_int_equal(tx_tensix_cycles(tile), 0);
    tx_tensix_close(tile);
}

/* Whether branches are foreseen is configuration, and comes back with it. */
static void test_snapshot_prediction(void **state)
{
    (void)state;
    tx_tensix *tile = open_tile(TX_BLACKHOLE, false);
    tx_tensix *other = open_tile(TX_BLACKHOLE, false);
    struct code c = code_at(tile, CODE_T0);
    li(&c, A0, 0xFFEF0000);
    li(&c, A1, 1u << 23); /* DISABLE_RISC_BP of T0 */
    sw(&c, A1, A0, 8);
    li(&c, A2, 1000);
    const uint32_t loop = c.at;
    addi(&c, A2, A2, -1);
    bne(&c, A2, X0, loop);
    ebreak(&c);
    start(&c, TX_CORE_T0);
    (void)tx_tensix_cycle(tile, 200);
    const size_t size = tx_tensix_snapshot_size(tile);
    void *there = test_malloc(size);
    assert_int_equal(tx_tensix_snapshot(tile, there, size), TX_OK);
    assert_int_equal(tx_tensix_restore(other, there, size), TX_OK);
    run(tile, TX_OK);
    run(other, TX_OK);
    assert_true(tx_tensix_cycles(tile) > 5000); /* every turn of the loop is foreseen wrongly */
    assert_int_equal(tx_tensix_cycles(other), tx_tensix_cycles(tile));
    test_free(there);
    tx_tensix_close(tile);
    tx_tensix_close(other);
}

static void test_arguments(void **state)
{
    (void)state;
    enum tx_core core;
    uint32_t value;
    uint8_t bytes[8];
    static const char *const texts[] = {"b", "T0", "trisc1", "PACK", "ncrisc"};
    for (unsigned c = 0; c < TX_CORES; c++) {
        assert_int_equal(tx_core_parse(texts[c], &core), TX_OK);
        assert_int_equal(core, c);
    }
    assert_int_equal(tx_core_parse("t3", &core), TX_ENOENT);
    assert_int_equal(tx_core_parse("t", &core), TX_ENOENT);
    tx_tensix *tile = open_tile(TX_WORMHOLE, false);
    assert_int_equal(tx_tensix_start(tile, TX_CORES, 0), TX_EINVAL);
    assert_int_equal(tx_tensix_start(tile, TX_CORE_T0, 2), TX_EINVAL);
    assert_int_equal(tx_core_read(tile, TX_CORE_T0, 33, &value), TX_EINVAL);
    assert_int_equal(tx_core_write(tile, TX_CORE_T0, 32, 2), TX_EINVAL);
    assert_int_equal(tx_core_write(tile, TX_CORE_T0, 0, 2), TX_OK);
    assert_int_equal(tx_core_read(tile, TX_CORE_T0, 0, &value), TX_OK);
    assert_int_equal(value, 0);
    assert_int_equal(tx_tensix_read(tile, 0xFFB121F2, bytes, 4), TX_EINVAL);
    assert_int_equal(tx_tensix_read(tile, 0xFFB121F0, bytes, 3), TX_EINVAL);
    assert_int_equal(tx_tensix_read(tile, 0xFFE00000, bytes, 4), TX_EINVAL);
    assert_int_equal(tx_tensix_read(tile, 1464 * 1024 - 4, bytes, 8), TX_EINVAL);
    assert_int_equal(tx_tensix_read(tile, 0xFFB12FFC, bytes, 8), TX_EINVAL);
    assert_int_equal(tx_core_local_size(TX_WORMHOLE, TX_CORE_T0), 2048);
    assert_int_equal(tx_core_local_write(tile, TX_CORE_T0, 2044, "abcd", 4), TX_OK);
    assert_int_equal(tx_core_local_read(tile, TX_CORE_T0, 2040, bytes, 8), TX_OK);
    assert_memory_equal(bytes, "\0\0\0\0abcd", 8);
    assert_int_equal(tx_core_local_write(tile, TX_CORE_T0, 2045, "abcd", 4), TX_EINVAL);
    assert_int_equal(tx_core_local_read(tile, TX_CORES, 0, bytes, 1), TX_EINVAL);
    tx_tensix_close(tile);
    tx_tensix_close(NULL);
}

/* The addresses that spec/tile.md 3, 3.2 and check 9 write out. */
static void test_places(void **state)
{
    static const struct {
        enum tx_arch arch;
        enum tx_core core;
        uint32_t address;
        struct tx_tile_place is;
    } places[] = {
        {TX_WORMHOLE, TX_CORE_T1, 0xFFE40000, {TX_SPACE_PUSH, 1, 0}},
        {TX_BLACKHOLE, TX_CORE_B, 0xFFE60000, {TX_SPACE_PUSH, 2, 0}},
        {TX_BLACKHOLE, TX_CORE_T0, 0xFFE60000, {TX_SPACE_OTHER, 0, 0}},
        {TX_BLACKHOLE, TX_CORE_T2, 0xFFB80008, {TX_SPACE_MOP, 2, 2}},
        {TX_WORMHOLE, TX_CORE_T2, 0xFFE0000C, {TX_SPACE_GPRS, 2, 3}},
        {TX_WORMHOLE, TX_CORE_B, 0xFFE0010C, {TX_SPACE_GPRS, 1, 3}},
        {TX_WORMHOLE, TX_CORE_T0, 0xFFE80004, {TX_SPACE_THREAD_DONE, 0, 0}},
        {TX_BLACKHOLE, TX_CORE_T1, 0xFFE80008, {TX_SPACE_MOP_DONE, 1, 0}},
        {TX_BLACKHOLE, TX_CORE_T1, 0xFFE8002C, {TX_SPACE_SEMAPHORES, 0, 3}},
        {TX_BLACKHOLE, TX_CORE_T1, 0xFFE80040, {TX_SPACE_OTHER, 1, 0}},
        {TX_WORMHOLE, TX_CORE_T0, 0xFFEF0000 + 4 * (188 + 7), {TX_SPACE_CONFIG, 1, 7}},
        {TX_BLACKHOLE, TX_CORE_T0, 0xFFEF0000 + 4 * 222, {TX_SPACE_CONFIG, 0, 222}},
        {TX_BLACKHOLE, TX_CORE_T0, 0xFFEF0000 + 4 * (448 + 9), {TX_SPACE_CONFIG_BOTH, 0, 9}},
        {TX_BLACKHOLE,
         TX_CORE_T0,
         0xFFEF0000 + 0xA80 + (68 + 5) * 4,
         {TX_SPACE_THREAD_CONFIG, 1, 5}},
        {TX_WORMHOLE,
         TX_CORE_B,
         0xFFEF0000 + 0x5E0 + (57 + 5) * 16,
         {TX_SPACE_THREAD_CONFIG, 1, 5}},
        {TX_WORMHOLE, TX_CORE_B, 0xFFEF0000 + 0x5E0 + (57 + 5) * 16 + 4, {TX_SPACE_OTHER, 1, 5}},
        {TX_BLACKHOLE, TX_CORE_T0, 0xFFBD8010, {TX_SPACE_DST, 0, 0}},
        {TX_WORMHOLE, TX_CORE_T0, 0xFFBD8010, {TX_SPACE_OTHER, 0, 0}},
        {TX_BLACKHOLE, TX_CORE_T0, 0x1000, {TX_SPACE_OTHER, 0, 0}},
        {TX_BLACKHOLE, TX_CORE_NC, 0xFFEF0000, {TX_SPACE_OTHER, 0, 0}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const struct tx_tile_place at =
            tx_tile_place(places[i].arch, places[i].core, places[i].address);
        assert_int_equal(at.space, places[i].is.space);
        if (at.space != TX_SPACE_OTHER) {
            assert_int_equal(at.part, places[i].is.part);
            assert_int_equal(at.index, places[i].is.index);
        }
    }
}

/* Wormhole has a word of a thread's configuration every sixteen bytes; the rest of them reads as 0,
 * and beyond the last nothing answers (spec/tile.md 3.2). */
static void test_config_pads(void **state)
{
    (void)state;
    tx_tensix *tile = open_tile(TX_WORMHOLE, false);
    set(tile, RESULTS, 0x55555555);
    struct code c = code_at(tile, CODE_T0);
    li(&c, A0, 0xFFEF0000 + 0x5E0 + (57 + 5) * 16);
    li(&c, A1, 0x12345678);
    lw(&c, A1, A0, 4);
    result(&c, A1, 0);
    ebreak(&c);
    start(&c, TX_CORE_T0);
    run(tile, TX_OK);
    assert_int_equal(phase_of(tile, TX_CORE_T0), TX_CORE_PAUSED);
    assert_int_equal(get(tile, RESULTS), 0);
    c = code_at(tile, CODE_T1);
    li(&c, A0, 0xFFEF0000 + 0x5E0 + 3 * 57 * 16);
    lw(&c, A1, A0, 0);
    addi(&c, A1, A1, 1);
    ebreak(&c);
    start(&c, TX_CORE_T1);
    (void)tx_tensix_cycle(tile, 1000);
    assert_int_equal(phase_of(tile, TX_CORE_T1), TX_CORE_HUNG);
    tx_tensix_close(tile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_debug),        cmocka_unit_test(test_debug_reach),
        cmocka_unit_test(test_stands_still), cmocka_unit_test(test_reset_drops),
        cmocka_unit_test(test_reset_mop),    cmocka_unit_test(test_release_empties),
        cmocka_unit_test(test_overlay_adds), cmocka_unit_test(test_overlay_starts),
        cmocka_unit_test(test_no_core),      cmocka_unit_test(test_wait_text),
        cmocka_unit_test(test_slow_memory),  cmocka_unit_test(test_pc_snapshots),
        cmocka_unit_test(test_unsupported),  cmocka_unit_test(test_snapshot),
        cmocka_unit_test(test_arguments),    cmocka_unit_test(test_snapshot_prediction),
        cmocka_unit_test(test_places),       cmocka_unit_test(test_config_pads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
