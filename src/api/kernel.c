/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel model: section .init runs once, section .tile once per tile, with tiles moved into and
 * out of Dst around it.
 */
#include <tensix/kernel.h>
#include <tensix/threads.h>

#include "api/kernel.h"
#include "asm/program.h"

#include "base/sized.h"
#include "fmt/dst_value.h"
#include "num/prng.h"
#include "state/dst.h"
#include "state/machine.h"

#include <stdlib.h>
#include <string.h>

/* ---- formats ---- */

static bool format_is_32bit(enum tx_dst_format format)
{
    return dst_is_32bit(dst_datum_format(format));
}

/* Returns whether Dst holds 8 tiles (32-bit view) rather than 16. */
static bool dst_is_wide(enum tx_dst_format format)
{
    return format == TX_DST_FORMAT_UINT16_DST32 || format_is_32bit(format);
}

static enum dst_encoding encoding_of(enum tx_dst_format format)
{
    switch (format) {
    case TX_DST_FORMAT_INT32:
    case TX_DST_FORMAT_INT16:
        return ENCODING_TWOS;
    case TX_DST_FORMAT_INT32_SM:
    case TX_DST_FORMAT_INT16_SM:
        return ENCODING_MAGNITUDE;
    default: /* unsigned ones are the same in both, and eight bits have one form only */
        return ENCODING_UNKNOWN;
    }
}

uint32_t tx_dst_encode(enum tx_dst_format format, uint32_t value, bool *changed)
{
    const enum tx_format dst = dst_datum_format(format);
    const uint32_t out = dst_word_of_datum(dst, dst_datum_of_word(dst, value));
    if (changed != NULL && out != value) {
        *changed = true;
    }
    return out;
}

/* ---- places ---- */

struct tx_dst_place tx_dst_place(uint32_t address, unsigned lane)
{
    const struct tx_dst_place place = {(uint16_t)(((address & 0x3FCu) + (lane & 31u) / 8) & 1023u),
                                       (uint16_t)(2 * (lane & 7u) + (address >> 1 & 1u))};
    return place;
}

unsigned tx_tile_element(unsigned row_in_tile, unsigned column)
{
    const unsigned face = row_in_tile >> 4 & 3u;
    const unsigned y = (face >> 1) * 16 + (row_in_tile & 15u);
    const unsigned x = (face & 1u) * 16 + (column & 15u);
    return y * 32 + x;
}

static bool tile_ok(unsigned tile, enum tx_dst_format format)
{
    return format > TX_DST_FORMAT_UNSET && format < TX_DST_FORMAT_COUNT &&
           tile < (dst_is_wide(format) ? 8u : 16u);
}

unsigned kernel_row(const tx_machine *m, const struct tx_state *s, unsigned tile, unsigned row,
                    enum tx_dst_format format)
{
    const struct dst_view view = dst_view(s, m->places, 0);
    const unsigned logical = tile * 64 + row;
    return dst_row(logical, dst_is_wide(format), &view);
}

enum tx_status tx_dst_load_tile(tx_machine *m, unsigned tile, enum tx_dst_format format,
                                const uint32_t values[TX_TILE_ELEMENTS])
{
    if (!tile_ok(tile, format)) {
        return TX_EINVAL;
    }
    const enum dst_encoding encoding = encoding_of(format);
    machine_changed(m, CHANGE_HOST, 0);
    const bool wide = format_is_32bit(format);
    if (encoding != ENCODING_UNKNOWN) {
        m->state.dst_encoding = (uint8_t)encoding;
    }
    for (unsigned row = 0; row < 64; row++) {
        const unsigned at = kernel_row(m, &m->state, tile, row, format);
        /* A row's columns are consecutive. */
        const uint32_t *from = values + tx_tile_element(row, 0);
        uint32_t cell[TX_DST_WIDTH];
        dst_cells_of_words(format, from, cell);
        dst_set_valid(&m->state, at, true);
        m->state.dst_unknown[at] = 0;
        for (unsigned column = 0; column < TX_DST_WIDTH; column++) {
            m->state.dst[at][column] = (uint16_t)(wide ? cell[column] >> 16 : cell[column]);
        }
        if (wide) {
            m->state.dst_unknown[at + 8] = 0;
            for (unsigned column = 0; column < TX_DST_WIDTH; column++) {
                m->state.dst[at + 8][column] = (uint16_t)cell[column];
            }
        }
        dst_written(&m->state, at, 0xFFFFu, wide);
        if (encoding != ENCODING_UNKNOWN) {
            m->state.dst_given[at] = 0xFFFFu;
        }
    }
    return TX_OK;
}

