/* SPDX-License-Identifier: Apache-2.0 */
/* The Matrix Unit's instructions from the text of spec/matrix-unit.md, in its order. */
#include "oracle_matrix_inner.h"

#include "oracle_num.h"

#include <string.h>

/* ---- section 2: configuration ---- */

bool orm_in_eight(unsigned format)
{
    static const char eight[] = {0, 4, 5, 6, 7, 8, 9, 15};
    return memchr(eight, (int)format, sizeof eight) != NULL;
}

static unsigned implied_of(const struct orc_matrix *s, unsigned x)
{
    const unsigned bank = s->bank[x];
    if (s->owner[x][bank] == 0 && !s->other.unowned_record) {
        return bits(s->thread[4], 4, 1); /* M6 */
    }
    return s->implied[x][bank];
}

void orm_look(struct seen *v, struct orc_matrix *s, enum implied from)
{
    v->s = s;
    v->f32 = bits(s->config[1], 29, 29) != 0;
    v->i8 = bits(s->config[1], 31, 31) != 0;
    v->zfd = bits(s->config[2], 0, 0) != 0;
    v->fa = (s->thread[s->bh ? 55 : 56] & 1) != 0;
    v->phase = (s->fidelity + bits(s->thread[s->bh ? 11 : 6], 1, 0)) % 4;
    v->fmt[0] =
        bits(s->config[0], 4, 4) != 0 ? bits(s->config[0], 3, 0) : bits(s->config[1], 20, 17);
    v->fmt[1] =
        bits(s->config[0], 9, 9) != 0 ? bits(s->config[0], 8, 5) : bits(s->config[1], 24, 21);
    if (s->bh) {
        const bool off_a = (s->thread[2] & 1) != 0;
        const bool off_b = (s->thread[3] & 1) != 0;
        if ((from == BOTH || from == A_ONLY) && !off_a) {
            v->fmt[0] = implied_of(s, 0);
        }
        if (from == B_FOR_BOTH && !off_a) {
            v->fmt[0] = implied_of(s, 1);
        }
        if (from == D2B && !(s->other.movd2b_srcb ? off_b : off_a)) {
            v->fmt[0] = implied_of(s, 1);
        }
        if (from != A_ONLY && !off_b) {
            v->fmt[1] = implied_of(s, 1);
        }
    }
    if (v->fa) {
        v->style = ORC_FP16;
    } else if (v->i8) {
        v->style = ORC_INT8;
    } else if (v->fmt[0] == 4) {
        v->style = ORC_TF32;
    } else {
        v->style = orm_in_eight(v->fmt[0]) ? ORC_BF16 : ORC_FP16;
    }
    v->wide = !v->fa && (v->f32 || v->i8);
}

enum orc_style orc_matrix_style(const struct orc_matrix *s, bool *wide)
{
    struct seen v;
    orm_look(&v, (struct orc_matrix *)s, BOTH);
    *wide = v.wide;
    return v.style;
}

/* ---- section 3: counters and banks ---- */

void orm_flip(struct orc_matrix *s, uint32_t word)
{
    for (unsigned x = 0; x < 2; x++) {
        if (bits(word, 22 + x, 22 + x) != 0) {
            if (bits(s->thread[s->bh ? 7 : 5], x, x) == 0) {
                s->owner[x][s->bank[x]] = 0;
            }
            s->bank[x] = 1 - s->bank[x];
        }
    }
}

static void count_src(struct orc_counter *c, uint32_t incr, uint32_t cr, uint32_t clear)
{
    if (clear != 0) {
        c->now = c->cr = 0;
    } else if (cr != 0) {
        c->now = c->cr = (c->cr + incr) % 64;
    } else {
        c->now = (c->now + incr) % 64;
    }
}

static void apply_addr_mod(struct orc_matrix *s, unsigned i)
{
    if (!s->bh && (s->extra != 0 || (s->thread[2] & 1) != 0)) {
        i += 4;
    }
    const uint32_t ab = s->thread[s->bh ? 12 + i : 7 + 2 * i];
    const uint32_t ds = s->thread[s->bh ? 28 + i : 23 + i];
    const uint32_t bi = s->thread[s->bh ? 47 + i : 48 + i];
    count_src(&s->a, bits(ab, 5, 0), bits(ab, 6, 6), bits(ab, 7, 7));
    count_src(&s->b, bits(ab, 13, 8), bits(ab, 14, 14), bits(ab, 15, 15));
    if (bits(ds, 11, 11) != 0) {
        s->d.now = s->d.cr = 0;
    } else if (bits(ds, 12, 12) != 0) {
        s->d.now = s->d.cr = (s->d.now + bits(ds, 9, 0)) % 1024;
    } else if (bits(ds, 10, 10) != 0) {
        s->d.now = s->d.cr = (s->d.cr + bits(ds, 9, 0)) % 1024;
    } else {
        s->d.now = (s->d.now + bits(ds, 9, 0)) % 1024;
    }
    s->fidelity = bits(ds, 15, 15) != 0 ? 0 : (s->fidelity + bits(ds, 14, 13)) % 4;
    if (bits(bi, 4, 4) != 0) {
        s->extra = 0;
    } else if (bits(bi, 1, 0) != 0) {
        s->extra = 1 - s->extra;
    }
}

