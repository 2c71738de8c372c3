/* SPDX-License-Identifier: Apache-2.0 */
/* Events, virtual channels and links. The rules N1 to N10 are those of spec/chip-time.md 3. */
#include "isa/chip.h"
#include "base/check.h"
#include "noc/net.h"

#include <stdlib.h>
#include <string.h>

/* ---- packets ---- */

static uint32_t new_packet(struct net *net)
{
    uint32_t i = net->clock.spare;
    if (i != NET_NONE) {
        net->clock.spare = net->packet[i].next;
    } else {
        if (net->packets == net->room) {
            const uint32_t room = net->room == 0 ? 256 : 2 * net->room;
            struct net_packet *more = realloc(net->packet, room * sizeof *more);
            if (more == NULL) {
                net->failed = true;
                return NET_NONE;
            }
            net->packet = more;
            net->room = room;
        }
        i = net->packets++;
    }
    struct net_packet *p = &net->packet[i];
    memset(p, 0, sizeof *p);
    p->used = 1;
    p->request = p->next = NET_NONE;
    return i;
}

void net_drop(struct net *net, uint32_t packet)
{
    CHECK(packet < net->packets, "a packet that is dropped is one of the network's");
    CHECK(net->packet[packet].used != 0, "a packet that is dropped was in use");
    net->packet[packet].used = 0;
    net->packet[packet].next = net->clock.spare;
    net->clock.spare = packet;
}

/* ---- virtual channels and links: N2, N3 ---- */

static uint32_t depth(const struct net *net)
{
    return net->time[NET_VC_DEPTH];
}

static struct net_channel *channel_of(struct net *net, const struct net_packet *p, unsigned k)
{
    CHECK(k < p->links, "a packet goes over links of its way");
    CHECK(p->link[k] < NET_ALL, "a link is one of both networks");
    CHECK(p->channel < NET_CHANNELS && p->line[k] < 2,
          "a virtual channel is one of a link's, before or behind the edge");
    return &net->channel[p->link[k]][p->channel][p->line[k]];
}

/* Flits that a packet has waiting in a buffer at most. */
static uint32_t waiting(const struct net *net, const struct net_packet *p)
{
    return p->s.flits < depth(net) ? p->s.flits : depth(net);
}

static struct net_lane *lane_of(struct net *net, const struct net_packet *p, unsigned k)
{
    CHECK(p->lane[k] < 2, "a kind of packet may use one of two virtual channels");
    return &channel_of(net, p, k)->lane[p->lane[k]];
}

/* ---- what changes nothing unless somebody waits for it ---- */

static uint32_t number_of(const struct net *net, const struct net_channel *c)
{
    return (uint32_t)(c - &net->channel[0][0][0]);
}

/* A virtual channel will be let go. Only those that wait for it meanwhile need an event of it. */
static void let_later(struct net *net, const struct net_packet *p, unsigned k, uint64_t at)
{
    struct net_channel *c = channel_of(net, p, k);
    struct net_lane *lane = lane_of(net, p, k);
    const struct net_moment let = net_moment(net, at);
    CHECK(lane->held != 0 && lane->let.key == 0, "a virtual channel is let go once");
    if (c->first == NET_NONE && !net->whole) {
        lane->let = let;
    } else {
        net_post_at(net, let, NET_LET, 2 * number_of(net, c) + p->lane[k]);
    }
}

/* The buffer behind a link has more room. Only who asks for it in this tick can tell when. */
static void wake_later(struct net *net, struct net_channel *c, uint64_t at)
{
    const struct net_moment woken = net_moment(net, at);
    if (c->first == NET_NONE && !net->whole && (c->woken.key == 0 || net_is_over(net, c->woken))) {
        c->woken = woken;
    } else {
        net_post_at(net, woken, NET_WAKE, number_of(net, c));
    }
}

/* Somebody begins to wait for a link: what is still to come there becomes events. */
static void expect(struct net *net, struct net_channel *c)
{
    for (unsigned i = 0; i < 2; i++) {
        struct net_lane *lane = &c->lane[i];
        if (lane->let.key != 0 && !net_is_over(net, lane->let)) {
            net_post_at(net, lane->let, NET_LET, 2 * number_of(net, c) + i);
            lane->let.key = 0;
        }
    }
    if (c->woken.key != 0 && !net_is_over(net, c->woken)) {
        net_post_at(net, c->woken, NET_WAKE, number_of(net, c));
    }
    c->woken.key = 0;
}

