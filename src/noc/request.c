/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the registers of an initiator to a request and its packets. Source: spec/chip.md 2.2, 2.7,
 * 2.11.
 */
#include "isa/chip.h"
#include "base/check.h"
#include "noc/noc.h"

#include <string.h>

/* Reads an address with its coordinates, whose first register is "low". */
static void request_place_of(enum tx_arch arch, const uint32_t *field, enum noc_field low,
                             uint64_t *address, uint32_t *at)
{
    const uint32_t mid = field[low + 1];
    *address = field[low] | (uint64_t)mid << 32;
    if (CHIP_HAS(arch, NOC_PLACE_APART)) {
        *at = field[low + 2] & 0xFFFFFFu;
    } else {
        *at = mid >> 4 & 0xFFFFFFu;
        *address &= ((uint64_t)1 << NOC_WH_ADDRESS_BITS) - 1;
    }
}

/* Translates both pairs of coordinates of a field. */
static uint32_t translated(const struct noc_world *w, const struct noc_niu *niu, uint32_t at)
{
    return noc_translated(w, niu, at & 0xFFFu) | noc_translated(w, niu, at >> 12) << 12;
}

static uint32_t packets(enum tx_arch arch, const struct noc_request *r)
{
    const uint64_t most = NUMBER_OF(arch, NOC_PACKET);
    const bool copies =
        NOC_FLAG(r, KIND) == NOC_READ ||
        (NOC_FLAG(r, KIND) >= NOC_WRITE && NOC_FLAG(r, MASK) == 0 && NOC_FLAG(r, INLINE) == 0);
    const uint64_t n = copies && r->length > most ? (r->length - 1) / most + 1 : 1;
    return n > NOC_MOST_PACKETS ? (uint32_t)NOC_MOST_PACKETS : (uint32_t)n;
}

struct noc_request noc_packet_of(enum tx_arch arch, const struct noc_request *r, uint32_t index)
{
    CHECK(index < r->packets || r->packets == 0, "a packet is one of its request's");
    const uint64_t step = (uint64_t)index * NUMBER_OF(arch, NOC_PACKET);
    struct noc_request p = *r;
    if (r->packets > 1) {
        const uint64_t rest = r->length - step;
        p.length = rest < NUMBER_OF(arch, NOC_PACKET) ? rest : NUMBER_OF(arch, NOC_PACKET);
        p.target += step;
        p.back += step;
        if (!CHIP_HAS(arch, NOC_PACKETS_CARRY)) { /* Wormhole advances the low words only */
            p.target = (r->target & ~(uint64_t)UINT32_MAX) | (uint32_t)p.target;
            p.back = (r->back & ~(uint64_t)UINT32_MAX) | (uint32_t)p.back;
        }
    } else if (p.length > NUMBER_OF(arch, NOC_PACKET)) {
        p.length = NUMBER_OF(arch, NOC_PACKET);
    }
    return p;
}

/* What a store of bit 0 to CMD_CTRL counts at once. */
static void count_started(const struct noc_world *w, struct noc_niu *niu,
                          const struct noc_request *r)
{
    const unsigned id = NOC_TAG(r, TRANSACTION);
    const bool writes = NOC_FLAG(r, KIND) >= NOC_WRITE;
    if (NOC_FLAG(r, KIND) == NOC_READ || NOC_FLAG(r, ANSWER) != 0) {
        if (niu->counter[COUNT_MST_OUTSTANDING + id] + r->packets > 0xFF && r->packets <= 0xFF &&
            niu->counter[COUNT_MST_OUTSTANDING + id] < 0x80) {
            w->finding(w->user, r, NOC_FINDING_WRAP, id);
        }
        noc_count(niu, COUNT_MST_OUTSTANDING + id, r->packets);
    }
    if (writes && NOC_FLAG(r, INLINE) == 0) {
        noc_count(niu, COUNT_MST_OUTGOING + id, r->packets);
    }
}

static void execute(const struct noc_world *w, const struct noc_request *r)
{
    uint8_t data[NOC_PACKET_BYTES];
    for (uint32_t i = 0; i < r->packets; i++) {
        const struct noc_request p = noc_packet_of(w->arch, r, i);
        (void)noc_packet(w, &p, data);
    }
}

