/* SPDX-License-Identifier: Apache-2.0 */
/* What a debugger does to a tile: it looks without any trace, and it comes back. */
#include <tensix/tile_debug.h>

#include "code.h"

static uint32_t look(tx_tensix *tile, enum tx_core core, uint32_t address)
{
    uint8_t b[4];
    assert_int_equal(tx_core_peek(tile, core, address, b, 4), 4);
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static enum tx_status put(tx_tensix *tile, enum tx_core core, uint32_t address, uint32_t value)
{
    const uint8_t b[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                          (uint8_t)(value >> 24)};
    return tx_core_poke(tile, core, address, b, 4) == 4 ? TX_OK : TX_EINVAL;
}

/* Every word that any core could reach is read, and nothing at all is different afterwards. */
static void test_look(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 2; a++) {
        tx_tensix *tile = open_tile(chips[a], false);
        struct code c = code_at(tile, CODE_T0);
        li(&c, A0, 0xFFEC2000); /* two words to T1 */
        addi(&c, A1, X0, 33);
        sw(&c, A1, A0, 0);
        sw(&c, A0, A0, 0);
        li(&c, A2, 0xFFE80020); /* semaphore 0: twice up */
        sw(&c, X0, A2, 0);
        sw(&c, X0, A2, 0);
        ebreak(&c);
        start(&c, TX_CORE_T0);
        c = code_at(tile, CODE_B);
        li(&c, A0, 0xFFE90000); /* a word into T1's PC buffer */
        addi(&c, A1, X0, 77);
        sw(&c, A1, A0, 0);
        li(&c, A0, 0xFFB121F0);
        lw(&c, A1, A0, 0); /* latches the upper half of the clock */
        ebreak(&c);
        start(&c, TX_CORE_B);
        (void)tx_tensix_cycle(tile, 300);
        const size_t size = tx_tensix_checkpoint_size(tile);
        char *before = test_malloc(size);
        char *after = test_malloc(size);
        assert_int_equal(tx_tensix_checkpoint(tile, before, size), TX_OK);
        static const struct {
            uint32_t from, to;
        } parts[] = {{0xFFAFF000, 0xFFC04000}, {0xFFDFF000, 0xFFFFFFF0}};
        unsigned there = 0;
        for (unsigned core = 0; core < TX_CORES; core++) {
            for (unsigned p = 0; p < 2; p++) {
                for (uint32_t at = parts[p].from; at < parts[p].to; at += 4) {
                    uint8_t b[4];
                    there += tx_core_peek(tile, (enum tx_core)core, at, b, 4) == 4;
                }
            }
        }
        assert_true(there > 5 * 3000);
        for (unsigned core = TX_CORE_T0; core <= TX_CORE_T2; core++) {
            assert_int_equal(look(tile, (enum tx_core)core, 0xFFE80020), 2);
        }
        assert_int_equal(look(tile, TX_CORE_T1, 0xFFEC1000), 33);
        assert_int_equal(look(tile, TX_CORE_T1, 0xFFEC1004), 1);
        assert_int_equal(look(tile, TX_CORE_T2, 0xFFEC1004), 0);
        assert_int_equal(look(tile, TX_CORE_T2, 0xFFEC1000), 0);
        assert_int_equal(look(tile, TX_CORE_T1, 0xFFE80000), 77);
        assert_int_equal(look(tile, TX_CORE_T2, 0xFFE80000), 0);
        assert_int_equal(look(tile, TX_CORE_B, 0xFFB121F0), 300);
        assert_int_equal(look(tile, TX_CORE_NC, CODE_T0 + 8), 0x02100593); /* li a1, 33 */
        assert_int_equal(tx_tensix_checkpoint(tile, after, size), TX_OK);
        assert_memory_equal(before, after, size);
        char b[8];
        assert_int_equal(tx_core_peek(tile, TX_CORE_NC, 0xFFE80020, b, 4), 0);
        assert_int_equal(tx_core_peek(tile, TX_CORE_T0, 0xFFE40000, b, 4), 0);
        assert_int_equal(tx_core_peek(tile, TX_CORES, 0, b, 4), 0);
        assert_int_equal(tx_core_peek(tile, TX_CORE_B, tx_l1_size(chips[a]) - 3, b, sizeof b), 3);
        assert_int_equal(tx_core_peek(tile, TX_CORE_T1, 0xFFFFFFFD, b, sizeof b), 0);
        test_free(before);
        test_free(after);
        tx_tensix_close(tile);
    }
}

