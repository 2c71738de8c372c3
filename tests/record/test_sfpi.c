/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of sfpi_functions.cpp, recorded for both chips and both ways of a * b + c, against
 * one statement of each in C over the second opinion's arithmetic (tests/oracle), for every BF16
 * pattern. The model of comparisons is that of include/tensix/sfpi.hpp.
 */
#include <tensix/tensix.h>

#include "oracle_num.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct model {
    int bh;
    bool mad;
    unsigned lane;       /* of SFPLOAD's 32 */
    const uint32_t *row; /* the first input of all lanes */
    uint32_t *random;    /* the generators of all lanes */
};
typedef uint32_t u32;

/* A draw gives the state and steps it. */
static u32 draw(const struct model *m)
{
    const u32 state = m->random[m->lane];
    m->random[m->lane] = orc_prng_step(state);
    return state;
}

static u32 bits(float f)
{
    u32 b = 0;
    memcpy(&b, &f, sizeof b);
    return b;
}

#define ONE bits(1.0f)
#define SIGN 0x80000000u

static u32 mul(const struct model *m, u32 a, u32 b)
{
    return orc_fma(m->bh, a, b, 0);
}

static u32 add(const struct model *m, u32 a, u32 b)
{
    return orc_fma(m->bh, ONE, a, b);
}

/* Wormhole has no sign to give: -1 * b + a. Only the sign of a NaN tells. */
static u32 sub(const struct model *m, u32 a, u32 b)
{
    return m->bh != 0 ? add(m, a, b ^ SIGN) : orc_fma(0, b, bits(-1.0f), a);
}

/* a * b + c, as the recording was told. */
static u32 mad(const struct model *m, u32 a, u32 b, u32 c)
{
    return m->mad ? orc_fma(m->bh, a, b, c) : add(m, mul(m, a, b), c);
}

/* c + a * b: which of two infinities is first tells in the sign of Wormhole's NaN. */
static u32 plus_mad(const struct model *m, u32 c, u32 a, u32 b)
{
    return m->mad ? orc_fma(m->bh, a, b, c) : add(m, c, mul(m, a, b));
}

/* a * b - c and c - a * b. */
static u32 mad_less(const struct model *m, u32 a, u32 b, u32 c)
{
    return m->mad ? orc_fma(m->bh, a, b, c ^ SIGN) : sub(m, mul(m, a, b), c);
}

static u32 less_mad(const struct model *m, u32 a, u32 b, u32 c)
{
    return m->mad ? orc_fma(m->bh, a ^ SIGN, b, c) : sub(m, c, mul(m, a, b));
}

static bool negative(u32 x)
{
    return (x & SIGN) != 0;
}

/* a < b and so on for a number b that is not zero. */
static bool lt(const struct model *m, u32 a, float b)
{
    return negative(sub(m, a, bits(b)));
}

static bool eq(const struct model *m, u32 a, float b)
{
    return sub(m, a, bits(b)) == 0;
}

static bool gt(const struct model *m, u32 a, float b)
{
    const u32 d = sub(m, a, bits(b));
    return !negative(d) && d != 0;
}

static u32 flushed(u32 x)
{
    return (x & 0x7f800000u) == 0 ? x & SIGN : x;
}

static u32 setexp(u32 x, u32 exponent)
{
    return (x & 0x807fffffu) | (exponent & 255u) << 23;
}

static u32 leaky(const struct model *m, u32 x, u32 y)
{
    (void)y;
    return negative(x) ? mul(m, x, bits(0.1f)) : x;
}

static u32 steps(const struct model *m, u32 x, u32 y)
{
    (void)y;
    return gt(m, x, 2) ? ONE : lt(m, x, -2) ? bits(-1) : eq(m, x, 0.5f) ? bits(7) : 0;
}

static u32 polynomial3(const struct model *m, u32 x, u32 y)
{
    (void)y;
    u32 p = plus_mad(m, bits(2.3f), x, 0x3f56594bu);
    p = plus_mad(m, bits(-1.7f), x, p);
    return plus_mad(m, bits(0.3f), x, p);
}

static u32 products(const struct model *m, u32 x, u32 y)
{
    const u32 a = mad_less(m, x, y, x);
    const u32 b = less_mad(m, x, bits(0.3f), bits(1.5f));
    u32 c = less_mad(m, a, b, y);
    c = less_mad(m, x, y, c);
    return plus_mad(m, c, b, b);
}

