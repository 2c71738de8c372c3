/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A chip: the grid of tiles, both NoCs between them, and DRAM. Every Tensix tile is a tx_tensix.
 *
 *     struct tx_chip_settings s;
 *     tx_chip *chip;
 *     tx_chip_settings_default(&s, "p150");
 *     if (tx_chip_open(&s, &chip) != TX_OK) { ... }
 *     struct tx_chip_place at = {.x = 1, .y = 2};
 *     tx_chip_write(chip, at, 0x20000, bytes, sizeof bytes);
 *     tx_chip_cycle(chip, 1000);
 *     tx_chip_close(chip);
 *
 * A chip opens as its firmware leaves it: coordinates are translated, broadcasts reach Tensix tiles
 * only, all cores are in reset. Coordinates are given as a request on a NoC gives them: raw ones of
 * that NoC, or translated ones. What the ARC and PCIe tiles hold behind their network interfaces
 * belongs to the caller (tx_chip_device). Source: spec/chip.md.
 */
#ifndef TENSIX_CHIP_H
#define TENSIX_CHIP_H

#include <tensix/tile.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tx_chip tx_chip;

enum tx_chip_kind {
    TX_CHIP_EMPTY, /* a router with its two network interfaces and nothing else */
    TX_CHIP_TENSIX,
    TX_CHIP_ETHERNET,
    TX_CHIP_DRAM, /* one port of a bank */
    TX_CHIP_PCIE,
    TX_CHIP_ARC,
    TX_CHIP_L2CPU,
    TX_CHIP_SECURITY,
    TX_CHIP_KINDS
};
TX_API const char *tx_chip_kind_name(enum tx_chip_kind kind); /* "Tensix" ... */

/* When requests over a NoC take effect. */
enum tx_chip_policy {
    TX_CHIP_TIMED, /* at cycles that follow from the way and from what else is on it; the default */
    TX_CHIP_PROMPT, /* completely, in the cycle in which they are started */
    /*
     * As TIMED, and every step up to adverse_delay cycles later, as the seed draws: what nothing
     * orders happens in another order. What the NoC keeps in order - requests of one static
     * virtual channel or one link from one tile to another - stays in order.
     */
    TX_CHIP_ADVERSE
};

struct tx_chip_settings {
    uint32_t size; /* of this struct, set by tx_chip_settings_default */
    enum tx_arch arch;
    const struct tx_tensix_settings *tile; /* of every Tensix tile; NULL: the defaults */
    enum tx_chip_policy policy;
    /*
     * Blackhole: bit i is the column with physical index i. Wormhole: bit y is the row y of NoC 0.
     */
    uint32_t bad_tensix;
    uint32_t bad_dram; /* bit per bank; Blackhole */
    uint32_t ethernet; /* bit per Ethernet tile: it is enabled */
    uint32_t l2cpu;    /* likewise */
    uint32_t pcie;     /* which of Blackhole's two PCIe tiles is wired to the host */
    /* Tensix tiles beyond so many columns and rows do not answer; 0: all are there. */
    uint32_t columns, rows;
    uint32_t asic_location, chip_id;
    uint64_t board_id;
    bool sleepless; /* every tile runs in every cycle, also one that only waits: the plain way */
    bool raw;       /* as before firmware has run: nothing is translated, no tile opts out */
    uint8_t reserved[6];    /* zero */
    uint64_t seed;          /* of the delays below */
    uint32_t adverse_delay; /* in cycles; 0: 10,000 */
    /* A core begins up to so many cycles after its release from reset; 0: at once. */
    uint32_t start_delay;
};
/*
 * Fills in a product: p100, p150, n150, n300, or by the name of a chip its usual one. TX_ENOENT:
 * there is none of that name.
 */
TX_API enum tx_status tx_chip_settings_default_sized(struct tx_chip_settings *settings, size_t size,
                                                     const char *product);
static inline enum tx_status tx_chip_settings_default(struct tx_chip_settings *settings,
                                                      const char *product)
{
    return tx_chip_settings_default_sized(settings, sizeof *settings, product);
}
/* Returns the name of the product with that index, or NULL. */
TX_API const char *tx_chip_product(size_t index);

TX_API enum tx_status tx_chip_open(const struct tx_chip_settings *settings, tx_chip **out);
TX_API void tx_chip_close(tx_chip *chip); /* NULL is allowed */
/* Restores the state that the chip opened with; L1 and DRAM are cleared. */
TX_API void tx_chip_reset(tx_chip *chip);
TX_API enum tx_arch tx_chip_arch(const tx_chip *chip);
/* Gives the settings that the chip was opened with; "tile" is NULL. */
TX_API void tx_chip_settings_of(const tx_chip *chip, struct tx_chip_settings *settings);