/* A store that has not left its core: that core sees it, another one does not; and a debugger's
 * byte is not lost to it. */
static void test_queued(void **state)
{
    (void)state;
    tx_tensix *tile = open_tile(TX_BLACKHOLE, false);
    struct code c = code_at(tile, CODE_T0);
    li(&c, A0, RESULTS);
    li(&c, A1, 0x11223344);
    sw(&c, A1, A0, 0);
    const uint32_t behind = c.at;
    j_self(&c);
    start(&c, TX_CORE_T0);
    for (uint32_t pc = 0; pc != behind; (void)tx_core_read(tile, TX_CORE_T0, 32, &pc)) {
        assert_int_equal(tx_tensix_cycle(tile, 1), TX_OK);
        assert_true(tx_tensix_cycles(tile) < 200);
    }
    assert_int_equal(get(tile, RESULTS), 0);
    assert_int_equal(tx_core_queued(tile, TX_CORE_T0, RESULTS + 3, 1), 1);
    assert_int_equal(tx_core_queued(tile, TX_CORE_T0, RESULTS + 4, 8), 0);
    assert_int_equal(tx_core_queued(tile, TX_CORE_T1, RESULTS, 4), 0);
    assert_int_equal(look(tile, TX_CORE_T1, RESULTS), 0);
    assert_int_equal(look(tile, TX_CORE_T0, RESULTS), 0x11223344);
    uint8_t byte;
    assert_int_equal(tx_core_peek(tile, TX_CORE_T0, RESULTS + 2, &byte, 1), 1);
    assert_int_equal(byte, 0x22);
    byte = 0x99;
    assert_int_equal(tx_core_poke(tile, TX_CORE_T0, RESULTS + 1, &byte, 1), 1);
    (void)tx_tensix_cycle(tile, 20);
    assert_int_equal(get(tile, RESULTS), 0x11229944);
    tx_tensix_close(tile);
}

static void test_poke(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 2; a++) {
        tx_tensix *tile = open_tile(chips[a], false);
        uint32_t v[2];
        assert_int_equal(put(tile, TX_CORE_T1, 0xFFB00010, 5), TX_OK);
        assert_int_equal(look(tile, TX_CORE_T1, 0xFFB00010), 5);
        assert_int_equal(look(tile, TX_CORE_T2, 0xFFB00010), 0);
        assert_int_equal(put(tile, TX_CORE_T2, 0xFFE80024, 0), TX_OK); /* semaphore 1 up */
        (void)tx_read(tx_tensix_machine(tile), TX_FILE_SEMAPHORE, 1, v, 2);
        assert_int_equal(v[0], 1);
        assert_int_equal(put(tile, TX_CORE_T2, 0xFFE00004, 99), TX_OK);
        (void)tx_read(tx_tensix_machine(tile), TX_FILE_GPR, 64 * 2 + 1, v, 1);
        assert_int_equal(v[0], 99);
        for (unsigned i = 0; i < 4; i++) {
            assert_int_equal(put(tile, TX_CORE_T0, 0xFFEC3000, i), TX_OK);
        }
        assert_int_equal(put(tile, TX_CORE_T0, 0xFFEC3000, 4), TX_EINVAL); /* it is full */
        assert_int_equal(tx_core_poke(tile, TX_CORE_T0, 0xFFE00001, v, 4), 0);
        assert_int_equal(tx_core_poke(tile, TX_CORE_T0, 0xFFE00000, v, 3), 0);
        assert_int_equal(put(tile, TX_CORE_T0, 0xFFD00000, 4), TX_EINVAL);
        assert_int_equal(tx_core_poke(tile, TX_CORE_T0, tx_l1_size(chips[a]) - 4, v, 8), 4);
        tx_tensix_close(tile);
    }
}

