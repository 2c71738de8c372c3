/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel files on the fast engine and on the reference engine, the same words of output for inputs
 * FIRST, FIRST + STRIDE, ... below 2^32; further inputs are scrambled from the first. Prints a
 * checksum of the outputs for each file. STATE, a file, is kept up to date and taken up again.
 * Shards: SHARD/OF takes every OF-th piece; checksums of shards add up.
 * campaign_equal ARCH FIRST STRIDE SHARD/OF STATE FILE...
 */
#include <tensix/tensix.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILES = 1024, COUNT = TILES * TX_TILE_ELEMENTS, TEXT = 1 << 16, INPUTS = 4 };

struct progress {
    uint64_t piece, sum, failed;
};

static uint32_t in[INPUTS][COUNT], got[COUNT], want[TX_TILE_ELEMENTS];
static uint64_t first, stride, shard, shards;

static uint32_t scramble(uint32_t x, unsigned by)
{
    x = (x ^ x >> 16) * 0x45D9F3Bu + by;
    x = (x ^ x >> 15) * 0x2C1B3C6Du;
    return x ^ x >> 14;
}

/* Values of piece n; the last one repeats its end. */
static void fill(uint64_t n)
{
    for (size_t i = 0; i < COUNT; i++) {
        uint64_t x = first + (n * COUNT + i) * stride;
        x = x < UINT64_C(1) << 32 ? x : first;
        in[0][i] = (uint32_t)x;
        for (unsigned k = 1; k < INPUTS; k++) {
            in[k][i] = scramble((uint32_t)x, k);
        }
    }
}

static bool one_piece(tx_kernel *kernel, tx_fast_worker *worker, const char *path, uint64_t n,
                      struct progress *p)
{
    const uint32_t *const inputs[INPUTS] = {in[0], in[1], in[2], in[3]};
    fill(n);
    if (tx_fast_run(worker, n * TILES, TILES, inputs, got) != TX_OK) {
        return false;
    }
    for (size_t tile = 0; tile < TILES; tile++) {
        const size_t at = tile * TX_TILE_ELEMENTS;
        const uint32_t *const own[INPUTS] = {in[0] + at, in[1] + at, in[2] + at, in[3] + at};
        if (tx_kernel_tile(kernel, n * TILES + tile, own, want) != TX_OK) {
            return false;
        }
        for (size_t i = 0; i < TX_TILE_ELEMENTS; i++) {
            if (got[at + i] != want[i] && p->failed++ < 10) {
                fprintf(stderr, "%s: %08" PRIX32 ": reference %08" PRIX32 ", fast %08" PRIX32 "\n",
                        path, in[0][at + i], want[i], got[at + i]);
            }
            p->sum += scramble(want[i], in[0][at + i]);
        }
    }
    return true;
}

/* The state of a file is a line: name, pieces done, sum, differences. */
static struct progress resume(const char *state, const char *path)
{
    struct progress p = {0, 0, 0};
    char line[1024];
    char name[512];
    struct progress read;
    FILE *f = fopen(state, "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        if (sscanf(line, "%511s %" SCNu64 " %" SCNu64 " %" SCNu64, name, &read.piece, &read.sum,
                   &read.failed) == 4 &&
            strcmp(name, path) == 0) {
            p = read;
        }
    }
    if (f != NULL) {
        fclose(f);
    }
    return p;
}

static void keep(const char *state, const char *path, const struct progress *p)
{
    FILE *f = fopen(state, "a");
    if (f != NULL) {
        fprintf(f, "%s %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", path, p->piece, p->sum, p->failed);
        fclose(f);
    }
}

/* 0: equal or not for this chip; 1: differences; 2: it does not run. */
static int one_file(enum tx_arch arch, const char *state, const char *path)
{
    static char text[TEXT];
    struct tx_settings settings;
    struct tx_kernel_options options;
    struct tx_program *program;
    struct tx_diag diag;
    tx_kernel *kernel;
    tx_fast *fast;
    tx_fast_worker *worker;
    const char *reason = NULL;
    const struct tx_asm_options how = {.arch = arch};
    FILE *stream = fopen(path, "rb");
    const size_t length = stream != NULL ? fread(text, 1, sizeof text, stream) : 0;
    if (stream != NULL) {
        fclose(stream);
    }
    tx_settings_default(&settings, arch);
    settings.mode = TX_MODE_SILICON;
    tx_kernel_options_default(&options);
    if (length == 0 || tx_assemble(text, length, &how, &program, &diag) != TX_OK) {
        fprintf(stderr, "%s cannot be read\n", path);
        return 2;
    }
    if (tx_program_arch(program) != arch) {
        tx_program_free(program);
        return 0;
    }
    if (tx_kernel_open(&settings, program, &options, &kernel) != TX_OK ||
        tx_kernel_start(kernel) != TX_OK) {
        return 2;
    }
    struct progress p = resume(state, path);
    if (tx_fast_open(kernel, NULL, &fast, &reason) != TX_OK) {
        printf("%s: %s\n", path, reason);
    } else if (tx_fast_worker_open(fast, &worker) == TX_OK) {
        const uint64_t pieces =
            (((UINT64_C(1) << 32) - first + stride - 1) / stride + COUNT - 1) / COUNT;
        bool good = true;
        for (; p.piece < pieces && good; p.piece++) {
            if (p.piece % shards == shard) {
                good = one_piece(kernel, worker, path, p.piece, &p);
            }
            if (p.piece % 64 == 63) {
                struct progress done = p;
                done.piece++;
                keep(state, path, &done);
            }
        }
        keep(state, path, &p);
        printf("%s: checksum %016" PRIX64 ", %" PRIu64 " differences%s\n", path, p.sum, p.failed,
               good ? "" : ", stopped");
        fflush(stdout);
        p.failed += !good;
        tx_fast_worker_close(worker);
        tx_fast_close(fast);
    }
    tx_kernel_close(kernel);
    tx_program_free(program);
    return p.failed != 0;
}

int main(int argc, char **argv)
{
    enum tx_arch arch;
    unsigned failed = 0;
    if (argc < 7 || tx_arch_parse(argv[1], &arch) != TX_OK ||
        sscanf(argv[4], "%" SCNu64 "/%" SCNu64, &shard, &shards) != 2 || shards == 0 ||
        shard >= shards || (stride = strtoull(argv[3], NULL, 0)) == 0) {
        fprintf(stderr, "usage: campaign_equal ARCH FIRST STRIDE SHARD/OF STATE FILE...\n");
        return 2;
    }
    first = strtoull(argv[2], NULL, 0);
    for (int i = 6; i < argc; i++) {
        failed += one_file(arch, argv[5], argv[i]) != 0;
    }
    printf("%d passed, %u failed\n", argc - 6 - (int)failed, failed);
    return failed == 0 ? 0 : 1;
}
