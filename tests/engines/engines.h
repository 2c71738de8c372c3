/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One kernel on every engine: the reference engine's output is what all levels of the fast engine
 * must give, and, if asked for, compiled code of the best one; or all of them must refuse the
 * kernel, for the same reason.
 */
#ifndef TESTS_ENGINES_ENGINES_H
#define TESTS_ENGINES_ENGINES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <tensix/tensix.h>

#include <tensix-lab/engine.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TILES = 5, VALUES = TILES * TX_TILE_ELEMENTS, INPUTS = 2, FIRST = 3 };

/* A kernel, its settings, and what the reference engine makes of its input. */
struct subject {
    struct tx_settings settings;
    struct tx_program *program;
    tx_kernel *kernel;
    const char *name;
    uint32_t in[INPUTS][VALUES], want[VALUES];
    uint64_t findings; /* of all tiles */
};

static uint32_t subject_random(uint64_t *s)
{
    *s += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t x = *s;
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)((x ^ (x >> 31)) >> 16);
}

/* Zeros, denormals and other special values, and everyday ones. */
static uint32_t subject_value(uint64_t *s)
{
    static const uint32_t special[] = {0,          0x80000000, 0x00000001, 0x807FFFFF, 0x3F800000,
                                       0xBF800000, 0x00800000, 0x7F800000, 0x42000000, 0xC0490FDB};
    const uint32_t r = subject_random(s);
    const uint32_t pick = subject_random(s);
    return pick % 4 == 0 ? special[r % (sizeof special / sizeof special[0])]
                         : (r & 0x807FFFFFu) | (119u + (pick >> 8 & 15u)) << 23;
}

/* rule NULL: the default ones. */
static struct subject *subject_open(const char *name, const char *text, enum tx_arch arch,
                                    const char *rule, unsigned thread)
{
    struct subject *s = calloc(1, sizeof *s);
    const struct tx_asm_options how = {.arch = arch};
    struct tx_kernel_options options;
    struct tx_diag diag;
    uint64_t random = 1;
    assert_non_null(s);
    s->name = name;
    tx_settings_default(&s->settings, arch);
    if (rule != NULL && tx_settings_rule(&s->settings, rule) != TX_OK) {
        fail_msg("there is no rule %s", rule);
    }
    if (tx_assemble(text, strlen(text), &how, &s->program, &diag) != TX_OK) {
        fail_msg("%s:%u: %s: %s", name, diag.line, diag.source, diag.message);
    }
    tx_kernel_options_default(&options);
    options.seed = 7;
    options.thread = thread;
    assert_int_equal(tx_kernel_open(&s->settings, s->program, &options, &s->kernel), TX_OK);
    if (strstr(text, "ttloadind") != NULL) { /* the others need no memory, which engines refuse */
        assert_int_equal(tx_l1_allocate(tx_kernel_machine(s->kernel)), TX_OK);
    }
    assert_int_equal(tx_kernel_start(s->kernel), TX_OK);
    assert_true(tx_program_inputs(s->program) <= INPUTS);
    for (unsigned i = 0; i < INPUTS; i++) {
        for (unsigned e = 0; e < VALUES; e++) {
            s->in[i][e] = subject_value(&random);
        }
    }
    return s;
}

static void subject_close(struct subject *s)
{
    tx_kernel_close(s->kernel);
    tx_program_free(s->program);
    free(s);
}

static void subject_reference(struct subject *s)
{
    const tx_machine *m = tx_kernel_machine(s->kernel);
    for (unsigned tile = 0; tile < TILES; tile++) {
        const size_t at = (size_t)tile * TX_TILE_ELEMENTS;
        const uint32_t *const tiles[INPUTS] = {s->in[0] + at, s->in[1] + at};
        assert_int_equal(tx_kernel_tile(s->kernel, FIRST + tile, tiles, s->want + at), TX_OK);
    }
    for (size_t i = 0; i < tx_finding_count(m); i++) {
        s->findings += tx_finding_at(m, i)->count;
    }
}

static void subject_compare(const struct subject *s, tx_fast *fast, const char *engine)
{
    static uint32_t got[VALUES];
    const uint32_t *const inputs[INPUTS] = {s->in[0], s->in[1]};
    tx_fast_worker *worker;
    memset(got, 0xA5, sizeof got);
    assert_int_equal(tx_fast_worker_open(fast, &worker), TX_OK);
    assert_int_equal(tx_fast_run(worker, FIRST, TILES, inputs, got), TX_OK);
    tx_fast_worker_close(worker);
    for (unsigned i = 0; i < VALUES; i++) {
        if (got[i] != s->want[i]) {
            fail_msg("%s on %s, %s: tile %u element %u: reference %08X, fast %08X", s->name,
                     tx_arch_name(s->settings.arch), engine, i / TX_TILE_ELEMENTS,
                     i % TX_TILE_ELEMENTS, (unsigned)s->want[i], (unsigned)got[i]);
        }
    }
}

/* A cache for compiled kernels that is empty, until the end. */
static char subject_cache[] = "/tmp/tensix-engines-XXXXXX";
static txl_compiler *subject_compiler;

static int subject_begin(void **state)
{
    const struct txl_compiler_options options = {.size = sizeof options,
                                                 .cache = subject_cache,
                                                 .command = getenv("CC"),
                                                 .path = getenv("PATH")};
    (void)state;
    return mkdtemp(subject_cache) == NULL ||
           txl_compiler_open(NULL, &options, &subject_compiler) != TXL_OK;
}

/* The engines' common reason to refuse it, or NULL: all of them gave what the reference did. */
static const char *subject_engines(struct subject *s, bool compiled)
{
    const char *common = NULL;
    for (size_t i = 0; tx_fast_level(i) != NULL; i++) {
        tx_fast *fast;
        const char *reason = NULL;
        const enum tx_status status = tx_fast_open(s->kernel, tx_fast_level(i), &fast, &reason);
        assert_true(status == TX_OK || status == TX_EUNSUPPORTED);
        assert_true((status == TX_OK) == (reason == NULL));
        assert_true(i == 0 || (common == NULL) == (reason == NULL));
        if (reason != NULL) {
            assert_true(i == 0 || strcmp(common, reason) == 0);
            assert_null(strstr(reason, "please report"));
            common = reason;
            continue;
        }
        subject_compare(s, fast, tx_fast_level(i));
        struct txl_error why = {.status = TXL_OK};
        if (i == 0 && compiled) {
            if (txl_compile(&why, subject_compiler, fast) != TXL_OK) {
                fail_msg("%s: %s", s->name, why.message);
            }
            subject_compare(s, fast, "compiled");
        }
        tx_fast_close(fast);
    }
    return common;
}

static int subject_end(void **state)
{
    char command[64];
    (void)state;
    txl_compiler_close(subject_compiler);
    snprintf(command, sizeof command, "rm -r %s", subject_cache);
    return system(command);
}

#endif
