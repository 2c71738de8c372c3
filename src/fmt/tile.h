/* SPDX-License-Identifier: Apache-2.0 */
/* The data of a tile in L1: packed bits, and the sections of block formats. */
#ifndef TX_FMT_TILE_H
#define TX_FMT_TILE_H

#include <tensix/formats.h>

enum { TILE_DATA = 1024 };

/*
 * Convert between packed data and words; little endian, low bits first. count is a multiple of 16.
 */
void tile_unpack_bits(unsigned bits, const uint8_t *in, size_t count, uint32_t *words);
void tile_pack_bits(unsigned bits, const uint32_t *words, size_t count, uint8_t *out);
/*
 * Reads all data of a tile; those of block formats with their exponent above. layout: from
 * tx_unpack_layout.
 */
void tile_words(const struct tx_unpack *unpack, const struct tx_tile_layout *layout,
                const uint8_t *bytes, uint32_t *words);

/* Convert between words and elements of 1, 2 or 4 bytes as in the host's arrays. */
void elements_to_words(const void *in, size_t size, size_t count, uint32_t *words);
void words_to_elements(const uint32_t *words, size_t size, size_t count, void *out);

#endif
