/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every allocation of the library fails in its turn: each call says TX_ENOMEM, gives nothing out
 * and keeps nothing. The program's own allocator counts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tensix-internal/fast_steps.h>
#include <tensix/tensix.h>

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

static size_t fail_at, calls; /* 0: none fails */
static long alive;

static void *counted(void *memory)
{
    alive += memory != NULL;
    return memory;
}

static bool fails(void)
{
    return ++calls == fail_at;
}

void *malloc(size_t size)
{
    return fails() ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : counted(__libc_calloc(count, size));
}

void *realloc(void *old, size_t size)
{
    void *memory = fails() ? NULL : __libc_realloc(old, size);
    return old == NULL ? counted(memory) : memory;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : counted(__libc_memalign(alignment, size));
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

static const char text[] = ".dst fp32\n"
                           ".rept 2\n"
                           ".endr\n"
                           "A = 4\n"
                           ".macro gap n=1\n"
                           "    .rept \\n\n"
                           "    sfpnop\n"
                           "    .endr\n"
                           ".endm\n"
                           ".tile\n"
                           "    sfpload L0, A, 3, 3\n"
                           "    sfpmul L1, L0, L0, 0\n"
                           "    gap 3\n"
                           "    sfpstore L1, A, 3, 3\n";

static void put(void *user, const char *piece, size_t length)
{
    (void)piece;
    *(size_t *)user += length;
}

/* What a program does, by the fast engine and by steps for a compiler. */
static enum tx_status again(tx_machine *machine, const struct tx_program *program)
{
    tx_fast_again *twice = NULL;
    tx_fast_steps *steps = NULL;
    const char *reason = NULL;
    size_t length = 0;
    enum tx_status status = tx_fast_steps_open(machine, NULL, &steps);
    assert_true((status == TX_OK) == (steps != NULL));
    for (int compiled = 0; compiled < 2 && status == TX_OK; compiled++) {
        status = tx_fast_again_begin(machine, &twice);
        if (status != TX_OK) {
            assert_null(twice);
            break;
        }
        status = tx_run(machine, 0, tx_program_words(program, 1), tx_program_count(program, 1));
        const enum tx_status end = compiled != 0 ? tx_fast_again_end_steps(twice, steps, &reason)
                                                 : tx_fast_again_end(twice, NULL, &reason);
        status = status == TX_OK ? end : status;
    }
    if (status == TX_OK) {
        status = tx_fast_steps_source(steps, 0, tx_fast_steps_count(steps), put, &length);
        assert_true(status != TX_OK || length > 100);
    }
    status = status == TX_OK ? tx_fast_steps_use(steps, 0, 0, NULL) : status;
    tx_fast_steps_close(steps);
    return status;
}

/* A tile with its cores and L1, and a machine with an L1 of its own. */
static enum tx_status tiles(enum tx_arch arch)
{
    struct tx_tensix_settings settings;
    tx_tensix *tile = NULL;
    tx_machine *machine = NULL;
    tx_tensix_settings_default(&settings, arch);
    enum tx_status status = tx_tensix_open(&settings, &tile);
    assert_true((status == TX_OK) == (tile != NULL));
    status = status == TX_OK ? tx_open(&settings.machine, &machine) : status;
    status = status == TX_OK ? tx_l1_allocate(machine) : status;
    tx_close(machine);
    tx_tensix_close(tile);
    return status;
}

/* All of it; the first status that is not TX_OK. Nothing stays. */
static enum tx_status everything(enum tx_arch arch)
{
    struct tx_asm_options options = {.arch = arch};
    struct tx_kernel_options how;
    struct tx_settings settings;
    struct tx_program *program = NULL;
    struct tx_program *joined = NULL;
    size_t length = 0;
    struct tx_diag diag = {0};
    tx_machine *machine = NULL;
    tx_kernel *kernel = NULL;
    tx_fast *fast = NULL;
    tx_fast_worker *worker = NULL;
    static uint32_t in[TX_TILE_ELEMENTS];
    static uint32_t out[TX_TILE_ELEMENTS];
    const uint32_t *inputs[] = {in};
    tx_settings_default(&settings, arch);
    tx_kernel_options_default(&how);
    enum tx_status status = tx_open(&settings, &machine);
    assert_true((status == TX_OK) == (machine != NULL));
    if (status == TX_OK) {
        status = tx_assemble(text, strlen(text), &options, &program, &diag);
        assert_true((status == TX_OK) == (program != NULL));
    }
    if (status == TX_OK) {
        status = tx_kernel_open(&settings, program, &how, &kernel);
        assert_true((status == TX_OK) == (kernel != NULL));
    }
    status = status == TX_OK ? tx_kernel_start(kernel) : status;
    status = status == TX_OK ? tx_kernel_tile(kernel, 0, inputs, out) : status;
    if (status == TX_OK) {
        status = tx_fast_open(kernel, NULL, &fast, NULL);
        assert_true((status == TX_OK) == (fast != NULL));
    }
    if (status == TX_OK) {
        status = tx_fast_worker_open(fast, &worker);
        assert_true((status == TX_OK) == (worker != NULL));
    }
    status = status == TX_OK ? tx_fast_run(worker, 0, 1, inputs, out) : status;
    status = status == TX_OK ? tx_fast_source(fast, put, &length) : status;
    status = status == TX_OK ? again(machine, program) : status;
    if (status == TX_OK) {
        const struct tx_program *const both[] = {program, program};
        status = tx_program_join(both, 2, &joined);
        assert_true((status == TX_OK) == (joined != NULL));
    }
    status = status == TX_OK ? tiles(arch) : status;
    tx_program_free(joined);
    tx_fast_worker_close(worker);
    tx_fast_close(fast);
    tx_kernel_close(kernel);
    tx_program_free(program);
    tx_close(machine);
    return status;
}

/* The build that checks itself leaves a comparison out for which there is no memory. */
#if defined(TX_CHECK)
enum { COMPARISONS_ALLOCATE = 1 };
#else
enum { COMPARISONS_ALLOCATE = 0 };
#endif

static void test_memory(void **state)
{
    (void)state;
#ifdef HAVE_ALLOCATOR
    static const enum tx_arch archs[] = {TX_BLACKHOLE, TX_WORMHOLE};
    for (size_t i = 0; i < 2; i++) {
        fail_at = calls = 0;
        assert_int_equal(everything(archs[i]), TX_OK);
        const size_t all = calls;
        assert_true(all > 8);
        for (size_t n = 1; n <= all; n++) {
            const long before = alive;
            calls = 0;
            fail_at = n;
            const enum tx_status status = everything(archs[i]);
            fail_at = 0;
            const bool told = status == TX_ENOMEM || (COMPARISONS_ALLOCATE && status == TX_OK);
            if (!told || alive != before) {
                fail_msg("allocation %zu of %zu: %s, %ld are kept", n, all, tx_status_text(status),
                         alive - before);
            }
        }
    }
#else
    skip(); /* the sanitizer has the allocator */
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
