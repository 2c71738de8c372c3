/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between the networks in time (src/noc/net.c) and those that send and receive. The networks run
 * between two windows, on one thread; they say when a packet leaves its sender, arrives and is
 * answered, and that becomes events of agents. Which of what happens at one time is first follows
 * from the packets alone.
 */
#include "chip/chip.h"
#include "base/check.h"
#include "isa/chip.h"

#include <stdlib.h>
#include <string.h>

enum { NO_SLOT = PORT_QUEUE, CHANNEL_CLASSES = 4 };

static bool reads(const struct noc_request *p)
{
    return NOC_FLAG(p, KIND) == NOC_READ;
}

static bool is_many(const struct noc_request *p)
{
    return NOC_FLAG(p, MANY) != 0 && !reads(p);
}

static struct chip_port *port_of(const tx_chip *chip, uint32_t index, unsigned noc)
{
    CHECK(index < chip->count && noc < 2, "a port is an interface of an endpoint");
    return &chip->ports[index][noc];
}

uint8_t *chip_packet_data(const struct chip_endpoint *e, unsigned noc, unsigned entry)
{
    CHECK(noc < 2 && entry < PORT_PACKETS, "data are those of a packet of a port");
    const size_t packet = ((size_t)e->index * 2 + noc) * PORT_PACKETS + entry;
    return e->chip->data + packet * NOC_PACKET_BYTES;
}

static uint64_t cycle_of(uint64_t ticks)
{
    return (ticks + NET_TICKS - 1) / NET_TICKS;
}

/*
 * How much later than it could a packet takes its next step towards an endpoint, where that is to
 * hurt. Packets that stay in order all get the delay of their way and channel.
 */
static uint64_t adverse(const tx_chip *chip, const struct noc_request *p, uint32_t to, bool answers)
{
    enum { USUAL = 10000, ANY_CHANNEL = 8 };
    const uint32_t most = chip->settings.adverse_delay;
    const bool ordered = !answers && (p->linked != 0 || NOC_FLAG(p, STATIC) != 0);
    const uint32_t channel = NOC_FLAG(p, STATIC) != 0 ? NOC_FLAG(p, CHANNEL) : ANY_CHANNEL;
    const uint64_t way = (uint64_t)p->from << 32 | (uint64_t)to << 8 | (uint64_t)p->noc << 4;
    const uint64_t one = ordered ? channel : (uint64_t)p->sequence << 32 | (uint32_t)p->target;
    if (chip->settings.policy != TX_CHIP_ADVERSE) {
        return 0;
    }
    return bits_mixed(chip->settings.seed, bits_mixed(way | (answers ? 1u : 0u), one)) %
           ((most != 0 ? most : (uint64_t)USUAL) + 1);
}

/* ---- what the networks say ---- */

static struct chip_packet *packet_of(const tx_chip *chip, const struct net_send *s)
{
    return &port_of(chip, s->from, s->noc)->packet[s->user[1] % PORT_PACKETS];
}

/* Tells an agent. */
static void network_tell(tx_chip *chip, const struct net_send *s, struct chip_event event)
{
    const struct noc_request *p = &packet_of(chip, s)->p;
    event.noc = s->noc;
    event.entry = (uint8_t)(s->user[1] % PORT_PACKETS);
    event.number = (uint16_t)(s->user[0] % (NOC_MOST_PACKETS + 1));
    event.cycle = p->cycle;
    event.from = s->from;
    event.sequence = p->sequence;
    chip->soonest = event.due < chip->soonest ? event.due : chip->soonest;
    if (!timed_deliver(chip, &event)) {
        chip->at[event.at].agent->status = TX_ENOMEM;
    }
}

static void feed(tx_chip *chip, uint32_t index, unsigned noc, unsigned initiator, uint64_t at);

/* The sender reads what it sends; the next packet of the initiator may ask. */
static void granted(void *user, const struct net_send *s, uint64_t at)
{
    tx_chip *chip = user;
    struct chip_port *port = port_of(chip, s->from, s->noc);
    const struct noc_request *p = &packet_of(chip, s)->p;
    const unsigned i = p->initiator;
    struct chip_event leave = {
        .stage = STAGE_LEAVE, .at = s->from, .due = cycle_of(at) + CHIP_SEEN, .slot = NO_SLOT};
    port->asks[i] = 0;
    if (++port->next[i] == p->packets) {
        leave.slot = port->slot[i][0];
        port->next[i] = 0;
        port->slots[i]--;
        memmove(&port->slot[i][0], &port->slot[i][1], port->slots[i]);
    }
    network_tell(chip, s, leave);
    feed(chip, s->from, s->noc, i, at);
}

