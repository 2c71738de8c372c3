/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests that cores start at their network interfaces, on a whole chip of ours and of the other
 * side: reads, writes, inline writes, atomics and broadcasts between six Tensix tiles and two DRAM
 * banks. A word is the seed of a request. Compared are the bytes of all of them, the registers of
 * the initiators, the counters, and the words of two streams of each tile.
 */
#ifndef TESTS_COSIM_NOC_H
#define TESTS_COSIM_NOC_H

#include "cosim/engine.h"

#include <tensix/chip.h>
#include <tensix/tile_debug.h>

enum {
    NOC_TILES = 6, /* three columns, two rows */
    NOC_BANKS = 2,
    NOC_MEMORIES = NOC_TILES + NOC_BANKS,
    NOC_BYTES = 0xC000, /* of each memory, from address 0 on */
    NOC_WORDS = 16,     /* requests of a program */
    NOC_BLOCK = 64,     /* programs that begin with the same bytes */
    NOC_TIMED = 4,      /* of so many programs, one runs on the chip in time */
    NOC_CYCLES = 64,
    NOC_LIMIT = 1000, /* of these, for one request */
    NOC_INITIATORS = 4,
    NOC_BASE = 0xFFB20000,
    NOC_STEP = 0x10000, /* from one NoC to the other */
    NOC_COUNTERS_AT = 0x200,
    NOC_COUNTERS = 62,
    NOC_OUTSTANDING = 16, /* these counters begin here, and are cleared from outside */
    NOC_STREAM_AT = 0xFFB40000,
    NOC_STREAMS = 2,
    NOC_FLAG_READ = 0,
    NOC_FLAG_ATOMIC = 1,
    NOC_FLAG_WRITE = 2,
    NOC_FLAG_MASK = 1 << 2,
    NOC_FLAG_INLINE = 1 << 3,
    NOC_FLAG_ANSWER = 1 << 4,
    NOC_FLAG_MANY = 1 << 5,
    NOC_FLAG_STATIC = 1 << 7,
    NOC_FLAG_RESERVE = 1 << 8,
    NOC_FLAG_BY_Y = 1 << 16,
    NOC_FLAG_OWN_TOO = 1 << 17
};

/* Offsets of an initiator's registers: isa NoC/MemoryMap 5f4de27, e739ac0. */
enum {
    AT_TARG = 0,
    AT_RET = 0x0C,
    AT_TAG = 0x18,
    AT_CTRL = 0x1C,
    AT_LEN = 0x20,
    AT_COLUMNS = 0x108,
    AT_ROWS = 0x110
};
struct noc_layout {
    uint32_t step, data, command;
};
static const struct noc_layout noc_layouts[2] = {{0x400, 0x24, 0x28}, {0x800, 0x28, 0x40}};

/* Registers of a stream that both have: source, buffer start, size, space; adding to the space. */
enum { STREAM_SPACE = 3, STREAM_READS = 4 };
static const uint32_t stream_reads[2][STREAM_READS] = {{0, 0x0C, 0x10, 0x100},
                                                       {0x10, 0x20, 0x28, 0x4A4}};
static const uint32_t stream_adds[2] = {0x88, 0x438};

enum noc_form { FORM_READ, FORM_WRITE, FORM_INLINE, FORM_ATOMIC, FORM_MANY, FORM_REGISTER };
static const char *const noc_names[] = {"READ", "WRITE", "INLINE", "ATOMIC", "MANY", "REGISTER"};

/* A request as the registers of an initiator say it. Places: x and y << 6; start << 12. */
struct asked {
    enum noc_form form;
    unsigned tile, noc, initiator;
    uint64_t target, back;
    uint32_t target_at, back_at, length, data, tag, control;
};

struct network {
    tx_chip *chips[2]; /* requests act at once; and in time */
    tx_tensix *tiles[2][NOC_TILES];
    tx_chip *chip; /* that of the present program */
    tx_tensix *const *tile;
    size_t place[NOC_MEMORIES];
    struct tx_chip_tile at[NOC_MEMORIES];
    unsigned number[NOC_MEMORIES];                  /* of the Tensix tile or the DRAM bank */
    uint8_t bytes[NOC_MEMORIES][NOC_BYTES];         /* with which the programs of a block begin */
    bool counted[NOC_COUNTERS];                     /* the other side has it */
    uint32_t before[2][NOC_TILES][2][NOC_COUNTERS]; /* ours, theirs */
};

