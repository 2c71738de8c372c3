/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a kernel at a point. Where possible, one schedule of the fast engine serves all points. To
 * find which constants of the schedule depend on .free constants, the kernel is assembled with
 * other values; workers then set these constants. The dependence that was found is checked against
 * kernels assembled at further points. Otherwise each point is assembled and scheduled anew.
 */
#include "fit/fit.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { TRIES = 4, CHECKS = 3 };

static void close_built(struct fit_built *b)
{
    tx_fast_worker_close(b->worker);
    tx_fast_close(b->fast);
    tx_kernel_close(b->kernel);
    tx_program_free(b->program);
    *b = (struct fit_built){.program = NULL};
}

int fit_build(struct txl_error *err, const struct txl_fit *fit, const struct fit_point *point,
              struct tx_program **program)
{
    const struct txl_kernel_options how = {
        .size = sizeof how, .arch = fit->options.arch, .start = fit->options.start};
    size_t size = 0;
    char *text = fit_source_at(fit, point, &size);
    if (text == NULL) {
        return no_memory(err);
    }
    const int result = txl_kernel_assemble(err, fit->options.kernel, text, size, &how, program);
    free(text);
    return result == TXL_OK ? TXL_CONTINUE : result;
}

/*
 * Assembles and starts the kernel at a point. words are the constants that shall be variable in its
 * schedule.
 */
static bool build(const struct txl_fit *fit, const struct tx_kernel_options *options,
                  const struct fit_point *point, const uint32_t *words, unsigned count,
                  struct fit_built *b)
{
    struct txl_error err = {.status = 0};
    *b = (struct fit_built){.program = NULL};
    if (fit_build(&err, fit, point, &b->program) != TXL_CONTINUE ||
        tx_kernel_open(&fit->settings, b->program, options, &b->kernel) != TX_OK ||
        tx_kernel_start(b->kernel) != TX_OK) {
        close_built(b);
        return false;
    }
    if (tx_fast_vary_open(b->kernel, NULL, words, count, &b->fast, NULL) == TX_OK &&
        tx_fast_worker_open(b->fast, &b->worker) != TX_OK) {
        close_built(b);
        return false;
    }
    return true;
}

/* ---- what a constant of the schedule depends on ---- */

static uint32_t part_of(const struct tx_free_constant *f, unsigned part, unsigned shift,
                        uint32_t bits)
{
    switch ((enum fit_part)part) {
    case PART_SHIFT:
        return bits << shift;
    case PART_HIGH:
        return bits & 0xFFFF0000U;
    case PART_LOW:
        return bits & 0xFFFFU;
    case PART_DOWN:
        return bits >> 16;
    case PART_FP32:
        return tx_free_fp32(f->kind, bits);
    case PART_NONE:
        break;
    }
    return 0;
}

/*
 * Finds how a constant of the schedule, with values a and b, depends on a .free constant whose bits
 * were bits_a and bits_b.
 */
static bool find_part(const struct tx_free_constant *f, uint32_t bits_a, uint32_t bits_b,
                      uint32_t a, uint32_t b, uint8_t *part, uint8_t *shift)
{
    for (unsigned p = PART_SHIFT; p <= PART_FP32; p++) {
        for (unsigned s = 0; s < (p == PART_SHIFT ? 32U : 1U); s++) {
            const uint32_t difference = part_of(f, p, s, bits_a) ^ part_of(f, p, s, bits_b);
            if (difference == (a ^ b)) {
                *part = (uint8_t)p;
                *shift = (uint8_t)s;
                return true;
            }
        }
    }
    return false;
}

static uint32_t bits_at(const struct txl_fit *fit, const struct fit_point *point, unsigned k)
{
    return tx_free_bits(fit->free[k].kind, point->at[k]);
}

static uint32_t word_at(const struct txl_fit *fit, const struct fit_word *word,
                        const struct fit_point *point)
{
    uint32_t value = word->rest;
    for (unsigned k = 0; k < fit->count; k++) {
        if (word->part[k] != PART_NONE) {
            value ^= part_of(&fit->free[k], word->part[k], word->shift[k], bits_at(fit, point, k));
        }
    }
    return value;
}