static void arrived(void *user, const struct net_send *s, uint32_t place, uint64_t at)
{
    tx_chip *chip = user;
    const struct noc_request *p = &packet_of(chip, s)->p;
    const uint64_t late = adverse(chip, p, chip->at[place].place, false) +
                          delays_arrive(chip, s->from, p, place, cycle_of(at));
    const struct chip_event act = {
        .stage = STAGE_ACT, .at = place, .due = cycle_of(at) + CHIP_SEEN + late};
    network_tell(chip, s, act);
}

static void answered(void *user, const struct net_send *s, uint32_t place, uint64_t at)
{
    tx_chip *chip = user;
    const struct noc_request *p = &packet_of(chip, s)->p;
    const uint32_t from = chip->at[place].place;
    const uint64_t late =
        delays_arrive(chip, s->from, p, place, cycle_of(at)) + delays_answer(chip, s->from, p);
    const struct chip_event answer = {.stage = STAGE_ANSWER,
                                      .at = s->back,
                                      .due = cycle_of(at) + adverse(chip, p, from, false) +
                                             adverse(chip, p, from, true) + late +
                                             (late != 0 ? CHIP_SEEN + 1 : 0),
                                      .origin = (uint16_t)place};
    network_tell(chip, s, answer);
}

static void feed_all(tx_chip *chip, uint32_t index, unsigned noc, uint64_t at)
{
    for (unsigned i = 0; i < NOC_INITIATORS; i++) {
        feed(chip, index, noc, i, at);
    }
}

static uint64_t latest(const tx_chip *chip)
{
    const uint64_t most = chip->settings.adverse_delay;
    return (chip->settings.policy != TX_CHIP_ADVERSE ? 0 : 2 * (most != 0 ? most : 10000)) +
           delays_latest(chip);
}

static void over(void *user, const struct net_send *s, uint64_t at)
{
    tx_chip *chip = user;
    struct chip_packet *packet = packet_of(chip, s);
    packet->away = 0;
    /* Whoever uses the entry last may do so anywhere in a window. */
    packet->release = cycle_of(at) + latest(chip) + CHIP_SEEN + 2 * CHIP_WINDOW;
    feed_all(chip, s->from, s->noc, chip->net->clock.now);
}

static void reminded(void *user, uint32_t what, uint64_t at)
{
    tx_chip *chip = user;
    const uint32_t index = what % NET_PLACES;
    if (index < chip->count) {
        chip->ports[index][what / NET_PLACES].reminded = 0;
        feed_all(chip, index, what / NET_PLACES, at);
    }
}

static bool receives(const tx_chip *chip, const struct chip_endpoint *e,
                     const struct noc_request *p, uint32_t i)
{
    const struct chip_endpoint *to = &chip->at[i];
    return (i != e->index || NOC_FLAG(p, OWN_TOO) != 0) &&
           noc_in_rectangle(&e->world, p, noc_goes_to(p), to->place) &&
           noc_takes(chip->arch, to->niu[p->noc]);
}

static uint32_t receiver(void *user, const struct net_send *s, uint32_t after)
{
    tx_chip *chip = user;
    for (uint32_t i = after == NET_NONE ? 0 : after + 1; i < chip->count; i++) {
        if (receives(chip, &chip->at[s->from], &packet_of(chip, s)->p, i)) {
            return i;
        }
    }
    return NET_NONE;
}

/* ---- what the networks are given ---- */

static uint32_t span(uint32_t from, uint32_t to, uint32_t size)
{
    return (to + size - from) % size;
}

/* Hops that a broadcast reserves: to the near corner, and across the rectangle. */
static uint16_t depth(const tx_chip *chip, const struct noc_request *p)
{
    const uint32_t at = noc_goes_to(p);
    const uint32_t own = noc_mirrored(chip->arch, p->noc, p->from);
    const uint32_t w = chip->width;
    const uint32_t h = chip->height;
    const uint32_t x = at >> 12 & 63u;
    const uint32_t y = at >> 18 & 63u;
    return (uint16_t)(span(own & 63u, x % w, w) + span(own >> 6 & 63u, y % h, h) +
                      span(x % w, at % 64 % w, w) + span(y % h, (at >> 6 & 63u) % h, h));
}

/* Wormhole has two channels behind each DRAM tile. */
static uint8_t bank_of(const tx_chip *chip, const struct chip_endpoint *to,
                       const struct noc_request *p)
{
    enum { CHANNEL_BIT = 30 };
    const uint64_t address = reads(p) ? p->target : p->back;
    const bool copies = reads(p) || (NOC_FLAG(p, KIND) >= NOC_WRITE && NOC_FLAG(p, INLINE) == 0);
    if (to->kind != TX_CHIP_DRAM || !copies) {
        return NET_BANKS;
    }
    return CHIP_HAS(chip->arch, DRAM_TILE_HAS_ONE)
               ? to->number
               : (uint8_t)(2u * to->number + (address >> CHANNEL_BIT & 1u));
}

