/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Array conversions against memcpy of as many bytes, source plus destination, on one core. Each row
 * alternates the two; the best of ROUNDS counts for both, in CPU time, so that other work on the
 * machine does not count. 64 MiB of FP32 unless MIB says otherwise:
 * bench_formats [MIB].
 */
#include <tensix/formats.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 25 };

static const struct tx_tile tile = {.rows = 32, .columns = 32};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct buffers {
    uint32_t *words;
    uint8_t *bytes;
    uint8_t *other; /* for memcpy */
    uint64_t tiles;
};

static double run(const struct tx_codec *codec, bool encode, const struct buffers *b)
{
    const double start = now();
    const enum tx_status status = encode
                                      ? tx_tiles_encode(codec, &tile, b->words, b->tiles, b->bytes)
                                      : tx_tiles_decode(codec, &tile, b->bytes, b->tiles, b->words);
    if (status != TX_OK) {
        exit(1);
    }
    return now() - start;
}

static void row(enum tx_format format, enum tx_route route, bool encode, const struct buffers *b)
{
    struct tx_codec codec;
    struct tx_tile_layout layout;
    tx_tile_layout(&tile, format, &layout);
    if (tx_codec_default(route, TX_BLACKHOLE, format, encode ? TX_FORMAT_FP32 : TX_FORMAT_BF16,
                         &codec, NULL) != TX_OK) {
        exit(1);
    }
    if (!encode) {
        codec.unpack.dst = tx_format_in_dst(format);
    }
    const size_t moved = (size_t)b->tiles * (4096 + layout.bytes); /* read and written */
    double copy = 1e9;
    double convert = 1e9;
    for (int i = 0; i < ROUNDS; i++) {
        const double start = now();
        memcpy(b->other, b->words, moved / 2);
        const double took = now() - start;
        copy = took < copy ? took : copy;
        const double mine = run(&codec, encode, b);
        convert = mine < convert ? mine : convert;
    }
    printf("%-9s %-7s %-7s %7.1f GB/s  memcpy %6.1f GB/s  %4.0f %%\n", tx_format_name(format),
           route == TX_ROUTE_HOST ? "host" : "tensix", encode ? "encode" : "decode",
           1e-9 * (double)moved / convert, 1e-9 * (double)moved / copy, 100 * copy / convert);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const size_t mib = argc > 1 ? strtoul(argv[1], NULL, 10) : 64;
    const size_t size = mib << 20;
    struct buffers b = {.tiles = size / 4096};
    static const enum tx_format formats[] = {TX_FORMAT_BF16, TX_FORMAT_BFP8,  TX_FORMAT_BFP4,
                                             TX_FORMAT_BFP2, TX_FORMAT_FP16,  TX_FORMAT_FP8_E4M3,
                                             TX_FORMAT_FP32, TX_FORMAT_BFP8A, TX_FORMAT_BFP4A};
    b.words = aligned_alloc(4096, size);
    b.bytes = aligned_alloc(4096, size);
    b.other = aligned_alloc(4096, size);
    if (size == 0 || b.words == NULL || b.bytes == NULL || b.other == NULL) {
        return 1;
    }
    uint32_t x = 1;
    for (size_t i = 0; i < size / 4; i++) { /* values about 1, both signs */
        x = x * 1664525u + 1013904223u;
        b.words[i] = (x & 0x807FFFFFu) | (120u + (x >> 24 & 7u)) << 23;
    }
    memset(b.other, 1, size);
    memset(b.bytes, 1, size);
    printf("%zu MiB of FP32, tiles of 32x32, one core\n", mib);
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++) {
        for (int k = 0; k < 4; k++) {
            row(formats[f], k < 2 ? TX_ROUTE_TENSIX : TX_ROUTE_HOST, k % 2 == 0, &b);
        }
    }
    return 0;
}