/* N2: a packet that a buffer holds whole enters if nothing waits there, or in its first half. */
static bool has_room(const struct net *net, const struct net_packet *p, uint32_t flits)
{
    return p->s.flits >= depth(net) ? flits < depth(net)
                                    : flits == 0 || flits + p->s.flits <= depth(net) / 2;
}

/* Returns a virtual channel that the packet may have now; 2: none. */
static unsigned may_enter(const struct net *net, const struct net_packet *p, struct net_channel *c)
{
    const unsigned lanes = p->channel >= NET_DYNAMIC ? net->time[NET_VC_CHOICE] : 1;
    for (unsigned i = 0; i < lanes; i++) {
        struct net_lane *l = &c->lane[i];
        if (l->let.key != 0 && net_is_over(net, l->let)) {
            l->held = 0;
            l->let.key = 0;
        }
        const bool room = p->at + 1 == p->links || has_room(net, p, l->waiting);
        if (l->held == 0 && room) {
            return i;
        }
    }
    return 2;
}

/* Lets a link go when its body fits into the buffers ahead: N4, for a header that moves on. */
static void leave_behind(struct net *net, uint32_t i, uint64_t at)
{
    struct net_packet *p = &net->packet[i];
    while (p->held < p->at && p->s.flits <= depth(net) * (uint32_t)(p->at - p->held)) {
        let_later(net, p, p->held, net_later(p->tail[p->held], at));
        p->held++;
    }
}

/* The whole way is known: every link is let go when the tail has left it. */
static void leave_all(struct net *net, uint32_t i, uint64_t at)
{
    CHECK(net->packet[i].held <= net->packet[i].links, "a packet holds links of its way");
    struct net_packet *p = &net->packet[i];
    const unsigned last = p->links - 1u;
    const uint64_t end = p->tail[last];
    const uint64_t step = (uint64_t)depth(net) * net->time[NET_FLIT] + net->time[NET_HOP];
    for (unsigned k = p->held; k < last; k++) {
        const uint64_t ahead = step * (last - k);
        const bool fits = p->s.flits <= depth(net) * (last - k);
        const uint64_t blocked = !fits && end > ahead ? end - ahead : 0;
        let_later(net, p, k, net_later(net_later(p->tail[k], blocked), at));
    }
    p->held = (uint8_t)last;
    /* A request that is answered keeps its channel until the answer has left: N7. */
    if (p->answers || p->s.what == NET_WRITES || p->s.bank < NET_BANKS) {
        let_later(net, p, last, end);
    }
    net_post(net, end + net->time[NET_NIU], NET_ARRIVE, i, 0);
}

static uint64_t moved(const struct net *net, const struct net_send *s)
{
    const bool writes = s->what == NET_WRITES;
    const uint64_t kib = net->time[writes ? NET_DRAM_WRITE_KIB : NET_DRAM_READ_KIB];
    return s->bytes * kib / 1024 + (writes && s->bytes <= 64 ? net->time[NET_DRAM_SMALL] : 0);
}

/* Dynamic channels fill the buffers before a bank, and then crawl: D3. */
static uint64_t crawl(const struct net *net, const struct net_send *s)
{
    const struct net_turns *t = &net->turns[s->bank];
    bool others = false;
    for (unsigned i = 0; i < NET_PLACES && s->channel == NET_DYNAMIC; i++) {
        others = others || (t->under_way[i] != 0 && i != s->from);
    }
    return others ? net->time[NET_DRAM_DYNAMIC] : 1000;
}

static void ask(struct net *net, uint32_t i, uint64_t at);

/* A header leaves the buffer behind a link; the one behind it is next. */
static void move_on(struct net *net, uint32_t i, unsigned k, uint64_t at)
{
    CHECK(lane_of(net, &net->packet[i], k)->front == i,
          "the header that leaves a buffer is the first in it");
    struct net_packet *p = &net->packet[i];
    struct net_lane *lane = lane_of(net, p, k);
    lane->waiting -= waiting(net, p);
    lane->front = p->behind;
    if (lane->front != NET_NONE && net->packet[lane->front].ready) {
        net_post(net, at, NET_FRONT, lane->front, 0);
    }
    wake_later(net, channel_of(net, p, k), at);
}

static void enter(struct net *net, uint32_t i, struct net_lane *lane)
{
    struct net_packet *p = &net->packet[i];
    p->behind = NET_NONE;
    p->ready = 0;
    if (lane->front == NET_NONE) {
        lane->front = i;
    } else {
        net->packet[lane->back].behind = i;
    }
    lane->back = i;
}

