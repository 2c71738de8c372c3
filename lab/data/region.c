/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes the pieces of an array, in the order of its rows or of its tiles. */
#include "data/region.h"

struct tx_tile region_flat_tile(void)
{
    return (struct tx_tile){.rows = 1, .columns = 32};
}

bool region_grid(const struct npy_info *info, const struct tx_tile *tile, bool flat,
                 struct tx_grid *grid)
{
    return tx_grid_of(tile, flat ? &info->count : info->shape, flat ? 1 : info->dimensions, grid) ==
           TX_OK;
}

void region_at(const struct tx_grid *grid, uint64_t first, struct region *region)
{
    const struct tx_tile *tile = &grid->tile;
    uint64_t most = REGION_DATA / ((uint64_t)tile->rows * tile->columns);
    uint64_t x = first % grid->tile_columns;
    uint64_t y = first / grid->tile_columns % grid->tile_rows;
    uint64_t matrix = first / grid->tile_columns / grid->tile_rows;
    uint64_t left = grid->tile_columns - x;
    uint64_t row = y * tile->rows;
    uint64_t column = x * tile->columns;
    *region = (struct region){.first = first,
                              .count = left < most ? left : most,
                              .element = (matrix * grid->rows + row) * grid->columns + column,
                              .stride = grid->columns};
    uint64_t width = region->count * tile->columns;
    region->height = (size_t)(grid->rows - row < tile->rows ? grid->rows - row : tile->rows);
    region->width = (size_t)(grid->columns - column < width ? grid->columns - column : width);
    const uint64_t shape[2] = {region->height, region->width};
    (void)tx_grid_of(tile, shape, 2, &region->grid);
}

uint64_t region_element(const struct region *region, size_t i)
{
    return region->element + i / region->width * region->stride + i % region->width;
}

/* Rows that follow one another without a gap are treated as one. */
static void joined(const struct region *region, size_t *rows, size_t *width)
{
    bool whole = region->width == region->stride;
    *rows = whole ? 1 : region->height;
    *width = whole ? region->width * region->height : region->width;
}

bool region_values(const struct tensor *tensor, const struct region *region, uint32_t *words,
                   struct npy_narrowed *narrowed, struct txl_error *err)
{
    size_t rows;
    size_t width;
    bool good = true;
    joined(region, &rows, &width);
    for (size_t r = 0; r < rows && good; r++) {
        good = tensor_values(tensor, region->element + r * region->stride, width, words + r * width,
                             narrowed, err);
    }
    return good;
}

bool region_raw(const struct tensor *tensor, const struct region *region, void *data,
                struct txl_error *err)
{
    size_t rows;
    size_t width;
    bool good = true;
    joined(region, &rows, &width);
    for (size_t r = 0; r < rows && good; r++) {
        good = tensor_raw(tensor, region->element + r * region->stride, width,
                          (uint8_t *)data + r * width * tensor->info.item_size, err);
    }
    return good;
}

bool region_tiles(const struct tensor *tensor, const struct region *region, void *scratch,
                  uint8_t *bytes, struct txl_error *err)
{
    if (tensor->kind == TENSOR_TILES) {
        struct tx_tile_layout layout;
        tensor_layout(tensor, &layout);
        return tensor_bytes(tensor, bytes, (size_t)region->count * layout.bytes,
                            region->first * layout.bytes, err);
    }
    if (!region_raw(tensor, region, scratch, err)) {
        return false;
    }
    (void)tx_tilize(&region->grid, tensor->info.item_size, scratch, 0, region->count, bytes);
    return true;
}

int region_write(struct outfile *file, uint64_t header, const struct region *region, unsigned size,
                 const void *data)
{
    size_t rows;
    size_t width;
    joined(region, &rows, &width);
    int error = 0;
    for (size_t r = 0; r < rows && error == 0; r++) {
        error = outfile_write_at(file, (const uint8_t *)data + r * width * size, width * size,
                                 header + (region->element + r * region->stride) * size);
    }
    return error;
}