static void test_next(void **state)
{
    (void)state;
    static const struct {
        uint32_t word; /* with a0 = 0x21001 */
        uint32_t address, size;
        bool load, store;
    } rows[] = {
        {0x00452583, 0x21004, 4, true, false}, /* lw a1, 4(a0) */
        {0x00054583, 0x21001, 1, true, false}, /* lbu a1, 0(a0) */
        {0xFFF51583, 0x21000, 2, true, false}, /* lh a1, -1(a0) */
        {0x00B502A3, 0x21006, 1, false, true}, /* sb a1, 5(a0) */
        {0xFEB51EA3, 0x20FFE, 2, false, true}, /* sh a1, -3(a0) */
        {0x08B5262F, 0x21000, 4, true, true},  /* amoswap.w a2, a1, (a0) */
        {0x00A58533, 0, 0, false, false},      /* add a0, a1, a0 */
        {0x08000000, 0, 0, false, false},      /* .ttinsn */
    };
    tx_tensix *tile = open_tile(TX_BLACKHOLE, false);
    struct code c = code_at(tile, CODE_T0);
    start(&c, TX_CORE_T0);
    (void)tx_core_write(tile, TX_CORE_T0, A0, 0x21001);
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tx_core_access access;
        set(tile, CODE_T0, rows[i].word);
        assert_int_equal(tx_core_next(tile, TX_CORE_T0, &access), TX_OK);
        assert_int_equal(access.size, rows[i].size);
        assert_int_equal(access.address, rows[i].address);
        assert_int_equal(access.load, rows[i].load);
        assert_int_equal(access.store, rows[i].store);
    }
    struct tx_core_access none;
    assert_int_equal(tx_core_next(tile, TX_CORES, &none), TX_EINVAL);
    tx_tensix_close(tile);
}

static void test_csrs(void **state)
{
    (void)state;
    struct tx_core_csr csr;
    uint32_t value;
    assert_int_equal(tx_core_csr_at(TX_WORMHOLE, 0, &csr), TX_ENOENT);
    tx_tensix *tile = open_tile(TX_BLACKHOLE, false);
    unsigned index = 0;
    for (; tx_core_csr_at(TX_BLACKHOLE, index, &csr) == TX_OK; index++) {
        const bool t2 = tx_core_csr_read(tile, TX_CORE_T2, index, &value) == TX_OK;
        assert_true(csr.number != 0xC22 || value == 16);
        const bool b = tx_core_csr_read(tile, TX_CORE_B, index, &value) == TX_OK;
        assert_true(t2);
        assert_int_equal(b, !csr.vector);
        const uint32_t want = csr.number == 0x300   ? 0x80006600u
                              : csr.number == 0x301 ? 0x40201123u
                              : csr.number == 0x7C0 ? 0x00020000u
                              : csr.number == 0xBC0 ? 0x01000800u /* lanes are enabled */
                                                    : 0u;
        if (b) {
            assert_int_equal(value, want);
        }
        const enum tx_status written = tx_core_csr_write(tile, TX_CORE_T2, index, 0x55);
        assert_int_equal(tx_core_csr_read(tile, TX_CORE_T2, index, &value), TX_OK);
        if (csr.number == 0x7C3 || csr.number == 0xB00 || csr.number == 0xC22) {
            assert_int_equal(written, TX_OK);
            assert_int_equal(value, 0x55);
        } else if (csr.number == 0xF14) {
            assert_int_equal(written, TX_EINVAL);
            assert_int_equal(value, 0);
        }
    }
    assert_int_equal(index, 39);
    assert_int_equal(tx_core_csr_read(tile, TX_CORE_B, index, &value), TX_ENOENT);
    /* What mhpmevent3 and 4 should count is not modelled. */
    assert_int_equal(tx_finding_count(tx_tensix_machine(tile)), 1);
    tx_tensix_close(tile);
}

