/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tiles: their layout in L1, the order of their data, and conversion between row-major arrays and
 * tiles. Source: ISA documentation UNPACR_Regular 545c98a; tt-llk; tt-metal tile.cpp;
 * formats-and-scalar-unit.md C.4.
 */
#include "base/sized.h"
#include "fmt/tile.h"
#include "fmt/words.h"

#include <string.h>

static bool rows_ok(unsigned rows)
{
    return rows >= 1 && rows <= 32 && (rows & (rows - 1)) == 0;
}

bool tx_tile_ok(const struct tx_tile *tile)
{
    return rows_ok(tile->rows) && (tile->columns == 16 || tile->columns == 32) &&
           (tile->rows >= 16 || !tile->transpose_within_face);
}

enum tx_status tx_tile_layout_sized(const struct tx_tile *tile, enum tx_format format,
                                    struct tx_tile_layout *out, size_t size)
{
    const struct tx_format_info *info = tx_format_info(format);
    if (info == NULL || !tx_tile_ok(tile)) {
        return TX_EINVAL;
    }
    struct tx_tile_layout layout = {.data = (uint32_t)tile->rows * tile->columns};
    layout.exponents = info->block ? layout.data / 16 : 0;
    layout.exponent_bytes = (layout.exponents + 15u) & ~15u;
    layout.data_bytes = layout.data * info->bits / 8;
    layout.bytes = layout.exponent_bytes + layout.data_bytes;
    sized_give(out, size, &layout, sizeof layout);
    return TX_OK;
}

uint32_t tx_tile_index(const struct tx_tile *tile, unsigned row, unsigned column)
{
    if (!tx_tile_ok(tile)) {
        return 0;
    }
    const unsigned face_rows = tile->rows < 16 ? tile->rows : 16;
    const unsigned down = tile->rows / face_rows;
    const unsigned across = tile->columns / 16;
    const unsigned y = row / face_rows;
    const unsigned x = column / 16;
    const unsigned face = tile->transpose_of_faces ? x * down + y : y * across + x;
    const unsigned r = row % face_rows;
    const unsigned c = column % 16;
    return face * face_rows * 16 + (tile->transpose_within_face ? c * 16 + r : r * 16 + c);
}

uint32_t tx_tile_get(const struct tx_tile *tile, enum tx_format format, const uint8_t *bytes,
                     uint32_t index, uint8_t *exponent)
{
    struct tx_tile_layout layout;
    uint32_t group[16];
    *exponent = 0;
    if (tx_tile_layout(tile, format, &layout) != TX_OK || index >= layout.data) {
        return 0;
    }
    const unsigned bits = tx_format_info(format)->bits;
    if (layout.exponents != 0) {
        *exponent = bytes[index / 16];
    }
    tile_unpack_bits(bits, bytes + layout.exponent_bytes + (size_t)(index / 16) * bits * 2, 16,
                     group);
    return group[index % 16];
}

void tile_unpack_bits(unsigned bits, const uint8_t *in, size_t count, uint32_t *words)
{
    words_level()->take(bits, in, count, words);
}

void tile_words(const struct tx_unpack *unpack, const struct tx_tile_layout *layout,
                const uint8_t *bytes, uint32_t *words)
{
    const struct tx_format_info *const info = tx_format_info(unpack->in);
    tile_unpack_bits(info->bits, bytes + layout->exponent_bytes, layout->data, words);
    for (uint32_t g = 0; g < layout->data / 16 && info->block; g++) {
        const uint8_t exponent = unpack->force_shared_exp ? unpack->shared_exp : bytes[g];
        for (unsigned i = 0; i < 16; i++) {
            words[16 * g + i] |= (uint32_t)exponent << info->bits;
        }
    }
}

void tile_pack_bits(unsigned bits, const uint32_t *words, size_t count, uint8_t *out)
{
    words_level()->give(bits, words, count, out);
}

/* ---- arrays ---- */

static bool multiply(uint64_t *product, uint64_t factor)
{
    if (factor != 0 && *product > UINT64_MAX / factor) {
        return false;
    }
    *product *= factor;
    return true;
}

