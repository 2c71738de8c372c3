/* SPDX-License-Identifier: Apache-2.0 */
/* The public face of the fast engine: a kernel's schedule, and blocks of tiles run through it. */
#include <tensix/fast.h>

#include "fast/schedule.h"
#include "kernel.h"
#include "num/prng.h"
#include "state/dst.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

struct tx_fast {
    const tx_kernel *kernel;
    const struct fast_level *level;
    struct fast_schedule schedule;
    bool is_input[TX_DST_ROWS]; /* by number: filled from an input, whole, in every block */
};

struct tx_fast_worker {
    const tx_fast *fast;
    struct fast_block *block, *start;
    uint32_t *first;    /* what a block begins with: Dst rows as S has them */
    uint32_t *in, *out; /* inputs and result of a block that is not full */
};

/* ---- levels ---- */

static const struct fast_level *level_at(size_t index)
{
    const struct fast_level *have[3];
    size_t count = 0;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512cd")) {
        have[count++] = &fast_avx512;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        have[count++] = &fast_avx2;
    }
#elif defined(__aarch64__)
    have[count++] = &fast_neon;
#endif
    have[count++] = &fast_base;
    return index < count ? have[index] : NULL;
}

const char *tx_fast_level(size_t index)
{
    const struct fast_level *level = level_at(index);
    return level != NULL ? level->name : NULL;
}

static const struct fast_level *level_named(const char *name)
{
    const struct fast_level *level;
    for (size_t i = 0; (level = level_at(i)) != NULL; i++) {
        if (name == NULL || strcmp(level->name, name) == 0) {
            return level;
        }
    }
    return NULL;
}

/*
 * The multiply-add wants denormals as zero on both sides and rounding to nearest. Returns what the
 * thread had.
 */
static uint64_t arithmetic_begin(void)
{
    uint64_t old = 0;
#if defined(__x86_64__)
    old = _mm_getcsr();
    _mm_setcsr(0x9FC0u); /* both kinds of zero, no exception, nearest */
#elif defined(__aarch64__)
    __asm__ volatile("mrs %0, fpcr" : "=r"(old));
    const uint64_t flush = UINT64_C(1) << 24;
    __asm__ volatile("msr fpcr, %0" : : "r"(flush));
#endif
    return old;
}

static void arithmetic_end(uint64_t old)
{
#if defined(__x86_64__)
    _mm_setcsr((unsigned)old);
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"(old));
#else
    (void)old;
#endif
}

/* ---- the schedule ---- */

/* Any data do: what an instruction touches does not depend on them. */
static void sample(uint32_t values[TX_TILE_ELEMENTS])
{
    uint32_t x = 1;
    for (unsigned i = 0; i < TX_TILE_ELEMENTS; i++) {
        x = x * 1664525u + 1013904223u;
        values[i] = (x & 0x807FFFFFu) | (119u + (x >> 24 & 15u)) << 23;
    }
}

/* Runs a tile on a copy of the machine and notes every execution. */
static enum tx_status record(const tx_kernel *k, struct fast_recording *recording)
{
    static const uint32_t zero[TX_TILE_ELEMENTS];
    const uint32_t *inputs[16];
    uint32_t *values = malloc(2 * TX_TILE_ELEMENTS * sizeof *values);
    tx_kernel copy = *k;
    struct tx_settings settings = k->machine->settings;
    settings.sink.event = NULL;
    settings.mode = TX_MODE_SILICON; /* findings are the reference engine's business */
    enum tx_status status = tx_open(&settings, &copy.machine);
    if (status != TX_OK || values == NULL) {
        tx_close(copy.machine);
        free(values);
        return status != TX_OK ? status : TX_ENOMEM;
    }
    sample(values);
    for (unsigned i = 0; i < 16; i++) {
        inputs[i] = i == 0 ? values : zero;
    }
    copy.machine->on_exec = fast_record;
    copy.machine->on_exec_user = recording;
    copy.machine->state = k->start;
    status = tx_kernel_tile(&copy, 0, inputs, values + TX_TILE_ELEMENTS);
    if (status == TX_OK && copy.machine->state.pending_count != 0) {
        recording->reason = "the kernel leaves scheduled instructions behind";
    }
    tx_close(copy.machine);
    free(values);
    return status;
}

static void touch_tile(tx_fast *fast, unsigned tile, bool input)
{
    const tx_kernel *k = fast->kernel;
    const bool wide = k->options.dst == TX_DST_FP32 || k->options.dst == TX_DST_INT32;
    for (unsigned row = 0; row < 64; row++) {
        const unsigned at = kernel_row(k->machine, tile, row, k->options.dst);
        const uint16_t high = fast_row(&fast->schedule, at);
        const uint16_t low = wide ? fast_row(&fast->schedule, at + 8) : high;
        if (input) {
            fast->is_input[high] = fast->is_input[low] = true;
        }
    }
}

