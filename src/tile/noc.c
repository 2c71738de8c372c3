/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tile's network interfaces (NIU) to the two NoCs. A request is executed completely in the
 * cycle in which it is started; requests that it starts itself, by writing to these registers,
 * follow it in that cycle. Places other than this tile are served by the caller (tx_tensix_noc).
 * Source: spec/tile.md 10.1, chip.md 2.7, and the pages that isa/noc.def names.
 */
#include "state/l1.h"
#include "tile/tile.h"

#include <string.h>

enum noc_register {
#define NOC_REGISTER(ID, name, wh, bh) NOC_##ID,
#include "isa/noc.def"
    NOC_REGISTERS
};
enum noc_counter {
#define NOC_COUNTER(ID, index) COUNT_##ID = (index),
#include "isa/noc.def"
};
enum noc_control {
#define NOC_CONTROL(ID, first, bits) CONTROL_##ID,
#include "isa/noc.def"
};

static const uint16_t offsets[NOC_REGISTERS][2] = {
#define NOC_REGISTER(ID, name, wh, bh) {wh, bh},
#include "isa/noc.def"
};
static const struct {
    uint8_t first, bits;
} controls[] = {
#define NOC_CONTROL(ID, first, bits) {first, bits},
#include "isa/noc.def"
};

enum { NIU_BASE = REGION_BASE_NIU, NIU_BYTES = 0x10000, INITIATORS = 4, MMIO = 0xFF000000 };
enum { READ, ATOMIC, WRITE, PIECE = 256, TRANSACTIONS = 16, HEIGHT = NUMBER_WH_NOC_ROWS };
/*
 * The counter of packets under way has eight bits. ROUNDS: so often may requests start requests; a
 * program that goes on for ever in this way would never reach the end of its cycle.
 */
enum { PACKETS = 255, ROUNDS = 16, PLACES = 64 * 64 };

/* One request with its registers decoded. */
struct noc_request {
    struct tx_tensix *t;
    unsigned who, niu;
    uint32_t control, length, data;
    uint64_t mask;               /* of bytes to write */
    uint64_t target, back;       /* addresses of TARG and RET */
    uint32_t target_at, back_at; /* coordinates: x, y, first x, first y, six bits each */
    unsigned transaction;
    struct noc_answers *answers;
};

/* Who has answered a request so far. */
struct noc_answers {
    uint32_t refused[PLACES / 32]; /* bit per place (x, y): the caller has nothing there */
    bool any;
};

static unsigned chip(const struct tx_tensix *t)
{
    return machine_is_bh(t->m) ? 1 : 0;
}

static uint32_t *word_of(struct tx_tensix *t, unsigned niu, uint32_t offset)
{
    return &t->s.niu[(niu * NIU_BYTES + offset) / 4];
}

static uint32_t flag(const struct noc_request *r, enum noc_control which)
{
    return bits_get(r->control, controls[which].first, controls[which].bits);
}

/* ---- places ---- */

static uint32_t own_place(const struct tx_tensix *t)
{
    return NUMBER_OF(t->m->arch, NOC_X) | NUMBER_OF(t->m->arch, NOC_Y) << 6;
}

static uint32_t width(const struct tx_tensix *t)
{
    return NUMBER_OF(t->m->arch, NOC_COLUMNS);
}

/* Converts coordinates between NoC 1 and NoC 0, which counts from the opposite corner. */
static uint32_t mirrored(const struct tx_tensix *t, uint32_t place)
{
    const uint32_t x = place & 63u;
    const uint32_t y = place >> 6 & 63u;
    return x < width(t) && y < HEIGHT ? (width(t) - 1 - x) | (HEIGHT - 1 - y) << 6 : place;
}

