/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pages that the NoC and the host reach too: debug registers, program counters, the slow path to
 * local memories, overlay streams. Source: spec/tile.md 2.3, 3.1, 9, 10.2.
 */
#include "tile/tile.h"
#include "base/check.h"

enum {
    DEBUG_BASE = REGION_BASE_DEBUG,
    PCS_BASE = REGION_BASE_PCS,
    SLOW_BASE = REGION_BASE_SLOW,
    OVERLAY_BASE = REGION_BASE_OVERLAY
};

/* ---- debug registers ---- */

/* Returns whether the debug register exists. Those from DISABLE_RESET on are Blackhole's only. */
static bool listed(const struct tx_tensix *t, uint32_t offset)
{
    if (!machine_has(t->m, DISABLE_RESET) && offset >= TILE_DISABLE_RESET) {
        return false;
    }
    switch (offset) {
#define TILE_REGISTER(ID, name, PAGE, offset_) TILE_REGISTER_##PAGE(offset_)
#define TILE_REGISTER_DEBUG(offset_) case offset_:
#define TILE_REGISTER_TDMA(offset_)
#define TILE_REGISTER_SYNC(offset_)
#include "isa/tile.def"
        return true;
    default:
        return false;
    }
}

static enum riscv_answer debug_load(struct tx_tensix *t, unsigned who, struct riscv_access *a)
{
    CHECK(a->size <= 4, "debug registers are read by words at most");
    const uint32_t offset = a->address - DEBUG_BASE;
    if (!listed(t, offset)) {
        tile_finding(t, who, TX_UNSUPPORTED, EVIDENCE_TILE_PART,
                     "register %08x is not modelled; what was stored last is loaded",
                     (unsigned)a->address);
    }
    const uint64_t clock = who < TX_CORES && !t->looking ? t->clock : t->s.cycle;
    a->value = t->s.debug[offset / 4];
    switch (offset) {
    case TILE_WALL_CLOCK_L:
        a->value = (uint32_t)clock;
        t->s.wall_latch = t->looking || (uint32_t)(clock >> 32) < t->s.wall_latch
                              ? t->s.wall_latch
                              : (uint32_t)(clock >> 32);
        break;
    case TILE_WALL_CLOCK_H:
        a->value = (uint32_t)(clock >> 32);
        break;
    case TILE_WALL_CLOCK_LATCH:
        a->value = t->s.wall_latch;
        break;
    case TILE_CFGREG_RDDATA:
        a->value = tile_config_word(t, t->s.debug[TILE_CFGREG_RD_CNTL / 4] & 0x7FFu);
        break;
    case TILE_DBG_BUS_DATA:
    case TILE_DBG_ARRAY_RD_DATA:
    case TILE_RISC_DBG_STATUS_0:
    case TILE_RISC_DBG_STATUS_1:
    case TILE_INSTRN_BUF_STATUS:
        a->value = tile_inspect_read(t, who, offset);
        break;
    default:
        break;
    }
    return RISCV_DONE;
}

static enum riscv_answer debug_store(struct tx_tensix *t, unsigned who,
                                     const struct riscv_access *a)
{
    enum { DST16_HIGH = 11 };
    const uint32_t offset = a->address - DEBUG_BASE;
    const uint32_t old = t->s.debug[offset / 4];
    if (offset == TILE_SOFT_RESET_0) {
        tile_reset_write(t, a->value);
        return RISCV_DONE;
    }
    if (!listed(t, offset)) {
        tile_finding(t, who, TX_UNSUPPORTED, EVIDENCE_TILE_PART,
                     "register %08x is not modelled; it keeps what is stored and does nothing",
                     (unsigned)a->address);
    }
    t->s.debug[offset / 4] = a->value;
    if (offset == TILE_DBG_FEATURE_DISABLE) {
        (void)tx_config_set(t->m, 0, "DBG_FEATURE_DISABLE", a->value & 1u << DST16_HIGH);
    }
    tile_inspect_write(t, who, offset, old, a->value);
    return RISCV_DONE;
}

const struct tile_page tile_debug = {debug_load, debug_store};

