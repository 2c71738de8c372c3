/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests that take time. A packet leaves its sender, acts at each receiver and is answered in
 * cycles that the networks give (network.c). All agents run apart for a window of cycles that is
 * shorter than the shortest way between two of them, then what they have asked for is handed over
 * and the networks run. An agent takes the events of a cycle in an order that the events themselves
 * give, so that neither threads nor the division into windows can be seen.
 */
#include "base/check.h"
#include "chip/chip.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((uint32_t)CHIP_WINDOW *NET_TICKS <= 2 * NET_WH_NIU + NET_WH_HOP &&
                   (uint32_t)CHIP_WINDOW * NET_TICKS <= 2 * NET_BH_NIU + NET_BH_HOP,
               "nothing arrives within the window in which it left");
_Static_assert((int)NET_WH_FIRE == (int)NET_BH_FIRE && CHIP_SEEN > 0,
               "the networks need not look back");

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
    CHECK(h->count <= h->room, "events fit their list");
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
    CHECK(h->count != 0, "an event that is taken is there");
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

bool timed_deliver(tx_chip *chip, const struct chip_event *event)
{
    CHECK(event->at < chip->count, "an event is delivered to an endpoint");
    CHECK(event->stage <= STAGE_ASK, "an event is one of the stages of a packet");
    struct chip_endpoint *agent = chip->at[event->at].agent;
    chip->stirs[agent->index] = 1;
    return heap_put(&agent->inbox, event);
}

/* ---- events of an agent ---- */

static uint64_t present(const struct chip_endpoint *e)
{
    return e->chip->inside ? e->agent->now : e->chip->s.cycle;
}

/* Returns a place for a request, or PORT_QUEUE. */
static unsigned free_slot(const struct chip_port *port)
{
    unsigned slot = 0;
    while (slot < PORT_QUEUE && port->used[slot] != 0) {
        slot++;
    }
    return slot;
}

static bool is_busy(const struct chip_port *port, unsigned initiator)
{
    CHECK(initiator < NOC_INITIATORS, "who is busy is one of four initiators");
    bool busy = false;
    for (unsigned i = 0; i < PORT_QUEUE; i++) {
        busy = busy || (port->used[i] != 0 && port->queue[i].initiator == initiator);
    }
    return busy;
}

/*
 * The interface takes a request from its initiator at once, unless one before it still waits for
 * its first link: a channel that is free is assigned within a few cycles (cards: a loop of 17
 * cycles a request never waits).
 */
void timed_submit(void *user, struct noc_niu *niu, const struct noc_request *request)
{
    struct chip_endpoint *agent = user;
    const struct chip_endpoint *e = chip_at(agent->chip, niu->place);
    struct chip_port *port = &e->chip->ports[e->index][niu->noc];
    const unsigned slot = free_slot(port);
    if (slot == PORT_QUEUE) {
        agent->world.finding(agent, request, NOC_FINDING_MANY, request->control);
        return;
    }
    struct noc_request *r = &port->queue[slot];
    if (is_busy(port, request->initiator)) {
        port->behind[request->initiator]++;
        niu->waiting[request->initiator]++;
    }
    *r = *request;
    r->cycle = present(e);
    port->used[slot] = 1;
    const struct chip_event ask = {.stage = STAGE_ASK,
                                   .noc = niu->noc,
                                   .slot = (uint8_t)slot,
                                   .due = r->cycle + CHIP_FIRE,
                                   .from = e->index,
                                   .at = e->index};
    if (!e->chip->inside) {
        network_ask(e->chip, &ask);
    } else if (agent->outbox.count < agent->outbox.room) {
        agent->outbox.list[agent->outbox.count++] = ask;
    } else {
        agent->status = TX_ENOMEM;
    }
}

static void perform(struct chip_endpoint *agent, const struct chip_event *event)
{
    CHECK(event->due <= agent->now, "an event happens when it is due");
    chip_reach(agent->chip, &agent->chip->at[event->at]);
    switch ((enum chip_stage)event->stage) {
    case STAGE_LEAVE:
        network_leave(agent, event);
        return;
    case STAGE_ACT:
        network_act(agent, event);
        return;
    default:
        network_answer(agent, event);
        return;
    }
}

/* ---- windows ---- */

/* Runs an agent to the end of the window. */
static void run_agent(struct chip_endpoint *agent)
{
    CHECK(agent->agent == agent, "who runs in a window acts for itself");
    tx_chip *chip = agent->chip;
    const uint64_t end = chip->window_end;
    const struct chip_observer *seen = &chip->observer[agent->index];
    const bool rests =
        agent->tensix != NULL && agent->tensix->may_rest && (seen->cycle == NULL || seen->jumps);
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
        if (rests && seen->cycle == NULL && chip->awake[agent->index] != 0) {
            const uint64_t due = agent->inbox.count != 0 ? agent->inbox.list[0].due : end;
            const enum tx_status status =
                tile_alone(agent->tensix, &agent->now, due < end ? due : end);
            agent->status = status != TX_OK ? status : agent->status;
            if (agent->now >= end || agent->now >= due) {
                continue;
            }
        }
        if (chip->awake[agent->index] != 0) {
            const enum tx_status status = chip_run_tile(chip, agent->index, 1);
            agent->status = status != TX_OK ? status : agent->status;
            if (seen->cycle != NULL) {
                seen->cycle(seen->user, agent->tensix->s.cycle);
            }
        }
        agent->now++;
        if (rests && chip->awake[agent->index] != 0 && agent->now < end) {
            const uint64_t due = agent->inbox.count != 0 ? agent->inbox.list[0].due : end;
            const uint64_t rested =
                due > agent->now ? tile_rest(agent->tensix, (due < end ? due : end) - agent->now)
                                 : 0;
            agent->now += rested;
            if (rested != 0 && seen->cycle != NULL) {
                seen->cycle(seen->user, agent->tensix->s.cycle);
            }
        }
    }
}

