/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program behind the rows of tt-metal's noc_latencies.yaml, for the cores of the masters: for
 * each destination so many requests, then one barrier, between two readings of the wall clock. The
 * loop does what the vendor's library does for a request: it waits for the command buffer, stores
 * what the request needs, and counts. Instructions that the compiler adds are not public; the loop
 * is filled up to the distance that cards keep (spec/chip-time.md 1, issue). Source:
 * spec/chip-time.md 2.
 */
#include <tensix/facts.h>

#include "silicon/code.h"
#include "silicon/silicon.h"

#include <stdlib.h>
#include <string.h>

enum {
    CODE = 0x1000,
    TABLE = 0x4000,
    RESULT = 0x10000, /* two times, and 1 when it is over */
    SCRATCH = 0x10100,
    MEETING = 0x10200,
    OLD = 0x10300,
    SOURCE = 0x20000,
    TARGET = 0x40000,
    ZONE = 0, /* what a zone takes beyond this program's: with the turn, rows show their sum only */
    ENTRY = 8 /* bytes of a destination: address, coordinates */
};

static void store(struct code *c, unsigned base, int offset, uint32_t value)
{
    li(c, T1, value);
    sw(c, T1, base, offset);
}

static void noc_program_fill(struct code *c, unsigned cycles)
{
    for (unsigned i = 0; i < cycles; i++) {
        addi(c, X0, X0, 0);
    }
}

/* ---- one master ---- */

struct plan {
    const struct silicon_noc *row;
    uint32_t bytes;      /* of a packet */
    unsigned packets;    /* for each destination */
    unsigned each;       /* packets of a transaction */
    unsigned answers;    /* for each packet */
    uint32_t own, first; /* coordinates of the master, and of the first of all */
    uint32_t corners;    /* of a broadcast: end, start */
    unsigned masters;
};

enum {
    READ = 0x90,
    WRITE = 0x92,
    ATOMIC = 0x91,
    MANY = 0x8120,
    OWN_TOO = 1 << 17,
    LINKED = 0x40,
    STATIC = 0x80
};

static uint32_t fact(const struct code *c, enum tx_fact name)
{
    return tx_arch_fact(c->arch, name);
}

static uint32_t initiator(const struct code *c, unsigned which)
{
    return which * fact(c, TX_FACT_NOC_STEP);
}

/* The network interface. */
static uint32_t niu(const struct code *c, const struct plan *p)
{
    const uint32_t first = fact(c, TX_FACT_AT_NIU);
    return first + p->row->noc * ((fact(c, TX_FACT_END_NIU) - first) / 2);
}

/* Of an initiator: where the coordinates of TARG and RET are, and the rest. */
struct layout {
    int target, back, control, length, data, command;
};

static struct layout layout(const struct code *c)
{
    const bool apart = fact(c, TX_FACT_NOC_PLACE_APART) != 0;
    return (struct layout){.target =
                               (int)fact(c, apart ? TX_FACT_NIU_TARG_HI : TX_FACT_NIU_TARG_MID),
                           .back = (int)fact(c, apart ? TX_FACT_NIU_RET_HI : TX_FACT_NIU_RET_MID),
                           .control = (int)fact(c, TX_FACT_NIU_CTRL),
                           .length = (int)fact(c, TX_FACT_NIU_LEN),
                           .data = (int)fact(c, TX_FACT_NIU_DATA),
                           .command = (int)fact(c, TX_FACT_NIU_CMD)};
}

static uint32_t placed(const struct code *c, uint32_t name)
{
    return fact(c, TX_FACT_NOC_PLACE_APART) != 0 ? name : name << 4;
}

static void wait_command(struct code *c, unsigned base, int command)
{
    const unsigned poll = c->count;
    lw(c, T0, base, command);
    branch(c, 1, T0, X0, poll);
}

/* Waits until the counter at "offset" of the interface (A1) is that of a register. */
static void barrier(struct code *c, int offset, unsigned reached)
{
    const unsigned poll = c->count;
    lw(c, T0, A1, offset);
    branch(c, 1, T0, reached, poll);
}

