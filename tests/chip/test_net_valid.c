/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes of a snapshot that cannot be a network: each number that leads somewhere, at the last value
 * that is there and at the first one that is not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "noc/net.h"

enum { PACKETS = 3, EVENTS = 2 };

static struct net *opened(enum tx_arch arch)
{
    static const struct net_calls calls = {.user = NULL};
    struct net *net = net_open(arch, &calls);
    assert_non_null(net);
    assert_true(net_make(net, PACKETS, EVENTS));
    memset(net->packet, 0, PACKETS * sizeof *net->packet);
    memset(net->event, 0, EVENTS * sizeof *net->event);
    net->packet[1].used = 1;
    net->packet[1].links = 2;
    struct net_tree *tree = net_tree_at(net, NET_PORTS - 1);
    assert_non_null(tree);
    tree->links = 2;
    memset(tree->parent, 0xFF, sizeof tree->parent);
    assert_true(net_valid(net));
    return net;
}

static void put(void *to, size_t size, uint32_t value)
{
    const uint8_t byte = (uint8_t)value;
    const uint16_t half = (uint16_t)value;
    memcpy(to, size == 1 ? (const void *)&byte : size == 2 ? (const void *)&half : &value, size);
}

struct check {
    const struct net *net;
    const char *name;
    void *field;
    size_t size;
};

static void is(const struct check *c, uint32_t value, bool valid)
{
    uint8_t before[4];
    memcpy(before, c->field, c->size);
    put(c->field, c->size, value);
    if (net_valid(c->net) != valid) {
        fail_msg("%s of %u is %staken", c->name, value, valid ? "not " : "");
    }
    memcpy(c->field, before, c->size);
}

#define FIELD(f) (&(const struct check){net, #f, &(f), sizeof(f)})
#define BELOW(f, end)                 \
    do {                              \
        is(FIELD(f), (end)-1u, true); \
        is(FIELD(f), (end), false);   \
    } while (0)
/* The number of a packet; where there is none, NET_NONE says so. */
#define PACKET(f)                     \
    do {                              \
        BELOW(f, PACKETS);            \
        is(FIELD(f), NET_NONE, true); \
    } while (0)

static void test_packets(void **state)
{
    (void)state;
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        struct net *net = opened(arch);
        struct net_packet *p = &net->packet[1];
        const uint32_t places = net->columns * net->rows;
        BELOW(p->s.from, places);
        BELOW(p->s.to, places);
        BELOW(p->s.back, places);
        BELOW(p->s.noc, 2u);
        BELOW(p->s.bank, NET_BANKS + 1u);
        BELOW(p->channel, (uint32_t)NET_CHANNELS);
        BELOW(p->links, NET_PATH + 1u);
        BELOW(p->at, 3u);
        BELOW(p->held, 3u);
        PACKET(p->request);
        PACKET(p->next);
        PACKET(p->behind);
        for (unsigned k = 0; k < 2; k++) {
            BELOW(p->link[k], (uint32_t)NET_ALL);
            BELOW(p->line[k], 2u);
            BELOW(p->lane[k], 2u);
        }
        is(FIELD(p->link[2]), NET_ALL, true); /* behind its last link */
        PACKET(net->packet[0].next);
        is(FIELD(net->packet[0].s.from), places, true); /* which is not used */
        net_close(net);
    }
}

static void test_trees(void **state)
{
    (void)state;
    struct net *net = opened(TX_BLACKHOLE);
    struct net_tree *t = net->tree[NET_PORTS - 1];
    BELOW(t->links, NET_PLACES * NET_LINKS + 1u);
    PACKET(t->packet);
    PACKET(t->waiting);
    BELOW(t->link[0], (uint32_t)NET_ALL);
    BELOW(t->link[1], (uint32_t)NET_ALL);
    is(FIELD(t->link[2]), NET_ALL, true);
    is(FIELD(t->parent[0]), 0, false); /* before a branch comes what it branches off from */
    BELOW(t->parent[1], 1u);
    net_close(net);
}