static uint32_t pc_at(tx_tensix *tile, enum tx_core core)
{
    uint32_t pc;
    assert_int_equal(tx_core_read(tile, core, 32, &pc), TX_OK);
    return pc;
}

static void test_freeze(void **state)
{
    (void)state;
    tx_tensix *tile = open_tile(TX_WORMHOLE, false);
    struct code c = code_at(tile, CODE_T0);
    ebreak(&c);
    addi(&c, A0, X0, 1);
    j_self(&c);
    start(&c, TX_CORE_T0);
    c.start = CODE_T0 + 4;
    start(&c, TX_CORE_T1);
    tx_tensix_freeze(tile, 1u << TX_CORE_T1);
    (void)tx_tensix_cycle(tile, 50);
    assert_int_equal(pc_at(tile, TX_CORE_T0), CODE_T0 + 4); /* behind its ebreak */
    assert_int_equal(pc_at(tile, TX_CORE_T1), CODE_T0 + 4);
    tx_tensix_freeze(tile, 0);
    struct tx_core_glance all[TX_CORES];
    tx_tensix_glance(tile, all);
    assert_int_equal(all[TX_CORE_T0].phase, TX_CORE_PAUSED);
    assert_int_equal(all[TX_CORE_T0].instructions, 1);
    assert_int_equal(all[TX_CORE_T1].phase, TX_CORE_RUNS);
    assert_int_equal(all[TX_CORE_T1].instructions, 0);
    assert_int_equal(all[TX_CORE_T1].pc, CODE_T0 + 4);
    assert_int_equal(all[TX_CORE_NC].phase, TX_CORE_HELD);
    (void)tx_tensix_cycle(tile, 50);
    assert_int_equal(pc_at(tile, TX_CORE_T0), CODE_T0 + 4);
    assert_int_equal(pc_at(tile, TX_CORE_T1), CODE_T0 + 8);
    assert_int_equal(tx_core_wake(tile, TX_CORE_T0), TX_OK);
    (void)tx_tensix_cycle(tile, 50);
    assert_int_equal(pc_at(tile, TX_CORE_T0), CODE_T0 + 8);
    assert_int_equal(tx_core_wake(tile, TX_CORE_B), TX_EINVAL);
    assert_int_equal(tx_core_wake(tile, TX_CORES), TX_EINVAL);
    tx_tensix_close(tile);
}

/* Eight words of two groups: without a split T1 never stands inside of one. */
static void test_split(void **state)
{
    (void)state;
    for (unsigned split = 0; split < 2; split++) {
        tx_tensix *tile = open_tile(TX_BLACKHOLE, false);
        struct code c = code_at(tile, CODE_T1);
        for (unsigned i = 0; i < 8; i++) {
            ttinsn(&c, 0x02000000);
        }
        j_self(&c);
        start(&c, TX_CORE_T1);
        const uint32_t at = CODE_T1 + 24;
        assert_int_equal(tx_tensix_split(tile, &at, split), TX_OK);
        unsigned seen = 0;
        for (unsigned i = 0; i < 100; i++) {
            (void)tx_tensix_cycle(tile, 1);
            seen |= 1u << (pc_at(tile, TX_CORE_T1) - CODE_T1) / 4;
        }
        assert_int_equal(seen, 0x111u | split << 6);
        assert_int_equal(tx_tensix_split(tile, &at, TX_SPLITS + 1), TX_EINVAL);
        tx_tensix_close(tile);
    }
}

