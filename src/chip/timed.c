/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests that take time. A packet leaves its sender, acts at each receiver and is answered in
 * cycles that follow from its way alone (isa/noc.def, TIME_...; contention is not modelled, so that
 * these are lower bounds). All agents run apart for a window of cycles that is shorter than the
 * shortest way between two of them, then events are handed over. An agent takes the events of a
 * cycle in an order that the events themselves give, so that neither threads nor the division into
 * windows can be seen.
 */
#include "chip/chip.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(CHIP_WINDOW <= 2 * NOC_WH_TIME_NIU + NOC_WH_TIME_HOP &&
                   CHIP_WINDOW <= 2 * NOC_BH_TIME_NIU + NOC_BH_TIME_HOP,
               "nothing arrives within the window in which it left");

/* ---- events, a heap ---- */

static int order(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static bool before(const struct chip_event *a, const struct chip_event *b)
{
    int o = order(a->due, b->due);
    o = o != 0 ? o : order(a->stage, b->stage);
    o = o != 0 ? o : order(a->noc, b->noc);
    o = o != 0 ? o : order(a->cycle, b->cycle);
    o = o != 0 ? o : order(a->from, b->from);
    o = o != 0 ? o : order(a->sequence, b->sequence);
    o = o != 0 ? o : order(a->number, b->number);
    o = o != 0 ? o : order(a->origin, b->origin);
    o = o != 0 ? o : order(a->at, b->at);
    return o < 0;
}

static bool heap_put(struct chip_events *h, const struct chip_event *e)
{
    if (h->count == h->room) {
        return false;
    }
    uint32_t i = h->count++;
    while (i != 0 && before(e, &h->list[(i - 1) / 2])) {
        h->list[i] = h->list[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    h->list[i] = *e;
    return true;
}

static struct chip_event heap_take(struct chip_events *h)
{
    const struct chip_event first = h->list[0];
    const struct chip_event last = h->list[--h->count];
    uint32_t i = 0;
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child >= h->count) {
            break;
        }
        if (child + 1 < h->count && before(&h->list[child + 1], &h->list[child])) {
            child++;
        }
        if (!before(&h->list[child], &last)) {
            break;
        }
        h->list[i] = h->list[child];
        i = child;
    }
    h->list[i] = last;
    return first;
}

/* Hands an event to the agent of its endpoint: at once to oneself, else at the end of the window.
 */
static void post(struct chip_endpoint *agent, const struct chip_event *e)
{
    struct chip_endpoint *to = agent->chip->at[e->at].agent;
    bool good;
    if (to == agent) {
        good = heap_put(&agent->inbox, e);
    } else {
        good = agent->outbox.count < agent->outbox.room;
        if (good) {
            agent->outbox.list[agent->outbox.count++] = *e;
        }
    }
    if (!good) {
        agent->status = TX_ENOMEM;
    }
}

/* ---- times ---- */

static uint64_t way(const tx_chip *chip, unsigned noc, uint32_t from, uint32_t to)
{
    return 2 * NOC_FACT_OF(chip->arch, TIME_NIU) +
           (uint64_t)NOC_FACT_OF(chip->arch, TIME_HOP) * noc_hops(chip->arch, noc, from, to);
}

static bool reads(const struct noc_request *p)
{
    return NOC_FLAG(p, KIND) == NOC_READ;
}

/* Flits of a packet on its way to the receiver, and of the answer: a header and data. */
static uint32_t flits_out(const struct chip_endpoint *e, const struct noc_request *p)
{
    const bool data = NOC_FLAG(p, KIND) >= NOC_WRITE && NOC_FLAG(p, INLINE) == 0;
    return 1 + (data ? noc_flits(&e->world, p) : 0);
}

static uint32_t flits_back(const struct chip_endpoint *e, const struct noc_request *p)
{
    return 1 + (reads(p) ? noc_flits(&e->world, p) : 0);
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

/* From when a packet acts at an endpoint until its answer has arrived at a place. */
static uint64_t back(const tx_chip *chip, const struct chip_endpoint *e,
                     const struct noc_request *p, uint32_t to)
{
    const uint32_t dram = e->kind != TX_CHIP_DRAM ? 0
                          : reads(p)              ? NOC_FACT_OF(chip->arch, TIME_DRAM_READ)
                                                  : NOC_FACT_OF(chip->arch, TIME_DRAM_WRITE);
    return NOC_FACT_OF(chip->arch, TIME_SERVE) + dram + way(chip, p->noc, e->place, to) +
           flits_back(e, p) + NOC_FACT_OF(chip->arch, TIME_END) + adverse(chip, p, e->place, true);
}

/* ---- the sender ---- */

static struct chip_port *port_of(struct chip_endpoint *e, unsigned noc)
{
    return &e->chip->ports[e->index][noc];
}

uint8_t *chip_packet_data(const struct chip_endpoint *e, unsigned noc, unsigned entry)
{
    const size_t packet = ((size_t)e->index * 2 + noc) * PORT_PACKETS + entry;
    return e->chip->data + packet * NOC_PACKET_BYTES;
}

static uint64_t present(const struct chip_endpoint *e)
{
    return e->chip->inside ? e->agent->now : e->chip->s.cycle;
}

static void pump_at(struct chip_endpoint *e, unsigned noc, uint64_t due)
{
    struct chip_port *port = port_of(e, noc);
    const struct chip_event event = {
        .due = due, .stage = STAGE_LEAVE, .noc = (uint8_t)noc, .from = e->index, .at = e->index};
    if (port->pumping == 0 || due < port->pumping) {
        port->pumping = due;
        post(e->agent, &event);
    }
}

void timed_submit(void *user, struct noc_niu *niu, const struct noc_request *request)
{
    struct chip_endpoint *agent = user;
    struct chip_endpoint *e = chip_at(agent->chip, niu->place);
    struct chip_port *port = port_of(e, niu->noc);
    const uint64_t now = present(e);
    if (port->count == PORT_QUEUE) {
        agent->world.finding(agent, request, NOC_FINDING_MANY, request->control);
        return;
    }
    struct noc_request *r = &port->queue[(port->head + port->count++) % PORT_QUEUE];
    *r = *request;
    r->cycle = now;
    niu->waiting[r->initiator]++;
    const uint64_t first = now + NOC_FACT_OF(e->chip->arch, TIME_FIRE);
    port->free_at = port->free_at > first ? port->free_at : first;
    pump_at(e, niu->noc, port->free_at);
}

/* Sends one packet to one endpoint. Returns when its answer is back at the latest. */
static uint64_t send_to(struct chip_endpoint *e, const struct noc_request *p,
                        struct chip_event event, uint64_t start, uint32_t place)
{
    const tx_chip *chip = e->chip;
    const struct chip_endpoint *to = chip_at(e->chip, place);
    event.at = to->index;
    event.due = start + way(chip, p->noc, e->place, place) + flits_out(e, p) +
                adverse(chip, p, place, false);
    post(e->agent, &event);
    return event.due + back(chip, to, p, noc_answer_place(&e->world, p));
}

/*
 * A broadcast meets no Tensix tile. Whether anything else takes it shows at the end of the window,
 * when nobody changes the masks of others.
 */
static void doubt(struct chip_endpoint *agent, const struct noc_request *p)
{
    if (agent->deferred_count < CHIP_DEFERRED) {
        agent->deferred[agent->deferred_count++] = (struct chip_deferred){
            .request = *p, .value = p->control, .finding = NOC_FINDING_MCAST_EMPTY};
    }
}

static bool is_doubted_wrongly(const struct chip_endpoint *agent, const struct chip_deferred *d)
{
    return d->finding == NOC_FINDING_MCAST_EMPTY &&
           noc_receiver(&agent->world, &d->request, noc_goes_to(&d->request), NOC_NOWHERE) !=
               NOC_NOWHERE;
}

/* Sends a broadcast to every endpoint in its rectangle; each knows whether it takes it. */
static uint64_t send_many(struct chip_endpoint *e, const struct noc_request *p,
                          struct chip_event event, uint64_t start)
{
    const tx_chip *chip = e->chip;
    struct chip_port *port = port_of(e, p->noc);
    const uint32_t at = noc_goes_to(p);
    uint32_t depth = 0;
    bool tensix = false;
    uint64_t last = start;
    for (uint32_t i = 0; i < chip->count && NOC_FLAG(p, RESERVE) != 0; i++) {
        const uint32_t hops = noc_hops(chip->arch, p->noc, e->place, chip->at[i].place);
        depth =
            noc_in_rectangle(&e->world, p, at, chip->at[i].place) && hops > depth ? hops : depth;
    }
    if (NOC_FLAG(p, RESERVE) != 0) {
        start += NOC_FACT_OF(chip->arch, TIME_RESERVE) +
                 (uint64_t)depth * NOC_FACT_OF(chip->arch, TIME_RESERVE_HOP);
    }
    start = start > port->many_at ? start : port->many_at;
    port->many_at = start + flits_out(e, p);
    for (uint32_t i = 0; i < chip->count; i++) {
        const uint32_t place = chip->at[i].place;
        const bool own = place == e->place;
        if ((!own || NOC_FLAG(p, OWN_TOO) != 0) && noc_in_rectangle(&e->world, p, at, place)) {
            const uint64_t end = send_to(e, p, event, start, place);
            last = end > last ? end : last;
            tensix = tensix || chip->at[i].kind == TX_CHIP_TENSIX;
        }
    }
    if (!tensix) {
        doubt(e->agent, p);
    }
    return last;
}

static void send(struct chip_endpoint *e, struct chip_port *port, unsigned entry, uint64_t now)
{
    const struct noc_request *r = &port->queue[port->head];
    struct chip_packet *packet = &port->packet[entry];
    const struct chip_event event = {.stage = STAGE_ACT,
                                     .noc = r->noc,
                                     .entry = (uint8_t)entry,
                                     .number = (uint16_t)port->next,
                                     .cycle = r->cycle,
                                     .from = e->index,
                                     .sequence = r->sequence};
    packet->p = noc_packet_of(e->chip->arch, r, port->next);
    const struct noc_request *p = &packet->p;
    const uint32_t place = noc_mirrored(e->chip->arch, p->noc, noc_goes_to(p) & 0xFFFu);
    uint64_t last = now;
    noc_leave(&e->world, p, chip_packet_data(e, p->noc, entry));
    if (NOC_FLAG(p, MANY) != 0 && !reads(p)) {
        last = send_many(e, p, event, now);
    } else if (chip_at(e->chip, place) != NULL) {
        last = send_to(e, p, event, now, place);
    } else {
        e->world.finding(e->agent, p, NOC_FINDING_NO_ANSWER, place);
    }
    /* Whoever uses the entry last may do so anywhere in a window. */
    packet->release = last + 2 * CHIP_WINDOW;
    port->free_at = now + flits_out(e, p);
}

/* Sends what can leave in this cycle. */
static void pump(struct chip_endpoint *e, unsigned noc, uint64_t now)
{
    struct chip_port *port = port_of(e, noc);
    port->pumping = 0;
    while (port->count != 0) {
        unsigned entry = 0;
        for (unsigned i = 1; i < PORT_PACKETS; i++) {
            entry = port->packet[i].release < port->packet[entry].release ? i : entry;
        }
        const uint64_t free_at = port->packet[entry].release;
        if (port->free_at > now || free_at > now) {
            pump_at(e, noc, free_at > port->free_at ? free_at : port->free_at);
            return;
        }
        send(e, port, entry, now);
        if (++port->next == port->queue[port->head].packets) {
            e->niu[noc]->waiting[port->queue[port->head].initiator]--;
            port->head = (port->head + 1) % PORT_QUEUE;
            port->count--;
            port->next = 0;
        }
    }
}

/* ---- receivers ---- */

static void act(struct chip_endpoint *agent, const struct chip_event *event)
{
    tx_chip *chip = agent->chip;
    struct chip_endpoint *from = &chip->at[event->from];
    const struct chip_endpoint *at = &chip->at[event->at];
    const struct noc_request *p = &port_of(from, event->noc)->packet[event->entry].p;
    struct chip_event answer = *event;
    if (NOC_FLAG(p, MANY) != 0 && !reads(p)) {
        if (!noc_takes(chip->arch, at->niu[event->noc])) {
            return;
        }
        if (at->kind != TX_CHIP_TENSIX) {
            agent->world.finding(agent, p, NOC_FINDING_MCAST_RECEIVER, at->place);
        }
    }
    if (noc_act(&agent->world, p, at->place, chip_packet_data(from, event->noc, event->entry),
                &answer.result)) {
        const uint32_t place = noc_answer_place(&agent->world, p);
        const struct chip_endpoint *to = chip_at(chip, place);
        answer.stage = STAGE_ANSWER;
        answer.origin = (uint16_t)at->index;
        answer.due = event->due + back(chip, at, p, place);
        if (to != NULL) {
            answer.at = to->index;
            post(agent, &answer);
        }
    }
}

static void perform(struct chip_endpoint *agent, const struct chip_event *event)
{
    tx_chip *chip = agent->chip;
    struct chip_endpoint *at = &chip->at[event->at];
    chip_wake(chip, at);
    switch ((enum chip_stage)event->stage) {
    case STAGE_LEAVE:
        if (port_of(at, event->noc)->pumping == event->due) {
            pump(at, event->noc, event->due);
        }
        return;
    case STAGE_ACT:
        act(agent, event);
        return;
    default: {
        struct chip_endpoint *from = &chip->at[event->from];
        const struct chip_packet *packet = &port_of(from, event->noc)->packet[event->entry];
        noc_answer(&agent->world, &packet->p, chip_packet_data(from, event->noc, event->entry),
                   event->result);
        return;
    }
    }
}

/* ---- windows ---- */

/* Runs an agent to the end of the window. */
static void run_agent(struct chip_endpoint *agent)
{
    tx_chip *chip = agent->chip;
    const uint64_t end = chip->window_end;
    agent->now = chip->s.cycle;
    while (agent->now < end) {
        if (chip->awake[agent->index] == 0) {
            const uint64_t due = agent->inbox.count != 0 ? agent->inbox.list[0].due : end;
            if (due >= end) {
                break;
            }
            agent->now = due > agent->now ? due : agent->now;
        }
        while (agent->inbox.count != 0 && agent->inbox.list[0].due <= agent->now) {
            const struct chip_event event = heap_take(&agent->inbox);
            perform(agent, &event);
        }
        if (chip->awake[agent->index] != 0) {
            const enum tx_status status = chip_run_tile(chip, agent->index, 1);
            agent->status = status != TX_OK ? status : agent->status;
        }
        agent->now++;
    }
}

static void run_part(void *context, uint32_t part)
{
    tx_chip *chip = context;
    for (uint32_t i = part; i < chip->active_count; i += chip->executor.parts) {
        run_agent(&chip->at[chip->active[i]]);
    }
}

/* Finds the agents that do something before "end". Returns when the first of them does. */
static uint64_t find_active(tx_chip *chip, uint64_t end)
{
    uint64_t first = UINT64_MAX;
    chip->active_count = 0;
    for (uint32_t i = 0; i < chip->agents; i++) {
        const struct chip_endpoint *agent = &chip->at[chip->agent[i]];
        const bool awake = chip->awake[agent->index] != 0;
        const uint64_t due = awake                     ? chip->s.cycle
                             : agent->inbox.count != 0 ? agent->inbox.list[0].due
                                                       : UINT64_MAX;
        first = due < first ? due : first;
        if (due < end) {
            chip->active[chip->active_count++] = agent->index;
        }
    }
    return first;
}

/* Hands over what left in this window, in the order of the agents. */
static enum tx_status hand_over(tx_chip *chip)
{
    enum tx_status status = TX_OK;
    for (uint32_t i = 0; i < chip->active_count; i++) {
        struct chip_endpoint *agent = &chip->at[chip->active[i]];
        for (unsigned k = 0; k < agent->deferred_count; k++) {
            const struct chip_deferred *d = &agent->deferred[k];
            if (is_doubted_wrongly(agent, d)) {
                continue;
            }
            agent->world.finding(agent, &d->request, (enum noc_finding)d->finding, d->value);
        }
        agent->deferred_count = 0;
        if (agent->eth != NULL) {
            eth_report(agent->eth);
        }
        for (uint32_t k = 0; k < agent->outbox.count; k++) {
            const struct chip_event *e = &agent->outbox.list[k];
            if (!heap_put(&chip->at[e->at].agent->inbox, e)) {
                agent->status = TX_ENOMEM;
            }
        }
        agent->outbox.count = 0;
        status = agent->status != TX_OK ? agent->status : status;
        agent->status = TX_OK;
    }
    return status;
}

enum tx_status timed_run(tx_chip *chip, uint64_t cycles)
{
    const uint64_t end = chip->s.cycle + cycles;
    enum tx_status status = TX_OK;
    while (chip->s.cycle < end && status == TX_OK) {
        const uint64_t first = find_active(chip, chip->s.cycle + CHIP_WINDOW);
        if (first > chip->s.cycle) {
            chip->s.cycle = first < end ? first : end;
            continue;
        }
        const uint64_t window = chip->s.cycle + CHIP_WINDOW;
        chip->window_end = window < end ? window : end;
        chip->inside = true;
        if (chip->executor.run != NULL && chip->active_count > 1) {
            chip->executor.run(chip->executor.user, run_part, chip, chip->executor.parts);
        } else {
            for (uint32_t i = 0; i < chip->active_count; i++) {
                run_agent(&chip->at[chip->active[i]]);
            }
        }
        chip->inside = false;
        chip->s.cycle = chip->window_end;
        status = hand_over(chip);
    }
    return status;
}

bool timed_waits(const tx_chip *chip)
{
    for (uint32_t i = 0; i < chip->agents; i++) {
        if (chip->at[chip->agent[i]].inbox.count != 0) {
            return false;
        }
    }
    return true;
}

enum tx_status tx_chip_execute(tx_chip *chip, const struct tx_chip_executor *executor)
{
    if (executor != NULL && (executor->struct_size < sizeof *executor || executor->parts == 0 ||
                             executor->run == NULL)) {
        return TX_EINVAL;
    }
    chip->executor = executor != NULL ? *executor : (struct tx_chip_executor){.parts = 1};
    return TX_OK;
}

/* ---- life ---- */

/* Who acts for an endpoint. */
static struct chip_endpoint *agent_of(tx_chip *chip, struct chip_endpoint *e)
{
    const bool device = e->kind == TX_CHIP_ARC || e->kind == TX_CHIP_PCIE;
    for (uint32_t i = 0; i < chip->count && (device || e->kind == TX_CHIP_DRAM); i++) {
        struct chip_endpoint *other = &chip->at[i];
        /* Devices go to the bank that Wormhole's ARC tile reaches, too. */
        if (other->kind == TX_CHIP_DRAM && other->number == (device ? 0 : e->number)) {
            return other;
        }
    }
    return e;
}

bool timed_open(tx_chip *chip)
{
    const size_t packets = (size_t)chip->count * 2 * PORT_PACKETS;
    chip->executor.parts = 1;
    for (uint32_t i = 0; i < chip->count; i++) {
        struct chip_endpoint *e = &chip->at[i];
        e->agent = agent_of(chip, e);
        if (e->agent == e) {
            chip->agent[chip->agents++] = i;
        }
    }
    if (!chip->timed) {
        return true;
    }
    chip->ports = calloc(chip->count, sizeof *chip->ports);
    chip->data = calloc(packets, NOC_PACKET_BYTES);
    chip->events = calloc((size_t)chip->agents * (INBOX + OUTBOX), sizeof *chip->events);
    if (chip->ports == NULL || chip->data == NULL || chip->events == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < chip->agents; i++) {
        struct chip_endpoint *e = &chip->at[chip->agent[i]];
        struct chip_event *list = chip->events + (size_t)i * (INBOX + OUTBOX);
        e->inbox = (struct chip_events){.list = list, .room = INBOX};
        e->outbox = (struct chip_events){.list = list + INBOX, .room = OUTBOX};
    }
    return true;
}

void timed_close(tx_chip *chip)
{
    free(chip->ports);
    free(chip->data);
    free(chip->events);
}

void timed_reset(tx_chip *chip)
{
    for (uint32_t i = 0; i < chip->count && chip->timed; i++) {
        chip->at[i].inbox.count = chip->at[i].outbox.count = 0;
        chip->at[i].deferred_count = 0;
        memset(&chip->ports[i], 0, sizeof chip->ports[i]);
    }
}
