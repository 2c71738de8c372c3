/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of a chip: its endpoints, in the order of the grid, and what each of them holds.
 * Tensix tiles are tx_tensix (src/tile); what is at other places is here.
 */
#ifndef TX_CHIP_CHIP_H
#define TX_CHIP_CHIP_H

#include <tensix/chip_order.h>

#include "dram/dram.h"
#include "noc/net.h"
#include "noc/noc.h"
#include "tile/tile.h"

enum { CHIP_PLACES = NUMBER_BH_NOC_COLUMNS * NUMBER_BH_NOC_ROWS, CHIP_BANKS = 8 };
enum { CHIP_FINDINGS = 64, CHIP_ETHERNET = 16 };
enum { CHIP_OUTSIDE = 255 /* value of "who" for requests that no core started */ };

/* ---- Ethernet tiles ---- */

enum { ETH_LATE = 4, ETH_CORES = 2, ETH_STREAMS = 32, ETH_WORDS = 0x8000, ETH_IRAM = 0x4000 };

/* The part of an Ethernet tile that a snapshot copies; L1 and its bitmap come in addition. */
struct eth_state {
    uint64_t cycle;
    struct noc_niu niu[2];
    uint32_t debug[PAGE_WORDS];   /* from 0xFFB12000 on */
    uint32_t control[PAGE_WORDS]; /* from 0xFFB14000 on */
    uint32_t words[ETH_WORDS];    /* queues and MAC, from 0xFFB90000 on */
    uint32_t overlay[ETH_STREAMS * (NOC_STREAM_BYTES / 4)];
    uint8_t iram[ETH_IRAM];
    uint32_t wall_latch;
};

struct chip_eth {
    tx_chip *chip;
    uint32_t place;
    enum tx_arch arch;
    uint8_t *l1; /* behind it one bit per byte: it has been written */
    uint32_t l1_size;
    unsigned cores;
    struct riscv core[ETH_CORES];
    struct eth_state s;
    struct tx_finding late[ETH_LATE]; /* findings of the present window */
    unsigned late_count;
    /* Since when its cores are watched for a loop that only waits; the next time. As src/tile's. */
    bool looks;
    uint64_t since, next, pause;
    struct riscv_beat beat[ETH_CORES];
};

/* ---- requests under way, of the policy that takes time (timed.c) ---- */

enum {
    PORT_QUEUE = 8,
    PORT_PACKETS = 32,
    INBOX = 16384,
    OUTBOX = 8192,
    CHIP_DEFERRED = 16,
    CHIP_LOST = 4
};
/*
 * Cycles that tiles run apart: less than the shortest way from one place to another, which is a hop
 * between two crossings of a NIU. What the networks do, they are told FIRE cycles ahead; what they
 * have done is seen CHIP_SEEN cycles later, so that neither has to look back.
 */
enum { CHIP_WINDOW = 16, CHIP_FIRE = NET_WH_FIRE / NET_TICKS, CHIP_SEEN = CHIP_WINDOW - CHIP_FIRE };

/* ASK goes to the networks, everything else to an agent. */
enum chip_stage { STAGE_ANSWER, STAGE_ACT, STAGE_LEAVE, STAGE_ASK };

/* Something that happens at an endpoint in a cycle. The members in this order decide what is first.
 */
struct chip_event {
    uint64_t due;
    uint8_t stage, noc, entry; /* entry: the packet, among those of its sender's port */
    uint8_t slot;    /* of the request; LEAVE: of a request whose last packet this is, else none */
    uint16_t number; /* of the packet in its request */
    uint16_t origin; /* of an answer: the endpoint that answers */
    uint64_t cycle;  /* in which the request was started */
    uint32_t from, sequence;
    uint32_t at; /* the endpoint where it happens */
    uint32_t result;
};

struct chip_packet {
    struct noc_request p;
    uint64_t release; /* the cycle from which on the entry is free, unless it is under way */
    uint8_t away;
    uint8_t acted[CHIP_PLACES]; /* by index: there is an answer from there */
};

/* What a network interface sends. The networks read requests, and own what follows them. */
struct chip_port {
    struct noc_request queue[PORT_QUEUE];
    /* Belong to the agent: which requests there are, and how many wait behind another one. */
    uint8_t used[PORT_QUEUE], behind[NOC_INITIATORS];
    uint8_t slot[NOC_INITIATORS][PORT_QUEUE], slots[NOC_INITIATORS]; /* in their order */
    uint8_t asks[NOC_INITIATORS];                                    /* a packet has been sent */
    uint32_t next[NOC_INITIATORS]; /* packet of the first request */
    uint8_t reminded;              /* an entry will be free, and that has been asked for */
    struct chip_packet packet[PORT_PACKETS];
};