enum tx_status tx_dst_store_tile(const tx_machine *m, unsigned tile, enum tx_dst_format format,
                                 uint32_t values[TX_TILE_ELEMENTS])
{
    if (!tile_ok(tile, format)) {
        return TX_EINVAL;
    }
    const bool wide = format_is_32bit(format);
    for (unsigned row = 0; row < 64; row++) {
        const unsigned at = kernel_row(m, &m->state, tile, row, format);
        uint32_t cell[TX_DST_WIDTH] = {0}; /* an invalid row reads as 0 */
        for (unsigned column = 0; dst_valid(&m->state, at) && column < TX_DST_WIDTH; column++) {
            const uint32_t high = m->state.dst[at][column];
            cell[column] = wide ? high << 16 | m->state.dst[at + 8][column] : high;
        }
        dst_words_of_cells(format, cell, values + tx_tile_element(row, 0));
    }
    return TX_OK;
}

/* ---- kernels ---- */

static struct tx_kernel_options options_default(void)
{
    const struct tx_kernel_options options = {.thread = 1};
    return options;
}

void tx_kernel_options_default_sized(struct tx_kernel_options *options, size_t size)
{
    const struct tx_kernel_options own = options_default();
    sized_give(options, size, &own, sizeof own);
}

/*
 * Sets the configuration to the kernel's format, which Mod0 0 (SRCB), the modifier that compilers
 * emit, refers to.
 */
static enum tx_status set_format(tx_machine *m, unsigned thread, enum tx_dst_format format)
{
    const uint32_t fp16 = 1;
    const uint32_t bf16 = 5;
    if (dst_is_wide(format)) { /* tt-llk: is_fp32_dest_acc_en, also for 32-bit integers */
        m->state.dst16_high = format == TX_DST_FORMAT_UINT16_DST32;
        return tx_config_set(m, thread, "ALU_ACC_CTRL_SFPU_Fp32_enabled", 1);
    }
    return tx_config_set(m, thread, "ALU_FORMAT_SPEC_REG1_SrcB",
                         format == TX_DST_FORMAT_FP16 ? fp16 : bf16);
}

/* Collects the words of each thread, in their order, in one array per section and thread. */
static enum tx_status split(tx_kernel *k)
{
    const struct tx_program *p = k->program;
    size_t used = 0;
    size_t total = 0;
    for (unsigned s = 0; s < TX_SECTIONS; s++) {
        total += p->section[s].count;
    }
    k->words = malloc((total + 1) * sizeof *k->words);
    if (k->words == NULL) {
        return TX_ENOMEM;
    }
    for (unsigned s = 0; s < TX_SECTIONS; s++) {
        for (unsigned t = 0; t < TX_THREADS; t++) {
            const size_t first = used;
            for (size_t i = 0; i < p->section[s].count; i++) {
                const unsigned thread = p->section[s].threads[i] == TX_THREADS
                                            ? k->options.thread
                                            : p->section[s].threads[i];
                if (thread == t) {
                    k->words[used++] = p->section[s].words[i];
                }
            }
            k->streams[s][t].words = &k->words[first];
            k->streams[s][t].count = used - first;
        }
    }
    return TX_OK;
}

static void set_mop(tx_kernel *k)
{
    for (unsigned t = 0; t <= TX_THREADS; t++) {
        for (unsigned i = 0; i < 9; i++) {
            if ((k->program->mop_given[t] >> i & 1u) != 0) {
                (void)tx_mop_config(k->machine, t == TX_THREADS ? k->options.thread : t, i,
                                    k->program->mop[t][i]);
            }
        }
    }
}

static enum tx_status run_section(tx_kernel *k, unsigned section, const uint32_t *gaps)
{
    if (!k->program->threaded) {
        return tx_run_gaps(k->machine, k->options.thread, k->program->section[section].words,
                           k->program->section[section].count, gaps);
    }
    const uint64_t most = k->machine->settings.max_cycles;
    return gaps != NULL
               ? TX_EUNSUPPORTED
               : tx_run_threads(k->machine, k->streams[section], most != 0 ? most : UINT64_MAX);
}

