/* SPDX-License-Identifier: Apache-2.0 */
/*
 * beside SIMULATOR.so [BEGIN ...]: the rows of tensix bench that one thread of a tile executes,
 * on the reference engine and on another simulator's tile in this process, in turns: the same words
 * from the same state, processor time, the median of the ratios of ROUNDS turns. What both have
 * left in Dst, SrcA, SrcB, registers and L1 is compared. Rows are those of the simulator's chip
 * whose name begins with BEGIN; each has a process of its own, since the other one may end it.
 */
#include "beside.h"
#include "sides.h"

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

/* ---- the same state, and what both have left ---- */

static void copy_state(const tx_machine *m, const struct beside *other)
{
    sides_copy(m, other, ~UINT64_C(0));
    if (tx_l1_read(m, 0, other->l1(), L1_COMPARED) != TX_OK) {
        fail("L1 cannot be read");
    }
}

static const char *difference(const tx_machine *m, const struct beside *other, uint8_t *l1)
{
    const uint64_t files = SIDE(TX_FILE_DST) | SIDE(TX_FILE_SRC) | SIDE(TX_FILE_LREG);
    static char text[120];
    struct side_place place;
    if (sides_differ(m, other, files, 0, &place)) {
        return side_place_text(&place, text);
    }
    if (tx_l1_read(m, 0, l1, L1_COMPARED) != TX_OK) {
        fail("L1 cannot be read");
    }
    for (unsigned i = 0; i < L1_COMPARED; i++) {
        if (l1[i] != other->l1()[i]) {
            place = (struct side_place){NULL, i, 0, l1[i], other->l1()[i]};
            return side_place_text(&place, text);
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
            fail(other->refusal() != NULL ? other->refusal() : "the other tile waits");
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
