/* SPDX-License-Identifier: Apache-2.0 */
/* Single groups of 16 data under one exponent: the packer's assembly, and tt-metal's host code. */
#include <tensix/formats.h>

#include "fmt/words.h"

#include <string.h>

static enum tx_status pack(enum tx_format format, assemble_fn *assemble, uint32_t words[16],
                           uint8_t *exponent, uint8_t datum[16])
{
    const struct tx_format_info *info = tx_format_info(format);
    if (info == NULL || !info->block) {
        return TX_EINVAL;
    }
    assemble(words, 1, info->exponent_bits == 5, info->mantissa_bits, exponent);
    for (unsigned i = 0; i < 16; i++) {
        datum[i] = (uint8_t)words[i];
    }
    return TX_OK;
}

enum tx_status tx_bfp_pack(enum tx_format format, const uint16_t in[16], uint8_t *exponent,
                           uint8_t datum[16])
{
    uint32_t words[16];
    for (unsigned i = 0; i < 16; i++) {
        words[i] = in[i];
    }
    return pack(format, words_level()->assemble, words, exponent, datum);
}

enum tx_status tx_bfp_pack_host(enum tx_format format, const uint32_t fp32[16], uint8_t *exponent,
                                uint8_t datum[16])
{
    uint32_t words[16];
    memcpy(words, fp32, sizeof words);
    return pack(format, words_level()->host_assemble, words, exponent, datum);
}
