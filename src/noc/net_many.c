/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Broadcasts: a way is reserved, then the data go over all of its links; ways that share a link
 * exclude each other. The rules M1 to M7 are those of spec/chip-time.md 4.
 */
#include "noc/net.h"
#include "base/check.h"

#include <stdlib.h>
#include <string.h>

static uint32_t port_of(const struct net_send *s)
{
    return s->noc * (uint32_t)NET_PLACES + s->from;
}

struct net_tree *net_tree_at(struct net *net, uint32_t port)
{
    CHECK(port < NET_PORTS, "a broadcast has an interface of its own");
    if (net->tree[port] == NULL) {
        net->tree[port] = calloc(1, sizeof *net->tree[port]);
        if (net->tree[port] == NULL) {
            net->failed = true;
            return NULL;
        }
        net->tree[port]->packet = net->tree[port]->waiting = NET_NONE;
        net->tree[port]->random = port * 2654435761u + 1u;
    }
    return net->tree[port];
}

/* ---- the way ---- */

static void plant(struct net *net, struct net_tree *t, const struct net_send *s)
{
    const uint32_t first = net_link(net, s->noc, 0, NET_IN);
    struct net_packet way = {.s = *s};
    uint16_t place_of[NET_PLACES * NET_LINKS];
    t->links = t->receivers = 0;
    memset(t->set, 0, sizeof t->set);
    for (uint32_t to = net->calls.receiver(net->calls.user, s, NET_NONE); to != NET_NONE;
         to = net->calls.receiver(net->calls.user, s, to)) {
        uint16_t parent = UINT16_MAX;
        net_route(net, &way, s->from, to);
        t->receivers++;
        for (unsigned k = 0; k < way.links; k++) {
            const uint32_t n = way.link[k] - first;
            if (!bits_has(t->set[n / 32], n % 32)) {
                t->set[n / 32] |= 1u << n % 32;
                t->link[t->links] = way.link[k];
                t->parent[t->links] = parent;
                place_of[n] = t->links++;
            }
            parent = place_of[n];
        }
    }
}

/* Returns whether another way that is held has a link of this one. */
static bool blocked(const struct net *net, const struct net_tree *t, uint32_t port, uint64_t at)
{
    const uint32_t first = port / NET_PLACES * NET_PLACES;
    for (uint32_t i = first; i < first + NET_PLACES; i++) {
        const struct net_tree *o = net->tree[i];
        if (o == NULL || i == port || (o->held == 0 && o->until <= at)) {
            continue;
        }
        for (unsigned k = 0; k < sizeof t->set / sizeof *t->set; k++) {
            if ((o->set[k] & t->set[k]) != 0) {
                return true;
            }
        }
    }
    return false;
}

/* ---- turns ---- */

static uint64_t net_many_again(const struct net *net, struct net_tree *t)
{
    uint64_t most = (uint64_t)net->time[NET_BACKOFF] << (t->tries < 16 ? t->tries : 16);
    most = most < net->time[NET_BACKOFF_MOST] ? most : net->time[NET_BACKOFF_MOST];
    t->tries++;
    t->random ^= t->random << 13;
    t->random ^= t->random >> 17;
    t->random ^= t->random << 5;
    return 1 + t->random % (most == 0 ? 1 : most);
}

/*
 * M2: a reservation goes out and back. On its way out it is quicker than data, so that it stays
 * behind the tail of the broadcast that the sender has sent before; the last hop of that one is
 * the one to the last receiver.
 */
static uint64_t reservation(const struct net *net, const struct net_tree *t, unsigned depth,
                            uint64_t at)
{
    const uint64_t way = (uint64_t)depth * net->time[NET_RESERVE_HOP];
    const uint64_t gone = net_later(t->until, at + net->time[NET_HOP]) - net->time[NET_HOP];
    return net->time[NET_RESERVE] + net_later(way, gone - at) + way;
}