static void grant(struct net *net, uint32_t i, uint64_t at)
{
    CHECK(lane_of(net, &net->packet[i], net->packet[i].at)->held == 0,
          "a virtual channel is granted when nobody holds it");
    struct net_packet *p = &net->packet[i];
    const unsigned k = p->at;
    const bool last = k + 1u == p->links;
    const bool slow = p->answers && k == 0 && p->s.bank == NET_BANKS;
    const uint64_t each = net->time[slow ? NET_READ_FLIT : NET_FLIT];
    uint64_t *busy = &net->busy[p->link[k]];
    struct net_lane *lane = lane_of(net, p, k);
    lane->held = 1;
    lane->waiting += last ? 0 : waiting(net, p);
    *busy = net_later(*busy, at) + p->s.flits * each;
    net->flits[p->link[k]] += p->s.flits;
    p->tail[k] = *busy;
    if (k != 0) {
        p->tail[k] = net_later(*busy, p->tail[k - 1] + net->time[k == 1 ? NET_NIU : NET_HOP]);
        move_on(net, i, k - 1, at);
    } else if (!p->answers) {
        const struct net_send s = p->s;
        net->calls.granted(net->calls.user, &s, at);
        p = &net->packet[i]; /* what is sent meanwhile may move them */
    }
    if (!last && p->s.flits < depth(net)) { /* the buffer has room for all of it */
        let_later(net, p, k, p->tail[k]);
        p->held = (uint8_t)(k + 1);
    }
    if (!last) {
        enter(net, i, lane_of(net, p, k));
        net_post(net, at + net->time[k == 0 ? NET_NIU : NET_HOP], NET_HEAD, i, 0);
        return;
    }
    if (!p->answers && p->s.what == NET_WRITES && p->s.bank < NET_BANKS) { /* D2 */
        struct net_bank *bank = &net->bank[p->s.bank];
        bank->free = net_later(bank->free, at) + moved(net, &p->s) * crawl(net, &p->s) / 1000;
        p->tail[k] = net_later(p->tail[k], bank->free);
    }
    leave_all(net, i, at);
}

/*
 * Who waits for a link is served in the order of the requests' age, an answer's being that of its
 * request. Inferred: with turns by port instead, masters near a receiver would end long before
 * those far from it, while on cards the median of masters ends with the last one (rows of many
 * masters; spec/chip-time.md D5).
 */
static void queue(struct net *net, struct net_channel *c, uint32_t i)
{
    struct net_packet *p = &net->packet[i];
    uint32_t *at = &c->first;
    if (c->first == NET_NONE) {
        expect(net, c);
    }
    while (*at != NET_NONE && net->packet[*at].s.at <= p->s.at) {
        at = &net->packet[*at].next;
    }
    p->next = *at;
    *at = i;
    c->last = p->next == NET_NONE ? i : c->last;
}

/* Asks for the link that is next. */
static void ask(struct net *net, uint32_t i, uint64_t at)
{
    struct net_packet *p = &net->packet[i];
    struct net_channel *c = channel_of(net, p, p->at);
    const unsigned lane = c->first == NET_NONE ? may_enter(net, p, c) : 2;
    if (lane < 2) {
        p->lane[p->at] = (uint8_t)lane;
        grant(net, i, at);
        return;
    }
    queue(net, c, i);
}

static void wake(struct net *net, uint32_t channel, uint64_t at)
{
    struct net_channel *c = &net->channel[0][0][0] + channel;
    while (c->first != NET_NONE) {
        const uint32_t i = c->first;
        const unsigned lane = may_enter(net, &net->packet[i], c);
        if (lane == 2) {
            return;
        }
        c->first = net->packet[i].next;
        net->packet[i].lane[net->packet[i].at] = (uint8_t)lane;
        grant(net, i, at);
    }
}

/* Lets a virtual channel go; "which": twice its link's number, and one of the two there. */
static void let_go(struct net *net, uint32_t which, uint64_t at)
{
    struct net_channel *c = &net->channel[0][0][0] + which / 2;
    CHECK(c->lane[which % 2].held != 0, "a virtual channel that is let go was held");
    c->lane[which % 2].held = 0;
    wake(net, which / 2, at);
}

/* ---- the far end: N6, N7, D1 ---- */

