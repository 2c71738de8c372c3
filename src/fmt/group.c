/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of 16 data under one exponent: the packer's assembly and tt-metal's host code. */
#include <tensix/formats.h>

#include "fmt/host.h"
#include "fmt/pack_bfp.h"
#include "fmt/tile.h"

static bool is_a(enum tx_format format)
{
    return tx_format_info(format)->exponent_bits == 5;
}

static bool is_block(enum tx_format format)
{
    const struct tx_format_info *info = tx_format_info(format);
    return info != NULL && info->block;
}

enum tx_status tx_bfp_pack(enum tx_format format, const uint16_t in[16], uint8_t *exponent,
                           uint8_t datum[16])
{
    uint32_t e[16];
    uint32_t shared = 0;
    if (!is_block(format)) {
        return TX_EINVAL;
    }
    const unsigned mantissa = is_a(format) ? 10 : 7;
    for (unsigned i = 0; i < 16; i++) {
        e[i] = (in[i] & 0x7FFFu) >> mantissa;
        shared = e[i] > shared ? e[i] : shared;
    }
    for (unsigned i = 0; i < 16; i++) {
        const uint32_t m7 = ((uint32_t)in[i] >> (mantissa - 7)) & 0x7Fu;
        datum[i] =
            (uint8_t)bfp_datum(in[i] >> 15, bfp_magnitude(e[i], m7, shared), bfp_width(format));
    }
    *exponent = (uint8_t)shared;
    return TX_OK;
}

enum tx_status tx_bfp_pack_host(enum tx_format format, const uint32_t fp32[16], uint8_t *exponent,
                                uint8_t datum[16])
{
    uint32_t shared = 0;
    if (!is_block(format)) {
        return TX_EINVAL;
    }
    for (unsigned i = 0; i < 16; i++) {
        const uint32_t e = host_bfp_exponent(fp32[i], is_a(format));
        shared = e > shared ? e : shared;
    }
    for (unsigned i = 0; i < 16; i++) {
        datum[i] = (uint8_t)host_bfp_datum(fp32[i], shared, is_a(format), bfp_width(format));
    }
    *exponent = (uint8_t)shared;
    return TX_OK;
}
