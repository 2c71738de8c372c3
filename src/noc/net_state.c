/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the networks as bytes, and whether bytes can be one. */
#include "noc/net.h"

#include <stdlib.h>

void net_parts(struct net *net, struct net_part part[NET_PARTS])
{
    const struct net_part all[NET_PARTS] = {
        {(uint8_t *)net->time, sizeof net->time},
        {(uint8_t *)net->busy, sizeof net->busy},
        {(uint8_t *)net->flits, sizeof net->flits},
        {(uint8_t *)net->channel, sizeof net->channel},
        {(uint8_t *)net->bank, sizeof net->bank},
        {(uint8_t *)net->turns, sizeof net->turns},
        {(uint8_t *)&net->clock, sizeof net->clock},
        {(uint8_t *)net->packet, net->packets * sizeof *net->packet},
        {(uint8_t *)net->event, net->events * sizeof *net->event},
    };
    for (unsigned i = 0; i < NET_PARTS; i++) {
        part[i] = all[i];
    }
}

bool net_make(struct net *net, uint32_t packets, uint32_t events)
{
    enum { MOST = 1 << 22 };
    net_clear(net);
    if (packets > MOST || events > MOST) {
        return false;
    }
    struct net_packet *p = realloc(net->packet, (packets + 1u) * sizeof *p);
    net->packet = p != NULL ? p : net->packet;
    net->room = p != NULL ? packets + 1u : net->room;
    struct net_event *e = realloc(net->event, (events + 1u) * sizeof *e);
    net->event = e != NULL ? e : net->event;
    net->event_room = e != NULL ? events + 1u : net->event_room;
    net->packets = p != NULL ? packets : 0;
    net->events = e != NULL ? events : 0;
    return p != NULL && e != NULL;
}

static uint64_t sum_of(uint64_t sum, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        sum = (sum ^ bytes[i]) * 0x100000001B3u; /* FNV-1a */
    }
    return sum;
}

uint64_t net_sum(struct net *net)
{
    struct net_part part[NET_PARTS];
    uint64_t sum = 0xCBF29CE484222325u;
    net_parts(net, part);
    for (unsigned i = 0; i < NET_PARTS; i++) {
        sum = sum_of(sum, part[i].bytes, part[i].size);
    }
    for (uint32_t i = 0; i < NET_PORTS; i++) {
        if (net->tree[i] != NULL) {
            sum = sum_of(sum, (const uint8_t *)net->tree[i], sizeof *net->tree[i]);
        }
    }
    return sum;
}

/* ---- what leads somewhere ---- */

static bool is_packet(const struct net *net, uint32_t i)
{
    return i == NET_NONE || i < net->packets;
}

static bool valid_packet(const struct net *net, const struct net_packet *p)
{
    const uint32_t places = net->columns * net->rows;
    bool good = p->s.from < places && p->s.to < places && p->s.back < places && p->s.noc < 2 &&
                p->s.bank <= NET_BANKS && p->channel < NET_CHANNELS && p->links <= NET_PATH &&
                p->at <= p->links && p->held <= p->links && is_packet(net, p->request) &&
                is_packet(net, p->next) && is_packet(net, p->behind);
    for (unsigned k = 0; k < p->links && good; k++) {
        good = p->link[k] < NET_ALL && p->line[k] < 2 && p->lane[k] < 2;
    }
    return good;
}

static bool valid_tree(const struct net *net, const struct net_tree *t)
{
    bool good = t->links <= NET_PLACES * NET_LINKS && is_packet(net, t->packet) &&
                is_packet(net, t->waiting);
    for (unsigned k = 0; k < t->links && good; k++) {
        good = t->link[k] < NET_ALL && (t->parent[k] < k || t->parent[k] == UINT16_MAX);
    }
    return good;
}

static bool valid_event(const struct net *net, const struct net_event *e)
{
    const uint32_t lines = sizeof net->channel / sizeof(struct net_channel);
    const uint32_t others[] = {
        [NET_WAKE] = lines,     [NET_LET] = 2 * lines,    [NET_BANK] = NET_BANKS,
        [NET_NEXT] = NET_PORTS, [NET_ACKED] = NET_PLACES, [NET_REMIND] = NET_PORTS};
    const bool free = e->kind == NET_BANK || e->kind == NET_NEXT || e->kind == NET_REMIND ||
                      e->kind == NET_LET || e->kind == NET_WAKE;
    const bool bounded = e->kind < sizeof others / sizeof *others && others[e->kind] != 0;
    return e->kind <= NET_REMIND && (free || e->packet < net->packets) &&
           (!bounded || e->other < others[e->kind]) &&
           (e->kind != NET_NEXT || net->tree[e->other] != NULL);
}

bool net_valid(const struct net *net)
{
    const struct net_channel *c = &net->channel[0][0][0];
    bool good = is_packet(net, net->clock.spare);
    for (unsigned i = 0; i < NET_TIMES && good; i++) {
        good = net_time_may(net->arch, (enum net_time)i, net->time[i]);
    }
    for (size_t i = 0; i < sizeof net->channel / sizeof *c && good; i++) {
        good = is_packet(net, c[i].first) && is_packet(net, c[i].last);
        for (unsigned k = 0; k < 2; k++) {
            good = good && is_packet(net, c[i].lane[k].front) && is_packet(net, c[i].lane[k].back);
        }
    }
    for (unsigned i = 0; i < NET_BANKS && good; i++) {
        good = is_packet(net, net->bank[i].first) && is_packet(net, net->bank[i].last) &&
               net->bank[i].turn < NET_PLACES;
    }
    for (unsigned i = 0; i < NET_BANKS * NET_PLACES && good; i++) {
        const struct net_turns *t = &net->turns[i / NET_PLACES];
        good = is_packet(net, t->first[i % NET_PLACES]) &&
               (t->first[i % NET_PLACES] == NET_NONE || t->last[i % NET_PLACES] < net->packets);
    }
    for (uint32_t i = 0; i < net->packets && good; i++) {
        good = net->packet[i].used == 0 ? is_packet(net, net->packet[i].next)
                                        : valid_packet(net, &net->packet[i]);
    }
    for (uint32_t i = 0; i < NET_PORTS && good; i++) {
        good = net->tree[i] == NULL || valid_tree(net, net->tree[i]);
    }
    for (uint32_t i = 0; i < net->events && good; i++) {
        good = valid_event(net, &net->event[i]);
    }
    return good;
}
