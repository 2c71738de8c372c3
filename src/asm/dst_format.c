/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the formats of data in Dst. */
#include <tensix/asm.h>

#include <string.h>

static const struct {
    const char *name;
    enum tx_dst_format format;
} spellings[] = {
    /* The first spelling of a format is the one that is printed. */
    {"fp32", TX_DST_FORMAT_FP32},
    {"float32", TX_DST_FORMAT_FP32},
    {"float", TX_DST_FORMAT_FP32},
    {"bf16", TX_DST_FORMAT_BF16},
    {"bfloat16", TX_DST_FORMAT_BF16},
    {"float16_b", TX_DST_FORMAT_BF16},
    {"fp16b", TX_DST_FORMAT_BF16},
    {"fp16_b", TX_DST_FORMAT_BF16},
    {"float16b", TX_DST_FORMAT_BF16},
    {"fp16", TX_DST_FORMAT_FP16},
    {"float16", TX_DST_FORMAT_FP16},
    {"float16_a", TX_DST_FORMAT_FP16},
    {"fp16a", TX_DST_FORMAT_FP16},
    {"fp16_a", TX_DST_FORMAT_FP16},
    {"half", TX_DST_FORMAT_FP16},
    {"int32", TX_DST_FORMAT_INT32},
    {"uint32", TX_DST_FORMAT_UINT32},
    {"int32-sm", TX_DST_FORMAT_INT32_SM},
    {"int16", TX_DST_FORMAT_INT16},
    {"uint16", TX_DST_FORMAT_UINT16},
    {"int16-sm", TX_DST_FORMAT_INT16_SM},
    {"int8", TX_DST_FORMAT_INT8},
    {"uint8", TX_DST_FORMAT_UINT8},
    {"int8-sm", TX_DST_FORMAT_INT8},
    {"uint16-dst32", TX_DST_FORMAT_UINT16_DST32},
};

const char *tx_dst_encoding_name(enum tx_dst_format format)
{
    static const char *const names[TX_DST_FORMAT_COUNT] = {
        [TX_DST_FORMAT_INT32] = "two's complement",
        [TX_DST_FORMAT_INT16] = "two's complement",
        [TX_DST_FORMAT_INT32_SM] = "sign and magnitude",
        [TX_DST_FORMAT_INT16_SM] = "sign and magnitude",
        [TX_DST_FORMAT_INT8] = "sign and magnitude",
        [TX_DST_FORMAT_UINT32] = "unsigned",
        [TX_DST_FORMAT_UINT16] = "unsigned",
        [TX_DST_FORMAT_UINT8] = "unsigned",
        [TX_DST_FORMAT_UINT16_DST32] = "unsigned, in the upper halves of a 32-bit Dst"};
    const char *name = (unsigned)format < TX_DST_FORMAT_COUNT ? names[format] : NULL;
    return name != NULL ? name : "";
}

const char *tx_dst_format_name(enum tx_dst_format format)
{
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        if (spellings[i].format == format) {
            return spellings[i].name;
        }
    }
    return "unset";
}

static bool same(const char *text, const char *name)
{
    for (; *text != '\0' && *name != '\0'; text++, name++) {
        const char c = *text >= 'A' && *text <= 'Z' ? (char)(*text - 'A' + 'a') : *text;
        if (c != *name) {
            return false;
        }
    }
    return *text == *name;
}

enum tx_status tx_dst_format_parse(const char *text, enum tx_dst_format *format)
{
    if (text == NULL || format == NULL) {
        return TX_EINVAL;
    }
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        if (same(text, spellings[i].name)) {
            *format = spellings[i].format;
            return TX_OK;
        }
    }
    return TX_ENOENT;
}