/* Returns whether thread 0, the one that unpacks, has words. */
static bool feeds_unpackers(const struct tx_kernel *k)
{
    bool words = !k->program->threaded && k->options.thread == 0;
    for (unsigned section = 0; section < TX_SECTIONS; section++) {
        words = words || k->streams[section][0].count != 0;
    }
    return words;
}

enum tx_status tx_kernel_open_sized(const struct tx_settings *settings,
                                    const struct tx_program *program,
                                    const struct tx_kernel_options *options, size_t options_size,
                                    tx_kernel **out)
{
    struct tx_kernel_options own = options_default();
    *out = NULL;
    if (!sized_take(&own, sizeof own, options, options_size,
                    offsetof(struct tx_kernel_options, thread)) ||
        own.thread >= TX_THREADS) {
        return TX_EINVAL;
    }
    tx_kernel *k = calloc(1, sizeof *k);
    if (k == NULL) {
        return TX_ENOMEM;
    }
    enum tx_status status = tx_open(settings, &k->machine);
    k->program = program;
    k->options = own;
    if (k->options.dst == TX_DST_FORMAT_UNSET) {
        k->options.dst = program->dst == TX_DST_FORMAT_UNSET ? TX_DST_FORMAT_FP32 : program->dst;
    }
    if (k->options.out == TX_DST_FORMAT_UNSET) {
        k->options.out = program->out == TX_DST_FORMAT_UNSET ? k->options.dst : program->out;
    }
    if (status == TX_OK &&
        ((program->inputs > 0 && !tile_ok(program->inputs - 1, k->options.dst)) ||
         !tile_ok(program->output, k->options.out))) {
        status = TX_EINVAL;
    }
    if (k->options.start == TX_START_UNSET) {
        k->options.start = program->start;
    }
    if (status == TX_OK) {
        status = tx_machine_start(k->machine, k->options.thread, k->options.start);
    }
    if (status == TX_OK) {
        status = set_format(k->machine, k->options.thread, k->options.dst);
    }
    for (unsigned i = 0; status == TX_OK && i < program->config_count; i++) {
        status = tx_config_set(k->machine, k->options.thread, program->config[i].name,
                               program->config[i].value);
    }
    if (status == TX_OK && program->threaded) {
        status = split(k);
    }
    if (status != TX_OK) {
        tx_kernel_close(k);
        return status;
    }
    if (!feeds_unpackers(k)) {
        k->machine->settings.src_ready = true;
    }
    set_mop(k);
    *out = k;
    return TX_OK;
}

void tx_kernel_close(tx_kernel *kernel)
{
    if (kernel != NULL) {
        tx_close(kernel->machine);
        free(kernel->words);
        free(kernel);
    }
}

tx_machine *tx_kernel_machine(tx_kernel *kernel)
{
    return kernel->machine;
}

enum tx_dst_format tx_kernel_dst(const tx_kernel *kernel)
{
    return kernel->options.dst;
}

enum tx_dst_format tx_kernel_out(const tx_kernel *kernel)
{
    return kernel->options.out;
}

/* Returns the seed of a tile: a bijective mix of its index with the kernel's seed. */
uint32_t tx_kernel_tile_seed(uint32_t seed, uint64_t tile)
{
    if (tile == 0) {
        return seed;
    }
    uint64_t x = tile * UINT64_C(0x9E3779B97F4A7C15) + seed;
    x ^= x >> 29;
    x *= UINT64_C(0xBF58476D1CE4E5B9);
    const uint32_t mixed = (uint32_t)(x >> 32);
    /* A generator with all bits set never changes. */
    return mixed == 0xFFFFFFFFu ? 0x7FFFFFFFu : mixed;
}

void kernel_init_begin(tx_kernel *k)
{
    tx_prng_seed(k->machine, k->options.seed);
}

enum tx_status kernel_init_end(tx_kernel *k, enum tx_status status)
{
    /* .init has been drained, so that no instruction directly follows it (R2). */
    k->machine->state.config_fresh = 0;
    k->start = k->machine->state;
    k->started = status == TX_OK;
    return status;
}