static void over(struct net *net, uint32_t i, uint64_t at)
{
    CHECK(net->packet[i].used != 0, "what is over was under way");
    const struct net_send s = net->packet[i].s;
    net_drop(net, i);
    net->calls.over(net->calls.user, &s, at);
}

/* Sends the answer of a request that has been served. */
static void reply(struct net *net, uint32_t i, uint64_t at)
{
    const uint32_t a = new_packet(net);
    if (a == NET_NONE) {
        return;
    }
    struct net_packet *p = &net->packet[a];
    const struct net_send *s = &net->packet[i].s;
    p->s = *s;
    p->s.flits = s->answer;
    p->answers = 1;
    p->channel = NET_ANSWERS;
    p->request = i;
    net_route(net, p, s->to, s->back);
    ask(net, a, at);
    if (net->packet[i].s.bank == NET_BANKS) {
        /* so that the next request stands ready when the answer has left */
        const uint64_t ahead = net->time[NET_NIU] + net->time[NET_FLIT];
        net_post(net, net->busy[net->packet[a].link[0]] - ahead, NET_REPLIED, i, 0);
    }
}

/* A bank serves those that wait for it, initiators in turn: D5. */
static void serve(struct net *net, uint32_t b, uint64_t at)
{
    struct net_bank *bank = &net->bank[b];
    uint32_t best = NET_NONE;
    uint32_t before_best = NET_NONE;
    uint32_t before_this = NET_NONE;
    for (uint32_t i = bank->first; i != NET_NONE; before_this = i, i = net->packet[i].next) {
        const uint32_t after = (net->packet[i].s.from + NET_PLACES - bank->turn - 1) % NET_PLACES;
        if (best == NET_NONE ||
            after < (net->packet[best].s.from + NET_PLACES - bank->turn - 1) % NET_PLACES) {
            best = i;
            before_best = before_this;
        }
    }
    if (best == NET_NONE || bank->free > at) {
        if (best != NET_NONE && bank->serving == 0) {
            bank->serving = 1;
            net_post(net, bank->free, NET_BANK, NET_NONE, b);
        }
        return;
    }
    const uint32_t next = net->packet[best].next;
    if (before_best == NET_NONE) {
        bank->first = next;
    } else {
        net->packet[before_best].next = next;
    }
    bank->last = bank->last == best ? before_best : bank->last;
    bank->turn = net->packet[best].s.from;
    bank->free = at + net_later(moved(net, &net->packet[best].s), net->time[NET_DRAM_EVERY]);
    net_post(net, at + net->time[NET_DRAM_READ], NET_REPLY, best, 0);
    if (bank->first != NET_NONE && bank->serving == 0) {
        bank->serving = 1;
        net_post(net, bank->free, NET_BANK, NET_NONE, b);
    }
}

static void wait_for_bank(struct net *net, uint32_t i, uint64_t at)
{
    struct net_bank *bank = &net->bank[net->packet[i].s.bank];
    net->packet[i].next = NET_NONE;
    if (bank->first == NET_NONE) {
        bank->first = i;
    } else {
        net->packet[bank->last].next = i;
    }
    bank->last = i;
    serve(net, net->packet[i].s.bank, at);
}

/* ---- who writes to a bank, evenly: D5 ---- */

enum { AHEAD = 1 };

/* Packets that the slowest of those has had served which have more under way. */
static uint32_t slowest(const struct net_turns *t)
{
    uint32_t least = UINT32_MAX;
    for (unsigned i = 0; i < NET_PLACES; i++) {
        least = t->under_way[i] != 0 && t->served[i] < least ? t->served[i] : least;
    }
    return least;
}

static bool is_even(const struct net_packet *p, uint32_t least)
{
    return least == UINT32_MAX || p->turn <= least + AHEAD;
}

/* Acknowledges a write to DRAM that has been served. */
static void acknowledge(struct net *net, uint32_t i, uint64_t at)
{
    const struct net_send *s = &net->packet[i].s;
    net_post(net,
             at + net->time[NET_DRAM_WRITE] + 2 * (uint64_t)net->time[NET_NIU] +
                 (uint64_t)net->time[NET_HOP] * net_hops(net, s->noc, s->to, s->back),
             NET_ACKED, i, s->to);
}

static void acknowledge_even(struct net *net, struct net_turns *t, uint64_t at)
{
    const uint32_t least = slowest(t);
    for (unsigned m = 0; m < NET_PLACES && t->held != 0; m++) {
        while (t->first[m] != NET_NONE && is_even(&net->packet[t->first[m]], least)) {
            const uint32_t i = t->first[m];
            t->first[m] = net->packet[i].next;
            t->held--;
            acknowledge(net, i, at);
        }
    }
}

