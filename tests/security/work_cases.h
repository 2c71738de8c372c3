/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The largest work that one instruction, one store or one register can ask for inside a single
 * cycle, unit by unit. Each case is a tile in which nothing but that work goes on, again and again.
 */
#ifndef TESTS_SECURITY_WORK_CASES_H
#define TESTS_SECURITY_WORK_CASES_H

#include "tile/code.h"

#include <stdio.h>

enum { NIU = 0xFFB20000, DEBUG_UNIT = 0xFFB12000 };

struct work {
    tx_tensix *tile;
    enum tx_arch arch;
    uint64_t asked;  /* how often the host was asked */
    uint64_t end;    /* the host says no at this one; 0: never */
    uint64_t places; /* accesses to other places of the NoC, and their bytes */
    uint64_t bytes;
    bool refuses; /* nothing is at other places */
};

static inline bool other_place(void *user, const struct tx_noc_access *a)
{
    struct work *w = user;
    w->places++;
    w->bytes += a->size;
    if (a->to != NULL && !w->refuses) {
        memset(a->to, 7, a->size);
    }
    return !w->refuses;
}

static inline void niu_set(const struct work *w, unsigned offset, uint32_t value)
{
    set(w->tile, NIU + offset, value);
}

static inline uint32_t niu_command(const struct work *w)
{
    return w->arch == TX_BLACKHOLE ? 0x40 : 0x28;
}

/* Fills in a request of initiator 0; "at" and "to" are x | y << 6, and for many first places too.
 */
static inline void niu_request(const struct work *w, uint32_t control, uint32_t length,
                               uint64_t from, uint32_t at, uint64_t back, uint32_t to)
{
    const bool bh = w->arch == TX_BLACKHOLE;
    niu_set(w, 0x00, (uint32_t)from);
    niu_set(w, 0x04, (uint32_t)(from >> 32) | (bh ? 0 : at << 4));
    niu_set(w, 0x08, bh ? at : 0);
    niu_set(w, 0x0C, (uint32_t)back);
    niu_set(w, 0x10, (uint32_t)(back >> 32) | (bh ? 0 : to << 4));
    niu_set(w, 0x14, bh ? to : 0);
    niu_set(w, 0x1C, control);
    niu_set(w, 0x20, length);
}

static inline uint32_t own_place(enum tx_arch arch)
{
    unsigned x;
    unsigned y;
    tx_tensix_noc_place(arch, &x, &y);
    return x | y << 6;
}

/* B starts initiator 0 for ever, as often as it can. */
static inline void fire_for_ever(const struct work *w)
{
    struct code c = code_at(w->tile, CODE_B);
    li(&c, A0, NIU + niu_command(w));
    addi(&c, A1, X0, 1);
    const uint32_t again = c.at;
    for (unsigned i = 0; i < 8; i++) {
        sw(&c, A1, A0, 0);
    }
    bne(&c, A1, X0, again);
    start(&c, TX_CORE_B);
}

/* T0 pushes words once, then a last one for ever. */
static inline void push_for_ever(const struct work *w, const uint32_t *words, unsigned count)
{
    struct code c = code_at(w->tile, CODE_T0);
    addi(&c, A1, X0, 1);
    for (unsigned i = 0; i + 1 < count; i++) {
        ttinsn(&c, words[i]);
    }
    const uint32_t again = c.at;
    for (unsigned i = 0; i < 8; i++) {
        ttinsn(&c, words[count - 1]);
    }
    bne(&c, A1, X0, again);
    start(&c, TX_CORE_T0);
}

static inline void config(const struct work *w, const char *name, uint32_t value)
{
    assert_int_equal(tx_config_set(tx_tensix_machine(w->tile), 0, name, value), TX_OK);
}

/* ---- the cases ---- */

enum { READS = 0, WRITES = 2, ANSWERED = 1 << 4, MANY = 1 << 5, OWN_TOO = 1 << 17 };