/*
 * All masters meet at a counter of the first one, which they poll by reads. The zone begins before
 * the first poll: inferred. Rows of few bytes take 700 and 1200 cycles more than their transactions
 * alone with 56 and 110 masters, which is what the last polls take; behind the meeting a zone has
 * nothing of it.
 */
static void meet(struct code *c, const struct plan *p)
{
    const struct layout l = layout(c);
    li(c, A2, niu(c, p) + initiator(c, 3));
    li(c, A3, niu(c, p) + initiator(c, 1));
    store(c, A2, 0x00, MEETING);
    store(c, A2, l.target, placed(c, p->first));
    store(c, A2, 0x0C, OLD);
    store(c, A2, l.back, placed(c, p->own));
    store(c, A2, l.control, ATOMIC);
    store(c, A2, l.length, 1u << 12 | 31u << 2);
    store(c, A2, l.data, 1);
    store(c, A2, l.command, 1);
    li(c, T2, 1);
    barrier(c, (int)fact(c, TX_FACT_NIU_COUNTER_MST_ATOMIC_ANSWERED), T2);
    li(c, S4, SCRATCH);
    li(c, S6, p->masters);
    lw(c, S5, A1, (int)fact(c, TX_FACT_NIU_COUNTER_MST_READ_ANSWERED));
    li(c, S7, fact(c, TX_FACT_TILE_WALL_CLOCK_L));
    lw(c, S8, S7, 0);
    const unsigned poll = c->count;
    wait_command(c, A3, l.command);
    store(c, A3, 0x0C, SCRATCH);
    store(c, A3, l.back, placed(c, p->own));
    store(c, A3, 0x00, MEETING);
    store(c, A3, l.target, placed(c, p->first));
    store(c, A3, l.control, READ);
    store(c, A3, l.length, 4);
    store(c, A3, l.command, 1);
    addi(c, S5, S5, 1);
    barrier(c, (int)fact(c, TX_FACT_NIU_COUNTER_MST_READ_ANSWERED), S5);
    fence(c);
    lw(c, T0, S4, 0);
    noc_program_fill(c, 8);
    branch(c, 6, T0, S6, poll);
}

/*
 * Cycles that fill up the loop of a request, and what is done for a destination, so that they take
 * what spec/chip-time.md 1 (issue) and the rows of one master say: what the vendor's compiler makes
 * of the loops, by chip. Wormhole's reads of one destination are unrolled up to 16 of them.
 */
struct filler {
    unsigned write, write_stateful, read, read_few, read_stateful, dram_read, dram_write, next;
    unsigned page_read, page_write;
};
static const struct filler fillers[2] = {{4, 6, 8, 2, 2, 4, 8, 3, 12, 14},
                                         {7, 8, 19, 19, 21, 7, 9, 3, 6, 9}};
enum { FEW = 16 };

static unsigned filler(const struct code *c, const struct silicon_noc *row)
{
    const struct filler *f = &fillers[silicon_card(c->arch)];
    if (row->dram) {
        return row->interleaved ? 0 : row->reads ? f->dram_read : f->dram_write;
    }
    if (row->reads) {
        return row->stateful                   ? f->read_stateful
               : row->single && row->per > FEW ? f->read
                                               : f->read_few;
    }
    return row->stateful ? f->write_stateful : f->write;
}

static unsigned next_filler(const struct code *c, const struct silicon_noc *row)
{
    const struct filler *f = &fillers[silicon_card(c->arch)];
    return !row->interleaved ? f->next : row->reads ? f->page_read : f->page_write;
}