enum tx_status tx_kernel_start(tx_kernel *k)
{
    kernel_init_begin(k);
    return kernel_init_end(k, run_section(k, TX_SECTION_INIT, NULL));
}

/*
 * Sets the state that a tile begins with: that after .init or, with "carry", that after the tile
 * before.
 */
static void begin_tile(tx_kernel *k, uint64_t tile)
{
    tx_machine *m = k->machine;
    if (!k->options.carry) {
        const uint64_t cycle = m->state.cycle;
        const uint64_t index = m->state.index;
        state_copy(&m->state, &k->start);
        machine_reconfigured(m);
        m->state.cycle = cycle;
        m->state.index = index;
        tx_prng_seed(m, tx_kernel_tile_seed(k->options.seed, tile));
    }
    for (unsigned t = 0; t < TX_THREADS; t++) {
        if (t == k->options.thread || k->program->threaded) {
            memset(&m->state.rwc[t], 0, sizeof m->state.rwc[t]);
        }
    }
    (void)tx_fpu_wrote(m, k->program->fpu_first, k->program->fpu_rows);
}

enum tx_status tx_kernel_tile(tx_kernel *k, uint64_t tile, const uint32_t *const *inputs,
                              uint32_t *output)
{
    return tx_kernel_tile_gaps(k, tile, inputs, NULL, output);
}

enum tx_status tx_kernel_tile_begin(tx_kernel *k, uint64_t tile)
{
    if (!k->started) {
        return k->machine->faulted ? TX_FAULT : TX_EINVAL;
    }
    begin_tile(k, tile);
    return TX_OK;
}

/* Bit 11 of DBG_FEATURE_DISABLE allows to read halves of 32-bit data. */
void tx_kernel_check_result(tx_kernel *k)
{
    const struct tx_state *s = &k->machine->state;
    const enum tx_dst_format format = k->options.out;
    const bool wide = format_is_32bit(format);
    unsigned rows = 0;
    unsigned first = 0;
    if (!wide && (s->dst16_high != 0 || dst_is_wide(format))) {
        return;
    }
    for (unsigned row = 64; row-- > 0;) {
        const unsigned at = kernel_row(k->machine, s, k->program->output, row, format);
        if (dst_valid(s, at) &&
            (wide ? s->dst_narrow[at] | s->dst_narrow[at + 8] : s->dst_wide[at]) != 0) {
            first = row;
            rows++;
        }
    }
    if (rows != 0) {
        machine_finding(k->machine, TX_NON_CONTRACTUAL_BEHAVIOR, evidence_get(EVIDENCE_E_VIEW)->id,
                        NULL, 0,
                        "the result is read as %s data: %u of its 64 Dst rows, the first of them "
                        "%u, hold %s data",
                        wide ? "32-bit" : "16-bit", rows, k->program->output * 64 + first,
                        wide ? "16-bit" : "32-bit");
    }
}

enum tx_status kernel_tile_end(tx_kernel *k, enum tx_status status)
{
    if (status != TX_OK || tx_finish(k->machine) != TX_OK) {
        return k->machine->faulted ? TX_FAULT : status;
    }
    if (k->machine->own_l1 == NULL) { /* otherwise the result is what a packer left in L1 */
        tx_kernel_check_result(k);
    }
    return k->machine->faulted ? TX_FAULT : TX_OK;
}

enum tx_status tx_kernel_tile_run(tx_kernel *k, const uint32_t *gaps)
{
    if (!k->started) {
        return k->machine->faulted ? TX_FAULT : TX_EINVAL;
    }
    return kernel_tile_end(k, run_section(k, TX_SECTION_TILE, gaps));
}

enum tx_status tx_kernel_tile_gaps(tx_kernel *k, uint64_t tile, const uint32_t *const *inputs,
                                   const uint32_t *gaps, uint32_t *output)
{
    enum tx_status status = tx_kernel_tile_begin(k, tile);
    for (unsigned i = 0; i < k->program->inputs && status == TX_OK; i++) {
        status = tx_dst_load_tile(k->machine, i, k->options.dst, inputs[i]);
    }
    if (status == TX_OK) {
        status = tx_kernel_tile_run(k, gaps);
    }
    return status == TX_OK
               ? tx_dst_store_tile(k->machine, k->program->output, k->options.out, output)
               : status;
}
