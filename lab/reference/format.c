/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the Dst formats as sets of numbers, and conversions between words and numbers. */
#include "reference/format.h"

const struct number_format *number_format(enum tx_dst_format format)
{
    static const struct number_format formats[] = {
        [TX_DST_FORMAT_UNSET] = {false, false, 24, -126, 0x1.fffffep127, 0.0, 0x1p-126 - 0x1p-149},
        [TX_DST_FORMAT_FP32] = {false, false, 24, -126, 0x1.fffffep127, 0.0, 0x1p-126 - 0x1p-149},
        [TX_DST_FORMAT_BF16] = {false, false, 8, -126, 0x1.fep127, 0.0, 0x1p-126 - 0x1p-133},
        [TX_DST_FORMAT_FP16] = {false, true, 11, -14, 131008.0, 0.0, 0x1p-14 - 0x1p-24},
        [TX_DST_FORMAT_INT32] = {true, true, 64, 0, 2147483647.0, -2147483648.0, 0.0},
        [TX_DST_FORMAT_INT16] = {true, true, 64, 0, 32767.0, -32768.0, 0.0},
        [TX_DST_FORMAT_INT8] = {true, true, 64, 0, 127.0, -127.0, 0.0},
        [TX_DST_FORMAT_UINT32] = {true, true, 64, 0, 4294967295.0, 0.0, 0.0},
        [TX_DST_FORMAT_UINT16] = {true, true, 64, 0, 65535.0, 0.0, 0.0},
        [TX_DST_FORMAT_UINT8] = {true, true, 64, 0, 255.0, 0.0, 0.0},
        [TX_DST_FORMAT_INT32_SM] = {true, true, 64, 0, 2147483647.0, -2147483647.0, 0.0},
        [TX_DST_FORMAT_INT16_SM] = {true, true, 64, 0, 32767.0, -32767.0, 0.0},
        [TX_DST_FORMAT_UINT16_DST32] = {true, true, 64, 0, 65535.0, 0.0, 0.0},
    };
    return &formats[(size_t)format < sizeof formats / sizeof formats[0] ? format
                                                                        : TX_DST_FORMAT_FP32];
}

uint32_t word_of(enum tx_dst_format format, double value)
{
    if (number_format(format)->integer) {
        return isnan(value) ? 0 : (uint32_t)(int64_t)value;
    }
    float narrow = (float)value;
    uint32_t word;
    memcpy(&word, &narrow, sizeof word);
    return word;
}

double txl_word_number(enum tx_dst_format format, uint32_t word, bool flush)
{
    return number_of(format, word, flush);
}

uint32_t txl_number_word(enum tx_dst_format format, double value)
{
    return word_of(format, value);
}

bool txl_number_is_integer(enum tx_dst_format format)
{
    return number_format(format)->integer;
}

const char *txl_number_text(enum tx_dst_format format, uint32_t word, char *text, size_t size)
{
    const struct number_format *f = number_format(format);
    const double value = number_value(f, word);
    if (f->integer) {
        snprintf(text, size, "%.0f", value);
        return text;
    }
    if (isnan(value)) {
        snprintf(text, size, "nan");
        return text;
    }
    const float wanted = (float)value;
    size_t best = SIZE_MAX;
    for (int digits = 1; digits <= 9; digits++) {
        char one[48];
        snprintf(one, sizeof one, "%.*g", digits, value);
        float back = 0.0F;
        bool same = sscanf(one, "%f", &back) == 1 && memcmp(&back, &wanted, sizeof back) == 0;
        if (same && strlen(one) < best) { /* 10 rather than 1e+01 */
            best = strlen(one);
            snprintf(text, size, "%s", one);
        }
    }
    return text;
}
