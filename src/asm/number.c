/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Converts decimal text to binary floating point, correctly rounded, with integers only. strtod
 * depends on the locale and would round twice for the narrow formats.
 */
#include "asm/state.h"

#include <string.h>

enum {
    LIMBS = 40, /* 1280 bits: enough for 60 digits times 10^240 */
    MAX_DIGITS = 60,
    MAX_POWER = 240 /* greater decimal exponents are 0 or out of range in every format */
};

struct big {
    uint32_t limb[LIMBS]; /* least significant first */
};

static void multiply_add(struct big *big, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (size_t i = 0; i < LIMBS; i++) {
        carry += (uint64_t)big->limb[i] * factor;
        big->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static void shift_left(struct big *big, unsigned count)
{
    for (; count >= 31; count -= 31) {
        multiply_add(big, UINT32_C(1) << 31, 0);
    }
    multiply_add(big, UINT32_C(1) << count, 0);
}

static int number_compare(const struct big *one, const struct big *two)
{
    for (size_t i = LIMBS; i-- > 0;) {
        if (one->limb[i] != two->limb[i]) {
            return one->limb[i] < two->limb[i] ? -1 : 1;
        }
    }
    return 0;
}

static void subtract(struct big *from, const struct big *what)
{
    uint64_t borrow = 0;
    for (size_t i = 0; i < LIMBS; i++) {
        const uint64_t difference = (uint64_t)from->limb[i] - what->limb[i] - borrow;
        from->limb[i] = (uint32_t)difference;
        borrow = difference >> 63;
    }
}

static int bit_length(const struct big *big)
{
    for (size_t i = LIMBS; i-- > 0;) {
        if (big->limb[i] != 0) {
            int bits = (int)i * 32;
            for (uint32_t rest = big->limb[i]; rest != 0; rest >>= 1) {
                bits++;
            }
            return bits;
        }
    }
    return 0;
}

/* Rounds numerator / denominator, both positive, to the format. */
static enum asm_float_result round_ratio(struct big *numerator, struct big *denominator,
                                         const struct asm_float_format *format, uint32_t *bits)
{
    int exponent = bit_length(numerator) - bit_length(denominator);
    if (exponent >= 0) {
        shift_left(denominator, (unsigned)exponent);
    } else {
        shift_left(numerator, (unsigned)-exponent);
    }
    if (number_compare(numerator, denominator) < 0) {
        multiply_add(numerator, 2, 0);
        exponent--;
    }
    /* Now 1 <= numerator / denominator < 2. A denormal keeps fewer bits. */
    const int min_exponent = 1 - format->max_exponent;
    int keep = (int)format->precision;
    if (exponent < min_exponent) {
        keep -= min_exponent - exponent;
    }
    if (keep < 0) {
        *bits = 0;
        return FLOAT_OK;
    }
    uint32_t mantissa = 0;
    for (int i = 0; i < keep; i++) {
        mantissa <<= 1;
        if (number_compare(numerator, denominator) >= 0) {
            subtract(numerator, denominator);
            mantissa |= 1;
        }
        multiply_add(numerator, 2, 0);
    }
    const int half =
        number_compare(numerator, denominator); /* compares the remainder with half a unit */
    mantissa += half > 0 || (half == 0 && (mantissa & 1) != 0);
    /* A carry out of the mantissa increments the exponent field, as it should. */
    const uint32_t field = exponent < min_exponent ? 0 : (uint32_t)(exponent - min_exponent);
    const uint32_t packed = (field << (format->precision - 1)) + mantissa;
    const uint32_t infinity = (uint32_t)(2 * format->max_exponent + 1) << (format->precision - 1);
    if (packed >= infinity) {
        return FLOAT_RANGE;
    }
    *bits = packed;
    return FLOAT_OK;
}

static bool read_exponent(const char **text, const char *end, long *power)
{
    const char *p = *text;
    if (p >= end || asm_lower(*p) != 'e') {
        return true;
    }
    p++;
    const bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) {
        p++;
    }
    if (p >= end || *p < '0' || *p > '9') {
        return false;
    }
    long value = 0;
    for (; p < end && *p >= '0' && *p <= '9'; p++) {
        value = value < 100000 ? value * 10 + (*p - '0') : value;
    }
    *power += negative ? -value : value;
    *text = p;
    return true;
}

/* Reads digits and a decimal exponent. More than MAX_DIGITS are refused rather than truncated. */
static enum asm_float_result read_decimal(const char *p, const char *end, struct big *digits,
                                          long *power)
{
    unsigned count = 0, seen = 0;
    bool point = false;
    for (; p < end && ((*p >= '0' && *p <= '9') || (*p == '.' && !point)); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        seen++;
        if (count > 0 || *p != '0') {
            if (++count > MAX_DIGITS) {
                return FLOAT_SYNTAX;
            }
            multiply_add(digits, 10, (uint32_t)(*p - '0'));
        }
        *power -= point;
    }
    if (seen == 0 || !read_exponent(&p, end, power)) {
        return FLOAT_SYNTAX;
    }
    if (p < end && asm_lower(*p) == 'f') {
        p++;
    }
    return p == end ? FLOAT_OK : FLOAT_SYNTAX;
}

static bool word_is(const char *p, const char *end, const char *word)
{
    while (p < end && *word != '\0' && asm_lower(*p) == *word) {
        p++;
        word++;
    }
    return p == end && *word == '\0';
}

enum asm_float_result asm_float_parse(const char *text, size_t length,
                                      const struct asm_float_format *format, uint32_t *bits)
{
    const char *p = text, *const end = text + length;
    const uint32_t sign = p < end && *p == '-' ? UINT32_C(1) << (format->width - 1) : 0;
    if (p < end && (*p == '-' || *p == '+')) {
        p++;
    }
    const unsigned fraction = format->precision - 1;
    const uint32_t infinity = (uint32_t)(2 * format->max_exponent + 1) << fraction;
    if (word_is(p, end, "inf")) {
        *bits = sign | infinity;
        return FLOAT_OK;
    }
    if (word_is(p, end, "nan")) {
        *bits = sign | infinity | UINT32_C(1) << (fraction - 1);
        return FLOAT_OK;
    }
    struct big numerator = {{0}}, denominator = {{1}};
    long power = 0;
    enum asm_float_result result = read_decimal(p, end, &numerator, &power);
    if (result != FLOAT_OK) {
        return result;
    }
    *bits = 0;
    if (bit_length(&numerator) > 0 && power > MAX_POWER) {
        return FLOAT_RANGE;
    }
    if (bit_length(&numerator) > 0 && power >= -MAX_POWER) {
        for (long i = 0; i < power; i++) {
            multiply_add(&numerator, 10, 0);
        }
        for (long i = 0; i > power; i--) {
            multiply_add(&denominator, 10, 0);
        }
        result = round_ratio(&numerator, &denominator, format, bits);
    }
    *bits |= sign;
    return result;
}
