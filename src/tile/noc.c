/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tile's network interfaces: their registers among the pages of the tile, what the tile holds
 * for requests that come in, and the world of a tile that is alone, in which other places are
 * served by the caller (tx_tensix_noc). Requests themselves are src/noc.
 */
#include "isa/chip.h"
#include "base/check.h"
#include "state/l1.h"
#include "tile/tile.h"

#include <string.h>

#include <tensix/chip.h>

enum { NIU_BASE = REGION_BASE_NIU, NIU_BYTES = NIU_BLOCK, MMIO = 0xFF000000 };
enum { WORK_BYTES = 256 /* so many cost as much as a cycle (machine_work) */ };

/* ---- what the tile holds ---- */

enum noc_space tile_space(const struct tx_tensix *t, uint64_t address)
{
    return address < l1_size(t->m->arch)              ? NOC_SPACE_L1
           : address >= MMIO && address <= UINT32_MAX ? NOC_SPACE_REGISTERS
                                                      : NOC_SPACE_NONE;
}

/*
 * Tells the listener of an access to L1 by a request of a core of this tile; the access may still
 * be under way when the core goes on.
 */
static void tile_noc_tell(struct tx_tensix *t, const struct noc_bytes *b)
{
    const enum tx_order_l1 how = NOC_FLAG(b->request, KIND) == NOC_READ ? TX_ORDER_L1_NOC_READ
                                 : b->from != NULL                      ? TX_ORDER_L1_NOC_WRITE
                                                                        : TX_ORDER_L1_NOC_SOURCE;
    if (b->address < l1_size(t->m->arch) && b->request->from == t->s.niu[0].place) {
        tile_tell_many(t, b->request->who, b->from != NULL ? TX_ORDER_WRITE : TX_ORDER_READ,
                       TX_SHARED_L1, (unsigned)b->address, b->size, (uint32_t)how);
    }
}

bool tile_bytes(struct tx_tensix *t, const struct noc_bytes *b)
{
    const bool reads = b->to != NULL;
    if (b->address >= l1_size(t->m->arch)) {
        tile_naps_end(t);
    } else if (!reads) {
        tile_naps_written(t, (uint32_t)b->address, b->size);
    } else {
        tile_naps_read(t, (uint32_t)b->address, b->size);
    }
    const enum tx_status status = b->address > UINT32_MAX ? TX_EINVAL
                                  : reads
                                      ? tx_tensix_read(t, (uint32_t)b->address, b->to, b->size)
                                      : tx_tensix_write(t, (uint32_t)b->address, b->from, b->size);
    machine_work(t->m, 1 + b->size / WORK_BYTES);
    if (status != TX_OK) {
        return false;
    }
    tile_noc_tell(t, b);
    if (reads && NOC_FLAG(b->request, MASK) == 0 && NOC_FLAG(b->request, KIND) != NOC_ATOMIC &&
        b->request->host == 0 && b->address < l1_size(t->m->arch) &&
        l1_unwritten(t->m, (uint32_t)b->address, b->size)) {
        tile_finding(t, b->request->who, TX_UNPREDICTABLE_VALUE, EVIDENCE_E_L1INIT,
                     "NoC %u: bytes of L1 are read that nobody has written (a request from %llx)",
                     b->noc, (unsigned long long)b->request->target);
    }
    return true;
}

void tile_noc_finding(struct tx_tensix *t, const struct noc_request *r, enum finding_kind finding,
                      uint64_t value)
{
    const struct finding_info *info = finding_info(finding);
    tile_finding(t, r->who, (enum tx_category)info->category, (enum evidence_id)info->evidence,
                 "NoC %u: %s (%llx; %s)", r->noc, info->text, (unsigned long long)value,
                 info->name);
}

/* ---- a tile that is alone ---- */

static struct noc_niu *alone_niu(void *user, unsigned noc, uint32_t place)
{
    struct tx_tensix *t = user;
    return place == t->s.niu[0].place ? &t->s.niu[noc] : NULL;
}

static enum noc_space alone_space(void *user, unsigned noc, uint32_t place, uint64_t address)
{
    const struct tx_tensix *t = user;
    (void)noc;
    if (place == t->s.niu[0].place) {
        return tile_space(t, address);
    }
    return address < l1_size(t->m->arch) ? NOC_SPACE_L1 : NOC_SPACE_MEMORY;
}

static bool alone_bytes(void *user, const struct noc_bytes *b)
{
    struct tx_tensix *t = user;
    const struct tx_noc_access access = {.struct_size = sizeof access,
                                         .x = b->place & 63u,
                                         .y = b->place >> 6,
                                         .address = b->address,
                                         .to = b->to,
                                         .from = b->from,
                                         .size = b->size};
    const uint64_t request = (uint64_t)b->noc << 32 | b->request->sequence;
    uint32_t *refused = &t->refused.place[b->place / 32 % (64 * 64 / 32)];
    if (b->place == t->s.niu[0].place) {
        return tile_bytes(t, b);
    }
    if (b->to != NULL) {
        memset(b->to, 0, b->size);
    }
    if (t->refused.request != request) {
        memset(&t->refused, 0, sizeof t->refused);
        t->refused.request = request;
    }
    if (b->size == 0) {
        return true; /* a request without data, which nobody is asked about */
    }
    if (bits_has(*refused, b->place % 32)) {
        return true; /* nobody is asked again for the other packets */
    }
    machine_work(t->m, 1 + b->size / WORK_BYTES);
    if (t->noc != NULL && t->noc(t->noc_user, &access)) {
        return true;
    }
    *refused |= 1u << b->place % 32;
    tile_finding(t, b->request->who, TX_UNSUPPORTED, EVIDENCE_TILE_NOC,
                 "NoC %u: nothing but this tile is modelled, (%u, %u) does not answer; %s", b->noc,
                 access.x, access.y, b->to != NULL ? "zeros were read" : "nothing was written");
    if (b->to != NULL) {
        memset(b->to, 0, b->size);
    }
    return true;
}

