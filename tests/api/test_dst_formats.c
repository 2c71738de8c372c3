/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What integers look like in Dst, 16-bit data in a 32-bit Dst, and the findings where a kernel
 * takes one for the other (E-INT, E-VIEW). Expected bits are those of C's own integers and floats.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "coverage/coverage.h"

enum { TILE = TX_TILE_ELEMENTS };

/* The 32 rows of a tile, each through the same text; @ stands for its address. */
static struct tx_program *rows_of(enum tx_arch arch, const char *row, unsigned inputs)
{
    static char text[16384];
    int used = snprintf(text, sizeof text, ".inputs %u\n", inputs);
    for (unsigned address = 0; address < 64; address += 2) {
        for (const char *p = row; *p != '\0'; p++) {
            used += *p == '@'   ? snprintf(text + used, 8, "%u", address)
                    : *p == '%' ? snprintf(text + used, 8, "%u", address + 64)
                                : snprintf(text + used, 8, "%c", *p);
        }
    }
    const struct tx_asm_options options = {.arch = arch};
    struct tx_program *program = NULL;
    struct tx_diag diag = {0};
    if (tx_assemble(text, strlen(text), &options, &program, &diag) != TX_OK) {
        fail_msg("%u: %s", diag.line, diag.message);
    }
    return program;
}

static char rule[16];

/* Findings; out as out_dst sees the result. The fast engine must give what dst sees. */
static size_t run(enum tx_arch arch, const char *row, enum tx_dst_format dst,
                  enum tx_dst_format out_dst, const uint32_t *x, const uint32_t *y, uint32_t *out)
{
    static uint32_t plain[TILE];
    static uint32_t quick[TILE];
    struct tx_program *program = rows_of(arch, row, y != NULL ? 2 : 1);
    struct tx_settings settings;
    struct tx_kernel_options options;
    tx_kernel *kernel = NULL;
    tx_fast *fast = NULL;
    tx_fast_worker *worker = NULL;
    const uint32_t *inputs[] = {x, y};
    tx_settings_default(&settings, arch);
    coverage_watch(&settings);
    tx_kernel_options_default(&options);
    options.dst = dst;
    assert_int_equal(tx_kernel_open(&settings, program, &options, &kernel), TX_OK);
    assert_int_equal(tx_kernel_start(kernel), TX_OK);
    assert_int_equal(tx_kernel_tile(kernel, 0, inputs, plain), TX_OK);
    const tx_machine *m = tx_kernel_machine(kernel);
    assert_int_equal(tx_dst_store_tile(m, 0, out_dst, out), TX_OK);
    const size_t findings = tx_finding_count(m);
    snprintf(rule, sizeof rule, "%s", findings != 0 ? tx_finding_at(m, 0)->rule : "");
    assert_int_equal(tx_fast_open(kernel, NULL, &fast, NULL), TX_OK);
    assert_int_equal(tx_fast_worker_open(fast, &worker), TX_OK);
    assert_int_equal(tx_fast_run(worker, 0, 1, inputs, quick), TX_OK);
    assert_memory_equal(plain, quick, sizeof plain);
    tx_fast_worker_close(worker);
    tx_fast_close(fast);
    tx_kernel_close(kernel);
    tx_program_free(program);
    return findings;
}

static const uint32_t edges[] = {0,          1,          0xFFFFFFFF, 2,          0xFFFFFFFE,
                                 0x7FFFFFFF, 0x80000000, 0x80000001, 0x40000000, 0xC0000000,
                                 65535,      65536,      0xFFFF0000, 127,        0xFFFFFF80};

static void fill(uint32_t *x, uint32_t seed)
{
    for (unsigned i = 0; i < TILE; i++) {
        seed = seed * 1664525U + 1013904223U;
        x[i] = i < sizeof edges / sizeof *edges ? edges[i] : seed >> (i % 32);
        x[i] = i % 3 == 1 ? 0U - x[i] : x[i];
    }
}

#define EACH_ARCH for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++)