/* Makes a point with a distinct value for each constant, not far from the original one. */
static struct fit_point strange(const struct txl_fit *fit, uint64_t *random)
{
    static const uint8_t bits[TX_FREE_KINDS] = {20, 5, 8, 4, 8, 8};
    struct fit_point p;
    for (unsigned k = 0; k < fit->count; k++) {
        const struct tx_free_constant *f = &fit->free[k];
        const int64_t spread = INT64_C(1) << bits[f->kind];
        int64_t low;
        int64_t high;
        tx_free_limits(f->kind, &low, &high);
        p.at[k] = f->order + (int64_t)(fit_random(random) % (uint64_t)(2 * spread)) - spread;
        p.at[k] = p.at[k] < low ? low : p.at[k] > high ? high : p.at[k];
        p.at[k] += p.at[k] == 0;
        p.at[k] = tx_free_order(f->kind, tx_free_bits(f->kind, p.at[k]));
    }
    return p;
}

/* Finds which constants of schedule a depend on the .free constant k, and how. */
static bool find_words(const struct txl_fit *fit, struct fit_engine *e, const struct fit_built *a,
                       const struct fit_point *at, unsigned k, struct fit_word *words)
{
    struct fit_point other = *at;
    struct fit_built b;
    uint64_t random = k + 1;
    while (other.at[k] == at->at[k]) {
        other.at[k] = strange(fit, &random).at[k];
    }
    if (!build(fit, &e->options, &other, NULL, 0, &b)) {
        return false;
    }
    const size_t count = tx_fast_constant_count(a->fast);
    bool good = b.fast != NULL && tx_fast_constant_count(b.fast) == count;
    for (size_t i = 0; good && i < count; i++) {
        const uint32_t x = tx_fast_constant(a->fast, i);
        const uint32_t y = tx_fast_constant(b.fast, i);
        good = x == y || find_part(&fit->free[k], bits_at(fit, at, k), bits_at(fit, &other, k), x,
                                   y, &words[i].part[k], &words[i].shift[k]);
    }
    close_built(&b);
    return good;
}

/* Collects the words that vary, with their values at the point. */
static bool take_words(const struct txl_fit *fit, struct fit_engine *e, const struct fit_built *a,
                       const struct fit_point *at, struct fit_word *all, uint32_t *now)
{
    e->words = 0;
    for (size_t i = 0; i < tx_fast_constant_count(a->fast); i++) {
        bool any = false;
        for (unsigned k = 0; k < fit->count; k++) {
            any = any || all[i].part[k] != PART_NONE;
        }
        if (any) {
            if (e->words == TX_FAST_VARY) {
                return false;
            }
            const uint32_t value = tx_fast_constant(a->fast, i);
            all[i].rest = value ^ word_at(fit, &all[i], at);
            e->word[e->words] = all[i];
            now[e->words++] = value;
        }
    }
    return e->words != 0;
}

static bool vary_at(const struct txl_fit *fit, struct fit_engine *e, const struct fit_point *at)
{
    uint32_t now[TX_FAST_VARY];
    struct fit_built a;
    if (!build(fit, &e->options, at, NULL, 0, &a) || a.fast == NULL) {
        close_built(&a);
        return false;
    }
    struct fit_word *all = calloc(tx_fast_constant_count(a.fast), sizeof *all);
    bool good = all != NULL;
    for (unsigned k = 0; good && k < fit->count; k++) {
        good = find_words(fit, e, &a, at, k, all);
    }
    good = good && take_words(fit, e, &a, at, all, now);
    free(all);
    close_built(&a);
    if (good && build(fit, &e->options, at, now, e->words, &e->varied)) {
        good = e->varied.fast != NULL;
    }
    if (!good) {
        close_built(&e->varied);
    }
    return good;
}

/* ---- slots ---- */

const char fit_stops_text[] = "the kernel does not run at other values";