/* The stores of one request; its control is in S2, its length in S3, A4 and A5 are addresses. */
static void request(struct code *c, const struct plan *p)
{
    const struct layout l = layout(c);
    wait_command(c, A0, l.command);
    if (p->row->reads) {
        sw(c, A5, A0, 0x0C);
        sw(c, A4, A0, 0x00);
    } else {
        if (!p->row->stateful) {
            sw(c, S2, A0, l.control);
        }
        sw(c, A5, A0, 0x00);
        if (!p->row->stateful) {
            sw(c, A4, A0, 0x0C);
        }
    }
    if (!p->row->stateful) {
        sw(c, A6, A0, p->row->reads ? l.target : l.back);
        sw(c, S3, A0, l.length);
    }
    sw(c, A7, A0, l.command);
}

static void setup(struct code *c, const struct plan *p, uint32_t control)
{
    const struct layout l = layout(c);
    li(c, A1, niu(c, p));
    li(c, A0, niu(c, p) + initiator(c, p->row->reads));
    store(c, A0, p->row->reads ? l.back : l.target, placed(c, p->own));
    if (fact(c, TX_FACT_NOC_PLACE_APART) != 0) {
        store(c, A0, 0x04, 0);
        store(c, A0, 0x10, 0);
    }
    li(c, A5, p->row->reads ? TARGET : SOURCE);
    li(c, S2, control);
    li(c, S3, p->bytes);
    li(c, A7, 1);
    sw(c, S2, A0, l.control);
    sw(c, S3, A0, l.length);
}

/* Takes the next destination from the table. */
static void destination(struct code *c, const struct plan *p)
{
    const struct layout l = layout(c);
    lw(c, A4, S0, 0);
    lw(c, A6, S0, 4);
    addi(c, S0, S0, ENTRY);
    if (p->row->stateful) {
        sw(c, A6, A0, p->row->reads ? l.target : l.back);
        sw(c, A4, A0, p->row->reads ? 0x00 : 0x0C);
    }
}

/* The requests, between the two readings; entries of the table give where they go. */
static void measured(struct code *c, const struct plan *p, unsigned destinations)
{
    const bool linked = p->row->mechanism == SILICON_LINKED;
    const unsigned loops = p->packets - (linked ? p->each : 0);
    const uint32_t count = destinations * p->packets * p->answers;
    const int counter = (int)fact(c, p->row->reads ? TX_FACT_NIU_COUNTER_MST_READ_ANSWERED
                                                   : TX_FACT_NIU_COUNTER_MST_WRITE_ANSWERED);
    li(c, S0, TABLE);
    li(c, S1, TABLE + ENTRY * destinations);
    li(c, S4, fact(c, TX_FACT_TILE_WALL_CLOCK_L));
    lw(c, S5, A1, counter);
    li(c, T2, count);
    add(c, S5, S5, T2);   /* add: what the counter reaches */
    if (p->row->single) { /* the only destination is a constant of the program */
        destination(c, p);
    }
    lw(c, S8, S4, 0);
    if (p->row->dram && p->masters > 1 && p->row->choice == SILICON_RECTANGLE) {
        meet(c, p);
        li(c, S4, fact(c, TX_FACT_TILE_WALL_CLOCK_L));
        lw(c, S5, A1, counter);
        li(c, T2, count);
        add(c, S5, S5, T2);
    }
    const unsigned outer = c->count;
    if (!p->row->single) {
        destination(c, p);
        noc_program_fill(c, next_filler(c, p->row));
    }
    if (loops != 0) {
        li(c, T2, loops);
        const unsigned inner = c->count;
        request(c, p);
        noc_program_fill(c, filler(c, p->row));
        addi(c, T2, T2, -1);
        branch(c, 1, T2, X0, inner);
    }
    if (linked) { /* the last transaction is not */
        addi(c, S2, S2, -LINKED);
        li(c, T2, p->each);
        const unsigned inner = c->count;
        request(c, p);
        noc_program_fill(c, filler(c, p->row));
        addi(c, T2, T2, -1);
        branch(c, 1, T2, X0, inner);
    }
    branch(c, 1, S0, S1, outer);
    barrier(c, counter, S5);
    lw(c, S7, S4, 0);
    li(c, T2, RESULT);
    sw(c, S8, T2, 0);
    sw(c, S7, T2, 4);
    sw(c, A7, T2, 8);
    put(c, tx_core_encode(TX_CORE_INSN_JAL, 0, 0, 0, 0)); /* stays here */
}

