/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a request finds at an endpoint: the registers of its interfaces, memory, and devices that
 * the caller answers for. Source: spec/chip.md 1.7, 5.
 */
#include "chip/chip.h"
#include "base/check.h"
#include "isa/chip.h"

#include <stdio.h>
#include <string.h>

/* ---- where the registers of the interfaces are ---- */

/* Blackhole: blocks in which the low 16 bits of the address count. */
enum { NIU_TILE = 0xFFB20000, NIU_ROUTER = 0xFF000000, BLOCK_BYTES = 0x10000 };
static const uint64_t niu_of_device = 0xFFFFFFFFFF000000u;
static const uint64_t niu_of_device_too = 0xFFFFFFFFFFB20000u; /* isa NoC/MemoryMap */
static const uint64_t niu_wh = 0xFFFB20000u;
/* Wormhole: all interfaces of a DRAM tile, by port and NoC, in its registers. */
static const uint64_t dram_registers = 0x100080000u;
enum { PORT_STEP = 0x10000, NOC_STEP = 0x8000, PORTS = 3 };
static const uint64_t arc_wh = 0x800000000u;

static struct noc_niu *port_niu(tx_chip *chip, const struct chip_endpoint *e, unsigned port,
                                unsigned noc)
{
    CHECK(noc < 2, "an interface is of one of two networks");
    for (uint32_t i = 0; i < chip->count; i++) {
        struct chip_endpoint *other = &chip->at[i];
        if (other->kind == TX_CHIP_DRAM && other->number == e->number && other->port == port) {
            return other->niu[noc];
        }
    }
    return NULL;
}

/* Two blocks side by side, one for each NoC. */
static struct noc_niu *pair(const struct chip_endpoint *e, uint64_t offset, uint32_t *in)
{
    if (offset >= 2 * (uint64_t)BLOCK_BYTES) {
        return NULL;
    }
    *in = (uint32_t)(offset % BLOCK_BYTES);
    return e->niu[offset / BLOCK_BYTES];
}

static struct noc_niu *registers_wh(tx_chip *chip, const struct chip_endpoint *e, unsigned noc,
                                    uint64_t address, uint32_t *in)
{
    const uint64_t port = address - dram_registers;
    if (e->kind == TX_CHIP_TENSIX || e->kind == TX_CHIP_ETHERNET) {
        return pair(e, address - NIU_TILE, in);
    }
    if (e->kind == TX_CHIP_DRAM && port < PORTS * (uint64_t)PORT_STEP) {
        *in = (uint32_t)(port % NOC_STEP);
        return port_niu(chip, e, (unsigned)(port / PORT_STEP), (unsigned)(port / NOC_STEP % 2));
    }
    if (e->kind == TX_CHIP_ARC) {
        return pair(e, address - niu_wh, in);
    }
    *in = (uint32_t)(address - niu_wh);
    return address - niu_wh < BLOCK_BYTES ? e->niu[noc] : NULL;
}

/* Returns the interface whose registers are at an address of an endpoint, or NULL. */
static struct noc_niu *registers(tx_chip *chip, const struct chip_endpoint *e, unsigned noc,
                                 uint64_t address, uint32_t *in)
{
    const bool axi = bits_has(e->niu[noc]->config[0], NOC_BH_DRAM_RISCV);
    if (!CHIP_HAS(chip->arch, NIU_PAIR)) {
        return registers_wh(chip, e, noc, address, in);
    }
    switch (e->kind) {
    case TX_CHIP_DRAM:
        return axi ? pair(e, address - NIU_TILE, in) : NULL;
    case TX_CHIP_TENSIX:
    case TX_CHIP_ETHERNET:
        return pair(e, address - NIU_TILE, in);
    case TX_CHIP_EMPTY:
        if (address - NIU_ROUTER >= BLOCK_BYTES) {
            return pair(e, address - NIU_TILE, in);
        }
        *in = (uint32_t)(address - NIU_ROUTER);
        return e->niu[noc];
    default:
        *in = (uint32_t)(address % BLOCK_BYTES);
        return address >= niu_of_device && (address - niu_of_device < BLOCK_BYTES ||
                                            address - niu_of_device_too < 2 * (uint64_t)BLOCK_BYTES)
                   ? e->niu[noc]
                   : NULL;
    }
}

