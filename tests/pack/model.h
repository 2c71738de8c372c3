/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A second statement of the packers, datum by datum, from the text of spec/pack.md and of
 * formats-and-scalar-unit.md C.2, C.3 and C.8. It works on signs, exponents and mantissas; nothing
 * is shared with the library.
 */
#ifndef TEST_PACK_MODEL_H
#define TEST_PACK_MODEL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* C32: eight exponent and 23 mantissa bits; C16: 8 and 7; C5: 5 and 10; C8: 5 and 2. */
enum cls { C32, C16, C5, C8, I32, I16, I8 };

struct num {
    enum cls cls;
    uint32_t s, e, m; /* integers: all in m */
};

struct setup {
    bool bh;
    bool r32, raw, r10, uns, e4m3;
    unsigned IF, LF, LT;
    unsigned relu, T, threshold; /* threshold 256: off */
    bool acc;
    unsigned ds; /* Downsample_mask */
    unsigned exp_size[4], dest[4], offset[4], z_offset[4];
    unsigned x_stride, y_stride, z_stride, w_stride, base;
    unsigned oy_stride, oz_stride, ow_stride, obase;
    bool low;
    unsigned edge[4], select, face_select;
    bool face_enable;
    uint32_t rows[4], faces[4];
    unsigned plane;
    bool transposed;
    bool remap, swizzle;
    uint16_t mode[4];
};

struct stream {
    uint32_t address, length, done;
    bool open;
    uint8_t bytes[65536];
};

struct model_packer {
    struct stream exps, data;
    struct num group[16];
    unsigned grouped;
    unsigned x, y, z, put, most;
    bool running;
};

struct model {
    struct setup c;
    uint16_t dst[1024][16];
    bool valid[1024];
    uint32_t adc[2][4], cr[2][4]; /* channel, X Y Z W */
    struct model_packer packer[4];
    uint8_t *l1;
};

/* ---- numbers ---- */

static inline struct num num_of(enum cls c, uint32_t s, uint32_t e, uint32_t m)
{
    const struct num n = {c, s, e, m};
    return n;
}

static inline struct num zero_of(enum cls c)
{
    return num_of(c, 0, 0, 0);
}

/* To k mantissa bits, ties away; NaN to infinity, exponent 0 to +0. */
static inline struct num rounded(struct num n, unsigned k)
{
    const uint32_t unit = 1u << (23 - k);
    if (n.e == 255) {
        n.m = 0;
    }
    uint64_t t = (uint64_t)n.e * 8388608 + n.m + unit / 2;
    t -= t % unit;
    n.e = (uint32_t)(t / 8388608);
    n.m = (uint32_t)(t % 8388608);
    return n.e == 0 ? zero_of(n.cls) : n;
}

static inline struct num narrow(struct num n)
{
    return num_of(C16, n.s, n.e, n.m / 65536);
}

static inline struct num to5(struct num n) /* of C32: e - 112 */
{
    const int e = (int)n.e - 112;
    return e < 0    ? num_of(C5, n.s, 0, 0)
           : e > 31 ? num_of(C5, n.s, 31, 1023)
                    : num_of(C5, n.s, (uint32_t)e, n.m / 8192);
}

static inline struct num wide(struct num n)
{
    return n.cls == C16 ? num_of(C32, n.s, n.e, n.m * 65536) : n;
}

static inline struct num int8_of(const struct setup *c, uint32_t s, uint32_t magnitude)
{
    if (c->raw) {
        return num_of(I8, 0, 0, c->uns ? magnitude % 256 : s * 128 + magnitude % 128);
    }
    if (c->uns) {
        return num_of(I8, 0, 0, s != 0 ? 0 : magnitude > 255 ? 255 : magnitude);
    }
    return num_of(I8, 0, 0, s * 128 + (magnitude > 127 ? 127 : magnitude));
}

static inline struct num early32(const struct setup *c, uint32_t high, uint32_t low)
{
    const struct num n = num_of(C32, high / 32768, high % 256, high / 256 % 128 * 65536 + low);
    switch (c->IF) {
    case 0:
        return c->r10 && !c->raw ? rounded(n, 10) : n;
    case 4:
        return c->raw ? n : rounded(n, 10);
    case 1: /* the gasket: the rest comes behind ReLU */
        return rounded(n, 10);
    case 5:
        return c->raw ? narrow(n) : c->r10 && c->LT == 1 ? rounded(n, 10) : narrow(rounded(n, 7));
    case 6: {
        struct num cut = n;
        if (c->raw) {
            return narrow(n);
        }
        cut.m = n.e == 255 && n.m != 0 ? 0 : n.m / 65536 * 65536;
        return narrow(rounded(cut, 6));
    }
    case 8:
        return c->LF == 0 ? n : num_of(I32, 0, 0, ((n.s * 256 + n.e) << 23) + n.m);
    case 9:
        return num_of(I16, 0, 0, high);
    default:
        return int8_of(c, n.s, n.e * 8388608 + n.m);
    }
}

