/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The networks in time: packets on links. A packet asks for its links one after the other; a link
 * is granted when a virtual channel is free there and its buffer has room, and is let go when the
 * packet has left it. The flits of a packet are counted, never moved one by one. The network is one
 * serial machine with events of its own: what it does depends on what was sent and when, in no
 * other way. It knows places, flits and times, nothing of data; who owns the data is told what
 * happens. Times are ticks, thousandths of a cycle. Source: spec/chip-time.md 1, 3, 4, 5.
 */
#ifndef TX_NOC_NET_H
#define TX_NOC_NET_H

#include "noc/noc.h"

enum net_time {
#define NOC_TIME(ID, name, wh, bh, least, most, what, why) NET_##ID,
#include "isa/noc_times.def"
    NET_TIMES
};
enum { NET_TICKS = 1000 };
/* Times that others must know as constants, in ticks. */
enum {
#define NOC_TIME(ID, name, wh, bh, least, most, what, why) NET_WH_##ID = (wh), NET_BH_##ID = (bh),
#include "isa/noc_times.def"
};

enum {
    NET_PATH = NUMBER_BH_NOC_COLUMNS + NUMBER_BH_NOC_ROWS, /* links of a packet at most */
    NET_LINKS = 4, /* that begin at a tile, per network: enum net_direction */
    NET_PLACES = NUMBER_BH_NOC_COLUMNS * NUMBER_BH_NOC_ROWS,
    NET_ALL = 2 * NET_PLACES * NET_LINKS,
    NET_BANKS = 16,
    NET_PORTS = 2 * NET_PLACES,
    NET_NONE = UINT32_MAX
};
enum net_direction { NET_IN, NET_OUT, NET_X, NET_Y };
/* Virtual channels of a link: static ones of requests, dynamic ones, and those of answers. */
enum { NET_DYNAMIC = 4, NET_ANSWERS, NET_CHANNELS };

enum net_what { NET_READS, NET_WRITES, NET_ATOMICS, NET_MANY };

/* A packet as its sender describes it. Places are x + y * columns, on NoC 0. */
struct net_send {
    uint64_t at;             /* ticks: when it asks for its first link */
    uint32_t from, to, back; /* back: where the answer goes */
    uint32_t user[2];        /* returned with everything that is said about it */
    uint32_t bytes;          /* that DRAM moves */
    uint16_t flits, answer;  /* with the header; answer: of what comes back, 0: nothing does */
    uint16_t depth;          /* NET_MANY: hops that are reserved */
    uint8_t noc, what, channel, bank; /* bank: NET_BANKS if it does not go to DRAM */
    uint8_t linked, reserves;
};

struct net_packet {
    struct net_send s;
    uint64_t tail[NET_PATH];
    uint16_t link[NET_PATH];
    uint8_t line[NET_PATH];           /* 1 behind the edge of an axis */
    uint8_t lane[NET_PATH];           /* which virtual channel of those that it may use */
    uint8_t links, at, held, channel; /* at: the link it asks for; held: the first it still holds */
    uint8_t answers, used;            /* answers: it is the answer of "request" */
    uint16_t missing;                 /* NET_MANY: acknowledgements that are still to come */
    uint8_t ready;                    /* its header stands in the buffer behind the link before */
    uint32_t turn;                    /* among the writes of its sender to a bank */
    uint32_t request, next, behind;   /* next: that asks after it; behind: in the same buffer */
};

/* When something happens, and the order among what happens at that time; a key of 0: never. */
struct net_moment {
    uint64_t at, key;
};

/*
 * A virtual channel: whether it is held, flits in the buffer behind it, and the headers there.
 * Where nobody waits for the link, "let" says until when it is held, without an event.
 */
struct net_lane {
    uint32_t held, waiting, front, back;
    struct net_moment let;
};

/* The virtual channels of a link that a kind of packet may use, and who asks for one of them. */
struct net_channel {
    uint32_t first, last; /* packets, NET_NONE */
    struct net_lane lane[2];
    struct net_moment woken; /* when those that wait are to look again, without an event */
};

struct net_event {
    uint64_t at, key;
    uint32_t kind, packet, other;
};

struct net_bank {
    uint64_t free;
    uint32_t first, last; /* reads that wait for it */
    uint32_t turn, serving;
};

/*
 * How far the initiators that write to a bank have come. Acknowledgements of one that is ahead of
 * the others wait for them.
 */
struct net_turns {
    uint32_t served[NET_PLACES], under_way[NET_PLACES]; /* packets, by initiator */
    uint32_t first[NET_PLACES], last[NET_PLACES];       /* served, and not acknowledged */
    uint32_t held;
};

/* The way of a broadcast, of which each network interface has at most one. */
struct net_tree {
    uint64_t until;           /* when the last tail has left its last link */
    uint64_t sent;            /* when the last tail has left the sender */
    uint32_t packet, waiting; /* that it belongs to; that comes next */
    uint32_t tries, random;
    uint16_t links, receivers;
    uint8_t held, linked, used, waits;
    uint16_t link[NET_PLACES * NET_LINKS], parent[NET_PLACES * NET_LINKS];
    uint32_t set[NET_PLACES * NET_LINKS / 32 + 1];
};