/* AddrMod in two bits at 15 on Wormhole, in three from `at` on Blackhole. */
void orm_addr_mod(struct orc_matrix *s, uint32_t word, unsigned at)
{
    apply_addr_mod(s, s->bh ? bits(word, at + 2, at) : bits(word, 16, 15));
}

/* ---- Dst ---- */

unsigned orm_drow(const struct orc_matrix *s, uint32_t word)
{
    return (bits(word, 9, 0) + bits(s->thread[1], 11, 0) + s->d.now + s->config[6]) % 1024;
}

unsigned orm_place(const struct orc_matrix *s, unsigned row, bool wide)
{
    const bool access = s->bh && !s->other.rows_plain;
    const bool swizzle = access && bits(s->config[220], 0, 0) != 0;
    const bool remap = access && bits(s->config[220], 1, 1) != 0;
    return wide || s->debug_high != 0 ? orc_adj32(row, remap, swizzle) : orc_adj16(row, remap);
}

/* A cell of the view as stored: 32 bits are high . low. */
uint32_t orm_get(const struct orc_matrix *s, unsigned row, unsigned column, bool wide,
                 uint32_t invalid)
{
    const unsigned at = orm_place(s, row, wide);
    if (!s->valid[at]) {
        return invalid;
    }
    return wide ? s->dst[at][column] * 65536u + s->dst[at + 8][column] : s->dst[at][column];
}

void orm_put(struct orc_matrix *s, unsigned row, unsigned column, bool wide, uint32_t cell)
{
    const unsigned at = orm_place(s, row, wide);
    s->dst_touched[at] = 1;
    if (wide) {
        s->dst[at][column] = cell / 65536u;
        s->dst[at + 8][column] = cell % 65536u;
        s->dst_touched[at + 8] = 1;
    } else {
        s->dst[at][column] = cell;
    }
}

void orm_now_valid(struct orc_matrix *s, unsigned row, bool wide)
{
    const unsigned at = orm_place(s, row, wide);
    s->valid[at] = true;
    s->dst_touched[at] = 1;
}

/* Dst values by their fields (F C.2): in 16 bits mantissa before exponent, 32 bits likewise in the
 * upper half. */
static struct orc_dst fields(const struct seen *v, uint32_t cell)
{
    struct orc_dst d;
    if (v->wide) {
        d.s = bits(cell, 31, 31) != 0;
        d.e = bits(cell, 23, 16);
        d.f = bits(cell, 30, 24) * 65536 + bits(cell, 15, 0);
    } else if (v->style == ORC_FP16) {
        d.s = bits(cell, 15, 15) != 0;
        d.e = bits(cell, 4, 0);
        d.f = bits(cell, 14, 5);
    } else {
        d.s = bits(cell, 15, 15) != 0;
        d.e = bits(cell, 7, 0);
        d.f = bits(cell, 14, 8);
    }
    return d;
}

static uint32_t cell_of(const struct seen *v, struct orc_dst d)
{
    const uint32_t s = d.s ? 1 : 0;
    const uint32_t e = (uint32_t)d.e;
    const uint32_t f = (uint32_t)d.f;
    if (v->wide) {
        return s * 0x80000000u + f / 65536 * 0x1000000u + e * 65536 + f % 65536;
    }
    return v->style == ORC_FP16 ? s * 32768 + f * 32 + e : s * 32768 + f * 256 + e;
}

/* ---- 5.3, 5.4: operands ---- */

