/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of a chip: its endpoints, in the order of the grid, and what each of them holds.
 * Tensix tiles are tx_tensix (src/tile); what is at other places is here.
 */
#ifndef TX_CHIP_CHIP_H
#define TX_CHIP_CHIP_H

#include <tensix/chip.h>

#include "dram/dram.h"
#include "noc/noc.h"
#include "tile/tile.h"

enum { CHIP_PLACES = NUMBER_BH_NOC_COLUMNS * NUMBER_BH_NOC_ROWS, CHIP_BANKS = 8 };
enum { CHIP_AWAKE = (CHIP_PLACES + 63) / 64 };
enum { CHIP_FINDINGS = 64, CHIP_ETHERNET = 16 };
enum { CHIP_OUTSIDE = 255 /* value of "who" for requests that no core started */ };

/* ---- Ethernet tiles ---- */

enum { ETH_CORES = 2, ETH_STREAMS = 32, ETH_WORDS = 0x8000, ETH_IRAM = 0x4000 };

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
};

/* ---- the chip ---- */

struct chip_endpoint {
    uint8_t kind, number, port; /* enum tx_chip_kind */
    bool off;
    bool touched; /* it is not as it was after the chip opened */
    uint32_t place;
    /* The interfaces: of a Tensix or Ethernet tile, those in its own state. */
    struct noc_niu *niu[2];
    tx_tensix *tensix;
    struct chip_eth *eth;
    struct dram_bank *bank;
};

/* The part of the chip's state that is in no tile. */
struct chip_state {
    uint64_t cycle;
    uint32_t sequence; /* of requests */
};

struct tx_chip {
    struct tx_chip_settings settings;
    struct tx_tensix_settings tile;
    enum tx_arch arch;
    uint32_t width, height, count;
    struct chip_endpoint at[CHIP_PLACES];
    uint32_t tensix[CHIP_PLACES], tensix_count; /* indices, in the order of the grid */
    uint32_t eth[CHIP_ETHERNET], eth_count;
    uint32_t pcie;                   /* the endpoint that is wired to the host */
    struct noc_niu (*interfaces)[2]; /* of all endpoints without a tile */
    struct dram_bank bank[CHIP_BANKS];
    unsigned banks;
    struct noc_world world;
    struct noc_queue queue;
    /*
     * Endpoints that are run, a bit each; a tile that sleeps is behind in time until something
     * reaches it.
     */
    uint64_t awake[CHIP_AWAKE];
    uint32_t round; /* cycles of the present round */
    uint32_t turn;  /* endpoints before this one have had their turn in this cycle */
    struct chip_state s;
    struct tx_finding finding[CHIP_FINDINGS];
    size_t findings;
    struct {
        bool (*answer)(void *user, const struct tx_chip_access *access);
        void *user;
    } device[TX_CHIP_KINDS];
};

/* products.c: the grid of a product, and what firmware writes into the network interfaces */
void chip_grid(tx_chip *chip);
void chip_firmware(tx_chip *chip);
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
/* run.c: brings a tile that sleeps to the present, before something reaches it */
void chip_wake(tx_chip *chip, struct chip_endpoint *e);
/* ethernet.c */
struct chip_eth *eth_open(tx_chip *chip, uint32_t place);
void eth_close(struct chip_eth *e);
void eth_reset(struct chip_eth *e);
enum noc_space eth_space(const struct chip_eth *e, uint64_t address);
bool eth_bytes(struct chip_eth *e, const struct noc_bytes *b);
/* Runs so many cycles. */
void eth_cycle(struct chip_eth *e, uint64_t cycles);
/* Returns whether its cores do nothing. */
bool eth_rests(const struct chip_eth *e);

#endif
