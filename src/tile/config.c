/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How RISC-V cores reach what belongs to the coprocessor: configuration, GPRs, MOP configuration,
 * and the pushing of instructions. A store takes effect when it leaves the core, without waiting
 * for instructions pushed before it. Source: spec/tile.md 3.2, 5 from isa BackendConfiguration
 * 16705cf, 492ccd0, PushTensixInstruction 6e087b0.
 */
#include "state/cfg.h"
#include "base/check.h"
#include "tile/tile.h"

enum {
    CONFIG_BASE = REGION_BASE_CONFIG,
    GPRS_BASE = REGION_BASE_GPRS_T,
    MOP_BASE = REGION_BASE_MOP
};

/* ---- configuration ---- */

uint32_t tile_config_word(const struct tx_tensix *t, uint32_t word)
{
    const struct tile_config_place at = tile_config_place(t->m->arch, 4 * word);
    switch (at.kind) {
    case CONFIG_BANK0:
    case CONFIG_DUAL:
        return t->m->state.config[0][at.word];
    case CONFIG_BANK1:
        return t->m->state.config[1][at.word];
    case CONFIG_THREAD:
        return t->m->state.thread_config[at.thread][at.word];
    case CONFIG_PAD:
    case CONFIG_HOLE:
        break;
    }
    return 0;
}

/*
 * Tells the listener of an access to configuration. A store to both banks counts for each, unless
 * the word exists only once.
 */
static void tell_config(struct tx_tensix *t, unsigned who, enum tx_order_kind kind,
                        struct tile_config_place at)
{
    const bool global = at.word >= t->m->places->global;
    if (at.kind == CONFIG_THREAD) {
        tile_tell(t, who, kind, TX_SHARED_THREAD_CONFIG, at.word + 128 * at.thread, 0xFFFFu);
    } else {
        tile_tell(t, who, kind, TX_SHARED_CONFIG,
                  at.word + (at.kind == CONFIG_BANK1 && !global ? 256 : 0), 0xFFFFFFFFu);
    }
    if (at.kind == CONFIG_DUAL && !global) {
        tile_tell(t, who, kind, TX_SHARED_CONFIG, at.word + 256, 0xFFFFFFFFu);
    }
}

static enum riscv_answer config_load(struct tx_tensix *t, unsigned who, struct riscv_access *a)
{
    const uint32_t offset = a->address - CONFIG_BASE;
    const struct tile_config_place at = tile_config_place(t->m->arch, offset);
    if (at.kind == CONFIG_HOLE || at.kind == CONFIG_PAD) {
        a->value = 0;
        return at.kind == CONFIG_PAD ? RISCV_DONE : RISCV_HANG;
    }
    a->value = tile_config_word(t, offset / 4);
    if (t->m->state.undefined.words != 0 && at.kind != CONFIG_THREAD) {
        a->bad = t->m->state.undefined.config[at.kind == CONFIG_BANK1][at.word];
    }
    tell_config(t, who, TX_ORDER_READ, at);
    return RISCV_DONE;
}

/* Switches the branch prediction of the cores on or off: a bit each for B, T0 to T2, NC. */
static void set_prediction(struct tx_tensix *t, uint32_t value)
{
    for (unsigned core = 0; core < TX_CORES; core++) {
        t->core[core].predict = (value >> (t->no_prediction.lsb + core) & 1u) == 0;
    }
}

/* Sets how far ahead the cores' prefetchers go. */
static void set_prefetch(struct tx_tensix *t)
{
    const struct tx_state *s = &t->m->state;
    const struct cfg_place *at = t->prefetch;
    for (unsigned core = 0; core < TX_CORES; core++) {
        const bool on = cfg_in_bank(s, 0, at[PREFETCH_ON + core]) != 0;
        t->core[core].prefetches = (uint8_t)(on ? cfg_in_bank(s, 0, at[PREFETCH_MOST]) : 0);
        t->core[core].prefetch_end = cfg_in_bank(s, 0, at[PREFETCH_END + core]);
    }
}

