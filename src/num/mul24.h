/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The low or high half of a product of 23 x 23 bits, with the change that a nonzero addend register
 * causes because the FP32 datapath is reused. Source: ISA documentation SFPMUL24 at 585749d; vendor
 * erratum tt-metal #18659.
 */
#ifndef TX_NUM_MUL24_H
#define TX_NUM_MUL24_H

#include "base/bits.h"

static inline uint32_t mul24(uint32_t a, uint32_t b, uint32_t c, bool upper)
{
    const uint64_t product = (uint64_t)(a & 0x7FFFFFu) * (b & 0x7FFFFFu);
    uint32_t p = (uint32_t)(upper ? product >> 23 : product) & 0x7FFFFFu;
    const uint32_t z_exp = (c >> 23) & 255u;
    if (z_exp == 0) {
        return p;
    }
    const uint32_t r_exp = z_exp > 129u ? z_exp : 129u;
    const uint32_t s = (r_exp - z_exp) & 31u;
    const uint32_t g = (0x800000u + (c & 0x7FFFFFu)) << 3;
    p >>= (r_exp - 129u) & 31u;
    const uint32_t t = g >> s;
    if (t != 0) {
        p += t;
        p += ((t << s) ^ g) > 0xFFFFu ? 0x10000u : 0u;
        p &= 0x7FFFFFu;
    }
    return p;
}

#endif