/* ---- drawing ---- */

static uint32_t stream_at(const struct cosim *c, unsigned stream, unsigned which)
{
    return NOC_STREAM_AT + 0x1000 * stream + stream_reads[c->arch == TX_BLACKHOLE][which];
}

/* Coordinates of a memory on a NoC: raw ones, or translated ones, as the chip's software may. */
static uint32_t noc_coordinates(const struct cosim *c, unsigned memory, unsigned noc,
                                bool translated)
{
    const struct network *n = c->own;
    const struct tx_chip_tile *t = &n->at[memory];
    const bool raw = c->arch == TX_WORMHOLE && (memory >= NOC_TILES || !translated);
    return raw ? t->x[noc] | t->y[noc] << 6 : t->translated_x | t->translated_y << 6;
}

static uint32_t noc_length(struct bridge_rng *r, uint32_t most)
{
    switch (draw_below(r, 4)) {
    case 0:
        return 1 + draw_below(r, 64);
    case 1:
        return 16u << draw_below(r, 10);
    case 2:
        return 1 + draw_below(r, 1024);
    default:
        return 1 + draw_below(r, most);
    }
}

/* Two addresses that agree in their low bits (most often) and do not overlap in one memory. */
static void noc_addresses(struct cosim *c, struct asked *q, uint32_t modulo, bool same)
{
    struct bridge_rng *r = &c->random;
    const uint32_t room = NOC_BYTES - q->length;
    for (;;) {
        const uint32_t from = draw_below(r, room + 1);
        uint32_t to = draw_below(r, room + 1);
        to = draw_one_in(r, 32) ? to : (to & ~(modulo - 1)) | (from & (modulo - 1));
        if (to <= room && !(same && from < to + q->length && to < from + q->length)) {
            q->target = from;
            q->back = to;
            return;
        }
        q->length = same && q->length > 64 ? q->length / 2 : q->length;
    }
}

static void noc_copy(struct cosim *c, struct asked *q, bool reads)
{
    struct bridge_rng *r = &c->random;
    const bool bh = c->arch == TX_BLACKHOLE;
    const unsigned far = draw_below(r, NOC_MEMORIES);
    const bool dram = far >= NOC_TILES;
    const uint32_t far_at = noc_coordinates(c, far, q->noc, draw_one_in(r, 2));
    const uint32_t own_at = noc_coordinates(c, q->tile, q->noc, draw_one_in(r, 2));
    q->length = noc_length(r, bh ? 16384 : 8192);
    noc_addresses(c, q, dram && reads ? (bh ? 64 : 32) : 16, far == q->tile);
    q->target_at = reads ? far_at : own_at;
    q->back_at = reads ? own_at : far_at;
    q->control = reads ? NOC_FLAG_READ | NOC_FLAG_ANSWER : NOC_FLAG_WRITE;
}

/* A word to L1 or to a register of a stream. */
static void noc_inline(struct cosim *c, struct asked *q)
{
    struct bridge_rng *r = &c->random;
    const unsigned far = draw_below(r, NOC_TILES);
    const bool bh = c->arch == TX_BLACKHOLE;
    const bool stream = bh ? !draw_one_in(r, 32) : draw_one_in(r, 2);
    q->target_at = noc_coordinates(c, far, q->noc, draw_one_in(r, 2));
    q->back_at = noc_coordinates(c, q->tile, q->noc, draw_one_in(r, 2));
    const unsigned k = draw_below(r, STREAM_READS);
    q->target =
        stream ? stream_at(c, draw_below(r, NOC_STREAMS), k) : 4 * draw_below(r, NOC_BYTES / 4);
    if (stream && k == STREAM_SPACE) {
        q->target += stream_adds[bh] - stream_reads[bh][k];
    }
    q->length = 0xFu << (q->target & 15u);
    q->data = stream ? bridge_u32(r) & (k == STREAM_SPACE ? 0x7FFFC0u : 0x1FFFFu) : bridge_u32(r);
    q->control = NOC_FLAG_WRITE | NOC_FLAG_INLINE;
}

