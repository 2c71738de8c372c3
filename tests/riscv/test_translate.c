/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops of untimed cores as machine code: random programs beside a core that is interpreted, and
 * what a block must not go past.
 */
#include "rig.h"

#include "riscv/pair.h"
#include "riscv/translate.h"

static void both_ways(void **state)
{
    static struct pair pair;
    static const enum tx_arch chips[2] = {TX_BLACKHOLE, TX_WORMHOLE};
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        pair.seed = 3 + i;
        const char *differs = pair_run(&pair, chips[i], 1000000);
        if (differs != NULL) {
            fail_msg("%s: %s differ", tx_arch_name(chips[i]), differs);
        }
    }
    if (emit_exists) { /* or all of it was interpreted twice */
        assert_true(pair.translated > 500000);
        assert_true(pair.compared > 200000);
    }
}

enum { COUNT = 20000 };
enum {
    LW_A0 = 0x0000A503,    /* lw a0, 0(ra) */
    ADDI_A0 = 0x00150513,  /* addi a0, a0, 1 */
    SW_A0 = 0x00A0A023,    /* sw a0, 0(ra) */
    ADDI_S0 = 0xFFF40413,  /* addi s0, s0, -1 */
    BNEZ_BACK = 0xFE0418E3 /* bnez s0, four words back */
};

/* A loop that counts in the word that x1 points to. */
static void open_loop(struct rig *r, uint32_t counter)
{
    rig_open(r, TX_BLACKHOLE, RISCV_B, false);
    r->core.translates = true;
    r->core.s.x[1] = counter;
    r->core.s.x[8] = COUNT;
    rig_put32(r, RIG_DATA, 0);
    const uint32_t words[] = {LW_A0, ADDI_A0, SW_A0, ADDI_S0, BNEZ_BACK, EBREAK};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
        rig_put32(r, RIG_CODE + 4 * i, words[i]);
    }
}

static void loops_count(void **state)
{
    static struct rig r;
    static const uint32_t counters[2] = {RIG_DATA, RISCV_RAM_BASE + 8};
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        open_loop(&r, counters[i]);
        uint64_t done = 0;
        for (uint64_t got = 1; got != 0; done += got) {
            got = riscv_run(&r.core, 777);
            assert_true(got <= 777);
        }
        const uint32_t count =
            i == 0 ? rig_get32(&r, RIG_DATA) : (uint32_t)(r.core.s.ram[8] | r.core.s.ram[9] << 8);
        assert_int_equal(count, COUNT);
        assert_int_equal(done, 5 * COUNT + 1);
        assert_int_equal(r.core.s.instret, 5 * COUNT + 1);
        assert_int_equal(r.core.s.phase, RISCV_PAUSED);
        assert_int_equal(r.finding_count, 0);
        assert_true(!emit_exists || r.core.ran > 4 * COUNT);
        riscv_close(&r.core);
    }
}

/* Each round stores the other of two instructions to where it executes it next. */
static void code_that_writes_itself(void **state)
{
    enum { ADDI_A1 = 0x00158593, ADDI_A2 = 0x00260613 /* addi a2, a2, 2 */ };
    static struct rig r;
    static const uint32_t words[] = {0x01494933 /* xor s2, s2, s4 */,
                                     ADDI_S0,
                                     0x0120A023 /* sw s2, 0(ra) */,
                                     ADDI_A1,
                                     BNEZ_BACK,
                                     EBREAK};
    (void)state;
    rig_open(&r, TX_BLACKHOLE, RISCV_B, false);
    r.core.translates = true;
    r.core.s.x[1] = RIG_CODE + 12;
    r.core.s.x[8] = COUNT;
    r.core.s.x[18] = ADDI_A1;
    r.core.s.x[20] = ADDI_A1 ^ ADDI_A2;
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
        rig_put32(&r, RIG_CODE + 4 * i, words[i]);
    }
    (void)riscv_run(&r.core, 5 * 1000);
    assert_int_equal(r.core.s.x[11], 500);
    assert_int_equal(r.core.s.x[12], 1000);
    riscv_close(&r.core);
}

/* The same by somebody else, between two turns. */
static void code_that_is_replaced(void **state)
{
    static struct rig r;
    (void)state;
    open_loop(&r, RIG_DATA);
    (void)riscv_run(&r.core, 5 * 1000);
    assert_int_equal(rig_get32(&r, RIG_DATA), 1000);
    rig_put32(&r, RIG_CODE + 4, 0x00350513); /* addi a0, a0, 3 */
    (void)riscv_run(&r.core, 5 * 1000);
    assert_int_equal(rig_get32(&r, RIG_DATA), 4000);
    riscv_close(&r.core);
}

/* A watcher of L1 hears of every access. */
static unsigned heard;
static void hear(struct riscv *core, uint32_t address, unsigned size, bool write,
                 enum tx_order_l1 how)
{
    (void)core, (void)address, (void)size, (void)write, (void)how;
    heard++;
}

static void listen(void *user, const struct tx_order *order)
{
    (void)user, (void)order;
}

static void watchers_hear_all(void **state)
{
    static struct rig r;
    static const struct tx_order_sink sink = {.order = listen};
    (void)state;
    open_loop(&r, RIG_DATA);
    r.core.env.listener = &sink;
    r.core.env.told = hear;
    heard = 0;
    (void)riscv_run(&r.core, 5 * 1000);
    assert_int_equal(heard, 2000);
    assert_int_equal(r.core.ran, 0);
    riscv_close(&r.core);
}

/* Where nobody has written, a finding comes in the round in which it is due. */
static void undefined_bytes_are_found(void **state)
{
    static struct rig r;
    (void)state;
    open_loop(&r, RIG_DATA);
    (void)riscv_run(&r.core, 5 * 1000);
    assert_int_equal(r.finding_count, 0);
    r.written[RIG_DATA / 8] = 0;
    (void)riscv_run(&r.core, 5 * 1000);
    assert_int_equal(r.findings[RISCV_FINDING_UNWRITTEN], 1);
    assert_int_equal(r.finding_pc, RIG_CODE);
    assert_int_equal(rig_get32(&r, RIG_DATA), 2000);
    riscv_close(&r.core);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ways),
        cmocka_unit_test(loops_count),
        cmocka_unit_test(code_that_writes_itself),
        cmocka_unit_test(code_that_is_replaced),
        cmocka_unit_test(watchers_hear_all),
        cmocka_unit_test(undefined_bytes_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