static uint8_t channel_of(const struct noc_request *p)
{
    return NOC_FLAG(p, STATIC) == 0 ? NET_DYNAMIC
                                    : (uint8_t)(NOC_FLAG(p, CHANNEL) % CHANNEL_CLASSES);
}

static bool describe(const tx_chip *chip, const struct noc_request *p, struct net_send *s)
{
    const struct chip_endpoint *e = chip_at((tx_chip *)chip, p->from);
    const uint32_t place = noc_mirrored(chip->arch, p->noc, noc_goes_to(p) & 0xFFFu);
    const struct chip_endpoint *to = chip_at((tx_chip *)chip, place);
    const struct chip_endpoint *back = chip_at((tx_chip *)chip, noc_answer_place(&e->world, p));
    const bool data = NOC_FLAG(p, KIND) >= NOC_WRITE && NOC_FLAG(p, INLINE) == 0;
    const bool wants = reads(p) || NOC_FLAG(p, ANSWER) != 0;
    s->noc = p->noc;
    s->bytes = (uint32_t)p->length;
    s->flits = (uint16_t)(1 + (data ? noc_flits(&e->world, p) : 0));
    s->answer = !wants || back == NULL ? 0 : reads(p) ? (uint16_t)(1 + noc_flits(&e->world, p)) : 1;
    s->back = back == NULL ? p->from : back->index;
    s->channel = channel_of(p);
    s->linked = NOC_FLAG(p, LINKED) != 0;
    s->reserves = NOC_FLAG(p, RESERVE) != 0;
    s->bank = NET_BANKS;
    if (is_many(p)) {
        s->what = NET_MANY;
        s->depth = depth(chip, p);
        return true;
    }
    if (to == NULL) {
        return false;
    }
    s->to = to->index;
    s->what = reads(p) ? NET_READS : NOC_FLAG(p, KIND) == NOC_ATOMIC ? NET_ATOMICS : NET_WRITES;
    s->bank = bank_of(chip, to, p);
    return true;
}

/* A packet that leads nowhere leaves its sender, and that is all. */
static void lose(tx_chip *chip, const struct net_send *s)
{
    const struct noc_request *p = &packet_of(chip, s)->p;
    struct chip_endpoint *e = &chip->at[s->from];
    e->world.finding(e->agent, p, NOC_FINDING_NO_ANSWER,
                     noc_mirrored(chip->arch, p->noc, noc_goes_to(p) & 0xFFFu));
    packet_of(chip, s)->away = 0;
    packet_of(chip, s)->release = cycle_of(s->at) + CHIP_SEEN + 2 * CHIP_WINDOW;
    granted(chip, s, s->at);
}

/* Returns an entry that is free, the one that will be first, or PORT_PACKETS: all are away. */
static unsigned free_entry(const struct chip_port *port, uint64_t now)
{
    unsigned best = PORT_PACKETS;
    for (unsigned i = 0; i < PORT_PACKETS; i++) {
        const struct chip_packet *p = &port->packet[i];
        if (p->away == 0 && p->release <= now) {
            return i;
        }
        if (p->away == 0 && (best == PORT_PACKETS || p->release < port->packet[best].release)) {
            best = i;
        }
    }
    return best;
}

/* Sends the next packet of an initiator, if there is one and the last one has its link. */
static void feed(tx_chip *chip, uint32_t index, unsigned noc, unsigned initiator, uint64_t at)
{
    CHECK(initiator < NOC_INITIATORS, "a port feeds one of four initiators");
    struct chip_port *port = port_of(chip, index, noc);
    struct chip_endpoint *e = &chip->at[index];
    const unsigned entry = free_entry(port, at / NET_TICKS);
    if (port->slots[initiator] == 0 || port->asks[initiator] != 0 || entry == PORT_PACKETS) {
        return;
    }
    struct chip_packet *packet = &port->packet[entry];
    if (packet->release > at / NET_TICKS) {
        if (port->reminded == 0) {
            port->reminded = 1;
            net_remind(chip->net, packet->release * NET_TICKS, noc * NET_PLACES + index);
        }
        return;
    }
    const struct noc_request *r = &port->queue[port->slot[initiator][0]];
    struct net_send s = {.from = index};
    at = net_later(at, (r->cycle + CHIP_FIRE) * (uint64_t)NET_TICKS);
    at = net_later(at, delays_leave(chip, index, r) * (uint64_t)NET_TICKS);
    packet->p = noc_packet_of(chip->arch, r, port->next[initiator]);
    packet->away = 1;
    memset(packet->acted, 0, sizeof packet->acted);
    s.at = at;
    s.user[0] = r->sequence * (uint32_t)(NOC_MOST_PACKETS + 1) + port->next[initiator];
    s.user[1] = entry;
    port->asks[initiator] = 1;
    if (!describe(chip, &packet->p, &s)) {
        lose(chip, &s);
        return;
    }
    if (s.what == NET_MANY && receiver(chip, &s, NET_NONE) == NET_NONE) {
        e->world.finding(e->agent, &packet->p, NOC_FINDING_MCAST_EMPTY, packet->p.control);
    }
    net_send(chip->net, &s);
}