/* Returns physical coordinates: undoes the translation to logical ones, or NoC 1's mirroring. */
static uint32_t untranslated(const struct noc_request *r, uint32_t place)
{
    enum { TRANSLATES = 1 << 14 };
    const uint32_t config = *word_of(r->t, r->niu, offsets[NOC_CONFIG][chip(r->t)]);
    const uint32_t logical = *word_of(r->t, r->niu, offsets[NOC_LOGICAL][chip(r->t)]) & 0xFFFu;
    if ((config & TRANSLATES) != 0) {
        return logical != 0 && place == logical ? own_place(r->t) : place;
    }
    return r->niu == 1 ? mirrored(r->t, place) : place;
}

static void wrong(const struct noc_request *r, enum tx_category category, const char *text,
                  uint64_t value)
{
    tile_finding(r->t, r->who, category, EVIDENCE_TILE_NOC, "NoC %u: %s (%llx)", r->niu, text,
                 (unsigned long long)value);
}

/*
 * Tells the listener of an access to L1 by a request; the access may still be under way when the
 * core goes on.
 */
static void tell(const struct noc_request *r, uint64_t address, bool write, uint32_t size)
{
    const bool reads = flag(r, CONTROL_KIND) == READ;
    const enum tx_order_l1 how = reads   ? TX_ORDER_L1_NOC_READ
                                 : write ? TX_ORDER_L1_NOC_WRITE
                                         : TX_ORDER_L1_NOC_SOURCE;
    if (address < l1_size(r->t->m->arch)) {
        tile_tell_many(r->t, r->who, write ? TX_ORDER_WRITE : TX_ORDER_READ, TX_SHARED_L1,
                       (unsigned)address, size, (uint32_t)how);
    }
}

/* Reads or writes bytes of this tile as its NIU reaches them. */
static void own_bytes(const struct noc_request *r, uint64_t address, uint8_t *to,
                      const uint8_t *from, uint32_t size)
{
    const enum tx_status status = address > UINT32_MAX ? TX_EINVAL
                                  : to != NULL
                                      ? tx_tensix_read(r->t, (uint32_t)address, to, size)
                                      : tx_tensix_write(r->t, (uint32_t)address, from, size);
    tell(r, address, from != NULL, size);
    if (status != TX_OK) {
        wrong(r, TX_UNDEFINED_BEHAVIOR, "nothing of the tile is at that address", address);
    }
    if (status != TX_OK && to != NULL) {
        memset(to, 0, size);
    } else if (to != NULL && flag(r, CONTROL_MASK) == 0 && address < l1_size(r->t->m->arch) &&
               l1_unwritten(r->t->m, (uint32_t)address, size)) {
        tile_finding(r->t, r->who, TX_UNPREDICTABLE_VALUE, EVIDENCE_E_L1INIT,
                     "NoC %u: bytes of L1 are read that nobody has written (a request from %llx)",
                     r->niu, (unsigned long long)r->target);
    }
}

/* Reads or writes bytes at a place on the NoC, this tile or one that the caller serves. */
static void bytes_at(const struct noc_request *r, uint32_t place, uint64_t address, uint8_t *to,
                     const uint8_t *from, uint32_t size)
{
    uint32_t *refused = &r->answers->refused[place % PLACES / 32];
    if (place == own_place(r->t)) {
        own_bytes(r, address, to, from, size);
        r->answers->any = true;
        return;
    }
    if (to != NULL) {
        memset(to, 0, size);
    }
    if ((*refused >> place % 32 & 1u) != 0) {
        return;
    }
    const struct tx_noc_access access = {.struct_size = sizeof access,
                                         .x = place & 63u,
                                         .y = place >> 6 & 63u,
                                         .address = address,
                                         .to = to,
                                         .from = from,
                                         .size = size};
    if (r->t->noc != NULL && r->t->noc(r->t->noc_user, &access)) {
        machine_work(r->t->m, 1);
        r->answers->any = true;
        return;
    }
    if (to != NULL) {
        memset(to, 0, size); /* it may have been filled in part */
    }
    *refused |= 1u << place % 32;
    tile_finding(r->t, r->who, TX_UNSUPPORTED, EVIDENCE_TILE_NOC,
                 "NoC %u: nothing but this tile is modelled, (%u, %u) does not answer; %s", r->niu,
                 access.x, access.y, to != NULL ? "zeros were read" : "nothing was written");
}