/* Increments most often; one of the others now and then. */
static void noc_atomic_word(struct cosim *c, struct asked *q)
{
    struct bridge_rng *r = &c->random;
    static const uint32_t others[] = {0x107C, 0x1000, 0x2000, 0x3000, 0x4000, 0x6000, 0x7000};
    const unsigned far = draw_below(r, NOC_TILES);
    q->target_at = noc_coordinates(c, far, q->noc, draw_one_in(r, 2));
    q->back_at = noc_coordinates(c, q->tile, q->noc, draw_one_in(r, 2));
    q->target = 16 * draw_below(r, NOC_BYTES / 16);
    q->back = 4 * draw_below(r, NOC_BYTES / 4);
    q->length = draw_one_in(r, 8) ? others[draw_below(r, 7)] : 0x107C;
    q->data = draw_one_in(r, 2) ? draw_below(r, 16) : bridge_u32(r);
    q->control = NOC_FLAG_ATOMIC;
}

/* To a rectangle of these tiles, beginning at the corner from which the NoC's data flow. */
static void noc_many(struct cosim *c, struct asked *q)
{
    struct bridge_rng *r = &c->random;
    const unsigned x0 = draw_below(r, 3);
    const unsigned x1 = x0 + draw_below(r, 3 - x0);
    const unsigned y0 = draw_below(r, 2);
    const unsigned y1 = y0 + draw_below(r, 2 - y0);
    const bool translated = draw_one_in(r, 2);
    const uint32_t low = noc_coordinates(c, 3 * y0 + x0, q->noc, translated);
    const uint32_t high = noc_coordinates(c, 3 * y1 + x1, q->noc, translated);
    q->target_at = noc_coordinates(c, q->tile, q->noc, draw_one_in(r, 2));
    q->back_at = q->noc == 0 ? low << 12 | high : high << 12 | low;
    q->length = noc_length(r, c->arch == TX_BLACKHOLE ? 16384 : 8192);
    noc_addresses(c, q, 16, true);
    q->control = NOC_FLAG_WRITE | NOC_FLAG_MANY | (draw_one_in(r, 32) ? 0 : NOC_FLAG_RESERVE) |
                 (draw_one_in(r, 2) ? NOC_FLAG_OWN_TOO : 0);
}

/* A register of another tile into L1: who it is, what receives broadcasts, a word of a stream. */
static void noc_register(struct cosim *c, struct asked *q)
{
    struct bridge_rng *r = &c->random;
    const unsigned far = draw_below(r, NOC_TILES);
    const bool bh = c->arch == TX_BLACKHOLE;
    const uint32_t where[] = {bh ? 0x44 : 0x2C, bh ? 0x148 : 0x138, AT_COLUMNS, AT_ROWS};
    q->target = draw_one_in(r, 2)
                    ? stream_at(c, draw_below(r, NOC_STREAMS), draw_below(r, STREAM_READS))
                    : NOC_BASE + NOC_STEP * draw_below(r, 2) + where[draw_below(r, 4)];
    q->target_at = noc_coordinates(c, far, q->noc, draw_one_in(r, 2));
    q->back_at = noc_coordinates(c, q->tile, q->noc, draw_one_in(r, 2));
    q->length = 4;
    q->back = 4 * draw_below(r, NOC_BYTES / 4);
    q->control = NOC_FLAG_READ | NOC_FLAG_ANSWER;
}

static struct asked noc_draw(struct cosim *c, uint32_t seed)
{
    static const uint8_t forms[] = {FORM_READ,   FORM_READ,   FORM_READ,    FORM_WRITE,
                                    FORM_WRITE,  FORM_WRITE,  FORM_MANY,    FORM_INLINE,
                                    FORM_ATOMIC, FORM_ATOMIC, FORM_REGISTER};
    struct bridge_rng *r = &c->random;
    struct asked q = {.form = FORM_READ};
    r->s = cosim_mix(seed, 0x4E6F43);
    q.form = (enum noc_form)forms[draw_below(r, sizeof forms)];
    q.tile = draw_below(r, NOC_TILES);
    q.noc = draw_below(r, 2);
    q.initiator = draw_below(r, NOC_INITIATORS);
    q.tag = draw_one_in(r, 2) ? 0 : draw_below(r, 16) << 10;
    q.data = bridge_u32(r);
    switch (q.form) {
    case FORM_INLINE:
        noc_inline(c, &q);
        break;
    case FORM_ATOMIC:
        noc_atomic_word(c, &q);
        break;
    case FORM_MANY:
        noc_many(c, &q);
        break;
    case FORM_REGISTER:
        noc_register(c, &q);
        break;
    default:
        noc_copy(c, &q, q.form == FORM_READ);
    }
    if (q.form != FORM_READ && q.form != FORM_REGISTER) {
        q.control |= draw_one_in(r, q.form == FORM_ATOMIC ? 16 : 3) ? 0 : NOC_FLAG_ANSWER;
    }
    if (draw_one_in(r, 2)) { /* channels of a broadcast are those from 4 on */
        q.control |= NOC_FLAG_STATIC | (q.form == FORM_MANY ? 4 : draw_below(r, 4)) << 13;
    }
    q.control |= draw_one_in(r, 64) ? NOC_FLAG_BY_Y : 0;
    q.control |= draw_one_in(r, 64) ? NOC_FLAG_MASK : 0;
    return q;
}

