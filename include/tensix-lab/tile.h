/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs programs on the RISC-V cores of a Tensix tile, from L1 to L1: loads ELF files or images,
 * runs the cores, and reports on each of them. (The "txl_tile" of data.h is a tile of data.)
 *
 *     const struct txl_tensix_program programs[] = {{TX_CORE_T0, "t0.elf"}};
 *     const struct txl_tensix_options how = {.size = sizeof how, .arch = TX_BLACKHOLE,
 *                                            .programs = programs, .program_count = 1};
 *     txl_tensix *tile;
 *     if (txl_tensix_open(&err, &how, &tile) == TXL_OK && txl_tensix_run(&err, tile) == TXL_OK) {
 *         printf("%llu cycles\n", (unsigned long long)txl_tensix_result(tile)->cycles);
 *     }
 *     txl_tensix_close(tile);
 */
#ifndef TENSIX_LAB_TILE_H
#define TENSIX_LAB_TILE_H

#include <tensix/tensix.h>

#include <tensix-lab/base.h>
#include <tensix-lab/lint.h>
#include <tensix-lab/profile.h>
#include <tensix-lab/run.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The program of one core: an ELF file, or else an image for the core's default start address. Does
 * not grow, as callers have arrays of it and of the next struct.
 */
struct txl_tensix_program {
    enum tx_core core;
    const char *path;
};

/* A word at a NoC address, which is a multiple of 4. */
struct txl_tensix_word {
    uint32_t address, value;
};

/*
 * A word that the host stores while the cores run: as soon as the tile is looked at (see late) at
 * or after this cycle.
 */
struct txl_tensix_late {
    uint64_t cycle;
    uint32_t address, value;
};

/* What it points to must stay until txl_tensix_close. */
struct txl_tensix_options {
    size_t size;
    enum tx_arch arch;
    const struct txl_tensix_program *programs; /* at least one, each for another core */
    unsigned program_count;
    /*
     * Files loaded into and saved from L1: "ADDRESS=FILE", "ADDRESS:FORMAT:SHAPE=FILE"; at most 32
     * each.
     */
    const char *const *l1_in, *const *l1_out;
    unsigned l1_in_count, l1_out_count;
    const struct txl_tensix_word *pokes; /* stored before the cores start */
    unsigned poke_count;
    /* The run ends when all these words have their values; without any, when every core is idle. */
    const struct txl_tensix_word *until;
    unsigned until_count;
    uint64_t max_cycles; /* 0: 10^7 */
    bool untimed;        /* functional mode without time: cores and threads take turns */
    bool strict;         /* the run ends at the first finding */
    /*
     * Start only core B, with the start addresses of T0 to T2 where tt-llk's firmware looks for
     * them. Default: every core that has a program starts.
     */
    bool boot_b;
    bool profile; /* account for all cycles: txl_tensix_profile, and in text and JSON */
    /* In cycles, of max_cycles. With it a deadlock may be noticed up to 10000 cycles later. */
    txl_progress progress;
    void *progress_user;
    const char *scratch; /* folder for members of .npz files; NULL: /tmp */
    /*
     * Words stored during the run, such as a command that firmware waits for. The tile is looked at
     * every 16 cycles.
     */
    const struct txl_tensix_late *late;
    size_t late_count;
    /*
     * Folders beneath which sources that programs name may lie, besides those of the programs and
     * the working directory; names of files outside are not opened. Valid while the tile is open.
     */
    const char *const *sources;
    size_t source_count;
    uint8_t pace[8]; /* enum tx_pace by enum tx_paced: what if a unit were quicker */
};

typedef struct txl_tensix txl_tensix;

/* Reads all files and sets up the tile. Returns TXL_OK, or TXL_INPUT with *tile NULL. */
TXL_API int txl_tensix_open(struct txl_error *err, const struct txl_tensix_options *options,
                            txl_tensix **tile);
TXL_API void txl_tensix_close(txl_tensix *tile); /* NULL is nothing */

