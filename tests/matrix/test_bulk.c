/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Matrix Unit's arithmetic on vectors of the CPU beside its cell by cell form, every job, kind
 * and phase, operands that cancel, tie, vanish and overflow among the random ones. That the latter
 * is right is matrix.second's and tests/insn's to show.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "matrix/bulk.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { BLOCKS = 60 };

static uint64_t state = 1;

static uint32_t any(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 32) * below >> 32);
}

struct plan {
    bool integer;
    unsigned top; /* largest exponent field */
    unsigned middle, spread, zeros;
};

static uint32_t cell(const struct plan *p)
{
    const uint32_t sign = any(2) << 18;
    const uint32_t ends[4] = {0, 0x3FF, 1u << any(10), 0x3FFu & ~(1u << any(10))};
    const uint32_t mantissa = any(2) != 0 ? any(1024) : ends[any(4)];
    if (p->integer) {
        return sign | mantissa << 8 | (any(6) == 0 ? 0 : 16u);
    }
    const uint32_t exponent = any(p->zeros) == 0 ? 0
                              : any(40) == 0     ? p->top - any(2)
                                                 : (p->middle + any(p->spread)) % (p->top + 1);
    return sign | mantissa << 8 | exponent;
}

static uint32_t old_cell(const struct plan *p, const struct exact_kind *k)
{
    const uint32_t bits = any(3) != 0 ? any(0xFFFFFFFFu) : 0u - any(3);
    const uint32_t low = bits & 0xFFFFu;
    if (p->integer) {
        return any(2) != 0 ? bits : bits | 0x7FFF0000u;
    }
    const unsigned top = k->wide == 0 && k->exp8 == 0 ? 31 : 255;
    const uint32_t e = any(8) == 0 ? any(top + 1) : (p->middle + any(p->spread)) % (top + 1);
    const uint32_t high = top == 31 ? (low & ~31u) | e : (low & ~255u) | e;
    return k->wide != 0 ? high << 16 | (bits >> 16) : high;
}

/* Rows of Dst: the high halves of all, then the low ones. */
struct rows {
    uint16_t half[2][BULK_ROWS][16];
};

static uint32_t get(const struct bulk *b, const struct rows *rows, unsigned i, unsigned j)
{
    return b->kind.wide != 0 ? (uint32_t)rows->half[0][i][j] << 16 | rows->half[1][i][j]
                             : rows->half[0][i][j];
}

static void set(const struct bulk *b, struct rows *rows, unsigned i, unsigned j, uint32_t c)
{
    rows->half[0][i][j] = (uint16_t)(b->kind.wide != 0 ? c >> 16 : c);
    rows->half[1][i][j] = (uint16_t)(b->kind.wide != 0 ? c : 0xAAAAu);
}

/* Works in place, or from one to the other. */
static void run(const struct matrix_level *level, struct bulk *b, const struct rows *from,
                struct rows *to)
{
    for (unsigned i = 0; i < BULK_ROWS; i++) {
        for (unsigned half = 0; half < 2; half++) {
            b->old[i][half] = from->half[half][i];
            b->now[i][half] = to->half[half][i];
        }
    }
    level->block(b);
}

static void fill(struct bulk *b, struct rows *old, uint32_t a[16][16], uint32_t v[8][16])
{
    static const unsigned spreads[] = {1, 3, 8, 16, 32, 200};
    struct plan p = {.integer = b->integer != 0,
                     .top = b->kind.exp8 != 0 ? 255 : 31,
                     .spread = spreads[any(6)],
                     .zeros = any(3) == 0 ? 3 : 30};
    p.middle = any(2) != 0 ? p.top / 2 : any(p.top);
    b->rows = (uint8_t)(any(4) == 0 ? 4 : 8);
    b->column0 = b->job != JOB_PRODUCTS && any(4) == 0;
    b->keep_b = any(4) == 0;
    b->mask_a = any(2) != 0 ? 0x7FFFF : 0x7F8FF;
    b->mask_b = any(2) != 0 ? 0x7FFFF : 0x7FF1F;
    for (unsigned i = 0; i < 16; i++) {
        for (unsigned j = 0; j < 16; j++) {
            a[i][j] = i >= 8 && p.spread < 8 && !p.integer ? a[i - 8][j] ^ 0x40000u : cell(&p);
            v[i % 8][j] = cell(&p);
        }
        b->a[i] = a[i];
        b->b[i % 8] = v[i % 8];
    }
    for (unsigned i = 0; i < 128; i++) {
        set(b, old, i / 16, i % 16, old_cell(&p, &b->kind));
    }
}