static void alone_finding(void *user, const struct noc_request *r, enum finding_kind finding,
                          uint64_t value)
{
    tile_noc_finding(user, r, finding, value);
}

/*
 * Nobody has filled the translation tables of a tile that is alone. With translation on, the name
 * that the tile was given is its place, and other coordinates are left to the caller.
 */
static uint32_t alone_translate(void *user, const struct noc_niu *niu, uint32_t given)
{
    const struct tx_tensix *t = user;
    const enum tx_arch arch = t->m->arch;
    const uint32_t config = noc_config_get(arch, niu, CONFIG_NIU, 0);
    const uint32_t logical = noc_config_get(arch, niu, CONFIG_LOGICAL, 0) & 0xFFFu;
    if (bits_has(config, NOC_FACT_OF(arch, TRANSLATES))) {
        return logical != 0 && given == logical ? niu->place : given;
    }
    return noc_mirrored(arch, niu->noc, given);
}

void tile_noc_open(struct tx_tensix *t)
{
    t->alone = (struct noc_world){.arch = t->m->arch,
                                  .alone = true,
                                  .user = t,
                                  .queue = &t->requests,
                                  .niu = alone_niu,
                                  .space = alone_space,
                                  .bytes = alone_bytes,
                                  .finding = alone_finding,
                                  .translate = alone_translate};
    t->world = &t->alone;
}

void tile_noc_reset(struct tx_tensix *t)
{
    t->requests.head = t->requests.count = 0;
    for (unsigned noc = 0; noc < 2; noc++) {
        t->s.niu[noc].noc = (uint8_t)noc;
        t->s.niu[noc].kind = TX_CHIP_TENSIX;
        t->s.niu[noc].place = NUMBER_OF(t->m->arch, NOC_X) | NUMBER_OF(t->m->arch, NOC_Y) << 6;
    }
}

/* ---- registers ---- */

/*
 * Tells the listener that a core has read a counter of completed requests. A write request has read
 * its source when it is sent, and has changed its target when it is answered.
 */
static void tell_counter(struct tx_tensix *t, unsigned who, uint32_t in)
{
    const int counter = noc_counter_at(t->m->arch, in);
    uint32_t over = 0;
    switch (counter) {
    case -1:
        return;
    case COUNT_MST_READ_ANSWERED:
        over = 1u << TX_ORDER_L1_NOC_READ;
        break;
    case COUNT_MST_WRITE_SENT:
    case COUNT_MST_WRITE_SENT + 1:
        over = 1u << TX_ORDER_L1_NOC_SOURCE;
        break;
    case COUNT_MST_WRITE_ANSWERED:
    case COUNT_MST_ATOMIC_ANSWERED:
        over = 1u << TX_ORDER_L1_NOC_SOURCE | 1u << TX_ORDER_L1_NOC_WRITE;
        break;
    default:
        over = counter >= COUNT_MST_OUTSTANDING && counter < COUNT_MST_OUTGOING
                   ? 1u << TX_ORDER_L1_NOC_READ | 1u << TX_ORDER_L1_NOC_SOURCE |
                         1u << TX_ORDER_L1_NOC_WRITE
                   : 0;
        break;
    }
    if (over != 0) {
        tile_tell(t, who, TX_ORDER_NOC, TX_SHARED_COUNT, (unsigned)counter, over);
    }
}

static enum riscv_answer niu_load(struct tx_tensix *t, unsigned who, struct riscv_access *a)
{
    CHECK(a->size == 4, "an interface is read by words");
    const uint32_t offset = a->address - NIU_BASE;
    struct noc_niu *niu = &t->s.niu[offset / NIU_BYTES];
    const uint32_t in = offset % NIU_BYTES;
    const enum tx_arch arch = t->m->arch;
    const uint32_t logical = NOC_FACT_OF(arch, CONFIG) +
                             4 * (uint32_t)(noc_config(arch, niu, CONFIG_LOGICAL, 0) - niu->config);
    a->value = noc_load(t->world, niu, who, in, t->looking);
    tell_counter(t, who, in);
    if (t->world->alone && in == logical && a->value == 0) {
        a->value = niu->place; /* until another is written */
    }
    return RISCV_DONE;
}

static enum riscv_answer niu_store(struct tx_tensix *t, unsigned who, const struct riscv_access *a)
{
    CHECK(a->size == 4, "an interface is written by words");
    const uint32_t offset = a->address - NIU_BASE;
    struct noc_niu *niu = &t->s.niu[offset / NIU_BYTES];
    const uint32_t requests = niu->sequence;
    noc_store(t->world, niu, who, offset % NIU_BYTES, a->value);
    if (niu->sequence != requests) {
        t->m->bounds |= t->world->submit == NULL ? TX_BOUND_NOC : 0;
        machine_uses_l1(t->m, L1_NOC);
    }
    return RISCV_DONE;
}

const struct tile_page tile_niu = {niu_load, niu_store};

void tx_tensix_noc(tx_tensix *t, bool (*place)(void *user, const struct tx_noc_access *access),
                   void *user)
{
    t->noc = place;
    t->noc_user = user;
}

void tx_tensix_noc_place(enum tx_arch arch, unsigned *x, unsigned *y)
{
    *x = NUMBER_OF(arch, NOC_X);
    *y = NUMBER_OF(arch, NOC_Y);
}