static u32 deep(const struct model *m, u32 x, u32 y)
{
    (void)y;
    u32 r = 0;
    const bool enters[6] = {gt(m, x, -128), gt(m, x, -64), !lt(m, x, -8),
                            lt(m, x, 100),  lt(m, x, 50),  lt(m, x, 20)};
    unsigned level = 0;
    while (level < 6 && enters[level]) {
        r = add(m, r, ONE);
        level++;
    }
    if (level == 5) {
        return bits(30);
    }
    if (level == 6 && !gt(m, x, 8)) {
        r = add(m, r, ONE);
        r = gt(m, x, 1) ? r ^ SIGN : mul(m, r, bits(3));
    }
    return r;
}

static u32 exponents(const struct model *m, u32 x, u32 unused)
{
    (void)unused;
    const u32 e = orc_exexp(x, false);
    const u32 man = x & 0x7fffffu;
    u32 y = setexp(x, e + 127);
    y = setexp(y, ((y >> 23) & 255u) - 3);
    const u32 z = (x & 0xff800000u) | ((man ^ (man | 0x800000u)) & 0x7fffffu);
    return add(m, setexp(z, x >> 23), setexp(y, 130));
}

static u32 signs(const struct model *m, u32 x, u32 y)
{
    const u32 a = orc_abs_float(x);
    const u32 b = y | SIGN;
    u32 c = (a & ~SIGN) | (y & SIGN);
    if (negative(sub(m, b, a))) {
        c = (c & ~SIGN) | (x & SIGN);
    }
    return c ^ SIGN;
}

static u32 integers(const struct model *m, u32 i, u32 j)
{
    (void)m;
    u32 k = (i + j) ^ 0x12345u;
    k -= 77;
    k = (k & 0x7fffffffu) | (j - i);
    k += 5000;
    k = 9u - ~k;
    return orc_abs_int(0u - k) + 1u;
}

static u32 shifts(const struct model *m, u32 u, u32 y)
{
    (void)m;
    const u32 e = orc_exexp(y, false);
    u32 a = (u >> 7) ^ (u << 3);
    a ^= orc_shift(u, (int32_t)e, false);
    const u32 c = u >> (e & 15u);
    return (a ^ c) + (a >> 9);
}

static u32 logic(const struct model *m, u32 x, u32 y)
{
    (void)y;
    u32 r = (lt(m, x, 1) && gt(m, x, -1)) || eq(m, x, 4) ? ONE : 0;
    const bool either = !lt(m, x, 2) || !gt(m, x, -3);
    r = add(m, r, bits(either ? 16.0f : 2.0f));
    const bool all =
        x != 0 && (!gt(m, x, 0.25f) || gt(m, x, 0.75f)) && !(negative(x) && gt(m, x, -5));
    return add(m, r, bits(all ? 4.0f : 8.0f));
}

static u32 integer_tests(const struct model *m, u32 x, u32 y)
{
    (void)m;
    const int32_t e = (int32_t)orc_exexp(x, false);
    const int32_t f = (int32_t)orc_exexp(y, false);
    u32 r = 0;
    r += e < 3 ? 1 : 0;
    r += e >= -2 && f <= e ? 2 : 0;
    r |= e == f || 5 < f ? 4 : 0x10000;
    r += (e & 1) != 0 ? 8 : 0;
    if (e != 7 && f > 0) {
        r += 32;
        r += f <= 9 || e == 0 ? 64 : 0;
    }
    return r + (1u << 23);
}

/* As SFPSWAP has them. */
static u32 least(u32 a, u32 b)
{
    return orc_sm_less(b, a) ? b : a;
}

static u32 most(u32 a, u32 b)
{
    return orc_sm_less(a, b) ? b : a;
}

static u32 extremes(const struct model *m, u32 x, u32 y)
{
    const u32 first = least(x, y);
    const u32 second = most(x, bits(0.5f));
    u32 low = least(first, second);
    u32 high = most(first, second);
    const u32 z = least(most(y, bits(-2)), bits(3));
    if (!negative(z) && z != 0) {
        const u32 was = low;
        low = high;
        high = was;
    }
    return sub(m, add(m, flushed(low), z), high);
}

static u32 rounded(const struct model *m, unsigned kind, u32 x)
{
    return orc_stochrnd(m->bh, kind, 0, 0, 0, x);
}