/* From a checkpoint on everything is as it was, findings and what is predicted among it. */
static void test_rollback(void **state)
{
    (void)state;
    tx_tensix *tile = open_tile(TX_BLACKHOLE, false);
    const size_t size = tx_tensix_checkpoint_size(tile);
    char *middle = test_malloc(size);
    char *first = test_malloc(size);
    char *second = test_malloc(size);
    struct code c = code_at(tile, CODE_T0);
    li(&c, A0, 0xFFEF0000);
    addi(&c, A3, X0, 40);
    li(&c, A1, 1u << 23); /* no prediction of branches for T0 */
    sw(&c, A1, A0, 8);
    const uint32_t loop = c.at;
    ttinsn(&c, 0x58000000);
    word(&c, 0x00151583); /* lh a1, 1(a0): a finding */
    addi(&c, A3, A3, -1);
    bne(&c, A3, X0, loop);
    ebreak(&c);
    start(&c, TX_CORE_T0);
    (void)tx_tensix_cycle(tile, 137);
    tx_tensix_freeze(tile, 1u << TX_CORE_T2);
    assert_int_equal(tx_tensix_checkpoint(tile, middle, size), TX_OK);
    const uint64_t count = tx_finding_at(tx_tensix_machine(tile), 0)->count;
    (void)tx_tensix_cycle(tile, 100);
    assert_int_equal(tx_tensix_checkpoint(tile, first, size), TX_OK);
    assert_true(tx_finding_at(tx_tensix_machine(tile), 0)->count > count);
    (void)tx_tensix_cycle(tile, 1000);
    tx_tensix_freeze(tile, 0);
    assert_int_equal(tx_tensix_rollback(tile, middle, size), TX_OK);
    assert_int_equal(tx_finding_at(tx_tensix_machine(tile), 0)->count, count);
    assert_int_equal(tx_tensix_cycles(tile), 137);
    (void)tx_tensix_cycle(tile, 100);
    assert_int_equal(tx_tensix_checkpoint(tile, second, size), TX_OK);
    /* The coprocessor's dead state may differ after a restore, the tile and its cores do not. */
    const size_t snapshot = tx_tensix_snapshot_size(tile);
    const size_t machine = tx_snapshot_size(tx_tensix_machine(tile));
    assert_memory_equal(first, second, snapshot - machine);
    assert_memory_equal(first + snapshot, second + snapshot, size - snapshot);
    assert_int_equal(tx_tensix_rollback(tile, middle, size - 1), TX_EINVAL);
    tx_tensix *other = open_tile(TX_BLACKHOLE, false);
    assert_int_equal(tx_tensix_rollback(other, middle, size), TX_EINVAL);
    tx_tensix_close(other);
    test_free(middle);
    test_free(first);
    test_free(second);
    tx_tensix_close(tile);
}

/*
 * A word that waits for a semaphore is a stall in each cycle, before and after a checkpoint that is
 * kept where nothing was 0 before.
 */
static void test_rollback_while_held(void **state)
{
    (void)state;
    tx_tensix *tile = open_tile(TX_BLACKHOLE, false);
    const tx_machine *m = tx_tensix_machine(tile);
    const size_t size = tx_tensix_checkpoint_size(tile);
    char *point = test_malloc(size);
    struct code c = code_at(tile, CODE_T0);
    ttinsn(&c, 0xA6800005); /* SEMWAIT: the Vector Unit, while semaphore 0 is zero */
    ttinsn(&c, 0x8F000000);
    ebreak(&c);
    start(&c, TX_CORE_T0);
    (void)tx_tensix_cycle(tile, 200);
    memset(point, 1, size);
    assert_int_equal(tx_tensix_checkpoint(tile, point, size), TX_OK);
    for (unsigned turn = 0; turn < 2; turn++) {
        const uint64_t stalls = tx_machine_counters(m).stall_cycles;
        (void)tx_tensix_cycle(tile, 50);
        assert_int_equal(tx_machine_counters(m).stall_cycles - stalls, 50);
        assert_int_equal(tx_tensix_rollback(tile, point, size), TX_OK);
    }
    test_free(point);
    tx_tensix_close(tile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_look),
        cmocka_unit_test(test_queued),
        cmocka_unit_test(test_poke),
        cmocka_unit_test(test_next),
        cmocka_unit_test(test_csrs),
        cmocka_unit_test(test_freeze),
        cmocka_unit_test(test_split),
        cmocka_unit_test(test_rollback),
        cmocka_unit_test(test_rollback_while_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