/*
 * Returns whether n is in a span of coordinates, which wraps around the edge if it begins after its
 * end.
 */
static bool in_span(uint32_t n, uint32_t first, uint32_t last)
{
    return first <= last ? n >= first && n <= last : n >= first || n <= last;
}

/*
 * Writes bytes to one place, or to all places of a rectangle; every write goes through here.
 * Returns the number of places.
 */
static unsigned deliver(const struct noc_request *r, uint32_t at, uint64_t address,
                        const uint8_t *from, uint32_t size)
{
    unsigned count = 0;
    if (flag(r, CONTROL_MANY) == 0) {
        bytes_at(r, untranslated(r, at & 0xFFFu), address, NULL, from, size);
        return 1;
    }
    for (uint32_t y = 0; y < HEIGHT; y++) {
        for (uint32_t x = 0; x < width(r->t); x++) {
            if (!in_span(x, at >> 12 & 63u, at & 63u) ||
                !in_span(y, at >> 18 & 63u, at >> 6 & 63u)) {
                continue;
            }
            const uint32_t place = untranslated(r, x | y << 6);
            const bool own = place == own_place(r->t);
            if (!own || flag(r, CONTROL_OWN_TOO) != 0) {
                bytes_at(r, place, address, NULL, from, size);
                count++;
            }
        }
    }
    return count;
}

/* ---- counters ---- */

static void count(const struct noc_request *r, enum noc_counter counter, uint32_t by)
{
    *word_of(r->t, r->niu, offsets[NOC_COUNTERS][chip(r->t)] + 4u * counter) += by;
}

/* Counts in one of two neighbouring counters: requests that are answered, then posted ones. */
static void count_posted(const struct noc_request *r, enum noc_counter counter, uint32_t by)
{
    count(r, (enum noc_counter)(counter + (flag(r, CONTROL_ANSWER) == 0)), by);
}

static bool is_own(const struct noc_request *r, uint32_t at)
{
    return untranslated(r, at & 0xFFFu) == own_place(r->t);
}

static uint32_t flits(const struct noc_request *r, uint32_t bytes)
{
    const uint32_t flit = chip(r->t) != 0 ? 64 : 32;
    return bytes == 0 ? 1 : (bytes - 1) / flit + 1;
}

/* ---- requests ---- */

/* The hardware sends longer requests as several packets. */
static uint32_t packets_of(const struct noc_request *r)
{
    const uint32_t most = NUMBER_OF(r->t->m->arch, NOC_PACKET);
    return r->length == 0 ? 1 : (r->length - 1) / most + 1;
}

static bool is_register_of_tile(uint64_t address)
{
    return address >= MMIO && address <= UINT32_MAX;
}

/* Returns how many bytes the request can move at most: registers are reached in single words. */
static uint32_t length_most(const struct noc_request *r, uint32_t from_at)
{
    const bool to_own = flag(r, CONTROL_MANY) != 0 && flag(r, CONTROL_KIND) == WRITE
                            ? flag(r, CONTROL_OWN_TOO) != 0
                            : is_own(r, r->back_at);
    if ((from_at == own_place(r->t) && is_register_of_tile(r->target)) ||
        (to_own && is_register_of_tile(r->back))) {
        return 4;
    }
    return PACKETS * NUMBER_OF(r->t->m->arch, NOC_PACKET);
}

/*
 * Checks length and alignment (isa Alignment, Counters). The request is executed all the same, as
 * far as the hardware can count it.
 */
