/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lines that begin or end in L1, on the reference engine: a tile through an unpacker, through a
 * packer, or through all three threads. For comparison also the conversion functions alone, as
 * tensix convert uses them.
 */
#include "base/memory.h"
#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILES = 16, L1_BYTES = 1 << 18 };

struct bench_l1 {
    tx_kernel *kernel; /* NULL: a conversion */
    bool threaded;
    unsigned thread;
    uint32_t *words[TX_THREADS];
    struct tx_stream streams[TX_THREADS]; /* for each thread its words of .tile, TILES times */
    bool cycles;                          /* count machine cycles, not data */
    /* Only of conversions: */
    bool pack;
    struct tx_codec codec;
    uint32_t data[TX_TILE_ELEMENTS];
    uint8_t bytes[2 * TX_TILE_ELEMENTS];
};

/* ---- preparation ---- */

static bool fill_machine(tx_machine *m, struct txl_error *err)
{
    uint8_t *bytes = malloc(L1_BYTES);
    const uint32_t valid = 1;
    if (bytes == NULL || tx_l1_allocate(m) != TX_OK) {
        free(bytes);
        return fail_false(err, "%s", no_memory_text);
    }
    for (size_t i = 0; i < L1_BYTES; i++) { /* BF16 from 1 to 2 and their opposites */
        bytes[i] = (uint8_t)(i % 2 != 0 ? 0x3F | (i >> 3 & 0x80u) : (i * 37 & 0x7Fu) | 0x80u);
    }
    bool good = tx_l1_write(m, 0, bytes, L1_BYTES) == TX_OK;
    free(bytes);
    for (unsigned row = 0; row < 128 && good; row++) { /* 64 of 32 bits */
        uint32_t cells[16];
        for (unsigned j = 0; j < 16; j++) {
            cells[j] = (row * 16 + j) % 128 << 8 | 127u;
        }
        good = tx_write(m, TX_FILE_DST, row, cells, 16) == TX_OK &&
               tx_write(m, TX_FILE_DST_VALID, row, &valid, 1) == TX_OK;
    }
    return good || fail_false(err, "L1 or Dst cannot be filled");
}

static bool repeat_words(struct bench_l1 *b, const struct tx_program *program,
                         struct txl_error *err)
{
    const size_t count = tx_program_count(program, TX_SECTION_TILE);
    const uint32_t *words = tx_program_words(program, TX_SECTION_TILE);
    const uint8_t *threads = tx_program_threads(program, TX_SECTION_TILE);
    for (unsigned t = 0; t < TX_THREADS; t++) {
        size_t used = 0;
        b->words[t] = malloc((count * TILES + 1) * sizeof *b->words[t]);
        if (b->words[t] == NULL) {
            return fail_false(err, "%s", no_memory_text);
        }
        for (size_t i = 0; i < count * TILES; i++) {
            const unsigned own = threads[i % count];
            if ((own < TX_THREADS ? own : b->thread) == t) {
                b->words[t][used++] = words[i % count];
            }
        }
        b->streams[t] = (struct tx_stream){b->words[t], used};
    }
    return true;
}

static bool open_kernel(struct bench_l1 *b, const struct tx_program *program, struct txl_error *err)
{
    struct tx_settings settings;
    struct tx_kernel_options how;
    tx_settings_default(&settings, tx_program_arch(program));
    tx_kernel_options_default(&how);
    how.thread = b->thread;
    if (tx_kernel_open(&settings, program, &how, &b->kernel) != TX_OK) {
        return fail_false(err, "the kernel cannot be opened");
    }
    return fill_machine(tx_kernel_machine(b->kernel), err) &&
           (tx_kernel_start(b->kernel) == TX_OK || fail_false(err, ".init stopped")) &&
           repeat_words(b, program, err);
}

static bool open_conversion(struct bench_l1 *b, struct txl_error *err)
{
    b->pack = b->thread == 2;
    if (tx_codec_default(TX_ROUTE_TENSIX, TX_BLACKHOLE, TX_FORMAT_BF16,
                         b->pack ? TX_FORMAT_FP32 : TX_FORMAT_BF16, &b->codec, NULL) != TX_OK) {
        return fail_false(err, "no such conversion");
    }
    b->codec.unpack.dst = b->pack ? b->codec.unpack.dst : tx_format_in_dst(TX_FORMAT_BF16);
    for (unsigned i = 0; i < TX_TILE_ELEMENTS; i++) {
        b->data[i] = 0x3F800000u | i << 16;
        b->bytes[2 * i] = (uint8_t)i;
        b->bytes[2 * i + 1] = 0x3F;
    }
    return true;
}

struct bench_l1 *bench_l1_open(const struct bench_line *line, const struct tx_program *program,
                               struct txl_error *err)
{
    struct bench_l1 *b = zeroed(err, 1, sizeof *b);
    if (b == NULL) {
        return NULL;
    }
    b->thread = strncmp(line->name, "l1/unpack", 9) == 0 ? 0
                : strncmp(line->name, "l1/pack", 7) == 0 ? 2
                                                         : 1;
    b->threaded = tx_program_threaded(program);
    b->cycles = line->count == 0;
    if (!(line->shape == SHAPE_CONVERT ? open_conversion(b, err) : open_kernel(b, program, err))) {
        bench_l1_close(b);
        return NULL;
    }
    return b;
}

void bench_l1_close(struct bench_l1 *b)
{
    if (b != NULL) {
        for (unsigned t = 0; t < TX_THREADS; t++) {
            free(b->words[t]);
        }
        tx_kernel_close(b->kernel);
        free(b);
    }
}

/* ---- running ---- */

static bool convert(struct bench_l1 *b)
{
    static const struct tx_tile tile = {.rows = 32, .columns = 32};
    bool good = true;
    for (unsigned i = 0; i < TILES && good; i++) {
        good = (b->pack ? tx_tiles_encode(&b->codec, &tile, b->data, 1, b->bytes)
                        : tx_tiles_decode(&b->codec, &tile, b->bytes, 1, b->data)) == TX_OK;
    }
    return good;
}

bool bench_l1_run(struct bench_l1 *b)
{
    if (b->kernel == NULL) {
        return convert(b);
    }
    tx_machine *m = tx_kernel_machine(b->kernel);
    const struct tx_stream *own = &b->streams[b->thread];
    return (b->threaded ? tx_run_threads(m, b->streams, UINT64_MAX)
                        : tx_run(m, b->thread, own->words, own->count)) == TX_OK;
}

double bench_l1_units(struct bench_l1 *b)
{
    if (!b->cycles) {
        return TILES * (TX_TILE_ELEMENTS / 32);
    }
    tx_machine *m = tx_kernel_machine(b->kernel);
    const uint64_t before = tx_machine_counters(m).cycles;
    (void)bench_l1_run(b);
    return (double)(tx_machine_counters(m).cycles - before);
}

struct bench_l1_words bench_l1_words(const struct bench_l1 *b, unsigned counted)
{
    const struct tx_stream *own = &b->streams[b->thread];
    return (struct bench_l1_words){.machine = tx_kernel_machine(b->kernel),
                                   .thread = b->thread,
                                   .words = own->words,
                                   .count = own->count,
                                   .units = (double)TILES * counted};
}
