/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle_num.h"

#include "oracle_exact.h"

/* ---- word conversions --------------------------------------------------------------------- */

uint32_t orc_cast_sm32_fp32_rne(uint32_t sm)
{
    uint32_t mag = sm % 0x80000000u;
    int top = bit_length(mag) - 1;
    uint64_t sig;

    if (mag == 0) {
        return sm;
    }
    sig = round_even(mag, top - 23);
    return (sm - mag) + (uint32_t)(126 + top) * 0x800000u + (uint32_t)sig;
}

uint32_t orc_cast_sm32_fp32_stoch(uint32_t sm, uint32_t draw)
{
    uint32_t mag = sm % 0x80000000u;
    int top = bit_length(mag) - 1;
    uint64_t norm, sig;

    if (mag == 0) {
        return sm;
    }
    norm = (uint64_t)((wide)mag * pow2(31 - top));
    sig = norm / 256;
    if (norm % 256 / 2 > draw / 1024 % 128) {
        sig += 1;
    }
    return (sm - mag) + (uint32_t)(126 + top) * 0x800000u + (uint32_t)sig;
}

/* The integer meant by a sign-magnitude word (both zeros give 0). */
static int64_t sm_value(uint32_t x)
{
    int64_t mag = (int64_t)(x % 0x80000000u);

    return x >= 0x80000000u ? -mag : mag;
}

static int64_t tc_value(uint32_t x)
{
    return x >= 0x80000000u ? (int64_t)x - 0x100000000 : (int64_t)x;
}

uint32_t orc_cast_int_sm(uint32_t x)
{
    if (x <= 0x80000000u) {
        return x; /* minus zero <-> -2^31 included */
    }
    return 0x80000000u + (uint32_t)(0x100000000u - x);
}

uint32_t orc_sm_to_2c(uint32_t x)
{
    return (uint32_t)sm_value(x);
}

uint32_t orc_2c_to_sm(uint32_t x)
{
    int64_t v = tc_value(x);

    return v < 0 ? 0x80000000u + (uint32_t)((uint64_t)-v % 0x80000000u) : x;
}

uint32_t orc_abs_int(uint32_t x)
{
    int64_t v = tc_value(x);

    return (uint32_t)(v < 0 ? -v : v);
}

uint32_t orc_abs_float(uint32_t x)
{
    struct num n = split(x);

    return n.neg && !is_nan(n) ? x - 0x80000000u : x;
}

/* ---- SFPSTOCHRND -------------------------------------------------------------------------- */

uint32_t orc_stoch_threshold(int bh, unsigned rnd, uint32_t draw)
{
    unsigned mode = bh ? rnd % 4 : rnd % 2;

    if (mode == 0) {
        return 0x400000u;
    }
    return mode == 2 ? 0x7fffffu : draw % 0x800000u;
}

/* Drop the low part (a multiple of unit is kept), up when the part reaches p * unit / 2^23. */
static uint32_t coarsen(uint32_t x, uint32_t unit, uint32_t p)
{
    uint32_t low = x % unit;

    return x - low + (low >= p / (0x800000u / unit) ? unit : 0);
}

/* fixed has 23 fraction bits. */
static uint32_t to_integer(uint64_t fixed, uint32_t p, bool neg, bool keep_sign, uint32_t limit)
{
    uint64_t mag = fixed / 0x800000u + (fixed % 0x800000u >= p ? 1 : 0);

    if (mag > limit) {
        mag = limit;
    }
    return signed_bits(neg && keep_sign && mag != 0, (uint32_t)mag);
}