enum tx_status tx_fast_open(const tx_kernel *kernel, const char *level, tx_fast **out,
                            const char **reason)
{
    struct fast_recording recording = {.list = NULL};
    const struct fast_level *found = level_named(level);
    *out = NULL;
    if (reason != NULL) {
        *reason = NULL;
    }
    if (found == NULL) {
        return TX_ENOENT;
    }
    if (!kernel->started) {
        return TX_EINVAL;
    }
    tx_fast *fast = calloc(1, sizeof *fast);
    if (fast == NULL) {
        return TX_ENOMEM;
    }
    fast->kernel = kernel;
    fast->level = found;
    enum tx_status status = record(kernel, &recording);
    if (kernel->program->threaded) {
        recording.reason = "three threads run at once";
    }
    if (kernel->options.carry) {
        recording.reason = "state is carried from tile to tile";
    }
    if (status == TX_OK &&
        !fast_schedule(kernel->machine, &kernel->start, found, &recording, &fast->schedule)) {
        status = TX_ENOMEM;
    }
    free(recording.list);
    if (status == TX_OK && fast->schedule.reason != NULL) {
        status = TX_EUNSUPPORTED;
        if (reason != NULL) {
            *reason = fast->schedule.reason;
        }
    }
    if (status != TX_OK) {
        tx_fast_close(fast);
        return status;
    }
    for (unsigned i = 0; i < kernel->program->inputs; i++) {
        touch_tile(fast, i, true);
    }
    touch_tile(fast, kernel->program->output, false);
    *out = fast;
    return TX_OK;
}

void tx_fast_close(tx_fast *fast)
{
    if (fast != NULL) {
        free(fast->schedule.ops);
        free(fast);
    }
}

uint64_t tx_fast_instructions(const tx_fast *fast)
{
    return fast->schedule.instructions;
}

size_t tx_fast_batch(void)
{
    return FAST_TILES;
}

/* ---- workers ---- */

/* Registers, flags and stack of every tile as .init left them. */
static void fill_block(const struct tx_state *s, struct fast_block *b)
{
    for (unsigned i = 0; i < FAST_LANES; i++) {
        const unsigned lane = i & 31u;
        for (unsigned reg = 0; reg < 17; reg++) {
            b->lreg[reg][i] = s->lreg[reg][lane];
        }
        b->flags[i] = (s->lane_flags >> lane & 1u) != 0 ? 0xFFFFFFFFu : 0;
        b->enabled[i] = s->use_flags != 0 ? b->flags[i] : 0xFFFFFFFFu;
        b->latch[i] = s->shift_latch[lane];
        for (unsigned slot = 0; slot < 8; slot++) {
            b->stack_flags[slot][i] = (s->stack_lf[slot] >> lane & 1u) != 0 ? 0xFFFFFFFFu : 0;
        }
    }
}

enum tx_status tx_fast_worker_open(const tx_fast *fast, tx_fast_worker **out)
{
    const size_t rows = fast->schedule.rows * sizeof(uint32_t[FAST_ROW]);
    const size_t tiles = (size_t)FAST_TILES * TX_TILE_ELEMENTS * sizeof(uint32_t);
    tx_fast_worker *w = calloc(1, sizeof *w);
    *out = NULL;
    if (w == NULL) {
        return TX_ENOMEM;
    }
    w->fast = fast;
    w->block = aligned_alloc(64, (sizeof *w->block + 63) / 64 * 64);
    w->start = aligned_alloc(64, (sizeof *w->start + 63) / 64 * 64);
    w->first = malloc(rows + 1);
    w->in = malloc(tiles * (fast->kernel->program->inputs + 1));
    w->out = malloc(tiles);
    bool good =
        w->block != NULL && w->start != NULL && w->first != NULL && w->in != NULL && w->out != NULL;
    if (good) {
        memset(w->block, 0, sizeof *w->block);
        memset(w->start, 0, sizeof *w->start);
        fill_block(&fast->kernel->start, w->start);
        w->block->dst = aligned_alloc(64, (rows + 63) / 64 * 64 + 64);
        w->block->tier = calloc(fast->schedule.count + 1, 1);
        good = w->block->dst != NULL && w->block->tier != NULL;
    }
    if (!good) {
        tx_fast_worker_close(w);
        return TX_ENOMEM;
    }
    for (unsigned n = 0; n < fast->schedule.rows; n++) {
        const uint16_t *cells = fast->kernel->start.dst[fast->schedule.physical[n]];
        for (unsigned i = 0; i < FAST_ROW; i++) {
            w->first[n * FAST_ROW + i] = cells[2 * (i & 7u)] | (uint32_t)cells[2 * (i & 7u) + 1]
                                                                   << 16;
        }
    }
    *out = w;
    return TX_OK;
}

