/* SPDX-License-Identifier: Apache-2.0 */
/* Unpacking of the coefficients of SFPLUT (8 bits) and SFPLUTFP32 (16 bits) to FP32. */
#ifndef TX_NUM_LUT_COEFFICIENT_H
#define TX_NUM_LUT_COEFFICIENT_H

#include "base/bits.h"

/* A table look-up is a * x + c. */
struct lut_terms {
    uint32_t a, x, c;
};

/* SGN_RETAIN: gives the result the sign of the argument. */
static inline uint32_t lut_sign(uint32_t result, uint32_t argument)
{
    return (result & 0x7FFFFFFFu) | (argument & SIGN32);
}

/* s.e3.m4 with the value (1 + m/16) * 2^-e; only FF is zero. */
static inline uint32_t lut8_to_fp32(uint32_t x)
{
    const uint32_t value =
        ((x & 128u) << 24) | ((127u - ((x >> 4) & 7u)) << 23) | ((x & 15u) << 19);
    return (x & 255u) == 255u ? 0 : value;
}

/* Exponent 31 means zero; the mantissa is kept, and arithmetic reads the denormal as zero. */
static inline uint32_t lut16_to_fp32(uint32_t x, bool positive_zero)
{
    const uint32_t exp = (x >> 10) & 31u;
    const uint32_t sign = (x & 0x8000u) << 16;
    const uint32_t zero = sign & ((uint32_t)positive_zero - 1u);
    const uint32_t high = sign | (exp + 112u) << 23;
    return (exp == 31 ? zero : high) | (x & 0x3FFu) << 13;
}

#endif