/* A write begins its way to a bank. */
static void begin_turn(struct net *net, const struct net_send *s)
{
    struct net_turns *t = &net->turns[s->bank];
    const uint32_t least = slowest(t);
    if (t->under_way[s->from]++ == 0 && t->first[s->from] == NET_NONE) {
        t->served[s->from] = least == UINT32_MAX ? 0 : least;
    }
}

static void end_turn(struct net *net, uint32_t i, uint64_t at)
{
    struct net_packet *p = &net->packet[i];
    struct net_turns *t = &net->turns[p->s.bank];
    const uint32_t m = p->s.from;
    t->under_way[m]--;
    p->turn = ++t->served[m];
    p->next = NET_NONE;
    if (p->s.answer == 0) {
        over(net, i, at);
    } else if (t->first[m] == NET_NONE) {
        t->first[m] = t->last[m] = i;
        t->held++;
    } else {
        net->packet[t->last[m]].next = i;
        t->last[m] = i;
        t->held++;
    }
    acknowledge_even(net, t, at);
}

static void arrive(struct net *net, uint32_t i, uint64_t at)
{
    struct net_packet *p = &net->packet[i];
    const struct net_send s = p->s;
    const uint64_t end = net->time[NET_SERVE] + net->time[NET_END];
    if (p->answers) {
        const uint32_t request = p->request;
        net->calls.answered(net->calls.user, &s, s.to, at + end);
        net_drop(net, i);
        if (s.bank < NET_BANKS) {
            over(net, request, at + end);
        } else {
            net->calls.over(net->calls.user, &s, at + end);
        }
        return;
    }
    net->calls.arrived(net->calls.user, &s, s.to, at);
    if (s.what == NET_WRITES && s.bank < NET_BANKS) {
        end_turn(net, i, at);
    } else if (s.what == NET_WRITES) {
        if (s.answer == 0) {
            over(net, i, at);
            return;
        }
        net_post(net,
                 at + 2 * (uint64_t)net->time[NET_NIU] +
                     (uint64_t)net->time[NET_HOP] * net_hops(net, s.noc, s.to, s.back),
                 NET_ACKED, i, s.to);
    } else if (s.answer == 0 && s.bank < NET_BANKS) {
        over(net, i, at);
    } else if (s.answer == 0) { /* an atomic without an answer */
        net_post(net, at + net->time[NET_ATOMIC], NET_REPLIED, i, 1);
    } else if (s.bank < NET_BANKS) {
        wait_for_bank(net, i, at);
    } else {
        net_post(net, at + (s.what == NET_ATOMICS ? net->time[NET_ATOMIC] : 0), NET_REPLY, i, 0);
    }
}

/* An acknowledgement enters its initiator, one at a time. */
static void acked(struct net *net, uint32_t i, uint32_t place, uint64_t at)
{
    struct net_packet *p = &net->packet[i];
    const struct net_send s = p->s;
    uint64_t *busy = &net->busy[net_link(net, s.noc, s.back, NET_OUT)];
    *busy = net_later(*busy, at) + net->time[NET_ACK];
    const uint64_t end = *busy + net->time[NET_SERVE] + net->time[NET_END];
    net->calls.answered(net->calls.user, &s, place, end);
    if (s.what != NET_MANY) {
        over(net, i, end);
    } else if (--p->missing == 0) {
        over(net, i, end);
    }
}

/* The answer has left, so that the request's channel is free. Its packet ends here. */
static void replied(struct net *net, uint32_t i, bool alone, uint64_t at)
{
    struct net_packet *p = &net->packet[i];
    const unsigned last = p->links - 1u;
    const struct net_send s = p->s;
    let_go(net, 2 * number_of(net, channel_of(net, p, last)) + p->lane[last], at);
    net_drop(net, i);
    if (alone) {
        net->calls.over(net->calls.user, &s, at);
    }
}

/* ---- the public face ---- */

