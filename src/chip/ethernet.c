/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An Ethernet tile as a node of the NoC: L1, streams, one or two cores, and registers of queues and
 * MAC as storage. No link is modelled. The base firmware is not run; the words by which hosts find
 * it are there (isa/ethernet.def). Source: spec/chip.md 6.
 */
#include "chip/chip.h"
#include "base/check.h"
#include "isa/chip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
#define ETH_FACT(ID, wh, bh) ETH_WH_##ID = (int)(wh), ETH_BH_##ID = (int)(bh),
#include "isa/ethernet.def"
};
#define FACT(e, ID) \
    ((uint32_t)(chip_column((e)->arch) == CHIP_COLUMN_BH ? ETH_BH_##ID : ETH_WH_##ID))

#define WH CHIPS_WH
#define BH CHIPS_BH
static const struct {
    uint8_t chips;
    uint32_t address, value;
} words[] = {
#define ETH_WORD(chip, address, value) {chip, address, value},
#include "isa/ethernet.def"
};

enum { RESET_BIT = 11, NIU_BYTES = 0x10000 };
enum { MMIO = 0xFF000000 };

static uint32_t word_get(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void word_put(uint8_t *at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) {
        at[i] = (uint8_t)(value >> 8 * i);
    }
}

static void finding(struct chip_eth *e, enum tx_category category, enum evidence_id evidence,
                    const char *text, uint32_t value)
{
    struct tx_finding f = {.category = category, .rule = evidence_get(evidence)->id};
    (void)snprintf(f.message, sizeof f.message, "Ethernet at (%u, %u): %.*s (%08x)", e->place & 63u,
                   e->place >> 6, TX_MESSAGE - 64, text, (unsigned)value);
    if (!e->chip->inside) {
        chip_finding(e->chip, f.rule, f.category, f.message);
    } else if (e->late_count < ETH_LATE) {
        e->late[e->late_count++] = f;
    }
}

void eth_report(struct chip_eth *e)
{
    for (unsigned i = 0; i < e->late_count; i++) {
        chip_finding(e->chip, e->late[i].rule, e->late[i].category, e->late[i].message);
    }
    e->late_count = 0;
}

/* ---- cores ---- */

static void release(struct chip_eth *e, unsigned core, uint32_t pc)
{
    CHECK(core < ETH_CORES, "a core of an Ethernet tile that starts exists");
    riscv_release(&e->core[core], pc, true);
    e->core[core].s.now = e->s.cycle;
}

/* SOFT_RESET_0. A core starts where a register says. */
static void reset_write(struct chip_eth *e, uint32_t value)
{
    const uint32_t old = e->s.debug[TILE_SOFT_RESET_0 / 4];
    const bool controlled = CHIP_HAS(e->arch, ETH_STARTS_CONTROLLED);
    const uint32_t *starts = controlled ? e->s.control : e->s.words;
    e->s.debug[TILE_SOFT_RESET_0 / 4] = value & FACT(e, HELD);
    for (unsigned c = 0; c < e->cores; c++) {
        const unsigned bit = RESET_BIT + c;
        const uint32_t pc = starts[(FACT(e, STARTS) + c * FACT(e, STARTS_STEP)) / 4];
        if (bits_has(value, bit)) {
            riscv_hold(&e->core[c]);
        } else if (bits_has(old, bit) && (pc != 0 || !controlled)) {
            /* Without an address there the first core would run the base firmware. */
            release(e, c, pc);
        }
    }
}

static void run_at(struct chip_eth *e, uint32_t pc)
{
    enum { STACK_POINTER = 2 };
    release(e, 0, pc);
    e->core[0].s.x[STACK_POINTER] = FACT(e, STACK);
}

/* ---- words of L1 that the base firmware would answer ---- */

static bool is_at(uint64_t address, uint32_t size, uint32_t place)
{
    return address <= place && place - address < size;
}

static void answer_go(struct chip_eth *e)
{
    uint8_t *go = e->l1 + FACT(e, GO);
    if (go[3] == FACT(e, GO_INIT)) {
        go[3] = 0;
    }
}

static void answer_mailbox(struct chip_eth *e, uint32_t at)
{
    uint8_t *box = e->l1 + at;
    const uint32_t call = word_get(box);
    if ((call & 0xFFFF0000u) != FACT(e, CALL)) {
        return;
    }
    if ((call & 0xFFFFu) == FACT(e, RELEASE)) {
        run_at(e, word_get(box + 4));
    }
    memset(box, 0, 16);
    word_put(box, FACT(e, ANSWER) | (call & 0xFFFFu));
}

/* A write from outside has changed these bytes; before: the word at LAUNCH or RUN as it was. */
static void answer(struct chip_eth *e, uint64_t address, uint32_t size, uint32_t before)
{
    if (is_at(address, size, FACT(e, LAUNCH))) {
        const uint32_t now = word_get(e->l1 + FACT(e, LAUNCH));
        if (now == 1 && before != 1) {
            run_at(e, FACT(e, APP));
        } else if (now == 0 && before == 1) {
            riscv_hold(&e->core[0]);
        }
    }
    if (is_at(address, size, FACT(e, GO) + (FACT(e, GO) < e->l1_size ? 3u : 0u))) {
        answer_go(e);
    }
    for (uint32_t i = 0; i < 4 && FACT(e, MAILBOX) < e->l1_size; i++) {
        if (is_at(address, size, FACT(e, MAILBOX) + 16 * i)) {
            answer_mailbox(e, FACT(e, MAILBOX) + 16 * i);
        }
    }
    if (is_at(address, size, FACT(e, RUN)) && before != 0 && word_get(e->l1 + FACT(e, RUN)) == 0) {
        riscv_hold(&e->core[0]);
        e->s.control[FACT(e, STARTS) / 4] = 0;
    }
}

static uint32_t watched(const struct chip_eth *e)
{
    const uint32_t at = CHIP_HAS(e->arch, ETH_RUNS) ? FACT(e, RUN) : FACT(e, LAUNCH);
    return word_get(e->l1 + at);
}

/* ---- registers ---- */

static void mark(struct chip_eth *e, uint32_t address, uint32_t size)
{
    CHECK(address + size <= e->l1_size,
          "bytes that were written lie in the Ethernet tile's memory");
    uint8_t *written = e->l1 + e->l1_size;
    for (uint32_t i = address; i < address + size; i++) {
        written[i / 8] |= (uint8_t)(1u << i % 8);
    }
}

/* Returns the storage of a register outside the interfaces and streams, or NULL. */
static uint32_t *storage(struct chip_eth *e, const struct riscv_access *a)
{
    switch (a->region) {
    case REGION_DEBUG:
        return &e->s.debug[(a->address - REGION_BASE_DEBUG) / 4];
    case REGION_ETH_CONTROL:
        return &e->s.control[(a->address - REGION_BASE_ETH_CONTROL) / 4];
    case REGION_ETH:
        return &e->s.words[(a->address - REGION_BASE_ETH) / 4];
    default:
        return NULL;
    }
}

static enum riscv_answer ethernet_load(struct chip_eth *e, unsigned who, struct riscv_access *a)
{
    const uint32_t *word = storage(e, a);
    const uint32_t stream = a->address - REGION_BASE_OVERLAY;
    const uint32_t niu = a->address - REGION_BASE_NIU;
    if (a->region == REGION_NIU) {
        a->value = noc_load(&chip_at(e->chip, e->place)->world, &e->s.niu[niu / NIU_BYTES], who,
                            niu % NIU_BYTES, false);
    } else if (a->region == REGION_OVERLAY) {
        const uint32_t n = stream / NOC_STREAM_BYTES;
        if (n >= ETH_STREAMS) {
            return RISCV_HANG;
        }
        a->value = noc_stream_load(e->arch, &e->s.overlay[n * (NOC_STREAM_BYTES / 4)], stream);
    } else if (a->address == REGION_BASE_DEBUG + TILE_WALL_CLOCK_L) {
        a->value = (uint32_t)e->s.cycle;
        e->s.wall_latch = (uint32_t)(e->s.cycle >> 32);
    } else if (a->address == REGION_BASE_DEBUG + TILE_WALL_CLOCK_H) {
        a->value = (uint32_t)(e->s.cycle >> 32);
    } else if (a->address == REGION_BASE_DEBUG + TILE_WALL_CLOCK_LATCH) {
        a->value = e->s.wall_latch;
    } else {
        a->value = word != NULL ? *word : 0;
    }
    return RISCV_DONE;
}

static void load_iram(struct chip_eth *e, uint32_t value)
{
    const uint64_t from = (uint64_t)value * 16;
    if (from + ETH_IRAM <= e->l1_size) {
        memcpy(e->s.iram, e->l1 + from, ETH_IRAM);
        riscv_drop_cache(&e->core[0]);
    } else {
        finding(e, TX_UNDEFINED_BEHAVIOR, EVIDENCE_TILE_PART,
                "instruction RAM is loaded from beyond L1; nothing was done", value);
    }
}

static enum riscv_answer store(struct chip_eth *e, unsigned who, const struct riscv_access *a)
{
    uint32_t *word = storage(e, a);
    const uint32_t stream = a->address - REGION_BASE_OVERLAY;
    const uint32_t niu = a->address - REGION_BASE_NIU;
    if (a->region == REGION_NIU) {
        noc_store(&chip_at(e->chip, e->place)->world, &e->s.niu[niu / NIU_BYTES], who,
                  niu % NIU_BYTES, a->value);
    } else if (a->region == REGION_OVERLAY) {
        const uint32_t n = stream / NOC_STREAM_BYTES;
        if (n >= ETH_STREAMS) {
            return RISCV_HANG;
        }
        if (!noc_stream_store(e->arch, &e->s.overlay[n * (NOC_STREAM_BYTES / 4)], n, stream,
                              a->value)) {
            finding(e, TX_NON_CONTRACTUAL_BEHAVIOR, EVIDENCE_TILE_NOC,
                    finding_info(NOC_FINDING_STREAM)->text, a->address);
        }
    } else if (a->address == REGION_BASE_DEBUG + TILE_SOFT_RESET_0) {
        reset_write(e, a->value);
    } else if (word != NULL) {
        if (a->region == REGION_ETH && (a->address & 0xFFFu) == 4) {
            finding(e, TX_UNSUPPORTED, EVIDENCE_TILE_PART,
                    "no peer is connected: a command of a queue waits for ever", a->address);
        }
        *word = a->value;
        if (a->region == REGION_ETH && a->address - REGION_BASE_ETH == FACT(e, LOAD)) {
            load_iram(e, a->value);
        }
    }
    return RISCV_DONE;
}

/* Returns whether a load gives the same value until something reaches the tile. */
static bool steady(const struct chip_eth *e, const struct riscv_access *a)
{
    switch ((enum riscv_region_id)a->region) {
    case REGION_NIU:
        return !noc_changes(e->arch, (a->address - REGION_BASE_NIU) % NIU_BYTES);
    case REGION_DEBUG:
        return a->address - REGION_BASE_DEBUG == TILE_SOFT_RESET_0;
    default:
        return true;
    }
}

static enum riscv_answer core_load(struct riscv *core, struct riscv_access *a)
{
    struct chip_eth *e = core->env.user;
    core->changes += steady(e, a) ? 0 : 1;
    return ethernet_load(e, (unsigned)(core - e->core), a);
}

static enum riscv_answer core_store(struct riscv *core, const struct riscv_access *a)
{
    struct chip_eth *e = core->env.user;
    return store(e, (unsigned)(core - e->core), a);
}

static void core_finding(struct riscv *core, enum finding_kind which, uint32_t pc, uint32_t word,
                         uint32_t address)
{
    struct chip_eth *e = core->env.user;
    const struct finding_info *info = finding_info(which);
    char text[TX_MESSAGE - 64];
    (void)word;
    (void)snprintf(text, sizeof text, "core E%u at %08x: %s", (unsigned)(core - e->core),
                   (unsigned)pc, info->text);
    finding(e, (enum tx_category)info->category, (enum evidence_id)info->evidence, text, address);
}

/* ---- life ---- */

enum {
    EACH = 64,      /* so many cycles pass from one look for waiting cores to the next */
    PATIENCE = 512, /* the longest period that is looked for */
    BUSY = 4096     /* how long cores that do not wait are left alone at most */
};

void eth_reset(struct chip_eth *e)
{
    memset(&e->s, 0, sizeof e->s);
    memset(e->l1, 0, e->l1_size + e->l1_size / 8u);
    memset(e->core, 0, sizeof e->core);
    eth_begin(e);
}

void eth_begin(struct chip_eth *e)
{
    CHECK(check_zero(e->l1, e->l1_size + e->l1_size / 8u), "L1 of a new Ethernet tile is zero");
    e->s.debug[TILE_SOFT_RESET_0 / 4] = FACT(e, HELD);
    e->looks = false;
    e->next = 0;
    e->pause = EACH;
    for (unsigned c = 0; c < e->cores; c++) {
        struct riscv *core = &e->core[c];
        riscv_begin(core, e->arch, RISCV_E);
        e->beat[c].period = 0;
        core->timed = !e->chip->tile.untimed;
        core->env = (struct riscv_env){.l1 = e->l1,
                                       .l1_size = e->l1_size,
                                       .written = e->l1 + e->l1_size,
                                       .iram = CHIP_HAS(e->arch, NC_IRAM) ? e->s.iram : NULL,
                                       .load = core_load,
                                       .store = core_store,
                                       .finding = core_finding,
                                       .user = e};
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (bits_has(words[i].chips, e->arch)) {
            word_put(e->l1 + words[i].address, words[i].value);
            mark(e, words[i].address, 4);
        }
    }
}

struct chip_eth *eth_open(tx_chip *chip, uint32_t place)
{
    struct chip_eth *e = calloc(1, sizeof *e);
    if (e == NULL) {
        return NULL;
    }
    e->chip = chip;
    e->place = place;
    e->arch = chip->arch;
    e->l1_size = FACT(e, L1_BYTES);
    e->cores = FACT(e, CORES);
    e->l1 = calloc(1, e->l1_size + e->l1_size / 8u);
    if (e->l1 == NULL) {
        free(e);
        return NULL;
    }
    return e;
}

void eth_close(struct chip_eth *e)
{
    if (e != NULL) {
        free(e->l1);
    }
    free(e);
}

/* ---- requests ---- */

enum noc_space eth_space(const struct chip_eth *e, uint64_t address)
{
    return address < e->l1_size                       ? NOC_SPACE_L1
           : address >= MMIO && address <= UINT32_MAX ? NOC_SPACE_REGISTERS
                                                      : NOC_SPACE_NONE;
}

static bool eth_register(struct chip_eth *e, const struct noc_bytes *b)
{
    const struct riscv_region *region = riscv_region(e->arch, RISCV_E, (uint32_t)b->address);
    struct riscv_access a = {.address = (uint32_t)b->address, .size = 4};
    if (region == NULL || b->size != 4) {
        return false;
    }
    a.region = (uint8_t)riscv_region_id(region);
    if (b->from != NULL) {
        a.value = word_get(b->from);
        return store(e, CHIP_OUTSIDE, &a) == RISCV_DONE;
    }
    const bool there = ethernet_load(e, CHIP_OUTSIDE, &a) == RISCV_DONE;
    word_put(b->to, a.value);
    return there;
}

bool eth_bytes(struct chip_eth *e, const struct noc_bytes *b)
{
    if (b->address >= e->l1_size) {
        return eth_register(e, b);
    }
    if (b->size > e->l1_size - b->address) {
        return false;
    }
    if (b->to != NULL) {
        memcpy(b->to, e->l1 + b->address, b->size);
        if (is_at(b->address, b->size, FACT(e, HEARTBEAT)) && e->core[0].s.phase != RISCV_RUNS) {
            word_put(e->l1 + FACT(e, HEARTBEAT), word_get(e->l1 + FACT(e, HEARTBEAT)) + 1);
        }
        return true;
    }
    const uint32_t before = watched(e);
    memcpy(e->l1 + b->address, b->from, b->size);
    mark(e, (uint32_t)b->address, b->size);
    answer(e, b->address, b->size, before);
    return true;
}

/* ---- running ---- */

void eth_cycle(struct chip_eth *e, uint64_t cycles)
{
    CHECK(e->late_count <= ETH_LATE, "findings of a window fit their list");
    for (uint64_t i = 0; i < cycles; i++) {
        for (unsigned c = 0; c < e->cores; c++) {
            e->core[c].s.now = e->s.cycle;
            if (e->core[c].s.stores != 0) {
                riscv_deliver(&e->core[c]);
            }
        }
        for (unsigned c = 0; c < e->cores; c++) {
            if (e->core[c].s.phase == RISCV_RUNS) {
                riscv_issue(&e->core[c]);
            }
            e->core[c].s.now = e->s.cycle + 1;
        }
        e->s.cycle++;
    }
}

/* ---- waiting ---- */

void eth_disturb(struct chip_eth *e)
{
    e->looks = false;
}

static void look(struct chip_eth *e)
{
    for (unsigned c = 0; c < e->cores; c++) {
        riscv_beat_start(&e->beat[c], &e->core[c]);
    }
    e->looks = true;
    e->since = e->s.cycle;
}

bool eth_dozes(struct chip_eth *e)
{
    bool all = true;
    if (!e->looks) {
        if (e->s.cycle < e->next) {
            return false;
        }
        look(e);
    }
    for (unsigned c = 0; c < e->cores && e->looks; c++) {
        const bool found = riscv_beat_found(&e->beat[c], &e->core[c]);
        e->looks = riscv_beat_holds(&e->beat[c], &e->core[c]);
        all = all && found;
    }
    if (!e->looks || e->s.cycle - e->since > PATIENCE) {
        e->looks = false;
        e->next = e->s.cycle + e->pause;
        e->pause = e->pause < BUSY ? 2 * e->pause : e->pause;
        return false;
    }
    return all && riscv_beats_apart(e->beat, e->core, e->cores);
}

/* Forgets what its cores did, to look again soon. */
static void look_again(struct chip_eth *e)
{
    e->looks = false;
    e->next = e->s.cycle + 1;
    e->pause = EACH;
    for (unsigned c = 0; c < e->cores; c++) {
        e->beat[c].period = 0;
    }
}

void eth_catch_up(struct chip_eth *e, uint64_t cycle)
{
    CHECK(cycle >= e->s.cycle, "an Ethernet tile wakes after it has fallen asleep");
    const uint64_t cycles = cycle - e->s.cycle;
    for (unsigned c = 0; c < e->cores && cycles != 0; c++) {
        riscv_beat_skip(&e->beat[c], &e->core[c], cycles);
    }
    e->s.cycle = cycle;
    look_again(e);
}