/* What a load of the plain mode finds. */
static void test_bits(void **state)
{
    static const struct {
        enum tx_dst_format dst;
        uint32_t value, bits;
        const char *row; /* leaves the bits in FP32's view, or in that of 16 bits */
        bool narrow;
    } cases[] = {
        {TX_DST_FORMAT_INT32, 0xFFFFFFFB, 0xFFFFFFFB, "sfpload L0,@,4,3\nsfpstore L0,@,4,3\n",
         false},
        {TX_DST_FORMAT_INT32, 0x80000000, 0x80000000, "sfpload L0,@,4,3\nsfpstore L0,@,4,3\n",
         false},
        {TX_DST_FORMAT_INT32_SM, 0xFFFFFFFB, 0x80000005, "sfpload L0,@,4,3\nsfpstore L0,@,4,3\n",
         false},
        {TX_DST_FORMAT_UINT32, 0xFFFFFFFB, 0xFFFFFFFB, "sfpload L0,@,4,3\nsfpstore L0,@,4,3\n",
         false},
        {TX_DST_FORMAT_INT16, 0xFFFFFFFE, 0xFFFE, "sfpload L0,@,6,3\nsfpstore L0,@,6,3\n", true},
        {TX_DST_FORMAT_INT16, 0xFFFF8000, 0x8000, "sfpload L0,@,6,3\nsfpstore L0,@,6,3\n", true},
        {TX_DST_FORMAT_INT16_SM, 0xFFFFFFFE, 0x8002, "sfpload L0,@,6,3\nsfpstore L0,@,6,3\n", true},
        {TX_DST_FORMAT_UINT16, 0xFFFE, 0xFFFE, "sfpload L0,@,6,3\nsfpstore L0,@,6,3\n", true},
    };
    static uint32_t x[TILE];
    static uint32_t out[TILE];
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (unsigned i = 0; i < TILE; i++) {
            x[i] = cases[c].value;
        }
        EACH_ARCH
        {
            assert_int_equal(run(arch, cases[c].row, cases[c].dst,
                                 cases[c].narrow ? TX_DST_FORMAT_UINT16 : TX_DST_FORMAT_FP32, x,
                                 NULL, out),
                             0);
            assert_int_equal(out[0], cases[c].bits);
            assert_int_equal(run(arch, cases[c].row, cases[c].dst, cases[c].dst, x, NULL, out), 0);
            assert_int_equal(out[0], cases[c].value);
        }
    }
}

static void test_ranges(void **state)
{
    static const struct {
        enum tx_dst_format dst;
        int64_t value, held;
    } cases[] = {{TX_DST_FORMAT_INT32, INT32_MIN, INT32_MIN},
                 {TX_DST_FORMAT_INT32_SM, INT32_MIN, -INT32_MAX},
                 {TX_DST_FORMAT_UINT32, 4294967295, 4294967295},
                 {TX_DST_FORMAT_INT16, 40000, 32767},
                 {TX_DST_FORMAT_INT16, -32768, -32768},
                 {TX_DST_FORMAT_INT16, -40000, -32768},
                 {TX_DST_FORMAT_INT16_SM, -32768, -32767},
                 {TX_DST_FORMAT_UINT16, 65535, 65535},
                 {TX_DST_FORMAT_UINT16, 65536, 65535},
                 {TX_DST_FORMAT_UINT16, -1, 0},
                 {TX_DST_FORMAT_UINT8, 255, 255},
                 {TX_DST_FORMAT_UINT8, 256, 255},
                 {TX_DST_FORMAT_UINT8, -1, 0},
                 {TX_DST_FORMAT_INT8, -128, -127},
                 {TX_DST_FORMAT_UINT16_DST32, 65535, 65535}};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        bool changed = false;
        assert_int_equal(tx_dst_encode(cases[c].dst, (uint32_t)cases[c].value, &changed),
                         (uint32_t)cases[c].held);
        assert_int_equal(changed, cases[c].value != cases[c].held);
    }
}