static u32 conversions(const struct model *m, u32 x, u32 y)
{
    (void)y;
    const u32 a = orc_cast_sm32_fp32_rne(rounded(m, 7, x));
    const u32 b = rounded(m, 1, mul(m, x, bits(1.01f)));
    const u32 c = orc_cast_sm32_fp32_rne(rounded(m, 2, x));
    const int32_t e = (int32_t)orc_exexp(x, false);
    const u32 d = orc_cast_sm32_fp32_rne(e < 0 ? SIGN | (u32)-e : (u32)e);
    return sub(m, add(m, a, b), add(m, c, d));
}

static u32 lut8(const struct model *m, u32 v, bool retain)
{
    static const u32 table[] = {0x3dff, 0x21d8, 0xff10};
    const u32 b = v & ~SIGN;
    const u32 entry = table[b < ONE ? 0 : b < bits(2) ? 1 : 2];
    const u32 d = orc_fma(m->bh, orc_lut8(entry >> 8), b, orc_lut8(entry & 255));
    return retain ? (d & ~SIGN) | (v & SIGN) : d;
}

static u32 table8(const struct model *m, u32 x, u32 y)
{
    return add(m, lut8(m, x, true), lut8(m, y, false));
}

static u32 table16(const struct model *m, u32 x, u32 y)
{
    (void)y;
    static const u32 slope[] = {0x33d9, 0x32f4, 0x318a, 0x300a, 0x2a35, 0x7c00};
    static const u32 offset[] = {0x9018, 0x23c8, 0x2baa, 0x3027, 0x34cc, 0x37ff};
    static const float ends[] = {0.5f, 1.0f, 1.5f, 2.0f, 4.0f};
    const u32 b = x & ~SIGN;
    unsigned n = 0;
    while (n < 5 && b >= bits(ends[n])) {
        n++;
    }
    const u32 d = orc_fma(m->bh, orc_lut16(slope[n]), b, orc_lut16(offset[n]));
    return add(m, (d & ~SIGN) | (x & SIGN), bits(0.5f));
}

static u32 table3(const struct model *m, u32 x, u32 y)
{
    (void)y;
    static const u32 pairs[] = {0x3c003800, 0x34003555, 0xb8003a00};
    static const float a[] = {0.5f, 0.3f, -0.25f};
    static const float c[] = {1.0f, 2.0f, 0.1f};
    u32 b = x & ~SIGN;
    const u32 pair = pairs[b < ONE ? 0 : b < bits(2) ? 1 : 2];
    const u32 first = orc_fma(m->bh, orc_lut16(pair >> 16), b, orc_lut16(pair & 0xffff));
    b = first & ~SIGN;
    const unsigned n = b < ONE ? 0 : b < bits(2) ? 1 : 2;
    const u32 second = orc_fma(m->bh, bits(a[n]), b, bits(c[n]));
    return add(m, first, (second & ~SIGN) | (first & SIGN));
}

static u32 scaled(u32 x, u32 by)
{
    return ((x >> 23) & 255u) == 255u ? x : setexp(x, (x >> 23) + by);
}

static u32 fields(const struct model *m, u32 x, u32 y)
{
    (void)y;
    u32 a = scaled(x, 253);
    const u32 z = orc_lz(x << 1);
    const u32 n = orc_lz(x & ~SIGN);
    if (z == n) {
        a = (scaled(x, 2) & 0xff800000u) | 0x5a5u << 11;
    }
    return add(m, setexp(a, 127), orc_cast_sm32_fp32_rne(z - 1));
}

static u32 copies(const struct model *m, u32 x, u32 unused)
{
    (void)unused;
    u32 y = x;
    u32 half = bits(0.3f);
    u32 third = half;
    u32 branch = 0;
    if (lt(m, x, 1)) {
        y = add(m, y, x);
        half = y;
        branch = bits(2);
        if (lt(m, x, -1)) {
            x = third;
            third = add(m, third, ONE);
        }
    } else {
        branch = mul(m, half, y);
    }
    return plus_mad(m, add(m, add(m, x, y), half), third, branch);
}

static u32 constants(const struct model *m, u32 x, u32 unused)
{
    (void)unused;
    u32 y = mad(m, x, bits(0.7f), ONE);
    y = mad(m, y, 0x3f56594bu, bits(-1));
    y = mad(m, 0x4b400000u, bits(1.25f), y);
    return m->lane >= 16 ? bits(1.25f) : y; /* L15 is twice the lane */
}

