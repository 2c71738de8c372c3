/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Binary floating point by the book: an exact sum x * y + z, and a number rounded once to a format
 * of up to 24 bits of significand. For the F and Zfh instructions of RISC-V cores and their flags.
 * Source: IEEE 754-2019.
 */
#ifndef TX_NUM_FP_EXACT_H
#define TX_NUM_FP_EXACT_H

#include "base/bits.h"

/* The exceptions, as bits of RISC-V's fcsr. */
enum { FP_INEXACT = 1, FP_UNDERFLOW = 2, FP_OVERFLOW = 4, FP_INVALID = 16 };

/* Rounding modes, numbered as RISC-V's rm. */
enum fp_rounding { FP_RNE, FP_RTZ, FP_RDN, FP_RUP, FP_RMM };

/* An interchange format: width of the exponent and of the fraction in bits. */
struct fp_format {
    uint8_t exponent, fraction;
};
#define FP_32 ((struct fp_format){8, 23})
#define FP_16 ((struct fp_format){5, 10})
#define FP_BF16 ((struct fp_format){8, 7})

static inline uint32_t fp_infinity(struct fp_format f)
{
    return bits_mask(f.exponent) << f.fraction;
}

static inline uint32_t fp_sign(struct fp_format f)
{
    return 1u << (f.exponent + f.fraction);
}

static inline uint32_t fp_nan(struct fp_format f)
{
    return fp_infinity(f) | 1u << (f.fraction - 1u);
}

static inline bool fp_is_nan(struct fp_format f, uint32_t v)
{
    return (v & (fp_sign(f) - 1u)) > fp_infinity(f);
}

static inline bool fp_is_signaling(struct fp_format f, uint32_t v)
{
    return fp_is_nan(f, v) && (v >> (f.fraction - 1u) & 1u) == 0;
}

/* man * 2^exp, negated if sign; bit 0 of man stands for whatever lies below it. */
struct fp_number {
    uint64_t man;
    int32_t exp;
    bool sign;
};

/* A finite value of a format; denormals count. */
static inline struct fp_number fp_number(struct fp_format f, uint32_t v)
{
    const uint32_t fraction = v & bits_mask(f.fraction);
    const uint32_t biased = v >> f.fraction & bits_mask(f.exponent);
    const int32_t bias = (1 << (f.exponent - 1)) - 1;
    return (struct fp_number){.man = biased == 0 ? fraction : fraction | 1u << f.fraction,
                              .exp = (biased == 0 ? 1 : (int32_t)biased) - bias - f.fraction,
                              .sign = (v & fp_sign(f)) != 0};
}

static inline unsigned fp_leading(uint64_t man)
{
    const uint32_t high = (uint32_t)(man >> 32);
    return high != 0 ? 63u - bits_clz(high) : 31u - bits_clz((uint32_t)man);
}

/* Shifts right; bit 0 of the result stands for what is lost, too. */
static inline uint64_t fp_shifted(uint64_t man, uint32_t by)
{
    if (by >= 63) {
        return man != 0 ? 1 : 0;
    }
    return man >> by | ((man & ((UINT64_C(1) << by) - 1u)) != 0 ? 1u : 0u);
}

/* Puts the leading one of a number other than zero at bit 61. */
static inline struct fp_number fp_normal(struct fp_number v)
{
    const unsigned by = 61u - fp_leading(v.man);
    v.man <<= by;
    v.exp -= (int32_t)by;
    return v;
}

/*
 * Returns p + z, whose significands have at most 48 bits. Exact, but for bit 0, which only stands
 * for something where the result has its leading one at bit 60 or above.
 */
static inline struct fp_number fp_sum(struct fp_number p, struct fp_number z)
{
    if (p.man == 0 || z.man == 0) {
        struct fp_number r = p.man != 0 ? p : z;
        r.sign = r.man == 0 ? p.sign && z.sign : r.sign;
        return r;
    }
    struct fp_number a = fp_normal(p);
    struct fp_number b = fp_normal(z);
    if (a.exp < b.exp || (a.exp == b.exp && a.man < b.man)) {
        const struct fp_number swap = a;
        a = b;
        b = swap;
    }
    b.man = fp_shifted(b.man, (uint32_t)(a.exp - b.exp));
    if (a.sign == b.sign) {
        a.man += b.man;
    } else {
        a.man -= b.man;
        a.sign = a.man != 0 ? a.sign : false;
    }
    return a;
}