/* Sums, as tt-llk's add_int has them by default: mode 4, two's complement. */
static void test_sums(void **state)
{
    static uint32_t x[TILE];
    static uint32_t y[TILE];
    static uint32_t out[TILE];
    const char *row = "sfpload L0,@,4,3\nsfpload L1,%,4,3\nsfpiadd L0,L1,0,4\nsfpstore L0,@,4,3\n";
    (void)state;
    fill(x, 1);
    fill(y, 2);
    EACH_ARCH
    {
        assert_int_equal(run(arch, row, TX_DST_FORMAT_INT32, TX_DST_FORMAT_INT32, x, y, out), 0);
        for (unsigned i = 0; i < TILE; i++) {
            assert_int_equal(out[i], x[i] + y[i]);
        }
        assert_int_equal(run(arch, row, TX_DST_FORMAT_INT32_SM, TX_DST_FORMAT_INT32_SM, x, y, out),
                         1);
        assert_string_equal(rule, "E-INT");
    }
    /* Mode 12 converts on Wormhole, so there sign and magnitude add as well. */
    row = "sfpload L0,@,12,3\nsfpload L1,%,12,3\nsfpiadd L0,L1,0,4\nsfpstore L0,@,12,3\n";
    for (unsigned i = 0; i < TILE; i++) {
        x[i] = (uint32_t)((int32_t)x[i] / 4);
        y[i] = (uint32_t)((int32_t)y[i] / 4);
    }
    assert_int_equal(
        run(TX_WORMHOLE, row, TX_DST_FORMAT_INT32_SM, TX_DST_FORMAT_INT32_SM, x, y, out), 0);
    for (unsigned i = 0; i < TILE; i++) {
        assert_int_equal(out[i], x[i] + y[i]);
    }
    assert_int_equal(run(TX_WORMHOLE, row, TX_DST_FORMAT_INT32, TX_DST_FORMAT_INT32, x, y, out), 1);
    assert_string_equal(rule, "E-INT");
}

static void test_wrong_encodings(void **state)
{
    static const struct {
        const char *row;
        enum tx_dst_format dst;
        int wormhole, blackhole;
    } cases[] = {
        {"sfpload L0,@,4,3\nsfpcast L1,L0,0\nsfpstore L1,@,3,3\n", TX_DST_FORMAT_INT32, 1, 1},
        {"sfpload L0,@,4,3\nsfpmov L2,L0,0\nsfpcast L1,L2,0\nsfpstore L1,@,3,3\n",
         TX_DST_FORMAT_INT32, 1, 1},
        {"sfpload L0,@,4,3\nsfpabs L0,L0,0\nsfpcast L1,L0,0\nsfpstore L1,@,3,3\n",
         TX_DST_FORMAT_INT32, 0, 0},
        {"sfpload L0,@,4,3\nsfpcast L1,L0,0\nsfpstore L1,@,3,3\n", TX_DST_FORMAT_INT32_SM, 0, 0},
        {"sfpload L0,@,12,3\nsfpcast L1,L0,0\nsfpstore L1,@,3,3\n", TX_DST_FORMAT_INT32, 0, 1},
        {"sfpload L0,@,8,3\nsfpstore L0,@,8,3\n", TX_DST_FORMAT_INT16, 1, 1},
        {"sfpload L0,@,8,3\nsfpstore L0,@,8,3\n", TX_DST_FORMAT_INT16_SM, 0, 0},
        {"sfpload L0,@,6,3\nsfpcast L1,L0,0\nsfpstore L0,@,6,3\n", TX_DST_FORMAT_UINT16, 0, 0},
        {"sfpload L0,@,4,3\nsfpcast L1,L0,0\nsfpstore L1,@,3,3\n", TX_DST_FORMAT_UINT32, 0, 0},
    };
    static uint32_t x[TILE];
    static uint32_t out[TILE];
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        EACH_ARCH
        {
            const bool found =
                run(arch, cases[c].row, cases[c].dst, cases[c].dst, x, NULL, out) != 0;
            assert_int_equal(found, arch == TX_WORMHOLE ? cases[c].wormhole : cases[c].blackhole);
            assert_string_equal(rule, found ? "E-INT" : "");
        }
    }
}