struct chip_events {
    struct chip_event *list;
    uint32_t count, room;
};

/* A finding that is not reported before the end of the window. */
struct chip_deferred {
    struct noc_request request;
    uint64_t value;
    uint8_t finding;
};

/* A delay that the host has asked for: delays.c. */
enum { CHIP_DELAYS = 64, CHIP_DELAY_MOST = 1 << 24 };
enum chip_delay_kind { CHIP_DELAY_SOURCE, CHIP_DELAY_TARGET, CHIP_DELAY_ANSWER, CHIP_DELAY_CORE };
struct chip_delay {
    uint8_t kind, noc, core;
    bool reads;        /* the request is a read */
    bool fixed;        /* the request is on a channel that others stay in order on */
    uint32_t index;    /* the endpoint of the interface or core */
    uint32_t receiver; /* of a target; UINT32_MAX: each */
    uint64_t number;   /* of the request at its interface; of a core: the cycle */
    uint64_t cycles;
    uint32_t channel, to; /* the way of the request, once it has come */
    uint64_t until;       /* what follows it waits for this cycle */
};

/* ---- the chip ---- */

struct chip_endpoint {
    uint8_t kind, number, port; /* enum tx_chip_kind */
    bool off;
    bool touched; /* it is not as it was after the chip opened */
    uint32_t place, index;
    tx_chip *chip;
    struct noc_world world; /* as this endpoint sees it */
    /* The interfaces: of a Tensix or Ethernet tile, those in its own state. */
    struct noc_niu *niu[2];
    tx_tensix *tensix;
    struct chip_eth *eth;
    struct dram_bank *bank;
    /*
     * The endpoint that acts for this one: the ports of a bank, and all devices, share what is
     * behind them.
     */
    struct chip_endpoint *agent;
    uint64_t now; /* of an agent, inside a window */
    struct chip_events inbox, outbox;
    struct chip_deferred deferred[CHIP_DEFERRED];
    unsigned deferred_count;
    /* Its requests whose answer never comes, the first ones of them. */
    struct noc_request lost[CHIP_LOST];
    uint32_t lost_count;
    enum tx_status status;
};

/* The part of the chip's state that is in no tile. */
struct chip_state {
    uint64_t cycle;
};

struct tx_chip {
    struct tx_chip_settings settings;
    struct tx_tensix_settings tile;
    enum tx_arch arch;
    bool timed, inside; /* inside: a window is being run */
    uint32_t width, height, count;
    struct chip_endpoint at[CHIP_PLACES];
    uint32_t tensix[CHIP_PLACES], tensix_count; /* indices, in the order of the grid */
    uint32_t eth[CHIP_ETHERNET], eth_count;
    uint32_t agent[CHIP_PLACES], agents; /* indices of those that act for themselves */
    uint32_t pcie;                       /* the endpoint that is wired to the host */
    struct noc_niu (*interfaces)[2];     /* of all endpoints without a tile */
    struct chip_port (*ports)[2];        /* of all endpoints */
    struct net *net;                     /* both networks, if requests take time */
    uint64_t soonest; /* cycle of the first event that the networks have posted since it was set */
    uint8_t *data;    /* of the packets of all ports, NOC_PACKET_BYTES each */
    struct chip_event *events;
    struct dram_bank bank[CHIP_BANKS];
    unsigned banks;
    struct noc_world world; /* as the host sees it */
    struct noc_queue queue;
    /* Whether an endpoint is run; a tile that sleeps is behind until something reaches it. */
    uint8_t awake[(CHIP_PLACES + 7) / 8 * 8];
    /* Whether an agent may be awake, or have events; never 0 for one that is or has. */
    uint8_t stirs[(CHIP_PLACES + 7) / 8 * 8];
    uint32_t round; /* cycles of the present round */
    uint32_t turn;  /* endpoints before this one have had their turn in this cycle */
    struct chip_state s;
    struct tx_chip_executor executor;
    uint32_t active[CHIP_PLACES], active_count; /* agents of the present window */
    uint64_t window_end;
    struct tx_finding finding[CHIP_FINDINGS];
    size_t findings;
    struct {
        bool (*answer)(void *user, const struct tx_chip_access *access);
        void *user;
    } device[TX_CHIP_KINDS];
    struct tx_chip_order_sink order; /* order.c */
    struct chip_delay delay[CHIP_DELAYS];
    unsigned delay_count;
    struct chip_observer {
        void (*cycle)(void *user, uint64_t cycles);
        void *user;
        bool jumps;
    } observer[CHIP_PLACES]; /* observe.c */
};