/* ---- all masters ---- */

struct bench {
    struct silicon_chip *chip;
    const struct silicon_noc *row;
    uint32_t master[SILICON_MOST_MASTERS];
    unsigned masters;
    uint32_t table[2 * SILICON_MOST_PER];
};

static bool is_master(const struct silicon_rect *r, unsigned x, unsigned y)
{
    return x == r->x && y == r->y;
}

/* The destinations of a master; returns their number, or 0: one is not on the card. */
static unsigned destinations(struct bench *b, unsigned master, unsigned per)
{
    const struct silicon_noc *row = b->row;
    const struct silicon_rect *r = &row->others;
    unsigned n = 0;
    if (row->dram) {
        const unsigned banks = row->one_bank ? 1 : silicon_banks(row->arch);
        for (n = 0; n < (row->interleaved ? per : 1); n++) {
            uint32_t address;
            const unsigned bank = (master + n) % banks;
            const uint32_t at = silicon_bank(b->chip, row->noc, bank, &address);
            b->table[2 * n] = address;
            b->table[2 * n + 1] = silicon_name(b->chip, row->noc, at);
        }
        return n;
    }
    for (unsigned y = r->y; y < r->y + r->h; y++) {
        for (unsigned x = r->x; x < r->x + r->w; x++) {
            const uint32_t at = silicon_worker(b->chip, x, y);
            if (at == UINT32_MAX) {
                return 0;
            }
            if (!row->minus_master || !is_master(&row->masters, x, y)) {
                b->table[2 * n] = row->reads ? SOURCE : TARGET;
                b->table[2 * n++ + 1] = silicon_name(b->chip, row->noc, at);
            }
        }
    }
    return n;
}

/* A broadcast is one destination: the corners of its rectangle. NoC 1 goes from end to start. */
static void broadcast(struct bench *b, struct plan *p)
{
    const struct silicon_noc *row = b->row;
    const struct silicon_rect *r = &row->others;
    const uint32_t first = silicon_name(b->chip, row->noc, silicon_worker(b->chip, r->x, r->y));
    const uint32_t last =
        silicon_name(b->chip, row->noc, silicon_worker(b->chip, r->x + r->w - 1, r->y + r->h - 1));
    p->corners = row->noc == 0 ? last | first << 12 : first | last << 12;
    p->answers = r->w * r->h - (row->loopback ? 0 : 1);
    for (unsigned i = 0; i < b->masters && !row->loopback; i++) {
        const bool inside = row->masters.x >= r->x && row->masters.x < r->x + r->w &&
                            row->masters.y >= r->y && row->masters.y < r->y + r->h;
        p->answers = r->w * r->h - inside;
    }
    b->table[0] = TARGET;
    b->table[1] = p->corners;
}

static int write_words(struct bench *b, uint32_t index, uint32_t at, const uint32_t *words,
                       size_t count)
{
    tx_tensix *tile = tx_chip_tensix(b->chip->chip, index);
    return tile != NULL && tx_tensix_write(tile, at, words, 4 * count) == TX_OK ? TXL_OK
                                                                                : TXL_INPUT;
}