static inline struct fp_number fp_product(struct fp_number x, struct fp_number y)
{
    return (struct fp_number){.man = x.man * y.man, .exp = x.exp + y.exp, .sign = x.sign != y.sign};
}

/* Returns whether a significand is to be increased, of which "lost" has been cut off below. */
static inline bool fp_rounds_up(enum fp_rounding mode, bool sign, bool odd, uint64_t lost,
                                uint64_t half)
{
    switch (mode) {
    case FP_RNE:
        return lost > half || (lost == half && half != 0 && odd);
    case FP_RDN:
        return sign && lost != 0;
    case FP_RUP:
        return !sign && lost != 0;
    case FP_RMM:
        return half != 0 && lost >= half;
    case FP_RTZ:
        break;
    }
    return false;
}

/*
 * Returns v in a format, rounded once. Results below the normal numbers are denormals, or, if
 * "flush", zeros of their sign, decided after rounding. Adds to *flags.
 */
static inline uint32_t fp_rounded(struct fp_format f, struct fp_number v, enum fp_rounding mode,
                                  bool flush, uint32_t *flags)
{
    const uint32_t sign = v.sign ? fp_sign(f) : 0;
    if (v.man == 0) {
        return sign;
    }
    const int32_t bias = (1 << (f.exponent - 1)) - 1;
    const int32_t leading = (int32_t)fp_leading(v.man);
    int32_t biased = v.exp + leading + bias;
    int32_t cut = leading - f.fraction;
    if (biased <= 0 && !flush) {
        cut += 1 - biased;
        biased = 1;
    }
    uint64_t man = v.man;
    uint64_t lost = 0, half = 0;
    if (cut > 62) {
        man = 0;
        lost = 1;
        half = 2;
    } else if (cut > 0) {
        half = UINT64_C(1) << (cut - 1);
        lost = man & (2 * half - 1);
        man >>= cut;
    } else {
        man <<= -cut;
    }
    man += fp_rounds_up(mode, v.sign, (man & 1u) != 0, lost, half) ? 1u : 0u;
    const int64_t out = ((int64_t)(biased - 1) * (INT64_C(1) << f.fraction)) + (int64_t)man;
    *flags |= lost != 0 ? FP_INEXACT : 0u;
    if (out >= (int64_t)fp_infinity(f)) {
        const bool away = mode == FP_RNE || mode == FP_RMM || mode == (v.sign ? FP_RDN : FP_RUP);
        *flags |= FP_OVERFLOW | FP_INEXACT;
        return sign | (away ? fp_infinity(f) : fp_infinity(f) - 1u);
    }
    const bool tiny = out < (int64_t)1 << f.fraction;
    if (tiny && flush) {
        *flags |= FP_UNDERFLOW | FP_INEXACT;
        return sign;
    }
    *flags |= tiny && lost != 0 ? FP_UNDERFLOW : 0u;
    return sign | (uint32_t)out;
}

/*
 * Returns v as an integer, rounded, or the nearest there is. Bit 31 is the sign if is_signed.
 */
static inline uint32_t fp_integer(struct fp_number v, bool is_signed, enum fp_rounding mode,
                                  uint32_t *flags)
{
    uint64_t man = v.man;
    uint64_t lost = 0, half = 0;
    const uint64_t most = is_signed ? (v.sign ? SIGN32 : SIGN32 - 1u) : (v.sign ? 0 : 0xFFFFFFFFu);
    if (man == 0) {
        return 0;
    }
    if (v.exp + (int32_t)fp_leading(man) > 33) {
        man = UINT64_C(1) << 34;
    } else if (v.exp >= 0) {
        man <<= v.exp;
    } else {
        const uint32_t by = (uint32_t)-v.exp > 62 ? 62u : (uint32_t)-v.exp;
        man = fp_shifted(man, (uint32_t)-v.exp - by);
        half = UINT64_C(1) << (by - 1);
        lost = man & (2 * half - 1);
        man >>= by;
        man += fp_rounds_up(mode, v.sign, (man & 1u) != 0, lost, half) ? 1u : 0u;
    }
    if (man > most) {
        *flags |= FP_INVALID;
        return is_signed || !v.sign ? (uint32_t)most : 0u;
    }
    *flags |= lost != 0 ? FP_INEXACT : 0u;
    return v.sign ? 0u - (uint32_t)man : (uint32_t)man;
}

#endif