static inline struct num early16(const struct setup *c, uint32_t y)
{
    const struct num b = num_of(C32, y / 32768, y % 256, y / 256 % 128 * 65536);
    struct num h = num_of(C5, y / 32768, y % 32, y / 32 % 1024);
    switch (c->IF) {
    case 5:
        return c->raw ? narrow(b) : c->r10 && c->LT == 1 ? rounded(b, 10) : narrow(rounded(b, 7));
    case 6: {
        struct num n = rounded(b, 7);
        if (c->raw) {
            return narrow(b);
        }
        if (n.m / 65536 % 2 != 0) { /* to an even seventh bit, away */
            n.m += 65536;
            n.e += n.m / 8388608;
            n.m %= 8388608;
        }
        return narrow(n);
    }
    case 0:
    case 4:
        return rounded(b, 10);
    case 1:
        if (c->r10) {
            return to5(b);
        }
        return !c->raw && h.e == 0 ? zero_of(C5) : h;
    case 2:
        if (c->raw) {
            h.m -= h.m % 8;
            return h;
        }
        if (h.e == 31 && h.m > 1023 - 8) {
            return num_of(C5, h.s, 31, 1008);
        }
        h.m += 8;
        h.e += h.m / 1024;
        h.m = h.m % 1024 / 16 * 16;
        return h.e == 0 ? zero_of(C5) : h;
    case 10:
        return num_of(C8, h.s, h.e, h.m / 256);
    case 9:
        return num_of(I16, 0, 0, y);
    default:
        return num_of(I8, 0, 0, y / 32768 * 128);
    }
}

/* ---- between early and late ---- */

static inline struct num least(struct num n)
{
    return n.cls == C32   ? num_of(C32, 1, 255, 0)
           : n.cls == C16 ? num_of(C16, 1, 255, 0)
           : n.cls == C5  ? num_of(C5, 1, 31, 1023)
           : n.cls == C8  ? num_of(C8, 1, 31, 3)
                          : zero_of(n.cls);
}

static inline struct num relu(const struct setup *c, struct num n)
{
    if (c->relu == 0) {
        return n;
    }
    if (n.cls >= I32) {
        const uint32_t top = n.cls == I32 ? 0x80000000u : n.cls == I16 ? 0x8000u : 0x80u;
        const bool sign = n.cls == I8 && c->uns && c->r32 ? false : (n.m & top) != 0;
        return sign ? zero_of(n.cls) : n;
    }
    const bool five = n.cls == C5;
    const struct num t = five           ? num_of(C5, 0, c->T / 1024, c->T % 1024)
                         : n.cls == C16 ? num_of(C16, 0, c->T / 128, c->T % 128)
                                        : num_of(C32, 0, c->T / 128, c->T % 128 * 65536);
    const uint32_t shift = five ? 1024 : n.cls == C16 ? 128 : 8388608;
    const uint64_t a = (uint64_t)n.e * shift + n.m;
    const uint64_t b = (uint64_t)t.e * shift + t.m;
    const uint64_t drop = n.cls == C32 ? 8192 : 1;
    if (n.s != 0) {
        n = zero_of(n.cls);
        return c->relu == 3 || c->relu == 2 ? n : n;
    }
    if (c->relu == 2 && a <= b) {
        return zero_of(n.cls);
    }
    return c->relu == 3 && a / drop > b / drop ? t : n;
}

static inline void count_exponent(struct model_packer *k, struct num n)
{
    const uint32_t e = n.cls == I32   ? n.m >> 23 & 255
                       : n.cls == I16 ? n.m % 256
                       : n.cls == I8  ? n.m % 256
                                      : n.e;
    k->most = e > k->most ? e : k->most;
}

/* ---- late ---- */

static inline uint32_t bits5(struct num n)
{
    return n.s * 32768 + n.e * 1024 + n.m;
}

static inline struct num from5(struct num n) /* wider exponents */
{
    return num_of(C32, n.s, n.e != 0 ? n.e + 112 : 0, n.m * 8192);
}

/* As BF16, with which blocks begin: truncated, exponent 0 to +0 unless it is one already. */
static inline struct num as16(struct num n)
{
    if (n.cls == C16) {
        return n;
    }
    if (n.cls == C5) {
        n = from5(n);
    }
    return n.e == 0 ? zero_of(C16) : narrow(n);
}

/* As FP16; exact: from FP16 itself, denormals stay. */
static inline struct num as5(struct num n, bool exact)
{
    if (n.cls == C5) {
        return n.e == 0 && !exact ? num_of(C5, n.s, 0, 0) : n;
    }
    return to5(wide(n));
}

