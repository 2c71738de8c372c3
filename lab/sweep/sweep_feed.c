/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order in which a sweep feeds its inputs to the kernel. Inputs keep their numbers, which are
 * in the order of values, and all results are told by them; only the place of an input, its tile
 * and its element there, follows from this file. A kernel that leaves a condition open, or destroys
 * a constant, is found only where neighbours differ: a tile of consecutive values has one sign.
 *
 * The inputs are cut into FEED_STRANDS strands of equal length, one after the other, and each
 * strand into as many pieces as there are chunks. Chunk c takes of each strand one piece, that with
 * number c + turn(strand): with several operands the turn makes the later ones differ from strand
 * to strand, too. A chunk is fed in units of at most FEED_RUN consecutive inputs of each piece. In
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

enum { PIECE_BITS = 9 };
_Static_assert(FEED_STRANDS == 1 << PIECE_BITS, "strands are counted by bits");

/* Number of the first input of a piece; pieces count through all strands. */
static uint64_t boundary(const struct sweep_feed *feed, uint64_t piece)
{
    return (uint64_t)(((unsigned __int128)piece * feed->count) >> feed->shift);
}

/* The golden ratio of 2^64 spreads the turns evenly over the chunks. */
static uint64_t turn(const struct sweep_feed *feed, unsigned strand)
{
    const uint64_t spread = (uint64_t)strand * UINT64_C(0x9e3779b97f4a7c15);
    return (uint64_t)((unsigned __int128)spread * feed->chunks >> 64);
}

struct feed_piece feed_piece(const struct sweep_feed *feed, uint64_t chunk, unsigned strand)
{
    const uint64_t number =
        strand * feed->chunks + ((chunk + turn(feed, strand)) & (feed->chunks - 1));
    const uint64_t first = boundary(feed, number);
    return (struct feed_piece){.first = first, .count = boundary(feed, number + 1) - first};
}

/* SplitMix64. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

void feed_shuffle(uint64_t seed, uint16_t *numbers, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        numbers[i] = (uint16_t)i;
    }
    for (unsigned i = count; i > 1; i--) {
        const unsigned other = (unsigned)((next_random(&seed) >> 32) * i >> 32);
        const uint16_t held = numbers[i - 1];
        numbers[i - 1] = numbers[other];
        numbers[other] = held;
    }
}

/* Counts the inputs and tiles of a chunk. */
static uint64_t measure(const struct sweep_feed *feed, uint64_t chunk, uint64_t *tiles)
{
    const uint64_t least = feed->count >> feed->shift; /* of a piece; some have one more */
    uint64_t longer = 0;
    for (unsigned k = 0; k < FEED_STRANDS; k++) {
        longer += feed_piece(feed, chunk, k).count - least;
    }
    *tiles = feed->seams ? 1 : 0;
    for (uint64_t n = 0; n * feed->run < least + (longer != 0 ? 1 : 0); n++) {
        const uint64_t from = n * feed->run;
        const uint64_t to = from + feed->run;
        const uint64_t whole = (to < least ? to : least) - (from < least ? from : least);
        const uint64_t inputs = FEED_STRANDS * whole + (from <= least && least < to ? longer : 0);
        *tiles += (inputs + TX_TILE_ELEMENTS - 1) / TX_TILE_ELEMENTS;
    }
    return FEED_STRANDS * least + longer;
}

