/* SPDX-License-Identifier: Apache-2.0 */
/* Data of a tile in L1: packed bits, and the sections of block formats. */
#ifndef TX_FMT_TILE_H
#define TX_FMT_TILE_H

#include <tensix/formats.h>

enum { TILE_DATA = 1024 };

/* Packed data to words and back; little endian, low bits first. count is a multiple of 16. */
void tile_unpack_bits(unsigned bits, const uint8_t *in, size_t count, uint32_t *words);
/* Puts the exponent byte of each group above its data. */
void tile_add_exponents(unsigned bits, const uint8_t *exponents, size_t groups, uint32_t *words);
void tile_pack_bits(unsigned bits, const uint32_t *words, size_t count, uint8_t *out);

#endif
