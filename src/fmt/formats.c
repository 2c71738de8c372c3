/* SPDX-License-Identifier: Apache-2.0 */
/* The data formats of isa/data_formats.def: their properties and names. */
#include <tensix/formats.h>

#include <string.h>

#include "isa/chip.h"

#define BOTH CHIPS_BOTH
#define BH CHIPS_BH

enum { BLOCK = 1, INTEGER = 2, SIGNED = 4 };

#define DATA_FORMAT(format, name, isa, software, bits, exponent, mantissa, chips, flags) \
    [TX_FORMAT_##format] = {name,                                                        \
                            isa,                                                         \
                            software,                                                    \
                            bits,                                                        \
                            exponent,                                                    \
                            mantissa,                                                    \
                            chips,                                                       \
                            ((flags)&BLOCK) != 0,                                        \
                            ((flags)&INTEGER) != 0,                                      \
                            ((flags)&SIGNED) != 0},
static const struct tx_format_info formats[TX_FORMAT_LIMIT] = {
#include "isa/data_formats.def"
};

/* Names, compared in lower case without "_" and "-" and after "dataformat::". */
#define SPELLED(name, format) {name, TX_FORMAT_##format},
static const struct {
    const char *name;
    uint8_t format;
} spellings[] = {
#include "isa/data_formats.def"
};

#define SPELLED_EXACTLY(name, format) {name, TX_FORMAT_##format},
static const struct {
    const char *exact;
    uint8_t format;
} by_case[] = {
#include "isa/data_formats.def"
};

const struct tx_format_info *tx_format_info(enum tx_format format)
{
    if ((unsigned)format >= TX_FORMAT_LIMIT || formats[format].name == NULL) {
        return NULL;
    }
    return &formats[format];
}

const char *tx_format_name(enum tx_format format)
{
    const struct tx_format_info *info = tx_format_info(format);
    return info == NULL ? "?" : info->name;
}

/* Copies text in lower case, without separators and prefix. Returns false if it does not fit. */
static bool squeeze(const char *text, char *out, size_t size)
{
    static const char prefix[] = "dataformat::";
    size_t n = 0;
    for (; *text != '\0'; text++) {
        const char c = *text >= 'A' && *text <= 'Z' ? (char)(*text - 'A' + 'a') : *text;
        if (c == '_' || c == '-') {
            continue;
        }
        if (n + 1 >= size) {
            return false;
        }
        out[n++] = c;
        if (n == sizeof prefix - 1 && memcmp(out, prefix, n) == 0) {
            n = 0;
        }
    }
    out[n] = '\0';
    return true;
}

enum tx_status tx_format_parse(const char *text, enum tx_format *format)
{
    static const char *const ambiguous[] = {"bfp8", "bfp4", "bfp2", "fp8", "float8", "bfp"};
    char word[32];
    if (text == NULL || format == NULL) {
        return TX_EINVAL;
    }
    const char *const colon = strrchr(text, ':');
    for (size_t i = 0; i < sizeof by_case / sizeof by_case[0]; i++) {
        if (strcmp(colon == NULL ? text : colon + 1, by_case[i].exact) == 0) {
            *format = (enum tx_format)by_case[i].format;
            return TX_OK;
        }
    }
    if (!squeeze(text, word, sizeof word)) {
        return TX_ENOENT;
    }
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        if (strcmp(word, spellings[i].name) == 0) {
            *format = (enum tx_format)spellings[i].format;
            return TX_OK;
        }
    }
    for (size_t i = 0; i < sizeof ambiguous / sizeof ambiguous[0]; i++) {
        if (strcmp(word, ambiguous[i]) == 0) {
            return TX_EPARSE;
        }
    }
    return TX_ENOENT;
}

