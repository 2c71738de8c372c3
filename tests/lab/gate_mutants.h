/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels that lack one instruction. Each line of a kernel file with an instruction is left out
 * once, in all rows that it makes. A mutant that gives another result than its original for any of
 * some tiles of random data, run one after another with state carried, must fail the gates: compare
 * with its original, and the sweep with the original's own largest error as the limit.
 */
#ifndef TESTS_GATE_MUTANTS_H
#define TESTS_GATE_MUTANTS_H

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tensix-lab/compare.h>
#include <tensix-lab/sweep.h>

/* The example kernels with conditions. */
static const char *const predicated[] = {"dropout.s",
                                         "fp32_to_int32.s",
                                         "le.s",
                                         "log.s",
                                         "reciprocal.s",
                                         "reciprocal_wh.s",
                                         "sqrt.s",
                                         "where.s",
                                         "fit/log_bf16.s",
                                         "fit/log_fp32.s",
                                         "macro/max_i32.s",
                                         "macro/u32_to_u16.s",
                                         "macro/where.s",
                                         "macro/where_distinct.s"};
enum { PREDICATED = sizeof predicated / sizeof predicated[0], MUTANT_TILES = 4 };

struct mutant_counts {
    unsigned mutants, other; /* all; those with another result */
    unsigned compare_missed, sweeps, sweep_missed, within;
};

static char *mutant_text(const char *file)
{
    char path[512];
    snprintf(path, sizeof path, "%s/examples/kernels/%s", TX_SOURCE_DIR, file);
    FILE *f = fopen(path, "r");
    char *text = calloc(1, 1 << 16);
    if (f == NULL || text == NULL || fread(text, 1, (1 << 16) - 1, f) == 0) {
        abort();
    }
    fclose(f);
    return text;
}

static struct tx_program *mutant_assembled(const char *text, enum tx_arch arch)
{
    struct tx_diag diag;
    struct tx_program *program = NULL;
    const struct tx_asm_options how = {.arch = arch};
    return tx_assemble(text, strlen(text), &how, &program, &diag) == TX_OK ? program : NULL;
}

/* The text without its instruction number n; NULL: it has no more. */
static char *mutant_without(const char *text, unsigned n)
{
    for (const char *line = text; *line != '\0';) {
        const char *end = strchr(line, '\n');
        end = end != NULL ? end + 1 : line + strlen(line);
        const char *word = line + strspn(line, " \t");
        if (strncmp(word, "sfp", 3) == 0 || strncmp(word, "tt", 2) == 0 ||
            strncmp(word, ".loadi", 6) == 0) {
            if (n-- == 0) {
                char *other = calloc(1, strlen(text) + 1);
                memcpy(other, text, (size_t)(line - text));
                strcat(other, end);
                return other;
            }
        }
        line = end;
    }
    return NULL;
}

static uint32_t mutant_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 32);
}

/* Runs tiles with state carried; false where the kernel stops. */
static bool mutant_run(const struct tx_program *program, uint32_t *out)
{
    struct tx_settings settings;
    struct tx_kernel_options options;
    uint32_t in[3][TX_TILE_ELEMENTS];
    const uint32_t *inputs[16] = {in[0], in[1], in[2]};
    tx_kernel *kernel = NULL;
    uint64_t state = 1;
    tx_settings_default(&settings, tx_program_arch(program));
    settings.max_cycles = 1000000;
    tx_kernel_options_default(&options);
    options.carry = true;
    bool good = tx_kernel_open(&settings, program, &options, &kernel) == TX_OK &&
                tx_kernel_start(kernel) == TX_OK;
    for (unsigned tile = 0; tile < MUTANT_TILES && good; tile++) {
        for (unsigned i = 0; i < 3 * TX_TILE_ELEMENTS; i++) {
            const uint32_t word = mutant_random(&state);
            const bool plain = (mutant_random(&state) & 3u) != 0;
            uint32_t *to = &in[i / TX_TILE_ELEMENTS][i % TX_TILE_ELEMENTS];
            *to = plain ? (word & 0x807FFFFFu) | (120u + (word >> 24 & 15u)) << 23 : word;
            *to = tx_dst_encode(tx_kernel_dst(kernel), *to, &(bool){false});
        }
        good = tx_kernel_tile(kernel, tile, inputs, out + tile * TX_TILE_ELEMENTS) == TX_OK;
    }
    tx_kernel_close(kernel);
    return good;
}

/*
 * Of three inputs the first is the condition of where: zero, or a normal number, since the chips
 * and the reference do not agree on whether a denormal number is zero.
 */