static int noc_program_place(struct txl_error *err, struct bench *b, struct plan *p,
                             unsigned master, unsigned per, struct code *c)
{
    const struct silicon_noc *row = b->row;
    const bool many = row->mechanism != SILICON_UNICAST;
    const uint32_t index = b->master[master];
    const uint32_t zero[16] = {0};
    uint32_t control = row->reads ? READ : WRITE;
    unsigned count = 1;
    control &= row->dynamic ? ~(uint32_t)STATIC : UINT32_MAX;
    control |= many ? MANY | (row->loopback ? OWN_TOO : 0) : 0;
    control |= row->mechanism == SILICON_LINKED ? LINKED : 0;
    p->own = silicon_name(b->chip, row->noc, index);
    c->count = 0;
    setup(c, p, control);
    if (many) {
        broadcast(b, p);
    } else {
        count = destinations(b, master, per);
    }
    if (count == 0) {
        return txl_fail(err, "a destination is not on the card");
    }
    for (unsigned i = 0; i < count; i++) {
        b->table[2 * i + 1] = placed(c, b->table[2 * i + 1]);
    }
    measured(c, p, count);
    if (write_words(b, index, CODE, c->word, c->count) != TXL_OK ||
        write_words(b, index, TABLE, b->table, 2 * (size_t)count) != TXL_OK ||
        write_words(b, index, RESULT, zero, 16) != TXL_OK ||
        write_words(b, index, MEETING, zero, 1) != TXL_OK) {
        return txl_fail(err, "the program does not fit");
    }
    return TXL_OK;
}

