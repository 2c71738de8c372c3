/* SPDX-License-Identifier: Apache-2.0 */
/*
 * beside SIMULATOR.so [BEGIN ...]: the rows of tensix bench that one thread of a tile executes,
 * on the reference engine and on another simulator's tile in this process, in turns: the same words
 * from the same state, processor time, the median of the ratios of ROUNDS turns. What both have
 * left in Dst, SrcA, SrcB, registers and L1 is compared. Rows are those of the simulator's chip
 * whose name begins with BEGIN; each has a process of its own, since the other one may end it.
 */
#include "beside.h"

#include "bench/bench.h"
#include "../turns.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 31, L1_COMPARED = 1 << 18 };
#define TURN 0.002 /* seconds of processor time of our part of a turn, at least */

static void fail(const char *text)
{
    fprintf(stderr, "beside: %s\n", text);
    exit(1);
}

static void get(const tx_machine *m, enum tx_file file, unsigned index, uint32_t *values,
                unsigned count)
{
    if (tx_read(m, file, index, values, count) != TX_OK) {
        fail("a register file cannot be read");
    }
}

/* ---- the same state ---- */

/* Writes of zeros are left out, as the other tile begins with them and refuses some registers. */
static void copy_config(const tx_machine *m, const struct beside *other)
{
    for (unsigned i = 0; i < 256; i++) {
        uint32_t value;
        if (tx_read(m, TX_FILE_CONFIG, i, &value, 1) == TX_OK && value != 0) {
            other->put_config(i, value);
        }
    }
    for (unsigned i = 0; i < 128 * TX_THREADS; i++) {
        uint32_t value;
        if (tx_read(m, TX_FILE_THREAD_CONFIG, i, &value, 1) == TX_OK && value != 0) {
            const uint32_t setc16 = 0xB2000000u | (i % 128) << 16 | value;
            (void)other->run(i / 128, &setc16, 1);
        }
    }
}

static void copy_state(const tx_machine *m, const struct beside *other)
{
    uint32_t v[32];
    uint32_t w[32];
    copy_config(m, other);
    for (unsigned i = 0; i < 3 * TX_THREADS; i++) {
        get(m, TX_FILE_ADC, i, v, 16);
        other->put_counters(i / 3, i % 3, v);
    }
    for (unsigned row = 0; row < 1024; row++) {
        get(m, TX_FILE_DST, row, v, 16);
        get(m, TX_FILE_DST_VALID, row, w, 1);
        other->put_dst(row, v, w[0] != 0);
    }
    get(m, TX_FILE_SRC_BANK, 0, v, 4);
    get(m, TX_FILE_SRC_BANK, 1, w, 4);
    other->put_banks(v, w);
    get(m, TX_FILE_SRC_FORMAT, 0, v, 2);
    get(m, TX_FILE_SRC_FORMAT, 1, w, 2);
    other->put_formats(v, w);
    for (unsigned i = 0; i < 16; i++) {
        if (i < 8 || (i > 10 && i < 15)) {
            get(m, TX_FILE_LREG, i, v, 32);
            other->put_lanes(i, v);
        }
    }
    get(m, TX_FILE_LANE_FLAGS, 0, v, 1);
    get(m, TX_FILE_USE_LANE_FLAGS, 0, w, 1);
    other->put_flags(v[0], w[0] != 0);
    if (tx_l1_read(m, 0, other->l1(), L1_COMPARED) != TX_OK) {
        fail("L1 cannot be read");
    }
}

/* ---- what both have left ---- */

static const char *difference(const tx_machine *m, const struct beside *other, uint8_t *l1)
{
    uint32_t v[32];
    uint32_t w[32];
    static char text[80];
    for (unsigned row = 0; row < 1024; row++) {
        get(m, TX_FILE_DST, row, v, 16);
        other->get_dst(row, w);
        if (memcmp(v, w, 16 * sizeof v[0]) != 0) {
            snprintf(text, sizeof text, "Dst row %u differs", row);
            return text;
        }
    }
    for (unsigned i = 0; i < 256; i++) {
        get(m, TX_FILE_SRC, i, v, 16);
        other->get_src(i / 128, i / 64 % 2, i % 64, w);
        if (memcmp(v, w, 16 * sizeof v[0]) != 0) {
            snprintf(text, sizeof text, "Src%c row %u differs", i < 128 ? 'A' : 'B', i % 64);
            return text;
        }
    }
    for (unsigned i = 0; i < 8; i++) {
        get(m, TX_FILE_LREG, i, v, 32);
        other->get_lanes(i, w);
        if (memcmp(v, w, sizeof v) != 0) {
            snprintf(text, sizeof text, "L%u differs", i);
            return text;
        }
    }
    if (tx_l1_read(m, 0, l1, L1_COMPARED) != TX_OK) {
        fail("L1 cannot be read");
    }
    for (unsigned i = 0; i < L1_COMPARED; i++) {
        if (l1[i] != other->l1()[i]) {
            snprintf(text, sizeof text, "L1 at %x differs: %02x, there %02x", i, l1[i],
                     other->l1()[i]);
            return text;
        }
    }
    return "equal";
}

