/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel over arrays, tile by tile on several threads; a program that begins and ends in L1;
 * where the cycles of a tile go; and the idle cycles that change a result.
 *
 *     const char *in[] = {"x.npy"};
 *     struct txl_run_options how = {.size = sizeof how, .inputs = in, .input_count = 1,
 *                                   .output = "y.npy", .reference = "exp"};
 *     txl_run *run;
 *     if (txl_run_open(&err, program, &how, &run) == TXL_OK && txl_run_tiles(&err, run) == TXL_OK)
 * { printf("%g ULP\n", txl_run_accuracy(run)->max);
 *     }
 *     txl_run_close(run);
 */
#ifndef TENSIX_LAB_RUN_H
#define TENSIX_LAB_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tensix-lab/base.h>
#include <tensix-lab/engine.h>
#include <tensix-lab/json.h>
#include <tensix-lab/profile.h>
#include <tensix-lab/reference.h>
#include <tensix/tensix.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct txl_run txl_run;

/* How the elements of an array fall into tiles of 32x32. */
enum txl_layout {
    TXL_LAYOUT_ANY,  /* flat, but for files of tiles */
    TXL_LAYOUT_FLAT, /* 1024 consecutive elements fill a tile row by row */
    TXL_LAYOUT_TILES /* 32x32 blocks of the last two dimensions */
};

/* What it points to must stay until txl_run_close. */
struct txl_run_options {
    size_t size;      /* of this struct */
    const char *name; /* of the kernel, in messages; NULL: "kernel" */
    /* Mode, rules, limits, watch (asked by all threads); not the sink. NULL: the defaults. */
    const struct tx_settings *settings;
    const struct tx_kernel_options *kernel; /* NULL: the defaults */
    size_t kernel_size;                     /* sizeof *kernel */
    const char *const *sets;                /* configuration, as "FIELD=VALUE" */
    unsigned set_count;                     /* at most 64 */
    /*
     * Input arrays, one for each input of the program: "x.npy", "x.npz:NAME", or data of a format
     * as "x.npy:bf16" or tiles "x:bfp8_b".
     */
    const char *const *inputs;
    unsigned input_count;  /* at most 16 */
    const char *output;    /* array or tiles, named alike; NULL: none is written */
    const char *compare;   /* array or tiles that the result is compared with, or NULL */
    const char *reference; /* function that it is compared with, or NULL */
    enum txl_layout layout;
    const uint64_t *shape; /* of the array in files of tiles, or NULL */
    unsigned dimensions;   /* of it, at most 32 */
    bool raw_bf16;         /* 16-bit elements are BF16 patterns */
    /* Files into and out of L1: "ADDRESS=FILE", "ADDRESS:FORMAT:SHAPE=FILE"; at most 32 each. */
    const char *const *l1_in, *const *l1_out;
    unsigned l1_in_count, l1_out_count;
    /* Idle cycles before the words of .tile: "seed=N", "each=1..K", "at=I:N", "all=0..K". */
    const char *gaps;
    bool evidence;          /* notes of every tile are wanted */
    enum txl_engine engine; /* what runs the tiles */
    txl_compiler *compiler; /* for compiled code; NULL: none */
    unsigned threads;       /* 0: all processors */
    txl_progress progress;  /* txl_run_tiles: in tiles; txl_run_gaps: in patterns of its budget */
    void *user;
    const char *scratch; /* folder for arrays out of and into an .npz; NULL: /tmp */
};

/*
 * Understands the options and opens the inputs. TXL_OK: *run is the caller's, for txl_run_close;
 * else it is NULL. The program must stay until then.
 */
TXL_API int txl_run_open(struct txl_error *err, const struct tx_program *program,
                         const struct txl_run_options *options, txl_run **run);
TXL_API void txl_run_close(txl_run *run); /* NULL is allowed */

/*
 * All tiles of the arrays; the output appears when it is whole. TXL_OK, TXL_INPUT, TXL_CANCELLED,
 * or TXL_NEGATIVE where the kernel stopped: err says in which tile and why.
 */
TXL_API int txl_run_tiles(struct txl_error *err, txl_run *run);
/* .init and .tile once, from L1 to L1. The same. */
TXL_API int txl_run_l1(struct txl_error *err, txl_run *run);

/* What one tile held. Does not grow. */
struct txl_run_tile {
    uint32_t held[16][TX_TILE_ELEMENTS]; /* inputs, as Dst held them: see reference.h for words */
    uint32_t got[TX_TILE_ELEMENTS];
};
/*
 * One tile alone on the reference engine, its events to a sink; begin, if not NULL, is called with
 * the sink's user between .init and .tile. The output is not written. As txl_run_tiles.
 */