/* ---- the world of requests ---- */

static struct noc_niu *world_niu(void *user, unsigned noc, uint32_t place)
{
    CHECK(noc < 2, "an interface that is asked for is of one of two networks");
    const struct chip_endpoint *self = user;
    const struct chip_endpoint *e = chip_at(self->chip, place);
    return e == NULL ? NULL : e->niu[noc];
}

/* The bank behind a place: of a DRAM tile, and of Wormhole's ARC tile below its own addresses. */
static struct dram_bank *bank_at(tx_chip *chip, const struct chip_endpoint *e, uint64_t address)
{
    if (e->kind == TX_CHIP_ARC && CHIP_HAS(chip->arch, ARC_BANK) && address < arc_wh) {
        return &chip->bank[0];
    }
    return e->bank;
}

static void world_touch(void *user, uint32_t place)
{
    const struct chip_endpoint *self = user;
    chip_reach(self->chip, chip_at(self->chip, place));
}

static enum noc_space world_space(void *user, unsigned noc, uint32_t place, uint64_t address)
{
    const struct chip_endpoint *self = user;
    tx_chip *chip = self->chip;
    const struct chip_endpoint *e = chip_at(chip, place);
    uint32_t in;
    if (e == NULL) {
        return NOC_SPACE_NONE;
    }
    if (e->tensix != NULL) {
        return tile_space(e->tensix, address);
    }
    if (e->eth != NULL) {
        return eth_space(e->eth, address);
    }
    if (registers(chip, e, noc, address, &in) != NULL) {
        return NOC_SPACE_REGISTERS;
    }
    if (e->kind == TX_CHIP_DRAM) {
        return e->off ? NOC_SPACE_NONE : NOC_SPACE_MEMORY;
    }
    return (e->kind == TX_CHIP_ARC || e->kind == TX_CHIP_PCIE) && !e->off ? NOC_SPACE_MEMORY
                                                                          : NOC_SPACE_NONE;
}

static bool dram_bytes(struct chip_endpoint *self, struct dram_bank *bank,
                       const struct noc_bytes *b)
{
    const struct noc_request *r = b->request;
    if (b->address >= bank->size || b->size > bank->size - b->address) {
        self->world.finding(self, r, NOC_FINDING_DRAM_RANGE, b->address);
        return false;
    }
    if (b->from != NULL) {
        return dram_write(bank, b->address, b->from, b->size);
    }
    if (r->host == 0 && NOC_FLAG(r, MASK) == 0 && dram_unwritten(bank, b->address, b->size)) {
        self->world.finding(self, r, NOC_FINDING_DRAM_UNWRITTEN, b->address);
    }
    dram_read(bank, b->address, b->to, b->size);
    return true;
}

/* One word of a register, which lies in the four bytes. */
static bool register_bytes(const struct chip_endpoint *e, struct noc_niu *niu, uint32_t in,
                           const struct noc_bytes *b)
{
    uint32_t value = 0;
    if (b->size != 4) {
        return false;
    }
    if (b->from != NULL) {
        value = (uint32_t)b->from[0] | (uint32_t)b->from[1] << 8 | (uint32_t)b->from[2] << 16 |
                (uint32_t)b->from[3] << 24;
        noc_store(&e->world, niu, CHIP_OUTSIDE, in, value);
        return true;
    }
    value = noc_load(&e->world, niu, CHIP_OUTSIDE, in, false);
    for (unsigned i = 0; i < 4; i++) {
        b->to[i] = (uint8_t)(value >> 8 * i);
    }
    return true;
}

static bool world_bytes(void *user, const struct noc_bytes *b)
{
    struct chip_endpoint *self = user;
    tx_chip *chip = self->chip;
    struct chip_endpoint *e = chip_at(chip, b->place);
    uint32_t in = 0;
    chip_reach(chip, e);
    if (e->tensix != NULL) {
        return tile_bytes(e->tensix, b);
    }
    if (e->eth != NULL) {
        return eth_bytes(e->eth, b);
    }
    struct noc_niu *niu = registers(chip, e, b->noc, b->address, &in);
    if (niu != NULL) {
        return register_bytes(e, niu, in, b);
    }
    struct dram_bank *bank = bank_at(chip, e, b->address);
    if (bank != NULL) {
        return dram_bytes(self, bank, b);
    }
    const struct tx_chip_access access = {.struct_size = sizeof access,
                                          .noc = b->noc,
                                          .address = b->address,
                                          .to = b->to,
                                          .from = b->from,
                                          .bytes = b->size,
                                          .index = (uint32_t)(e - chip->at)};
    return chip->device[e->kind].answer != NULL &&
           chip->device[e->kind].answer(chip->device[e->kind].user, &access);
}