/* Mode 0 in a 32-bit Dst of integers is FP32, as tt-llk sets SFPU_Fp32_enabled there. */
static void test_fp32_enabled(void **state)
{
    static const enum tx_dst_format formats[] = {TX_DST_FORMAT_FP32,         TX_DST_FORMAT_INT32,
                                                 TX_DST_FORMAT_INT32_SM,     TX_DST_FORMAT_UINT32,
                                                 TX_DST_FORMAT_UINT16_DST32, TX_DST_FORMAT_UINT16,
                                                 TX_DST_FORMAT_INT16,        TX_DST_FORMAT_INT16_SM,
                                                 TX_DST_FORMAT_BF16,         TX_DST_FORMAT_INT8};
    (void)state;
    for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++) {
        struct tx_program *program = rows_of(TX_BLACKHOLE, "sfpnop\n", 1);
        struct tx_settings settings;
        struct tx_kernel_options options;
        tx_kernel *kernel = NULL;
        uint32_t value = 2;
        tx_settings_default(&settings, TX_BLACKHOLE);
        tx_kernel_options_default(&options);
        options.dst = formats[f];
        assert_int_equal(tx_kernel_open(&settings, program, &options, &kernel), TX_OK);
        assert_int_equal(
            tx_config_get(tx_kernel_machine(kernel), 1, "ALU_ACC_CTRL_SFPU_Fp32_enabled", &value),
            TX_OK);
        assert_int_equal(value, f < 5);
        assert_int_equal(tx_config_get(tx_kernel_machine(kernel), 1, "DBG_FEATURE_DISABLE", &value),
                         TX_OK);
        assert_int_equal(value, formats[f] == TX_DST_FORMAT_UINT16_DST32 ? 1U << 11 : 0U);
        tx_kernel_close(kernel);
        tx_program_free(program);
    }
}

/* tt-llk's uint16_to_fp32: rows upwards, 16 bits read where 32 are written. */
static void test_uint16_in_dst32(void **state)
{
    static uint32_t x[TILE];
    static uint32_t out[TILE];
    const char *cast = "sfpload L0,@,6,3\nsfpcast L1,L0,0\nsfpstore L1,@,3,3\n";
    (void)state;
    EACH_ARCH
    {
        for (uint32_t first = 0; first < 65536; first += 21 * TILE) {
            for (unsigned i = 0; i < TILE; i++) {
                x[i] = (first + i * 61U) & 0xFFFFU;
            }
            assert_int_equal(
                run(arch, cast, TX_DST_FORMAT_UINT16_DST32, TX_DST_FORMAT_FP32, x, NULL, out), 0);
            for (unsigned i = 0; i < TILE; i++) {
                const float want = (float)x[i];
                uint32_t bits;
                memcpy(&bits, &want, sizeof bits);
                assert_int_equal(out[i], bits);
            }
        }
        const char *next = "sfpload L0,@,6,3\nsfpiadd L0,L0,1,5\nsfpstore L0,@,6,3\n";
        assert_int_equal(
            run(arch, next, TX_DST_FORMAT_UINT16_DST32, TX_DST_FORMAT_UINT16_DST32, x, NULL, out),
            0);
        for (unsigned i = 0; i < TILE; i++) {
            assert_int_equal(out[i], (x[i] + 1) & 0xFFFFU);
        }
        /* The lower half under a 16-bit store is not known any more. */
        const char *wide =
            "sfpload L0,@,3,3\nsfpstore L0,@,6,3\nsfpnop\nsfpnop\nsfpload L1,@,3,3\n";
        char text[256];
        snprintf(text, sizeof text, "%s", wide);
        struct tx_program *program = rows_of(arch, text, 1);
        struct tx_settings settings;
        struct tx_kernel_options options;
        tx_kernel *kernel = NULL;
        const uint32_t *inputs[] = {x};
        tx_settings_default(&settings, arch);
        tx_kernel_options_default(&options);
        options.dst = TX_DST_FORMAT_FP32;
        assert_int_equal(tx_kernel_open(&settings, program, &options, &kernel), TX_OK);
        assert_int_equal(
            tx_config_set(tx_kernel_machine(kernel), 1, "DBG_FEATURE_DISABLE", 1U << 11), TX_OK);
        assert_int_equal(tx_kernel_start(kernel), TX_OK);
        assert_int_equal(tx_kernel_tile(kernel, 0, inputs, out), TX_OK);
        bool unknown = false;
        const tx_machine *m = tx_kernel_machine(kernel);
        for (size_t i = 0; i < tx_finding_count(m); i++) {
            unknown = unknown || strcmp(tx_finding_at(m, i)->rule, "E-DST") == 0;
        }
        assert_true(unknown);
        assert_int_equal(tx_config_set(tx_kernel_machine(kernel), 1, "DBG_FEATURE_DISABLE", 1),
                         TX_EINVAL);
        tx_kernel_close(kernel);
        tx_program_free(program);
    }
}