void net_send(struct net *net, const struct net_send *s)
{
    const uint32_t i = new_packet(net);
    if (i == NET_NONE) {
        return;
    }
    struct net_packet *p = &net->packet[i];
    p->s = *s;
    p->channel = s->channel;
    if (s->what != NET_MANY) {
        net_route(net, p, s->from, s->to);
    }
    const struct net_event e = {.at = net_later(s->at, net->clock.now),
                                .key = (uint64_t)s->from << 32 | (uint64_t)s->noc << 31 |
                                       (s->user[0] & 0x7FFFFFFFu),
                                .kind = NET_ASK,
                                .packet = i};
    net_put(net, &e);
}

void net_remind(struct net *net, uint64_t at, uint32_t what)
{
    net_post(net, at, NET_REMIND, NET_NONE, what);
}

uint64_t net_next(const struct net *net)
{
    return net->events == 0 ? UINT64_MAX : net->event[0].at;
}

void net_step(struct net *net)
{
    const struct net_event e = net_take(net);
    struct net_packet *p = e.packet == NET_NONE ? NULL : &net->packet[e.packet];
    net->clock.now = e.at;
    net->key = e.key;
    switch ((enum net_kind)e.kind) {
    case NET_ASK:
        if (p->s.what == NET_MANY) {
            net_many_ask(net, e.packet, e.at);
        } else {
            if (p->s.what == NET_WRITES && p->s.bank < NET_BANKS) {
                begin_turn(net, &p->s);
            }
            ask(net, e.packet, e.at);
        }
        return;
    case NET_HEAD:
        p->at++;
        p->ready = 1;
        leave_behind(net, e.packet, e.at);
        if (lane_of(net, p, p->at - 1u)->front == e.packet) {
            ask(net, e.packet, e.at);
        }
        return;
    case NET_FRONT:
        ask(net, e.packet, e.at);
        return;
    case NET_WAKE:
        wake(net, e.other, e.at);
        return;
    case NET_LET:
        let_go(net, e.other, e.at);
        return;
    case NET_ARRIVE:
        arrive(net, e.packet, e.at);
        return;
    case NET_REPLY:
        reply(net, e.packet, e.at);
        return;
    case NET_REPLIED:
        replied(net, e.packet, e.other != 0, e.at);
        return;
    case NET_ACKED:
        acked(net, e.packet, e.other, e.at);
        return;
    case NET_BANK:
        net->bank[e.other].serving = 0;
        serve(net, e.other, e.at);
        return;
    case NET_RETRY:
        net->clock.retries--;
        net_many_ask(net, e.packet, e.at);
        return;
    case NET_DATA:
        net_many_data(net, e.packet, e.at);
        return;
    case NET_REMIND:
        net->calls.reminded(net->calls.user, e.other, e.at);
        return;
    case NET_NEXT:
        net_many_next(net, e.other, e.at);
        return;
    }
}

void net_clear(struct net *net)
{
    for (uint32_t i = 0; i < NET_PORTS; i++) {
        free(net->tree[i]);
        net->tree[i] = NULL;
    }
    memset(net->busy, 0, sizeof net->busy);
    memset(net->flits, 0, sizeof net->flits);
    memset(net->bank, 0, sizeof net->bank);
    memset(net->turns, 0, sizeof net->turns);
    for (uint32_t i = 0; i < NET_BANKS; i++) {
        net->bank[i].first = net->bank[i].last = NET_NONE;
        memset(net->turns[i].first, 0xFF, sizeof net->turns[i].first);
    }
    struct net_channel *c = &net->channel[0][0][0];
    for (uint32_t i = 0; i < sizeof net->channel / sizeof *c; i++) {
        const struct net_lane none = {.front = NET_NONE, .back = NET_NONE};
        c[i] = (struct net_channel){.first = NET_NONE, .last = NET_NONE, .lane = {none, none}};
    }
    net->packets = net->events = net->clock.retries = 0;
    net->clock.spare = NET_NONE;
    net->clock.sequence = net->clock.now = 0;
    net->failed = false;
}

struct net *net_open(enum tx_arch arch, const struct net_calls *calls)
{
    struct net *net = calloc(1, sizeof *net);
    if (net == NULL) {
        return NULL;
    }
    net->calls = *calls;
    net->arch = arch;
    net->columns = NUMBER_OF(arch, NOC_COLUMNS);
    net->rows = NUMBER_OF(arch, NOC_ROWS);
    for (unsigned i = 0; i < NET_TIMES; i++) {
        net->time[i] = net_time_default(arch, (enum net_time)i);
    }
    net_clear(net);
    return net;
}

void net_close(struct net *net)
{
    if (net != NULL) {
        net_clear(net);
        free(net->packet);
        free(net->event);
        free(net);
    }
}