uint32_t orm_truncated(const struct seen *v, unsigned x, uint32_t cell)
{
    const uint32_t s = bits(cell, 18, 18), m = bits(cell, 17, 8), e = bits(cell, 7, 0);
    if (v->s->bh && !v->s->other.truncate_both) {
        return cell;
    }
    switch (v->fmt[x]) {
    case 1:
    case 10:
    case 2:
    case 14:
        return s * 262144 + m * 256 + e % 32;
    case 3:
    case 11:
        return s * 262144 + m / 8 * 8 * 256 + e % 32;
    case 4:
        return cell;
    default:
        return s * 262144 + m / 8 * 8 * 256 + e;
    }
}

static struct orc_float operand(const struct seen *v, unsigned x, uint32_t cell, bool sum)
{
    const uint32_t c = orm_truncated(v, x, cell);
    struct orc_float o = {false, bits(c, 18, 18) != 0, bits(c, 7, 0), bits(c, 17, 8)};
    if (v->style == ORC_FP16) {
        o.e %= 32;
    }
    const bool kept = x == 1 && v->zfd && !v->s->other.zero_flag_flush && !(sum && c == 0);
    o.zero = o.e == 0 && !kept;
    return o;
}

/* 7.4 */
static int64_t integer(const struct seen *v, unsigned x, uint32_t cell, uint32_t mask)
{
    if (bits(cell, 7, 0) == 0 && !(x == 1 && v->zfd)) {
        return 0;
    }
    const int64_t magnitude = bits(cell, 17, 8) & mask;
    return bits(cell, 18, 18) != 0 ? -magnitude : magnitude;
}

static uint32_t saturated(int64_t old_plus)
{
    const int64_t most = 2147483647;
    if (old_plus > most) {
        return 0x7FFFFFFFu;
    }
    if (old_plus < -most) {
        return 0xFFFFFFFFu;
    }
    return old_plus < 0 ? 0x80000000u + (uint32_t)-old_plus : (uint32_t)old_plus;
}

/* Sign-magnitude out of and into a 32-bit cell, which is shuffled as FP32 is. */
static int64_t integer_dst(const struct seen *v, uint32_t cell)
{
    const struct orc_dst d = fields(v, cell);
    const int64_t magnitude = d.e * 8388608 + d.f;
    return d.s ? -magnitude : magnitude;
}

static uint32_t integer_cell(const struct seen *v, uint32_t word)
{
    const struct orc_dst d = {bits(word, 31, 31) != 0, bits(word, 30, 23), bits(word, 22, 0)};
    return cell_of(v, d);
}

/* ---- 7.1 to 7.4 ---- */

enum what { PRODUCTS, MULTIPLY, ADD, SUBTRACT };

struct rows {
    enum what what;
    unsigned ar, br, dr, count, step;
    bool one_b, column0, accumulate;
};

static uint32_t float_result(const struct seen *v, const struct rows *r, unsigned i, unsigned j,
                             uint32_t old)
{
    const struct orc_matrix *s = v->s;
    uint32_t(*a)[16] = v->s->src[0][s->bank[0]];
    const uint32_t *b = v->s->src[1][s->bank[1]][(r->br + (r->one_b ? 0 : i)) % 64];
    const bool sum = r->what == ADD || r->what == SUBTRACT;
    const struct orc_sum k = {v->wide, v->style == ORC_BF16 || v->style == ORC_TF32, !s->bh,
                              sum && s->other.phase_ignored ? 0 : v->phase};
    struct orc_term g0, g1 = {0, 0};
    if (r->what == PRODUCTS) {
        struct orc_float x[16], y[16];
        for (unsigned n = 0; n < 16; n++) {
            x[n] = operand(v, 0, a[(r->ar + n) % 64][j], false);
            y[n] = operand(v, 1, b[n], false);
        }
        g0 = orc_group(&k, x, y);
        g1 = orc_group(&k, x + 8, y + 8);
    } else {
        const struct orc_float x = operand(v, 0, a[(r->ar + i) % 64][j], sum);
        const uint32_t inverted = r->what == SUBTRACT ? 0x40000u : 0; /* first of all, 6.2 */
        const struct orc_float y = operand(v, 1, b[r->column0 ? 0 : j] ^ inverted, sum);
        g0 = r->what == MULTIPLY ? orc_times(&k, x, y) : orc_plus(&k, x, y);
    }
    return cell_of(v, orc_accumulate(&k, g0, g1, fields(v, old)));
}

