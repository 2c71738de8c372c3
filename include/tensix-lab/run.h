/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a kernel over arrays, tile by tile on several threads, or a program once from L1 to L1. It
 * also tells how a tile's cycles are spent, and searches for idle cycles that change a result.
 *
 *     const char *in[] = {"x.npy"};
 *     struct txl_run_options how = {.size = sizeof how, .inputs = in, .input_count = 1,
 *                                   .output = "y.npy", .reference = "exp"};
 *     txl_run *run;
 *     if (txl_run_open(&err, program, &how, &run) == TXL_OK &&
 *         txl_run_tiles(&err, run) == TXL_OK) {
 *         printf("%g ULP\n", txl_run_accuracy(run)->max);
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

/* How the elements of an array are arranged in tiles of 32x32. */
enum txl_layout {
    TXL_LAYOUT_ANY,  /* flat; for files of tiles their own order */
    TXL_LAYOUT_FLAT, /* 1024 consecutive elements fill a tile row by row */
    TXL_LAYOUT_TILES /* 32x32 blocks of the last two dimensions */
};

/* Whatever it points to must stay valid until txl_run_close. */
struct txl_run_options {
    size_t size;      /* of this struct */
    const char *name; /* of the kernel, in messages; NULL: "kernel" */
    /*
     * Mode, rules, limits and watch (called by all threads); the sink is not used. NULL: the
     * defaults.
     */
    const struct tx_settings *settings;
    const struct tx_kernel_options *kernel; /* NULL: the defaults */
    size_t kernel_size;                     /* sizeof *kernel */
    const char *const *sets;                /* configuration, as "FIELD=VALUE" */
    unsigned set_count;                     /* at most 64 */
    /*
     * Input arrays, one for each input of the program: "x.npy", "x.npz:NAME", or with a format
     * "x.npy:bf16", or tiles "x:bfp8_b".
     */
    const char *const *inputs;
    unsigned input_count;  /* at most 16 */
    const char *output;    /* array or tiles, named like inputs; NULL: none is written */
    const char *compare;   /* array or tiles to compare the result with, or NULL */
    const char *reference; /* name of a function to compare the result with, or NULL */
    enum txl_layout layout;
    const uint64_t *shape; /* of the array, where files of tiles are used; or NULL */
    unsigned dimensions;   /* of shape, at most 32 */
    bool raw_bf16;         /* 16-bit elements of arrays are BF16 bit patterns */
    /*
     * Files loaded into and saved from L1: "ADDRESS=FILE", "ADDRESS:FORMAT:SHAPE=FILE"; at most 32
     * each.
     */
    const char *const *l1_in, *const *l1_out;
    unsigned l1_in_count, l1_out_count;
    /* Idle cycles inserted before words of .tile: "seed=N", "each=1..K", "at=I:N", "all=0..K". */
    const char *gaps;
    bool evidence;          /* collect notes on the evidence that every tile relied on */
    enum txl_engine engine; /* what runs the tiles */
    txl_compiler *compiler; /* for compiled code; NULL: none */
    unsigned threads;       /* 0: all processors */
    txl_progress progress;  /* txl_run_tiles: counts tiles; txl_run_gaps: patterns, of its budget */
    void *user;
    const char *scratch; /* folder for members of .npz files; NULL: /tmp */
};

/*
 * Checks the options and opens the inputs. Returns TXL_OK with *run, which the caller closes with
 * txl_run_close; otherwise *run is NULL. The program must stay valid until then.
 */
TXL_API int txl_run_open(struct txl_error *err, const struct tx_program *program,
                         const struct txl_run_options *options, txl_run **run);
TXL_API void txl_run_close(txl_run *run); /* NULL is allowed */

/*
 * Runs all tiles of the arrays; the output file appears only when it is whole. Returns TXL_OK,
 * TXL_INPUT, TXL_CANCELLED, or TXL_NEGATIVE where the kernel stopped; err then names the tile and
 * the reason.
 */
TXL_API int txl_run_tiles(struct txl_error *err, txl_run *run);
/* Runs .init and .tile once, from L1 to L1. Returns the same. */
TXL_API int txl_run_l1(struct txl_error *err, txl_run *run);

/* Data of one tile. Does not grow. */
struct txl_run_tile {
    uint32_t held[16][TX_TILE_ELEMENTS]; /* inputs as Dst held them, as words (see reference.h) */
    uint32_t got[TX_TILE_ELEMENTS];
};
/*
 * Runs a single tile on the reference engine and sends its events to a sink. begin, if not NULL, is
 * called with the sink's user between .init and .tile. The output file is not written. Returns the
 * same as txl_run_tiles.
 */
TXL_API int txl_run_one(struct txl_error *err, txl_run *run, uint64_t tile,
                        const struct tx_sink *sink, void (*begin)(void *user),
                        struct txl_run_tile *seen);

/*
 * Finds where an element of the array lies: the tile, and the place in it, counted row by row.
 * Returns false where there is no such element.
 */
TXL_API bool txl_run_place(const txl_run *run, uint64_t element, uint64_t *tile, unsigned *place);
/* The inverse: returns false where there is no such tile, or padding instead of an element. */
TXL_API bool txl_run_element(const txl_run *run, uint64_t tile, unsigned place, uint64_t *element);

/* The name of the reference function, or NULL. */
TXL_API const char *txl_run_reference(const txl_run *run);
/*
 * Computes its value for the element at a place of a tile, without rounding it to the output's
 * format, as txl_shadow_account needs it. Returns TXL_NEGATIVE where the run has no reference.
 */
TXL_API int txl_run_unrounded(struct txl_error *err, txl_run *run, const struct txl_run_tile *seen,
                              unsigned place, double *value);

/* ---- results of txl_run_tiles and txl_run_l1, valid until the next call or txl_run_close ---- */

/* Structs returned by the library may grow at their end. */
struct txl_run_result {
    const struct tx_counters *init, *tiles; /* of .init, and of all tiles summed */
    uint64_t elements, tile_count;          /* arrays only */
    /* Tiles are 32x32 blocks of the array (TXL_LAYOUT_TILES). */
    bool blocks;
    bool fast; /* the fast engine ran the tiles */
    double seconds;
    uint64_t rounded, overflowed, vanished; /* float64 values that FP32 cannot represent */
    uint64_t rounded_to_dst;                /* values that the Dst format cannot represent */
    enum tx_dst_format dst, out_dst;
    size_t inputs, findings, notes; /* numbers of entries that the functions below return */
    uint64_t findings_dropped;      /* occurrences of kinds for which there was no room */
    bool at_least;                  /* cycles are only a lower bound */
    uint32_t bounds;                /* for these reasons, enum tx_bound */
};
TXL_API const struct txl_run_result *txl_run_result(const txl_run *run);

/* An array or a file of tiles. */
struct txl_run_array {
    const char *name;   /* as it was given */
    const char *kind;   /* "float32", "float16_b as uint16" */
    const char *dtype;  /* of an array, else NULL */
    const char *format; /* of data with an explicit format, else NULL */
    const uint64_t *shape;
    unsigned dimensions;
    bool through_src;                /* the unpacker writes it to SrcA, not directly to Dst */
    const char *intermediate_format; /* the packer's, for an output that is packed; else NULL */
};
/* NULL: there is none. The output is described even before anything has been written. */
TXL_API const struct txl_run_array *txl_run_input(const txl_run *run, size_t index);
TXL_API const struct txl_run_array *txl_run_output(const txl_run *run);

struct txl_run_finding {
    const struct tx_finding *finding; /* its count is summed over all tiles */
    bool init;                        /* in .init, else in .tile */
    uint64_t tile;                    /* tile of the first occurrence */
    const char *source;               /* "relu.cpp:12", or NULL where unknown */
};
/* Findings in the order of tiles; NULL past the end. */
TXL_API const struct txl_run_finding *txl_run_finding(const txl_run *run, size_t index);

struct txl_run_note {
    const struct tx_evidence *evidence;
    uint64_t count; /* how often it was relied on */
};
TXL_API const struct txl_run_note *txl_run_note(const txl_run *run, size_t index);

enum { TXL_WORST = 5 };
struct txl_accuracy {
    const char *reference; /* name of the function or of the array */
    unsigned inputs;       /* number of operands */
    uint64_t compared, exact, mismatched;
    double max, mean; /* in ULP of the output's format, without mismatches */
    unsigned worst_count;
    struct {
        uint64_t element; /* of the array */
        uint32_t inputs[TXL_REFERENCE_INPUTS], expected, got;
        double ulp; /* infinite: NaN or infinity against something else */
    } worst[TXL_WORST];
};
/* NULL: nothing was compared. */
TXL_API const struct txl_accuracy *txl_run_accuracy(const txl_run *run);

/* A file loaded into or saved from L1. */
struct txl_l1_file {
    const char *name;
    uint32_t address, bytes;
    const char *format; /* NULL: bytes as they are */
    bool rows;          /* data is stored row by row, else in tiles of 32x32 */
    bool magnitude;     /* integers are sign and magnitude, else two's complement */
    const uint64_t *shape;
    unsigned dimensions;
};
/* NULL past the end. */
TXL_API const struct txl_l1_file *txl_run_l1_file(const txl_run *run, bool output, size_t index);

/*
 * Return the whole result for people or as JSON (docs/cli.md); the caller frees it. NULL without
 * memory.
 */
TXL_API char *txl_run_text(const txl_run *run);
TXL_API char *txl_run_json(const txl_run *run);

/* ---- where the cycles of a tile go ---- */

enum { TXL_CYCLE_CAUSES = 8 };
struct txl_cycles {
    uint64_t init, tile; /* cycles */
    uint64_t stalls, drain;
    /* instructions issued: vector instructions, SFPNOPs, all others */
    uint64_t vector, nops, others;
    uint64_t scheduled;    /* instructions executed by SFPLOADMACROs */
    uint64_t waiting_nops; /* SFPNOPs issued while an SFPLOADMACRO's schedule runs */
    const uint64_t *unit;  /* instructions that a sub-unit executed, by enum tx_unit */
    unsigned causes;
    struct {
        const char *text;
        uint64_t count;
    } cause[TXL_CYCLE_CAUSES];
    const char *bound; /* "issue-bound", "macro-bound", "stall-bound (by SFPNOPs)", ... */
    double clock_hz;   /* of the chip, for figures per second */
    bool at_least;     /* cycles are only a lower bound */
    uint32_t bounds;   /* for these reasons, enum tx_bound */
};
/*
 * Measures one tile of made-up numbers, or one run from L1. TXL_OK: *cycles lives as long as run,
 * and txl_run_cycles_json includes it.
 */
TXL_API int txl_run_cycles(struct txl_error *err, txl_run *run, const struct txl_cycles **cycles);
TXL_API char *txl_run_cycles_text(const txl_run *run);
TXL_API char *txl_run_cycles_json(const txl_run *run);
/*
 * Measures the same, and accounts for how threads and units spend each cycle. *profile is valid
 * until the next call or txl_run_close.
 */
TXL_API int txl_run_profile(struct txl_error *err, txl_run *run, const txl_profile **profile);

/* ---- idle cycles that change a result ---- */

struct txl_gap {      /* does not grow, nor does the next struct */
    size_t word;      /* index of the word in .tile, from 0 */
    uint32_t cycles;  /* idle cycles before it */
    unsigned line;    /* of the source, 0: not known */
    const char *text; /* "relu.cpp:12: sfpmad ..." or "line 12: sfpmad ..." */
};
/* A scheduled instruction that kept its cycle, although the instruction stream was delayed. */
struct txl_gap_moved {
    const char *scheduled, *launch; /* both as text, launch with its place in the source */
    unsigned unit, launch_line;
    uint64_t cycle, cycle_with_gap;
};
struct txl_gaps {
    bool found;
    unsigned count; /* of gap: 1 or 2 */
    struct txl_gap gap[2];
    unsigned elements;  /* number of elements of the tile that change */
    size_t other_words; /* other single words before which the same gap changes a result */
    uint64_t trials;
    size_t words; /* of .tile */
    unsigned moved_count;
    struct txl_gap_moved moved[4];
};
/*
 * Searches for the smallest pattern of idle cycles, within options.gaps "all=0..K", that changes
 * the first tile: single words first, then pairs. It tries at most budget patterns (0: 20000).
 * Returns TXL_OK where none does; TXL_NEGATIVE where one does (err is then empty) or where the
 * kernel stopped (err says why); or TXL_CANCELLED.
 */
TXL_API int txl_run_gaps(struct txl_error *err, txl_run *run, uint64_t budget,
                         const struct txl_gaps **gaps);
TXL_API char *txl_run_gaps_text(const txl_run *run);
TXL_API char *txl_run_gaps_json(const txl_run *run);
/* Tells whether options.gaps accepts a text; *search becomes whether it requests the search. */
TXL_API bool txl_gaps_valid(const char *text, bool *search);

/* ---- elements in exact arithmetic ---- */

struct txl_run_shadow_options {
    size_t size;              /* of this struct */
    const uint64_t *elements; /* indices into the array */
    size_t element_count;     /* 0: the worst elements of a tile */
    uint64_t tile, worst;     /* that tile, and how many of its worst elements */
};
/*
 * Report on elements as computed in exact arithmetic (shadow.h): for each element what it was
 * computed from, then txl_account_text or txl_account_json. They replace txl_run_tiles; the output
 * file is not written. The caller frees *text.
 */
TXL_API int txl_run_shadow_text(struct txl_error *err, txl_run *run,
                                const struct txl_run_shadow_options *options, char **text);
TXL_API int txl_run_shadow_json(struct txl_error *err, txl_run *run,
                                const struct txl_run_shadow_options *options, char **text);

#ifdef __cplusplus
}
#endif

#endif
