/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A second machine of ours, or chip, in the place of another simulator, with planted faults and
 * refusals.
 */
#ifndef TESTS_COSIM_FAKE_H
#define TESTS_COSIM_FAKE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "cosim/float.h"
#include "cosim/noc.h"
#include "cosim/riscv.h"
#include "cosim/scalar.h"
#include "cosim/tile.h"
#include "cosim/unpack.h"

/* ---- a machine of ours in the place of another simulator ---- */

static struct {
    tx_machine *m;
    const char *chip;
    uint8_t l1[1536 * 1024];
    uint32_t faulty, also, refused; /* instructions; 0: none */
    const char *reason;
    void *before;
    bool waits; /* at a STALLWAIT-like word: the faulty one */
    tx_chip *chip_there;
} fake;

static void fake_open(void)
{
    tx_reset(fake.m);
}

static size_t fake_size(void)
{
    return tx_snapshot_size(NULL);
}

static void fake_save(void *state)
{
    assert_int_equal(tx_snapshot(fake.m, state, fake_size()), TX_OK);
}

static void fake_restore(const void *state)
{
    assert_int_equal(tx_restore(fake.m, state, fake_size()), TX_OK);
}

static uint32_t fake_run(uint32_t thread, const uint32_t *words, uint32_t count)
{
    fake.reason = NULL;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t insn = words[i] >> 24;
        if (insn == fake.refused || (insn == fake.faulty && fake.waits)) {
            fake.reason = fake.waits ? NULL : "unsupported: value=12";
            return i;
        }
        const uint32_t gap = 4;
        fake_save(fake.before);
        const enum tx_status status = tx_run_gaps(fake.m, thread, &words[i], 1, &gap);
        if (status == TX_FAULT) {
            fake.reason = tx_fault(fake.m)->message;
        }
        if (status != TX_OK) { /* or it waits, and has begun to in an unpacker */
            fake_restore(fake.before);
            return i;
        }
        if (insn != 0 && (insn == fake.faulty || insn == fake.also)) {
            uint32_t lanes[32];
            assert_int_equal(tx_read(fake.m, TX_FILE_LREG, 5, lanes, 32), TX_OK);
            lanes[insn == fake.faulty ? 7 : 9] ^= 4u;
            assert_int_equal(tx_write(fake.m, TX_FILE_LREG, 5, lanes, 32), TX_OK);
        }
    }
    return count;
}

static const char *fake_refusal(void)
{
    return fake.reason;
}

static const struct side_file *file_of(unsigned file)
{
    for (unsigned i = 0; i < SIDE_FILES; i++) {
        if (side_files[i].file == file) {
            return &side_files[i];
        }
    }
    return NULL;
}

static bool fake_put(unsigned file, unsigned index, const uint32_t *v)
{
    return tx_write(fake.m, (enum tx_file)file, index, v, file_of(file)->values) == TX_OK;
}

static bool fake_get(unsigned file, unsigned index, uint32_t *v)
{
    return tx_read(fake.m, (enum tx_file)file, index, v, file_of(file)->values) == TX_OK;
}

static uint8_t *fake_l1(void)
{
    return fake.l1;
}

enum { MUL = 0x02000033, MUL_MASK = 0xFE00707F, FADD = 0x53, FADD_MASK = 0xFE00007F };

static bool is_faulty(uint32_t word)
{
    return fake.faulty != 0 && (word & (fake.faulty == MUL ? MUL_MASK : FADD_MASK)) == fake.faulty;
}

/* A core of ours, which takes each faulty instruction for a NOP. */
static bool fake_core(unsigned t, uint32_t pc, uint32_t until, uint64_t most, uint32_t *at)
{
    static struct riscv core;
    for (uint32_t i = pc; i < until; i += 4) {
        uint32_t word;
        memcpy(&word, fake.l1 + i, 4);
        fake.reason = NULL;
        if (fake.refused != 0 && (word & FADD_MASK) == fake.refused) {
            fake.reason = "unsupported: value=12";
            *at = i;
            return false;
        }
        word = is_faulty(word) ? CORE_NOP : word;
        memcpy(fake.l1 + i, &word, 4);
    }
    riscv_close(&core);
    riscv_open(&core, TX_BLACKHOLE, (enum riscv_core)(RISCV_T0 + t));
    core.env.l1 = fake.l1;
    core.env.l1_size = RISCV_L1_MAX;
    riscv_release(&core, pc, false);
    riscv_run(&core, most);
    const bool there = core.s.phase == RISCV_PAUSED && core.s.x[17] == 64;
    *at = core.s.pc;
    riscv_close(&core);
    return there;
}

/* ---- a chip of ours in the place of another one ---- */

static size_t fake_place(enum tx_chip_kind kind, unsigned number)
{
    struct tx_chip_tile t;
    size_t i = 0;
    while (tx_chip_tile_at(fake.chip_there, i, &t) == TX_OK &&
           (t.kind != kind || t.number != number)) {
        i++;
    }
    return i;
}

static bool fake_memory(bool dram, unsigned number, uint32_t address, uint8_t *to,
                        const uint8_t *from, size_t size)
{
    struct tx_chip_tile t;
    (void)tx_chip_tile_at(fake.chip_there, fake_place(dram ? TX_CHIP_DRAM : TX_CHIP_TENSIX, number),
                          &t);
    const struct tx_chip_place at = {0, t.translated_x, t.translated_y};
    return (to != NULL ? tx_chip_read(fake.chip_there, at, address, to, size)
                       : tx_chip_write(fake.chip_there, at, address, from, size)) == TX_OK;
}