/* Acts on a store to a configuration word that concerns the cores. */
static void config_written(struct tx_tensix *t, unsigned word, uint32_t value)
{
    CHECK(word < 256, "a word of configuration that was written is in a bank");
    for (unsigned core = 0; word == t->drop_cache.word && core < TX_CORES; core++) {
        if ((value >> core & 1u) != 0) {
            riscv_drop_cache(&t->core[core]);
        }
    }
    if (word == t->no_prediction.word) {
        set_prediction(t, value);
    }
    for (unsigned i = 0; i < PREFETCH_FIELDS; i++) {
        if (word == t->prefetch[i].word) {
            set_prefetch(t);
            break;
        }
    }
}

void tile_config_restored(struct tx_tensix *t)
{
    set_prediction(t, t->m->state.config[0][t->no_prediction.word]);
    set_prefetch(t);
}

static struct cfg_place place_named(const struct tx_tensix *t, const char *name)
{
    const struct tx_config_field *f = tx_config_field_find(t->m->arch, name);
    struct cfg_place none = {.word = UINT16_MAX};
    return f == NULL ? none : (struct cfg_place){.word = f->word, .lsb = f->lsb, .width = f->width};
}

static void prefetch_places(struct tx_tensix *t)
{
    static const char *const names[PREFETCH_FIELDS] = {
        [PREFETCH_ON + RISCV_B] = "RISC_PREFETCH_CTRL_Enable_Brisc",
        [PREFETCH_ON + RISCV_T0] = "RISC_PREFETCH_CTRL_Enable_Trisc",
        [PREFETCH_ON + RISCV_T1] = "RISC_PREFETCH_CTRL_Enable_Trisc",
        [PREFETCH_ON + RISCV_T2] = "RISC_PREFETCH_CTRL_Enable_Trisc",
        [PREFETCH_ON + RISCV_NC] = "RISC_PREFETCH_CTRL_Enable_NocRisc",
        [PREFETCH_END + RISCV_B] = "BRISC_END_PC_PC",
        [PREFETCH_END + RISCV_T0] = "TRISC_END_PC_SEC0_PC",
        [PREFETCH_END + RISCV_T1] = "TRISC_END_PC_SEC1_PC",
        [PREFETCH_END + RISCV_T2] = "TRISC_END_PC_SEC2_PC",
        [PREFETCH_END + RISCV_NC] = "NOC_RISC_END_PC_PC",
        [PREFETCH_MOST] = "RISC_PREFETCH_CTRL_Max_Req_Count"};
    for (unsigned i = 0; i < PREFETCH_FIELDS; i++) {
        t->prefetch[i] = place_named(t, names[i]);
    }
    for (unsigned core = RISCV_T0; core <= RISCV_T2; core++) {
        struct cfg_place *on = &t->prefetch[PREFETCH_ON + core]; /* a bit for each of the three */
        on->lsb = (uint8_t)(on->lsb + core - RISCV_T0);
        on->width = 1;
    }
}

void tile_config_places(struct tx_tensix *t)
{
    t->drop_cache = place_named(t, "RISCV_IC_INVALIDATE_InvalidateAll");
    t->no_prediction = place_named(t, "DISABLE_RISC_BP_Disable_main");
    prefetch_places(t);
    for (unsigned i = 0; i < TX_THREADS; i++) {
        static const char *const names[TX_THREADS][3] = {
            {"RISC_DEST_ACCESS_CTRL_SEC0_fmt", "RISC_DEST_ACCESS_CTRL_SEC0_no_swizzle",
             "RISC_DEST_ACCESS_CTRL_SEC0_unsigned_int"},
            {"RISC_DEST_ACCESS_CTRL_SEC1_fmt", "RISC_DEST_ACCESS_CTRL_SEC1_no_swizzle",
             "RISC_DEST_ACCESS_CTRL_SEC1_unsigned_int"},
            {"RISC_DEST_ACCESS_CTRL_SEC2_fmt", "RISC_DEST_ACCESS_CTRL_SEC2_no_swizzle",
             "RISC_DEST_ACCESS_CTRL_SEC2_unsigned_int"}};
        t->dst_control[i] = (struct tile_dst_control){.format = place_named(t, names[i][0]),
                                                      .raw = place_named(t, names[i][1]),
                                                      .is_unsigned = place_named(t, names[i][2])};
    }
}

