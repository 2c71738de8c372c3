/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order in which a sweep feeds its inputs to the kernel. Inputs keep their numbers, which are
 * in the order of values, and all results are told by them; only the place of an input, its tile
 * and its element there, follows from this file. A kernel that leaves a condition open, or destroys
 * a constant, is found only where neighbours differ: a tile of consecutive values has one sign.
 *
 * The inputs are cut into ORDER_STRANDS strands of equal length, one after the other, and each
 * strand into as many pieces as there are chunks. Chunk c takes of each strand one piece, that with
 * number c + turn(strand): with several operands the turn makes the later ones differ from strand
 * to strand, too. A chunk is fed in units of at most ORDER_RUN consecutive inputs of each piece. In
 * a unit, every half tile of 512 places has one input of each strand, shuffled by a fixed
 * permutation that is another one for each half tile. So of a whole format each half tile has both
 * signs and all exponents of bf16 and fp32, with zeros or denormals and NaNs or infinities of both
 * signs.
 *
 * Where monotony is judged, a chunk begins with a seam: one tile with the inputs that stand before
 * its pieces, which are only there to be compared with what follows them.
 */
#include "sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "flow/feed.h"

enum { PIECE_BITS = 9 };
_Static_assert(ORDER_STRANDS == 1 << PIECE_BITS, "strands are counted by bits");

/* Number of the first input of a piece; pieces count through all strands. */
static uint64_t boundary(const struct sweep_order *order, uint64_t piece)
{
    return (uint64_t)(((unsigned __int128)piece * order->count) >> order->shift);
}

/* The golden ratio of 2^64 spreads the turns evenly over the chunks. */
static uint64_t turn(const struct sweep_order *order, unsigned strand)
{
    const uint64_t spread = (uint64_t)strand * UINT64_C(0x9e3779b97f4a7c15);
    return (uint64_t)((unsigned __int128)spread * order->chunks >> 64);
}

struct order_piece order_piece(const struct sweep_order *order, uint64_t chunk, unsigned strand)
{
    const uint64_t number =
        strand * order->chunks + ((chunk + turn(order, strand)) & (order->chunks - 1));
    const uint64_t first = boundary(order, number);
    return (struct order_piece){.first = first, .count = boundary(order, number + 1) - first};
}

void order_shuffle(uint64_t seed, uint16_t *numbers, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        numbers[i] = (uint16_t)i;
    }
    for (unsigned i = count; i > 1; i--) {
        const unsigned other = (unsigned)((feed_random(&seed) >> 32) * i >> 32);
        const uint16_t held = numbers[i - 1];
        numbers[i - 1] = numbers[other];
        numbers[other] = held;
    }
}

/* Counts the inputs and tiles of a chunk. */
static uint64_t measure(const struct sweep_order *order, uint64_t chunk, uint64_t *tiles)
{
    const uint64_t least = order->count >> order->shift; /* of a piece; some have one more */
    uint64_t longer = 0;
    for (unsigned k = 0; k < ORDER_STRANDS; k++) {
        longer += order_piece(order, chunk, k).count - least;
    }
    *tiles = order->seams ? 1 : 0;
    for (uint64_t n = 0; n * order->run < least + (longer != 0 ? 1 : 0); n++) {
        const uint64_t from = n * order->run;
        const uint64_t to = from + order->run;
        const uint64_t whole = (to < least ? to : least) - (from < least ? from : least);
        const uint64_t inputs = ORDER_STRANDS * whole + (from <= least && least < to ? longer : 0);
        *tiles += (inputs + TX_TILE_ELEMENTS - 1) / TX_TILE_ELEMENTS;
    }
    return ORDER_STRANDS * least + longer;
}