TXL_API int txl_run_one(struct txl_error *err, txl_run *run, uint64_t tile,
                        const struct tx_sink *sink, void (*begin)(void *user),
                        struct txl_run_tile *seen);

/* Where element of the array stands: place of tile, row by row. False: there is no such element. */
TXL_API bool txl_run_place(const txl_run *run, uint64_t element, uint64_t *tile, unsigned *place);
/* The other way. False: there is no such tile, or nothing of the array stands there. */
TXL_API bool txl_run_element(const txl_run *run, uint64_t tile, unsigned place, uint64_t *element);

/* The name of the reference function, or NULL. */
TXL_API const char *txl_run_reference(const txl_run *run);
/*
 * Its value for the element at this place of a tile, not rounded to the format of the output, as
 * txl_shadow_account wants it. TXL_NEGATIVE: the run has no reference.
 */
TXL_API int txl_run_unrounded(struct txl_error *err, txl_run *run, const struct txl_run_tile *seen,
                              unsigned place, double *value);

/* ---- results of txl_run_tiles and txl_run_l1, valid until the next call or txl_run_close ---- */

/* Structs that the library hands out may grow at their end. */
struct txl_run_result {
    const struct tx_counters *init, *tiles; /* of .init, and of all tiles together */
    uint64_t elements, tile_count;          /* of an array */
    bool blocks;                            /* tiles are 32x32 blocks of the array */
    bool fast;                              /* the fast engine ran the tiles */
    double seconds;
    uint64_t rounded, overflowed, vanished; /* float64 values that FP32 does not hold */
    uint64_t rounded_to_dst;                /* values that the Dst format does not hold */
    enum tx_dst_format dst, out_dst;
    size_t inputs, findings, notes; /* how many the functions below have */
    uint64_t findings_dropped;      /* occurrences of more kinds than are kept */
    bool at_least; /* cycles are a lower bound: of unpackers and packers no more is known */
};
TXL_API const struct txl_run_result *txl_run_result(const txl_run *run);

/* An array or a file of tiles. */
struct txl_run_array {
    const char *name;   /* as it was given */
    const char *kind;   /* "float32", "float16_b as uint16" */
    const char *dtype;  /* of an array, else NULL */
    const char *format; /* of data of a format, else NULL */
    const uint64_t *shape;
    unsigned dimensions;
    bool through_src;                /* the unpacker takes it through SrcA */
    const char *intermediate_format; /* of an output that is packed, else NULL */
};
/* NULL: there is none. The output also while nothing has been written. */
TXL_API const struct txl_run_array *txl_run_input(const txl_run *run, size_t index);
TXL_API const struct txl_run_array *txl_run_output(const txl_run *run);

struct txl_run_finding {
    const struct tx_finding *finding; /* count is that of all tiles */
    bool init;                        /* in .init, else in .tile */
    uint64_t tile;                    /* of the first occurrence */
    const char *source;               /* "relu.cpp:12", or NULL where that is not known */
};
/* In the order of tiles; NULL past the end. */
TXL_API const struct txl_run_finding *txl_run_finding(const txl_run *run, size_t index);

struct txl_run_note {
    const struct tx_evidence *evidence;
    uint64_t count; /* how often it was relied on */
};
TXL_API const struct txl_run_note *txl_run_note(const txl_run *run, size_t index);

enum { TXL_WORST = 5 };
struct txl_accuracy {
    const char *reference; /* the function, or the name of the array */
    unsigned inputs;       /* of each case */
    uint64_t compared, exact, mismatched;
    double max, mean; /* in ULP of the output's format, over what is no mismatch */
    unsigned worst_count;
    struct {
        uint64_t element; /* of the array */
        uint32_t inputs[TXL_REFERENCE_INPUTS], expected, got;
        double ulp; /* infinite: NaN or infinity against something else */
    } worst[TXL_WORST];
};
/* NULL: nothing was compared. */
TXL_API const struct txl_accuracy *txl_run_accuracy(const txl_run *run);

/* A file that goes into L1 or out of it. */
struct txl_l1_file {
    const char *name;
    uint32_t address, bytes;
    const char *format; /* NULL: bytes as they are */
    bool rows;          /* row by row, else tiles of 32x32 */
    bool magnitude;     /* integers as sign and magnitude, else in two's complement */
    const uint64_t *shape;
    unsigned dimensions;
};
/* NULL past the end. */
TXL_API const struct txl_l1_file *txl_run_l1_file(const txl_run *run, bool output, size_t index);