/* ---- both sides ---- */

enum { HERE, THERE };

static bool noc_put(struct cosim *c, unsigned side, unsigned tile, uint32_t address, uint32_t value)
{
    const struct network *n = c->own;
    return side == THERE ? c->other->store(n->number[tile], address, value)
                         : tx_core_poke(n->tile[tile], TX_CORE_B, address, &value, 4) == 4;
}

static bool noc_get(struct cosim *c, unsigned side, unsigned tile, uint32_t address,
                    uint32_t *value)
{
    const struct network *n = c->own;
    return side == THERE ? c->other->load(n->number[tile], address, value)
                         : tx_core_peek(n->tile[tile], TX_CORE_B, address, value, 4) == 4;
}

static bool noc_ask(struct cosim *c, unsigned side, const struct asked *q)
{
    const bool bh = c->arch == TX_BLACKHOLE;
    const struct noc_layout *l = &noc_layouts[bh];
    const uint32_t at = NOC_BASE + NOC_STEP * q->noc + l->step * q->initiator;
    /* Wormhole keeps coordinates in the upper bits of the middle word. */
    const uint32_t middle[2] = {bh ? 0 : q->target_at << 4, bh ? 0 : q->back_at << 4};
    bool good = noc_put(c, side, q->tile, at + AT_TARG, (uint32_t)q->target) &&
                noc_put(c, side, q->tile, at + AT_TARG + 4, middle[0]) &&
                noc_put(c, side, q->tile, at + AT_RET, (uint32_t)q->back) &&
                noc_put(c, side, q->tile, at + AT_RET + 4, middle[1]) &&
                noc_put(c, side, q->tile, at + AT_TAG, q->tag) &&
                noc_put(c, side, q->tile, at + AT_CTRL, q->control) &&
                noc_put(c, side, q->tile, at + AT_LEN, q->length) &&
                noc_put(c, side, q->tile, at + l->data, q->data);
    if (bh) {
        good = good && noc_put(c, side, q->tile, at + AT_TARG + 8, q->target_at) &&
               noc_put(c, side, q->tile, at + AT_RET + 8, q->back_at);
    }
    return good && noc_put(c, side, q->tile, at + l->command, 1);
}

static struct tx_chip_place noc_host_place(const struct network *n, unsigned memory)
{
    return (struct tx_chip_place){0, n->at[memory].translated_x, n->at[memory].translated_y};
}

/* All that the class knows of a memory; NULL for "to": it is written. */
static void noc_memory(struct cosim *c, unsigned side, unsigned memory, uint8_t *to,
                       const uint8_t *from)
{
    const struct network *n = c->own;
    const struct tx_chip_place at = noc_host_place(n, memory);
    const bool good = side == THERE ? c->other->memory(memory >= NOC_TILES, n->number[memory], 0,
                                                       to, from, NOC_BYTES)
                      : to != NULL  ? tx_chip_read(n->chip, at, 0, to, NOC_BYTES) == TX_OK
                                    : tx_chip_write(n->chip, at, 0, from, NOC_BYTES) == TX_OK;
    if (!good) {
        cosim_fail("a memory of the chip");
    }
}

/* Which counters the other side has. */
static void noc_counted(struct cosim *c)
{
    struct network *n = c->own;
    for (unsigned i = 0; i < NOC_COUNTERS; i++) {
        uint32_t v;
        n->counted[i] = noc_get(c, THERE, 0, NOC_BASE + NOC_COUNTERS_AT + 4 * i, &v);
    }
}

