/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two tiles of a chip whose cores wait, a core that stores the clock all the time, and the
 * comparison with a chip on which every core runs in every cycle.
 */
#ifndef TX_TESTS_CHIP_NAPS_H
#define TX_TESTS_CHIP_NAPS_H

#include "chip/niu.h"

enum { ROUNDS = 24, CYCLES = 60000 };
enum {
    DELAYS = 0x24000, /* how long the worker rests in front of each round */
    PLAIN = 0x28000,  /* words that it changes by a store, an atomic, over the NoC */
    ATOMIC = 0x28020,
    SOURCE = 0x28040,
    REMOTE = 0x28060, /* the same of the other tile, one for each core */
    STREAM = 0xFFB40000 + 9 * 0x1000 + 0x800,
    CLOCK = 0xFFB121F0,
    LOCAL = 0xFFB00100,
    SEEN = 0x100 /* bytes of results, of each core */
};
enum { NOP = 0x00000013, LOOPS = 0xE100 };
static const uint32_t codes[TX_CORES] = {CODE_B, CODE_T0, CODE_T1, CODE_T2, CODE_NC};

enum { SHOWN = 0x29000, ROUND = 0x29100 };

struct pair {
    tx_chip *chip;
    enum tx_arch arch;
    size_t index[2];
    uint32_t at[2];
};

/* The host, which nobody asks for anything. */
static bool answer(void *user, const struct tx_chip_access *access)
{
    (void)user;
    (void)access;
    return false;
}

static struct pair open_pair(enum tx_arch arch, bool sleepless)
{
    struct pair p = {.arch = arch};
    struct tx_chip_settings s;
    const char *product = arch == TX_BLACKHOLE ? "p150" : "n150";
    unsigned n = 0;
    uint32_t width;
    uint32_t height;
    assert_int_equal(tx_chip_settings_default(&s, product), TX_OK);
    s.columns = 2;
    s.rows = 1;
    s.sleepless = sleepless;
    assert_int_equal(tx_chip_open(&s, &p.chip), TX_OK);
    assert_int_equal(tx_chip_device(p.chip, TX_CHIP_PCIE, answer, NULL), TX_OK);
    tx_chip_grid(p.chip, &width, &height);
    for (size_t i = 0; i < (size_t)width * height; i++) {
        struct tx_chip_tile t;
        assert_int_equal(tx_chip_tile_at(p.chip, i, &t), TX_OK);
        if (t.kind == TX_CHIP_TENSIX && !t.off) {
            p.index[n] = i;
            p.at[n++] = t.translated_x | t.translated_y << 6;
        }
    }
    assert_int_equal(n, 2);
    return p;
}

/* Stores the time to the results of a core, whose pointer to them is in S1. */
static void seen(struct code *c)
{
    li(c, A0, CLOCK);
    lw(c, T1, A0, 0);
    sw(c, T1, S1, 0);
    addi(c, S1, S1, 4);
}

static void srli(struct code *c, unsigned rd, unsigned rs, unsigned by)
{
    word(c, by << 20 | rs << 15 | 5u << 12 | rd << 7 | 0x13u);
}

/* Stores the clock, over its local memory, and waits for rounds of a worker meanwhile. */
static inline void tells_time(struct code *c, enum tx_core core, unsigned pause)
{
    li(c, S0, SHOWN);
    li(c, A0, CLOCK);
    li(c, A1, LOCAL);
    li(c, A3, ROUND);
    li(c, A2, 1);
    li(c, S1, RESULTS + SEEN * (uint32_t)core);
    const uint32_t loop = c->at;
    lw(c, T1, A0, 0);
    sw(c, T1, A1, 4);
    lw(c, T2, A0, 8);
    lw(c, T1, A1, 4);
    sw(c, T1, S0, 0);
    sw(c, T2, S0, 4);
    srli(c, T2, T1, 13);
    sw(c, T2, S0, 16);
    srli(c, T1, T1, 6);
    word(c, 1u << 20 | (uint32_t)T1 << 15 | 7u << 12 | (uint32_t)T1 << 7 | 0x13u); /* andi */
    sw(c, T1, S0, 12);
    addi(c, A4, X0, (int)pause);
    const uint32_t inner = c->at;
    addi(c, A4, A4, -1);
    bne(c, A4, X0, inner);
    lw(c, T1, A3, 0);
    bne(c, T1, A2, loop);
    seen(c);
    li(c, A0, CLOCK);
    addi(c, A2, A2, 1);
    word(c, branch(0x63u, c->at, loop));
    start(c, core);
}

static void expect_same(const struct pair *a, const struct pair *b)
{
    for (unsigned k = 0; k < 2; k++) {
        uint8_t seen_a[SEEN * TX_CORES];
        uint8_t seen_b[SEEN * TX_CORES];
        tx_tensix *x = tx_chip_tensix(a->chip, a->index[k]);
        tx_tensix *y = tx_chip_tensix(b->chip, b->index[k]);
        assert_int_equal(tx_tensix_read(x, RESULTS, seen_a, sizeof seen_a), TX_OK);
        assert_int_equal(tx_tensix_read(y, RESULTS, seen_b, sizeof seen_b), TX_OK);
        for (unsigned c = 0; c < TX_CORES; c++) {
            struct tx_core_state s;
            struct tx_core_state t;
            assert_int_equal(tx_tensix_core(x, (enum tx_core)c, &s), TX_OK);
            assert_int_equal(tx_tensix_core(y, (enum tx_core)c, &t), TX_OK);
            assert_memory_equal(seen_a + SEEN * c, seen_b + SEEN * c, SEEN);
            assert_int_equal(s.pc, t.pc);
            assert_int_equal(s.instructions, t.instructions);
            assert_memory_equal(s.waited, t.waited, sizeof s.waited);
        }
        assert_int_equal(tx_finding_count(tx_tensix_machine(x)),
                         tx_finding_count(tx_tensix_machine(y)));
    }
}

static inline void expect_same_bytes(const struct pair *a, const struct pair *b)
{
    for (unsigned k = 0; k < 2; k++) {
        static uint8_t x[0x10000];
        static uint8_t y[0x10000];
        const struct tx_chip_place at = {.x = a->at[k] & 63u, .y = a->at[k] >> 6};
        assert_int_equal(tx_chip_read(a->chip, at, RESULTS, x, sizeof x), TX_OK);
        assert_int_equal(tx_chip_read(b->chip, at, RESULTS, y, sizeof y), TX_OK);
        assert_memory_equal(x, y, sizeof x);
    }
}

#endif
