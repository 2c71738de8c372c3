/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ring of tiles that pass a value on: each waits for its turn, adds, writes the value to the next
 * tile, waits for the acknowledgement, and increments the next tile's turn. What must come out is
 * known without this code.
 */
#ifndef TESTS_CHIP_RING_H
#define TESTS_CHIP_RING_H

#include "chip/niu.h"

#include <tensix/chip.h>

enum { TILES = 12, ROUNDS = 4, CYCLES = 40000, TURN = 0x20000 };
enum { SUM = TILES * (TILES + 1) / 2 }; /* tile k adds k + 1 */

struct ring {
    tx_chip *chip;
    enum tx_arch arch;
    size_t index[TILES];
    uint32_t at[TILES]; /* names: translated coordinates */
};

static inline struct ring open_ring(const char *product, const struct tx_chip_settings *change)
{
    struct tx_chip_settings s;
    struct tx_tensix_settings tile;
    struct ring r = {.chip = NULL};
    uint32_t width;
    uint32_t height;
    unsigned n = 0;
    assert_int_equal(tx_chip_settings_default(&s, product), TX_OK);
    s.columns = 4;
    s.rows = 3;
    s.policy = change->policy;
    s.sleepless = change->sleepless;
    s.seed = change->seed;
    s.adverse_delay = change->adverse_delay;
    s.start_delay = change->start_delay;
    tx_tensix_settings_default(&tile, s.arch);
    if (change->tile != NULL) {
        tile.untimed = change->tile->untimed;
        memcpy(tile.machine.pace, change->tile->machine.pace, sizeof tile.machine.pace);
    }
    s.tile = &tile;
    assert_int_equal(tx_chip_open(&s, &r.chip), TX_OK);
    r.arch = s.arch;
    tx_chip_grid(r.chip, &width, &height);
    for (size_t i = 0; i < (size_t)width * height; i++) {
        struct tx_chip_tile t;
        assert_int_equal(tx_chip_tile_at(r.chip, i, &t), TX_OK);
        if (t.kind == TX_CHIP_TENSIX && !t.off) {
            r.index[n] = i;
            r.at[n++] = t.translated_x | t.translated_y << 6;
        }
    }
    assert_int_equal(n, TILES);
    return r;
}

static inline void program(const struct ring *r, unsigned k)
{
    const struct layout *l = &layouts[r->arch == TX_BLACKHOLE];
    const uint32_t niu = k % 2 != 0 ? NIU_1 : NIU;
    const uint32_t next = r->at[(k + 1) % TILES];
    const uint32_t dram = r->arch == TX_BLACKHOLE ? 17 | 12 << 6 : 16 | 16 << 6;
    tx_tensix *tile = tx_chip_tensix(r->chip, r->index[k]);
    struct code c = code_at(tile, 0x1000);
    /* 0: the write, 1: a read of DRAM that nobody waits for, 3: the increment */
    place(&c, r->arch, niu, TURN + 0x10, r->at[k]);
    place(&c, r->arch, niu + 0xC, TURN + 0x20, next);
    store(&c, niu + 0x1C, 0x2092);
    store(&c, niu + 0x20, 4);
    place(&c, r->arch, niu + l->step, 64 * k, dram);
    place(&c, r->arch, niu + l->step + 0xC, 0x21000, r->at[k]);
    store(&c, niu + l->step + 0x1C, 0x2090);
    store(&c, niu + l->step + 0x20, 64);
    place(&c, r->arch, niu + 3 * l->step, TURN, next);
    place(&c, r->arch, niu + 3 * l->step + 0xC, TURN + 0x40, r->at[k]);
    store(&c, niu + 3 * l->step + 0x1C, 0x2091);
    store(&c, niu + 3 * l->step + 0x20, 1 << 12 | 31 << 2);
    store(&c, niu + 3 * l->step + l->data, 1);
    li(&c, S0, TURN);
    li(&c, A0, niu);
    li(&c, A1, niu + 3 * l->step);
    li(&c, A2, niu + l->step);
    li(&c, A3, 1);
    li(&c, S1, 1);
    const uint32_t loop = c.at;
    lw(&c, T1, S0, 0);
    word(&c, 0x0000000F); /* fence */
    bne(&c, T1, S1, loop);
    sw(&c, A3, A2, (int)l->command);
    lw(&c, T2, S0, 0x20);
    addi(&c, T2, T2, (int)k + 1);
    sw(&c, T2, S0, 0x10);
    word(&c, 0x0000000F);
    sw(&c, A3, A0, (int)l->command);
    const uint32_t answered = c.at;
    lw(&c, T1, A0, 0x204);
    bne(&c, T1, S1, answered);
    sw(&c, A3, A1, (int)l->command);
    addi(&c, S1, S1, 1);
    li(&c, T0, ROUNDS + 1);
    bne(&c, S1, T0, loop);
    j_self(&c);
    start(&c, TX_CORE_B);
    /* T0 waits for ever, in a loop of another length. */
    c = code_at(tile, 0x6000);
    li(&c, S0, TURN + 0x80);
    const uint32_t forever = c.at;
    lw(&c, T1, S0, 0);
    addi(&c, T2, T1, 1);
    addi(&c, T2, T2, 1);
    const uint32_t back = c.at;
    word(&c, branch(T1 << 15 | 0x63u, back, forever)); /* beqz T1 */
    j_self(&c);
    start(&c, TX_CORE_T0);
}

