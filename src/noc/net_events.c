/* SPDX-License-Identifier: Apache-2.0 */
/* Events of the networks, a heap in which each has four below it: half as deep as one of two. */
#include "noc/net.h"

#include <stdlib.h>

enum { BELOW = 4 };

static bool before(const struct net_event *a, const struct net_event *b)
{
    return a->at != b->at ? a->at < b->at : a->key < b->key;
}

void net_put(struct net *net, const struct net_event *e)
{
    if (net->events == net->event_room) {
        const uint32_t room = net->event_room == 0 ? 1024 : 2 * net->event_room;
        struct net_event *more = realloc(net->event, room * sizeof *more);
        if (more == NULL) {
            net->failed = true;
            return;
        }
        net->event = more;
        net->event_room = room;
    }
    uint32_t i = net->events++;
    while (i != 0 && before(e, &net->event[(i - 1) / BELOW])) {
        net->event[i] = net->event[(i - 1) / BELOW];
        i = (i - 1) / BELOW;
    }
    net->event[i] = *e;
}

struct net_event net_take(struct net *net)
{
    struct net_event *list = net->event;
    const struct net_event first = list[0];
    const struct net_event last = list[--net->events];
    const uint32_t events = net->events;
    uint32_t i = 0;
    for (;;) {
        uint32_t child = BELOW * i + 1;
        if (child >= events) {
            break;
        }
        const uint32_t end = events - child < BELOW ? events : child + BELOW;
        for (uint32_t k = child + 1; k < end; k++) {
            child = before(&list[k], &list[child]) ? k : child;
        }
        if (!before(&list[child], &last)) {
            break;
        }
        list[i] = list[child];
        i = child;
    }
    list[i] = last;
    return first;
}
