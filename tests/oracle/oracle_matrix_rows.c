/* SPDX-License-Identifier: Apache-2.0 */
/* Moves, whole rows, counters and banks, from spec/matrix-unit.md sections 7.6 to 7.9. */
#include "oracle_matrix_inner.h"

#include <string.h>

/* ---- 7.6 ---- */

static void to_dst(struct orc_matrix *s, uint32_t word, bool from_b)
{
    struct seen v;
    orm_look(&v, s, from_b ? B_FOR_BOTH : A_ONLY);
    const bool lo = bits(word, 23, 23) != 0;
    const unsigned at = from_b ? (s->bh ? 12 : 13) : 0; /* Bcast8 */
    const bool all = from_b && bits(word, at, at) != 0;
    const bool col0 = from_b && bits(word, at - 1, at - 1) != 0;
    const bool more = from_b ? bits(word, at + 1, at + 1) != 0 : bits(word, 13, 13) != 0;
    const unsigned rows = all ? 8 : !more ? 1 : from_b ? 4 : 8;
    const unsigned src = (bits(word, 22, 17) + (from_b ? s->b.now : s->a.now)) % 64;
    const unsigned sr = all ? src : src / rows * rows;
    const unsigned dr = orm_drow(s, word) / rows * rows;
    unsigned format = v.fmt[0];
    if (s->bh && v.f32 && !lo && !s->other.mov_by_format) {
        format = 4; /* M3; tt-llk moves UINT16 to low halves with it */
    }
    if (v.fa && from_b && !s->bh) {
        v.fmt[1] = 1; /* M5 */
    }
    const bool e8 = !v.fa && (v.f32 || v.i8 || orm_in_eight(format));
    const bool tf32 = format == 4 && !v.fa;
    const bool wide = tf32 || lo;
    for (unsigned i = 0; i < rows; i++) {
        for (unsigned j = 0; j < 16; j++) {
            uint32_t x = s->src[from_b][s->bank[from_b]][all ? sr : (sr + i) % 64][col0 ? 0 : j];
            const uint32_t old = orm_get(s, dr + i, j, wide, 0);
            if (!v.zfd && x % 256 == 0) {
                x = 0;
            }
            if (from_b) {
                x = orm_truncated(&v, 1, x);
            }
            const uint32_t v16 =
                e8 ? bits(x, 18, 18) * 32768 + bits(x, 17, 11) * 256 + bits(x, 7, 0)
                   : bits(x, 18, 18) * 32768 + bits(x, 17, 8) * 32 + bits(x, 4, 0);
            if (bits(s->blocked, j, j) == 0) {
                orm_put(s, dr + i, j, wide,
                        tf32 ? v16 * 65536 + bits(x, 10, 8) * 8192
                        : lo ? old / 65536 * 65536 + v16
                             : v16);
            }
        }
        orm_now_valid(s, dr + i, wide);
        if (lo && !tf32 && !v.wide && !s->other.low_valid_high) {
            orm_now_valid(s, dr + i, false); /* M2 */
        }
    }
    if (!from_b) {
        s->last_a = sr;
    }
    orm_addr_mod(s, word, 14);
}

static uint32_t src_eight(uint32_t half) /* s.m7.e8 -> s.m7.000.e8 */
{
    return bits(half, 15, 15) * 262144 + bits(half, 14, 8) * 2048 + bits(half, 7, 0);
}

static uint32_t src_five(uint32_t half) /* s.m10.e5 -> s.m10.000.e5 */
{
    return bits(half, 15, 15) * 262144 + bits(half, 14, 5) * 256 + bits(half, 4, 0);
}

static void from_dst(struct orc_matrix *s, uint32_t word, bool to_b)
{
    struct seen v;
    orm_look(&v, s, to_b ? D2B : A_ONLY);
    const bool lo = bits(word, 23, 23) != 0;
    const unsigned rows = bits(word, 13, 13) != 0 ? 4 : 1;
    const unsigned sr = (bits(word, 22, 17) + (to_b ? s->b.now : s->a.now)) % 64 / rows * rows;
    const unsigned dr = orm_drow(s, word) / rows * rows;
    const bool five = v.fa || (v.fmt[0] != 4 && !orm_in_eight(v.fmt[0]));
    const bool tf32 = !v.fa && v.fmt[0] == 4;
    for (unsigned i = 0; i < rows; i++) {
        for (unsigned j = 0; j < 16; j++) {
            uint32_t cell;
            if (v.wide) {
                uint32_t w = orm_get(s, dr + i, j, true, 0);
                if (lo) {
                    w = w % 65536 * 65536 + w % 65536;
                }
                if (tf32) {
                    cell = lo ? bits(w, 12, 0)
                              : bits(w, 31, 31) * 262144 + bits(w, 30, 24) * 2048 +
                                    bits(w, 15, 13) * 256 + bits(w, 23, 16);
                } else {
                    cell = five ? src_five(w / 65536) : src_eight(w / 65536);
                }
                if (s->other.low_zeros && lo && s->bh && v.f32 && to_b && tf32) {
                    cell = 0;
                }
            } else {
                const uint32_t half = orm_get(s, dr + i, j, false, 0);
                cell = five ? src_five(half) : src_eight(half);
            }
            if (bits(s->blocked, j, j) == 0) {
                s->src[to_b][s->bank[to_b]][sr + i][j] = cell;
            }
        }
        s->src_touched[to_b][s->bank[to_b]][sr + i] = 1;
    }
    if (!to_b) {
        s->last_a = sr;
    }
    orm_addr_mod(s, word, 14);
}