static enum riscv_answer pcs_load(struct tx_tensix *t, unsigned who, struct riscv_access *a)
{
    static const uint8_t order[TX_CORES] = {RISCV_B, RISCV_NC, RISCV_T0, RISCV_T1, RISCV_T2};
    (void)who;
    a->value = t->core[order[(a->address - PCS_BASE) / 4]].s.pc;
    return RISCV_DONE;
}

static enum riscv_answer pcs_store(struct tx_tensix *t, unsigned who, const struct riscv_access *a)
{
    (void)a;
    tile_finding(t, who, TX_UNDEFINED_BEHAVIOR, EVIDENCE_TILE_READONLY,
                 "a store to the snapshots of program counters; dropped");
    return RISCV_DONE;
}

const struct tile_page tile_pcs = {pcs_load, pcs_store};

/*
 * ---- the slow path to local memory: B 8 KiB, NC 8 KiB, T 4 KiB each, repeated to fill 8 KiB ----
 */

static uint8_t *slow_at(struct tx_tensix *t, const struct riscv_access *a, uint8_t **bad)
{
    static const uint8_t order[TX_CORES] = {RISCV_B, RISCV_NC, RISCV_T0, RISCV_T1, RISCV_T2};
    const uint32_t offset = a->address - SLOW_BASE;
    const unsigned core = order[offset / 0x2000];
    const uint32_t at = offset % riscv_ram_size(t->m->arch, (enum riscv_core)core);
    *bad = t->core[core].s.ram_bad + at;
    return t->core[core].s.ram + at;
}

static enum riscv_answer slow_load(struct tx_tensix *t, unsigned who, struct riscv_access *a)
{
    uint8_t *bad;
    const uint8_t *at = slow_at(t, a, &bad);
    (void)who;
    a->value = a->bad = 0;
    for (unsigned i = 0; i < a->size; i++) {
        a->value |= (uint32_t)at[i] << 8 * i;
        a->bad |= (uint32_t)bad[i] << 8 * i;
    }
    return RISCV_DONE;
}

static enum riscv_answer slow_store(struct tx_tensix *t, unsigned who, const struct riscv_access *a)
{
    uint8_t *bad;
    uint8_t *at = slow_at(t, a, &bad);
    (void)who;
    for (unsigned i = 0; i < a->size; i++) {
        at[i] = (uint8_t)(a->value >> 8 * i);
        bad[i] = 0;
    }
    return RISCV_DONE;
}

const struct tile_page tile_slow = {slow_load, slow_store};

/* ---- overlay streams ---- */

/* Returns the words of the stream that an address belongs to. */
static uint32_t *stream_of(struct tx_tensix *t, uint32_t address, unsigned *stream)
{
    *stream = (address - OVERLAY_BASE) / NOC_STREAM_BYTES;
    return &t->s.overlay[*stream * (NOC_STREAM_BYTES / 4)];
}

static enum riscv_answer overlay_load(struct tx_tensix *t, unsigned who, struct riscv_access *a)
{
    CHECK(a->size == 4, "overlay registers are read by words");
    unsigned stream;
    const uint32_t *words = stream_of(t, a->address, &stream);
    (void)who;
    a->value = noc_stream_load(t->m->arch, words, a->address - OVERLAY_BASE);
    return RISCV_DONE;
}

static enum riscv_answer overlay_store(struct tx_tensix *t, unsigned who,
                                       const struct riscv_access *a)
{
    CHECK(a->size == 4, "overlay registers are written by words");
    unsigned stream;
    uint32_t *words = stream_of(t, a->address, &stream);
    const uint32_t offset = a->address - OVERLAY_BASE;
    const bool starts = noc_stream_starts(t->m->arch, offset, a->value);
    if (!noc_stream_store(t->m->arch, words, stream, offset, a->value) || starts) {
        const struct finding_info *info =
            finding_info(starts ? NOC_FINDING_STREAM_START : NOC_FINDING_STREAM);
        tile_finding(t, who, (enum tx_category)info->category, EVIDENCE_TILE_NOC, "%s %08x (%s)",
                     info->text, (unsigned)a->address, info->name);
    }
    return RISCV_DONE;
}

const struct tile_page tile_overlay = {overlay_load, overlay_store};