void noc_drain(const struct noc_world *w)
{
    CHECK(w->queue->count <= NOC_QUEUE, "requests that wait fit their queue");
    enum { AT_A_TIME = 64 };
    struct noc_queue *q = w->queue;
    if (q->acts != 0) {
        return;
    }
    q->acts = 1;
    for (unsigned i = 0; i < AT_A_TIME && q->count != 0; i++) {
        const struct noc_request r = q->list[q->head];
        q->head = (q->head + 1) % NOC_QUEUE;
        q->count--;
        execute(w, &r);
    }
    q->acts = 0;
    if (q->count != 0) {
        w->finding(w->user, &q->list[q->head], NOC_FINDING_ENDLESS, q->list[q->head].control);
    }
}

/* Sends a request on its way. */
static void pass(const struct noc_world *w, struct noc_niu *niu, struct noc_request *r)
{
    struct noc_queue *q = w->queue;
    r->linked = niu->link_open != 0 || NOC_FLAG(r, LINKED) != 0;
    noc_link(niu, r);
    if (w->submit != NULL) {
        w->submit(w->user, niu, r);
    } else if (q->count == NOC_QUEUE) {
        w->finding(w->user, r, NOC_FINDING_MANY, r->control);
    } else {
        q->list[(q->head + q->count++) % NOC_QUEUE] = *r;
    }
}

/* Keeps a request that would break an open link; its initiator stays busy. */
static void hold(const struct noc_world *w, struct noc_niu *niu, const struct noc_request *r)
{
    if (niu->held_count == NOC_HELD) {
        w->finding(w->user, r, NOC_FINDING_MANY, r->control);
        return;
    }
    niu->held[niu->held_count++] = *r;
    niu->waiting[r->initiator]++;
}

/* Sends the requests that may go after a link has ended; one of them may open the next link. */
static void let_go(const struct noc_world *w, struct noc_niu *niu)
{
    unsigned i = 0;
    while (i < niu->held_count) {
        struct noc_request r = niu->held[i];
        if (noc_breaks_link(niu, &r)) {
            i++;
            continue;
        }
        niu->held_count--;
        memmove(&niu->held[i], &niu->held[i + 1], (niu->held_count - i) * sizeof r);
        niu->waiting[r.initiator]--;
        pass(w, niu, &r);
        i = 0;
    }
}

void noc_submit(const struct noc_world *w, struct noc_niu *niu, struct noc_request *r)
{
    CHECK(r->noc < 2, "a request goes over one of two networks");
    CHECK(r->noc == niu->noc, "a request goes over its interface's network");
    const bool words = noc_reaches_registers(w, r);
    r->sequence = ++niu->sequence;
    r->packets = packets(w->arch, r);
    noc_check(w, niu, r);
    if (words && r->length > 4) { /* registers are reached in single words */
        r->length = 4;
        r->packets = 1;
    }
    count_started(w, niu, r);
    noc_tell(w, r, NOC_GOES, r->from);
    if (noc_breaks_link(niu, r)) {
        hold(w, niu, r);
    } else {
        pass(w, niu, r);
        let_go(w, niu);
    }
    if (w->submit == NULL) {
        noc_drain(w);
    }
}

/* Wormhole leaves the translated coordinates in the initiator. */
static void write_back(struct noc_niu *niu, unsigned initiator, const struct noc_request *r)
{
    CHECK(initiator < NOC_INITIATORS, "fields are written back to one of four initiators");
    enum { COORDINATES = 4, COORDINATE_BITS = 24 };
    uint32_t *field = niu->field[initiator];
    field[FIELD_TARG_MID] =
        bits_set(field[FIELD_TARG_MID], COORDINATES, COORDINATE_BITS, r->target_at);
    field[FIELD_RET_MID] = bits_set(field[FIELD_RET_MID], COORDINATES, COORDINATE_BITS, r->back_at);
}