static uint32_t integer_result(const struct seen *v, const struct rows *r, unsigned i, unsigned j,
                               uint32_t old)
{
    uint32_t(*a)[16] = v->s->src[0][v->s->bank[0]];
    const uint32_t *b = v->s->src[1][v->s->bank[1]][(r->br + (r->one_b ? 0 : i)) % 64];
    const bool product = r->what == PRODUCTS || r->what == MULTIPLY;
    const uint32_t mask_a = !product ? 0x3FF : v->phase % 2 == 1 ? 0x1F : 0xE0;
    const uint32_t mask_b = !product ? 0x3FF : v->phase / 2 == 1 ? 0xF : 0x3F0;
    int64_t sum = 0;
    if (r->what == PRODUCTS) {
        for (unsigned n = 0; n < 16; n++) {
            sum += integer(v, 0, a[(r->ar + n) % 64][j], mask_a) * integer(v, 1, b[n], mask_b);
        }
    } else {
        const int64_t x = integer(v, 0, a[(r->ar + i) % 64][j], mask_a);
        const int64_t y = integer(v, 1, b[r->column0 ? 0 : j], mask_b);
        sum = r->what == MULTIPLY ? x * y : r->what == ADD ? x + y : x - y;
    }
    return integer_cell(v, saturated(integer_dst(v, old) + sum));
}

static void arithmetic(const struct seen *v, const struct rows *r)
{
    struct orc_matrix *s = v->s;
    for (unsigned i = 0; i < r->count; i += r->step) {
        for (unsigned j = 0; j < 16; j++) {
            const uint32_t old = r->accumulate ? orm_get(s, r->dr + i, j, v->wide, 0) : 0;
            orm_put(s, r->dr + i, j, v->wide,
                    v->style == ORC_INT8 ? integer_result(v, r, i, j, old)
                                         : float_result(v, r, i, j, old));
        }
        orm_now_valid(s, r->dr + i, v->wide);
    }
    s->last_a = r->ar;
}

static void matrix_product(struct orc_matrix *s, uint32_t word, unsigned op)
{
    struct seen v;
    orm_look(&v, s, BOTH);
    const bool one = op == 0x26 && bits(word, 19, 19) != 0;
    struct rows r = {.what = PRODUCTS,
                     .ar = s->a.now & 0x38,
                     .br = s->b.now & (one ? 0x3F : 0x38),
                     .dr = orm_drow(s, word) & (op == 0x34 ? 0x3FC
                                                : one      ? 0x3F9
                                                           : 0x3F8),
                     .count = op == 0x34 ? 4 : 8,
                     .step = one ? 2 : 1,
                     .one_b = one,
                     .accumulate = true};
    arithmetic(&v, &r);
    orm_flip(s, word);
    orm_addr_mod(s, word, op == 0x34 ? 15 : 14);
}

static void elementwise(struct orc_matrix *s, uint32_t word, unsigned op)
{
    struct seen v;
    orm_look(&v, s, BOTH);
    const bool one = bits(word, 20, 20) != 0;
    struct rows r = {.what = op == 0x27   ? MULTIPLY
                             : op == 0x28 ? ADD
                                          : SUBTRACT,
                     .ar = s->a.now & 0x38,
                     .br = s->b.now & (one ? 0x3F : 0x38),
                     .dr = orm_drow(s, word) & 0x3F8,
                     .count = 8,
                     .step = 1,
                     .one_b = one,
                     .column0 = bits(word, 19, 19) != 0,
                     .accumulate = op == 0x27 || bits(word, 21, 21) != 0};
    arithmetic(&v, &r);
    orm_flip(s, word);
    orm_addr_mod(s, word, 14);
}

/* ---- 7.5 ---- */

enum datum { D_FP16, D_BF16, D_TF32, D_INT32 };

struct ordered {
    uint32_t s;
    int64_t x, f;
};

static int64_t cmp(struct ordered d)
{
    const int64_t size = d.x * 1024 + d.f;
    return d.s != 0 ? -size : size;
}

static enum datum datum_of(const struct seen *v, bool argmax)
{
    if (v->fa) {
        return D_FP16;
    }
    if (v->style == ORC_INT8) {
        return D_INT32;
    }
    if (v->style == ORC_TF32) {
        return argmax ? D_INT32 : v->wide ? D_TF32 : D_BF16;
    }
    if (v->wide && !argmax) {
        return D_TF32;
    }
    return v->style == ORC_FP16 ? D_FP16 : D_BF16;
}

static struct ordered start(enum datum t, uint32_t w)
{
    struct ordered d = {bits(w, 31, 31), 0, 0};
    if (t == D_INT32) {
        d.f = bits(w, 9, 0);
        d.x = bits(w, 26, 24) * 64 + bits(w, 15, 10);
    } else if (t == D_FP16) {
        d.x = bits(w, 20, 16) + 15;
        d.f = bits(w, 30, 21);
    } else {
        d.x = bits(w, 23, 16) + 127;
        d.f = bits(w, 30, 24) * 8 + (t == D_TF32 ? bits(w, 15, 13) : 0);
    }
    return d;
}