uint32_t orc_stochrnd(int bh, unsigned mod1, unsigned rnd, uint32_t draw, unsigned shift,
                      uint32_t x)
{
    static const uint32_t limits[8] = {0, 0, 255, 127, 255, 127, 65535, 32767};
    uint32_t p = orc_stoch_threshold(bh, rnd, draw);
    struct num n = split(x);
    unsigned flavour = mod1 % 8;
    bool keep = flavour % 2 == 1;
    int e = n.e - 127;
    uint64_t fixed;

    if (flavour < 2) {
        if (n.e == 0) {
            return 0;
        }
        if (n.e == 255) {
            return signed_bits(n.neg, 0x7f800000u);
        }
        return coarsen(x, flavour == 0 ? 0x2000u : 0x10000u, p);
    }
    if (flavour == 4 || flavour == 5) {
        fixed = (uint64_t)((wide)(x % 0x80000000u) * 0x800000u / pow2((int)(shift % 32)));
        return to_integer(fixed, p, n.neg, keep, limits[flavour]);
    }
    if (e < -1) {
        return 0;
    }
    if (e >= 16) {
        return signed_bits(n.neg && keep, limits[flavour]);
    }
    fixed = e < 0 ? n.m / 2 : (uint64_t)(n.m * pow2(e));
    return to_integer(fixed, p, n.neg, keep, limits[flavour]);
}

/* ---- tables and small ones ---------------------------------------------------------------- */

static uint32_t approx_recip(uint32_t x)
{
    uint32_t e = x / 0x800000u;

    if (e == 0) {
        return 0x7f800000u;
    }
    if (e > 252) {
        return 0;
    }
    return (253 - e) * 0x800000u + orc_recip_table[x / 0x10000u % 128u] * 0x10000u;
}

static uint32_t approx_exp(uint32_t x)
{
    uint32_t hi = x / 0x10000u, base, step = 0;

    if (hi < 0x0080u) {
        return 0x3f800000u;
    }
    if (hi < 0x3c80u) {
        base = 0x3f810000u;
    } else if (hi < 0x4000u) {
        base = hi < 0x3f32u ? 0x3f800000u : 0x40000000u;
        step = orc_exp_table[hi - 0x3c80u];
    } else {
        base = 0x40800000u;
    }
    return base + step * 0x10000u + x % 0x10000u;
}

uint32_t orc_arecip(unsigned mod1, uint32_t vb, uint32_t vc)
{
    uint32_t mag = vc % 0x80000000u;

    if (mod1 == 1) {
        return vb >= 0x80000000u ? approx_recip(mag) : vc;
    }
    return signed_bits(mag != vc, mod1 == 0 ? approx_recip(mag) : approx_exp(mag));
}

uint32_t orc_mul24(bool upper, uint32_t a, uint32_t b, uint32_t c)
{
    uint64_t product = (uint64_t)(a % 0x800000u) * (b % 0x800000u);
    uint64_t r = upper ? product / 0x800000u : product % 0x800000u;
    uint32_t e = c / 0x800000u % 256u;
    uint64_t addend = (uint64_t)(0x800000u + c % 0x800000u) * 8, unit, kept;

    if (e == 0) {
        return (uint32_t)r;
    }
    if (e > 129) {
        r = (uint64_t)(r / pow2((int)((e - 129) % 32)));
        unit = 1;
    } else {
        unit = (uint64_t)pow2((int)((129 - e) % 32));
    }
    kept = addend / unit;
    if (kept != 0) {
        r += kept + (addend % unit > 0xffffu ? 0x10000u : 0);
        r %= 0x800000u;
    }
    return (uint32_t)r;
}

uint32_t orc_lz(uint32_t x)
{
    return (uint32_t)(32 - bit_length(x));
}

uint32_t orc_exexp(uint32_t x, bool raw)
{
    uint32_t e = x / 0x800000u % 256u;

    return raw ? e : e - 127u;
}

uint32_t orc_lut8(uint32_t code)
{
    uint32_t e = 127u - code / 16u % 8u;

    return code == 0xffu ? 0 : signed_bits(code >= 128u, e * 0x800000u + code % 16u * 0x80000u);
}

static uint32_t half_word(uint32_t h, uint32_t e)
{
    return signed_bits(h / 0x8000u % 2u == 1, e * 0x800000u + h % 1024u * 0x2000u);
}