static void run_part(void *context, uint32_t part)
{
    tx_chip *chip = context;
    for (uint32_t i = part; i < chip->active_count; i += chip->executor.parts) {
        run_agent(&chip->at[chip->active[i]]);
    }
}

/* Returns when an agent does something next; UINT64_MAX: not by itself. */
static uint64_t agent_due(const tx_chip *chip, const struct chip_endpoint *agent)
{
    return chip->awake[agent->index] != 0 ? chip->s.cycle
           : agent->inbox.count != 0      ? agent->inbox.list[0].due
                                          : UINT64_MAX;
}

/* Finds the agents that do something before "end". Returns when the first of them does. */
static uint64_t find_active(tx_chip *chip, uint64_t end)
{
    uint64_t first = UINT64_MAX;
    uint64_t some;
    chip->active_count = 0;
    for (uint32_t from = 0; from < chip->count; from += (uint32_t)sizeof some) {
        memcpy(&some, chip->stirs + from, sizeof some); /* which has a place for the last few */
        for (uint32_t i = from; some != 0 && i < from + sizeof some && i < chip->count; i++) {
            if (chip->stirs[i] == 0) {
                continue;
            }
            const uint64_t due = agent_due(chip, &chip->at[i]);
            chip->stirs[i] = due != UINT64_MAX;
            first = due < first ? due : first;
            if (due < end) {
                chip->active[chip->active_count++] = i;
            }
        }
    }
    return first;
}

/* Hands over what left in this window, in the order of the agents. */
static enum tx_status hand_over(tx_chip *chip)
{
    CHECK(!chip->inside, "packets are handed over between windows");
    enum tx_status status = TX_OK;
    for (uint32_t i = 0; i < chip->active_count; i++) {
        struct chip_endpoint *agent = &chip->at[chip->active[i]];
        for (unsigned k = 0; k < agent->deferred_count; k++) {
            const struct chip_deferred *d = &agent->deferred[k];
            agent->world.finding(agent, &d->request, (enum finding_kind)d->finding, d->value);
        }
        agent->deferred_count = 0;
        if (agent->eth != NULL) {
            eth_report(agent->eth);
        }
        for (uint32_t k = 0; k < agent->outbox.count; k++) {
            const struct chip_event *e = &agent->outbox.list[k];
            network_ask(chip, e);
        }
        agent->outbox.count = 0;
        status = agent->status != TX_OK ? agent->status : status;
        agent->status = TX_OK;
    }
    return status;
}

/* Nobody has missed anything while time jumped. */
static void check_jump(const tx_chip *chip)
{
    for (uint32_t i = 0; i < chip->agents; i++) {
        const struct chip_endpoint *agent = &chip->at[chip->agent[i]];
        CHECK(chip->stirs[agent->index] != 0 || agent_due(chip, agent) == UINT64_MAX,
              "an agent that does something is known to");
        CHECK(chip->awake[agent->index] == 0, "time jumps where everybody sleeps");
        CHECK(agent->inbox.count == 0 || agent->inbox.list[0].due >= chip->s.cycle,
              "time does not jump over what is due");
        CHECK(agent->outbox.count == 0, "time jumps where nothing waits to be handed over");
    }
}

enum tx_status timed_run(tx_chip *chip, uint64_t cycles)
{
    CHECK(!chip->inside, "a window is not run within another");
    CHECK(chip->timed, "windows are for requests that take time");
    const uint64_t end = chip->s.cycle + cycles;
    enum tx_status status = TX_OK;
    while (chip->s.cycle < end && status == TX_OK) {
        (void)network_run(chip, chip->s.cycle);
        uint64_t first = find_active(chip, chip->s.cycle + CHIP_WINDOW);
        if (first > chip->s.cycle) { /* nobody does anything before */
            first = network_run(chip, first < end ? first : end);
            chip->s.cycle = first < end ? first : end;
            check_jump(chip);
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
    return chip->net->events ==
           chip->net->clock.retries; /* broadcasts that cannot have their way */
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
    chip->events = calloc((size_t)chip->agents * (INBOX + OUTBOX), sizeof *chip->events);
    if (!network_open(chip) || chip->events == NULL) {
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
    network_close(chip);
    free(chip->events);
}

void timed_reset(tx_chip *chip)
{
    for (uint32_t i = 0; i < chip->count && chip->timed; i++) {
        chip->at[i].inbox.count = chip->at[i].outbox.count = 0;
        chip->at[i].deferred_count = 0;
    }
    if (chip->timed) {
        network_reset(chip);
    }
}