static inline void noc_read(struct work *w)
{
    niu_request(w, READS, 0xFFFFFF01u, 0, 0, 0x20000, own_place(w->arch));
    fire_for_ever(w);
}

static inline void noc_own(struct work *w)
{
    niu_request(w, READS, 0xFFFFFF01u, 0, own_place(w->arch), 0x20000, own_place(w->arch));
    fire_for_ever(w);
}

static inline void noc_write(struct work *w)
{
    niu_request(w, WRITES | ANSWERED, 0xFFFFFFFFu, 0, 0, 0, 0);
    fire_for_ever(w);
}

static inline void noc_refused(struct work *w)
{
    w->refuses = true;
    niu_request(w, WRITES | ANSWERED | MANY | OWN_TOO, 0xFFFFFFFFu, 0, 0, 0,
                16u | 11u << 6 | 0u << 12 | 0u << 18);
    fire_for_ever(w);
}

/* From registers of the tile to registers of the tile. */
static inline void noc_registers(struct work *w)
{
    niu_request(w, WRITES | ANSWERED, 0x80000000u, 0xFFB30000, 0, 0xFFB40000, own_place(w->arch));
    fire_for_ever(w);
}

/* A request that writes to the register that starts it. */
static inline void noc_itself(struct work *w)
{
    set(w->tile, 0x3000, 1);
    niu_request(w, WRITES | ANSWERED, 4, 0x3000, 0, NIU + niu_command(w), own_place(w->arch));
    fire_for_ever(w);
}

/* The unit's X counters of thread 0 go from 0 to the last value that they can have. */
static inline void widest(const struct work *w, unsigned unit)
{
    enum { CHANNEL_1_X = 8 };
    tx_machine *m = tx_tensix_machine(w->tile);
    uint32_t values[TX_ADC_VALUES] = {0};
    assert_int_equal(tx_read(m, TX_FILE_ADC, unit, values, TX_ADC_VALUES), TX_OK);
    values[CHANNEL_1_X] = (1u << 18) - 1;
    assert_int_equal(tx_write(m, TX_FILE_ADC, unit, values, TX_ADC_VALUES), TX_OK);
}

static inline void unpack(struct work *w, bool to_dst, uint32_t upsample, bool compressed)
{
    static const uint32_t unpacr[] = {0x42000001u};
    widest(w, 0);
    config(w, "THCON_SEC0_REG0_TileDescriptor", compressed ? 5 : 0x15);
    config(w, "THCON_SEC0_REG2_Out_data_format", 5);
    config(w, "THCON_SEC0_REG2_Disable_zero_compress_cntx0", compressed ? 0 : 1);
    config(w, "THCON_SEC0_REG2_Unpack_If_Sel", to_dst ? 1 : 0);
    config(w, "UNP0_ADDR_CTRL_XY_REG_1_Ystride", 0);
    config(w, "THCON_SEC0_REG2_Upsample_rate", upsample);
    push_for_ever(w, unpacr, 1);
}

static inline void unpack_src(struct work *w)
{
    unpack(w, false, 0, false);
}

static inline void unpack_dst(struct work *w)
{
    unpack(w, true, 3, false);
}

static inline void unpack_compressed(struct work *w)
{
    unpack(w, true, 3, true);
}

static inline void pack(struct work *w)
{
    static const char *const sections[] = {"SEC0_REG1", "SEC0_REG8", "SEC1_REG1", "SEC1_REG8"};
    for (unsigned i = 0; i < (w->arch == TX_BLACKHOLE ? 1 : 4); i++) {
        char name[96];
        (void)snprintf(name, sizeof name, "THCON_%s_Disable_zero_compress", sections[i]);
        config(w, name, 1);
        (void)snprintf(name, sizeof name, "THCON_%s_In_data_format", sections[i]);
        config(w, name, 5);
        (void)snprintf(name, sizeof name, "THCON_%s_Out_data_format", sections[i]);
        config(w, name, 5);
        (void)snprintf(name, sizeof name, "THCON_%s_L1_Dest_addr", sections[i]);
        config(w, name, 0x4000); /* behind the programs */
    }
    config(w, "ALU_FORMAT_SPEC_REG2_Dstacc", 5);
    const uint32_t pacr[] = {w->arch == TX_BLACKHOLE ? 0x41001001u : 0x41000F01u};
    widest(w, 2);
    push_for_ever(w, pacr, 1);
}