/* ---- times of the networks and of DRAM ---- */

/*
 * Returns the name of a time, such as "noc.hop", or NULL behind the last one. tx_chip_time gives
 * its value in thousandths of a cycle (of 1, where it is a count).
 */
TX_API const char *tx_chip_time_name(size_t index);
TX_API uint32_t tx_chip_time(const tx_chip *chip, size_t index);
/*
 * Sets a time by "NAME=CYCLES", with at most three decimals, from the next request on; a reset
 * keeps it, and snapshots have it. TX_ENOENT: there is no such time, or the chip has none (it is
 * not TX_CHIP_TIMED or TX_CHIP_ADVERSE); TX_EINVAL: not a number in the range that is known for it,
 * or it cannot be changed.
 */
TX_API enum tx_status tx_chip_set_time(tx_chip *chip, const char *assignment);

/* ---- other orders ---- */

/*
 * Adds a delay, so that the same programs run in another order that the chip may choose, too. X,Y
 * are coordinates on NoC 0, K is the number of a request at its network interface, from 1 on.
 *   X,Y/nN/K>src+CYCLES        it leaves, and reads what it sends, later; so do all after it there
 *   X,Y/nN/K>dst+CYCLES        it acts later; with dst(X,Y): of a broadcast, at one receiver.
 *                              Requests to the same place behind it on its static channel, too
 *   X,Y/nN/K>ack+CYCLES        its answer, or the data of a read, come later
 *   X,Y/CORE@CYCLE+CYCLES      a core ("b", "t0" ...) issues nothing for so long
 * NULL: no delays any more. A reset keeps them, snapshots do not have them. TX_EINVAL: not of these
 * forms, or more than 64; TX_ENOENT: requests of this chip take no time; TX_ENOMEM.
 */
TX_API enum tx_status tx_chip_delay(tx_chip *chip, const char *text);
/*
 * How long requests take, to find out what a run would take if the networks or DRAM were quicker:
 * as on the chip, half as long, or no time, by the times above. "No time" of the networks: links
 * are never busy, and a way takes 16 cycles. It is set for requests from then on, once; the chip
 * cannot be restored from snapshots that are taken afterwards. TX_EUNSUPPORTED: requests take no
 * time here; TX_EINVAL: no such thing or pace.
 */
enum tx_chip_paced { TX_CHIP_PACED_NOC, TX_CHIP_PACED_DRAM, TX_CHIP_PACED_COUNT };
TX_API enum tx_status tx_chip_pace(tx_chip *chip, enum tx_chip_paced what, enum tx_pace pace);

/* ---- the grid ---- */

/* A place as a request names it: coordinates, raw or translated, on one of the NoCs. */
struct tx_chip_place {
    uint32_t noc, x, y;
};
/* One endpoint of the grid. */
struct tx_chip_tile {
    enum tx_chip_kind kind;
    uint32_t number; /* of the Tensix or Ethernet tile, of the DRAM bank, of the PCIe tile ... */
    uint32_t port;   /* DRAM: which of the three of its bank */
    uint32_t x[2], y[2]; /* raw coordinates on both NoCs */
    /* The name that software uses (NOC_ID_LOGICAL); on NoC 1, where it differs, see the table. */
    uint32_t translated_x, translated_y;
    bool off; /* harvested, or not enabled: nothing but its network interfaces answers */
};
/* Gives the size of the grid. Endpoints are numbered row by row: index = x + y * width on NoC 0. */
TX_API void tx_chip_grid(const tx_chip *chip, uint32_t *width, uint32_t *height);
TX_API enum tx_status tx_chip_tile_at_sized(const tx_chip *chip, size_t index,
                                            struct tx_chip_tile *tile, size_t size);
static inline enum tx_status tx_chip_tile_at(const tx_chip *chip, size_t index,
                                             struct tx_chip_tile *tile)
{
    return tx_chip_tile_at_sized(chip, index, tile, sizeof *tile);
}
/*
 * Finds the endpoint that a place denotes, by the translation tables of the PCIe tile's network
 * interface. TX_ENOENT: it is outside the grid.
 */
TX_API enum tx_status tx_chip_find(const tx_chip *chip, struct tx_chip_place place, size_t *index);
/* Returns the Tensix tile with that endpoint index; NULL: it is no Tensix tile, or it is off. */
TX_API tx_tensix *tx_chip_tensix(tx_chip *chip, size_t index);
/*
 * Returns the coprocessor of that tile, to look at what it has found; its cycle may be behind that
 * of the chip while the tile rests. NULL as above.
 */