void tx_fast_worker_close(tx_fast_worker *worker)
{
    if (worker != NULL) {
        if (worker->block != NULL) {
            free(worker->block->dst);
            free(worker->block->tier);
        }
        free(worker->block);
        free(worker->start);
        free(worker->first);
        free(worker->in);
        free(worker->out);
        free(worker);
    }
}

/* ---- blocks ---- */

static void begin_block(tx_fast_worker *w, uint64_t first)
{
    struct fast_block *b = w->block;
    memcpy(b, w->start, offsetof(struct fast_block, lreg[17]));
    for (unsigned tile = 0; w->fast->schedule.draws && tile < FAST_TILES; tile++) {
        prng_seed(tx_kernel_tile_seed(w->fast->kernel->options.seed, first + tile),
                  b->prng + tile * 32);
    }
}

static void tile_rows(const tx_fast_worker *w, unsigned tile, unsigned row, uint32_t **high,
                      uint32_t **low)
{
    const tx_kernel *k = w->fast->kernel;
    const struct fast_schedule *s = &w->fast->schedule;
    const bool wide = k->options.dst == TX_DST_FP32 || k->options.dst == TX_DST_INT32;
    const unsigned at = kernel_row(k->machine, tile, row, k->options.dst);
    *high = w->block->dst[s->row_of[at]];
    *low = wide ? w->block->dst[s->row_of[at + 8]] : *high;
}

static void run_block(tx_fast_worker *w, uint64_t first, const uint32_t *const *inputs,
                      size_t offset, uint32_t *output)
{
    const tx_fast *fast = w->fast;
    const tx_kernel *k = fast->kernel;
    const unsigned format = kernel_format(k->options.dst);
    uint32_t *high;
    uint32_t *low;
    begin_block(w, first);
    for (unsigned n = 0; n < fast->schedule.rows; n++) {
        if (!fast->is_input[n]) {
            memcpy(w->block->dst[n], w->first + n * FAST_ROW, sizeof w->block->dst[n]);
        }
    }
    for (unsigned i = 0; i < k->program->inputs; i++) {
        for (unsigned row = 0; row < 64; row++) {
            tile_rows(w, i, row, &high, &low);
            fast->level->in(format, inputs[i] + offset + tx_tile_element(row, 0), TX_TILE_ELEMENTS,
                            high, low);
        }
    }
    for (size_t i = 0; i < fast->schedule.count; i++) {
        const struct fast_op *f = &fast->schedule.ops[i];
        f->run(f, w->block);
    }
    for (unsigned row = 0; row < 64; row++) {
        tile_rows(w, k->program->output, row, &high, &low);
        fast->level->out(format, output + tx_tile_element(row, 0), TX_TILE_ELEMENTS, high, low);
    }
}

/* Fewer tiles than a block: the rest repeats the last one. */
static void run_rest(tx_fast_worker *w, uint64_t first, size_t count, const uint32_t *const *inputs,
                     size_t offset, uint32_t *output)
{
    const uint32_t *padded[16];
    const size_t size = TX_TILE_ELEMENTS * sizeof(uint32_t);
    for (unsigned i = 0; i < w->fast->kernel->program->inputs; i++) {
        uint32_t *to = w->in + (size_t)i * FAST_TILES * TX_TILE_ELEMENTS;
        for (size_t tile = 0; tile < FAST_TILES; tile++) {
            const size_t from = tile < count ? tile : count - 1;
            memcpy(to + tile * TX_TILE_ELEMENTS, inputs[i] + offset + from * TX_TILE_ELEMENTS,
                   size);
        }
        padded[i] = to;
    }
    run_block(w, first, padded, 0, w->out);
    memcpy(output, w->out, count * size);
}

enum tx_status tx_fast_run(tx_fast_worker *w, uint64_t first, size_t count,
                           const uint32_t *const *inputs, uint32_t *output)
{
    const uint64_t old = arithmetic_begin();
    for (size_t done = 0; done < count; done += FAST_TILES) {
        const size_t left = count - done;
        const size_t offset = done * TX_TILE_ELEMENTS;
        if (left >= FAST_TILES) {
            run_block(w, first + done, inputs, offset, output + offset);
        } else {
            run_rest(w, first + done, left, inputs, offset, output + offset);
        }
    }
    arithmetic_end(old);
    return TX_OK;
}