static inline void mover(struct work *w)
{
    static const uint32_t xmov[] = {0x40000000u};
    config(w, "THCON_SEC0_REG6_Source_address", 0);
    config(w, "THCON_SEC0_REG6_Destination_address", 0x1000);
    config(w, "THCON_SEC0_REG6_Buffer_size", 0xFFFF);
    config(w, "THCON_SEC0_REG6_Transfer_direction", 3);
    push_for_ever(w, xmov, 1);
}

/* Every loop of the expander at its longest, with nothing in it. */
static inline void mop(struct work *w)
{
    static const uint32_t words[] = {0x01800000u};
    tx_machine *m = tx_tensix_machine(w->tile);
    for (unsigned i = 0; i < 9; i++) {
        const uint32_t value = i == 0 ? 0x3FF : i == 1 ? 0 : 0x02000000u;
        assert_int_equal(tx_mop_config(m, 0, i, value), TX_OK);
    }
    push_for_ever(w, words, 1);
}

/* Stores that look up a field of configuration by name, and that drop the caches of a core. */
static inline void registers(struct work *w)
{
    struct code c = code_at(w->tile, CODE_B);
    li(&c, A0, DEBUG_UNIT + 0x68);                                      /* DBG_FEATURE_DISABLE */
    li(&c, A2, 0xFFEF0000 + 4 * (w->arch == TX_BLACKHOLE ? 185 : 157)); /* RISCV_IC_INVALIDATE */
    addi(&c, A1, X0, 31);
    const uint32_t again = c.at;
    for (unsigned i = 0; i < 4; i++) {
        sw(&c, A1, A0, 0);
        sw(&c, A1, A2, 0);
    }
    bne(&c, A1, X0, again);
    start(&c, TX_CORE_B);
}

static const struct work_case {
    const char *name;
    void (*prepare)(struct work *w);
    /* After so many questions to the host it says no. */
    unsigned questions;
    /* Bytes that other places of the NoC may be given or give between two questions. */
    uint64_t bytes;
} work_cases[] = {
    {"NoC read, 4 GiB", noc_read, 3, 255 * 16384},
    {"NoC read of the tile itself, 4 GiB", noc_own, 3, 0},
    {"NoC write, 4 GiB", noc_write, 3, 255 * 16384},
    {"NoC broadcast to places that do not answer", noc_refused, 3, 16384 * 17 * 12},
    {"NoC, registers to registers", noc_registers, 3, 0},
    {"NoC, a request that starts itself", noc_itself, 3, 0},
    {"UNPACR to SrcA, 2^18 data", unpack_src, 100, 0},
    {"UNPACR to Dst, 2^18 data, each eight times", unpack_dst, 100, 0},
    {"UNPACR of compressed data, each eight times", unpack_compressed, 100, 0},
    {"PACR, 2^18 data", pack, 100, 0},
    {"XMOV, 1 MiB", mover, 100, 0},
    {"MOP, all loops empty", mop, 3, 0},
    {"stores to registers", registers, 3, 0},
};
enum { WORK_CASES = sizeof work_cases / sizeof work_cases[0] };

static inline void work_open(struct work *w, const struct work_case *c, enum tx_arch arch,
                             bool untimed, bool (*go_on)(void *user))
{
    struct tx_tensix_settings s;
    tx_tensix_settings_default(&s, arch);
    s.machine.watch = (struct tx_watch){go_on, w};
    s.untimed = untimed;
    *w = (struct work){.arch = arch};
    assert_int_equal(tx_tensix_open(&s, &w->tile), TX_OK);
    tx_tensix_noc(w->tile, other_place, w);
    c->prepare(w);
}

#endif