static inline uint32_t late(const struct setup *c, struct num n)
{
    switch (c->LT) {
    case 0:
    case 4:
        n = n.cls == C5 ? from5(n) : wide(n);
        return (n.s << 31) + (n.e << 23) + n.m;
    case 5:
        n = as16(n);
        return n.s * 32768 + n.e * 128 + n.m;
    case 1:
        return bits5(as5(n, true));
    case 10:
        if (n.cls == C8) {
            return n.s * 128 + n.e * 4 + n.m;
        }
        if (c->e4m3) {
            return n.e <= 8    ? n.s * 128
                   : n.e >= 24 ? n.s * 128 + 127
                               : n.s * 128 + (n.e - 8) * 8 + n.m / 128;
        }
        return bits5(as5(n, false)) / 256;
    default:
        return n.m;
    }
}

static inline unsigned bits_of(unsigned LT)
{
    static const uint8_t bits[16] = {32, 16, 8, 4, 32, 16, 8, 4, 32, 16, 8, 2, 0, 0, 8, 2};
    return bits[LT];
}

static inline bool is_block(unsigned LT)
{
    return LT == 2 || LT == 3 || LT == 11 || LT == 6 || LT == 7 || LT == 15;
}

/* ---- streams ---- */

static inline uint32_t add_l1(const struct setup *c, uint32_t old, uint32_t in);

static inline void commit(struct model *m, struct stream *s, bool adds, bool close)
{
    const uint32_t size = bits_of(m->c.LT) / 8;
    const uint32_t length = s->length;
    uint32_t end = s->length - s->length % 16;
    if (close && s->length % 16 != 0) {
        end += 16;
        memset(s->bytes + s->length, 0, end - s->length);
    }
    for (uint32_t i = s->done; i < end;) {
        uint8_t *at = m->l1 + ((s->address + i) & 0x1FFFFF);
        if (!adds || i >= length) {
            *at = s->bytes[i++];
            continue;
        }
        uint32_t old = 0;
        uint32_t in = 0;
        for (uint32_t k = 0; k < size; k++) {
            old += (uint32_t)at[k] << 8 * k;
            in += (uint32_t)s->bytes[i + k] << 8 * k;
        }
        const uint32_t sum = add_l1(&m->c, old, in);
        for (uint32_t k = 0; k < size; k++) {
            at[k] = (uint8_t)(sum >> 8 * k);
        }
        i += size;
    }
    s->done = end;
    if (close) {
        s->open = false;
        s->length = s->done = 0;
    }
}

static inline void put_bits(struct stream *s, const uint32_t *data, unsigned count, unsigned bits)
{
    for (unsigned i = 0; i < count * bits; i++) {
        const uint32_t bit = data[i / bits] >> i % bits & 1u;
        if (i % 8 == 0) {
            s->bytes[s->length + i / 8] = 0;
        }
        s->bytes[s->length + i / 8] |= (uint8_t)(bit << i % 8);
    }
    s->length += count * bits / 8;
}

/* Sixteen data under their largest exponent. */
static inline void put_block(struct model *m, struct model_packer *k)
{
    const bool five = m->c.LT == 2 || m->c.LT == 3 || m->c.LT == 11;
    const unsigned bits = bits_of(m->c.LT);
    uint32_t most = 0;
    uint32_t data[16];
    struct num n[16];
    for (unsigned i = 0; i < 16; i++) {
        n[i] = k->group[i];
        if (five) {
            n[i] = as5(n[i], m->c.LF == 2);
            n[i].m /= 8;
        } else {
            n[i] = as16(n[i]);
        }
        most = n[i].e > most ? n[i].e : most;
    }
    for (unsigned i = 0; i < 16; i++) {
        const uint32_t man = (n[i].e != 0 ? 128 : 0) + n[i].m;
        const uint32_t d = most - n[i].e;
        uint64_t q = d >= 8 ? 0 : (man + (1u << d)) / (2u << d);
        q = q > 127 ? 127 : q;
        q /= 1u << (8 - bits);
        data[i] = (uint32_t)q + (q != 0 ? n[i].s << (bits - 1) : 0);
    }
    k->exps.bytes[k->exps.length++] = (uint8_t)most;
    put_bits(&k->data, data, 16, bits);
    k->grouped = 0;
}

static inline void put_num(struct model *m, struct model_packer *k, struct num n)
{
    if (is_block(m->c.LT)) {
        k->group[k->grouped++] = n;
        if (k->grouped == 16) {
            put_block(m, k);
        }
        return;
    }
    const uint32_t word = late(&m->c, n);
    put_bits(&k->data, &word, 1, bits_of(m->c.LT));
}

#endif
