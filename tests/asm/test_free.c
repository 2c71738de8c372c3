/* SPDX-License-Identifier: Apache-2.0 */
/*
 * .free: patterns of decimals in each format, neighbours in order, words that do not depend on the
 * value. What a pattern is worth is what the Vector Unit makes of it (num/lut_coefficient.h).
 */
#include <tensix/asm.h>

#include "num/lut_coefficient.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static enum tx_status assemble(const char *text, struct tx_program **program, struct tx_diag *diag)
{
    const struct tx_asm_options options = {.arch = TX_BLACKHOLE};
    *program = NULL;
    return tx_assemble(text, strlen(text), &options, program, diag);
}

/* The pattern of a value; *f is the constant, *words the one that `.word x` made. */
static uint32_t pattern(const char *value, const char *kind, struct tx_free_constant *f)
{
    char text[160];
    struct tx_program *program;
    struct tx_diag diag;
    (void)snprintf(text, sizeof text, ".free x = %s in %s # y\n.word x\n", value, kind);
    if (assemble(text, &program, &diag) != TX_OK) {
        fail_msg("%s: %s", text, diag.message);
    }
    assert_int_equal(tx_program_free_count(program), 1);
    *f = *tx_program_free_constant(program, 0);
    const uint32_t word = tx_program_words(program, TX_SECTION_TILE)[0];
    assert_int_equal(word, f->bits);
    assert_string_equal(f->name, "x");
    assert_int_equal(f->length, strlen(value));
    assert_memory_equal(text + f->offset, value, f->length);
    tx_program_free(program);
    return word;
}

static void test_patterns(void **state)
{
    (void)state;
    static const struct {
        const char *value, *kind;
        uint32_t bits;
        int64_t order;
    } rows[] = {
        {"float(1.0)", "fp32", 0x3F800000, 0x3F000001},
        {"float(-0.1)", "fp32", 0xBDCCCCCD, -0x3D4CCCCE},
        {"float(0)", "fp32", 0, 0},
        {"float(1e-45)", "fp32", 0, 0},
        {"float(1.1e-38)", "fp32", 0x00800000, 1},
        {"float( 0.1 )", "bf16", 0x3DCD, 0x3D4E},
        {"float(-1.5)", "fp16", 0xBE00, -0x3A01},
        {"float(65504)", "fp16", 0x7BFF, 0x7800},
        {"float(0.05078125)", "lut8", 0x5A, 43}, /* 1.625 2^-5: 2 * 16 + 10 + 1 */
        {"float(-0.24)", "lut8", 0xBF, -80},     /* -1.9375 2^-3 = -0.2421875 */
        {"float(0.0)", "lut8", 0xFF, 0},
        {"float(-0.01513671875)", "lut8", 0xFE, -16}, /* its byte is that of zero */
        {"float(0.000030517578125)", "lut16", 0, 1},
        {"float(0)", "lut16", 0x7C00, 0},
        {"float(-65504)", "lut16", 0xFBFF, -0x7C00},
        {"3 * -4", "int", 0xFFFFFFF4, -12},
        {"0x5f3759df", "fp32", 0x5F3759DF, 0x5EB759E0}, /* bits less those of the least, and 1 */
        {"0xbf800000", "fp32", 0xBF800000, -0x3F000001},
        {"0X3f80", "bf16", 0x3F80, 0x3F01},
        {"0xff", "lut8", 0xFF, 0},
        {"0x0", "fp32", 0, 0},
    };
    struct tx_free_constant f;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(pattern(rows[i].value, rows[i].kind, &f), rows[i].bits);
        assert_int_equal(f.order, rows[i].order);
        assert_string_equal(tx_free_kind_name(f.kind), rows[i].kind);
        assert_true(f.low <= f.order && f.order <= f.high);
    }
    assert_null(tx_free_kind_name(TX_FREE_KINDS));
}