static u32 blocks(const struct model *m, u32 x, u32 y)
{
    (void)y;
    const bool positive = !negative(x) && x != 0;
    return lt(m, x, -4) ? ONE : !positive || gt(m, x, 6) ? bits(positive ? 3.0f : 2.0f) : x;
}

/* Of two products in a sum the left one is taken in. */
static u32 many(const struct model *m, u32 x, u32 y)
{
    (void)y;
    static const float factors[] = {0.11f, 0.22f, 0.33f, 0.44f, 0.55f, 0.66f,
                                    0.77f, 0.88f, 0.11f, 0.22f, 0.33f, 0.44f};
    u32 s = x;
    for (unsigned n = 0; n < 12; n += 2) {
        s = mad(m, s, bits(factors[n]), mul(m, bits(factors[n + 1]), x));
    }
    return s;
}

static u32 kinds(const struct model *m, u32 x, u32 y)
{
    const u32 magnitude = x & ~SIGN;
    const u32 r = magnitude > 0x7f800000u    ? bits(1)
                  : magnitude == 0x7f800000u ? bits(2)
                  : magnitude == 0           ? bits(3)
                  : negative(x)              ? bits(4)
                                             : 0;
    return (y & 0x7f800000u) != 0x7f800000u ? add(m, r, ONE) : r;
}

static u32 mixed(u32 r, u32 next)
{
    return (r << 3) ^ (r >> 29) ^ next;
}

static u32 more_kinds(const struct model *m, u32 x, u32 y)
{
    const u32 exponent = x >> 23 & 255u;
    const bool subnormal = exponent == 0 && (x & 0x7fffffu) != 0;
    u32 r = exponent != 0 && exponent != 255 ? ONE : subnormal ? bits(2) : 0;
    r |= (y >> 16 & 1) != 0 ? SIGN : 0;
    const u32 clamped = least(orc_abs_float(y), bits(3)); /* SFPABS leaves NaNs as they are */
    return add(m, add(m, r, (clamped & ~SIGN) | (y & SIGN)), negative(x) ? 0 : x);
}

static u32 limits(const struct model *m, u32 u, u32 y)
{
    (void)m;
    (void)y;
    const u32 low = 0x3f900000u;
    const u32 high = 0xc1230000u;
    const u32 c = u < high ? u : high;
    const u32 d = u > high ? u : high;
    const u32 inside = u < 77 ? 77 : u > 0x90000000u ? 0x90000000u : u;
    return mixed(mixed(u < low ? u : low, u > low ? u : low), mixed(mixed(c, d), inside));
}

static u32 nearest(const struct model *m, u32 x, u32 y)
{
    (void)y;
    const u32 magic = bits(12582912.0f);
    const u32 moved = add(m, x, magic);
    return mixed(sub(m, moved, magic), moved - magic);
}

static u32 draws(const struct model *m, u32 x, u32 y)
{
    (void)y;
    const u32 first = draw(m);
    return mixed(mixed(first, draw(m)), x);
}

/* SFPSTOCHRND of a kind steps the generator whatever it rounds to. */
static u32 stochrnd(const struct model *m, unsigned kind, unsigned mode, u32 by, u32 x)
{
    return orc_stochrnd(m->bh, kind, mode, draw(m), by, x);
}

static u32 stochastic(const struct model *m, u32 x, u32 y)
{
    (void)y;
    static const unsigned kinds[] = {0, 2, 3, 6, 7};
    x = mul(m, x, bits(1.01f));
    u32 r = stochrnd(m, 1, 1, 0, x);
    for (unsigned i = 0; i < 5; i++) {
        r = mixed(r, stochrnd(m, kinds[i], 1, 0, x));
    }
    r = mixed(r, orc_cast_sm32_fp32_stoch(x, draw(m)));
    return mixed(r, stochrnd(m, 1, 0, 0, x));
}

static u32 descaled(const struct model *m, u32 x, u32 y)
{
    const u32 by = y >> 16 & 31u;
    u32 r = stochrnd(m, 4, 0, by, x);
    r = mixed(r, stochrnd(m, 5, 1, by, x));
    r = mixed(r, stochrnd(m, 4, 1, by, x));
    r = mixed(r, stochrnd(m, 5, 0, 23, x));
    return mixed(r, stochrnd(m, 4, 1, 22, x));
}