/* ---- findings ---- */

void chip_finding(tx_chip *chip, const char *rule, enum tx_category category, const char *text)
{
    for (size_t i = 0; i < chip->findings; i++) {
        if (strcmp(chip->finding[i].message, text) == 0) {
            return;
        }
    }
    if (chip->findings < CHIP_FINDINGS) {
        struct tx_finding *f = &chip->finding[chip->findings++];
        *f = (struct tx_finding){.category = category, .rule = rule, .cycle = chip->s.cycle};
        (void)snprintf(f->message, sizeof f->message, "%s", text);
    }
}

/*
 * Keeps a finding until the end of the window, as the tile that it is about may be run by another
 * thread. Beyond a bound they are dropped; they would most likely be the same ones.
 */
static bool deferred(struct chip_endpoint *self, const struct noc_request *r,
                     enum finding_kind finding, uint64_t value)
{
    const bool own = chip_at(self->chip, r->from)->agent == self;
    if (!self->chip->inside || (own && self->tensix != NULL)) {
        return false;
    }
    if (self->deferred_count < CHIP_DEFERRED) {
        self->deferred[self->deferred_count++] =
            (struct chip_deferred){.request = *r, .value = value, .finding = (uint8_t)finding};
    }
    return true;
}

/* Keeps a request that nothing will ever answer (waits.c). */
static void keep_lost(struct chip_endpoint *e, const struct noc_request *r,
                      enum finding_kind finding, uint64_t value)
{
    const enum tx_arch arch = e->chip->arch;
    const bool reads = NOC_FLAG(r, KIND) == NOC_READ;
    const bool outside = !noc_on_grid(arch, noc_goes_to(r) & 0xFFFu);
    const bool lost =
        finding == NOC_FINDING_MCAST_EMPTY ||
        (finding == NOC_FINDING_NO_ANSWER && (outside || (reads && value == r->target)));
    if (lost && (reads || NOC_FLAG(r, ANSWER) != 0) && r->host == 0 && e->lost_count < CHIP_LOST) {
        e->lost[e->lost_count++] = *r;
    }
}

static void world_finding(void *user, const struct noc_request *r, enum finding_kind finding,
                          uint64_t value)
{
    struct chip_endpoint *self = user;
    tx_chip *chip = self->chip;
    struct chip_endpoint *e = chip_at(chip, r->from);
    const struct finding_info *info = finding_info(finding);
    char text[TX_MESSAGE];
    if (deferred(self, r, finding, value)) {
        return;
    }
    keep_lost(e, r, finding, value);
    if (e->tensix != NULL) {
        tile_noc_finding(e->tensix, r, finding, value);
        return;
    }
    (void)snprintf(text, sizeof text, "%s at (%u, %u), NoC %u: %s (%llx; %s)",
                   tx_chip_kind_name((enum tx_chip_kind)e->kind), e->place & 63u, e->place >> 6,
                   r->noc, info->text, (unsigned long long)value, info->name);
    chip_finding(chip, evidence_get((enum evidence_id)info->evidence)->id,
                 (enum tx_category)info->category, text);
}

void chip_world(tx_chip *chip)
{
    const struct noc_world world = {.arch = chip->arch,
                                    .queue = &chip->queue,
                                    .niu = world_niu,
                                    .touch = world_touch,
                                    .space = world_space,
                                    .bytes = world_bytes,
                                    .finding = world_finding};
    chip->world = world;
    chip->world.user = &chip->at[chip->pcie];
    for (uint32_t i = 0; i < chip->count; i++) {
        struct chip_endpoint *e = &chip->at[i];
        e->world = world;
        e->world.user = e->agent;
        e->world.submit = chip->timed ? timed_submit : NULL;
    }
}