static void check_length(struct noc_request *r, uint32_t from_at)
{
    const uint32_t most = length_most(r, from_at);
    const bool registers = r->target >= MMIO || r->back >= MMIO;
    if (r->length == 0 || r->length > most) {
        wrong(r, TX_UNDEFINED_BEHAVIOR,
              r->length == 0 ? "length of a request"
                             : "a request is longer than it may be; only its beginning is moved",
              r->length);
        r->length = r->length < most ? r->length : most;
    } else if (registers ? ((r->target | r->back) % 4 != 0 && r->length > 4) ||
                               (r->back >= MMIO && r->length != 4)
                         : r->target % 16 != r->back % 16) {
        wrong(r, TX_UNDEFINED_BEHAVIOR, "alignment of a request from", r->target);
    }
}

static unsigned copy(const struct noc_request *r, uint32_t from_at, uint32_t to_at)
{
    uint8_t piece[PIECE];
    unsigned places = 0;
    /* Where nobody has taken the first piece, nobody takes the others. */
    for (uint32_t done = 0; done < r->length && (done == 0 || r->answers->any); done += PIECE) {
        const uint32_t n = r->length - done < PIECE ? r->length - done : PIECE;
        machine_work(r->t->m, 1);
        bytes_at(r, from_at, r->target + done, piece, NULL, n);
        r->answers->any = false;
        places = deliver(r, to_at, r->back + done, piece, n);
    }
    return places;
}

static void do_read(struct noc_request *r)
{
    const uint32_t from_at = untranslated(r, r->target_at & 0xFFFu);
    check_length(r, from_at);
    const uint32_t packets = packets_of(r);
    (void)copy(r, from_at, r->back_at & 0xFFFu);
    count(r, COUNT_MST_READ_STARTED, packets);
    count(r, COUNT_MST_READ_SENT, packets);
    if (is_own(r, r->target_at)) {
        count(r, COUNT_SLV_ACCEPTED, packets);
        count(r, COUNT_SLV_READ_RECEIVED, packets);
        count(r, COUNT_SLV_READ_ANSWERED, packets);
        count(r, COUNT_SLV_READ_FLITS, flits(r, r->length));
    }
    if (is_own(r, r->back_at)) {
        count(r, COUNT_MST_READ_ANSWERED, packets);
        count(r, COUNT_MST_READ_FLITS, flits(r, r->length));
    }
}

/* Writes the bytes that the mask names, as runs of neighbours. */
static unsigned masked(const struct noc_request *r, uint32_t at, uint64_t address,
                       const uint8_t *bytes, unsigned most)
{
    unsigned places = 0;
    for (unsigned i = 0; i < most; i++) {
        if ((r->mask >> i & 1u) != 0) {
            unsigned n = 1;
            for (; i + n < most && (r->mask >> (i + n) & 1u) != 0;) {
                n++;
            }
            places = deliver(r, at, address + i, bytes + i, n);
            i += n;
        }
    }
    return places;
}

static unsigned write_inline(const struct noc_request *r)
{
    uint8_t bytes[32];
    for (unsigned i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(r->data >> 8 * (i % 4));
    }
    if (r->target >= MMIO) {
        return deliver(r, r->target_at, r->target & ~3ull, bytes, 4);
    }
    if (chip(r->t) != 0) {
        wrong(r, TX_UNDEFINED_BEHAVIOR, "an inline write to L1, which is not safe on Blackhole",
              r->target);
        return deliver(r, r->target_at, r->target & ~3ull, bytes, 4);
    }
    /* Both halves of the mask refer to the same 16 bytes; the upper one is applied later. */
    struct noc_request half = *r;
    half.mask = r->mask & 0xFFFFu;
    const unsigned places = masked(&half, r->target_at, r->target & ~15ull, bytes, 16);
    half.mask = r->mask >> 16 & 0xFFFFu;
    const unsigned later = masked(&half, r->target_at, r->target & ~15ull, bytes, 16);
    return places != 0 ? places : later;
}