struct net_calls {
    void *user;
    /* It has its first link (a broadcast: its turn); its initiator is free for the next one. */
    void (*granted)(void *user, const struct net_send *s, uint64_t at);
    /* It has arrived at a place whole. */
    void (*arrived)(void *user, const struct net_send *s, uint32_t place, uint64_t at);
    /* The answer, or one acknowledgement of "place", counts. */
    void (*answered)(void *user, const struct net_send *s, uint32_t place, uint64_t at);
    /* Nothing more will be said about it; "at" is the last of the times above. */
    void (*over)(void *user, const struct net_send *s, uint64_t at);
    /* The time that net_remind gave has come. */
    void (*reminded)(void *user, uint32_t what, uint64_t at);
    /* Returns the receiver of a broadcast after "after" (NET_NONE: the first); NET_NONE: no more.
     */
    uint32_t (*receiver)(void *user, const struct net_send *s, uint32_t after);
};

struct net {
    struct net_calls calls;
    enum tx_arch arch;
    uint32_t columns, rows;
    uint32_t time[NET_TIMES];
    uint64_t busy[NET_ALL];  /* of a link: when its last flit has gone */
    uint64_t flits[NET_ALL]; /* that went over it */
    struct net_channel channel[NET_ALL][NET_CHANNELS][2];
    struct net_bank bank[NET_BANKS];
    struct net_turns turns[NET_BANKS];
    struct net_clock {
        uint64_t sequence, now;
        uint32_t spare; /* a list of unused packets */
        uint32_t retries;
    } clock;
    struct net_tree *tree[NET_PORTS];
    struct net_packet *packet;
    uint32_t packets, room;
    struct net_event *event;
    uint32_t events, event_room;
    uint64_t key; /* of the event that is performed, at clock.now */
    bool failed;  /* no memory */
    bool whole;   /* what changes nothing has events, too (net.c): the long way, to compare with */
};

/* Opens networks without packets. NULL: no memory. */
struct net *net_open(enum tx_arch arch, const struct net_calls *calls);
void net_close(struct net *net);
void net_clear(struct net *net);
/* Takes a packet over; it asks for its first link at s->at, which is not in the past. */
void net_send(struct net *net, const struct net_send *s);
/* Calls "reminded" at a time. */
void net_remind(struct net *net, uint64_t at, uint32_t what);
/* Returns the time of the next event, or UINT64_MAX. */
uint64_t net_next(const struct net *net);
/* Performs one event. */
void net_step(struct net *net);

/* net_events.c: events, a heap */
void net_put(struct net *net, const struct net_event *e);
struct net_event net_take(struct net *net);

/* net_state.c: the state as bytes */
enum { NET_PARTS = 9 };
struct net_part {
    uint8_t *bytes;
    size_t size;
};
/* Gives where the state is, but for trees. */
void net_parts(struct net *net, struct net_part part[NET_PARTS]);
/* Makes room for so many packets and events, whose bytes follow. */
bool net_make(struct net *net, uint32_t packets, uint32_t events);
/* Returns the tree of a port, which is made if there is none. NULL: no memory. */
struct net_tree *net_tree_at(struct net *net, uint32_t port);
/* A sum over all of it. */
uint64_t net_sum(struct net *net);
/* Returns whether nothing in it leads outside. */
bool net_valid(const struct net *net);

/* net_times.c */
const char *net_time_name(enum net_time which);
/* Returns whether a chip may have this time: its default, or one in the range. */
bool net_time_may(enum tx_arch arch, enum net_time which, uint32_t value);
uint32_t net_time_default(enum tx_arch arch, enum net_time which);
/* Returns by how much a value is multiplied in the table. */
uint32_t net_time_scale(enum net_time which);

/* net_route.c */
void net_route(const struct net *net, struct net_packet *p, uint32_t from, uint32_t to);
uint32_t net_hops(const struct net *net, unsigned noc, uint32_t from, uint32_t to);
/* net_many.c */
void net_many_ask(struct net *net, uint32_t packet, uint64_t at);
void net_many_data(struct net *net, uint32_t packet, uint64_t at);
void net_many_next(struct net *net, uint32_t port, uint64_t at);
/* net.c, for its other files */
enum net_kind {
    NET_ASK,
    NET_HEAD,
    NET_FRONT,
    NET_WAKE,
    NET_LET,
    NET_ARRIVE,
    NET_REPLY,
    NET_REPLIED,
    NET_ACKED,
    NET_BANK,
    NET_RETRY,
    NET_DATA,
    NET_NEXT,
    NET_REMIND
};
void net_drop(struct net *net, uint32_t packet);
static inline uint32_t net_link(const struct net *net, unsigned noc, uint32_t tile,
                                enum net_direction d)
{
    (void)net;
    return (noc * NET_PLACES + tile) * NET_LINKS + d;
}
static inline uint64_t net_later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}
/* What the network does by itself comes behind what was sent at that time, in the order made. */
static inline struct net_moment net_moment(struct net *net, uint64_t at)
{
    return (struct net_moment){net_later(at, net->clock.now),
                               (uint64_t)1 << 63 | net->clock.sequence++};
}
static inline void net_post_at(struct net *net, struct net_moment when, enum net_kind kind,
                               uint32_t other)
{
    net_put(net, &(struct net_event){when.at, when.key, kind, NET_NONE, other});
}
static inline void net_post(struct net *net, uint64_t at, enum net_kind kind, uint32_t packet,
                            uint32_t other)
{
    const struct net_moment when = net_moment(net, at);
    net_put(net, &(struct net_event){when.at, when.key, kind, packet, other});
}
/* Returns whether a moment comes before the event that is performed. */
static inline bool net_is_over(const struct net *net, struct net_moment when)
{
    return when.at != net->clock.now ? when.at < net->clock.now : when.key < net->key;
}

#endif