static inline void begin(const struct ring *r)
{
    uint8_t zero[0x100] = {0};
    uint8_t bytes[64 * TILES];
    const uint8_t one[4] = {1, 0, 0, 0};
    const struct tx_chip_place dram = {
        .noc = 0, .x = r->arch == TX_BLACKHOLE ? 17 : 16, .y = r->arch == TX_BLACKHOLE ? 12 : 16};
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(i * 7 + 1);
    }
    assert_int_equal(tx_chip_write(r->chip, dram, 0, bytes, sizeof bytes), TX_OK);
    for (unsigned k = 0; k < TILES; k++) {
        const struct tx_chip_place at = {.x = r->at[k] & 63u, .y = r->at[k] >> 6};
        assert_int_equal(tx_chip_write(r->chip, at, TURN, zero, sizeof zero), TX_OK);
        program(r, k);
    }
    const struct tx_chip_place first = {.x = r->at[0] & 63u, .y = r->at[0] >> 6};
    assert_int_equal(tx_chip_write(r->chip, first, TURN, one, 4), TX_OK);
}

/* Everything of a tile that a program or a profile could see. */
struct seen {
    uint8_t l1[0x100];
    uint32_t counter[2][62];
    struct tx_core_state core[2];
    uint64_t cycles;
    uint64_t findings;
};

static inline struct seen see(const struct ring *r, unsigned k)
{
    struct seen s;
    memset(&s, 0, sizeof s);
    tx_tensix *tile = tx_chip_tensix(r->chip, r->index[k]);
    assert_int_equal(tx_tensix_read(tile, TURN, s.l1, sizeof s.l1), TX_OK);
    for (unsigned noc = 0; noc < 2; noc++) {
        for (unsigned i = 0; i < 62; i++) {
            assert_int_equal(
                tx_chip_niu_read(r->chip, r->index[k], noc, 0x200 + 4 * i, &s.counter[noc][i]),
                TX_OK);
        }
    }
    assert_int_equal(tx_tensix_core(tile, TX_CORE_B, &s.core[0]), TX_OK);
    assert_int_equal(tx_tensix_core(tile, TX_CORE_T0, &s.core[1]), TX_OK);
    s.cycles = tx_tensix_cycles(tile);
    s.findings = tx_finding_count(tx_tensix_machine(tile));
    return s;
}

/* What the program computes: tile k has added k + 1 in each round. */
static inline void expect_values(const struct ring *r)
{
    for (unsigned k = 0; k < TILES; k++) {
        const struct seen s = see(r, k);
        uint32_t value;
        uint32_t turn;
        memcpy(&value, s.l1 + 0x10, 4);
        memcpy(&turn, s.l1, 4);
        assert_int_equal(value, (ROUNDS - 1) * SUM + (k + 1) * (k + 2) / 2);
        assert_int_equal(turn, ROUNDS + (k == 0 ? 1 : 0));
        assert_int_equal(s.counter[k % 2][1], ROUNDS); /* acknowledged */
        assert_int_equal(s.counter[k % 2][0], ROUNDS); /* results of atomics */
        assert_int_equal(s.counter[k % 2][2], ROUNDS); /* reads */
        assert_int_equal(s.counter[k % 2][16], 0);
        assert_int_equal(s.findings, 0);
    }
}

static inline void expect_same(const struct ring *a, const struct ring *b)
{
    for (unsigned k = 0; k < TILES; k++) {
        const struct seen x = see(a, k);
        const struct seen y = see(b, k);
        assert_memory_equal(x.l1, y.l1, sizeof x.l1);
        assert_memory_equal(x.counter, y.counter, sizeof x.counter);
        for (unsigned c = 0; c < 2; c++) {
            assert_int_equal(x.core[c].pc, y.core[c].pc);
            assert_int_equal(x.core[c].instructions, y.core[c].instructions);
            assert_memory_equal(x.core[c].waited, y.core[c].waited, sizeof x.core[c].waited);
        }
        assert_int_equal(x.cycles, y.cycles);
        assert_int_equal(x.findings, y.findings);
    }
    assert_int_equal(tx_chip_cycles(a->chip), tx_chip_cycles(b->chip));
}

#endif