static int by_value(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a;
    const uint32_t y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Runs until every master is over. Gives the median of their zones. */
static int finish(struct txl_error *err, struct bench *b, struct silicon_took *took)
{
    enum { STEP = 512 };
    static const uint64_t limit = 400000000;
    uint32_t zone[SILICON_MOST_MASTERS];
    unsigned done = 0;
    while (done < b->masters) {
        uint32_t words[3] = {0, 0, 0};
        tx_tensix *tile = tx_chip_tensix(b->chip->chip, b->master[done]);
        if (tx_tensix_read(tile, RESULT, words, sizeof words) == TX_OK && words[2] != 0) {
            zone[done++] = words[1] - words[0];
            continue;
        }
        if (tx_chip_cycles(b->chip->chip) > limit || tx_chip_cycle(b->chip->chip, STEP) != TX_OK) {
            return txl_fail(err, "the program does not come to its end");
        }
    }
    qsort(zone, b->masters, sizeof *zone, by_value);
    const unsigned half = b->masters / 2;
    took->median = ZONE + (b->masters % 2 != 0 ? zone[half] : (zone[half - 1] + zone[half]) / 2.0);
    took->last = ZONE + zone[b->masters - 1];
    return TXL_OK;
}

/* Runs the program with so many transactions for each destination. */
static int run_once(struct txl_error *err, struct bench *b, uint32_t bytes, unsigned per,
                    struct silicon_took *took)
{
    const uint32_t most = tx_arch_fact(b->row->arch, TX_FACT_NOC_PACKET);
    struct code *c = calloc(1, sizeof *c);
    struct plan p = {.row = b->row,
                     .bytes = bytes < most ? bytes : most,
                     .packets = (b->row->interleaved ? 1 : per) * (bytes < most ? 1 : bytes / most),
                     .each = bytes < most ? 1 : bytes / most,
                     .answers = 1,
                     .masters = b->masters};
    int result = c == NULL ? txl_fail(err, "no memory") : TXL_OK;
    tx_chip_reset(b->chip->chip);
    p.first = silicon_name(b->chip, b->row->noc, b->master[0]);
    for (unsigned i = 0; i < b->masters && result == TXL_OK; i++) {
        c->arch = b->row->arch;
        result = noc_program_place(err, b, &p, i, per, c);
    }
    for (unsigned i = 0; i < b->masters && result == TXL_OK; i++) {
        tx_tensix *tile = tx_chip_tensix(b->chip->chip, b->master[i]);
        if (tx_tensix_start(tile, b->row->reads ? TX_CORE_NC : TX_CORE_B, CODE) != TX_OK) {
            result = txl_fail(err, "a core does not start");
        }
    }
    free(c);
    return result == TXL_OK ? finish(err, b, took) : result;
}

static int run_row(struct txl_error *err, struct bench *b, uint32_t bytes, unsigned packets,
                   struct silicon_took *took)
{
    const uint32_t most = tx_arch_fact(b->row->arch, TX_FACT_NOC_PACKET);
    const struct silicon_noc *row = b->row;
    const unsigned to =
        row->dram || row->mechanism != SILICON_UNICAST ? 1 : row->others.w * row->others.h;
    const uint64_t each = (uint64_t)b->masters * to * (bytes > most ? bytes / most : 1);
    const uint64_t all = each * row->per;
    struct silicon_took first;
    struct silicon_took second;
    if (all <= packets) {
        return run_once(err, b, bytes, row->per, took);
    }
    unsigned per = (unsigned)(packets / each);
    per = per < 2 ? 2 : per;
    if (each * 2 > packets && bytes > 1024) { /* long transactions take as long as their bytes */
        const int result = run_row(err, b, bytes / 2, packets, &first);
        *took = (struct silicon_took){2 * first.median, 2 * first.last};
        return result;
    }
    if (per >= row->per) {
        return run_once(err, b, bytes, row->per, took);
    }
    int result = run_once(err, b, bytes, per / 2, &first);
    result = result == TXL_OK ? run_once(err, b, bytes, per, &second) : result;
    if (result == TXL_OK) {
        const double more = (double)(row->per - per) / (per - per / 2);
        took->median = second.median + (second.median - first.median) * more;
        took->last = second.last + (second.last - first.last) * more;
    }
    return result;
}

/* A tile whose way to a bank meets none of the others: in the bank's row, before or behind it. */
static uint32_t careful(const struct bench *b, unsigned n)
{
    const unsigned banks = silicon_banks(b->row->arch);
    uint32_t address;
    const uint32_t w = b->chip->width;
    const uint32_t bank = silicon_bank(b->chip, b->row->noc, n % banks, &address);
    const bool right = b->row->reads == (b->row->noc == 0);
    const uint32_t far = n / banks + 1;
    return bank / w * w + (bank % w + (right ? far : w - far)) % w;
}

/* Tiles of the whole card: drawn with a fixed seed, or chosen so that their ways do not meet. */
static bool choose(struct bench *b)
{
    uint32_t seed = 12345;
    uint32_t height;
    uint32_t width;
    tx_chip_grid(b->chip->chip, &width, &height);
    for (b->masters = 0; b->masters < b->row->tiles;) {
        struct tx_chip_tile t;
        seed = seed * 1664525u + 1013904223u;
        const uint32_t at = b->row->choice == SILICON_CAREFUL ? careful(b, b->masters)
                                                              : (seed >> 8) % (width * height);
        bool good =
            tx_chip_tile_at(b->chip->chip, at, &t) == TX_OK && t.kind == TX_CHIP_TENSIX && !t.off;
        for (unsigned i = 0; i < b->masters; i++) {
            good = good && b->master[i] != at;
        }
        if (good) {
            b->master[b->masters++] = at;
        } else if (b->row->choice == SILICON_CAREFUL) {
            return false;
        }
    }
    return true;
}

int silicon_run(struct txl_error *err, struct silicon_chip *c, const struct silicon_noc *row,
                uint32_t bytes, unsigned packets, struct silicon_took *took)
{
    struct bench *b = calloc(1, sizeof *b);
    int result = b == NULL ? txl_fail(err, "no memory") : TXL_OK;
    const struct silicon_rect *r = &row->masters;
    if (result == TXL_OK) {
        b->chip = c;
        b->row = row;
        b->masters = r->w * r->h;
    }
    if (result == TXL_OK && row->choice != SILICON_RECTANGLE && !choose(b)) {
        result = txl_fail(err, "the card has no such tiles");
    }
    for (unsigned i = 0; i < r->w * r->h && result == TXL_OK && row->choice == SILICON_RECTANGLE;
         i++) {
        b->master[i] = silicon_worker(c, r->x + i % r->w, r->y + i / r->w);
        if (b->master[i] == UINT32_MAX) {
            result = txl_fail(err, "a master is not on the card");
        }
    }
    if (result == TXL_OK) {
        result = run_row(err, b, bytes, packets, took);
    }
    free(b);
    return result;
}