static void test_events(void **state)
{
    static const struct {
        uint32_t kind, others; /* 0: no number of anything */
        bool packet;
    } rows[] = {
        {NET_WAKE, NET_ALL * NET_CHANNELS * 2, false},
        {NET_LET, NET_ALL * NET_CHANNELS * 2 * 2, false},
        {NET_ARRIVE, 0, true},
        {NET_REPLY, 0, true},
        {NET_REPLIED, 0, true},
        {NET_ACKED, NET_PLACES, true},
        {NET_BANK, NET_BANKS, false},
        {NET_RETRY, 0, true},
        {NET_DATA, 0, true},
        {NET_NEXT, NET_PORTS, false},
        {NET_REMIND, NET_PORTS, false},
    };
    (void)state;
    struct net *net = opened(TX_BLACKHOLE);
    struct net_event *e = &net->event[EVENTS - 1];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        *e = (struct net_event){.kind = rows[i].kind};
        e->other = e->kind == NET_NEXT ? NET_PORTS - 1 : 0; /* the tree that is there */
        is(FIELD(e->packet), PACKETS - 1, true);
        is(FIELD(e->packet), PACKETS, !rows[i].packet);
        if (rows[i].others != 0) {
            BELOW(e->other, rows[i].others);
        } else {
            is(FIELD(e->other), UINT32_MAX, true);
        }
    }
    *e = (struct net_event){.kind = NET_REMIND};
    is(FIELD(e->kind), NET_REMIND + 1, false);
    is(FIELD(e->kind), NET_NEXT, false); /* at a port that has no tree */
    net_close(net);
}

static void test_places(void **state)
{
    (void)state;
    struct net *net = opened(TX_BLACKHOLE);
    PACKET(net->clock.spare);
    PACKET(net->channel[NET_ALL - 1][NET_CHANNELS - 1][1].first);
    PACKET(net->channel[NET_ALL - 1][NET_CHANNELS - 1][1].last);
    for (unsigned k = 0; k < 2; k++) {
        PACKET(net->channel[0][0][0].lane[k].front);
        PACKET(net->channel[0][0][0].lane[k].back);
    }
    PACKET(net->bank[NET_BANKS - 1].first);
    PACKET(net->bank[NET_BANKS - 1].last);
    BELOW(net->bank[NET_BANKS - 1].turn, (uint32_t)NET_PLACES);
    struct net_turns *t = &net->turns[NET_BANKS - 1];
    t->last[NET_PLACES - 1] = 0;
    PACKET(t->first[NET_PLACES - 1]);
    t->first[NET_PLACES - 1] = 0;
    BELOW(t->last[NET_PLACES - 1], PACKETS);
    is(FIELD(t->last[NET_PLACES - 1]), NET_NONE, false); /* there is a first one */
    t->first[NET_PLACES - 1] = NET_NONE;
    is(FIELD(t->last[NET_PLACES - 1]), NET_NONE, true);
    net_close(net);
}

/* A time is one that the table allows; when a request fires cannot be changed. */
static void test_times(void **state)
{
    static const struct {
        uint32_t least, most;
    } limits[NET_TIMES] = {
#define NOC_TIME(ID, name, wh, bh, least, most, what, why) {least, most},
#include "isa/noc_times.def"
    };
    (void)state;
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        struct net *net = opened(arch);
        for (unsigned i = 0; i < NET_TIMES; i++) {
            if (i == NET_FIRE || limits[i].most == 0) {
                is(FIELD(net->time[i]), net->time[i] + 1, false);
                continue;
            }
            is(FIELD(net->time[i]), limits[i].least, true);
            is(FIELD(net->time[i]), limits[i].most, true);
            is(FIELD(net->time[i]), limits[i].most + 1, false);
            if (limits[i].least != 0) {
                is(FIELD(net->time[i]), limits[i].least - 1, false);
            }
        }
        net_close(net);
    }
}

/* A snapshot cannot ask for more room than any network has. */
static void test_room(void **state)
{
    (void)state;
    struct net *net = opened(TX_BLACKHOLE);
    assert_true(net_make(net, 1 << 10, 1 << 10));
    assert_false(net_make(net, (1 << 22) + 1, 1));
    assert_false(net_make(net, 1, (1 << 22) + 1));
    net_close(net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packets), cmocka_unit_test(test_trees), cmocka_unit_test(test_events),
        cmocka_unit_test(test_places),  cmocka_unit_test(test_times), cmocka_unit_test(test_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