/*
 * Runs the tile to its end, once, and then writes the files from L1, all or none. TXL_NEGATIVE: a
 * fault, a deadlock, max_cycles reached, or, without until, a core that cannot continue; err then
 * says for each core where it is and what it waits for.
 */
TXL_API int txl_tensix_run(struct txl_error *err, txl_tensix *tile);

/*
 * Opens, runs and closes a tile, and records its run as a kernel: *text, which the caller frees, is
 * a kernel file with the words that each thread executed, with MOP and REPLAY expanded and the
 * core's stores to configuration, GPRs and semaphores turned into instructions. Returns TXL_OK, or
 * TXL_NEGATIVE also where a store has no equivalent instruction.
 */
TXL_API int txl_tensix_record(struct txl_error *err, const struct txl_tensix_options *options,
                              char **text, size_t *size);

/*
 * Opens, runs and closes a tile, and gives lint the words that each thread issued, with MOP and
 * REPLAY expanded, where they include vector instructions; the results are called "thread math" and
 * so on. *findings, which the caller frees, has the tile's own findings as in
 * txl_tensix_findings_text; NULL: none.
 */
TXL_API int txl_tensix_lint(struct txl_error *err, const struct txl_tensix_options *options,
                            txl_lint *lint, char **findings);

/* Returns the tile itself, to inspect it or to continue its run. */
TXL_API tx_tensix *txl_tensix_tile(txl_tensix *tile);
/*
 * Returns the position of a pc in the core's program, such as "main+0x1c", in text; NULL where no
 * function is known.
 */
TXL_API const char *txl_tensix_function(const txl_tensix *tile, enum tx_core core, uint32_t pc,
                                        char text[96]);

/*
 * Returns the source line of an instruction in the core's program, such as "ckernel.h:216 from
 * trisc.cpp:99"; for inlined code the second place is the line in the enclosing function. NULL
 * where the program has no line table or libdw is missing.
 */
TXL_API const char *txl_tensix_source(txl_tensix *tile, enum tx_core core, uint32_t pc,
                                      char text[256]);

/* Valid after txl_tensix_run, whatever it returned. Both structs may grow at their end. */
struct txl_tensix_result {
    uint64_t cycles;
    size_t findings;
    uint64_t findings_dropped;
    uint32_t bounds; /* why cycles are only a lower bound, enum tx_bound */
};
struct txl_tensix_core {
    enum tx_core core;
    const char *state; /* "runs", "loops for ever", "paused" ... */
    bool ran;          /* it left reset or executed anything */
    uint32_t pc;
    const char *function; /* the pc's function and offset, or NULL */
    uint64_t instructions;
    /* Cycles by wait, TX_CORE_WAITS entries, see tx_core_wait_text; [0] is unused. */
    const uint64_t *waited;
    const char *source; /* txl_tensix_source of the pc, or NULL */
};
TXL_API const struct txl_tensix_result *txl_tensix_result(const txl_tensix *tile);
/* NULL: there is no such core. */
TXL_API const struct txl_tensix_core *txl_tensix_core(const txl_tensix *tile, enum tx_core core);
/* NULL past the end. */
TXL_API const struct txl_run_finding *txl_tensix_finding(const txl_tensix *tile, size_t index);
/* NULL: no profile was requested, or the run did not reach its end. */
TXL_API const txl_profile *txl_tensix_profile(const txl_tensix *tile);
TXL_API const struct txl_l1_file *txl_tensix_l1_file(const txl_tensix *tile, bool output,
                                                     size_t index);
/*
 * Return the whole result for people, the findings alone (for a tile that could not continue), and
 * the whole result as JSON; the caller frees them. NULL without memory.
 */
TXL_API char *txl_tensix_text(const txl_tensix *tile);
TXL_API char *txl_tensix_findings_text(const txl_tensix *tile);
TXL_API char *txl_tensix_json(const txl_tensix *tile);

#ifdef __cplusplus
}
#endif

#endif