/* The packet whose turn it is reserves its way, or tries later. */
static void reserve(struct net *net, uint32_t port, uint64_t at)
{
    CHECK(port < NET_PORTS, "links are reserved for one interface");
    struct net_tree *t = net->tree[port];
    const struct net_send *s = &net->packet[t->packet].s;
    if (t->held != 0) { /* linked: the way is there */
        net_post(net, at, NET_DATA, t->packet, 0);
        return;
    }
    plant(net, t, s);
    if (s->reserves != 0 && blocked(net, t, port, at)) {
        net->clock.retries++;
        net_post(net, at + net_many_again(net, t), NET_RETRY, t->packet, 0);
        return;
    }
    t->held = 1;
    t->tries = 0;
    net_post(net, at + (s->reserves != 0 ? reservation(net, t, s->depth, at) : 0), NET_DATA,
             t->packet, 0);
}

/* One more waits at most until the one before has left; its initiator is not free meanwhile. */
void net_many_ask(struct net *net, uint32_t packet, uint64_t at)
{
    CHECK(net->packet[packet].s.what == NET_MANY, "who asks for a tree is a broadcast");
    const struct net_send s = net->packet[packet].s;
    const uint32_t port = port_of(&s);
    struct net_tree *t = net_tree_at(net, port);
    if (t == NULL) {
        return;
    }
    if (t->packet == packet) {
        reserve(net, port, at);
    } else if (t->packet != NET_NONE) {
        net->packet[packet].next = NET_NONE;
        if (t->waiting == NET_NONE) {
            t->waiting = packet;
        } else {
            uint32_t last = t->waiting;
            while (net->packet[last].next != NET_NONE) {
                last = net->packet[last].next;
            }
            net->packet[last].next = packet;
        }
    } else {
        t->packet = packet;
        net->calls.granted(net->calls.user, &s, at);
        reserve(net, port, at);
    }
}

void net_many_next(struct net *net, uint32_t port, uint64_t at)
{
    CHECK(port < NET_PORTS, "the next broadcast is one interface's");
    struct net_tree *t = net->tree[port];
    t->packet = NET_NONE;
    if (t->linked == 0) {
        t->held = 0;
    }
    if (t->waiting != NET_NONE) {
        const uint32_t packet = t->waiting;
        t->waiting = net->packet[packet].next;
        net_many_ask(net, packet, at);
    }
}

void net_many_data(struct net *net, uint32_t packet, uint64_t at)
{
    CHECK(net->packet[packet].s.what == NET_MANY, "data on a tree are a broadcast's");
    struct net_packet *p = &net->packet[packet];
    const struct net_send s = p->s;
    struct net_tree *t = net->tree[port_of(&s)];
    uint64_t start[NET_PLACES * NET_LINKS];
    uint64_t tail[NET_PLACES * NET_LINKS];
    const uint64_t body = (uint64_t)s.flits * net->time[NET_FLIT];
    uint64_t last = at;
    p->missing = s.answer != 0 ? t->receivers : 0;
    for (unsigned k = 0; k < t->links; k++) {
        const unsigned up = t->parent[k];
        uint64_t *busy = &net->busy[t->link[k]];
        uint64_t head = at;
        if (up != UINT16_MAX) {
            head = start[up] + net->time[t->parent[up] == UINT16_MAX ? NET_NIU : NET_HOP];
        }
        start[k] = net_later(head, *busy);
        *busy = start[k] + body;
        net->flits[t->link[k]] += s.flits;
        tail[k] = up == UINT16_MAX ? *busy : net_later(*busy, tail[up] + net->time[NET_HOP]);
        last = net_later(last, tail[k]);
        if (t->link[k] % NET_LINKS == NET_OUT) {
            const uint32_t place = t->link[k] / NET_LINKS % NET_PLACES;
            const uint64_t there = tail[k] + net->time[NET_NIU];
            net->calls.arrived(net->calls.user, &s, place, there);
            if (s.answer != 0) {
                net_post(net,
                         there + 2 * (uint64_t)net->time[NET_NIU] +
                             (uint64_t)net->time[NET_HOP] * net_hops(net, s.noc, place, s.back),
                         NET_ACKED, packet, place);
            }
        }
    }
    t->until = last;
    t->linked = s.linked;
    t->sent = t->links != 0 ? tail[0] : at;
    net_post(net, t->sent, NET_NEXT, NET_NONE, port_of(&s));
    if (p->missing == 0) {
        net_drop(net, packet);
        net->calls.over(net->calls.user, &s, last + net->time[NET_NIU]);
    }
}
