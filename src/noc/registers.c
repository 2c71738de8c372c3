/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The registers of a network interface. Source: spec/chip.md 2.1 to 2.6 from isa NoC/MemoryMap,
 * NoC/Counters, Interrupts.
 */
#include "isa/chip.h"
#include "base/check.h"
#include "noc/noc.h"

#include <stdio.h>
#include <string.h>

enum access { FIXED, ZERO, STORE, ORDER };
enum noc_register {
#define NOC_REGISTER(ID, name, wh, bh, access) REGISTER_##ID,
#include "isa/noc.def"
    NOC_REGISTERS
};
static const struct {
    uint16_t offset[2];
    uint8_t access;
} registers[NOC_REGISTERS] = {
#define NOC_REGISTER(ID, name, wh, bh, access) {{wh, bh}, access},
#include "isa/noc.def"
};
static const uint16_t fields[NOC_FIELDS][2] = {
#define NOC_FIELD(ID, name, wh, bh) {wh, bh},
#include "isa/noc.def"
};

void noc_reset(struct noc_niu *niu)
{
    const struct noc_niu old = *niu;
    memset(niu, 0, sizeof *niu);
    noc_identify(niu, &old);
}

void noc_identify(struct noc_niu *niu, const struct noc_niu *as)
{
    niu->place = as->place;
    niu->noc = as->noc;
    niu->kind = as->kind;
    niu->endpoint = as->endpoint;
    niu->rtz_next %= NOC_TRANSACTIONS;
    niu->held_count = niu->held_count <= NOC_HELD ? niu->held_count : 0;
    for (unsigned i = 0; i < niu->held_count; i++) {
        struct noc_request *r = &niu->held[i];
        r->from = niu->place;
        r->noc = niu->noc;
        r->initiator %= NOC_INITIATORS;
        r->packets = r->packets != 0 && r->packets <= NOC_MOST_PACKETS ? r->packets : 1;
        r->host = 0;
    }
}

void noc_count(struct noc_niu *niu, unsigned counter, uint32_t by)
{
    CHECK(counter < NOC_COUNTERS, "a counter is one of the interface's");
    uint32_t *c = &niu->counter[counter];
    const bool narrow = counter >= COUNT_MST_OUTSTANDING && counter < COUNT_SLV_ATOMIC_ANSWERED;
    const bool falls = narrow && counter < COUNT_MST_OUTGOING && (int32_t)by < 0;
    const bool positive = *c != 0;
    *c = narrow ? (*c + by) & 0xFFu : *c + by;
    if (falls && positive && *c == 0) {
        niu->rtz_source |= 1u << (counter - COUNT_MST_OUTSTANDING);
    }
}

int noc_counter_at(enum tx_arch arch, uint32_t offset)
{
    const uint32_t first = NOC_FACT_OF(arch, COUNTERS);
    return offset >= first && offset < NOC_FACT_OF(arch, COUNTERS_END) ? (int)((offset - first) / 4)
                                                                       : -1;
}

/* ---- what is at an offset ---- */

enum what {
    WHAT_FIELD,
    WHAT_REGISTER,
    WHAT_CONFIG,
    WHAT_COUNTER,
    WHAT_FENCE,
    WHAT_DEBUG,
    WHAT_NONE
};
struct where {
    enum what what;
    unsigned index, initiator;
};

static bool in_initiator(enum tx_arch arch, uint32_t offset, struct where *at)
{
    const enum chip_column c = chip_column(arch);
    const uint32_t step = NOC_FACT_OF(arch, STEP);
    at->initiator = offset / step;
    for (unsigned i = 0; i < NOC_FIELDS && at->initiator < NOC_INITIATORS; i++) {
        if (offset % step == fields[i][c]) {
            *at = (struct where){WHAT_FIELD, i, at->initiator};
            return true;
        }
    }
    /* Each initiator shows NODE_ID, ENDPOINT_ID and what may be put into its queue. */
    for (unsigned i = 0; i < NOC_REGISTERS; i++) {
        const bool each = i == REGISTER_NODE_ID || i == REGISTER_ENDPOINT_ID ||
                          i == REGISTER_AVAILABLE || i == REGISTER_OVERFLOW;
        if ((each && at->initiator < NOC_INITIATORS ? offset % step : offset) ==
            registers[i].offset[c]) {
            *at = (struct where){WHAT_REGISTER, i, 0};
            return true;
        }
    }
    return false;
}

