/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code that is overwritten where a core may have fetched it already. Source: isa InstructionCache
 * (no coherence; what drops the cache; up to 20 instructions in flight behind a drop;
 * fields of the prefetcher), spec/tile.md 2.4.
 */
#include "code.h"

enum { OLD = 0x00100793 /* li a5, 1 */, NEW = 0x00200793 /* li a5, 2 */, NOP = 0x00000013 };
enum { WAYS = 4 };

struct ahead {
    const char *what;
    unsigned behind; /* instructions from the store of the new word to the word */
    unsigned lines;  /* of the prefetcher; 0: it is off */
    unsigned limit;  /* the prefetcher's last address, in instructions behind the store; 0: none */
    bool dropped;    /* the cache is dropped as documented */
    bool round;      /* then the core goes through 24 other instructions */
    bool twice;      /* the old word has been executed before the store */
    unsigned finds;
};

static const struct ahead cases[] = {
    {"three instructions ahead", 3, 0, 0, false, false, false, 1},
    {"twenty instructions ahead", 20, 0, 0, false, false, false, 1},
    {"out of reach", 40, 0, 0, false, false, false, 0},
    {"in reach of the prefetcher", 40, 8, 0, false, false, false, 1},
    {"out of reach of the prefetcher", 64, 8, 0, false, false, false, 0},
    {"behind the prefetcher's limit", 40, 8, 30, false, false, false, 0},
    {"before the prefetcher's limit", 40, 8, 45, false, false, false, 1},
    {"dropped, still in the pipeline", 12, 0, 0, true, false, false, 1},
    {"dropped, and the pipeline drained", 12, 0, 0, true, true, false, 0},
    {"drained without a drop", 12, 0, 0, false, true, false, 1},
    {"executed before", 3, 0, 0, false, true, true, 1},
    {"executed before, and dropped", 12, 0, 0, true, true, true, 0},
};

static uint32_t field_word(enum tx_arch arch, const char *name)
{
    const struct tx_config_field *f = tx_config_field_find(arch, name);
    assert_non_null(f);
    return 0xFFEF0000u + 4u * f->word;
}

static void jump(struct code *c, uint32_t to)
{
    const uint32_t i = to - c->at;
    word(c, (i >> 20 & 1u) << 31 | (i >> 1 & 1023u) << 21 | (i >> 11 & 1u) << 20 |
                (i >> 12 & 255u) << 12 | 0x6Fu);
}

/* The configuration of T1's prefetcher. */
static void prefetcher(struct code *c, enum tx_arch arch, const struct ahead *a, uint32_t store)
{
    li(c, A3, field_word(arch, "RISC_PREFETCH_CTRL_Max_Req_Count"));
    li(c, A4, a->lines << 5 | 2u);
    sw(c, A4, A3, 0);
    li(c, A3, field_word(arch, "TRISC_END_PC_SEC1_PC"));
    li(c, A4, a->limit == 0 ? 0 : store + 4 * a->limit);
    sw(c, A4, A3, 0);
    lw(c, A4, A3, 0);
    addi(c, X0, A4, 0);
}

static unsigned ahead_run(enum tx_arch arch, bool untimed, const struct ahead *a)
{
    enum { ROUND = CODE_T1 + 0x800, STORE = CODE_T1 + 0x100 };
    tx_tensix *tile = open_tile(arch, untimed);
    const uint32_t target = STORE + 4 * a->behind;
    struct code c = code_at(tile, CODE_T1);
    prefetcher(&c, arch, a, STORE);
    li(&c, A0, target);
    li(&c, A1, NEW);
    li(&c, A3, field_word(arch, "RISCV_IC_INVALIDATE_InvalidateAll"));
    li(&c, A4, 4);
    addi(&c, S0, X0, a->twice ? 0 : 1);
    jump(&c, a->twice ? target : STORE);
    c.at = STORE;
    sw(&c, A1, A0, 0);
    if (a->dropped) {
        lw(&c, A2, A0, 0);
        addi(&c, X0, A2, 0);
        sw(&c, A4, A3, 0);
    }
    if (a->round) {
        jump(&c, ROUND);
    }
    while (c.at < target) {
        word(&c, NOP);
    }
    word(&c, OLD);
    word(&c, 0x00140413); /* addi s0, s0, 1: the second time it is 2 */
    addi(&c, A2, X0, 2);
    bne(&c, S0, A2, STORE);
    result(&c, A5, 0);
    ebreak(&c);
    struct code round = code_at(tile, ROUND);
    for (unsigned i = 0; i < 24; i++) {
        word(&round, NOP);
    }
    jump(&round, target);
    start(&c, TX_CORE_T1);
    run(tile, TX_OK);
    assert_int_equal(get(tile, RESULTS), 2);
    const unsigned found = findings(tile, "TL-13");
    tx_tensix_close(tile);
    return found;
}

