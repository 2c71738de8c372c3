/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversions over arrays of words, once for each level of the CPU: the same source compiled with
 * other flags, so that a level can differ from the scalar form only by the compiler. The level is
 * chosen by the CPU on each call; no state is kept.
 */
#ifndef TX_FMT_WORDS_H
#define TX_FMT_WORDS_H

#include <tensix/formats.h>

#include "fmt/fused.h"

/* Converts count words in place; the datum is in their low bits. */
typedef void words_fn(bool blackhole, uint32_t *words, size_t count);

/*
 * Converts words to data of a block format with "width" magnitude bits, in place, with an exponent
 * for every 16. a: 5-bit exponents. The words are BF16 or FP16 patterns for the packer, FP32 for
 * the host.
 */
typedef void assemble_fn(uint32_t *words, size_t groups, bool a, unsigned width,
                         uint8_t *exponents);

/* Converts cells of 16-bit Dst to plain patterns. */
enum words_cells { WORDS_CELLS_BF16, WORDS_CELLS_FP16, WORDS_CELLS_INT16 };

/*
 * The packer's way from 16-bit Dst to as many bits of the same kind, with its early conversion or
 * raw.
 */
enum words_pack {
    WORDS_PACK_NONE,
    WORDS_PACK_BF16,
    WORDS_PACK_BF16_RAW,
    WORDS_PACK_FP16,
    WORDS_PACK_FP16_RAW
};

struct words_level {
    const char *name;
    words_fn *const *convert; /* by enum tx_conversion */
    assemble_fn *assemble, *host_assemble;
    const struct fused *fused;
    /* Convert between 16-bit data, little endian, and words. */
    void (*widen)(const uint8_t *in, size_t count, uint32_t *words);
    void (*narrow)(const uint32_t *words, size_t count, uint8_t *out);
    void (*cells)(enum words_cells kind, const uint16_t *cells, size_t count, uint32_t *words);
    /* Returns the largest value of a bit field over all words; 0 if there are no words. */
    uint32_t (*largest)(const uint32_t *words, size_t count, unsigned lsb, uint32_t mask);
    /* Converts BF16 data, little endian, to cells of SrcA and SrcB. */
    void (*src_bf16)(const uint8_t *in, size_t count, uint32_t *cells);
    /* Converts cells to data, little endian, in one pass. Returns the largest exponent. */
    uint32_t (*pack)(enum words_pack kind, const uint16_t *cells, size_t count, uint16_t *out);
};

extern const struct words_level words_base;
extern const struct words_level words_avx2;

const struct words_level *words_level(void);
#if defined(TX_CHECK)
const struct words_level *words_checked(void); /* words_check.c */
#endif

#endif