/* Returns the port of its router that the way to a place begins with. */
static uint32_t port_to(const struct noc_request *r, uint32_t place)
{
    const bool by_y =
        NOC_FLAG(r, MANY) != 0 && NOC_FLAG(r, KIND) != NOC_READ ? NOC_FLAG(r, BY_Y) : r->noc != 0;
    const bool x = (place & 63u) != (r->from & 63u);
    const bool y = place >> 6 != r->from >> 6;
    return x && (!by_y || !y) ? 1u << CONTROL_FIRST_PORT_X
           : y                ? 1u << CONTROL_FIRST_PORT_Y
                              : 1u << CONTROL_FIRST_PORT_OWN;
}

/* Wormhole leaves the ports that the request leaves its router by in CTRL. */
static void show_ports(const struct noc_world *w, struct noc_niu *niu, unsigned initiator,
                       const struct noc_request *r)
{
    const uint32_t all =
        1u << CONTROL_FIRST_PORT_X | 1u << CONTROL_FIRST_PORT_Y | 1u << CONTROL_FIRST_PORT_OWN;
    const uint32_t at = noc_goes_to(r);
    uint32_t ports = 0;
    if (NOC_FLAG(r, MANY) == 0 || NOC_FLAG(r, KIND) == NOC_READ) {
        ports = port_to(r, noc_mirrored(w->arch, r->noc, at & 0xFFFu));
    } else {
        for (uint32_t to = noc_receiver(w, r, at, NOC_NOWHERE); to != NOC_NOWHERE;
             to = noc_receiver(w, r, at, to)) {
            ports |= port_to(r, to);
        }
    }
    uint32_t *control = &niu->field[initiator][FIELD_CTRL];
    *control = (*control & ~all) | ports;
}

/* A request of several packets leaves length and addresses of its last one in the initiator. */
static void advance(const struct noc_world *w, struct noc_niu *niu, unsigned initiator,
                    const struct noc_request *r)
{
    const struct noc_request last = noc_packet_of(w->arch, r, r->packets - 1);
    uint32_t *field = niu->field[initiator];
    field[FIELD_LEN] = (uint32_t)last.length;
    field[FIELD_TARG_LO] = (uint32_t)last.target;
    field[FIELD_RET_LO] = (uint32_t)last.back;
    if (CHIP_HAS(w->arch, NOC_PACKETS_CARRY)) {
        field[FIELD_LEN_1] = (uint32_t)(last.length >> 32);
        field[FIELD_TARG_MID] = (uint32_t)(last.target >> 32);
        field[FIELD_RET_MID] = (uint32_t)(last.back >> 32);
    }
}

void noc_fire(const struct noc_world *w, struct noc_niu *niu, unsigned initiator, unsigned who)
{
    CHECK(initiator < NOC_INITIATORS, "a request is started by one of four initiators");
    const uint32_t *field = niu->field[initiator];
    const bool is_long = CHIP_HAS(w->arch, NOC_LONG);
    struct noc_request r = {.control = field[FIELD_CTRL],
                            .tag = field[FIELD_TAG],
                            .atomic = field[FIELD_LEN],
                            .data = field[FIELD_DATA],
                            .exclude = is_long ? field[FIELD_EXCLUDE] : 0,
                            .from = niu->place,
                            .noc = niu->noc,
                            .initiator = (uint8_t)initiator,
                            .who = (uint8_t)who};
    r.length = field[FIELD_LEN] | (is_long ? (uint64_t)field[FIELD_LEN_1] << 32 : 0);
    r.mask = r.length;
    request_place_of(w->arch, field, FIELD_TARG_LO, &r.target, &r.target_at);
    request_place_of(w->arch, field, FIELD_RET_LO, &r.back, &r.back_at);
    const bool translates =
        bits_has(noc_config_get(w->arch, niu, CONFIG_NIU, 0), NOC_FACT_OF(w->arch, TRANSLATES));
    r.target_at = translated(w, niu, r.target_at);
    r.back_at = translated(w, niu, r.back_at);
    if (CHIP_HAS(w->arch, NOC_TRANSLATES_BACK) && translates && w->translate == NULL) {
        write_back(niu, initiator, &r);
    }
    if (CHIP_HAS(w->arch, NOC_TRANSLATES_BACK) && !w->alone) {
        show_ports(w, niu, initiator, &r);
    }
    r.packets = packets(w->arch, &r);
    if (r.packets > 1 && !noc_reaches_registers(w, &r)) {
        advance(w, niu, initiator, &r);
    }
    noc_submit(w, niu, &r);
}