static void test_views(void **state)
{
    static const struct {
        const char *row;
        enum tx_dst_format dst, out;
        bool load, result; /* of these two, which is a finding */
    } cases[] = {
        {"sfpload L0,@,6,3\n", TX_DST_FORMAT_FP32, TX_DST_FORMAT_FP32, true, false},
        {"sfpload L0,@,2,3\n", TX_DST_FORMAT_INT32, TX_DST_FORMAT_INT32, true, false},
        {"sfpload L0,@,3,3\n", TX_DST_FORMAT_FP32, TX_DST_FORMAT_INT32, false, false},
        {"sfpload L0,@,2,3\n", TX_DST_FORMAT_BF16, TX_DST_FORMAT_UINT16, false, false},
        {"sfpload L0,@,4,3\n", TX_DST_FORMAT_BF16, TX_DST_FORMAT_BF16, true, false},
        {"sfpstore L0,@,2,3\nsfpnop\nsfpnop\nsfpload L0,@,2,3\n", TX_DST_FORMAT_FP32,
         TX_DST_FORMAT_FP32, false, true},
        {"sfpstore L0,@,2,3\nsfpnop\nsfpnop\nsfpload L0,@,3,3\n", TX_DST_FORMAT_FP32,
         TX_DST_FORMAT_FP32, true, true},
        {"sfpstore L0,@,3,3\nsfpload L0,@,3,3\n", TX_DST_FORMAT_BF16, TX_DST_FORMAT_BF16, false,
         true},
        {"sfpload L0,@,3,3\n", TX_DST_FORMAT_FP32, TX_DST_FORMAT_BF16, false, true},
        {"sfpload L0,@,2,3\n", TX_DST_FORMAT_BF16, TX_DST_FORMAT_FP32, false, true},
        {"sfpload L0,@,6,3\n", TX_DST_FORMAT_UINT16_DST32, TX_DST_FORMAT_UINT16_DST32, false,
         false},
        {"sfpload L0,@,6,3\n", TX_DST_FORMAT_UINT16_DST32, TX_DST_FORMAT_FP32, false, true},
    };
    static uint32_t x[TILE];
    static uint32_t out[TILE];
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        EACH_ARCH
        {
            struct tx_program *program = rows_of(arch, cases[c].row, 1);
            struct tx_settings settings;
            struct tx_kernel_options options;
            tx_kernel *kernel = NULL;
            const uint32_t *inputs[] = {x};
            bool load = false;
            bool result = false;
            tx_settings_default(&settings, arch);
            tx_kernel_options_default(&options);
            options.dst = cases[c].dst;
            options.out = cases[c].out;
            assert_int_equal(tx_kernel_open(&settings, program, &options, &kernel), TX_OK);
            assert_int_equal(tx_kernel_start(kernel), TX_OK);
            assert_int_equal(tx_kernel_tile(kernel, 0, inputs, out), TX_OK);
            const tx_machine *m = tx_kernel_machine(kernel);
            for (size_t i = 0; i < tx_finding_count(m); i++) {
                const struct tx_finding *f = tx_finding_at(m, i);
                const bool view = strcmp(f->rule, "E-VIEW") == 0;
                load = load || (view && strncmp(f->message, "SFPLOAD of", 10) == 0);
                result = result || (view && strncmp(f->message, "the result is read", 18) == 0);
            }
            if (load != cases[c].load || result != cases[c].result) {
                fail_msg("case %zu", c);
            }
            tx_kernel_close(kernel);
            tx_program_free(program);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits),         cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_sums),         cmocka_unit_test(test_wrong_encodings),
        cmocka_unit_test(test_fp32_enabled), cmocka_unit_test(test_uint16_in_dst32),
        cmocka_unit_test(test_views),
    };
    coverage_open("dst_formats");
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return coverage_close() ? failed : 1;
}
