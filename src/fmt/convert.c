/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions of single data: their names, and applying them to one value or to an array. */
#include <tensix/formats.h>

#include "fmt/l1_accumulate.h"
#include "base/check.h"
#include "fmt/primitives.h"
#include "fmt/tile.h"
#include "fmt/words.h"
#include "isa/chip.h"

#include <string.h>

#define BOTH CHIPS_BOTH
#define WH CHIPS_WH
#define BH CHIPS_BH

static const struct tx_conversion_info conversions[TX_CONVERSION_COUNT] = {
#define C(id, name, in, out, chips, differs, expr, rule, evidence) \
    [TX_##id] = {name, rule, evidence, in, out, chips, differs},
#include "fmt/conversions.def"
#undef C
};

const struct tx_conversion_info *tx_conversion_info(enum tx_conversion conversion)
{
    return (unsigned)conversion < TX_CONVERSION_COUNT ? &conversions[conversion] : NULL;
}

enum tx_status tx_conversion_parse(const char *name, enum tx_conversion *conversion)
{
    if (name == NULL || conversion == NULL) {
        return TX_EINVAL;
    }
    for (unsigned i = 0; i < TX_CONVERSION_COUNT; i++) {
        if (strcmp(conversions[i].name, name) == 0) {
            *conversion = (enum tx_conversion)i;
            return TX_OK;
        }
    }
    return TX_ENOENT;
}

uint32_t tx_convert(enum tx_conversion conversion, enum tx_arch arch, uint32_t word)
{
    uint32_t x = word;
    if ((unsigned)conversion >= TX_CONVERSION_COUNT) {
        return 0;
    }
    words_base.convert[conversion](CHIP_HAS(arch, ARITHMETIC_BH), &x, 1);
    return x;
}

static size_t element_size(unsigned bits)
{
    CHECK(bits != 0 && bits <= 32, "an element has up to 32 bits");
    return bits <= 8 ? 1 : bits <= 16 ? 2 : 4;
}

void elements_to_words(const void *in, size_t size, size_t count, uint32_t *words)
{
    CHECK(size == 1 || size == 2 || size == 4, "an element has one, two or four bytes");
    const uint8_t *const bytes = in;
    if (size == 4) {
        memcpy(words, bytes, count * 4);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        uint16_t half = bytes[i];
        if (size == 2) {
            memcpy(&half, bytes + 2 * i, 2);
        }
        words[i] = half;
    }
}

void words_to_elements(const uint32_t *words, size_t size, size_t count, void *out)
{
    CHECK(size == 1 || size == 2 || size == 4,
          "an element that is stored has one, two or four bytes");
    uint8_t *const bytes = out;
    if (size == 4) {
        memcpy(bytes, words, count * 4);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (size == 2) {
            const uint16_t half = (uint16_t)words[i];
            memcpy(bytes + 2 * i, &half, 2);
        } else {
            bytes[i] = (uint8_t)words[i];
        }
    }
}

enum tx_status tx_convert_array(enum tx_conversion conversion, enum tx_arch arch, const void *in,
                                size_t count, void *out)
{
    enum { BLOCK = 512 };
    uint32_t words[BLOCK];
    if ((unsigned)conversion >= TX_CONVERSION_COUNT || !chip_known(arch)) {
        return TX_EINVAL;
    }
    words_fn *const convert = words_level()->convert[conversion];
    const size_t in_size = element_size(conversions[conversion].in_bits);
    const size_t out_size = element_size(conversions[conversion].out_bits);
    for (size_t done = 0; done < count; done += BLOCK) {
        const size_t n = count - done < BLOCK ? count - done : BLOCK;
        elements_to_words((const uint8_t *)in + done * in_size, in_size, n, words);
        convert(CHIP_HAS(arch, ARITHMETIC_BH), words, n);
        words_to_elements(words, out_size, n, (uint8_t *)out + done * out_size);
    }
    return TX_OK;
}

uint32_t tx_sfpload_convert(enum tx_arch arch, unsigned mod0, uint32_t cell, uint32_t old,
                            bool fp16_inf)
{
    return load_convert(CHIP_HAS(arch, ARITHMETIC_BH), mod0,
                        load_is_32bit(mod0) ? cell : cell & 0xFFFFu, old, fp16_inf);
}

uint32_t tx_sfpstore_convert(enum tx_arch arch, unsigned mod0, uint32_t value)
{
    return store_convert(CHIP_HAS(arch, ARITHMETIC_BH), mod0, value, false);
}

uint32_t tx_pack_descale(uint32_t x, unsigned shift, bool to_unsigned)
{
    return to_unsigned ? early_uint8(x, shift & 31u) : early_int8(x, shift & 31u);
}

enum tx_status tx_l1_accumulate(enum tx_format format, uint32_t old, uint32_t incoming,
                                uint32_t *result)
{
    switch (format) {
    case TX_FORMAT_FP32:
        *result = l1_accumulate_fp32(old, incoming);
        return TX_OK;
    case TX_FORMAT_BF16:
        *result = l1_accumulate_bf16(old & 0xFFFFu, incoming & 0xFFFFu);
        return TX_OK;
    case TX_FORMAT_FP16:
        *result = l1_accumulate_fp16(old & 0xFFFFu, incoming & 0xFFFFu);
        return TX_OK;
    case TX_FORMAT_INT32:
        *result = l1_accumulate_int32(old, incoming);
        return TX_OK;
    default:
        return TX_EUNSUPPORTED;
    }
}