static enum riscv_answer config_store(struct tx_tensix *t, unsigned who,
                                      const struct riscv_access *a)
{
    const struct tile_config_place at = tile_config_place(t->m->arch, a->address - CONFIG_BASE);
    if (at.kind == CONFIG_HOLE || at.kind == CONFIG_PAD) {
        return RISCV_HANG;
    }
    if (at.kind == CONFIG_THREAD) {
        tile_finding(t, who, TX_UNDEFINED_BEHAVIOR, EVIDENCE_TILE_READONLY,
                     "a store to the thread configuration; dropped");
        return RISCV_DONE;
    }
    if (at.kind == CONFIG_DUAL) {
        cfg_write(t->m, 1, at.word, a->value, CFG_BY_WORD);
    }
    cfg_write(t->m, at.kind == CONFIG_BANK1 ? 1 : 0, at.word, a->value, CFG_BY_WORD);
    config_written(t, at.word, a->value);
    tell_config(t, who, TX_ORDER_WRITE, at);
    t->m->quiet = 0;
    return RISCV_DONE;
}

const struct tile_page tile_config = {config_load, config_store};

/* ---- GPRs: a T core reaches its thread's, B reaches all ---- */

static unsigned gpr(struct tx_tensix *t, unsigned who, uint32_t address, enum tx_order_kind kind)
{
    const uint32_t n = (address - GPRS_BASE) / 4;
    const unsigned thread = who == RISCV_B ? n / TX_GPRS : tile_thread(who);
    tile_tell(t, who, kind, TX_SHARED_GPR, n % TX_GPRS + 64 * thread, 0xFFFFFFFFu);
    return TX_GPRS * thread + n % TX_GPRS;
}

static enum riscv_answer gprs_load(struct tx_tensix *t, unsigned who, struct riscv_access *a)
{
    CHECK(a->size == 4, "GPRs are read by words");
    const unsigned at = gpr(t, who, a->address, TX_ORDER_READ);
    a->value = t->m->state.gpr[at / TX_GPRS][at % TX_GPRS];
    a->bad = t->m->state.undefined.gpr[at / TX_GPRS][at % TX_GPRS];
    return RISCV_DONE;
}

static enum riscv_answer gprs_store(struct tx_tensix *t, unsigned who, const struct riscv_access *a)
{
    const unsigned at = gpr(t, who, a->address, TX_ORDER_WRITE);
    t->m->state.gpr[at / TX_GPRS][at % TX_GPRS] = a->value;
    undefined_gpr_given(&t->m->state.undefined, at / TX_GPRS, at % TX_GPRS, 1);
    t->m->quiet = 0;
    return RISCV_DONE;
}

const struct tile_page tile_gprs = {gprs_load, gprs_store};

/* ---- MOP configuration, pushes ---- */

static enum riscv_answer none_load(struct tx_tensix *t, unsigned who, struct riscv_access *a)
{
    (void)t, (void)who, (void)a;
    return RISCV_HANG;
}

static enum riscv_answer mop_store(struct tx_tensix *t, unsigned who, const struct riscv_access *a)
{
    CHECK(a->size == 4, "MOP configuration is written by words");
    const uint32_t word = (a->address - MOP_BASE) / 4;
    (void)tx_mop_config(t->m, tile_thread(who), word, a->value);
    tile_pushed(t, who, tile_thread(who), a->value);
    tile_tell(t, who, TX_ORDER_WRITE, TX_SHARED_MOP, word + 9 * tile_thread(who), a->value);
    return RISCV_DONE;
}

const struct tile_page tile_mop = {none_load, mop_store};

enum { PUSH_BASE = REGION_BASE_PUSH_T };

static enum riscv_answer push_store(struct tx_tensix *t, unsigned who, const struct riscv_access *a)
{
    CHECK(a->size == 4, "instructions are pushed by words");
    if (who == RISCV_B) {
        const unsigned thread = (a->address - PUSH_BASE) >> 16;
        if (!tx_push_behind(t->m, thread, a->value)) {
            return RISCV_WAIT;
        }
        tile_pushed(t, who, thread, a->value);
        tile_tell(t, who, TX_ORDER_PUSH, TX_SHARED_COUNT, thread, a->value);
        return RISCV_DONE;
    }
    if (tx_push(t->m, tile_thread(who), &a->value, 1) != 1) {
        return RISCV_WAIT;
    }
    tile_pushed(t, who, tile_thread(who), a->value);
    tile_tell(t, who, TX_ORDER_PUSH, TX_SHARED_COUNT, tile_thread(who), a->value);
    return RISCV_DONE;
}

const struct tile_page tile_push = {none_load, push_store};
