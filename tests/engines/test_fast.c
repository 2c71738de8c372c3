/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast engine against the reference engine, bit for bit: every example kernel on its chips, at
 * every level this CPU has, over random, special and everyday tiles, with counts that do not fill
 * a block. test_fast LEVEL: that one only.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <tensix/tensix.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef TILES
#define TILES 37
#endif
enum { ROOM = 1 << 16 };

static const char *only; /* the level, NULL: all */

/* The next level from *i on that is to be tried, NULL at the end. */
static const char *next_level(size_t *i)
{
    const char *level = tx_fast_level((*i)++);
    while (level != NULL && only != NULL && strcmp(level, only) != 0) {
        level = tx_fast_level((*i)++);
    }
    return level;
}

static uint32_t random32(void)
{
    static uint64_t state = 0x853C49E6748FEA9Bu;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state ^ state >> 22) >> (22 + (state >> 61)));
}

static uint32_t value(unsigned kind)
{
    static const uint32_t special[] = {0,          0x80000000, 0x3F800000, 0xBF800000, 0x7F800000,
                                       0xFF800000, 0x7FC00000, 0x00000001, 0x807FFFFF, 0x00800000,
                                       0x7F7FFFFF, 0xFF7FFFFF, 0x42B17218, 0xC2B17218, 0x7F000000};
    const uint32_t r = random32();
    switch (kind) {
    case 0:
        return r;
    case 1:
        return special[r % (sizeof special / sizeof special[0])];
    default:
        return (r & 0x807FFFFFu) | (119u + (random32() & 15u)) << 23;
    }
}

static struct tx_program *load(const char *path, enum tx_arch arch)
{
    static char text[ROOM];
    struct tx_program *program = NULL;
    struct tx_diag diag;
    const struct tx_asm_options how = {.arch = arch, .force_arch = false};
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    const size_t length = fread(text, 1, sizeof text, stream);
    fclose(stream);
    if (tx_assemble(text, length, &how, &program, &diag) != TX_OK) {
        fail_msg("%s:%u: %s", path, diag.line, diag.message);
    }
    return program;
}

/* Element of a tile that lane of one of its 32 vectors is: 4 rows of Dst, every other column. */
static unsigned element(unsigned vector, unsigned lane)
{
    const unsigned row = 4 * (vector / 2) + lane / 8;
    const unsigned column = 2 * (lane % 8) + vector % 2;
    return (row / 32 * 16 + row % 16) * 32 + row / 16 % 2 * 16 + column;
}

static uint32_t *vectors_of(const uint32_t *tiles, uint32_t *to)
{
    for (unsigned i = 0; i < TILES * TX_TILE_ELEMENTS; i++) {
        to[i] = tiles[i / 1024 * 1024 + element(i / 32 % 32, i % 32)];
    }
    return to;
}

/* Calls of few vectors give what tiles give, and write nothing else. */
static void compare_vectors(const tx_fast *fast, tx_fast_worker *worker, unsigned inputs,
                            const uint32_t *const tiles[4], const uint32_t *result,
                            const char *name)
{
    static const size_t counts[] = {1, 2, 3, 1, 5, 32, 33, 47, 0};
    static uint32_t in[4][TILES * TX_TILE_ELEMENTS];
    static uint32_t want[TILES * TX_TILE_ELEMENTS];
    uint32_t got[48 * 32];
    const enum tx_status status = tx_fast_run_vectors(worker, 0, tiles, got);
    assert_true(status == TX_OK || status == TX_EUNSUPPORTED);
    assert_true(status == TX_OK || strcmp(name, "recip_fp32.s") != 0);
    assert_true(status != TX_OK || strcmp(name, "cumsum.s") != 0); /* across rows */
    for (unsigned i = 0; i < inputs; i++) {
        vectors_of(tiles[i], in[i]);
    }
    vectors_of(result, want);
    size_t count;
    for (size_t at = 0, turn = 0; at + 48 <= TILES * 32; at += count, turn++) {
        const uint32_t *from[4];
        count = counts[turn % (sizeof counts / sizeof counts[0])];
        for (unsigned i = 0; i < inputs; i++) {
            from[i] = in[i] + 32 * at;
        }
        memset(got, 0xA5, sizeof got);
        assert_int_equal(tx_fast_run_vectors(worker, count, from, got), status);
        if (status == TX_OK && memcmp(got, want + 32 * at, count * 32 * sizeof got[0]) != 0) {
            fail_msg("%s, %s: %zu vectors from %zu on differ", name, tx_fast_level_of(fast), count,
                     at);
        }
        for (size_t i = status == TX_OK ? 32 * count : 0; i < 48 * 32; i++) {
            assert_int_equal(got[i], 0xA5A5A5A5);
        }
    }
}