static struct where where_is(enum tx_arch arch, uint32_t offset)
{
    const uint32_t config = (offset - NOC_FACT_OF(arch, CONFIG)) / 4;
    const int counter = noc_counter_at(arch, offset);
    struct where at = {WHAT_NONE, 0, 0};
    if (counter >= 0) { /* what cores poll, so that it comes first; nothing else is there */
        return (struct where){WHAT_COUNTER, (unsigned)counter, 0};
    }
    if (in_initiator(arch, offset, &at)) {
        return at;
    }
    if (offset >= NOC_FACT_OF(arch, CONFIG) && config < NOC_CONFIG_WORDS) {
        return (struct where){WHAT_CONFIG, config, 0};
    }
    if (offset >= NOC_FACT_OF(arch, FENCE) && offset < NOC_FACT_OF(arch, FENCE_END)) {
        return (struct where){WHAT_FENCE, (offset - NOC_FACT_OF(arch, FENCE)) / 4, 0};
    }
    if ((offset >= NOC_FACT_OF(arch, DEBUG) && offset < NOC_FACT_OF(arch, DEBUG_END)) ||
        (offset >= NOC_FACT_OF(arch, ROUTER) && offset < NOC_FACT_OF(arch, ROUTER_END))) {
        return (struct where){WHAT_DEBUG, offset, 0};
    }
    return (struct where){WHAT_NONE, offset, 0};
}

/* ---- names ---- */

static const char *const field_names[NOC_FIELDS] = {
#define NOC_FIELD(ID, name, wh, bh) name,
#include "isa/noc.def"
};
static const char *const register_names[NOC_REGISTERS] = {
#define NOC_REGISTER(ID, name, wh, bh, access) name,
#include "isa/noc.def"
};
static const struct {
    uint8_t first;
    const char *name;
} counter_names[] = {
#define NOC_COUNTER(ID, index, name) {index, name},
#include "isa/noc.def"
};

/* Of a pair of counters the second has the same name without NON; others are numbered. */
static void counter_text(unsigned counter, char *text, size_t size)
{
    unsigned i = sizeof counter_names / sizeof counter_names[0] - 1;
    while (counter_names[i].first > counter) {
        i--;
    }
    const char *name = counter_names[i].name;
    const char *non = strstr(name, "NONPOSTED");
    const unsigned past = counter - counter_names[i].first;
    if (past != 0 && non != NULL) {
        (void)snprintf(text, size, "%.*s%s", (int)(non - name), name, non + 3);
    } else if (counter >= COUNT_MST_OUTSTANDING && counter < COUNT_SLV_ATOMIC_ANSWERED) {
        (void)snprintf(text, size, "%s(%u)", name, past);
    } else {
        (void)snprintf(text, size, "%s", name);
    }
}

void noc_register_text(enum tx_arch arch, uint32_t offset, char *text, size_t size)
{
    const struct where at = where_is(arch, offset);
    switch (at.what) {
    case WHAT_FIELD:
        (void)snprintf(text, size, "%s of initiator %u", field_names[at.index], at.initiator);
        return;
    case WHAT_REGISTER:
        (void)snprintf(text, size, "%s", register_names[at.index]);
        return;
    case WHAT_COUNTER:
        counter_text(at.index, text, size);
        return;
    default:
        (void)snprintf(text, size, "register %x of the network interface", (unsigned)offset);
        return;
    }
}

bool noc_changes(enum tx_arch arch, uint32_t offset)
{
    return offset == registers[REGISTER_RTZ_NUM].offset[chip_column(arch)];
}

static void registers_tell(const struct noc_world *w, const struct noc_niu *niu, unsigned who,
                           enum finding_kind finding, uint32_t value)
{
    const struct noc_request r = {.from = niu->place, .noc = niu->noc, .who = (uint8_t)who};
    w->finding(w->user, &r, finding, value);
}

/* ---- interrupts of Blackhole: transactions whose counter has returned to 0 ---- */

/* Loads RTZ_NUM: the lowest transaction, or after one that was not cleared the next one. */
static uint32_t next_returned(struct noc_niu *niu, bool peek)
{
    enum { KEEPS = 28 };
    const uint32_t cfg = noc_config_get(TX_BLACKHOLE, niu, CONFIG_RTZ_CFG, 0);
    const uint32_t set = niu->rtz_source & cfg & 0xFFFFu;
    const bool keeps = bits_has(cfg, KEEPS);
    for (unsigned n = 0; n < NOC_TRANSACTIONS; n++) {
        const unsigned i = keeps ? (niu->rtz_next + n) % NOC_TRANSACTIONS : n;
        if (bits_has(set, i)) {
            if (!peek && keeps) {
                niu->rtz_next = (uint8_t)((i + 1) % NOC_TRANSACTIONS);
            } else if (!peek) {
                niu->rtz_source &= ~(1u << i);
            }
            return i;
        }
    }
    return 0;
}

/* ---- loads ---- */

static uint32_t node_id(enum tx_arch arch, const struct noc_niu *niu)
{
    enum { WIDTH = 12, HEIGHT = 19, DIRECTION = 28 };
    return noc_mirrored(arch, niu->noc, niu->place) | NUMBER_OF(arch, NOC_COLUMNS) << WIDTH |
           NUMBER_OF(arch, NOC_ROWS) << HEIGHT | (niu->noc == 0 ? 1u << DIRECTION : 0u);
}