int order_open(struct txl_error *err, const struct sweep_domain *domain, bool seams,
               struct sweep_order *order)
{
    /* 8 chunks of 2^13 inputs for 2^16, 2^11 chunks of 2^21 for 2^32: both grow. */
    unsigned bits = 0;
    while (domain->count >> (2 * bits + 12) != 0) {
        bits++;
    }
    *order = (struct sweep_order){.count = domain->count,
                                  .chunks = UINT64_C(1) << bits,
                                  .shift = bits + PIECE_BITS,
                                  .seams = seams};
    const uint64_t pieces = UINT64_C(1) << order->shift;
    const uint64_t longest = (domain->count + pieces - 1) / pieces;
    order->units = (longest + ORDER_RUN - 1) / ORDER_RUN;
    order->run = (longest + order->units - 1) / order->units;
    order->inputs = zeroed(err, order->chunks, sizeof *order->inputs);
    order->tiles = zeroed(err, order->chunks + 1, sizeof *order->tiles);
    if (order->inputs == NULL || order->tiles == NULL) {
        return TXL_INPUT;
    }
    for (unsigned i = 0; i < ORDER_RUN; i++) {
        order_shuffle(i, order->shuffle[i], ORDER_STRANDS);
    }
    for (uint64_t chunk = 0; chunk < order->chunks; chunk++) {
        uint64_t tiles;
        order->inputs[chunk] = measure(order, chunk, &tiles);
        order->tiles[chunk + 1] = order->tiles[chunk] + tiles;
    }
    return TXL_CONTINUE;
}

void order_close(struct sweep_order *order)
{
    free(order->inputs);
    free(order->tiles);
}

/* ---- one unit ---- */

/* Puts the inputs of the unit's runs, of which each is at most `most` long, into their places. */
static void place_runs(const struct sweep_order *order, struct order_unit *unit, unsigned most)
{
    size_t place = 0;
    for (unsigned i = 0; i < most; i++) {
        for (unsigned p = 0; p < ORDER_STRANDS; p++) {
            const struct order_run *run = &unit->run[order->shuffle[i][p]];
            if (i < run->count) {
                unit->place[place++] = (uint16_t)(run->at + i);
            }
        }
    }
}

static void add_run(struct order_unit *unit, unsigned strand, uint64_t first, uint64_t count)
{
    unit->run[strand] =
        (struct order_run){.index = first, .at = (uint32_t)unit->count, .count = (uint32_t)count};
    unit->count += (size_t)count;
}

void order_settle(const struct sweep_order *order, struct order_unit *unit)
{
    const unsigned most = unit->longest;
    const unsigned regular = unit->count == (size_t)most * ORDER_STRANDS ? most : 0;
    if (regular == 0 || regular != unit->regular) {
        place_runs(order, unit, most);
    }
    unit->regular = regular;
}

void order_unit(const struct sweep_order *order, uint64_t chunk, uint64_t number,
                struct order_unit *unit)
{
    const uint64_t from = number * order->run;
    unit->count = 0;
    for (unsigned k = 0; k < ORDER_STRANDS; k++) {
        const struct order_piece piece = order_piece(order, chunk, k);
        const uint64_t left = piece.count > from ? piece.count - from : 0;
        add_run(unit, k, piece.first + from, left < order->run ? left : order->run);
    }
    unit->longest = (unsigned)order->run;
}

void order_seam(const struct sweep_order *order, uint64_t chunk, struct order_unit *unit)
{
    unit->count = 0;
    for (unsigned k = 0; k < ORDER_STRANDS; k++) {
        const struct order_piece piece = order_piece(order, chunk, k);
        const bool before = piece.count > 0 && piece.first > 0;
        add_run(unit, k, before ? piece.first - 1 : 0, before ? 1 : 0);
    }
    unit->longest = 1;
}

void order_fill(const struct sweep_domain *domain, const struct order_unit *unit,
                uint32_t *const *words)
{
    for (unsigned k = 0; k < ORDER_STRANDS; k++) {
        const struct order_run *run = &unit->run[k];
        uint32_t *const to[] = {words[0] + run->at, words[1] + run->at, words[2] + run->at};
        if (run->count > 0) {
            domain_fill(domain, run->index, run->count, to);
        }
    }
}