/* ---- a row ---- */

static double ours(tx_machine *m, const struct bench_l1_words *w, unsigned times)
{
    const double start = turn_now();
    for (unsigned i = 0; i < times; i++) {
        if (tx_run(m, w->thread, w->words, w->count) != TX_OK) {
            fail("our machine has stopped");
        }
    }
    return turn_now() - start;
}

static double theirs(const struct beside *other, const struct bench_l1_words *w, unsigned times)
{
    const double start = turn_now();
    for (unsigned i = 0; i < times; i++) {
        if (other->run(w->thread, w->words, (uint32_t)w->count) != w->count) {
            fail("the other tile waits");
        }
    }
    return turn_now() - start;
}

static void measure(const char *name, const struct beside *other, tx_machine *m,
                    const struct bench_l1_words *w)
{
    double ratio[ROUNDS];
    double rate[ROUNDS];
    double there[ROUNDS];
    unsigned times = 1;
    uint8_t *l1 = malloc(L1_COMPARED);
    if (l1 == NULL) {
        fail("out of memory");
    }
    (void)ours(m, w, 1);
    (void)theirs(other, w, 1);
    const char *equal = difference(m, other, l1);
    while (ours(m, w, times) < TURN && times < 1u << 20) {
        times *= 2;
    }
    for (unsigned i = 0; i < ROUNDS; i++) {
        const double a = ours(m, w, times);
        const double b = theirs(other, w, times);
        ratio[i] = b / a;
        rate[i] = (double)w->units * times / a;
        there[i] = (double)w->units * times / b;
    }
    printf("| %s | %s | %.1f | %.1f | %.2f | %s |\n", name, other->chip,
           turn_median(rate, ROUNDS) / 1e6, turn_median(there, ROUNDS) / 1e6,
           turn_median(ratio, ROUNDS), equal);
    free(l1);
}

static void run_line(size_t index, const struct beside *other)
{
    const struct bench_line *line = &bench_lines[index];
    unsigned counted;
    static const struct tx_asm_options options = {.arch = TX_ARCH_NONE};
    struct txl_error err = {.status = TXL_OK};
    struct tx_diag diag = {0};
    char *text = txl_bench_text(index, &counted);
    struct tx_program *program = NULL;
    if (text == NULL || tx_assemble(text, strlen(text), &options, &program, &diag) != TX_OK) {
        fail("a row does not assemble");
    }
    struct bench_l1 *b = bench_l1_open(line, program, &err);
    if (b == NULL) {
        fail(err.message);
    }
    const struct bench_l1_words w = bench_l1_words(b, counted);
    other->open();
    copy_state(w.machine, other);
    measure(line->name, other, w.machine, &w);
    bench_l1_close(b);
    tx_program_free(program);
    free(text);
}

int main(int argc, char **argv)
{
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    const struct beside *(*tile)(void);
    if (library == NULL) {
        fail(argc > 1 ? dlerror() : "beside SIMULATOR.so [BEGIN ...]");
    }
    *(void **)&tile = dlsym(library, "beside_tile");
    if (tile == NULL) {
        fail("that is no simulator's tile");
    }
    const struct beside *other = tile();
    for (size_t i = 0; i < bench_line_count; i++) {
        const struct bench_line *line = &bench_lines[i];
        const bool bh = line->arch == TX_BLACKHOLE;
        if (!txl_bench_chosen(line->name, (const char *const *)argv + 2, (size_t)argc - 2) ||
            strcmp(other->chip, bh ? "bh" : "wh") != 0 || line->shape == SHAPE_CONVERT ||
            line->shape == SHAPE_THREADS || line->count == 0 || line->way == WAY_COMPILED) {
            continue;
        }
        fflush(stdout);
        const pid_t child = fork();
        if (child == 0) {
            run_line(i, other);
            fflush(stdout);
            _exit(0);
        }
        int status;
        if (child < 0 || waitpid(child, &status, 0) != child) {
            fail("no process for a row");
        }
        if (status != 0) {
            printf("| %s | %s | | | | ended |\n", line->name, other->chip);
        }
    }
    return 0;
}
