/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two networks: the registers of a network interface (NIU), requests as values, and what a
 * packet does at each place that it comes to. Who owns the places - one tile alone, or a chip - is
 * behind struct noc_world. Places are those of NoC 0: x in bits 5:0, y in bits 11:6. Source:
 * spec/chip.md 2.
 */
#ifndef TX_NOC_NOC_H
#define TX_NOC_NOC_H

#include <tensix/base.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bits.h"
#include "isa/chip.h"
#include "isa/finding.h"

enum noc_field {
#define NOC_FIELD(ID, name, wh, bh) FIELD_##ID,
#include "isa/noc.def"
    NOC_FIELDS
};
enum noc_config {
#define NOC_CONFIG(ID, name, wh, wh_words, bh, bh_words) CONFIG_##ID,
#include "isa/noc.def"
    NOC_CONFIG_KINDS
};
enum noc_counter {
#define NOC_COUNTER(ID, index, name) COUNT_##ID = (index),
#include "isa/noc.def"
    NOC_COUNTERS = 62
};
enum noc_control {
#define NOC_CONTROL(ID, first, bits) CONTROL_##ID,
#include "isa/noc.def"
};
enum {
#define NOC_CONTROL(ID, first, bits) CONTROL_FIRST_##ID = (first), CONTROL_BITS_##ID = (bits),
#include "isa/noc.def"
#define NOC_TAG_BITS(ID, first, bits) TAG_FIRST_##ID = (first), TAG_BITS_##ID = (bits),
#include "isa/noc.def"
#define NOC_FACT(ID, wh, bh) NOC_WH_##ID = (wh), NOC_BH_##ID = (bh),
#include "isa/noc.def"
#define NOC_ATOMIC(ID, opcode) ATOMIC_##ID = (opcode),
#include "isa/noc.def"
};
#define NOC_FACT_OF(arch, ID) \
    ((uint32_t)(chip_column(arch) == CHIP_COLUMN_BH ? NOC_BH_##ID : NOC_WH_##ID))
enum noc_kind { NOC_READ, NOC_ATOMIC, NOC_WRITE };

enum {
    NOC_INITIATORS = 4,
    NOC_CONFIG_WORDS = 32,
    NOC_TRANSACTIONS = 16,
    NOC_FENCE_WORDS = 64,
    NOC_MOST_PACKETS = 255,                  /* of one request: its counter has eight bits */
    NOC_PACKET_BYTES = NUMBER_BH_NOC_PACKET, /* the largest of the chips */
    NOC_HELD = 4,                            /* requests that a NIU holds behind an open link */
    NOC_QUEUE = 256,                         /* requests that may wait behind the one that acts */
    NOC_NOWHERE = 0xFFF
};

/* What is at an address of a tile, as far as requests differ by it. */
enum noc_space {
    NOC_SPACE_NONE, /* nothing answers */
    NOC_SPACE_L1,
    NOC_SPACE_MEMORY,   /* DRAM, ARC, the host */
    NOC_SPACE_REGISTERS /* words of 32 bits */
};

/* One request, or one packet of it, with everything that it needs on its way. */
struct noc_request {
    uint64_t target, back, length, mask; /* addresses of TARG and RET; mask of bytes to write */
    uint64_t cycle;                      /* when it was started */
    uint32_t target_at, back_at; /* raw coordinates of its NoC: end x, y, start x, y, 6 bits each */
    uint32_t control, tag, atomic, data, exclude;
    uint32_t from;     /* the place whose NIU sends it */
    uint32_t stride;   /* of a strided broadcast of the host; 0: none */
    uint32_t sequence; /* its number at that NIU */
    uint32_t packets;
    uint8_t noc, initiator;
    uint8_t who;    /* the core that started it, for findings */
    uint8_t host;   /* the host's: its data are not in the memory of the tile that sends it */
    uint8_t linked; /* part of a linked transaction, of which it may be the last */
};

/* All state of a network interface, without pointers. */
struct noc_niu {
    uint32_t field[NOC_INITIATORS][NOC_FIELDS];
    uint32_t config[NOC_CONFIG_WORDS];
    uint32_t counter[NOC_COUNTERS];
    uint32_t fence[NOC_FENCE_WORDS];
    uint32_t ecc, rtz_source, endpoint, sequence;
    uint32_t place;                  /* on NoC 0 */
    uint32_t link_at, link_next;     /* where an open link leads, and its channel */
    uint8_t waiting[NOC_INITIATORS]; /* requests of an initiator without a channel yet */
    uint8_t noc, kind;               /* kind: enum tx_chip_kind */
    uint8_t link_open, rtz_next;
    uint8_t held_count;
    /* Requests that wait until the open link ends; the hardware would stand still for good. */
    struct noc_request held[NOC_HELD];
};

/* Reads or writes bytes of a tile; they are of one space. */
struct noc_bytes {
    uint64_t address;
    uint8_t *to; /* read; NULL: a write */
    const uint8_t *from;
    const struct noc_request *request;
    uint32_t place, size;
    uint8_t noc;
};

/* Requests that wait until those before them have acted. */
struct noc_queue {
    struct noc_request list[NOC_QUEUE];
    uint32_t head, count;
    uint8_t acts;
};

/* The steps of a request that others can be told of. */
enum noc_step { NOC_GOES, NOC_LEFT, NOC_ACTED, NOC_ANSWERED };

struct noc_world {
    enum tx_arch arch;
    bool alone; /* one tile: of other places nothing is known, and every one receives broadcasts */
    void *user;
    struct noc_queue *queue;
    /* The NIU of a NoC at a place; NULL: none. */
    struct noc_niu *(*niu)(void *user, unsigned noc, uint32_t place);
    /* A counter of that place is about to change: who waits for it wakes up. NULL: nobody sleeps.
     */
    void (*touch)(void *user, uint32_t place);
    enum noc_space (*space)(void *user, unsigned noc, uint32_t place, uint64_t address);
    /* False: nothing answers. */
    bool (*bytes)(void *user, const struct noc_bytes *bytes);
    void (*finding)(void *user, const struct noc_request *request, enum finding_kind finding,
                    uint64_t value);
    /* Translates coordinates to a place, in place of the tables; NULL: the tables do. */
    uint32_t (*translate)(void *user, const struct noc_niu *niu, uint32_t given);
    /* Takes a request over to execute it later; NULL: it is executed at once. */
    void (*submit)(void *user, struct noc_niu *niu, const struct noc_request *request);
    /* Told of each step of a request, or of a packet, and where it is; NULL: nobody. */
    void (*told)(void *user, const struct noc_request *request, enum noc_step step, uint32_t place);
};

static inline void noc_tell(const struct noc_world *w, const struct noc_request *r,
                            enum noc_step step, uint32_t place)
{
    if (w->told != NULL) {
        w->told(w->user, r, step, place);
    }
}

static inline uint32_t noc_flag(const struct noc_request *r, unsigned first, unsigned bits)
{
    return bits_get(r->control, first, bits);
}
#define NOC_FLAG(r, ID) noc_flag(r, CONTROL_FIRST_##ID, CONTROL_BITS_##ID)
#define NOC_TAG(r, ID) bits_get((r)->tag, TAG_FIRST_##ID, TAG_BITS_##ID)

/* ---- places.c ---- */

/* Converts between raw coordinates of a NoC and places; either way. Outside the grid: unchanged. */
uint32_t noc_mirrored(enum tx_arch arch, unsigned noc, uint32_t at);
bool noc_on_grid(enum tx_arch arch, uint32_t at);
/* Translates one pair of coordinates as the NIU does. */
uint32_t noc_translated(const struct noc_world *w, const struct noc_niu *niu, uint32_t given);
/* Returns word "index" of a configuration item, counted from its first. */
uint32_t *noc_config(enum tx_arch arch, struct noc_niu *niu, enum noc_config item, unsigned index);
uint32_t noc_config_get(enum tx_arch arch, const struct noc_niu *niu, enum noc_config item,
                        unsigned index);
/*
 * Returns the place that follows "after" among the receivers of a broadcast, in ascending y, then
 * x, the sender's own last. Begin with NOC_NOWHERE; NOC_NOWHERE is returned at the end.
 */
uint32_t noc_receiver(const struct noc_world *w, const struct noc_request *r, uint32_t at,
                      uint32_t after);

/* Returns whether a broadcast goes to a place, whether its NIU takes it or not. */
bool noc_in_rectangle(const struct noc_world *w, const struct noc_request *r, uint32_t at,
                      uint32_t place);
/* Returns whether a NIU takes broadcasts. */
bool noc_takes(enum tx_arch arch, const struct noc_niu *niu);
/* Returns the hops from one place to another on a NoC. */
uint32_t noc_hops(enum tx_arch arch, unsigned noc, uint32_t from, uint32_t to);

/* ---- registers.c ---- */

/* Brings a NIU to its state after power-up; its place and kind are kept. */
void noc_reset(struct noc_niu *niu);
/*
 * Takes place, kind and number from another one, after a state was replaced, and brings what leads
 * elsewhere into range.
 */
void noc_identify(struct noc_niu *niu, const struct noc_niu *as);
/* Changes a counter. RTZ_SOURCE follows. */
void noc_count(struct noc_niu *niu, unsigned counter, uint32_t by);
/*
 * Load and store a register. A store may start a request. who: enum riscv_core or another number
 * for whoever is outside. peek: a debugger looks, nothing changes.
 */
uint32_t noc_load(const struct noc_world *w, struct noc_niu *niu, unsigned who, uint32_t offset,
                  bool peek);
void noc_store(const struct noc_world *w, struct noc_niu *niu, unsigned who, uint32_t offset,
               uint32_t value);
/* Returns whether a load of the register changes something. */
bool noc_changes(enum tx_arch arch, uint32_t offset);
/* Writes what a register is called, "NIU_MST_RD_RESP_RECEIVED" ...; 64 bytes suffice. */
void noc_register_text(enum tx_arch arch, uint32_t offset, char *text, size_t size);
/* Returns which counter is at an offset, or -1. */
int noc_counter_at(enum tx_arch arch, uint32_t offset);

/* ---- request.c ---- */

/* Starts the request of an initiator. */
void noc_fire(const struct noc_world *w, struct noc_niu *niu, unsigned initiator, unsigned who);
/* Counts a request that starts, and hands it over (noc_world.submit) or executes it. */
void noc_submit(const struct noc_world *w, struct noc_niu *niu, struct noc_request *r);
/* Executes requests that wait, up to a bound. */
void noc_drain(const struct noc_world *w);
/* Returns packet number "index" of a request. */
struct noc_request noc_packet_of(enum tx_arch arch, const struct noc_request *r, uint32_t index);

/* ---- packet.c: what a packet does, in this order ---- */

/*
 * At its sender: counters, and for a write the data are read. data has room for NOC_PACKET_BYTES;
 * for requests of the host it holds the data already.
 */
void noc_leave(const struct noc_world *w, const struct noc_request *p, uint8_t *data);
/*
 * At one receiver. Of a read, data receives what is read; of an atomic, result does. Returns
 * whether there is an answer.
 */
bool noc_act(const struct noc_world *w, const struct noc_request *p, uint32_t place, uint8_t *data,
             uint32_t *result);
/* Where the answer goes to. */
void noc_answer(const struct noc_world *w, const struct noc_request *p, const uint8_t *data,
                uint32_t result);
/* Returns the coordinates that a packet goes to, raw ones with those of the start behind them. */
uint32_t noc_goes_to(const struct noc_request *p);
/* Data flits of a packet. */
uint32_t noc_flits(const struct noc_world *w, const struct noc_request *p);
/* Returns the place where the packet acts (for a broadcast, where the rectangle ends). */
uint32_t noc_target_place(const struct noc_world *w, const struct noc_request *p);
/* Returns the place that the answer goes to. */
uint32_t noc_answer_place(const struct noc_world *w, const struct noc_request *p);
/* All of that at once. Returns whether every place answered. */
bool noc_packet(const struct noc_world *w, const struct noc_request *p, uint8_t *data);
/* Read or write bytes of a tile, registers word by word. False: nothing answers. */
bool noc_read(const struct noc_world *w, const struct noc_request *p, uint32_t place,
              uint64_t address, uint8_t *to, uint32_t size);
bool noc_write(const struct noc_world *w, const struct noc_request *p, uint32_t place,
               uint64_t address, const uint8_t *from, uint32_t size);

/* ---- rules.c: findings about a request as it starts ---- */
void noc_check(const struct noc_world *w, const struct noc_niu *niu, const struct noc_request *r);
/* Returns whether a request would break an open link, and lets one that does not go on with it. */
bool noc_breaks_link(const struct noc_niu *niu, const struct noc_request *r);
void noc_link(struct noc_niu *niu, const struct noc_request *r);
/* Returns whether a read or write without a mask begins or ends at a register. */
bool noc_reaches_registers(const struct noc_world *w, const struct noc_request *r);

/* ---- atomic.c ---- */

/*
 * Executes an atomic on the 16 bytes of a line. word: which of its words the request's address
 * names. Returns false, with the line unchanged, if it is not modelled.
 */
bool noc_atomic(enum tx_arch arch, uint32_t operation, uint32_t data, uint8_t line[16]);

/* ---- overlay.c: the registers of idle streams ---- */

enum { NOC_STREAM_BYTES = 0x1000 };
/* Load and store a register of a stream, whose words are given. Returns false if it was dropped. */
uint32_t noc_stream_load(enum tx_arch arch, const uint32_t *words, uint32_t offset);
bool noc_stream_store(enum tx_arch arch, uint32_t *words, unsigned stream, uint32_t offset,
                      uint32_t value);
/* Returns the name of a register of a stream, or NULL. */
const char *noc_stream_name(enum tx_arch arch, uint32_t offset);
/* Returns whether a store makes a stream begin a phase, which is not modelled. */
bool noc_stream_starts(enum tx_arch arch, uint32_t offset, uint32_t value);

#endif