static unsigned write_masked(const struct noc_request *r)
{
    uint8_t bytes[64];
    const unsigned most = chip(r->t) != 0 ? 64 : 32;
    const uint64_t down = chip(r->t) != 0 ? ~15ull : ~31ull;
    if (r->back >= MMIO) {
        bytes_at(r, own_place(r->t), r->target & ~3ull, bytes, NULL, 4);
        return deliver(r, r->back_at, r->back & ~3ull, bytes, 4);
    }
    bytes_at(r, own_place(r->t), r->target & down, bytes, NULL, most);
    return masked(r, r->back_at, r->back & down, bytes, most);
}

static void do_write(struct noc_request *r)
{
    const bool inlined = flag(r, CONTROL_INLINE) != 0;
    const bool mask = flag(r, CONTROL_MASK) != 0;
    const uint32_t at = inlined ? r->target_at : r->back_at;
    unsigned places;
    if (inlined) {
        places = write_inline(r);
    } else if (mask) {
        places = write_masked(r);
    } else {
        check_length(r, own_place(r->t));
        places = copy(r, own_place(r->t), r->back_at);
    }
    const uint32_t packets = inlined || mask ? 1 : packets_of(r);
    const uint32_t data = inlined ? 0 : flits(r, mask ? 1 : r->length);
    count_posted(r, COUNT_MST_WRITE_STARTED, packets);
    count_posted(r, COUNT_MST_WRITE_SENT, packets);
    count_posted(r, COUNT_MST_WRITE_FLITS, data);
    if (flag(r, CONTROL_MANY) == 0 ? is_own(r, at) : flag(r, CONTROL_OWN_TOO) != 0) {
        count_posted(r, COUNT_SLV_WRITE_STARTED, packets);
        count_posted(r, COUNT_SLV_WRITE_RECEIVED, packets);
        count_posted(r, COUNT_SLV_WRITE_FLITS, inlined ? 1 : data);
        count(r, COUNT_SLV_WRITE_ANSWERED, flag(r, CONTROL_ANSWER) != 0 ? packets : 0);
    }
    if (flag(r, CONTROL_ANSWER) != 0) {
        count(r, COUNT_MST_WRITE_ANSWERED, places * packets);
        /*
         * The counter goes up for the request and down for each answer, which leaves it unbalanced
         * after a broadcast.
         */
        count(r, (enum noc_counter)(COUNT_MST_OUTSTANDING + r->transaction),
              packets - places * packets);
    }
}

/*
 * Executes the increment, the only atomic in use: bits 1:0 choose the word within 16 bytes, bits
 * 6:2 how many bits it wraps at, minus one.
 */
static void do_atomic(const struct noc_request *r)
{
    enum { INCREMENT = 1 };
    const uint32_t place = untranslated(r, r->target_at & 0xFFFu);
    const uint64_t at = (r->target & ~15ull) + 4ull * bits_get(r->length, 0, 2);
    const uint32_t mask = (uint32_t)((2ull << bits_get(r->length, 2, 5)) - 1);
    uint8_t bytes[4];
    uint32_t old = 0;
    if (bits_get(r->length, 12, 4) != INCREMENT || flag(r, CONTROL_MANY) != 0) {
        wrong(r, TX_UNSUPPORTED, "an atomic request other than the increment of one place",
              r->length);
        return;
    }
    bytes_at(r, place, at, bytes, NULL, 4);
    for (unsigned i = 0; i < 4; i++) {
        old |= (uint32_t)bytes[i] << 8 * i;
    }
    const uint32_t sum = ((old + r->data) & mask) | (old & ~mask);
    uint8_t after[4];
    for (unsigned i = 0; i < 4; i++) {
        after[i] = (uint8_t)(sum >> 8 * i);
    }
    bytes_at(r, place, at, NULL, after, 4);
    const bool answer = flag(r, CONTROL_ANSWER) != 0;
    count_posted(r, COUNT_MST_ATOMIC_SENT, 1);
    count(r, COUNT_MST_ATOMIC_STARTED, answer);
    if (place == own_place(r->t)) {
        count(r, COUNT_SLV_ACCEPTED, 1);
        count_posted(r, COUNT_SLV_ATOMIC_RECEIVED, 1);
        count(r, COUNT_SLV_ATOMIC_ANSWERED, answer);
    }
    if (answer) {
        bytes_at(r, untranslated(r, r->back_at & 0xFFFu), r->back & ~3ull, NULL, bytes, 4);
        count(r, COUNT_MST_ATOMIC_ANSWERED, 1);
    }
}