bool fit_stops(struct txl_fit *fit)
{
    (void)txl_refuse(&fit->failure, TXL_NEGATIVE, "%s", fit_stops_text);
    return false;
}

bool fit_engine_set(struct txl_fit *fit, struct fit_engine *e, unsigned slot,
                    const struct fit_point *point)
{
    struct fit_built *b = &e->slot[slot];
    if (e->varied.fast == NULL) {
        close_built(b);
        return build(fit, &e->options, point, NULL, 0, b);
    }
    for (unsigned i = 0; i < e->words; i++) {
        tx_fast_vary(b->worker, i, word_at(fit, &e->word[i], point));
    }
    return true;
}

bool fit_engine_run(struct fit_engine *e, unsigned slot, const struct fit_data *data, size_t first,
                    size_t count, uint32_t *output)
{
    const struct fit_built *b = &e->slot[slot];
    const uint32_t *in[16] = {NULL};
    for (unsigned i = 0; i < FIT_INPUTS; i++) {
        in[i] = data->in[i] != NULL ? data->in[i] + first * FIT_TILE : NULL;
    }
    if (b->worker != NULL) {
        return tx_fast_run(b->worker, 0, count, in, output) == TX_OK;
    }
    bool good = true;
    for (size_t tile = 0; good && tile < count; tile++) {
        good = tx_kernel_tile(b->kernel, 0, in, output + tile * FIT_TILE) == TX_OK;
        for (unsigned i = 0; i < FIT_INPUTS; i++) {
            in[i] = in[i] != NULL ? in[i] + FIT_TILE : NULL;
        }
    }
    return good;
}

/* Checks that the variable schedule computes the same as the assembled kernel. */
static bool same_at(struct txl_fit *fit, struct fit_engine *e, const struct fit_point *point)
{
    struct fit_engine plain = {.options = e->options};
    uint32_t a[FIT_TILE], b[FIT_TILE];
    struct fit_built built;
    if (!build(fit, &e->options, point, NULL, 0, &built)) {
        return false;
    }
    plain.slot = &built;
    const bool good = fit_engine_set(fit, e, 0, point) &&
                      fit_engine_run(e, 0, &fit->data, 0, 1, a) &&
                      fit_engine_run(&plain, 0, &fit->data, 0, 1, b) && memcmp(a, b, sizeof a) == 0;
    close_built(&built);
    return good;
}

static bool open_workers(struct fit_engine *e)
{
    bool good = e->varied.fast != NULL; /* none without memory, either */
    for (unsigned i = 0; good && i < e->slots; i++) {
        good = tx_fast_worker_open(e->varied.fast, &e->slot[i].worker) == TX_OK;
    }
    return good;
}

static void close_slots(struct fit_engine *e)
{
    for (unsigned i = 0; i < e->slots; i++) {
        close_built(&e->slot[i]);
    }
    close_built(&e->varied);
}

int fit_engine_open(struct txl_error *err, struct txl_fit *fit,
                    const struct tx_kernel_options *options, struct fit_engine *e)
{
    uint64_t random = 0x5EED;
    *e = (struct fit_engine){.options = *options, .slots = fit->jobs};
    e->slot = zeroed(err, e->slots, sizeof *e->slot);
    if (e->slot == NULL) {
        return TXL_INPUT;
    }
    for (unsigned i = 0; i < TRIES; i++) {
        const struct fit_point at = strange(fit, &random);
        bool good = vary_at(fit, e, &at) && open_workers(e);
        for (unsigned c = 0; good && c < CHECKS; c++) {
            const struct fit_point other = c == 0 ? fit->start : strange(fit, &random);
            good = same_at(fit, e, &other);
        }
        if (good) {
            return TXL_CONTINUE;
        }
        close_slots(e);
    }
    return TXL_CONTINUE;
}

void fit_engine_close(struct fit_engine *e)
{
    if (e->slot != NULL) {
        close_slots(e);
        free(e->slot);
    }
    *e = (struct fit_engine){.slots = 0};
}