static float worth(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Every pattern that is a number; what SFPLUT and SFPLUTFP32 make of it rises with the order. */
static void test_order(void **state)
{
    (void)state;
    for (unsigned k = TX_FREE_BF16; k < TX_FREE_INT; k++) {
        const enum tx_free_kind kind = (enum tx_free_kind)k;
        int64_t low;
        int64_t high;
        tx_free_limits(kind, &low, &high);
        assert_int_equal(low, -high);
        float last = -INFINITY;
        for (int64_t order = low; order <= high; order++) {
            const uint32_t bits = tx_free_bits(kind, order);
            const float value = worth(tx_free_fp32(kind, bits));
            const bool hole = kind == TX_FREE_LUT8 && order == -16;
            assert_int_equal(tx_free_order(kind, bits), hole ? -15 : order);
            assert_true(hole || value > last || (kind == TX_FREE_LUT8 && order == -15));
            last = value;
            if (kind == TX_FREE_LUT8) {
                assert_true(value == worth(lut8_to_fp32(bits)));
            } else if (kind == TX_FREE_LUT16) {
                assert_true(value == (order == 0 ? 0 : worth(lut16_to_fp32(bits, true))));
            }
        }
        assert_int_equal(tx_free_bits(kind, high + 5), tx_free_bits(kind, high));
    }
    for (int64_t order = -300; order <= 300; order++) {
        assert_int_equal(tx_free_order(TX_FREE_FP32, tx_free_bits(TX_FREE_FP32, order)), order);
        assert_int_equal(tx_free_order(TX_FREE_INT, tx_free_bits(TX_FREE_INT, order)), order);
    }
}

static void test_range(void **state)
{
    (void)state;
    struct tx_free_constant f;
    (void)pattern("float(0.5)", "bf16 [0.25, 1.0]", &f);
    assert_int_equal(f.order - f.low, 128);
    assert_int_equal(f.high - f.order, 128);
    (void)pattern("7", "int [-(3 + 1), 0x10]", &f);
    assert_int_equal(f.low, -4);
    assert_int_equal(f.high, 16);
    (void)pattern("0x5f3759df", "fp32 [0x5f000000, 0X5F400000]", &f);
    assert_int_equal(f.order - f.low, 0x3759df);
    assert_int_equal(f.high - f.order, 0x8a621);
}

/* The number of words and their modes are those of the format, whatever the value. */
static void test_words(void **state)
{
    (void)state;
    static const char *const values[] = {"0.5", "0.1"};
    for (unsigned i = 0; i < 2; i++) {
        char text[400];
        struct tx_program *program;
        struct tx_diag diag;
        (void)snprintf(text, sizeof text,
                       ".free a = float(%s) in fp32\n.free b = float(%s) in bf16\n"
                       ".free h = float(%s) in fp16\n.free p = float(%s) in lut16\n"
                       "same = a\n.loadi L0, same\n.loadi L1, b\n.loadi L2, h\n"
                       ".loadi L3, p << 16 | 0x7c00\nsfploadi L4, hi16(a), 8\nsfpmuli L5, b, 0\n",
                       values[i], values[i], values[i], values[i]);
        if (assemble(text, &program, &diag) != TX_OK) {
            fail_msg("%s", diag.message);
        }
        static const uint32_t half[] = {0x71083F00, 0x710A0000, 0x71103F00, 0x71213800,
                                        0x71383800, 0x713A7C00, 0x71483F00};
        static const uint32_t tenth[] = {0x71083DCC, 0x710ACCCD, 0x71103DCD, 0x71212E66,
                                         0x71382E66, 0x713A7C00, 0x71483DCC};
        assert_int_equal(tx_program_count(program, TX_SECTION_TILE), 8);
        assert_memory_equal(tx_program_words(program, TX_SECTION_TILE), i == 0 ? half : tenth,
                            sizeof half);
        tx_program_free(program);
    }
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
        unsigned column;
    } rows[] = {
        {".free 3", "a name is expected here", 7},
        {".free x 3", "'=' expected behind the name", 9},
        {".free x = 3", "'in' and a format are expected behind the value", 12},
        {".free x = 3 in fp64", "there is no format 'fp64' (fp32 bf16 fp16 lut8 lut16 int)", 16},
        {".free x = 3 in fp32",
         "the value is written float(0.5), or as its bits in hexadecimal, as in 0x3f000000", 11},
        {".free x = 0x3f80 in fp32", "these are not the bits of a normal number or +0 in fp32", 11},
        {".free x = 0x7f800000 in fp32", "these are not the bits of a normal number or +0 in fp32",
         11},
        {".free x = 0x13f80 in bf16", "these are not the bits of a normal number or +0 in bf16",
         11},
        {".free x = 0x80000000 in fp32", "these are not the bits of a normal number or +0 in fp32",
         11},
        {".free x = 0x3f800000 in fp32 [0x3f80000g, 4]",
         "these are not the bits of a normal number or +0 in fp32", 31},
        {".free x = 0x3f800000 in fp32 [0x13f8000000000000000000, 4]",
         "these are not the bits of a normal number or +0 in fp32", 31},
        {".free x = float(3) in int", "an integer is expected here", 11},
        {".free x = float(3) in lut8", "number is too large for lut8", 17},
        {".free x = float(1) in bf16 [2, 3]", "the value is not in its range", 28},
        {".free x = float(1) in bf16 [0, 3", "']' expected behind the number", 33},
        {".free x = float(1) in bf16\n.free x = float(1) in bf16", "name 'x' is taken", 7},
        {".free x = float(1) in bf16\nx = 3", "'x' is a constant of .free", 1},
        {".free L3 = float(1) in bf16", "a register is not a name to set", 7},
        {".rept 2\n.free x = float(1) in bf16\n.endr",
         ".free belongs into the kernel file itself, not into .rept, .macro or .include", 7},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tx_program *program;
        struct tx_diag diag;
        assert_int_equal(assemble(rows[i].text, &program, &diag), TX_EPARSE);
        assert_string_equal(diag.message, rows[i].message);
        assert_int_equal(diag.column, rows[i].column);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patterns), cmocka_unit_test(test_order),
        cmocka_unit_test(test_range),    cmocka_unit_test(test_words),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