/* ---- registers ---- */

static uint32_t field(const struct noc_request *r, unsigned initiator, enum noc_register which)
{
    const unsigned c = chip(r->t);
    return *word_of(r->t, r->niu, initiator * offsets[NOC_STEP][c] + offsets[which][c]);
}

static void place_of(const struct noc_request *r, unsigned initiator, enum noc_register low,
                     uint64_t *address, uint32_t *at)
{
    const uint32_t mid = field(r, initiator, (enum noc_register)(low + 1));
    *address = field(r, initiator, low) | (uint64_t)mid << 32;
    if (chip(r->t) != 0) {
        *at = field(r, initiator, (enum noc_register)(low + 2)) & 0xFFFFFFu;
    } else {
        *at = mid >> 4 & 0xFFFFFFu;
        *address &= (1ull << 36) - 1;
    }
}

static void execute(struct tx_tensix *t, unsigned who, unsigned niu, unsigned initiator)
{
    struct noc_answers answers = {.any = false};
    struct noc_request r = {.t = t, .who = who, .niu = niu, .answers = &answers};
    r.control = field(&r, initiator, NOC_CTRL);
    r.length = field(&r, initiator, NOC_LEN);
    r.data = field(&r, initiator, NOC_DATA);
    r.mask = r.length | (chip(t) != 0 ? (uint64_t)field(&r, initiator, NOC_LEN_1) << 32 : 0);
    r.transaction = bits_get(field(&r, initiator, NOC_TAG), 10, 4);
    place_of(&r, initiator, NOC_TARG_LO, &r.target, &r.target_at);
    place_of(&r, initiator, NOC_RET_LO, &r.back, &r.back_at);
    count(&r, COUNT_MST_ACCEPTED, 1);
    if (flag(&r, CONTROL_ADD) != 0) {
        wrong(&r, TX_UNSUPPORTED, "a request that accumulates into L1; it overwrites", r.control);
    }
    switch (flag(&r, CONTROL_KIND)) {
    case READ:
        do_read(&r);
        break;
    case ATOMIC:
        do_atomic(&r);
        break;
    case WRITE:
        do_write(&r);
        break;
    default:
        wrong(&r, TX_UNDEFINED_BEHAVIOR, "a request of kind 3; nothing is done", r.control);
        break;
    }
}

/*
 * Starts a request. One that is started by the request under way waits for its end, as hardware's
 * initiators take turns.
 */
static void start(struct tx_tensix *t, unsigned who, unsigned niu, unsigned initiator)
{
    const unsigned bit = 1u << (niu * INITIATORS + initiator);
    t->requests |= bit;
    if (t->requesting) {
        return;
    }
    t->requesting = true;
    for (unsigned round = 0; round < ROUNDS && t->requests != 0; round++) {
        for (unsigned i = 0; i < 2 * INITIATORS; i++) {
            if ((t->requests >> i & 1u) != 0) {
                t->requests &= ~(1u << i);
                execute(t, who, i / INITIATORS, i % INITIATORS);
            }
        }
    }
    if (t->requests != 0) {
        tile_finding(t, who, TX_UNSUPPORTED, EVIDENCE_TILE_NOC,
                     "NoC requests that start each other go on for ever; the rest is not done");
    }
    t->requests = 0;
    t->requesting = false;
}

/* Returns whether "in", an offset within an interface, is that of the register. */
static bool is_register(const struct tx_tensix *t, uint32_t in, enum noc_register which)
{
    return in == offsets[which][chip(t)];
}

