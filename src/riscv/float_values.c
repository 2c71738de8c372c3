/* SPDX-License-Identifier: Apache-2.0 */
/* The values of floating-point instructions, without registers. */
#include "riscv/float.h"

static uint32_t without_denormals(struct fp_format f, uint32_t v)
{
    return (v & fp_infinity(f)) == 0 ? v & fp_sign(f) : v;
}

static bool is_infinite(struct fp_format f, uint32_t v)
{
    return (v & (fp_sign(f) - 1u)) == fp_infinity(f);
}

static bool is_zero(struct fp_format f, uint32_t v)
{
    return (v & (fp_sign(f) - 1u)) == 0;
}

/* Where an operand is NaN or infinite. Returns true with the result. */
static bool special(struct fp_format f, uint32_t x, uint32_t y, uint32_t z, uint32_t *out,
                    uint32_t *flags)
{
    const bool endless = is_infinite(f, x) || is_infinite(f, y);
    const uint32_t p_sign = (x ^ y) & fp_sign(f);
    const bool senseless =
        (is_infinite(f, x) && is_zero(f, y)) || (is_infinite(f, y) && is_zero(f, x));
    const bool opposed = endless && is_infinite(f, z) && (z & fp_sign(f)) != p_sign;
    const bool nan = fp_is_nan(f, x) || fp_is_nan(f, y) || fp_is_nan(f, z);
    const bool signaling = fp_is_signaling(f, x) || fp_is_signaling(f, y) || fp_is_signaling(f, z);
    *flags |= senseless || signaling || (opposed && !nan) ? FP_INVALID : 0u;
    if (nan || senseless || opposed) {
        *out = fp_nan(f);
        return true;
    }
    *out = is_infinite(f, z) ? z : p_sign | fp_infinity(f);
    return endless || is_infinite(f, z);
}

uint32_t float_fma(struct fp_format f, uint32_t x, uint32_t y, uint32_t z, enum fp_rounding mode,
                   uint32_t *flags)
{
    uint32_t out;
    x = without_denormals(f, x);
    y = without_denormals(f, y);
    z = without_denormals(f, z);
    if (special(f, x, y, z, &out, flags)) {
        return out;
    }
    uint32_t raised = 0;
    const struct fp_number p = fp_product(fp_number(f, x), fp_number(f, y));
    out = fp_rounded(f, fp_sum(p, fp_number(f, z)), mode, true, &raised);
    if (f.fraction == FP_32.fraction && mode == FP_RNE) {
        /* The product keeps 26 bits of its fraction: the result may differ from the exact one. */
        const uint32_t chip = fp32_fma_bh(x, y, z);
        raised |= chip != out ? FP_INEXACT : 0u;
        raised |= chip != out && is_infinite(f, chip) ? FP_OVERFLOW : 0u;
        out = chip;
    }
    *flags |= raised;
    return out;
}

uint32_t float_add(struct fp_format f, uint32_t x, uint32_t y, enum fp_rounding mode,
                   uint32_t *flags)
{
    const uint32_t one = (bits_mask(f.exponent - 1u)) << f.fraction;
    return float_fma(f, x, one, y, mode, flags);
}

uint32_t float_mul(struct fp_format f, uint32_t x, uint32_t y, enum fp_rounding mode,
                   uint32_t *flags)
{
    return float_fma(f, x, y, (x ^ y) & fp_sign(f), mode, flags);
}

/* Returns a number that orders values as their formats do, with -0 below 0. */
static int64_t order(struct fp_format f, uint32_t v)
{
    const int64_t size = v & (fp_sign(f) - 1u);
    return (v & fp_sign(f)) != 0 ? -1 - size : size;
}

uint32_t float_least(struct fp_format f, uint32_t x, uint32_t y, bool greatest, uint32_t *flags)
{
    *flags |= fp_is_signaling(f, x) || fp_is_signaling(f, y) ? FP_INVALID : 0u;
    if (fp_is_nan(f, x)) {
        return fp_is_nan(f, y) ? fp_nan(f) : y;
    }
    if (fp_is_nan(f, y)) {
        return x;
    }
    return (order(f, x) < order(f, y)) != greatest ? x : y;
}

bool float_compares(struct fp_format f, enum float_compare how, uint32_t x, uint32_t y,
                    uint32_t *flags)
{
    if (fp_is_nan(f, x) || fp_is_nan(f, y)) {
        const bool quiet = how == FLOAT_EQ && !fp_is_signaling(f, x) && !fp_is_signaling(f, y);
        *flags |= quiet ? 0u : FP_INVALID;
        return false;
    }
    const bool equal = x == y || (is_zero(f, x) && is_zero(f, y));
    return how == FLOAT_EQ ? equal : (equal ? how == FLOAT_LE : order(f, x) < order(f, y));
}

uint32_t float_class(struct fp_format f, uint32_t v)
{
    const bool negative = (v & fp_sign(f)) != 0;
    if (fp_is_nan(f, v)) {
        return fp_is_signaling(f, v) ? 1u << 8 : 1u << 9;
    }
    const bool denormal = (v & fp_infinity(f)) == 0;
    const unsigned size = is_infinite(f, v) ? 0 : is_zero(f, v) ? 3 : denormal ? 2 : 1;
    return 1u << (negative ? size : 7 - size);
}

uint32_t float_to_integer(struct fp_format f, uint32_t v, bool is_signed, unsigned bits,
                          enum fp_rounding mode, uint32_t *flags)
{
    const uint32_t most = bits_mask(is_signed ? bits - 1 : bits);
    const uint32_t least = is_signed ? ~most : 0u;
    const bool negative = (v & fp_sign(f)) != 0;
    if (fp_is_nan(f, v) || is_infinite(f, v)) {
        *flags |= FP_INVALID;
        return negative && !fp_is_nan(f, v) ? least : most;
    }
    uint32_t raised = 0;
    const uint32_t out = fp_integer(fp_number(f, v), is_signed, mode, &raised);
    const bool high = is_signed ? (int32_t)out > (int32_t)most : out > most;
    const bool low = is_signed && (int32_t)out < (int32_t)least;
    if (high || low) {
        *flags |= FP_INVALID;
        return high ? most : least;
    }
    *flags |= raised;
    return out;
}

uint32_t float_of_integer(struct fp_format f, uint32_t v, bool is_signed, enum fp_rounding mode,
                          uint32_t *flags)
{
    const bool negative = is_signed && (v & SIGN32) != 0;
    const struct fp_number number = {.man = negative ? 0u - v : v, .sign = negative};
    return fp_rounded(f, number, mode, false, flags);
}

uint32_t float_convert(struct fp_format to, struct fp_format from, uint32_t v,
                       enum fp_rounding mode, uint32_t *flags)
{
    const uint32_t sign = (v & fp_sign(from)) != 0 ? fp_sign(to) : 0;
    if (fp_is_nan(from, v)) {
        *flags |= fp_is_signaling(from, v) ? FP_INVALID : 0u;
        return fp_nan(to);
    }
    if (is_infinite(from, v)) {
        return sign | fp_infinity(to);
    }
    return fp_rounded(to, fp_number(from, v), mode, false, flags);
}