enum tx_format tx_format_in_dst(enum tx_format format)
{
    switch (format) {
    case TX_FORMAT_FP32:
    case TX_FORMAT_TF32:
        return TX_FORMAT_FP32;
    case TX_FORMAT_BF16:
    case TX_FORMAT_BFP8:
    case TX_FORMAT_BFP4:
    case TX_FORMAT_BFP2:
        return TX_FORMAT_BF16;
    case TX_FORMAT_FP16:
    case TX_FORMAT_BFP8A:
    case TX_FORMAT_BFP4A:
    case TX_FORMAT_BFP2A:
    case TX_FORMAT_FP8_E5M2:
    case TX_FORMAT_FP8_E4M3:
        return TX_FORMAT_FP16;
    default: /* integers, and codes that are no format, are unchanged */
        return format;
    }
}

/* Returns the largest magnitude of a format as an FP32 pattern. */
static uint32_t float_limit(enum tx_format format)
{
    switch (format) {
    case TX_FORMAT_FP32:
        return 0x7F7FFFFFu;
    case TX_FORMAT_TF32:
        return 0x7F7FE000u;
    case TX_FORMAT_FP16:
        return 0x47FFE000u; /* 131008 */
    case TX_FORMAT_FP8_E5M2:
        return 0x47E00000u;
    case TX_FORMAT_FP8_E4M3:
        return 0x43F00000u; /* 480 */
    case TX_FORMAT_BFP8:
        return 0x7F7E0000u; /* exponent 254; FP32 reads 255 as Inf */
    case TX_FORMAT_BFP4:
        return 0x7F600000u;
    case TX_FORMAT_BFP2:
        return 0x7F000000u;
    case TX_FORMAT_BFP8A:
        return 0x47FE0000u;
    case TX_FORMAT_BFP4A:
        return 0x47E00000u;
    case TX_FORMAT_BFP2A:
        return 0x47800000u;
    default:
        return 0x7F7F0000u; /* BF16 */
    }
}

uint32_t tx_format_limit(enum tx_format format)
{
    const struct tx_format_info *info = tx_format_info(format);
    if (info == NULL) {
        return 0;
    }
    if (info->integer) {
        return 0xFFFFFFFFu >> (32 - info->mantissa_bits);
    }
    return float_limit(format);
}

int64_t tx_format_order(enum tx_format format, uint32_t datum)
{
    const struct tx_format_info *info = tx_format_info(format);
    if (info == NULL || info->block) {
        return 0;
    }
    const uint32_t mask = 0xFFFFFFFFu >> (32 - info->bits);
    const uint32_t sign = info->has_sign ? mask ^ mask >> 1 : 0;
    uint32_t magnitude = datum & mask & ~sign;
    if (format == TX_FORMAT_TF32) {
        magnitude >>= 13;
    }
    return (datum & sign) != 0 ? -(int64_t)magnitude : (int64_t)magnitude;
}

/*
 * Classifies a loss of integers: clamped, or truncated by the packer. A negative value clamped to
 * an unsigned format is 0.
 */
static enum tx_loss integer_loss(uint32_t after, uint32_t limit)
{
    const bool has_sign = limit != 0xFFu && limit != 0xFFFFu && limit != 0xFFFFFFFFu;
    const uint32_t magnitude = has_sign && after >> 31 != 0 ? 0u - after : after;
    if (magnitude >= limit || (after == 0 && !has_sign)) {
        return TX_LOSS_SATURATED;
    }
    return after == 0 ? TX_LOSS_FLUSHED : TX_LOSS_ROUNDED;
}

enum tx_loss tx_loss_of(bool integer, uint32_t before, uint32_t after, uint32_t limit)
{
    const uint32_t inf = 0x7F800000u;
    const uint32_t a = before & 0x7FFFFFFFu;
    const uint32_t b = after & 0x7FFFFFFFu;
    if (before == after) {
        return TX_LOSS_EXACT;
    }
    if (integer) {
        return integer_loss(after, limit);
    }
    if (a >= inf || b > inf) {
        return TX_LOSS_SPECIAL;
    }
    if (b == inf || (a > limit && b >= limit)) {
        return TX_LOSS_SATURATED;
    }
    return b == 0 ? TX_LOSS_FLUSHED : TX_LOSS_ROUNDED;
}