/* The memories and streams of both sides are those with which the program begins. */
static void noc_begin(struct cosim *c, uint64_t number)
{
    struct network *n = c->own;
    n->chip = n->chips[number % NOC_TIMED == 0];
    n->tile = n->tiles[number % NOC_TIMED == 0];
    if (!c->has_block) {
        noc_counted(c);
    }
    if (!c->has_block || c->block != number / NOC_BLOCK) {
        struct bridge_rng r = {cosim_mix(c->seed, number / NOC_BLOCK)};
        for (size_t i = 0; i < sizeof n->bytes; i++) {
            (&n->bytes[0][0])[i] = (uint8_t)bridge_u32(&r);
        }
        c->block = number / NOC_BLOCK;
        c->has_block = true;
    }
    for (unsigned i = 0; i < NOC_MEMORIES; i++) {
        noc_memory(c, HERE, i, NULL, n->bytes[i]);
        noc_memory(c, THERE, i, NULL, n->bytes[i]);
    }
    for (unsigned side = HERE; side <= THERE; side++) {
        for (unsigned tile = 0; tile < NOC_TILES; tile++) {
            for (unsigned s = 0; s < NOC_STREAMS; s++) {
                for (unsigned k = 0; k < STREAM_SPACE; k++) { /* the size sets the space, too */
                    (void)noc_put(c, side, tile, stream_at(c, s, k), 0x1000 * k + tile);
                }
            }
            for (unsigned i = 0; i < 2 * NOC_COUNTERS; i++) {
                uint32_t *v = &n->before[side][tile][i / NOC_COUNTERS][i % NOC_COUNTERS];
                *v = 0;
                if (n->counted[i % NOC_COUNTERS]) {
                    (void)noc_get(c, side, tile,
                                  NOC_BASE + NOC_STEP * (i / NOC_COUNTERS) + NOC_COUNTERS_AT +
                                      4 * (i % NOC_COUNTERS),
                                  v);
                }
            }
        }
    }
}

/* ---- what differs ---- */

static bool noc_bytes_differ(struct cosim *c, struct difference *d)
{
    static uint8_t here[NOC_BYTES];
    static uint8_t there[NOC_BYTES];
    for (unsigned i = 0; i < NOC_MEMORIES; i++) {
        noc_memory(c, HERE, i, here, NULL);
        noc_memory(c, THERE, i, there, NULL);
        for (uint32_t at = 0; memcmp(here, there, NOC_BYTES) != 0 && at < NOC_BYTES; at++) {
            if (here[at] != there[at]) {
                d->place = (struct side_place){NULL, at, i, here[at], there[at]};
                snprintf(d->text, sizeof d->text, "%s %u at %x: %02x, there %02x",
                         i < NOC_TILES ? "L1 of tile" : "DRAM", i < NOC_TILES ? i : i - NOC_TILES,
                         (unsigned)at, here[at], there[at]);
                return true;
            }
        }
    }
    return false;
}

static bool noc_counters_differ(struct cosim *c, struct difference *d)
{
    struct network *n = c->own;
    for (unsigned tile = 0; tile < NOC_TILES; tile++) {
        for (unsigned i = 0; i < 2 * NOC_COUNTERS; i++) {
            const unsigned noc = i / NOC_COUNTERS;
            const unsigned k = i % NOC_COUNTERS;
            const uint32_t at = NOC_BASE + NOC_STEP * noc + NOC_COUNTERS_AT + 4 * k;
            uint32_t v[2] = {0, 0};
            if (!n->counted[k]) {
                continue;
            }
            for (unsigned side = HERE; side <= THERE; side++) {
                (void)noc_get(c, side, tile, at, &v[side]);
                v[side] -= n->before[side][tile][noc][k];
                v[side] &= k >= NOC_OUTSTANDING ? 0xFFu : ~0u; /* these have eight bits */
            }
            if (v[HERE] != v[THERE]) {
                d->place = (struct side_place){NULL, at, tile, v[HERE], v[THERE]};
                snprintf(d->text, sizeof d->text, "tile %u, %x goes up by %u, there by %u", tile,
                         (unsigned)at, (unsigned)v[HERE], (unsigned)v[THERE]);
                return true;
            }
        }
    }
    return false;
}

/* mask: bits that the other side has, too. */
static bool noc_word_differs(struct cosim *c, unsigned tile, uint32_t at, uint32_t mask,
                             struct difference *d)
{
    uint32_t v[2] = {0, 0};
    if (!noc_get(c, THERE, tile, at, &v[THERE]) || !noc_get(c, HERE, tile, at, &v[HERE]) ||
        ((v[HERE] ^ v[THERE]) & mask) == 0) {
        return false;
    }
    d->place = (struct side_place){NULL, at, tile, v[HERE], v[THERE]};
    snprintf(d->text, sizeof d->text, "tile %u, register %x: %x, there %x", tile, (unsigned)at,
             (unsigned)v[HERE], (unsigned)v[THERE]);
    return true;
}