/* products.c: the grid of a product, and what firmware writes into the network interfaces */
void chip_grid(tx_chip *chip);
void chip_firmware(tx_chip *chip, uint32_t index);
/* world.c: what requests reach */
void chip_world(tx_chip *chip);
void chip_finding(tx_chip *chip, const char *rule, enum tx_category category, const char *text);
/* Returns the endpoint at a place of NoC 0, or NULL. */
static inline struct chip_endpoint *chip_at(tx_chip *chip, uint32_t place)
{
    const uint32_t x = place & 63u;
    const uint32_t y = place >> 6 & 63u;
    return x < chip->width && y < chip->height ? &chip->at[x + y * chip->width] : NULL;
}
/* chip.c: brings one tile to the state after power-up */
void chip_reset_tile(tx_chip *chip, struct chip_endpoint *e);
/* network.c: between the networks and those that send and receive */
uint8_t *chip_packet_data(const struct chip_endpoint *e, unsigned noc, unsigned entry);
bool network_open(tx_chip *chip);
void network_close(tx_chip *chip);
void network_reset(tx_chip *chip);
/* Takes over a request that an agent has posted (STAGE_ASK). */
void network_ask(tx_chip *chip, const struct chip_event *event);
/*
 * Runs the networks as far as nothing can happen to them that they do not know yet, if no agent
 * does anything before "first". Returns when the first agent does.
 */
uint64_t network_run(tx_chip *chip, uint64_t first);
/* What an agent does for an event. */
void network_leave(struct chip_endpoint *agent, const struct chip_event *event);
void network_act(struct chip_endpoint *agent, const struct chip_event *event);
void network_answer(struct chip_endpoint *agent, const struct chip_event *event);
/*
 * delays.c: the cycle before which a request does not leave; by how many cycles a packet arrives
 * later than "at" at an endpoint, and is answered later; and how long a packet may be under way.
 */
uint64_t delays_leave(tx_chip *chip, uint32_t index, const struct noc_request *r);
uint64_t delays_arrive(tx_chip *chip, uint32_t index, const struct noc_request *p, uint32_t to,
                       uint64_t at);
uint64_t delays_answer(const tx_chip *chip, uint32_t index, const struct noc_request *p);
uint64_t delays_latest(const tx_chip *chip);
void delays_reset(tx_chip *chip);
/* timed.c */
bool timed_open(tx_chip *chip);
void timed_close(tx_chip *chip);
void timed_reset(tx_chip *chip);
/* noc_world.submit */
void timed_submit(void *user, struct noc_niu *niu, const struct noc_request *request);
/* Puts an event into the inbox of its agent. False: there is no room. */
bool timed_deliver(tx_chip *chip, const struct chip_event *event);
enum tx_status timed_run(tx_chip *chip, uint64_t cycles);
bool timed_waits(const tx_chip *chip);
/* run.c: runs an endpoint that is awake */
enum tx_status chip_run_tile(tx_chip *chip, uint32_t index, uint64_t cycles);
/* run.c: brings a tile that sleeps to the present, before something reaches it */
void chip_wake(tx_chip *chip, struct chip_endpoint *e);
/* The same where a network interface of the tile is reached, and else what world.bytes does. */
void chip_reach(tx_chip *chip, struct chip_endpoint *e);
/* ethernet.c */
struct chip_eth *eth_open(tx_chip *chip, uint32_t place);
void eth_close(struct chip_eth *e);
void eth_reset(struct chip_eth *e);
/* As eth_reset, directly after eth_open: what is zero then is not touched. */
void eth_begin(struct chip_eth *e);
enum noc_space eth_space(const struct chip_eth *e, uint64_t address);
bool eth_bytes(struct chip_eth *e, const struct noc_bytes *b);
/* Runs so many cycles. */
void eth_cycle(struct chip_eth *e, uint64_t cycles);
/* To be called after each cycle: returns whether its cores only wait from now on. */
bool eth_dozes(struct chip_eth *e);
/* Something reaches it, whether it runs or is behind. */
void eth_disturb(struct chip_eth *e);
void eth_catch_up(struct chip_eth *e, uint64_t cycle);
/* Reports what was found in a window. */
void eth_report(struct chip_eth *e);

#endif