uint32_t orc_lut16(uint32_t code)
{
    uint32_t e = code / 1024u % 32u;

    return half_word(code, e == 31 ? 0 : e + 112);
}

uint32_t orc_loadi(unsigned mod0, uint32_t imm16, uint32_t old)
{
    switch (mod0) {
    case 0:
        return imm16 * 0x10000u;
    case 1:
    case 9:
        return half_word(imm16, imm16 / 1024u % 32u + 112);
    case 2:
    case 3:
        return imm16;
    case 8:
        return imm16 * 0x10000u + old % 0x10000u;
    case 10:
    case 11:
    case 14:
    case 15:
        return old - old % 0x10000u + imm16;
    default:
        return imm16 >= 0x8000u ? 0xffff0000u + imm16 : imm16;
    }
}

uint32_t orc_shift(uint32_t x, int32_t amount, bool arithmetic)
{
    int64_t a = amount;
    uint64_t fill = arithmetic && x >= 0x80000000u ? 0xffffffffu : 0;
    uint64_t doubled = fill * 0x100000000u + x;

    if (a >= 0) {
        return (uint32_t)((wide)x * pow2((int)(a % 32)) % 0x100000000u);
    }
    return (uint32_t)(doubled / (uint64_t)pow2((int)(-a % 32)) % 0x100000000u);
}

/* ---- Dst cells ---------------------------------------------------------------------------- */

bool orc_load_is32(unsigned mod0)
{
    return mod0 == 3 || mod0 == 4 || mod0 == 10 || mod0 == 12;
}

bool orc_store_is32(unsigned mod0)
{
    return orc_load_is32(mod0) || mod0 == 7 || mod0 == 9;
}

/* Cell order (sign, significand, exponent) to plain order and back, exponent of 2^k values. */
static uint32_t cell_plain(uint32_t cell, uint32_t k)
{
    uint32_t mant = 0x8000u / k;

    return cell / 0x8000u * 0x8000u + cell % k * mant + cell % 0x8000u / k;
}

static uint32_t plain_cell(uint32_t plain, uint32_t k)
{
    uint32_t mant = 0x8000u / k;

    return plain / 0x8000u * 0x8000u + plain % mant * k + plain % 0x8000u / mant;
}

static uint32_t cell_plain32(uint32_t cell)
{
    return cell_plain(cell / 0x10000u, 256) * 0x10000u + cell % 0x10000u;
}

static uint32_t plain_cell32(uint32_t word)
{
    return plain_cell(word / 0x10000u, 256) * 0x10000u + word % 0x10000u;
}

uint32_t orc_dst_load(int bh, unsigned mod0, uint32_t cell, uint32_t old, bool fp16a_inf)
{
    uint32_t sign = cell / 0x8000u % 2u * 0x80000000u;
    uint32_t mag10 = cell / 32u % 1024u, e;

    switch (mod0) {
    case 1:
        e = cell % 32u;
        if (fp16a_inf && e == 31 && mag10 == 1023) {
            return sign + 0x7f800000u;
        }
        return sign + (e == 0 ? 0 : e + 112) * 0x800000u + mag10 * 0x2000u;
    case 2:
        return cell_plain(cell, 256) * 0x10000u;
    case 3:
    case 4:
    case 10:
        return cell_plain32(cell);
    case 5:
        return sign + mag10 % (bh ? 256u : 128u);
    case 6:
    case 9:
        return cell;
    case 7:
        return cell * 0x10000u;
    case 8:
        return sign + cell % 0x8000u;
    case 12:
        return bh ? cell_plain32(cell) : orc_sm_to_2c(cell_plain32(cell));
    case 13:
        return bh ? sign + mag10 : orc_sm_to_2c(sign + mag10);
    case 14:
        return old - old % 0x10000u + cell;
    case 15:
        return old % 0x10000u + cell * 0x10000u;
    default:
        return 0;
    }
}