static const char *mutant_domain(unsigned inputs)
{
    return inputs > 2 ? "bf16:-8:-0.5,0:0,0.5:8xbf16xbf16" : inputs > 1 ? "bf16xbf16" : NULL;
}

static bool mutant_sweep(const struct tx_program *program, double limit, double *max, bool *passed)
{
    struct txl_error err = {0};
    struct txl_sweep_figures f = {.size = sizeof f};
    struct txl_sweep_about about = {.size = sizeof about};
    const unsigned inputs = tx_program_inputs(program);
    const struct txl_sweep_options o = {.size = sizeof o,
                                        .kernel = "kernel",
                                        .program = program,
                                        .engine = TXL_ENGINE_FAST,
                                        .domain = mutant_domain(inputs),
                                        .sample = inputs > 1 ? 65536 : 0,
                                        .jobs = 1,
                                        .has_max_ulp = true,
                                        .max_ulp = limit};
    txl_sweep *sweep = NULL;
    const bool good = txl_sweep_open(&err, &o, &sweep) == TXL_OK &&
                      txl_sweep_run(&err, sweep) == TXL_OK &&
                      txl_sweep_finish(&err, sweep) == TXL_OK;
    if (good) {
        txl_sweep_figures(sweep, &f);
        txl_sweep_about(sweep, &about);
        *max = f.max_ulp;
    }
    *passed = good && about.passed;
    txl_sweep_close(sweep);
    return good;
}

static bool mutant_identical(const struct tx_program *a, const struct tx_program *b)
{
    const unsigned inputs = tx_program_inputs(a);
    const struct txl_sweep_options both = {.size = sizeof both,
                                           .engine = TXL_ENGINE_FAST,
                                           .domain = mutant_domain(inputs),
                                           .sample = inputs > 1 ? 65536 : 0,
                                           .jobs = 1};
    const struct txl_compare_options o = {
        .size = sizeof o, .both = &both, .a = "a", .b = "b", .program_a = a, .program_b = b};
    struct txl_compare_result r = {.size = sizeof r};
    struct txl_error err = {0};
    txl_compare *compare = NULL;
    const bool good =
        txl_compare_open(&err, &o, &compare) == TXL_OK && txl_compare_run(&err, compare) == TXL_OK;
    if (good) {
        txl_compare_result(compare, &r);
    }
    txl_compare_close(compare);
    return good && r.differing == 0;
}

/* One mutant beside its original, whose largest error is max; below 0: it has no sweep. */
static void mutant_judge(struct mutant_counts *counts, const struct tx_program *right,
                         const struct tx_program *wrong, double max, const char *name, unsigned n)
{
    static uint32_t out[2][MUTANT_TILES * TX_TILE_ELEMENTS];
    counts->mutants++;
    if (mutant_run(right, out[0]) && mutant_run(wrong, out[1]) &&
        memcmp(out[0], out[1], sizeof out[0]) == 0) {
        return;
    }
    counts->other++;
    if (mutant_identical(right, wrong)) {
        counts->compare_missed++;
        printf("%s without instruction %u: compare finds it identical\n", name, n);
    }
    if (max >= 0.0) {
        double own = 0.0;
        bool passed = false;
        (void)mutant_sweep(wrong, max, &own, &passed);
        counts->sweeps++;
        /* Without its rounding to BF16 the logarithm is within the 1 ULP that it has with it. */
        const bool within = strcmp(name, "fit/log_bf16.s") == 0 && n == 29 && own <= max;
        counts->within += passed && within ? 1 : 0;
        if (passed && !within) {
            counts->sweep_missed++;
            printf("%s without instruction %u: the sweep passes with %g of %g ULP\n", name, n, own,
                   max);
        }
    }
}

/* Every step-th mutant of a kernel file, from first on. */
static void mutants_of(struct mutant_counts *counts, const char *file, enum tx_arch arch,
                       unsigned first, unsigned step)
{
    char *text = mutant_text(file);
    struct tx_program *right = mutant_assembled(text, arch);
    double max = -1.0;
    bool passed = false;
    if (right != NULL && tx_program_arch(right) == arch) {
        if (tx_program_reference(right)[0] != '\0' && mutant_sweep(right, 1e300, &max, &passed) &&
            !passed) {
            max = -1.0; /* the original has no gate that it passes */
        }
        char *other;
        for (unsigned n = first; (other = mutant_without(text, n)) != NULL; n += step) {
            struct tx_program *wrong = mutant_assembled(other, arch);
            if (wrong != NULL) {
                mutant_judge(counts, right, wrong, max, file, n);
            }
            tx_program_free(wrong);
            free(other);
        }
    }
    tx_program_free(right);
    free(text);
}

#endif