TX_API const tx_machine *tx_chip_machine(const tx_chip *chip, size_t index);

/*
 * Keeps a tile from sleeping, so that its state is always that of the present cycle, or lets it
 * sleep again; results are the same. TX_ENOENT: tx_chip_tensix would give NULL.
 */
TX_API enum tx_status tx_chip_watch(tx_chip *chip, size_t index, bool on);

/*
 * Who is told what a Tensix tile does in every cycle in which it is awake: its machine's events,
 * and the end of each such cycle, with the number of cycles that the tile has run. With "jumps" of
 * cycles in which nothing begins or ends (no core goes on, units are idle or hold their words) only
 * the last one. With an executor different tiles call on different threads. NULL: nobody.
 * TX_ENOENT: tx_chip_tensix would give NULL; TX_EUNSUPPORTED: the chip is not timed.
 */
struct tx_chip_observer {
    uint32_t struct_size; /* sizeof(struct tx_chip_observer) */
    uint32_t jumps;       /* 0 or 1 */
    struct tx_sink sink;
    void (*cycle)(void *user, uint64_t cycles);
    void *user;
};
TX_API enum tx_status tx_chip_observe(tx_chip *chip, size_t index,
                                      const struct tx_chip_observer *observer);

/*
 * Returns the flits that have gone over a link since the chip opened: of the four that begin at an
 * endpoint on a NoC, in from its interface, out to its interface, along the row, along the column.
 */
enum tx_chip_link { TX_CHIP_LINK_IN, TX_CHIP_LINK_OUT, TX_CHIP_LINK_X, TX_CHIP_LINK_Y };
TX_API uint64_t tx_chip_link_flits(const tx_chip *chip, size_t index, unsigned noc,
                                   enum tx_chip_link link);

/* ---- what the host and its tools reach ---- */

/*
 * Read and write as a request of the PCIe tile: L1, registers (32 bits), DRAM and devices.
 * TX_ENOENT: nothing answers there. The bytes have arrived when the call returns.
 */
TX_API enum tx_status tx_chip_read(tx_chip *chip, struct tx_chip_place place, uint64_t address,
                                   void *bytes, size_t size);
TX_API enum tx_status tx_chip_write(tx_chip *chip, struct tx_chip_place place, uint64_t address,
                                    const void *bytes, size_t size);

/* A request of the PCIe tile with everything that a window of the host can ask for. */
struct tx_chip_request {
    uint32_t struct_size; /* sizeof(struct tx_chip_request) */
    uint32_t noc;
    uint32_t x, y;             /* of the tile; broadcast: the end of the rectangle */
    uint32_t start_x, start_y; /* broadcast only */
    uint64_t address;
    uint8_t *to; /* read: where the bytes go; NULL: a write */
    const uint8_t *from;
    uint32_t bytes;
    bool broadcast;
    bool posted;  /* a write that nobody acknowledges */
    bool exclude; /* Blackhole's strided broadcasts: which tiles of the rectangle are left out */
    uint8_t reserved[1];
    uint32_t stride; /* the strided word of the window; used with exclude */
};
/* TX_ENOENT: nothing answers there, or a broadcast reaches no tile. */
TX_API enum tx_status tx_chip_ask(tx_chip *chip, const struct tx_chip_request *request);

/* Read and write a register of a network interface, without the NoC. */
TX_API enum tx_status tx_chip_niu_read(tx_chip *chip, size_t index, unsigned noc, uint32_t offset,
                                       uint32_t *value);
TX_API enum tx_status tx_chip_niu_write(tx_chip *chip, size_t index, unsigned noc, uint32_t offset,
                                        uint32_t value);

/* An access to what lies behind the ARC or the PCIe tile. */
struct tx_chip_access {
    uint32_t struct_size;
    uint32_t noc;
    uint64_t address; /* in the address space of the tile */
    uint8_t *to;      /* read: where the bytes go; NULL: a write */
    const uint8_t *from;
    uint32_t bytes;
    uint32_t index; /* of the endpoint that is accessed */
};
/*
 * Sets who answers for the ARC tile (TX_CHIP_ARC) or the PCIe tiles (TX_CHIP_PCIE). The function
 * returns false where nothing is. It is called from tx_chip_cycle and from the functions above, and
 * must not call functions that change the chip. TX_EINVAL: another kind.
 */
TX_API enum tx_status
tx_chip_device(tx_chip *chip, enum tx_chip_kind kind,
               bool (*answer)(void *user, const struct tx_chip_access *access), void *user);

/* ---- running ---- */