size_t order_tiles(const struct order_unit *unit)
{
    return (unit->count + TX_TILE_ELEMENTS - 1) / TX_TILE_ELEMENTS;
}

void order_lay(const struct order_unit *unit, bool in_order, const uint32_t *words, uint32_t *tiles)
{
    if (in_order) {
        memcpy(tiles, words, unit->count * sizeof *words);
    }
    for (size_t i = 0; i < unit->count && !in_order; i++) {
        tiles[i] = words[unit->place[i]];
    }
    for (size_t i = unit->count; i < order_tiles(unit) * TX_TILE_ELEMENTS; i++) {
        tiles[i] = tiles[i - unit->count];
    }
}

void order_gather(const struct order_unit *unit, const uint32_t *tiles, uint32_t *words)
{
    for (size_t i = 0; i < unit->count; i++) {
        words[unit->place[i]] = tiles[i];
    }
}

/* ---- where an input is ---- */

static uint64_t piece_of(const struct sweep_order *order, uint64_t index)
{
    uint64_t low = 0;
    uint64_t high = UINT64_C(1) << order->shift;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        low = boundary(order, middle) <= index ? middle : low;
        high = low == middle ? high : middle;
    }
    return low;
}

uint64_t order_chunk_of(const struct sweep_order *order, uint64_t index)
{
    const uint64_t piece = piece_of(order, index);
    const unsigned strand = (unsigned)(piece / order->chunks);
    return (piece - turn(order, strand)) & (order->chunks - 1);
}

/* Fills in the unit that has an input, and returns the number of the unit's first tile. */
static uint64_t unit_of(const struct sweep_order *order, uint64_t index, struct order_unit *unit)
{
    const uint64_t chunk = order_chunk_of(order, index);
    const uint64_t offset = index - boundary(order, piece_of(order, index));
    uint64_t tile = order->tiles[chunk] + (order->seams ? 1 : 0);
    for (uint64_t n = 0; n < offset / order->run; n++) {
        order_unit(order, chunk, n, unit);
        tile += order_tiles(unit);
    }
    order_unit(order, chunk, offset / order->run, unit);
    return tile;
}

int order_tile(struct txl_error *err, const struct sweep_order *order,
               const struct sweep_domain *domain, uint64_t index, struct order_tile *tile)
{
    struct order_unit *unit = zeroed(err, 1, sizeof *unit);
    uint32_t *words = zeroed(err, (SWEEP_INPUTS + 1) * SWEEP_BATCH_ELEMENTS, sizeof *words);
    if (unit == NULL || words == NULL) {
        free(unit);
        free(words);
        return TXL_INPUT;
    }
    uint32_t *const in[] = {words, words + SWEEP_BATCH_ELEMENTS, words + 2 * SWEEP_BATCH_ELEMENTS};
    uint32_t *const laid = words + SWEEP_INPUTS * SWEEP_BATCH_ELEMENTS;
    size_t place = 0;
    tile->number = unit_of(order, index, unit);
    order_fill(domain, unit, in);
    order_settle(order, unit);
    for (unsigned k = 0; k < ORDER_STRANDS; k++) {
        const struct order_run *run = &unit->run[k];
        for (size_t i = 0; index - run->index < run->count && i < unit->count; i++) {
            place = unit->place[i] == run->at + (index - run->index) ? i : place;
        }
    }
    const size_t first = place / TX_TILE_ELEMENTS * TX_TILE_ELEMENTS;
    tile->number += place / TX_TILE_ELEMENTS;
    tile->element = (unsigned)(place % TX_TILE_ELEMENTS);
    for (unsigned k = 0; k < domain->operands; k++) {
        order_lay(unit, false, in[k], laid);
        memcpy(tile->words[k], laid + first, sizeof tile->words[k]);
    }
    free(unit);
    free(words);
    return TXL_CONTINUE;
}