/* Of the initiators that these requests use, and the streams. */
static bool noc_registers_differ(struct cosim *c, const uint32_t *words, unsigned count,
                                 struct difference *d)
{
    for (unsigned i = 0; i < count; i++) {
        const struct asked q = noc_draw(c, words[i]);
        const struct noc_layout *l = &noc_layouts[c->arch == TX_BLACKHOLE];
        const uint32_t from = NOC_BASE + NOC_STEP * q.noc + l->step * q.initiator;
        for (uint32_t at = 0; at <= l->command; at += 4) {
            /* Wormhole leaves translated coordinates and ports there, the simulator what it was
             * given: isa WH NoC/MemoryMap 5f4de27. */
            const bool middle = at == AT_TARG + 4 || at == AT_RET + 4;
            const uint32_t mask = c->arch != TX_WORMHOLE ? ~0u
                                  : middle               ? 0xFu
                                  : at == AT_CTRL        ? ~0x1C00u
                                                         : ~0u;
            if (noc_word_differs(c, q.tile, from + at, mask, d)) {
                return true;
            }
        }
    }
    for (unsigned i = 0; i < NOC_TILES * NOC_STREAMS * STREAM_READS; i++) {
        const unsigned s = i / STREAM_READS;
        if (noc_word_differs(c, s / NOC_STREAMS, stream_at(c, s % NOC_STREAMS, i % STREAM_READS),
                             ~0u, d)) {
            return true;
        }
    }
    return false;
}

/* Ours does what the other side has done, and both are compared. */
static bool noc_agree(struct cosim *c, const uint32_t *words, unsigned count, struct difference *d)
{
    struct network *n = c->own;
    *d = (struct difference){.count = 0};
    for (unsigned i = 0; i < count; i++) {
        const struct asked q = noc_draw(c, words[i]);
        if (!noc_ask(c, HERE, &q)) {
            d->stops = true;
            snprintf(d->text, sizeof d->text, "ours does not take a store");
            return false;
        }
        uint64_t limit = NOC_LIMIT;
        do { /* requests are one after the other on the other side */
            (void)tx_chip_cycle(n->chip, n->chip == n->chips[0] ? 1 : NOC_CYCLES);
        } while (tx_chip_under_way(n->chip) && --limit > 0);
    }
    return !noc_bytes_differ(c, d) && !noc_counters_differ(c, d) &&
           !noc_registers_differ(c, words, count, d);
}

static bool noc_again(struct cosim *c, unsigned reading, uint64_t number, const uint32_t *words,
                      unsigned count, struct difference *d)
{
    (void)reading;
    noc_begin(c, number);
    for (unsigned i = 0; i < count; i++) {
        const struct asked q = noc_draw(c, words[i]);
        (void)noc_ask(c, THERE, &q);
    }
    return noc_agree(c, words, count, d);
}

static bool noc_first(struct cosim *c, uint64_t number, struct difference *d)
{
    struct bridge_rng seeds = {cosim_mix(c->seed ^ 0x4E4F43, number)};
    const uint64_t before = c->refusals;
    noc_begin(c, number);
    c->count = 0;
    for (unsigned i = 0; i < NOC_WORDS; i++) {
        const uint32_t word = bridge_u32(&seeds);
        const struct asked q = noc_draw(c, word);
        if (noc_ask(c, THERE, &q)) {
            c->words[c->count++] = word;
        } else {
            count_refusal(c, c->other->refusal() != NULL ? c->other->refusal() : "it would wait");
        }
    }
    /* A refused request is in the registers of its initiator. */
    return c->refusals == before ? noc_agree(c, c->words, c->count, d)
                                 : noc_again(c, 0, number, c->words, c->count, d);
}

static void noc_name(struct cosim *c, uint32_t word, char name[32])
{
    snprintf(name, 32, "%s", noc_names[noc_draw(c, word).form]);
}