/* Dst as the opposite of what is added, or next to it. */
static void cancel(struct bulk *b, struct rows *old)
{
    static const struct rows none;
    struct rows sum = none;
    run(&matrix_scalar, b, &none, &sum);
    for (unsigned i = 0; i < 128; i++) {
        const uint32_t c = get(b, &sum, i / 16, i % 16);
        set(b, old, i / 16, i % 16,
            b->kind.wide != 0 ? ((c ^ 0x80000000u) & ~0xFFFFu) | ((c + any(3) - 1) & 0xFFFFu)
                              : c ^ 0x8000u);
    }
}

static void compare(const struct matrix_level *level, struct bulk *b, const struct rows *old)
{
    static struct bulk_memo memo; /* what the last block has left is of use, or must not be */
    struct rows want = *old;
    struct rows got = *old;
    struct rows again = *old;
    run(&matrix_scalar, b, old, &want);
    b->memo = any(8) == 0 ? NULL : &memo;
    run(level, b, &got, &got);
    run(level, b, old, &again);
    b->memo = NULL;
    assert_memory_equal(&got, &again, sizeof got);
    for (unsigned i = 0; i < 128; i++) {
        const uint32_t w = get(b, &want, i / 16, i % 16);
        const uint32_t g = get(b, &got, i / 16, i % 16);
        if (w != g) {
            fail_msg("%s: job %d, integer %d, wide %d, exp8 %d, phase %d, wh %d, keep %d, row %u "
                     "column %u, old %08x: want %08x, got %08x",
                     level->name, (int)b->job, b->integer, b->kind.wide, b->kind.exp8,
                     b->kind.phase, b->kind.arithmetic_wh, b->keep_b, i / 16, i % 16,
                     get(b, old, i / 16, i % 16), w, g);
        }
    }
}

static void test_levels(void **unused)
{
    static uint32_t a[16][16], v[8][16];
    static struct rows old;
    (void)unused;
    assert_string_equal(matrix_level(0) == NULL ? "" : "some", "some");
    for (unsigned n = 0; matrix_level(n) != &matrix_scalar; n++) {
        for (unsigned mode = 0; mode < 5 * 3 * 2 * 4 * 2; mode++) {
            struct bulk b = {.job = (enum job)(mode % 5)};
            const unsigned family = mode / 5 % 3;
            b.integer = family == 2;
            b.kind.exp8 = family == 0;
            b.kind.wide = family == 2 || mode / 15 % 2 == 1;
            b.kind.phase = (uint8_t)(mode / 30 % 4);
            b.kind.arithmetic_wh = (uint8_t)(mode / 120);
            for (unsigned i = 0; i < BLOCKS; i++) {
                if (i % 2 == 0) {
                    fill(&b, &old, a, v);
                } else { /* one bit of a row of SrcA */
                    a[any(16)][any(16)] ^= 1u << any(19);
                }
                if (i % 3 == 0 && b.integer == 0) {
                    cancel(&b, &old);
                }
                compare(matrix_level(n), &b, &old);
            }
        }
        printf("%s: %u blocks\n", matrix_level(n)->name, 240 * BLOCKS);
    }
}

/* Moves against the packing of bits as spec/matrix-unit.md 7.6 has it. */
static void test_moves(void **unused)
{
    (void)unused;
    for (unsigned n = 0; matrix_level(n) != NULL; n++) {
        for (unsigned i = 0; i < 4000; i++) {
            uint32_t from[16];
            uint16_t to[16];
            const struct bulk_move v = {.from = from,
                                        .kept = i % 3 == 0 ? 0x7F8FFu : 0xFFFFFFFFu,
                                        .zero_flag = any(2) != 0,
                                        .exponent8 = any(2) != 0};
            for (unsigned j = 0; j < 16; j++) {
                from[j] = any(1u << 19) & (any(4) == 0 ? 0x7FF00u : 0x7FFFFu);
            }
            matrix_level(n)->move(&v, to);
            for (unsigned j = 0; j < 16; j++) {
                const uint32_t c = v.zero_flag && from[j] % 256 == 0 ? 0 : from[j] & v.kept;
                const uint32_t sign = c >> 18;
                const uint32_t want = v.exponent8 ? sign << 15 | c / 2048 % 128 * 256 | c % 256
                                                  : sign << 15 | c / 256 % 1024 * 32 | c % 32;
                assert_int_equal(to[j], want);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_levels), cmocka_unit_test(test_moves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
