/* SPDX-License-Identifier: Apache-2.0 */
/* Whoever closes what lab has made has given back all memory; the allocator counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tensix-lab/chip.h>
#include <tensix-lab/opt.h>
#include <tensix-lab/reference.h>
#include <tensix-lab/sweep.h>
#include <tensix/asm.h>

#include <sys/stat.h>
#include <unistd.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1 /* clang */
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif

#if defined(__GLIBC__) && !defined(SANITIZED)
#define HAVE_ALLOCATOR 1

/* glibc's own, under the names that it exports for this. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

static _Atomic long alive;

static void *counted(void *memory)
{
    alive += memory != NULL;
    return memory;
}

void *malloc(size_t size)
{
    return counted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return counted(__libc_calloc(count, size));
}

void *realloc(void *old, size_t size)
{
    void *memory = __libc_realloc(old, size);
    return old == NULL ? counted(memory) : memory;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return counted(__libc_memalign(alignment, size));
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    *memory = aligned_alloc(alignment, size);
    return *memory != NULL ? 0 : 12;
}

void free(void *memory)
{
    alive -= memory != NULL;
    __libc_free(memory);
}
#endif

/* A row at a time: one that can be scheduled, and one that jumps, which stays as it is. */
static const char *const kernels[] = {
    ".dst fp32\n.tile\nA = 0\n.rept 32\nsfpload L0,A,3,3\nsfpmul L1,L0,L0,0\nsfpnop\n"
    "sfpstore L1,A,3,3\nA = A + 2\n.endr\n",
    ".dst fp32\n.tile\nsfpload L0,0,3,3\nsfpsetcc L0,0,0\nsfpmov L1,L0,1\nsfpencc 3,10\n"
    "sfpstore L1,0,3,3\n"};

static void find(enum tx_arch arch, const char *text)
{
    const struct tx_asm_options how = {.arch = arch};
    struct tx_program *program = NULL;
    struct tx_diag diag;
    const struct txl_opt_options options = {.size = sizeof options, .sample = 64};
    struct txl_error err = {.status = TXL_OK};
    txl_opt *opt = NULL;
    struct txl_opt_result result = {.size = sizeof result};
    if (tx_assemble(text, strlen(text), &how, &program, &diag) != TX_OK) {
        fail_msg("line %u: %s", diag.line, diag.message);
    }
    if (txl_opt_find(&err, program, &options, &opt) != TXL_OK) {
        fail_msg("%s", err.message);
    }
    txl_opt_result(opt, &result);
    assert_non_null(txl_opt_text(opt));
    txl_opt_close(opt);
    tx_program_free(program);
    txl_error_clear(&err);
}

/* A kernel with SFPLOADMACRO, which is written out first. */
static const char *macro_kernel(void)
{
    static char text[1 << 14];
    FILE *f = fopen(TX_SOURCE_DIR "/examples/kernels/macro/recip_7bit.s", "rb");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    return text;
}

static void test_opt(void **state)
{
    (void)state;
#ifdef HAVE_ALLOCATOR
    const char *const texts[] = {kernels[0], kernels[1], macro_kernel()};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        find(TX_BLACKHOLE, texts[i]); /* what libraries keep for ever is kept now */
        const long before = alive;
        find(TX_BLACKHOLE, texts[i]);
        assert_int_equal(alive, before);
    }
#else
    skip(); /* the sanitizer has the allocator, and finds what is lost itself */
#endif
}

/* Asks a program that is called gnuplot and does nothing. */
static void test_plot(void **state)
{
    (void)state;
#ifdef HAVE_ALLOCATOR
    char folder[] = "/tmp/tensix-memory-XXXXXX";
    char program[64];
    struct txl_sweep_options options = {.size = sizeof options};
    struct txl_error err = {.status = TXL_OK};
    long before = 0;
    assert_non_null(mkdtemp(folder));
    snprintf(program, sizeof program, "%s/gnuplot", folder);
    FILE *f = fopen(program, "w");
    assert_non_null(f);
    fputs("#!/bin/sh\n", f);
    fclose(f);
    assert_int_equal(chmod(program, 0700), 0);
    options.path = folder;
    for (int i = 0; i < 2; i++) {
        before = alive;
        assert_int_equal(txl_sweep_check_plot(&err, &options), TXL_OK);
    }
    assert_int_equal(alive, before);
    unlink(program);
    rmdir(folder);
#else
    skip();
#endif
}

#ifdef HAVE_ALLOCATOR
/* A core that adds two words and rests, run under the profile and closed with what that kept. */
static void profile(const char *path)
{
    const struct txl_chip_options how = {.size = sizeof how,
                                         .product = "p150",
                                         .columns = 1,
                                         .rows = 1,
                                         .profile = true,
                                         .max_cycles = 100000};
    struct txl_error err = {.status = TXL_OK};
    txl_chip *chip = NULL;
    assert_int_equal(txl_chip_open(&err, &how, &chip), TXL_OK);
    assert_int_equal(txl_chip_elf(&err, chip, 0, 0, TX_CORE_T0, path), TXL_OK);
    if (txl_chip_run(&err, chip) != TXL_OK) {
        fail_msg("%s", err.message);
    }
    assert_non_null(txl_chip_profile(chip));
    txl_chip_close(chip);
}
#endif

static void test_chip_profile(void **state)
{
    (void)state;
#ifdef HAVE_ALLOCATOR
    /* lui a0,0x20; lw a1,0(a0); addi a1,a1,5; sw a1,4(a0); j . */
    static const uint32_t words[] = {0x00020537, 0x00052583, 0x00558593, 0x00B52223, 0x0000006F};
    char path[] = "/tmp/tensix-memory-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, words, sizeof words), sizeof words);
    close(file);
    long before = 0;
    for (int i = 0; i < 2; i++) {
        before = alive;
        profile(path);
    }
    assert_int_equal(alive, before);
    unlink(path);
#else
    skip();
#endif
}

#ifdef HAVE_ALLOCATOR
/* A function at numbers from 2^-6 to 2^10, which need more digits than others here and there. */
static void compute(const char *name)
{
    enum { COUNT = 256 };
    uint32_t in[COUNT];
    uint32_t out[COUNT];
    const uint32_t *const inputs[TXL_REFERENCE_INPUTS] = {in, in, in};
    struct txl_error err = {.status = TXL_OK};
    txl_reference *reference = NULL;
    for (uint32_t i = 0; i < COUNT; i++) {
        in[i] = (121u << 23) + i * 0x80000u + i * 0x9E37u % 0x80000u;
    }
    assert_int_equal(
        txl_reference_open(&err, name, TX_DST_FORMAT_FP32, TX_DST_FORMAT_FP32, &reference), TXL_OK);
    txl_reference_words(reference, inputs, COUNT, out, NULL);
    txl_reference_close(reference);
}
#endif

/* Every function that has a name, those of libraries with allocators of their own among them. */
static void test_references(void **state)
{
    (void)state;
#ifdef HAVE_ALLOCATOR
    const char *name;
    for (size_t i = 0; (name = txl_reference_name(i)) != NULL; i++) {
        long before = 0;
        for (int pass = 0; pass < 3; pass++) {
            before = alive;
            compute(name);
        }
        if (alive != before) {
            fail_msg("%s keeps %ld", name, alive - before);
        }
    }
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_opt), cmocka_unit_test(test_plot),
                                       cmocka_unit_test(test_chip_profile),
                                       cmocka_unit_test(test_references)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