static void noc_text(struct cosim *c, uint32_t word, char text[200])
{
    const struct asked q = noc_draw(c, word);
    snprintf(text, 200,
             "%s: tile %u NoC %u initiator %u, target %x at %x, return %x at %x, length %x, "
             "control %x, tag %x, data %x",
             noc_names[q.form], q.tile, q.noc, q.initiator, (unsigned)q.target,
             (unsigned)q.target_at, (unsigned)q.back, (unsigned)q.back_at, (unsigned)q.length,
             (unsigned)q.control, (unsigned)q.tag, (unsigned)q.data);
}

/* ---- opening ---- */

/* Tensix tiles of the first three columns and two rows, and two banks, by what the chip says. */
static void noc_places(struct cosim *c, struct network *n)
{
    uint32_t width;
    uint32_t height;
    unsigned banks = 0;
    struct tx_chip_tile t;
    tx_chip_grid(n->chips[0], &width, &height);
    const unsigned columns = c->arch == TX_BLACKHOLE ? 14 : 8;
    for (size_t i = 0; i < (size_t)width * height; i++) {
        (void)tx_chip_tile_at(n->chips[0], i, &t);
        unsigned memory = NOC_MEMORIES;
        if (t.kind == TX_CHIP_TENSIX && t.number / columns < 2 && t.number % columns < 3) {
            memory = 3 * (t.number / columns) + t.number % columns;
            n->tiles[0][memory] = tx_chip_tensix(n->chips[0], i);
            n->tiles[1][memory] = tx_chip_tensix(n->chips[1], i);
        } else if (t.kind == TX_CHIP_DRAM && banks < NOC_BANKS && t.port == banks &&
                   t.number == banks) {
            memory = NOC_TILES + banks++;
        }
        if (memory < NOC_MEMORIES) {
            n->place[memory] = i;
            n->at[memory] = t;
            n->number[memory] = t.number;
        }
    }
    if (banks != NOC_BANKS) {
        cosim_fail("no banks");
    }
}

static void noc_open(struct cosim *c)
{
    struct network *n = calloc(1, sizeof *n);
    struct tx_chip_settings settings;
    (void)tx_chip_settings_default(&settings, c->arch == TX_BLACKHOLE ? "p150" : "n150");
    settings.bad_tensix = 0;                                   /* the simulator has all of them */
    settings.bad_dram = c->arch == TX_BLACKHOLE ? 1u << 2 : 0; /* as its tables have it */
    for (unsigned i = 0; i < 2; i++) {
        settings.policy = i == 0 ? TX_CHIP_PROMPT : TX_CHIP_TIMED;
        if (n == NULL || tx_chip_open(&settings, &n->chips[i]) != TX_OK) {
            cosim_fail("no chip");
        }
    }
    c->own = n;
    c->other->open();
    noc_places(c, n);
}

static void noc_close(struct cosim *c)
{
    struct network *n = c->own;
    tx_chip_close(n->chips[0]);
    tx_chip_close(n->chips[1]);
    free(n);
}

/* The four bytes that the result of an unanswered atomic would have. */
static bool silent_atomic(struct cosim *c, const struct difference *d)
{
    const struct asked q = noc_draw(c, d->words[d->count - 1]);
    return !d->stops && (q.control & NOC_FLAG_ANSWER) == 0 && d->place.value == q.tile &&
           d->place.index >= q.back && d->place.index < q.back + 4;
}

/* The four bytes that were read of NoC 1's masks of columns or rows without broadcasts. */
static bool masks_of_1(struct cosim *c, const struct difference *d)
{
    const struct asked q = noc_draw(c, d->words[d->count - 1]);
    const uint64_t offset = q.target - (NOC_BASE + NOC_STEP);
    return !d->stops && (offset == AT_COLUMNS || offset == AT_ROWS) && d->place.value == q.tile &&
           d->place.index >= q.back && d->place.index < q.back + 4;
}

static const struct known noc_known[] = {
    {"atomic-silent", 3, "ATOMIC", silent_atomic,
     "isa NoC/Atomics 84287aa writes the result only of an atomic with an answer (chip.md 2.8)"},
    {"masks of NoC 1", 3, "REGISTER", masks_of_1,
     "firmware gives each NoC its own coordinates (noc_init.c, chip.md 2.3), there both NoCs have "
     "those of NoC 0"},
    {.id = NULL}};

static const struct steps noc_steps = {noc_open,  noc_close, noc_first,
                                       noc_again, noc_name,  noc_text};
static const struct kind noc_class = {
    .name = "noc", .unit = "requests", .steps = &noc_steps, .known = noc_known};

#endif