int feed_open(struct txl_error *err, const struct sweep_domain *domain, bool seams,
              struct sweep_feed *feed)
{
    /* 8 chunks of 2^13 inputs for 2^16, 2^11 chunks of 2^21 for 2^32: both grow. */
    unsigned bits = 0;
    while (domain->count >> (2 * bits + 12) != 0) {
        bits++;
    }
    *feed = (struct sweep_feed){.count = domain->count,
                                .chunks = UINT64_C(1) << bits,
                                .shift = bits + PIECE_BITS,
                                .seams = seams};
    const uint64_t pieces = UINT64_C(1) << feed->shift;
    const uint64_t longest = (domain->count + pieces - 1) / pieces;
    feed->units = (longest + FEED_RUN - 1) / FEED_RUN;
    feed->run = (longest + feed->units - 1) / feed->units;
    feed->inputs = zeroed(err, feed->chunks, sizeof *feed->inputs);
    feed->tiles = zeroed(err, feed->chunks + 1, sizeof *feed->tiles);
    if (feed->inputs == NULL || feed->tiles == NULL) {
        return TXL_INPUT;
    }
    for (unsigned i = 0; i < FEED_RUN; i++) {
        feed_shuffle(i, feed->shuffle[i], FEED_STRANDS);
    }
    for (uint64_t chunk = 0; chunk < feed->chunks; chunk++) {
        uint64_t tiles;
        feed->inputs[chunk] = measure(feed, chunk, &tiles);
        feed->tiles[chunk + 1] = feed->tiles[chunk] + tiles;
    }
    return TXL_CONTINUE;
}

void feed_close(struct sweep_feed *feed)
{
    free(feed->inputs);
    free(feed->tiles);
}

/* ---- one unit ---- */

/* Puts the inputs of the unit's runs, of which each is at most `most` long, into their places. */
static void place_runs(const struct sweep_feed *feed, struct feed_unit *unit, unsigned most)
{
    size_t place = 0;
    for (unsigned i = 0; i < most; i++) {
        for (unsigned p = 0; p < FEED_STRANDS; p++) {
            const struct feed_run *run = &unit->run[feed->shuffle[i][p]];
            if (i < run->count) {
                unit->place[place++] = (uint16_t)(run->at + i);
            }
        }
    }
}

static void add_run(struct feed_unit *unit, unsigned strand, uint64_t first, uint64_t count)
{
    unit->run[strand] =
        (struct feed_run){.index = first, .at = (uint32_t)unit->count, .count = (uint32_t)count};
    unit->count += (size_t)count;
}

void feed_settle(const struct sweep_feed *feed, struct feed_unit *unit)
{
    const unsigned most = unit->longest;
    const unsigned regular = unit->count == (size_t)most * FEED_STRANDS ? most : 0;
    if (regular == 0 || regular != unit->regular) {
        place_runs(feed, unit, most);
    }
    unit->regular = regular;
}

void feed_unit(const struct sweep_feed *feed, uint64_t chunk, uint64_t number,
               struct feed_unit *unit)
{
    const uint64_t from = number * feed->run;
    unit->count = 0;
    for (unsigned k = 0; k < FEED_STRANDS; k++) {
        const struct feed_piece piece = feed_piece(feed, chunk, k);
        const uint64_t left = piece.count > from ? piece.count - from : 0;
        add_run(unit, k, piece.first + from, left < feed->run ? left : feed->run);
    }
    unit->longest = (unsigned)feed->run;
}

void feed_seam(const struct sweep_feed *feed, uint64_t chunk, struct feed_unit *unit)
{
    unit->count = 0;
    for (unsigned k = 0; k < FEED_STRANDS; k++) {
        const struct feed_piece piece = feed_piece(feed, chunk, k);
        const bool before = piece.count > 0 && piece.first > 0;
        add_run(unit, k, before ? piece.first - 1 : 0, before ? 1 : 0);
    }
    unit->longest = 1;
}

void feed_fill(const struct sweep_domain *domain, const struct feed_unit *unit,
               uint32_t *const *words)
{
    for (unsigned k = 0; k < FEED_STRANDS; k++) {
        const struct feed_run *run = &unit->run[k];
        uint32_t *const to[] = {words[0] + run->at, words[1] + run->at, words[2] + run->at};
        if (run->count > 0) {
            domain_fill(domain, run->index, run->count, to);
        }
    }
}