/*
 * Tells the listener that a core has read a counter of completed requests. A write request has read
 * its source when it is sent, and has changed its target when it is answered.
 */
static void tell_counter(struct tx_tensix *t, unsigned who, uint32_t in)
{
    const uint32_t counter = (in - offsets[NOC_COUNTERS][chip(t)]) / 4;
    uint32_t over = 0;
    switch (counter) {
    case COUNT_MST_READ_ANSWERED:
        over = 1u << TX_ORDER_L1_NOC_READ;
        break;
    case COUNT_MST_WRITE_SENT:
    case COUNT_MST_WRITE_SENT + 1:
        over = 1u << TX_ORDER_L1_NOC_SOURCE;
        break;
    case COUNT_MST_WRITE_ANSWERED:
    case COUNT_MST_ATOMIC_ANSWERED:
        over = 1u << TX_ORDER_L1_NOC_SOURCE | 1u << TX_ORDER_L1_NOC_WRITE;
        break;
    default:
        over = counter - COUNT_MST_OUTSTANDING < TRANSACTIONS
                   ? 1u << TX_ORDER_L1_NOC_READ | 1u << TX_ORDER_L1_NOC_SOURCE |
                         1u << TX_ORDER_L1_NOC_WRITE
                   : 0;
        break;
    }
    if (over != 0) {
        tile_tell(t, who, TX_ORDER_NOC, TX_SHARED_COUNT, counter, over);
    }
}

static enum riscv_answer niu_load(struct tx_tensix *t, unsigned who, struct riscv_access *a)
{
    const uint32_t offset = a->address - NIU_BASE;
    const unsigned niu = offset / NIU_BYTES;
    const uint32_t in = offset % NIU_BYTES;
    a->value = *word_of(t, niu, in);
    tell_counter(t, who, in);
    if (is_register(t, in, NOC_NODE_ID)) {
        a->value = (niu == 1 ? mirrored(t, own_place(t)) : own_place(t)) | width(t) << 12 |
                   (uint32_t)HEIGHT << 19 | (niu == 1 ? 0u : 1u << 28); /* see T25 */
    } else if (is_register(t, in, NOC_LOGICAL) && a->value == 0) {
        a->value = own_place(t); /* until another is written */
    }
    return RISCV_DONE;
}

static enum riscv_answer niu_store(struct tx_tensix *t, unsigned who, const struct riscv_access *a)
{
    const unsigned c = chip(t);
    const uint32_t offset = a->address - NIU_BASE;
    const unsigned niu = offset / NIU_BYTES;
    const uint32_t in = offset % NIU_BYTES;
    if (in < INITIATORS * (uint32_t)offsets[NOC_STEP][c] &&
        in % offsets[NOC_STEP][c] == offsets[NOC_CMD][c]) {
        if ((a->value & 1u) != 0) {
            start(t, who, niu, in / offsets[NOC_STEP][c]);
        }
        return RISCV_DONE; /* a later load returns 0: accepted */
    }
    if (is_register(t, in, NOC_CLEAR)) {
        for (unsigned i = 0; i < TRANSACTIONS; i++) {
            uint32_t *counter =
                word_of(t, niu, offsets[NOC_COUNTERS][c] + 4u * (COUNT_MST_OUTSTANDING + i));
            *counter = (a->value >> i & 1u) != 0 ? 0 : *counter;
        }
        return RISCV_DONE;
    }
    *word_of(t, niu, in) = a->value;
    return RISCV_DONE;
}

const struct tile_page tile_niu = {niu_load, niu_store};

void tx_tensix_noc(tx_tensix *t, bool (*place)(void *user, const struct tx_noc_access *access),
                   void *user)
{
    t->noc = place;
    t->noc_user = user;
}

void tx_tensix_noc_place(enum tx_arch arch, unsigned *x, unsigned *y)
{
    *x = NUMBER_OF(arch, NOC_X);
    *y = NUMBER_OF(arch, NOC_Y);
}