static void b_to_a(struct orc_matrix *s, uint32_t word)
{
    struct seen v;
    orm_look(&v, s, B_ONLY);
    const unsigned rows = bits(word, 13, 13) != 0 ? 4 : 1;
    const unsigned ar = (bits(word, 22, 17) + s->a.now) % 64 / rows * rows;
    const unsigned br = (bits(word, 5, 0) + s->b.now) % 64 / rows * rows;
    for (unsigned i = 0; i < rows; i++) {
        for (unsigned j = 0; j < 16; j++) {
            const uint32_t x = s->src[1][s->bank[1]][br + i][j];
            if (bits(s->blocked, j, j) == 0) {
                s->src[0][s->bank[0]][ar + i][j] =
                    orm_truncated(&v, 1, !v.zfd && x % 256 == 0 ? 0 : x);
            }
        }
        s->src_touched[0][s->bank[0]][ar + i] = 1;
    }
    s->last_a = ar;
    orm_addr_mod(s, word, 14);
}

/* ---- 7.7 ---- */

static void transpose(struct orc_matrix *s)
{
    uint32_t(*rows)[16] = s->src[1][s->bank[1]];
    uint32_t old[16][16];
    memcpy(old, rows[16], sizeof old);
    for (unsigned i = 0; i < 256; i++) {
        rows[16 + i / 16][i % 16] = old[i % 16][i / 16];
    }
    memset(&s->src_touched[1][s->bank[1]][16], 1, 16);
}

static void shift_a(struct orc_matrix *s, uint32_t word)
{
    const unsigned r = s->last_a & 0x30, direction = bits(word, 1, 0);
    uint32_t old[16][16];
    memcpy(old, s->src[0][s->bank[0]][r], sizeof old);
    for (unsigned i = 0; i < 16 && direction >= 2; i++) {
        uint32_t *to = s->src[0][s->bank[0]][i];
        for (unsigned c = 0; c < 16; c++) {
            to[c] = direction == 2 ? (c == 0 ? 0 : old[i][c - 1]) : c == 15 ? 0 : old[i][c + 1];
        }
        s->src_touched[0][s->bank[0]][i] = 1;
    }
}

static void shift_b(struct orc_matrix *s, uint32_t word)
{
    const unsigned r = (bits(word, 5, 0) + s->b.now) % 64;
    uint32_t *row = s->src[1][s->bank[1]][r];
    uint32_t old[16];
    memcpy(old, row, sizeof old);
    for (unsigned c = 0; c < 16; c++) {
        row[c] = old[(c + 1) % 16];
    }
    if (bits(word, 10, 10) != 0) {
        row[15] = 0;
    }
    s->src_touched[1][s->bank[1]][r] = 1;
    orm_addr_mod(s, word, 14);
}

/* ---- 7.8 ---- */

static void set_flag(struct orc_matrix *s, unsigned at, bool value)
{
    s->valid[at] = value;
    s->dst_touched[at] = 1;
}

static void zero_accumulator(struct orc_matrix *s, uint32_t word)
{
    const bool wide = s->bh ? bits(word, 18, 18) != 0 : bits(word, 21, 21) != 0;
    const bool revert = s->bh ? bits(word, 17, 17) != 0 : bits(word, 18, 18) != 0;
    const unsigned mode = bits(word, 20, 19), imm = bits(word, 9, 0);
    const unsigned off = bits(s->thread[1], 11, 0) + s->d.now;
    const bool relative = s->bh && bits(s->config[220], 3, 3) == 0;
    unsigned b = imm % 256;
    struct seen v;
    orm_look(&v, s, B_ONLY);
    if (mode == 0) {
        set_flag(s, orm_place(s, orm_drow(s, word), v.f32 || v.i8), revert);
    } else if (mode == 1 && !wide) {
        b += relative && (off & 512) != 0 ? 32 : 0;
        for (unsigned k = 0; k < 16 && b < 64; k++) {
            set_flag(s, 16 * b + k, revert);
        }
    } else if (mode == 1) {
        b += relative && (off & 768) != 0 ? 16 : 0;
        for (unsigned k = 0; k < 16 && b < 32; k++) {
            set_flag(s, 32 * b + k / 8 * 16 + k % 8, revert);
        }
    } else {
        for (unsigned k = 0; k < 1024; k++) {
            if (mode == 3 || k / 512 == imm % 2) {
                set_flag(s, k, revert);
            }
        }
    }
    if (s->bh && !s->other.bits_ignored) {
        orm_flip(s, word);
    }
    if (mode < 2) {
        orm_addr_mod(s, word, 14);
    }
}

