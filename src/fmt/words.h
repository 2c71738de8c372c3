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

/*
 * The unpacker's whole way from a datum in L1 to a cell of SrcA or SrcB. Data of the block formats
 * have an exponent for every 16.
 */
enum words_src {
    WORDS_SRC_NONE,
    WORDS_SRC_BF16,
    WORDS_SRC_FP16,
    WORDS_SRC_INT16,
    WORDS_SRC_INT8,
    WORDS_SRC_UINT8,
    WORDS_SRC_FP32_TF32,
    WORDS_SRC_FP32_BF16,
    WORDS_SRC_FP32_FP16,
    WORDS_SRC_BFP8,
    WORDS_SRC_BFP4,
    WORDS_SRC_BFP2,
    WORDS_SRCS
};

/* What the packer's accumulation adds in L1: the types of fmt/l1_accumulate.h. */
enum words_add { WORDS_ADD_FP32, WORDS_ADD_BF16, WORDS_ADD_FP16, WORDS_ADD_INT32 };

/* The packer's ReLU, as pack_relu finds it. */
struct words_relu {
    uint32_t sign;      /* the bit that makes a datum 0 */
    uint32_t threshold; /* up to which data become 0, or to which they are limited */
    bool zero, clamp;
    unsigned ignored; /* low bits that limiting does not compare */
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
    /*
     * Converts data, little endian, to cells of SrcA and SrcB in one pass. Exponents, and a count
     * that is a multiple of 16, are for the block formats.
     */
    void (*src)(enum words_src kind, const uint8_t *in, const uint8_t *exponents, size_t count,
                uint32_t *cells);
    /* Convert between packed data and words, as tile_unpack_bits and tile_pack_bits do. */
    void (*take)(unsigned bits, const uint8_t *in, size_t count, uint32_t *words);
    void (*give)(unsigned bits, const uint32_t *words, size_t count, uint8_t *out);
    /*
     * Cells of 32 bits as high and low halves; 32-bit data of L1, little endian, as the halves of
     * their cells; and halves as such data.
     */
    void (*split)(const uint32_t *cells, size_t count, uint16_t *high, uint16_t *low);
    void (*halves)(const uint8_t *in, size_t count, uint16_t *high, uint16_t *low);
    void (*wide)(const uint16_t *high, const uint16_t *low, size_t count, uint32_t *words);
    void (*relu)(const struct words_relu *how, uint32_t *words, size_t count);
    /* Sets the words of a row of sixteen whose column is not in the set. */
    void (*mask)(uint32_t columns, uint32_t masked, uint32_t words[16]);
    /* Adds data of L1 to data, both little endian. */
    void (*add)(enum words_add kind, const uint8_t *old, uint8_t *data, size_t count);
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
