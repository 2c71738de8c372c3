/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversions over arrays of words, once for each level of the CPU: the same source under other
 * flags, so that a level can differ from the scalar form only by the compiler. Which level runs is
 * decided by the CPU each time; nothing is kept.
 */
#ifndef TX_FMT_WORDS_H
#define TX_FMT_WORDS_H

#include <tensix/formats.h>

#include "fmt/fused.h"

/* In place: count words, low bits. */
typedef void words_fn(bool blackhole, uint32_t *words, size_t count);

/*
 * Words to data of a block format with width magnitude bits, in place, and an exponent for every
 * 16. a: 5-bit exponents. Of the packer the words are BF16 or FP16 patterns, of the host FP32.
 */
typedef void assemble_fn(uint32_t *words, size_t groups, bool a, unsigned width,
                         uint8_t *exponents);

/* Cells of 16-bit Dst as plain patterns. */
enum words_cells { WORDS_CELLS_BF16, WORDS_CELLS_FP16, WORDS_CELLS_INT16 };

/* The packer's way of 16-bit Dst to as many bits of the same kind, with its early conversion or
 * raw. */
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
    /* Data of sixteen bits, little end first, to words and back. */
    void (*widen)(const uint8_t *in, size_t count, uint32_t *words);
    void (*narrow)(const uint32_t *words, size_t count, uint8_t *out);
    void (*cells)(enum words_cells kind, const uint16_t *cells, size_t count, uint32_t *words);
    /* The largest field of all; 0: there are none. */
    uint32_t (*largest)(const uint32_t *words, size_t count, unsigned lsb, uint32_t mask);
    /* BF16 data, little end first, to cells of SrcA and SrcB. */
    void (*src_bf16)(const uint8_t *in, size_t count, uint32_t *cells);
    /* From cells to data, little end first: all at once, and the largest exponent. */
    uint32_t (*pack)(enum words_pack kind, const uint16_t *cells, size_t count, uint16_t *out);
};

extern const struct words_level words_base;
extern const struct words_level words_avx2;

const struct words_level *words_level(void);

#endif
