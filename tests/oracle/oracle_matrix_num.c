/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of the Matrix Unit from the text of spec/matrix-unit.md section 6, with divisions. */
#include "oracle_matrix.h"

static int64_t power(int64_t n)
{
    return (int64_t)1 << n;
}

/* The largest integer not above n / d, d > 0. */
static int64_t floor_div(int64_t n, int64_t d)
{
    const int64_t q = n / d;
    return n % d < 0 ? q - 1 : q;
}

/* FH: the nearest integer to v / 2^d, halves up. */
static int64_t nearest_up(int64_t v, int64_t d)
{
    return floor_div(2 * v + power(d), power(d + 1));
}

/* AW: the same, halves away from zero. */
static int64_t nearest_away(int64_t v, int64_t d)
{
    return v < 0 ? -nearest_up(-v, d) : nearest_up(v, d);
}

static int64_t larger(int64_t x, int64_t y)
{
    return x > y ? x : y;
}

/* 6.1 */
static int64_t product_bias(const struct orc_sum *k)
{
    int64_t bias;
    if (k->eight) {
        bias = -127;
    } else {
        bias = k->wide ? 97 : -15;
    }
    if (k->phase % 2 == 1) {
        bias -= 5;
    }
    if (k->phase / 2 == 1) {
        bias -= 7;
    }
    return bias;
}

static struct orc_term product(const struct orc_sum *k, struct orc_float a, struct orc_float b)
{
    struct orc_term p = {larger(product_bias(k), 0), 0};
    if (a.zero || b.zero) {
        return p;
    }
    /* mantissa bits 9..6 below a one, or 5..1; bits 9..4 below a one, or 3..0 with three zeros */
    const int64_t a5 = k->phase % 2 == 1 ? a.f % 64 / 2 : 16 + a.f / 64;
    const int64_t b7 = k->phase / 2 == 1 ? b.f % 16 * 8 : 64 + b.f / 16;
    p.e = a.e + b.e + product_bias(k);
    p.m = a.s == b.s ? a5 * b7 : -a5 * b7;
    return p;
}

/* 6.2 */
struct orc_term orc_group(const struct orc_sum *k, const struct orc_float *a,
                          const struct orc_float *b)
{
    struct orc_term p[8];
    struct orc_term g = {0, 0};
    int64_t top = -10000;
    for (int i = 0; i < 8; i++) {
        p[i] = product(k, a[i], b[i]);
        top = larger(top, p[i].e);
    }
    if (top <= 0) {
        return g;
    }
    for (int i = 0; i < 8; i++) {
        const int64_t d = top - p[i].e;
        g.m += nearest_away(p[i].m, d < 30 ? d : 30);
    }
    g.e = top;
    g.m *= 8192;
    return g;
}

struct orc_term orc_times(const struct orc_sum *k, struct orc_float a, struct orc_float b)
{
    struct orc_term t = product(k, a, b);
    if (t.e <= 0) {
        t.e = larger(product_bias(k), 0);
        t.m = 0;
    }
    t.m *= 8192;
    return t;
}

struct orc_term orc_plus(const struct orc_sum *k, struct orc_float a, struct orc_float b)
{
    if (a.zero) {
        a.e = a.f = 0;
        a.s = false;
    }
    if (b.zero) {
        b.e = b.f = 0;
        b.s = false;
    }
    if (a.e * 1024 + a.f < b.e * 1024 + b.f) {
        const struct orc_float swap = a;
        a = b;
        b = swap;
    }
    const int64_t ma = a.zero ? 0 : 1024 + a.f;
    const int64_t mb = b.zero ? 0 : 1024 + b.f;
    const int64_t d = a.e - b.e;
    const int64_t mb2 = d < 12 ? nearest_away(mb, d) : 0;
    const int64_t sum = (a.s ? -ma : ma) + (b.s ? -mb2 : mb2);
    struct orc_term t = {a.e, sum * 8192};
    if (k->wide && !k->eight) {
        t.e = a.e != 0 ? a.e + 112 : 97;
    }
    if (sum != 0 && k->phase % 2 == 1) { /* 7.3 */
        t.e -= 5;
    }
    if (sum != 0 && k->phase / 2 == 1) {
        t.e -= 7;
    }
    return t;
}

/* 6.3, the result of an exact sum in units of 2^(x - 23) */
static struct orc_dst rounded(const struct orc_sum *k, int64_t x, int64_t t)
{
    const int64_t keep = k->wide ? 23 : k->eight ? 7 : 10;
    struct orc_dst r = {false, 0, 0};
    if (t == 0) {
        return r;
    }
    const int64_t size = t < 0 ? -t : t;
    int64_t n = 0, significand;
    while (power(n + 1) <= size) {
        n++;
    }
    int64_t e = x + n - 23;
    if (n > keep) {
        significand = (size + power(n - keep - 1)) / power(n - keep);
        if (significand == power(keep + 1)) {
            significand = power(keep);
            e++;
        }
    } else {
        significand = size * power(keep - n);
    }
    if (k->forget && k->wide && t == -1) { /* 6.4 */
        e = x + 4;
        significand = power(keep);
    }
    if (e <= 0) {
        return r;
    }
    r.s = t < 0;
    r.e = e;
    r.f = significand - power(keep);
    if (k->eight || k->wide) {
        if (e >= 255) {
            r.e = 255;
            r.f = 0;
        }
    } else if (e >= 32) {
        r.e = 31;
        r.f = 1023;
    }
    return r;
}

struct orc_dst orc_accumulate(const struct orc_sum *k, struct orc_term g0, struct orc_term g1,
                              struct orc_dst old)
{
    const int64_t keep = k->wide ? 23 : k->eight ? 7 : 10;
    const struct orc_dst zero = {false, 0, 0};
    int64_t md = old.e == 0 ? 0 : (power(keep) + old.f) * power(23 - keep);
    if (old.s) {
        md = -md;
    }
    const int64_t x = larger(larger(g0.e, g1.e), old.e);
    if (x <= 0) {
        return zero;
    }
    int64_t m0 = x - g0.e >= 31 ? 0 : nearest_up(g0.m, x - g0.e);
    int64_t m1 = x - g1.e >= 31 ? 0 : nearest_up(g1.m, x - g1.e);
    md = x - old.e >= 31 ? 0 : nearest_away(md, x - old.e);
    if (!k->wide) {
        m0 = nearest_up(m0, 13) * 8192;
        m1 = nearest_up(m1, 13) * 8192;
        md = nearest_away(md, 13) * 8192;
    }
    return rounded(k, x, m0 + m1 + md);
}