/* Rows of eight lanes; the first one gets the last one's, of a shift on Blackhole 0. */
static u32 shuffles(const struct model *m, u32 x, u32 y)
{
    (void)x;
    (void)y;
    const unsigned first = m->lane & ~7u;
    const u32 turned = m->row[m->lane == first ? first + 7 : m->lane - 1];
    return mixed(turned, m->lane == first && m->bh != 0 ? 0 : turned);
}

static u32 approximations(const struct model *m, u32 x, u32 y)
{
    (void)m;
    u32 r = orc_arecip(0, 0, x);
    r = mixed(r, orc_arecip(2, 0, y));
    r = mixed(r, orc_arecip(1, x, x));
    return mixed(r, orc_arecip(0, 0, y));
}

static u32 halves(const struct model *m, u32 x, u32 y)
{
    const uint64_t a = mul(m, x, bits(1.7f)) & 0x7fffffu;
    const uint64_t b = (y - 12345u) & 0x7fffffu;
    const u32 r = mixed((u32)(a * b >> 23), (u32)(a * b & 0x7fffffu));
    return mixed(r, (u32)(b * b >> 23));
}

static u32 toward_zero(const struct model *m, u32 x, u32 y)
{
    (void)y;
    x = mul(m, x, bits(1.01f));
    const u32 r = stochrnd(m, 1, 2, 0, x);
    return mixed(r, stochrnd(m, 7, 2, 0, x));
}