/* Runs so many cycles. TX_FAULT: a tile has stopped (strict mode). */
TX_API enum tx_status tx_chip_cycle(tx_chip *chip, uint64_t cycles);
/*
 * Runs until every core rests and no request is under way. TX_EDEADLOCK: what is left waits for
 * something that cannot come (tx_chip_waits), unless the host does something; TX_ELIMIT: after
 * limit cycles. A chip that was opened "sleepless" does not see the difference.
 */
TX_API enum tx_status tx_chip_run(tx_chip *chip, uint64_t limit);
TX_API uint64_t tx_chip_cycles(const tx_chip *chip);
/*
 * Returns whether a request or an answer is under way, late ones included (tx_chip_delay):
 * something will still happen, though every core may only poll.
 */
TX_API bool tx_chip_under_way(const tx_chip *chip);
/*
 * Returns whether no tile is run and nothing is under way, so that the chip stays as it is until
 * the host does something: a quick look, after which tx_chip_run would end at once.
 */
TX_API bool tx_chip_sleeps(const tx_chip *chip);

/* ---- who waits for what ---- */

enum tx_chip_wait_kind {
    TX_CHIP_WAIT_WORD,   /* a core reads words again and again until somebody changes one */
    TX_CHIP_WAIT_CORE,   /* a core waits for something else of its tile */
    TX_CHIP_WAIT_THREAD, /* likewise a thread of the coprocessor */
    TX_CHIP_WAIT_ANSWER, /* a request has left that nothing will ever answer */
    TX_CHIP_WAIT_LINK,   /* a request waits behind an open link of its network interface */
    TX_CHIP_WAIT_OPEN    /* the network interface has an open link, which nothing ends */
};
#define TX_CHIP_UNKNOWN UINT32_MAX
/* One wait. What is not known or does not apply is TX_CHIP_UNKNOWN. */
struct tx_chip_wait {
    enum tx_chip_wait_kind kind;
    uint32_t tile;    /* index of the endpoint that waits */
    uint32_t who;     /* enum tx_core, or the number of the thread */
    uint32_t noc;     /* of requests, and of words in a network interface */
    uint32_t on;      /* the endpoint that a request goes to, or that a link leads to */
    uint32_t next;    /* place in the list of the wait that has to end before this one */
    uint32_t pc;      /* of the core */
    uint32_t value;   /* of the word */
    uint64_t address; /* of the word, as a core sees it; where a request goes */
    char text[192];   /* all of that as a sentence */
};
/*
 * Lists who waits for what: cores of tiles that only wait, threads that are held, and requests that
 * nothing answers or lets go. After TX_EDEADLOCK it is why nothing happens any more. Returns how
 * many there are; "list" receives up to "room" of them.
 */
TX_API size_t tx_chip_waits_sized(tx_chip *chip, struct tx_chip_wait *list, size_t room,
                                  size_t size);
static inline size_t tx_chip_waits(tx_chip *chip, struct tx_chip_wait *list, size_t room)
{
    return tx_chip_waits_sized(chip, list, room, sizeof *list);
}

/*
 * Runs task(context, i) for every i below parts, on any threads, and returns when all are done. The
 * policy TX_CHIP_TIMED gives its tiles to it; results do not depend on the number of parts.
 */
struct tx_chip_executor {
    uint32_t struct_size; /* sizeof(struct tx_chip_executor) */
    uint32_t parts;
    void (*run)(void *user, void (*task)(void *context, uint32_t part), void *context,
                uint32_t parts);
    void *user;
};
/*
 * NULL: the calling thread runs everything, as at first. With an executor, tx_chip_device's
 * functions are called on its threads, one call at a time.
 */
TX_API enum tx_status tx_chip_execute(tx_chip *chip, const struct tx_chip_executor *executor);

/* ---- findings outside Tensix tiles; those of a Tensix tile are its machine's ---- */

TX_API size_t tx_chip_finding_count(const tx_chip *chip);
TX_API const struct tx_finding *tx_chip_finding_at(const tx_chip *chip, size_t index);

/* ---- the whole state as bytes ---- */

/* The size is that of the present state; it changes as the chip runs. 0: no memory. */
TX_API size_t tx_chip_snapshot_size(tx_chip *chip);
/* Saves tiles, DRAM and requests under way; not findings, nor what tx_chip_device answers for. */
TX_API enum tx_status tx_chip_snapshot(tx_chip *chip, void *buffer, size_t size);
/*
 * TX_EINVAL: not a snapshot of this library version and of a chip with these settings; if it was
 * damaged, the chip is as after tx_chip_reset.
 */
TX_API enum tx_status tx_chip_restore(tx_chip *chip, const void *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
