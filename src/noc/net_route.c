/* SPDX-License-Identifier: Apache-2.0 */
/* The links of a packet: NoC 0 goes right, then down; NoC 1 up, then left; both around the edges.
 */
#include "noc/net.h"
#include "base/check.h"

uint32_t net_hops(const struct net *net, unsigned noc, uint32_t from, uint32_t to)
{
    CHECK(noc < 2, "there are two networks");
    CHECK(from < NET_PLACES && to < NET_PLACES, "hops lie between places of the grid");
    const uint32_t w = net->columns;
    const uint32_t h = net->rows;
    const uint32_t x = (to % w + w - from % w) % w;
    const uint32_t y = (to / w + h - from / w) % h;
    return noc == 0 ? x + y : (w - x) % w + (h - y) % h;
}

static void net_route_add(struct net_packet *p, uint32_t link, bool line)
{
    CHECK(p->links < NET_PATH, "a way has no more links than the grid allows");
    CHECK(link < NET_ALL, "a way leads over links of the networks");
    p->link[p->links] = (uint16_t)link;
    p->line[p->links++] = line;
}

/* Goes along one axis. Gives whether it went over the edge. */
static uint32_t along(const struct net *net, struct net_packet *p, uint32_t at, uint32_t to,
                      enum net_direction axis, bool *over)
{
    const unsigned noc = p->s.noc;
    const uint32_t step = axis == NET_X ? 1 : net->columns;
    const uint32_t size = axis == NET_X ? net->columns : net->rows;
    const uint32_t goal = to / step % size;
    const uint32_t edge = noc == 0 ? 0 : size - 1;
    uint32_t n = at / step % size;
    const uint32_t first = at - n * step;
    bool line = false;
    while (n != goal) {
        net_route_add(p, net_link(net, noc, first + n * step, axis), line);
        n = noc == 0 ? n + 1 : n - 1;
        n = n < size ? n : edge; /* below 0 it is past the size, too */
        line = line || n == edge;
    }
    *over = line;
    return first + n * step;
}

void net_route(const struct net *net, struct net_packet *p, uint32_t from, uint32_t to)
{
    const bool x_first = p->s.noc == 0;
    bool line = false;
    p->links = 0;
    net_route_add(p, net_link(net, p->s.noc, from, NET_IN), false);
    const uint32_t turn = along(net, p, from, to, x_first ? NET_X : NET_Y, &line);
    (void)along(net, p, turn, to, x_first ? NET_Y : NET_X, &line);
    net_route_add(p, net_link(net, p->s.noc, to, NET_OUT), line);
}