enum tx_status tx_grid_of(const struct tx_tile *tile, const uint64_t *shape, size_t ndim,
                          struct tx_grid *grid)
{
    if (!tx_tile_ok(tile)) {
        return TX_EINVAL;
    }
    const struct tx_grid empty = {.tile = *tile, .matrices = 1, .rows = 1, .columns = 1};
    *grid = empty;
    grid->columns = ndim >= 1 ? shape[ndim - 1] : 1;
    grid->rows = ndim >= 2 ? shape[ndim - 2] : 1;
    bool fits = true;
    bool none = grid->rows == 0 || grid->columns == 0;
    for (size_t i = 0; i + 2 < ndim; i++) {
        none |= shape[i] == 0;
    }
    for (size_t i = 0; i + 2 < ndim && !none; i++) {
        fits &= multiply(&grid->matrices, shape[i]);
    }
    if (none) {
        grid->matrices = 0;
    }
    grid->tile_rows = grid->rows / tile->rows + (grid->rows % tile->rows != 0 ? 1 : 0);
    grid->tile_columns =
        grid->columns / tile->columns + (grid->columns % tile->columns != 0 ? 1 : 0);
    grid->tiles = grid->matrices;
    fits = fits && multiply(&grid->tiles, grid->tile_rows);
    fits = fits && multiply(&grid->tiles, grid->tile_columns);
    /* The padded elements of the widest format must fit, so that later products cannot overflow. */
    uint64_t padded = grid->tiles;
    fits = fits && multiply(&padded, (uint64_t)tile->rows * tile->columns * 8);
    grid->elements = grid->matrices;
    fits = fits && multiply(&grid->elements, grid->rows);
    fits = fits && multiply(&grid->elements, grid->columns);
    return fits ? TX_OK : TX_ELIMIT;
}

enum tx_status tx_grid_bytes(const struct tx_grid *grid, enum tx_format format, uint64_t *bytes)
{
    struct tx_tile_layout layout;
    const enum tx_status status = tx_tile_layout(&grid->tile, format, &layout);
    if (status == TX_OK) {
        *bytes = grid->tiles * layout.bytes;
    }
    return status;
}

/* One tile of the array: its first element, and its rows and columns that are not padding. */
struct tile_place {
    uint64_t element;
    unsigned rows, columns;
};

static struct tile_place tile_place(const struct tx_grid *g, uint64_t tile)
{
    const uint64_t x = tile % g->tile_columns;
    const uint64_t y = tile / g->tile_columns % g->tile_rows;
    const uint64_t matrix = tile / g->tile_columns / g->tile_rows;
    const uint64_t row = y * g->tile.rows;
    const uint64_t column = x * g->tile.columns;
    const struct tile_place place = {
        (matrix * g->rows + row) * g->columns + column,
        (unsigned)(g->rows - row < g->tile.rows ? g->rows - row : g->tile.rows),
        (unsigned)(g->columns - column < g->tile.columns ? g->columns - column : g->tile.columns)};
    return place;
}

/* Copies a run of 16 elements, which is contiguous on both sides unless faces are transposed. */
static void copy_run(uint8_t *to, size_t to_step, const uint8_t *from, size_t from_step,
                     unsigned count, size_t size)
{
    if (to_step == size && from_step == size) {
        memcpy(to, from, count * size);
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        memcpy(to + i * to_step, from + i * from_step, size);
    }
}

static bool request_ok(const struct tx_grid *g, size_t size, uint64_t first, uint64_t count)
{
    return tx_tile_ok(&g->tile) && (size == 1 || size == 2 || size == 4) && first <= g->tiles &&
           count <= g->tiles - first;
}

enum tx_status tx_tilize(const struct tx_grid *g, size_t size, const void *in, uint64_t first,
                         uint64_t count, void *out)
{
    const size_t data = (size_t)g->tile.rows * g->tile.columns;
    const size_t step = g->tile.transpose_within_face ? 16 * size : size;
    if (!request_ok(g, size, first, count)) {
        return TX_EINVAL;
    }
    for (uint64_t t = 0; t < count; t++) {
        const struct tile_place place = tile_place(g, first + t);
        uint8_t *const tile = (uint8_t *)out + t * data * size;
        const uint8_t *const from = (const uint8_t *)in + place.element * size;
        if (place.rows != g->tile.rows || place.columns != g->tile.columns) {
            memset(tile, 0, data * size);
        }
        for (unsigned row = 0; row < place.rows; row++) {
            for (unsigned x = 0; x < place.columns; x += 16) {
                const unsigned n = place.columns - x < 16 ? place.columns - x : 16;
                copy_run(tile + tx_tile_index(&g->tile, row, x) * size, step,
                         from + (row * g->columns + x) * size, size, n, size);
            }
        }
    }
    return TX_OK;
}

enum tx_status tx_untilize(const struct tx_grid *g, size_t size, const void *in, uint64_t first,
                           uint64_t count, void *out)
{
    const size_t data = (size_t)g->tile.rows * g->tile.columns;
    const size_t step = g->tile.transpose_within_face ? 16 * size : size;
    if (!request_ok(g, size, first, count)) {
        return TX_EINVAL;
    }
    for (uint64_t t = 0; t < count; t++) {
        const struct tile_place place = tile_place(g, first + t);
        const uint8_t *const tile = (const uint8_t *)in + t * data * size;
        uint8_t *const to = (uint8_t *)out + place.element * size;
        for (unsigned row = 0; row < place.rows; row++) {
            for (unsigned x = 0; x < place.columns; x += 16) {
                const unsigned n = place.columns - x < 16 ? place.columns - x : 16;
                copy_run(to + (row * g->columns + x) * size, size,
                         tile + tx_tile_index(&g->tile, row, x) * size, step, n, size);
            }
        }
    }
    return TX_OK;
}
