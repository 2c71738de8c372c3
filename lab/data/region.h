/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cuts a large array into pieces that fit into a cache: some tiles side by side in one row of
 * tiles, and the rectangle of the array that they cover.
 */
#ifndef LAB_REGION_H
#define LAB_REGION_H

#include "data/tensor.h"

#ifdef TX_STRESS
enum { REGION_DATA = 1 << 11 };
#else
enum { REGION_DATA = 1 << 16 };
#endif

struct region {
    uint64_t first, count; /* the piece's tiles */
    uint64_t element;      /* index in the array of the rectangle's first element */
    uint64_t stride;       /* elements in one row of the array */
    size_t height, width;  /* of the rectangle, without padding */
    struct tx_grid grid;   /* the rectangle seen as an array of its own */
};

/* Sets how an array is walked: by tiles, or flat by runs of elements, when no tile is involved. */
bool region_grid(const struct npy_info *info, const struct tx_tile *tile, bool flat,
                 struct tx_grid *grid);
/* A tile that is 32 consecutive elements. */
struct tx_tile region_flat_tile(void);
/* Sets the piece that begins with tile `first`. */
void region_at(const struct tx_grid *grid, uint64_t first, struct region *region);
/* Returns the index in the array of the rectangle's element i. */
uint64_t region_element(const struct region *region, size_t i);

/*
 * Reads the rectangle row by row: the words of VALUES, or the bits of RAW. False: err says
 * what is wrong.
 */
bool region_values(const struct tensor *tensor, const struct region *region, uint32_t *words,
                   struct npy_narrowed *narrowed, struct txl_error *err);
bool region_raw(const struct tensor *tensor, const struct region *region, void *data,
                struct txl_error *err);
/* Reads RAW and TILES as tiles as L1 holds them. scratch: room for REGION_DATA words. */
bool region_tiles(const struct tensor *tensor, const struct region *region, void *scratch,
                  uint8_t *bytes, struct txl_error *err);
/*
 * Writes the rectangle, whose elements have `size` bytes, behind a header. Returns 0 or an errno.
 */
int region_write(struct outfile *file, uint64_t header, const struct region *region, unsigned size,
                 const void *data);

#endif
