/* SPDX-License-Identifier: Apache-2.0 */
/* Programs for cores, written word by word; encodings as in the RISC-V manual. */
#ifndef TESTS_TILE_CODE_H
#define TESTS_TILE_CODE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <tensix/tensix.h>

#include <string.h>

enum { X0, RA, SP, GP, TP, T0, T1, T2, S0, S1, A0, A1, A2, A3, A4, A5 };

struct code {
    tx_tensix *tile;
    uint32_t at, start;
};

static inline void word(struct code *c, uint32_t w)
{
    const uint8_t bytes[4] = {(uint8_t)w, (uint8_t)(w >> 8), (uint8_t)(w >> 16),
                              (uint8_t)(w >> 24)};
    assert_int_equal(tx_tensix_write(c->tile, c->at, bytes, 4), TX_OK);
    c->at += 4;
}

static inline void addi(struct code *c, unsigned rd, unsigned rs, int imm)
{
    word(c, (uint32_t)imm << 20 | rs << 15 | rd << 7 | 0x13u);
}

static inline void li(struct code *c, unsigned rd, uint32_t value)
{
    word(c, ((value + 0x800u) & 0xFFFFF000u) | rd << 7 | 0x37u);
    addi(c, rd, rd, (int)(value & 0xFFFu));
}

static inline void lw(struct code *c, unsigned rd, unsigned base, int imm)
{
    word(c, (uint32_t)imm << 20 | base << 15 | 2u << 12 | rd << 7 | 0x03u);
}

static inline void sw(struct code *c, unsigned rs, unsigned base, int imm)
{
    const uint32_t i = (uint32_t)imm;
    word(c, (i >> 5 & 127u) << 25 | rs << 20 | base << 15 | 2u << 12 | (i & 31u) << 7 | 0x23u);
}

/* bne a, b, to */
static inline void bne(struct code *c, unsigned a, unsigned b, uint32_t to)
{
    const uint32_t i = to - c->at;
    word(c, (i >> 12 & 1u) << 31 | (i >> 5 & 63u) << 25 | b << 20 | a << 15 | 1u << 12 |
                (i >> 1 & 15u) << 8 | (i >> 11 & 1u) << 7 | 0x63u);
}

static inline void ttinsn(struct code *c, uint32_t w)
{
    assert_true(w < 0xC0000000u);
    word(c, w << 2 | w >> 30);
}

static inline void ebreak(struct code *c)
{
    word(c, 0x00100073);
}

static inline void j_self(struct code *c)
{
    word(c, 0x0000006F);
}

/* Stores rs to the result word n of L1. */
enum { RESULTS = 0x20000 };
static inline void result(struct code *c, unsigned rs, unsigned n)
{
    li(c, T2, RESULTS + 4 * n);
    sw(c, rs, T2, 0);
}

static inline uint32_t get(tx_tensix *tile, uint32_t address)
{
    uint8_t b[4];
    assert_int_equal(tx_tensix_read(tile, address, b, 4), TX_OK);
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline void set(tx_tensix *tile, uint32_t address, uint32_t value)
{
    struct code c = {tile, address, 0};
    word(&c, value);
}

static inline tx_tensix *open_tile(enum tx_arch arch, bool untimed)
{
    struct tx_tensix_settings settings;
    tx_tensix *tile = NULL;
    tx_tensix_settings_default(&settings, arch);
    settings.untimed = untimed;
    assert_int_equal(tx_tensix_open(&settings, &tile), TX_OK);
    return tile;
}

static inline struct code code_at(tx_tensix *tile, uint32_t at)
{
    const struct code c = {tile, at, at};
    return c;
}

static inline void start(const struct code *c, enum tx_core core)
{
    assert_int_equal(tx_tensix_start(c->tile, core, c->start), TX_OK);
}

static inline unsigned findings(tx_tensix *tile, const char *rule)
{
    const tx_machine *m = tx_tensix_machine(tile);
    unsigned n = 0;
    for (size_t i = 0; i < tx_finding_count(m); i++) {
        n += strcmp(tx_finding_at(m, i)->rule, rule) == 0;
    }
    return n;
}

static const enum tx_arch chips[2] = {TX_WORMHOLE, TX_BLACKHOLE};

enum { CODE_B = 0x1000, CODE_T0 = 0x6000, CODE_T1 = 0xA000, CODE_T2 = 0xE000, CODE_NC = 0x12000 };

static inline void run(tx_tensix *tile, enum tx_status want)
{
    const enum tx_status got = tx_tensix_run(tile, 200000);
    if (got != want) {
        char text[256];
        for (unsigned c = 0; c < TX_CORES; c++) {
            if (tx_tensix_wait_text(tile, (enum tx_core)c, text, sizeof text)) {
                print_message("%s\n", text);
            }
        }
        fail_msg("status %s after %llu cycles", tx_status_text(got),
                 (unsigned long long)tx_tensix_cycles(tile));
    }
}

static inline uint32_t pc_of(tx_tensix *tile, enum tx_core core)
{
    struct tx_core_state s;
    assert_int_equal(tx_tensix_core(tile, core, &s), TX_OK);
    return s.pc;
}

static inline enum tx_core_phase phase_of(tx_tensix *tile, enum tx_core core)
{
    struct tx_core_state s;
    assert_int_equal(tx_tensix_core(tile, core, &s), TX_OK);
    return s.phase;
}

#endif