void network_ask(tx_chip *chip, const struct chip_event *event)
{
    struct chip_port *port = port_of(chip, event->from, event->noc);
    const unsigned i = port->queue[event->slot].initiator;
    port->slot[i][port->slots[i]++] = event->slot;
    feed(chip, event->from, event->noc, i, event->due * (uint64_t)NET_TICKS);
}

uint64_t network_run(tx_chip *chip, uint64_t first)
{
    chip->soonest = first;
    while (net_next(chip->net) < (chip->soonest + CHIP_FIRE) * NET_TICKS) {
        net_step(chip->net);
    }
    return chip->soonest;
}

/* ---- what agents do ---- */

void network_leave(struct chip_endpoint *agent, const struct chip_event *event)
{
    CHECK(event->stage == STAGE_LEAVE, "an event of leaving is one");
    CHECK(event->entry < PORT_PACKETS, "a packet that leaves has a place at its port");
    tx_chip *chip = agent->chip;
    struct chip_endpoint *e = &chip->at[event->from];
    struct chip_port *port = port_of(chip, event->from, event->noc);
    const struct noc_request *p = &port->packet[event->entry].p;
    noc_leave(&e->world, p, chip_packet_data(e, event->noc, event->entry));
    if (event->slot != NO_SLOT) {
        port->used[event->slot] = 0;
        if (port->behind[p->initiator] != 0) {
            port->behind[p->initiator]--;
            e->niu[event->noc]->waiting[p->initiator]--;
        }
    }
}

void network_act(struct chip_endpoint *agent, const struct chip_event *event)
{
    CHECK(event->stage == STAGE_ACT, "an event of acting is one");
    CHECK(event->at < agent->chip->count, "a packet acts at an endpoint");
    tx_chip *chip = agent->chip;
    const struct chip_endpoint *at = &chip->at[event->at];
    struct chip_packet *packet = &port_of(chip, event->from, event->noc)->packet[event->entry];
    uint8_t *data = chip_packet_data(&chip->at[event->from], event->noc, event->entry);
    uint32_t result = 0;
    if (is_many(&packet->p) && at->kind != TX_CHIP_TENSIX) {
        agent->world.finding(agent, &packet->p, NOC_FINDING_MCAST_RECEIVER, at->place);
    }
    packet->acted[event->at] = noc_act(&agent->world, &packet->p, at->place, data, &result) ? 1 : 0;
    if (NOC_FLAG(&packet->p, KIND) == NOC_ATOMIC && !is_many(&packet->p)) {
        memcpy(data, &result, sizeof result);
    }
}

void network_answer(struct chip_endpoint *agent, const struct chip_event *event)
{
    CHECK(event->at < agent->chip->count, "an answer comes to an endpoint");
    tx_chip *chip = agent->chip;
    const struct chip_packet *packet =
        &port_of(chip, event->from, event->noc)->packet[event->entry];
    const uint8_t *data = chip_packet_data(&chip->at[event->from], event->noc, event->entry);
    uint32_t result = 0;
    if (packet->acted[event->origin] == 0) {
        return;
    }
    if (NOC_FLAG(&packet->p, KIND) == NOC_ATOMIC) {
        memcpy(&result, data, sizeof result);
    }
    noc_answer(&agent->world, &packet->p, data, result);
}

/* ---- life ---- */

bool network_open(tx_chip *chip)
{
    const struct net_calls calls = {chip, granted, arrived, answered, over, reminded, receiver};
    const size_t packets = (size_t)chip->count * 2 * PORT_PACKETS;
    chip->net = net_open(chip->arch, &calls);
    chip->ports = calloc(chip->count, sizeof *chip->ports);
    chip->data = calloc(packets, NOC_PACKET_BYTES);
    if (chip->net != NULL) {
        chip->net->whole = chip->settings.sleepless;
    }
    return chip->net != NULL && chip->ports != NULL && chip->data != NULL;
}

void network_close(tx_chip *chip)
{
    net_close(chip->net);
    free(chip->ports);
    free(chip->data);
}

void network_reset(tx_chip *chip)
{
    net_clear(chip->net);
    delays_reset(chip);
    memset(chip->ports, 0, chip->count * sizeof *chip->ports);
}