static void test_own_stores(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (unsigned k = 0; k < WAYS; k++) {
            const unsigned found = ahead_run(chips[k & 1u], (k & 2u) != 0, &cases[i]);
            if (found != cases[i].finds) {
                fail_msg("%s, chip %u, untimed %u: %u findings, not %u", cases[i].what, k & 1u,
                         k >> 1, found, cases[i].finds);
            }
        }
    }
}

/* T1 waits for a flag; B overwrites what is behind the loop, and drops T1's cache or not. */
static unsigned beside(enum tx_arch arch, bool untimed, bool dropped)
{
    enum { FLAG = 0x24000 };
    tx_tensix *tile = open_tile(arch, untimed);
    struct code c = code_at(tile, CODE_T1);
    set(tile, FLAG, 0);
    set(tile, FLAG + 4, 0);
    li(&c, A0, FLAG);
    addi(&c, A1, X0, 1);
    sw(&c, A1, A0, 4);
    const uint32_t again = c.at;
    lw(&c, A1, A0, 0);
    addi(&c, A2, X0, 1);
    bne(&c, A1, A2, again);
    const uint32_t target = c.at;
    word(&c, OLD);
    result(&c, A5, 0);
    ebreak(&c);
    struct code b = code_at(tile, CODE_B);
    li(&b, A0, FLAG);
    addi(&b, A2, X0, 1);
    const uint32_t poll = b.at;
    lw(&b, A1, A0, 4);
    bne(&b, A1, A2, poll);
    li(&b, A0, target);
    li(&b, A1, NEW);
    sw(&b, A1, A0, 0);
    lw(&b, A2, A0, 0);
    addi(&b, X0, A2, 0);
    if (dropped) {
        li(&b, A3, field_word(arch, "RISCV_IC_INVALIDATE_InvalidateAll"));
        li(&b, A4, 4);
        sw(&b, A4, A3, 0);
    }
    for (unsigned i = 0; i < 200; i++) {
        word(&b, NOP);
    }
    li(&b, A0, FLAG);
    addi(&b, A1, X0, 1);
    sw(&b, A1, A0, 0);
    ebreak(&b);
    start(&c, TX_CORE_T1);
    start(&b, TX_CORE_B);
    run(tile, TX_OK);
    assert_int_equal(get(tile, RESULTS), 2);
    const unsigned found = findings(tile, "TL-13");
    tx_tensix_close(tile);
    return found;
}

static void test_other_stores(void **state)
{
    (void)state;
    for (unsigned k = 0; k < WAYS; k++) {
        assert_int_equal(beside(chips[k & 1u], (k & 2u) != 0, false), 1);
        assert_int_equal(beside(chips[k & 1u], (k & 2u) != 0, true), 0);
    }
}

/* A group of .ttinsn enters at once on Blackhole; one that was overwritten is found all the same.
 */
static void test_gathered(void **state)
{
    (void)state;
    for (unsigned k = 0; k < WAYS; k++) {
        tx_tensix *tile = open_tile(chips[k & 1u], (k & 2u) != 0);
        struct code c = code_at(tile, CODE_T1);
        li(&c, A0, CODE_T1 + 4 * 10);
        li(&c, A1, 0x02000000u << 2); /* NOP of the coprocessor */
        sw(&c, A1, A0, 0);
        while (c.at < CODE_T1 + 4 * 8) {
            word(&c, NOP);
        }
        for (unsigned i = 0; i < 4; i++) {
            ttinsn(&c, i == 2 ? 0x8F000000u : 0x02000000u); /* SFPNOP, NOP */
        }
        ebreak(&c);
        start(&c, TX_CORE_T1);
        run(tile, TX_OK);
        assert_int_equal(findings(tile, "TL-13"), 1);
        tx_tensix_close(tile);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_stores),
        cmocka_unit_test(test_other_stores),
        cmocka_unit_test(test_gathered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
