/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The build that checks itself: every conversion of words by the best level is done by the
 * baseline, too, on a copy, and both have to give the same bits.
 */
#include "fmt/words.h"

#if defined(TX_CHECK)

#include "base/check.h"
#include "fmt/l1_accumulate.h"
#include "num/dst_cell.h"

#include <stdlib.h>
#include <string.h>

static const struct words_level *best(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        return &words_avx2;
    }
#endif
    return &words_base;
}

static void *copy_of(const void *from, size_t size)
{
    void *copy = malloc(size + 1);
    CHECK(copy != NULL, "there is memory for the long way of a conversion");
    memcpy(copy, from, size);
    return copy;
}

/* Compares with the copy, which is given back. */
static void same(const void *made, void *copy, size_t size)
{
    CHECK(memcmp(made, copy, size) == 0, "a level of the CPU converts words as the baseline does");
    free(copy);
}

#define C(id, name, in, out, chips, differs, expr, rule, evidence)   \
    static void checked_##id(bool bh, uint32_t *words, size_t count) \
    {                                                                \
        uint32_t *copy = copy_of(words, count * sizeof *words);      \
        words_base.convert[TX_##id](bh, copy, count);                \
        best()->convert[TX_##id](bh, words, count);                  \
        same(words, copy, count * sizeof *words);                    \
    }
#include "fmt/conversions.def"
#undef C

static words_fn *const checked_table[TX_CONVERSION_COUNT] = {
#define C(id, name, in, out, chips, differs, expr, rule, evidence) [TX_##id] = checked_##id,
#include "fmt/conversions.def"
#undef C
};

static void checked_blocks(assemble_fn *plain, assemble_fn *quick, uint32_t *words, size_t groups,
                           bool a, unsigned width, uint8_t *exponents)
{
    const size_t size = groups * 16 * sizeof *words;
    uint32_t *copy = copy_of(words, size);
    uint8_t *shared = copy_of(exponents, groups);
    CHECK(width == 7 || width == 3 || width == 1, "a block format has 7, 3 or 1 magnitude bits");
    plain(copy, groups, a, width, shared);
    quick(words, groups, a, width, exponents);
    same(words, copy, size);
    same(exponents, shared, groups);
}

static void checked_assemble(uint32_t *words, size_t groups, bool a, unsigned width,
                             uint8_t *exponents)
{
    checked_blocks(words_base.assemble, best()->assemble, words, groups, a, width, exponents);
}

static void checked_host_assemble(uint32_t *words, size_t groups, bool a, unsigned width,
                                  uint8_t *exponents)
{
    checked_blocks(words_base.host_assemble, best()->host_assemble, words, groups, a, width,
                   exponents);
}

static void checked_widen(const uint8_t *in, size_t count, uint32_t *words)
{
    uint32_t *copy = copy_of(words, count * sizeof *words);
    words_base.widen(in, count, copy);
    best()->widen(in, count, words);
    same(words, copy, count * sizeof *words);
}

static void checked_narrow(const uint32_t *words, size_t count, uint8_t *out)
{
    uint8_t *copy = copy_of(out, 2 * count);
    words_base.narrow(words, count, copy);
    best()->narrow(words, count, out);
    same(out, copy, 2 * count);
}

static void checked_cells(enum words_cells kind, const uint16_t *cells, size_t count,
                          uint32_t *words)
{
    uint32_t *copy = copy_of(words, count * sizeof *words);
    words_base.cells(kind, cells, count, copy);
    best()->cells(kind, cells, count, words);
    same(words, copy, count * sizeof *words);
}

static uint32_t checked_largest(const uint32_t *words, size_t count, unsigned lsb, uint32_t mask)
{
    const uint32_t largest = best()->largest(words, count, lsb, mask);
    CHECK(largest == words_base.largest(words, count, lsb, mask),
          "a level of the CPU finds the largest exponent that the baseline finds");
    CHECK(largest <= mask, "the largest value of a field fits the field");
    return largest;
}

static void checked_src(enum words_src kind, const uint8_t *in, const uint8_t *exponents,
                        size_t count, uint32_t *cells)
{
    uint32_t *copy = copy_of(cells, count * sizeof *cells);
    words_base.src(kind, in, exponents, count, copy);
    best()->src(kind, in, exponents, count, cells);
    same(cells, copy, count * sizeof *cells);
}

static void checked_take(unsigned bits, const uint8_t *in, size_t count, uint32_t *words)
{
    uint32_t *copy = copy_of(words, count * sizeof *words);
    words_base.take(bits, in, count, copy);
    best()->take(bits, in, count, words);
    same(words, copy, count * sizeof *words);
}

static void checked_give(unsigned bits, const uint32_t *words, size_t count, uint8_t *out)
{
    uint8_t *copy = copy_of(out, count * bits / 8);
    words_base.give(bits, words, count, copy);
    best()->give(bits, words, count, out);
    same(out, copy, count * bits / 8);
}

static void checked_split(const uint32_t *cells, size_t count, uint16_t *high, uint16_t *low)
{
    best()->split(cells, count, high, low);
    for (size_t i = 0; i < count; i++) {
        CHECK(((uint32_t)high[i] << 16 | low[i]) == cells[i], "halves of a cell make the cell");
    }
}

static void checked_halves(const uint8_t *in, size_t count, uint16_t *high, uint16_t *low)
{
    best()->halves(in, count, high, low);
    for (size_t i = 0; i < count; i++) {
        const uint32_t x = (uint32_t)in[4 * i] | (uint32_t)in[4 * i + 1] << 8 |
                           (uint32_t)in[4 * i + 2] << 16 | (uint32_t)in[4 * i + 3] << 24;
        CHECK(((uint32_t)high[i] << 16 | low[i]) == fp32_to_cell(x),
              "data of 32 bits become the halves of their cells");
    }
}

static void checked_wide(const uint16_t *high, const uint16_t *low, size_t count, uint32_t *words)
{
    uint32_t *copy = copy_of(words, count * sizeof *words);
    words_base.wide(high, low, count, copy);
    best()->wide(high, low, count, words);
    same(words, copy, count * sizeof *words);
}

static void checked_relu(const struct words_relu *how, uint32_t *words, size_t count)
{
    uint32_t *copy = copy_of(words, count * sizeof *words);
    words_base.relu(how, copy, count);
    best()->relu(how, words, count);
    same(words, copy, count * sizeof *words);
}

static void checked_mask(uint32_t columns, uint32_t masked, uint32_t words[16])
{
    uint32_t *copy = copy_of(words, 16 * sizeof *words);
    words_base.mask(columns, masked, copy);
    best()->mask(columns, masked, words);
    same(words, copy, 16 * sizeof *words);
}

static uint32_t sum_of(enum words_add kind, uint32_t old, uint32_t in)
{
    switch (kind) {
    case WORDS_ADD_FP32:
        return l1_accumulate_fp32(old, in);
    case WORDS_ADD_BF16:
        return l1_accumulate_bf16(old, in);
    case WORDS_ADD_FP16:
        return l1_accumulate_fp16(old, in);
    case WORDS_ADD_INT32:
        break;
    }
    return l1_accumulate_int32(old, in);
}

/* The long way adds one datum after the other in integers. */
static void checked_add(enum words_add kind, const uint8_t *old, uint8_t *data, size_t count)
{
    const unsigned bytes = kind == WORDS_ADD_FP32 || kind == WORDS_ADD_INT32 ? 4 : 2;
    uint8_t *copy = copy_of(data, count * bytes);
    for (size_t i = 0; i < count * bytes; i += bytes) {
        uint32_t a = 0;
        uint32_t b = 0;
        for (unsigned k = 0; k < bytes; k++) {
            a |= (uint32_t)old[i + k] << 8 * k;
            b |= (uint32_t)copy[i + k] << 8 * k;
        }
        const uint32_t sum = sum_of(kind, a, b);
        for (unsigned k = 0; k < bytes; k++) {
            copy[i + k] = (uint8_t)(sum >> 8 * k);
        }
    }
    best()->add(kind, old, data, count);
    same(data, copy, count * bytes);
}

static uint32_t checked_pack(enum words_pack kind, const uint16_t *cells, size_t count,
                             uint16_t *out)
{
    uint16_t *copy = copy_of(out, count * sizeof *out);
    const uint32_t plain = words_base.pack(kind, cells, count, copy);
    const uint32_t most = best()->pack(kind, cells, count, out);
    CHECK(most == plain, "a level of the CPU packs with the exponent that the baseline finds");
    same(out, copy, count * sizeof *out);
    return most;
}

/* The fused ways are compared as a whole, in codec.c. */
const struct words_level *words_checked(void)
{
#define CHECKED(fused)                                                                             \
    {                                                                                              \
        "checked", checked_table, checked_assemble, checked_host_assemble, fused, checked_widen,   \
            checked_narrow, checked_cells, checked_largest, checked_src, checked_take,             \
            checked_give, checked_split, checked_halves, checked_wide, checked_relu, checked_mask, \
            checked_add, checked_pack                                                              \
    }
    static const struct words_level plain = CHECKED(&fused_base);
#if defined(__x86_64__)
    static const struct words_level avx2 = CHECKED(&fused_avx2);
    return best() == &words_avx2 ? &avx2 : &plain;
#else
    return &plain;
#endif
#undef CHECKED
}

#endif