/* Every kernel here is one that the engine takes. */
static void compare(tx_kernel *kernel, const struct tx_program *program, const char *name,
                    const char *level)
{
    static uint32_t in[4][TILES * TX_TILE_ELEMENTS];
    static uint32_t got[TILES * TX_TILE_ELEMENTS];
    static uint32_t want[TX_TILE_ELEMENTS];
    const uint32_t *inputs[4] = {in[0], in[1], in[2], in[3]};
    tx_fast *fast;
    tx_fast_worker *worker;
    const char *reason;
    const enum tx_status status = tx_fast_open(kernel, level, &fast, &reason);
    if (status == TX_EUNSUPPORTED) {
        fail_msg("%s on %s, %s: %s", name, tx_arch_name(tx_program_arch(program)), level, reason);
    }
    assert_int_equal(status, TX_OK);
    assert_true(tx_program_inputs(program) <= 4);
    for (unsigned i = 0; i < tx_program_inputs(program); i++) {
        for (unsigned e = 0; e < TILES * TX_TILE_ELEMENTS; e++) {
            in[i][e] = value(e / TX_TILE_ELEMENTS % 3);
        }
    }
    assert_int_equal(tx_fast_worker_open(fast, &worker), TX_OK);
    assert_int_equal(tx_fast_run(worker, 5, TILES, inputs, got), TX_OK);
    for (unsigned tile = 0; tile < TILES; tile++) {
        const uint32_t *at[4];
        for (unsigned i = 0; i < 4; i++) {
            at[i] = in[i] + tile * TX_TILE_ELEMENTS;
        }
        assert_int_equal(tx_kernel_tile(kernel, 5 + tile, at, want), TX_OK);
        for (unsigned e = 0; e < TX_TILE_ELEMENTS; e++) {
            if (got[tile * TX_TILE_ELEMENTS + e] != want[e]) {
                fail_msg("%s on %s, %s: tile %u element %u of %08X: reference %08X, fast %08X",
                         name, tx_arch_name(tx_program_arch(program)), level, tile, e,
                         (unsigned)at[0][e], (unsigned)want[e],
                         (unsigned)got[tile * TX_TILE_ELEMENTS + e]);
            }
        }
    }
    compare_vectors(fast, worker, tx_program_inputs(program), inputs, got, name);
    tx_fast_worker_close(worker);
    tx_fast_close(fast);
}

static void check(const char *folder, const char *file, enum tx_arch arch)
{
    char path[512];
    struct tx_settings settings;
    struct tx_kernel_options options;
    tx_kernel *kernel;
    snprintf(path, sizeof path, "%s/%s", folder, file);
    struct tx_program *program = load(path, arch);
    if (tx_program_arch(program) == arch) {
        tx_settings_default(&settings, arch);
        tx_kernel_options_default(&options);
        options.seed = 7;
        assert_int_equal(tx_kernel_open(&settings, program, &options, &kernel), TX_OK);
        assert_int_equal(tx_kernel_start(kernel), TX_OK);
        const char *level;
        for (size_t i = 0; (level = next_level(&i)) != NULL;) {
            compare(kernel, program, file, level);
        }
        tx_kernel_close(kernel);
    }
    tx_program_free(program);
}

static void each(const char *folder)
{
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    unsigned count = 0;
    for (struct dirent *d = readdir(directory); d != NULL; d = readdir(directory)) {
        const size_t length = strlen(d->d_name);
        if (length > 2 && strcmp(d->d_name + length - 2, ".s") == 0) {
            check(folder, d->d_name, TX_WORMHOLE);
            check(folder, d->d_name, TX_BLACKHOLE);
            count++;
        }
    }
    closedir(directory);
    assert_true(count > 10);
}

/* Of every input of a kernel that is too small for a file. */
static void compare_text(const char *name, const char *text, enum tx_arch arch)
{
    struct tx_settings settings;
    struct tx_kernel_options options;
    struct tx_program *program = NULL;
    struct tx_diag diag;
    tx_kernel *kernel;
    const struct tx_asm_options how = {.arch = arch};
    if (tx_assemble(text, strlen(text), &how, &program, &diag) != TX_OK) {
        fail_msg("%s:%u: %s", name, diag.line, diag.message);
    }
    tx_settings_default(&settings, arch);
    settings.mode = TX_MODE_SILICON;
    tx_kernel_options_default(&options);
    assert_int_equal(tx_kernel_open(&settings, program, &options, &kernel), TX_OK);
    assert_int_equal(tx_kernel_start(kernel), TX_OK);
    const char *level;
    for (size_t i = 0; (level = next_level(&i)) != NULL;) {
        compare(kernel, program, name, level);
    }
    tx_kernel_close(kernel);
    tx_program_free(program);
}