static uint32_t finish(enum datum t, struct ordered d)
{
    const uint32_t s = d.s * 0x80000000u;
    const uint32_t f = (uint32_t)d.f;
    if (t == D_INT32) {
        return s + (uint32_t)(d.x % 8) * 1024 + f;
    }
    if (t == D_FP16) {
        return d.x % 64 == 0 ? 0 : s + f * 2097152 + (uint32_t)((d.x + 17) % 32) * 65536;
    }
    return d.x == 0 ? 0
                    : s + f / 8 * 16777216 + (uint32_t)((d.x + 129) % 256) * 65536 +
                          (t == D_TF32 ? f % 8 * 8192 : 0);
}

static struct ordered candidate(const struct seen *v, uint32_t a, uint32_t b)
{
    const struct ordered least = {1, 511, 1023}, zero = {0, 0, 0};
    if (bits(b, 7, 0) == 0) {
        return least;
    }
    if (bits(a, 7, 0) == 0) {
        return zero;
    }
    struct ordered d = {bits(a, 18, 18), 0, bits(a, 17, 8)};
    if (v->style == ORC_FP16) {
        d.x = bits(a, 4, 0) + bits(b, 4, 0);
    } else if (v->style != ORC_INT8) {
        d.x = bits(a, 7, 0) + bits(b, 7, 0);
    }
    if (v->style == ORC_BF16) {
        d.f -= d.f % 8;
    }
    return d;
}

static void pool_maximum(struct orc_matrix *s, uint32_t word)
{
    struct seen v;
    orm_look(&v, s, BOTH);
    const unsigned ar = s->a.now & 0x30, br = s->b.now & 0x38;
    const unsigned dr = orm_drow(s, word) & 0x3FC;
    const bool argmax = bits(word, 14, 14) != 0;
    const enum datum t = datum_of(&v, argmax);
    uint32_t out[4][16] = {{0}};
    for (unsigned j = 0; j < 16; j++) {
        uint32_t w = orm_get(s, dr, j, v.wide, 0xFFFFFFFFu);
        if (!v.wide && w != 0xFFFFFFFFu) {
            w *= 65536;
        }
        struct ordered max = start(t, w);
        uint32_t mi = bits(w, 7, 0);
        const uint32_t ip = (w + 0x100u) & 0xF00u;
        for (unsigned n = 0; n < 16; n++) {
            static const unsigned order[16] = {4, 5, 6,  7,  0,  1,  2,  3,
                                               8, 9, 10, 11, 12, 13, 14, 15};
            static const unsigned index[8] = {0, 3, 6, 1, 4, 7, 2, 5};
            const unsigned i = order[n];
            const struct ordered c =
                candidate(&v, orm_truncated(&v, 0, s->src[0][s->bank[0]][ar + i][j]),
                          orm_truncated(&v, 1, s->src[1][s->bank[1]][br][i]));
            if (cmp(c) >= cmp(max)) {
                max = c;
                if (i < 8) {
                    mi = ip / 16 + index[i];
                }
            }
        }
        out[0][j] = argmax && t == D_INT32 ? (ip | mi)
                    : argmax               ? (finish(t, max) | ip | mi)
                                           : finish(t, max);
        for (unsigned i = 1; i < 4 && argmax && v.wide; i++) {
            out[i][j] = (orm_get(s, dr + i, j, true, 0xFFFFFFFFu) + 0x100u) & 0xF00u;
        }
    }
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned j = 0; j < 16; j++) {
            orm_put(s, dr + i, j, v.wide, v.wide ? out[i][j] : out[i][j] / 65536);
        }
        orm_now_valid(s, dr + i, v.wide);
    }
    s->last_a = ar;
    orm_flip(s, word);
    orm_addr_mod(s, word, 15);
}

bool orc_matrix_exec(struct orc_matrix *s, uint32_t word)
{
    const unsigned op = bits(word, 31, 24);
    switch (op) {
    case 0x26:
    case 0x29:
    case 0x34:
        matrix_product(s, word, op);
        return true;
    case 0x27:
    case 0x28:
    case 0x30:
        elementwise(s, word, op);
        return true;
    case 0x33:
        pool_maximum(s, word);
        return true;
    default:
        return orm_rows_exec(s, word);
    }
}
