/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "bench": measures how fast the engines run single instructions and small kernels, as ratios
 * to reference loops that run alternately with them, so that the results of different machines can
 * be compared. It may use all rooms before it.
 */
#ifndef LAB_BENCH_H
#define LAB_BENCH_H

#include "base/error.h"

#include <tensix-internal/bench.h>

/* ---- bench_loops.c: loops to compare rates with; 32 lanes count as one instruction ---- */

enum bench_loop {
    BENCH_FMA,    /* a = b * c + d on the widest vectors, streamed from L1: "raw" */
    BENCH_ADD,    /* a = b + c */
    BENCH_COPY,   /* a = b */
    BENCH_SCALAR, /* a partially fused multiply-add in integers, lane by lane */
    BENCH_LOOPS = TXL_BENCH_LOOPS
};

/* Runs a loop once and returns how many instructions that counts as. */
double bench_loop_run(enum bench_loop loop);

/* ---- bench_lines.c: the lines of the table, one measurement each ---- */

enum bench_data { DATA_MIXED, DATA_NEAR_ONE, DATA_BITS, DATA_BF16, DATA_CYCLES, BENCH_DATA };
enum bench_shape {
    SHAPE_RESULTS, /* op gives a result that an SFPXOR then uses: throughput */
    SHAPE_CHAIN,   /* op continues with the result of the one before: latency */
    SHAPE_KERNEL,  /* op is the code for a row of a tile */
    SHAPE_THREADS, /* a kernel on two threads */
    SHAPE_L1,      /* op is .tile of a kernel that reads its tile from L1 or writes it there */
    SHAPE_CONVERT  /* the same data through the conversion functions, for comparison */
};
enum bench_way {
    WAY_ENGINE,
    WAY_COMPILED,
    WAY_REFERENCE,
    WAY_WATCHED,
    WAY_VECTORS, /* the fast engine, one call for each vector of 32 lanes */
    WAY_TILES,   /* the fast engine, one call for each tile */
    WAY_WORDS    /* the reference engine, one call for each instruction */
};

/*
 * In op, D stands for the result's register and A, B and C for registers with data. For the shapes
 * RESULTS and CHAIN the same kernel without op is timed too, and the difference counts.
 */
struct bench_line {
    const char *name;
    enum tx_arch arch;
    enum bench_data data;
    enum bench_shape shape;
    enum bench_way way;
    /* Instructions in op; SHAPE_L1: 32 data count as one, and 0 means to count machine cycles. */
    unsigned count;
    const char *op, *init;
    /* Required ratio to the "raw" loop, or to one thread for SHAPE_THREADS; 0: none. */
    double goal;
    enum bench_loop against; /* the loop to which regressions refer */
};

extern const struct bench_line bench_lines[];
extern const size_t bench_line_count;
extern const char *const bench_data_names[BENCH_DATA];

enum { BENCH_TEXT = 1 << 17 };

/* Writes the kernel with op or without it. *ops: how many more instructions a tile has with it. */
void bench_text(const struct bench_line *line, bool with, char *text, size_t size, unsigned *ops);

/* ---- bench_work.c ---- */

double bench_median(double *list, unsigned count); /* sorts the list */

/* ---- bench_l1.c: lines of SHAPE_L1 and SHAPE_CONVERT ---- */

struct bench_l1;
/* NULL: err says why. */
struct bench_l1 *bench_l1_open(const struct bench_line *line, const struct tx_program *program,
                               struct txl_error *err);
void bench_l1_close(struct bench_l1 *b);
/* Runs some tiles; bench_l1_units says how many units of the line these are. */
bool bench_l1_run(struct bench_l1 *b);
double bench_l1_units(struct bench_l1 *b);
/* What one thread executes, for programs that have it executed elsewhere, too. */
struct bench_l1_words {
    tx_machine *machine;
    unsigned thread;
    const uint32_t *words;
    size_t count;
    double units; /* what the line counts: instructions, or vectors of 32 data */
};
/* counted: the units of a tile, as txl_bench_text says. */
struct bench_l1_words bench_l1_words(const struct bench_l1 *b, unsigned counted);

#endif