uint32_t orc_dst_store(int bh, unsigned mod0, uint32_t word)
{
    struct num n = split(word);
    uint32_t flushed = n.e == 0 ? signed_bits(n.neg, 0) : word;
    uint32_t half = n.neg ? 0x8000u : 0;

    switch (mod0) {
    case 1:
        if (n.e > 112 + 31) {
            half += 0x7fffu;
        } else if (n.e > 112) {
            half += (uint32_t)(n.e - 112) * 1024u + word % 0x800000u / 0x2000u;
        }
        return plain_cell(half, 32);
    case 2:
        return plain_cell(flushed / 0x10000u, 256);
    case 3:
        return plain_cell32(flushed);
    case 4:
    case 10:
        return plain_cell32(word);
    case 12:
        return plain_cell32(bh ? word : orc_2c_to_sm(word));
    case 5:
    case 13:
        if (mod0 == 13 && !bh) {
            word = orc_2c_to_sm(word);
        }
        return half + word % 1024u * 32u + 16u;
    case 7:
        return word;
    case 8:
        return half + word % 0x8000u;
    case 9:
        return word % 0x10000u * 0x10000u + word / 0x10000u;
    case 6:
    case 14:
        return word % 0x10000u;
    case 15:
        return word / 0x10000u;
    default:
        return 0;
    }
}

/* Digits of a row number: bit b of the result comes from bit from[b]. */
static unsigned bit_of(unsigned x, int b)
{
    return x / (unsigned)pow2(b) % 2u;
}

unsigned orc_adj16(unsigned row, bool remap)
{
    unsigned r = row % 1024u;

    if (!remap) {
        return r;
    }
    return r / 64u * 64u + bit_of(r, 3) * 32u + bit_of(r, 5) * 16u + bit_of(r, 4) * 8u + r % 8u;
}

unsigned orc_adj32(unsigned row, bool remap, bool swizzle)
{
    unsigned r = orc_adj16(row, remap);

    if (swizzle) {
        unsigned b3 = bit_of(r, 4) != bit_of(r, 2) ? 1u : 0u;

        r = r / 16u * 16u + b3 * 8u + bit_of(r, 3) * 4u + r % 4u;
    }
    /* bits 8..3 move up by one, bits 9 and 2..0 stay (bit 9 then holds old 9 or old 8) */
    return (bit_of(r, 9) | bit_of(r, 8)) * 512u + r / 8u % 32u * 16u + r % 8u;
}

/* ---- random numbers, order, logic --------------------------------------------------------- */

uint32_t orc_prng_step(uint32_t s)
{
    uint32_t taps = bit_of(s, 31) + bit_of(s, 21) + bit_of(s, 1) + bit_of(s, 0);

    return s / 2u + (taps % 2u == 0 ? 0x80000000u : 0);
}

void orc_prng_seed(uint32_t seed, uint32_t state[32])
{
    int i;

    for (i = 0; i < 32; i++) {
        seed = orc_prng_step(seed);
    }
    for (i = 31; i >= 0; i--) {
        seed = orc_prng_step(orc_prng_step(seed));
        state[i] = seed;
    }
}

bool orc_sm_less(uint32_t c, uint32_t d)
{
    int64_t kc = c >= 0x80000000u ? sm_value(c) - 1 : sm_value(c);
    int64_t kd = d >= 0x80000000u ? sm_value(d) - 1 : sm_value(d);

    return kc < kd;
}

bool orc_boolop(unsigned op, bool a, bool b)
{
    /* bit 2a+b of the entry is the result */
    static const unsigned table[16] = {0,   0xA, 0x5, 0x8, 0xE, 0x4, 0xD, 0x2,
                                       0xB, 0x1, 0x7, 0x6, 0x9, 0,   0,   0};

    return bit_of(table[op % 16u], (a ? 2 : 0) + (b ? 1 : 0)) == 1;
}
