/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The references in double precision: every one rounds as MPFR does, over random and special
 * inputs, and libm stays far inside of the bounds that this rests on.
 */
#include "reference/reference_work.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { BLOCK = 1024, BLOCKS = 5 };

static uint64_t state = 0x243f6a8885a308d3;

static uint32_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

static uint32_t pattern(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static const uint32_t specials[] = {
    0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x00800000, 0x80800000, 0x3f800000, 0xbf800000,
    0x3f000000, 0xbf000000, 0x40000000, 0xc0000000, 0x40400000, 0x7f7fffff, 0xff7fffff, 0x7f800000,
    0xff800000, 0x7fc00000, 0xffc00001, 0x3f800001, 0x3f7fffff, 0x42b17218, 0xc2aeac50, 0x3fc90fdb};

enum { SPECIALS = sizeof specials / sizeof specials[0] };

/* Random bits; -128 .. 128; around 1; powers of two with few other bits, which make ties. */
static uint32_t input(unsigned kind)
{
    uint32_t word = draw();
    switch (kind) {
    case 0:
        return word;
    case 1:
        return pattern(((float)(int32_t)word) * 0x1p-24F);
    case 2:
        return pattern(1.0F + ((float)(int32_t)word) * 0x1p-33F);
    default:
        return (word & 0x80000000U) | (100U + word % 56U) << 23 | (word & 0x00f80000U & word << 3);
    }
}

static void fill(enum tx_dst_format format, uint32_t (*x)[BLOCK], unsigned inputs, unsigned block)
{
    for (unsigned i = 0; i < BLOCK; i++) {
        for (unsigned k = 0; k < inputs; k++) {
            uint32_t word = input(block % 4);
            if (block == 4) {
                word = specials[(k == 0 ? i : k == 1 ? i / SPECIALS : i * 7) % SPECIALS];
            }
            x[k][i] = tx_dst_encode(format, word, &(bool){false});
        }
    }
}

/* What MPFR says of the inputs: a word of the format, and whether it lay below the normal numbers.
 */
struct truth {
    uint32_t word[BLOCK];
    bool nan[BLOCK], below[BLOCK];
};

static void ask_mpfr(struct reference_work *work, enum tx_dst_format format, unsigned inputs,
                     uint32_t x[REF_INPUTS][BLOCK], struct truth *t)
{
    for (unsigned i = 0; i < BLOCK; i++) {
        double numbers[REF_INPUTS] = {0};
        for (unsigned k = 0; k < inputs; k++) {
            numbers[k] = number_of(format, x[k][i], true);
        }
        const double want = reference_value(work, numbers);
        t->word[i] = word_of(format, want);
        t->nan[i] = isnan(want);
        t->below[i] = reference_underflowed(work);
    }
}

/* How many inputs the level at that place left to MPFR; every level is compared. */
static uint64_t compare(const struct reference *r, enum tx_dst_format format, size_t place)
{
    static uint32_t x[REF_INPUTS][BLOCK];
    static struct truth truth;
    uint32_t got[BLOCK];
    uint8_t below[BLOCK];
    double value[BLOCK];
    uint64_t undecided = 0;
    const uint32_t *inputs[] = {x[0], x[1], x[2]};
    struct reference_work *work = reference_open(r, format);
    for (unsigned block = 0; block < BLOCKS; block++) {
        const struct reference_level *level;
        fill(format, x, r->inputs, block);
        ask_mpfr(work, format, r->inputs, x, &truth);
        for (size_t at = 0; (level = reference_level_at(at)) != NULL; at++) {
            struct reference_work *fast = reference_open(r, format);
            fast->level = level;
            reference_words(fast, inputs, BLOCK, got, below, value);
            for (unsigned i = 0; i < BLOCK; i++) {
                const bool good =
                    truth.nan[i] ? (got[i] & 0x7fffffffU) > 0x7f800000U
                                 : got[i] == truth.word[i] && below[i] == (truth.below[i] ? 1 : 0);
                if (!good) {
                    fail_msg("%s to %s of %08x, %08x, %08x: %08x below %u, MPFR %08x below %d; %s",
                             r->name, tx_dst_format_name(format), x[0][i], x[1][i], x[2][i], got[i],
                             below[i], truth.word[i], truth.below[i], level->name);
                }
            }
            undecided += at == place ? reference_undecided(fast) : 0;
            reference_close(fast);
        }
    }
    reference_close(work);
    return undecided;
}

static void test_rounds_as_mpfr(void **state_)
{
    (void)state_;
    static const enum tx_dst_format formats[] = {TX_DST_FORMAT_FP32, TX_DST_FORMAT_BF16,
                                                 TX_DST_FORMAT_FP16};
    const struct reference *r;
    for (size_t i = 0; (r = reference_at(i)) != NULL; i++) {
        for (unsigned f = 0; f < 3; f++) {
            (void)compare(r, formats[f], 0);
        }
    }
}

/* Only inputs beside ties are MPFR's, here exp(x) = 1 + 2^-24 + ...; products are exact. */
static void test_few_undecided(void **state_)
{
    (void)state_;
    assert_in_range(compare(reference_find("exp"), TX_DST_FORMAT_FP32, 0), 0, 16);
    assert_int_equal(compare(reference_find("mul"), TX_DST_FORMAT_BF16, 0), 0);
}

static const struct {
    const char *name;
    int (*function)(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t round);
} measured[] = {
    {"exp", mpfr_exp},     {"log", mpfr_log},     {"rsqrt", mpfr_rec_sqrt}, {"tanh", mpfr_tanh},
    {"erf", mpfr_erf},     {"sin", mpfr_sin},     {"cos", mpfr_cos},        {"exp2", mpfr_exp2},
    {"expm1", mpfr_expm1}, {"log2", mpfr_log2},   {"log10", mpfr_log10},    {"log1p", mpfr_log1p},
    {"cbrt", mpfr_cbrt},   {"sinh", mpfr_sinh},   {"cosh", mpfr_cosh},      {"erfc", mpfr_erfc},
    {"tan", mpfr_tan},     {"asin", mpfr_asin},   {"acos", mpfr_acos},      {"atan", mpfr_atan},
    {"asinh", mpfr_asinh}, {"acosh", mpfr_acosh}, {"atanh", mpfr_atanh},    {"gamma", mpfr_gamma},
};

/* Error of the double in ULP of double, where the result is a normal number of FP32. */
static double error_of(mpfr_ptr wide, double value)
{
    mpfr_t difference;
    mpfr_init2(difference, 53);
    mpfr_d_sub(difference, value, wide, MPFR_RNDN);
    double error = fabs(mpfr_get_d(difference, MPFR_RNDN));
    mpfr_clear(difference);
    return ldexp(error, 52 - ilogb(value));
}

/* The bound of the references is 64 ULP with glibc; 12 is more than glibc documents for any. */
static void test_libm_inside_bound(void **state_)
{
    (void)state_;
    static uint32_t x[BLOCK];
    uint32_t expected[BLOCK];
    uint8_t below[BLOCK];
    double value[BLOCK];
    const uint32_t *inputs[] = {x};
    mpfr_t wide;
    mpfr_init2(wide, 128);
    for (size_t m = 0; m < sizeof measured / sizeof measured[0]; m++) {
        struct reference_work *work =
            reference_open(reference_find(measured[m].name), TX_DST_FORMAT_FP32);
        unsigned count = 0;
        for (unsigned block = 0; block < 4; block++) {
            fill(TX_DST_FORMAT_FP32, &x, 1, block);
            reference_words(work, inputs, BLOCK, expected, below, value);
            for (unsigned i = 0; i < BLOCK; i++) {
                double rounded = number_of(TX_DST_FORMAT_FP32, expected[i], true);
                if (!isfinite(rounded) || rounded == 0.0 || fabs(value[i]) < 0x1p-126 ||
                    !isfinite(number_of(TX_DST_FORMAT_FP32, x[i], true))) {
                    continue;
                }
                mpfr_set_d(wide, number_of(TX_DST_FORMAT_FP32, x[i], true), MPFR_RNDN);
                measured[m].function(wide, wide, MPFR_RNDN);
                double error = error_of(wide, value[i]);
                if (error > 12.0) {
                    fail_msg("%s(%a) is %g ULP of double off", measured[m].name,
                             number_of(TX_DST_FORMAT_FP32, x[i], true), error);
                }
                count++;
            }
        }
        assert_in_range(count, 500, UINT32_MAX);
        reference_close(work);
    }
    mpfr_clear(wide);
    mpfr_free_cache();
}

static int sigmoid(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t round)
{
    mpfr_neg(out, x, round);
    mpfr_exp(out, out, round);
    mpfr_add_ui(out, out, 1, round);
    return mpfr_ui_div(out, 1, out, round);
}

static int silu(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t round)
{
    mpfr_t copy;
    mpfr_init2(copy, 24);
    mpfr_set(copy, x, round);
    sigmoid(out, x, round);
    mpfr_mul(out, out, copy, round);
    mpfr_clear(copy);
    return 0;
}

/* The functions of reference_loops.h, with what it states for them and a ULP for the last rounding
 * at most. */
static const struct {
    enum loop_function function;
    int (*wide)(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t round);
    double bound; /* ULP of double */
} own[] = {
    {LOOP_RECIP, NULL, 0.5},   {LOOP_SQRT, mpfr_sqrt, 0.5}, {LOOP_RSQRT, mpfr_rec_sqrt, 1.5},
    {LOOP_EXP, mpfr_exp, 3.0}, {LOOP_EXP2, mpfr_exp2, 3.0}, {LOOP_SIGMOID, sigmoid, 5.0},
    {LOOP_SILU, silu, 6.0},
};

/* Halves of ln 2 and integers, where n changes; else up to 90 in magnitude, small ones too. */
static double own_input(enum loop_function function, unsigned i)
{
    double x = (double)(float)ldexp((double)(int32_t)draw(), (int)(draw() % 24U) - 47);
    if (i % 4 == 0) {
        double half = ((double)(draw() % 256U) - 128.0) / 2.0;
        float near = (float)(function == LOOP_EXP2 ? half : half * 0x1.62e42fefa39efp-1);
        x = (double)nextafterf(near, (i & 4) != 0 ? INFINITY : -INFINITY);
    }
    x = fabs(x) > 86.0 ? x / 4096.0 : x;
    bool root = function == LOOP_SQRT || function == LOOP_RSQRT;
    return x == 0.0 ? 1.0 : root ? fabs(x) : x;
}

static void test_own_functions(void **state_)
{
    (void)state_;
    static double x[BLOCK];
    static double value[BLOCK];
    const struct reference_level *level;
    mpfr_t wide;
    mpfr_init2(wide, 160);
    for (unsigned n = 0; n < 128 * sizeof own / sizeof own[0]; n++) {
        const enum loop_function function = own[n / 128].function;
        for (unsigned i = 0; i < BLOCK; i++) {
            x[i] = own_input(function, i);
        }
        reference_level_at(0)->many[function](x, BLOCK, value);
        for (unsigned i = 0; i < BLOCK; i++) {
            mpfr_set_d(wide, x[i], MPFR_RNDN);
            if (own[n / 128].wide != NULL) {
                own[n / 128].wide(wide, wide, MPFR_RNDN);
            } else {
                mpfr_ui_div(wide, 1, wide, MPFR_RNDN);
            }
            double error = error_of(wide, value[i]);
            if (!(error <= own[n / 128].bound)) {
                fail_msg("function %d at %a is %g ULP off", (int)function, x[i], error);
            }
        }
        for (size_t at = 1; (level = reference_level_at(at)) != NULL; at++) {
            static double other[BLOCK];
            level->many[function](x, BLOCK, other);
            assert_memory_equal(other, value, sizeof value);
        }
    }
    mpfr_clear(wide);
    mpfr_free_cache();
}

/* The distance is of whole numbers of 1/1024 ULP, so that ldexp and the comparison are exact. */
static void test_near(void **state_)
{
    (void)state_;
    const struct reference_near near = {
        .ulp = 1023 - 127 - 23, .limit = 0.25, .largest = 0x47ffe000};
    uint32_t expected[BLOCK];
    uint32_t got[BLOCK];
    double value[BLOCK];
    uint8_t below[BLOCK];
    uint8_t kinds[BLOCK];
    uint8_t want[BLOCK];
    unsigned counts[3] = {0};
    for (unsigned i = 0; i < BLOCK; i++) {
        expected[i] = i % 4 == 3 ? specials[i / 4 % SPECIALS] : input(1);
        expected[i] = i % 32 == 1 ? near.largest : expected[i];
        got[i] = expected[i] ^ (draw() % 8U == 0 ? 1U << draw() % 32U : 0U);
        below[i] = draw() % 4U == 0 ? 1 : 0;
        double number = number_of(TX_DST_FORMAT_FP32, expected[i], false);
        int steps = (int)(draw() % 1024U) - 512;
        value[i] = number;
        bool ordinary = isfinite(number) && fabs(number) >= 0x1p-126;
        if (ordinary) {
            value[i] += ldexp(steps, ilogb(number) - 23 - 10);
        }
        bool close = ordinary ? steps < 256 && steps > -256 : !isfinite(number);
        close = (close || expected[i] == near.largest) && got[i] == expected[i];
        want[i] = !close ? NEAR_OTHER : below[i] != 0 ? NEAR_FLUSHED : NEAR_EXACT;
        if (!ordinary && isfinite(number)) { /* no result is a denormal; zero: see below */
            expected[i] = 0;
            got[i] = 0;
            value[i] = 0x1p-140;
            want[i] = NEAR_OTHER;
        }
        counts[want[i]]++;
    }
    assert_true(counts[0] > 50 && counts[1] > 20 && counts[2] > 100);
    const struct reference_level *level;
    for (size_t at = 0; (level = reference_level_at(at)) != NULL; at++) {
        memset(kinds, 0xff, sizeof kinds);
        assert_false(level->near(&near, expected, got, value, below, BLOCK, kinds));
        assert_memory_equal(kinds, want, sizeof want);
        struct reference_near all = near;
        all.all = true;
        assert_int_equal(
            level->near(&all, &expected[2], &expected[2], &value[2], &below[2], 1, kinds), 1);
        assert_int_equal(kinds[0], below[2] != 0 ? NEAR_FLUSHED : NEAR_EXACT);
        uint32_t zero = 0;
        all = near;
        all.zero = true;
        assert_true(level->near(&all, &zero, &zero, &(double){0x1p-140}, &(uint8_t){1}, 1, kinds));
        assert_int_equal(kinds[0], NEAR_FLUSHED);
    }
}

/*
 * Zero and the least normal number are neighbours, for MPFR as for txl_ulp: 2^-126 + 2^-151, which
 * rounds to 2^-126, is 1 + 1/4 from zero, and 2 + 1/4 from -2^-126.
 */
static void test_distance_across_the_gap(void **state_)
{
    (void)state_;
    struct reference_work *work = reference_open(reference_find("add"), TX_DST_FORMAT_FP32);
    const double least = 0x1p-126;
    double x[] = {least, 0x1p-151};
    assert_true(reference_value(work, x) == least);
    assert_true(reference_distance(work, x, least, 0.0) == 1.25);
    assert_true(reference_distance(work, x, least, -least) == 2.25);
    assert_true(reference_distance(work, x, least, least) == 0.25);
    assert_true(reference_distance(work, x, 0.0, -least) == 1.0); /* zero: the rounded reference */
    reference_close(work);
}

/* 1 + 2^-24 + 2^-33 lies 513/1024 ULP above 1 and 511/1024 below the next number. */
static void test_distance(void **state_)
{
    (void)state_;
    struct reference_work *work = reference_open(reference_find("add"), TX_DST_FORMAT_FP32);
    double x[] = {1.0, 0x1p-24 + 0x1p-33};
    assert_true(reference_value(work, x) == 1.0 + 0x1p-23);
    assert_true(reference_distance(work, x, 1.0 + 0x1p-23, 1.0) == 513.0 / 1024.0);
    assert_true(reference_distance(work, x, 1.0 + 0x1p-23, 1.0 + 0x1p-23) == 511.0 / 1024.0);
    reference_close(work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounds_as_mpfr),
        cmocka_unit_test(test_few_undecided),
        cmocka_unit_test(test_libm_inside_bound),
        cmocka_unit_test(test_own_functions),
        cmocka_unit_test(test_near),
        cmocka_unit_test(test_distance),
        cmocka_unit_test(test_distance_across_the_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