static uint32_t load_register(const struct noc_world *w, struct noc_niu *niu,
                              enum noc_register which, bool peek)
{
    uint32_t busy = 0;
    switch (which) {
    case REGISTER_NODE_ID:
        return node_id(w->arch, niu);
    case REGISTER_ENDPOINT_ID:
        return niu->endpoint;
    case REGISTER_ECC:
        return niu->ecc;
    case REGISTER_BUSY:
        for (unsigned i = 0; i < NOC_INITIATORS; i++) {
            busy |= niu->waiting[i] != 0 ? 1u << i : 0u;
        }
        return busy;
    case REGISTER_RTZ_NUM:
        return next_returned(niu, peek);
    case REGISTER_RTZ_SOURCE:
        return niu->rtz_source;
    default:
        return 0;
    }
}

uint32_t noc_load(const struct noc_world *w, struct noc_niu *niu, unsigned who, uint32_t offset,
                  bool peek)
{
    CHECK(niu->noc < 2, "an interface that is read belongs to one of two networks");
    const struct where at = where_is(w->arch, offset);
    switch (at.what) {
    case WHAT_FIELD:
        return at.index == FIELD_CMD ? niu->waiting[at.initiator] != 0
                                     : niu->field[at.initiator][at.index];
    case WHAT_REGISTER:
        return load_register(w, niu, (enum noc_register)at.index, peek);
    case WHAT_CONFIG:
        return niu->config[at.index];
    case WHAT_COUNTER:
        return niu->counter[at.index];
    case WHAT_FENCE:
        return niu->fence[at.index];
    case WHAT_DEBUG:
        if (!peek) {
            registers_tell(w, niu, who, NOC_FINDING_FEATURE, offset);
        }
        return 0;
    default:
        if (!peek) {
            registers_tell(w, niu, who, NOC_FINDING_UNLISTED, offset);
        }
        return 0;
    }
}

/* ---- stores ---- */

static void store_config(const struct noc_world *w, struct noc_niu *niu, unsigned who,
                         unsigned index, uint32_t value)
{
    const bool returns = CHIP_HAS(w->arch, NOC_RETURNS);
    uint32_t *word = &niu->config[index];
    if (returns && word == noc_config(w->arch, niu, CONFIG_RTZ_CLR, 0)) {
        niu->rtz_source &= ~value;
        return;
    }
    if (index == 0 && returns && bits_has(value, NOC_BH_FIFO_MODE)) {
        registers_tell(w, niu, who, NOC_FINDING_FEATURE, value);
    }
    *word = value;
}

static void store_register(const struct noc_world *w, struct noc_niu *niu, unsigned who,
                           enum noc_register which, uint32_t value)
{
    if (which == REGISTER_CLEAR) {
        for (unsigned i = 0; i < NOC_TRANSACTIONS; i++) {
            if (bits_has(value, i)) {
                niu->counter[COUNT_MST_OUTSTANDING + i] = 0;
            }
        }
    } else if (which == REGISTER_ECC) {
        niu->ecc = value;
    } else {
        registers_tell(w, niu, who, NOC_FINDING_READ_ONLY,
                       registers[which].offset[chip_column(w->arch)]);
    }
}

static void store_field(const struct noc_world *w, struct noc_niu *niu, unsigned who,
                        const struct where *at, uint32_t value)
{
    if (niu->waiting[at->initiator] != 0) {
        registers_tell(w, niu, who, NOC_FINDING_BUSY, niu->field[at->initiator][FIELD_CTRL]);
    }
    if (at->index == FIELD_CMD && value > 1) {
        registers_tell(w, niu, who, NOC_FINDING_COMMAND, value);
    }
    if (at->index != FIELD_CMD) {
        niu->field[at->initiator][at->index] =
            at->index == FIELD_TAG ? value & bits_mask(TAG_BITS_STORED) : value;
    } else if ((value & 1u) != 0) {
        noc_fire(w, niu, at->initiator, who);
    }
}

void noc_store(const struct noc_world *w, struct noc_niu *niu, unsigned who, uint32_t offset,
               uint32_t value)
{
    CHECK(niu->noc < 2, "an interface belongs to one of two networks");
    const struct where at = where_is(w->arch, offset);
    switch (at.what) {
    case WHAT_FIELD:
        store_field(w, niu, who, &at, value);
        return;
    case WHAT_REGISTER:
        store_register(w, niu, who, (enum noc_register)at.index, value);
        return;
    case WHAT_CONFIG:
        store_config(w, niu, who, at.index, value);
        return;
    case WHAT_FENCE:
        registers_tell(w, niu, who, NOC_FINDING_FEATURE, offset);
        niu->fence[at.index] = value;
        return;
    case WHAT_COUNTER:
    case WHAT_DEBUG:
        registers_tell(w, niu, who, NOC_FINDING_READ_ONLY, offset);
        return;
    default:
        registers_tell(w, niu, who, NOC_FINDING_UNLISTED, offset);
        return;
    }
}