static const struct {
    const char *name;
    u32 (*f)(const struct model *m, u32 x, u32 y);
    bool fuses; /* has a product that one of its sums takes in */
    bool bh;    /* Blackhole alone */
} functions[] = {
    {"leaky", leaky, false, false},
    {"steps", steps, false, false},
    {"polynomial3", polynomial3, true, false},
    {"products", products, true, false},
    {"deep", deep, false, false},
    {"exponents", exponents, false, false},
    {"signs", signs, false, false},
    {"integers", integers, false, false},
    {"shifts", shifts, false, false},
    {"logic", logic, false, false},
    {"integer_tests", integer_tests, false, false},
    {"extremes", extremes, false, false},
    {"conversions", conversions, false, false},
    {"table8", table8, false, false},
    {"table16", table16, false, false},
    {"table3", table3, false, false},
    {"fields", fields, false, false},
    {"copies", copies, true, false},
    {"constants", constants, true, false},
    {"blocks", blocks, false, false},
    {"many", many, true, false},
    {"kinds", kinds, false, false},
    {"more_kinds", more_kinds, false, false},
    {"limits", limits, false, false},
    {"nearest", nearest, false, false},
    {"draws", draws, false, false},
    {"stochastic", stochastic, false, false},
    {"descaled", descaled, false, false},
    {"shuffles", shuffles, false, false},
    {"approximations", approximations, false, true},
    {"halves", halves, false, true},
    {"toward_zero", toward_zero, false, true},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static struct tx_program *recorded(const char *folder, unsigned n, bool fuse)
{
    char path[300];
    char text[400000];
    snprintf(path, sizeof path, "%s/%s-%s.s", folder, functions[n].name, fuse ? "mad" : "none");
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t size = fread(text, 1, sizeof text, file);
    assert_true(size > 0 && size < sizeof text);
    fclose(file);
    unlink(path);
    struct tx_program *program = NULL;
    struct tx_diag diag;
    if (tx_assemble(text, size, NULL, &program, &diag) != TX_OK) {
        fail_msg("%s: %s", path, diag.message);
    }
    return program;
}

static u32 pattern(u32 index)
{
    return (index & 0xffffu) << 16;
}

/* The second input of an element: every pattern comes up, beside another first one. */
static u32 partner(u32 index)
{
    return pattern(index * 40503u + 12345u);
}

static void compare_row(unsigned n, struct model *m, unsigned row, const u32 *const inputs[2],
                        const u32 out[1024])
{
    u32 first[32];
    unsigned at[32];
    for (unsigned lane = 0; lane < 32; lane++) {
        const struct tx_dst_place place = tx_dst_place(2 * row, lane);
        at[lane] = tx_tile_element(place.row, place.column);
        first[lane] = inputs[0][at[lane]];
    }
    m->row = first;
    for (m->lane = 0; m->lane < 32; m->lane++) {
        const u32 x = first[m->lane];
        const u32 y = inputs[1][at[m->lane]];
        const u32 expected = flushed(functions[n].f(m, x, y));
        if (out[at[m->lane]] != expected) {
            fail_msg("%s %s, %s: f(%08x, %08x) in lane %u is %08x, expected %08x",
                     m->bh ? "bh" : "wh", m->mad ? "mad" : "none", functions[n].name, x, y, m->lane,
                     out[at[m->lane]], expected);
        }
    }
}

static void compare(unsigned n, struct model m, struct tx_program *program)
{
    struct tx_settings settings;
    tx_settings_default(&settings, m.bh ? TX_BLACKHOLE : TX_WORMHOLE);
    struct tx_kernel_options options;
    tx_kernel_options_default(&options);
    options.dst = TX_DST_FORMAT_FP32;
    tx_kernel *kernel = NULL;
    assert_int_equal(tx_kernel_open(&settings, program, &options, &kernel), TX_OK);
    assert_int_equal(tx_kernel_start(kernel), TX_OK);
    for (u32 tile = 0; tile < 64; tile++) {
        static u32 first[1024], second[1024], out[1024], random[32];
        const u32 *inputs[] = {first, second};
        for (u32 i = 0; i < 1024; i++) {
            first[i] = pattern(1024 * tile + i);
            second[i] = partner(1024 * tile + i);
        }
        assert_int_equal(tx_kernel_tile(kernel, tile, inputs, out), TX_OK);
        orc_prng_seed(tx_kernel_tile_seed(options.seed, tile), random);
        m.random = random;
        for (unsigned row = 0; row < 32; row++) {
            compare_row(n, &m, row, inputs, out);
        }
    }
    assert_int_equal(tx_finding_count(tx_kernel_machine(kernel)), 0);
    tx_kernel_close(kernel);
}

static bool same_words(const struct tx_program *a, const struct tx_program *b)
{
    return tx_program_count(a, TX_SECTION_TILE) == tx_program_count(b, TX_SECTION_TILE) &&
           memcmp(tx_program_words(a, TX_SECTION_TILE), tx_program_words(b, TX_SECTION_TILE),
                  tx_program_count(a, TX_SECTION_TILE) * sizeof(u32)) == 0;
}

static void test_chip(int bh)
{
    char folder[] = "/tmp/tensix-sfpi-XXXXXX";
    char command[600];
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command, "%s/tests/record/sfpi_functions_%s %s", TX_BINARY_DIR,
             bh ? "bh" : "wh", folder);
    if (access(TX_BINARY_DIR "/tests/record/sfpi_functions_bh", X_OK) != 0) {
        rmdir(folder);
        skip(); /* there is no C++ compiler */
    }
    assert_int_equal(system(command), 0);
    for (unsigned n = 0; n < FUNCTIONS; n++) {
        if (functions[n].bh && bh == 0) {
            continue;
        }
        struct tx_program *fused = recorded(folder, n, true);
        struct tx_program *plain = recorded(folder, n, false);
        compare(n, (struct model){.bh = bh, .mad = true}, fused);
        compare(n, (struct model){.bh = bh, .mad = false}, plain);
        if (same_words(fused, plain) == functions[n].fuses) {
            fail_msg("%s: multiply-adds where there should be none, or none", functions[n].name);
        }
        tx_program_free(fused);
        tx_program_free(plain);
    }
    assert_int_equal(rmdir(folder), 0);
}

static void test_chips(void **unused)
{
    (void)unused;
    test_chip(1);
    test_chip(0);
}

/* Where rounding once and twice part, the two recordings must: else neither setting is tested. */
static void test_fuse_matters(void **unused)
{
    (void)unused;
    for (int bh = 0; bh < 2; bh++) {
        for (unsigned n = 0; n < FUNCTIONS; n++) {
            u32 row[32] = {0}, one[32] = {0}, other[32] = {0};
            const struct model fused = {.bh = bh, .mad = true, .row = row, .random = one};
            const struct model plain = {.bh = bh, .mad = false, .row = row, .random = other};
            unsigned differ = 0;
            for (u32 i = 0; i < 65536; i++) {
                differ += functions[n].f(&fused, pattern(i), partner(i)) !=
                          functions[n].f(&plain, pattern(i), partner(i));
            }
            assert_int_equal(differ > 0, functions[n].fuses);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fuse_matters),
                                       cmocka_unit_test(test_chips)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