/* The faulty kind of request is executed twice; a broadcast is refused, if that is asked for. */
static bool fake_store(unsigned tile, uint32_t address, uint32_t value)
{
    tx_tensix *const to = tx_chip_tensix(fake.chip_there, fake_place(TX_CHIP_TENSIX, tile));
    const bool starts = (address & 0x7FFu) == 0x40 && address < NOC_STREAM_AT;
    uint32_t control = 0;
    fake.reason = NULL;
    (void)tx_core_peek(to, TX_CORE_B, (address & ~0x7FFu) + AT_CTRL, &control, 4);
    if (starts && fake.refused != 0 && (control & NOC_FLAG_MANY) != 0) {
        fake.reason = "unsupported: value=12";
        return false;
    }
    bool good = tx_core_poke(to, TX_CORE_B, address, &value, 4) == 4;
    (void)tx_chip_cycle(fake.chip_there, 1);
    if (starts && fake.faulty != 0 && (control & 3u) == NOC_FLAG_ATOMIC) {
        good = tx_core_poke(to, TX_CORE_B, address, &value, 4) == 4 && good;
        (void)tx_chip_cycle(fake.chip_there, 1);
    }
    return good;
}

static bool fake_load(unsigned tile, uint32_t address, uint32_t *value)
{
    tx_tensix *const to = tx_chip_tensix(fake.chip_there, fake_place(TX_CHIP_TENSIX, tile));
    return tx_core_peek(to, TX_CORE_B, address, value, 4) == 4;
}

/* The threads of a machine of ours; the faulty instruction works on another row of Dst. */
static void fake_threads(const uint32_t *const words[3], const uint32_t count[3], uint32_t done[3])
{
    enum { ROW = 16 };
    static uint32_t copy[3][TILE_TEXT / 4];
    struct tx_stream s[TX_THREADS];
    fake.reason = NULL;
    for (unsigned t = 0; t < 3; t++) {
        done[t] = count[t];
        for (uint32_t i = 0; i < count[t]; i++) {
            const uint32_t insn = words[t][i] >> 24;
            copy[t][i] = words[t][i] ^ (insn == fake.faulty ? ROW : 0);
            if (insn == fake.refused && done[t] == count[t]) {
                done[t] = i;
                fake.reason = "unsupported: value=12";
            }
        }
        s[t] = (struct tx_stream){copy[t], done[t]};
    }
    (void)tx_run_threads(fake.m, s, TILE_LIMIT);
}

/*
 * A whole tile of ours, to which the machine's state goes and from which it comes back. The faulty
 * instruction of a core pushes one that works on another row of Dst.
 */
static bool fake_cores(const uint32_t pc[3], const uint32_t until[3])
{
    enum { ROW = 16 << 2 };
    struct tx_tensix_settings settings;
    tx_tensix *tile;
    tx_tensix_settings_default(&settings, tx_machine_arch(fake.m));
    assert_int_equal(tx_tensix_open(&settings, &tile), TX_OK);
    fake_save(fake.before);
    assert_int_equal(tx_restore(tx_tensix_machine(tile), fake.before, fake_size()), TX_OK);
    fake.reason = NULL;
    for (unsigned t = 0; t < 3; t++) {
        for (uint32_t at = pc[t]; at < until[t]; at += 4) {
            uint32_t word;
            memcpy(&word, fake.l1 + at, 4);
            const uint32_t insn = (word >> 2 | word << 30) >> 24;
            fake.reason = insn == fake.refused ? "unsupported: value=12" : fake.reason;
            word ^= insn == fake.faulty ? ROW : 0;
            memcpy(fake.l1 + at, &word, 4);
        }
    }
    assert_int_equal(tx_tensix_write(tile, 0, fake.l1, until[2] + 4), TX_OK);
    for (unsigned t = 0; t < 3; t++) {
        (void)tx_tensix_start(tile, (enum tx_core)(TX_CORE_T0 + t), pc[t]);
    }
    const bool good = fake.reason == NULL && tx_tensix_run(tile, TILE_LIMIT) == TX_OK;
    (void)tx_tensix_read(tile, 0, fake.l1, pc[0]);
    assert_int_equal(tx_snapshot(tx_tensix_machine(tile), fake.before, fake_size()), TX_OK);
    fake_restore(fake.before);
    tx_tensix_close(tile);
    return good;
}

static const struct beside fake_side = {"bh",         fake_open,    fake_run,     fake_core,
                                        fake_refusal, fake_put,     fake_get,     fake_size,
                                        fake_save,    fake_restore, fake_l1,      fake_memory,
                                        fake_store,   fake_load,    fake_threads, fake_cores};

static void fake_begin(struct cosim *c, enum tx_arch arch, const struct kind *kind,
                       const char *rule)
{
    struct tx_settings settings;
    tx_settings_default(&settings, arch);
    if (rule != NULL) {
        assert_int_equal(tx_settings_rule(&settings, rule), TX_OK);
    }
    memset(&fake, 0, sizeof fake);
    struct tx_host host;
    tx_host_default(&host);
    host.l1 = fake.l1;
    host.l1_size = tx_l1_size(arch);
    assert_int_equal(tx_open(&settings, &fake.m), TX_OK);
    fake.before = malloc(fake_size());
    assert_non_null(fake.before);
    assert_int_equal(tx_host_set(fake.m, &host), TX_OK);
    cosim_open(c, kind, &fake_side, arch, 7);
    c->out = fopen("/dev/null", "w");
    assert_non_null(c->out);
}

static void fake_end(struct cosim *c)
{
    fclose(c->out);
    cosim_close(c);
    tx_close(fake.m);
    free(fake.before);
}

/* Runs a program; true: it differs and nothing explains it, and d is what is left of it. */
static inline bool fake_shrunk(struct cosim *c, uint64_t number, struct difference *d)
{
    if (cosim_program(c, number)) {
        return false;
    }
    shrink_difference(c, number, d);
    return true;
}

#endif