static void zero_source(struct orc_matrix *s, uint32_t word)
{
    for (unsigned x = 0; x < 2; x++) {
        for (unsigned bank = 0; bank < 2 && bits(word, x, x) != 0; bank++) {
            const unsigned one = bits(word, 3, 3) != 0 ? s->bank[x] : s->unpack[x];
            if (bits(word, 2, 2) == 0 && bank != one) {
                continue;
            }
            for (unsigned i = 0; i < 1024; i++) {
                s->src[x][bank][i / 16][i % 16] = x == 0 && bits(word, 4, 4) != 0 ? 0x7FFFF : 0;
            }
            memset(s->src_touched[x][bank], 1, 64);
        }
    }
}

/* ---- 7.9 ---- */

static void set_counters(struct orc_matrix *s, uint32_t word)
{
    const unsigned dv = bits(word, 17, 14), bv = bits(word, 13, 10), av = bits(word, 9, 6);
    if (bits(word, 0, 0) != 0) {
        s->a.now = s->a.cr = (av + (bits(word, 18, 18) != 0 ? s->a.cr : 0)) % 64;
    }
    if (bits(word, 1, 1) != 0) {
        s->b.now = s->b.cr = (bv + (bits(word, 19, 19) != 0 ? s->b.cr : 0)) % 64;
    }
    if (bits(word, 2, 2) != 0 || bits(word, 21, 21) != 0) {
        const unsigned base = bits(word, 21, 21) != 0   ? s->d.now
                              : bits(word, 20, 20) != 0 ? s->d.cr
                                                        : 0;
        s->d.now = s->d.cr = (dv + base) % 1024;
    }
    if (bits(word, 3, 3) != 0) {
        s->fidelity = 0;
    }
    if (s->bh && bits(word, 4, 4) != 0 && !s->other.bits_ignored) {
        s->sp = (dv * 256 + bv * 16 + av) % 1024;
    }
    orm_flip(s, word);
}

static void increment(struct orc_counter *c, unsigned by, bool cr, unsigned size)
{
    if (cr) {
        c->cr = (c->cr + by) % size;
        c->now = c->cr;
    } else {
        c->now = (c->now + by) % size;
    }
}

static void clear_valid(struct orc_matrix *s, uint32_t word)
{
    if (bits(word, 0, 0) != 0) {
        memset(s->owner, 0, sizeof s->owner);
        memset(s->bank, 0, sizeof s->bank);
        memset(s->unpack, 0, sizeof s->unpack);
        memset(s->implied, 0, sizeof s->implied);
        return;
    }
    for (unsigned x = 0; x < 2; x++) {
        if (bits(word, 22 + x, 22 + x) != 0) {
            s->owner[x][s->bank[x]] = 0;
            s->bank[x] = bits(word, 1, 1) != 0 ? s->bank[x] : 1 - s->bank[x];
        }
    }
}

bool orm_rows_exec(struct orc_matrix *s, uint32_t word)
{
    const unsigned op = bits(word, 31, 24);
    switch (op) {
    case 0x08:
    case 0x0A:
        from_dst(s, word, op == 0x0A);
        return true;
    case 0x09:
    case 0x12:
        to_dst(s, word, false);
        return true;
    case 0x0B:
        b_to_a(s, word);
        return true;
    case 0x0C: /* Blackhole only */
        if (s->bh) {
            to_dst(s, word, true);
        }
        return s->bh;
    case 0x13:
        to_dst(s, word, true);
        return true;
    case 0x10:
        zero_accumulator(s, word);
        return true;
    case 0x11:
        zero_source(s, word);
        return true;
    case 0x16:
        transpose(s);
        return true;
    case 0x17:
        shift_a(s, word);
        return true;
    case 0x18:
        shift_b(s, word);
        return true;
    case 0x21: /* CLREXPHIST: nothing of this */
    case 0x35: /* GATESRCRST */
        return true;
    case 0x36:
        clear_valid(s, word);
        return true;
    case 0x37:
        set_counters(s, word);
        return true;
    case 0x38:
        increment(&s->a, bits(word, 9, 6), bits(word, 18, 18) != 0, 64);
        increment(&s->b, bits(word, 13, 10), bits(word, 19, 19) != 0, 64);
        increment(&s->d, bits(word, 17, 14), bits(word, 20, 20) != 0, 1024);
        return true;
    case 0x57:
        for (unsigned x = 0; x < 2; x++) {
            if (bits(word, x, x) != 0) {
                s->owner[x][s->unpack[x]] = 1;
                s->unpack[x] = 1 - s->unpack[x];
            }
        }
        return true;
    default:
        return false;
    }
}