/* SFPLUTFP32's second cycle changes L7, which an SFPGT that gives no value has for its VD. */
static void test_compare_writes_nothing(void **cmocka)
{
    (void)cmocka;
    compare_text("compare",
                 ".init\n.loadi L0, float(3.0)\n"
                 ".loadi L4, float(0.5)\n.loadi L7, 7\n.tile\n"
                 "sfpload L3,0,3,3\n"
                 "sfplutfp32 L5,12\n"
                 "sfpgt L7,L4,0,1\n"
                 "sfpnop\n"
                 "sfpstore L7,0,3,3\n",
                 TX_BLACKHOLE);
}

/* Multiply-adds with constants that change a zero's sign, or do not: each sign of each operand. */
static void test_signs_of_zero(void **cmocka)
{
    static const char *const operands[] = {
        "L0,L0,L9",  "L0,L11,L9", "L0,L10,L9", "L10,L0,L9", "L0,L10,L0", "L10,L0,L0", "L0,L11,L0",
        "L11,L0,L9", "L0,L9,L9",  "L0,L9,L6",  "L0,L1,L6",  "L0,L10,L6", "L10,L0,L6", "L10,L0,L1"};
    char text[256];
    (void)cmocka;
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        for (size_t i = 0; i < sizeof operands / sizeof operands[0]; i++) {
            for (unsigned mode = 0; mode < (arch == TX_BLACKHOLE ? 4u : 1u); mode++) {
                snprintf(text, sizeof text,
                         ".inputs 2\n.tile\n"
                         ".loadi L6, 0x80000000\n"
                         "sfpload L0,0,3,3\n"
                         "sfpload L1,64,3,3\n"
                         "sfpmad L2,%s,%u\nsfpnop\n"
                         "sfpstore L2,0,3,3\n",
                         operands[i], mode);
                compare_text(operands[i], text, arch);
            }
        }
    }
}

static void test_kernels(void **state)
{
    (void)state;
    each(TX_SOURCE_DIR "/examples/kernels");
}

static void test_macro_kernels(void **state)
{
    (void)state;
    each(TX_SOURCE_DIR "/examples/kernels/macro");
}

struct collected {
    size_t length;
    char text[16 * ROOM];
};

static void collect(void *user, const char *text, size_t length)
{
    struct collected *to = user;
    assert_true(to->length + length < sizeof to->text);
    memcpy(to->text + to->length, text, length);
    to->length += length;
    to->text[to->length] = '\0';
}

/* Compiled, plans of a whole tile are cut into parts; those of one vector for all are not. */
static bool is_in_parts(const char *name, enum tx_arch arch)
{
    static struct collected source;
    char path[512];
    struct tx_settings settings;
    struct tx_kernel_options options;
    tx_kernel *kernel;
    tx_fast *fast;
    snprintf(path, sizeof path, "%s/examples/kernels/%s.s", TX_SOURCE_DIR, name);
    struct tx_program *program = load(path, arch);
    tx_settings_default(&settings, arch);
    tx_kernel_options_default(&options);
    assert_int_equal(tx_kernel_open(&settings, program, &options, &kernel), TX_OK);
    assert_int_equal(tx_kernel_start(kernel), TX_OK);
    assert_int_equal(tx_fast_open(kernel, NULL, &fast, NULL), TX_OK);
    source.length = 0;
    assert_int_equal(tx_fast_source(fast, collect, &source), TX_OK);
    assert_non_null(strstr(source.text, "void tensix_tile("));
    tx_fast_close(fast);
    tx_kernel_close(kernel);
    tx_program_free(program);
    return strstr(source.text, "void part0(") != NULL;
}

/* Rows that share nothing, though registers are used again from row to row. */
static void test_one_vector_for_all(void **state)
{
    static const char *const one[] = {"exp",
                                      "gelu", /* constants loaded in halves */
                                      "log",
                                      "where", /* if and else fill a register */
                                      "macro/i32_to_fp32",
                                      "macro/u32_to_fp32"}; /* L7 is 0 or 1 */
    static const char *const whole[] = {"cumsum", "topk", "dropout"};
    (void)state;
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        for (size_t i = 0; i < sizeof one / sizeof one[0]; i++) {
            assert_false(is_in_parts(one[i], arch));
        }
        for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++) {
            assert_true(is_in_parts(whole[i], arch));
        }
    }
}

int main(int argc, char **argv)
{
    size_t levels = 0;
    only = argc > 1 ? argv[1] : NULL;
    if (next_level(&levels) == NULL) {
        fprintf(stderr, "test_fast: no level %s here\n", only);
        return 2;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels), cmocka_unit_test(test_macro_kernels),
        cmocka_unit_test(test_one_vector_for_all), cmocka_unit_test(test_compare_writes_nothing),
        cmocka_unit_test(test_signs_of_zero)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