size_t feed_tiles(const struct feed_unit *unit)
{
    return (unit->count + TX_TILE_ELEMENTS - 1) / TX_TILE_ELEMENTS;
}

void feed_lay(const struct feed_unit *unit, bool in_order, const uint32_t *words, uint32_t *tiles)
{
    if (in_order) {
        memcpy(tiles, words, unit->count * sizeof *words);
    }
    for (size_t i = 0; i < unit->count && !in_order; i++) {
        tiles[i] = words[unit->place[i]];
    }
    for (size_t i = unit->count; i < feed_tiles(unit) * TX_TILE_ELEMENTS; i++) {
        tiles[i] = tiles[i - unit->count];
    }
}

void feed_gather(const struct feed_unit *unit, const uint32_t *tiles, uint32_t *words)
{
    for (size_t i = 0; i < unit->count; i++) {
        words[unit->place[i]] = tiles[i];
    }
}

/* ---- where an input is ---- */

static uint64_t piece_of(const struct sweep_feed *feed, uint64_t index)
{
    uint64_t low = 0;
    uint64_t high = UINT64_C(1) << feed->shift;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        low = boundary(feed, middle) <= index ? middle : low;
        high = low == middle ? high : middle;
    }
    return low;
}

uint64_t feed_chunk_of(const struct sweep_feed *feed, uint64_t index)
{
    const uint64_t piece = piece_of(feed, index);
    const unsigned strand = (unsigned)(piece / feed->chunks);
    return (piece - turn(feed, strand)) & (feed->chunks - 1);
}

/* Fills in the unit that has an input, and returns the number of the unit's first tile. */
static uint64_t unit_of(const struct sweep_feed *feed, uint64_t index, struct feed_unit *unit)
{
    const uint64_t chunk = feed_chunk_of(feed, index);
    const uint64_t offset = index - boundary(feed, piece_of(feed, index));
    uint64_t tile = feed->tiles[chunk] + (feed->seams ? 1 : 0);
    for (uint64_t n = 0; n < offset / feed->run; n++) {
        feed_unit(feed, chunk, n, unit);
        tile += feed_tiles(unit);
    }
    feed_unit(feed, chunk, offset / feed->run, unit);
    return tile;
}

int feed_tile(struct txl_error *err, const struct sweep_feed *feed,
              const struct sweep_domain *domain, uint64_t index, struct feed_tile *tile)
{
    struct feed_unit *unit = zeroed(err, 1, sizeof *unit);
    uint32_t *words = zeroed(err, (SWEEP_INPUTS + 1) * SWEEP_BATCH_ELEMENTS, sizeof *words);
    if (unit == NULL || words == NULL) {
        free(unit);
        free(words);
        return TXL_INPUT;
    }
    uint32_t *const in[] = {words, words + SWEEP_BATCH_ELEMENTS, words + 2 * SWEEP_BATCH_ELEMENTS};
    uint32_t *const laid = words + SWEEP_INPUTS * SWEEP_BATCH_ELEMENTS;
    size_t place = 0;
    tile->number = unit_of(feed, index, unit);
    feed_fill(domain, unit, in);
    feed_settle(feed, unit);
    for (unsigned k = 0; k < FEED_STRANDS; k++) {
        const struct feed_run *run = &unit->run[k];
        for (size_t i = 0; index - run->index < run->count && i < unit->count; i++) {
            place = unit->place[i] == run->at + (index - run->index) ? i : place;
        }
    }
    const size_t first = place / TX_TILE_ELEMENTS * TX_TILE_ELEMENTS;
    tile->number += place / TX_TILE_ELEMENTS;
    tile->element = (unsigned)(place % TX_TILE_ELEMENTS);
    for (unsigned k = 0; k < domain->operands; k++) {
        feed_lay(unit, false, in[k], laid);
        memcpy(tile->words[k], laid + first, sizeof tile->words[k]);
    }
    free(unit);
    free(words);
    return TXL_CONTINUE;
}