/* All of it, for people or as JSON (docs/cli.md); free() it. NULL without memory. */
TXL_API char *txl_run_text(const txl_run *run);
TXL_API char *txl_run_json(const txl_run *run);

/* ---- where the cycles of a tile go ---- */

enum { TXL_CYCLE_CAUSES = 8 };
struct txl_cycles {
    uint64_t init, tile; /* cycles */
    uint64_t stalls, drain;
    uint64_t vector, nops, others; /* issued: vector instructions, SFPNOP, the rest */
    uint64_t scheduled;            /* executed for SFPLOADMACRO */
    uint64_t waiting_nops;         /* SFPNOPs within the schedule of an SFPLOADMACRO */
    const uint64_t *unit;          /* instructions that a sub-unit executed, by enum tx_unit */
    unsigned causes;
    struct {
        const char *text;
        uint64_t count;
    } cause[TXL_CYCLE_CAUSES];
    const char *bound; /* "issue-bound", "macro-bound", "stall-bound (by SFPNOPs)", ... */
    double clock_hz;   /* of the chip; per second means that */
    bool at_least;     /* how long unpackers and packers take is only known from below */
};
/* One tile of numbers that are made up, or once from L1. TXL_OK: *cycles lives as long as run, and
 * its JSON has it.
 */
TXL_API int txl_run_cycles(struct txl_error *err, txl_run *run, const struct txl_cycles **cycles);
TXL_API char *txl_run_cycles_text(const txl_run *run);
TXL_API char *txl_run_cycles_json(const txl_run *run);
/* The same, as threads and units spend each of the cycles; lives until the next one or
 * txl_run_close. */
TXL_API int txl_run_profile(struct txl_error *err, txl_run *run, const txl_profile **profile);

/* ---- idle cycles that change a result ---- */

struct txl_gap {      /* does not grow, nor the next one */
    size_t word;      /* of .tile, counted from 0 */
    uint32_t cycles;  /* idle before it */
    unsigned line;    /* of the source, 0: not known */
    const char *text; /* "relu.cpp:12: sfpmad ..." or "line 12: sfpmad ..." */
};
/* A scheduled instruction that did not wait with the stream. */
struct txl_gap_moved {
    const char *scheduled, *launch; /* in words, with the launch's place */
    unsigned unit, launch_line;
    uint64_t cycle, cycle_with_gap;
};
struct txl_gaps {
    bool found;
    unsigned count; /* of gap, 1 or 2 */
    struct txl_gap gap[2];
    unsigned elements;  /* that change */
    size_t other_words; /* that do alone, with as much */
    uint64_t trials;
    size_t words; /* of .tile */
    unsigned moved_count;
    struct txl_gap_moved moved[4];
};
/*
 * Searches the smallest pattern of options.gaps "all=0..K" that changes the first tile: single
 * words, then pairs; at most budget patterns (0: 20000). TXL_OK: none does. TXL_NEGATIVE: one does,
 * err is empty then; or the kernel stopped, as err says. TXL_CANCELLED.
 */
TXL_API int txl_run_gaps(struct txl_error *err, txl_run *run, uint64_t budget,
                         const struct txl_gaps **gaps);
TXL_API char *txl_run_gaps_text(const txl_run *run);
TXL_API char *txl_run_gaps_json(const txl_run *run);
/* Whether a text is one that options.gaps takes, and whether it asks for the search. */
TXL_API bool txl_gaps_valid(const char *text, bool *search);

/* ---- elements in exact arithmetic ---- */

struct txl_run_shadow_options {
    size_t size;              /* of this struct */
    const uint64_t *elements; /* of the array */
    size_t element_count;     /* 0: the worst of a tile */
    uint64_t tile, worst;     /* which one, and how many of its worst */
};
/*
 * What shadow.h tells of elements, each as txl_account_text or txl_account_json has it behind what
 * it was made from. Instead of txl_run_tiles; the output is not written. *text is for free().
 */
TXL_API int txl_run_shadow_text(struct txl_error *err, txl_run *run,
                                const struct txl_run_shadow_options *options, char **text);
TXL_API int txl_run_shadow_json(struct txl_error *err, txl_run *run,
                                const struct txl_run_shadow_options *options, char **text);

#ifdef __cplusplus
}
#endif

#endif
