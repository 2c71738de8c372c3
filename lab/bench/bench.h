/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "bench": how fast the engines run single instructions and small kernels, as ratios to loops
 * that run in turns with them. It may use all rooms before it.
 */
#ifndef LAB_BENCH_H
#define LAB_BENCH_H

#include "base/error.h"

#include <tensix-lab/bench.h>

/* ---- bench_loops.c: what rates are compared with, on 32 lanes as one instruction ---- */

enum bench_loop {
    BENCH_FMA,    /* a = b * c + d on the widest vectors, streamed from L1: "raw" */
    BENCH_ADD,    /* a = b + c */
    BENCH_COPY,   /* a = b */
    BENCH_SCALAR, /* a partially fused multiply-add in integers, lane by lane */
    BENCH_LOOPS = TXL_BENCH_LOOPS
};

/* Instructions of one call, and the call. */
double bench_loop_run(enum bench_loop loop);

/* ---- bench_lines.c: what is measured, a line of the table each ---- */

enum bench_data { DATA_MIXED, DATA_NEAR_ONE, DATA_BITS, DATA_BF16, DATA_CYCLES, BENCH_DATA };
enum bench_shape {
    SHAPE_RESULTS, /* op gives a result of its own, which an SFPXOR uses */
    SHAPE_CHAIN,   /* op goes on with what the one before it left */
    SHAPE_KERNEL,  /* op is the code for a row of a tile */
    SHAPE_THREADS, /* the same on two threads */
    SHAPE_L1,      /* op is .tile of a kernel that begins or ends in L1 */
    SHAPE_CONVERT  /* the same data through the array conversions */
};
enum bench_way {
    WAY_ENGINE,
    WAY_COMPILED,
    WAY_REFERENCE,
    WAY_WATCHED,
    WAY_VECTORS, /* the fast engine, a call for each vector of 32 lanes */
    WAY_TILES,   /* a call for each tile */
    WAY_WORDS    /* the reference engine, a call for each instruction */
};

/*
 * In op D is the register of the result, A, B and C are registers with data. Of the first two
 * shapes the same kernel without op is timed too, and the difference counts.
 */
struct bench_line {
    const char *name;
    enum tx_arch arch;
    enum bench_data data;
    enum bench_shape shape;
    enum bench_way way;
    unsigned count; /* instructions in op; SHAPE_L1: 32 data are one, or 0: machine cycles are */
    const char *op, *init;
    double goal;             /* of raw; of SHAPE_THREADS of one thread; 0: none */
    enum bench_loop against; /* what a regression is measured against */
};

extern const struct bench_line bench_lines[];
extern const size_t bench_line_count;
extern const char *const bench_data_names[BENCH_DATA];

enum { BENCH_TEXT = 1 << 17 };

/* The kernel, with op or without; *ops: how many more instructions a tile has with it. */
void bench_text(const struct bench_line *line, bool with, char *text, size_t size, unsigned *ops);

/* ---- bench_l1.c: lines of SHAPE_L1 and SHAPE_CONVERT ---- */

extern const char bench_unpack_init[], bench_unpack[], bench_pack_init[], bench_pack[],
    bench_pack_wh_init[], bench_pack_wh[], bench_datacopy_init[], bench_datacopy[];

struct bench_l1;
/* NULL: message says why. */
struct bench_l1 *bench_l1_open(const struct bench_line *line, const struct tx_program *program,
                               char message[400]);
void bench_l1_close(struct bench_l1 *b);
/* Some tiles, and how many units of the line they are. */
bool bench_l1_run(struct bench_l1 *b);
double bench_l1_units(struct bench_l1 *b);

#endif
