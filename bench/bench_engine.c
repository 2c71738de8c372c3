/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reference engine with all its timing and no sink: vector instructions a second on one core,
 * for single kernels and for the mix of all; how much slower it is with a sink that counts events,
 * as a trace has one; and the fast engine beside it. Seconds are processor time.
 */
#define _POSIX_C_SOURCE 200809L
#include <tensix/tensix.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROOM = 1 << 16 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct tx_program *load(const char *name, enum tx_arch arch)
{
    static char text[ROOM];
    char path[512];
    struct tx_program *program = NULL;
    struct tx_diag diag;
    const struct tx_asm_options how = {.arch = arch};
    snprintf(path, sizeof path, "%s/examples/kernels/%s.s", TX_SOURCE_DIR, name);
    FILE *stream = fopen(path, "rb");
    if (stream != NULL) {
        const size_t length = fread(text, 1, sizeof text, stream);
        fclose(stream);
        if (tx_assemble(text, length, &how, &program, &diag) != TX_OK) {
            fprintf(stderr, "%s:%u: %s\n", path, diag.line, diag.message);
        }
    }
    return program;
}

static void count(void *user, const struct tx_event *event)
{
    *(uint64_t *)user += event->cycle != 0;
}

struct result {
    double seconds;
    struct tx_counters counters;
};

/* Runs tiles of everyday values for about so long. */
static bool run(const char *name, enum tx_arch arch, bool watched, double seconds,
                struct result *out)
{
    struct tx_settings settings;
    struct tx_kernel_options options;
    struct tx_program *program = load(name, arch);
    tx_kernel *kernel = NULL;
    uint64_t events = 0;
    static uint32_t data[16][TX_TILE_ELEMENTS];
    static uint32_t result[TX_TILE_ELEMENTS];
    const uint32_t *inputs[16];
    uint32_t x = 1;
    for (unsigned i = 0; i < 16; i++) {
        inputs[i] = data[i];
        for (unsigned e = 0; e < TX_TILE_ELEMENTS; e++) {
            x = x * 1664525u + 1013904223u;
            data[i][e] = (x & 0x807FFFFFu) | (119u + (x >> 24 & 15u)) << 23;
        }
    }
    tx_settings_default(&settings, arch);
    if (watched) {
        settings.sink.event = count;
        settings.sink.user = &events;
    }
    tx_kernel_options_default(&options);
    if (program == NULL || tx_kernel_open(&settings, program, &options, &kernel) != TX_OK ||
        tx_kernel_start(kernel) != TX_OK) {
        return false;
    }
    tx_machine *m = tx_kernel_machine(kernel);
    if (tx_kernel_tile(kernel, 0, inputs, result) != TX_OK) {
        return false;
    }
    /* From here on the words alone, again and again over the same tile: tiles in and out aside. */
    const struct tx_counters before = tx_machine_counters(m);
    const double start = now();
    do {
        static const uint32_t zero[TX_RWC_COUNT];
        if (tx_write(m, TX_FILE_RWC, options.thread, zero, TX_RWC_COUNT) != TX_OK ||
            tx_run(m, options.thread, program->section[TX_SECTION_TILE].words,
                   program->section[TX_SECTION_TILE].count) != TX_OK) {
            return false;
        }
        out->seconds = now() - start;
    } while (out->seconds < seconds);
    out->counters = tx_machine_counters(m);
    out->counters.cycles -= before.cycles;
    out->counters.issue_cycles -= before.issue_cycles;
    out->counters.vector_instructions -= before.vector_instructions;
    out->counters.scheduled_instructions -= before.scheduled_instructions;
    tx_kernel_close(kernel);
    tx_program_free(program);
    return true;
}

/* Vector instructions a second of the fast engine, tiles in and out included; 0: it refuses. */
static double fast_rate(const char *name, enum tx_arch arch, double seconds)
{
    enum { TILES = 64 };
    static uint32_t in[4][TILES * TX_TILE_ELEMENTS];
    static uint32_t out[TILES * TX_TILE_ELEMENTS];
    const uint32_t *inputs[4] = {in[0], in[1], in[2], in[3]};
    struct tx_settings settings;
    struct tx_kernel_options options;
    struct tx_program *program = load(name, arch);
    tx_kernel *kernel = NULL;
    tx_fast *fast = NULL;
    tx_fast_worker *worker = NULL;
    double rate = 0;
    uint32_t x = 1;
    for (unsigned i = 0; i < 4 * TILES * TX_TILE_ELEMENTS; i++) {
        x = x * 1664525u + 1013904223u;
        in[i / (TILES * TX_TILE_ELEMENTS)][i % (TILES * TX_TILE_ELEMENTS)] =
            (x & 0x807FFFFFu) | (119u + (x >> 24 & 15u)) << 23;
    }
    tx_settings_default(&settings, arch);
    tx_kernel_options_default(&options);
    if (program != NULL && tx_kernel_open(&settings, program, &options, &kernel) == TX_OK &&
        tx_kernel_start(kernel) == TX_OK && tx_fast_open(kernel, NULL, &fast, NULL) == TX_OK &&
        tx_fast_worker_open(fast, &worker) == TX_OK) {
        const double start = now();
        uint64_t tiles = 0;
        double spent = 0;
        while (spent < seconds && tx_fast_run(worker, 0, TILES, inputs, out) == TX_OK) {
            tiles += TILES;
            spent = now() - start;
        }
        rate = (double)tiles * (double)tx_fast_instructions(fast) / spent;
    }
    tx_fast_worker_close(worker);
    tx_fast_close(fast);
    tx_kernel_close(kernel);
    tx_program_free(program);
    return rate;
}

/* Vector instructions a second, those that SFPLOADMACRO scheduled among them. */
static double rate(const struct result *r)
{
    return (double)(r->counters.vector_instructions + r->counters.scheduled_instructions) /
           r->seconds;
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"exp",
                                        "gelu",
                                        "sigmoid",
                                        "tanh",
                                        "log",
                                        "sqrt",
                                        "topk",
                                        "cumsum",
                                        "where",
                                        "relu",
                                        "macro/recip_fp32",
                                        "macro/exp_unclamped",
                                        "macro/max_fp32",
                                        "macro/i32_to_bf16"};
    double total = 0;
    double instructions = 0;
    printf("%-20s %12s %10s %12s %12s %12s %7s\n", "kernel (blackhole)", "M vector/s", "with sink",
           "cycles/tile", "issue cycles", tx_fast_level(0), "ratio");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct result bare;
        struct result watched;
        struct result one;
        if (argc > 1 && strcmp(argv[1], names[i]) != 0) {
            continue;
        }
        if (!run(names[i], TX_BLACKHOLE, false, 0.3, &bare) ||
            !run(names[i], TX_BLACKHOLE, true, 0.3, &watched) ||
            !run(names[i], TX_BLACKHOLE, false, 0, &one)) {
            fprintf(stderr, "%s does not run\n", names[i]);
            return 1;
        }
        const double speed = rate(&bare);
        const double slow = rate(&watched);
        const double fast = fast_rate(names[i], TX_BLACKHOLE, 0.3);
        printf("%-20s %12.2f %9.2fx %12llu %12llu %12.1f %6.1fx\n", names[i], speed / 1e6,
               speed / slow, (unsigned long long)one.counters.cycles,
               (unsigned long long)one.counters.issue_cycles, fast / 1e6, fast / speed);
        total += 1 / speed;
        instructions += 1;
    }
    printf("%-20s %12.2f\n", "the mix", instructions / total / 1e6);
    return 0;
}
