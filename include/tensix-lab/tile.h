/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs on the RISC-V cores of a Tensix tile, from L1 to L1: ELF files or images are loaded,
 * the cores run, and each of them reports. ("txl_tile" of data.h is a tile of data.)
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

/* A core's program: an ELF file, else an image for the core's default start address. Does not grow,
 * as callers have arrays of it and of the next one. */
struct txl_tensix_program {
    enum tx_core core;
    const char *path;
};

/* A word that the NoC reaches; address is a multiple of 4. */
struct txl_tensix_word {
    uint32_t address, value;
};

/* A word that the host stores while the cores run: before the first look at or after this cycle. */
struct txl_tensix_late {
    uint64_t cycle;
    uint32_t address, value;
};

/* What it points to must stay until txl_tensix_close. */
struct txl_tensix_options {
    size_t size;
    enum tx_arch arch;
    const struct txl_tensix_program *programs; /* at least one, of different cores */
    unsigned program_count;
    /* Files into and out of L1: "ADDRESS=FILE", "ADDRESS:FORMAT:SHAPE=FILE"; at most 32 each. */
    const char *const *l1_in, *const *l1_out;
    unsigned l1_in_count, l1_out_count;
    const struct txl_tensix_word *pokes; /* stored before the cores start */
    unsigned poke_count;
    /* The end is where all these words have their values; none: where every core rests. */
    const struct txl_tensix_word *until;
    unsigned until_count;
    uint64_t max_cycles; /* 0: 10^7 */
    bool untimed;        /* no time: cores and threads take turns */
    bool strict;         /* the first finding ends it */
    /* Only core B starts, with the start addresses of T0 to T2 where tt-llk's firmware looks for
     * them; default: every core that has a program. */
    bool boot_b;
    bool profile; /* where the cycles go: txl_tensix_profile, and in text and JSON */
    /* In cycles, of max_cycles. With it a deadlock may be seen up to 10000 cycles later. */
    txl_progress progress;
    void *progress_user;
    const char *scratch; /* folder for arrays out of and into an .npz; NULL: /tmp */
    /* Stored in the course of the run, such as a command that firmware waits for. The tile is
     * looked at every 16 cycles. */
    const struct txl_tensix_late *late;
    size_t late_count;
};

typedef struct txl_tensix txl_tensix;

/* Reads everything and sets the tile up. TXL_OK, or TXL_INPUT; *tile is NULL then. */
TXL_API int txl_tensix_open(struct txl_error *err, const struct txl_tensix_options *options,
                            txl_tensix **tile);
TXL_API void txl_tensix_close(txl_tensix *tile); /* NULL is nothing */

/*
 * Once, to the end; then the files out of L1 are written, all of them or none. TXL_NEGATIVE: a
 * fault, a deadlock, too few cycles, or, without until, a core that cannot go on; err tells where
 * each core stands and what it waits for.
 */
TXL_API int txl_tensix_run(struct txl_error *err, txl_tensix *tile);

/*
 * Open, run, close; *text is a kernel file for free(), with what the coprocessor was made to do in
 * this run: the words of each thread, MOP and REPLAY expanded, and its core's stores to
 * configuration, GPRs and semaphores as words. TXL_OK; TXL_NEGATIVE also where a store is no
 * word's.
 */
TXL_API int txl_tensix_record(struct txl_error *err, const struct txl_tensix_options *options,
                              char **text, size_t *size);

/*
 * Open, run, close, and what each thread issued in this run goes to lint as words, with MOP and
 * REPLAY expanded, where it holds vector instructions: a result "thread math" and so on.
 * *findings, for free(): what the tile itself found, as txl_tensix_findings_text; NULL: nothing.
 */
TXL_API int txl_tensix_lint(struct txl_error *err, const struct txl_tensix_options *options,
                            txl_lint *lint, char **findings);

/* The tile itself, to look at or to go on with. */
TXL_API tx_tensix *txl_tensix_tile(txl_tensix *tile);
/* "main+0x1c" of the core's program; NULL where no function is known. */
TXL_API const char *txl_tensix_function(const txl_tensix *tile, enum tx_core core, uint32_t pc,
                                        char text[96]);

/* "ckernel.h:216 from trisc.cpp:99", the line that an instruction of the core's program comes from,
 * and the one in the function that all around it was inlined into; NULL where the program has no
 * line table (or libdw is not there). */
TXL_API const char *txl_tensix_source(txl_tensix *tile, enum tx_core core, uint32_t pc,
                                      char text[256]);

/* After txl_tensix_run, whatever it returned. Both may get more fields at their end. */
struct txl_tensix_result {
    uint64_t cycles;
    size_t findings;
    uint64_t findings_dropped;
};
struct txl_tensix_core {
    enum tx_core core;
    const char *state; /* "runs", "loops for ever", "paused" ... */
    bool ran;          /* it has left reset, or executed something */
    uint32_t pc;
    const char *function; /* where the pc stands, or NULL */
    uint64_t instructions;
    const uint64_t *waited; /* TX_CORE_WAITS, cycles: tx_core_wait_text; [0] means nothing */
    const char *source;     /* txl_tensix_source of the pc, or NULL */
};
TXL_API const struct txl_tensix_result *txl_tensix_result(const txl_tensix *tile);
/* NULL: there is no such core. */
TXL_API const struct txl_tensix_core *txl_tensix_core(const txl_tensix *tile, enum tx_core core);
/* NULL past the end. */
TXL_API const struct txl_run_finding *txl_tensix_finding(const txl_tensix *tile, size_t index);
/* NULL: none was asked for, or the run did not come to its end. */
TXL_API const txl_profile *txl_tensix_profile(const txl_tensix *tile);
TXL_API const struct txl_l1_file *txl_tensix_l1_file(const txl_tensix *tile, bool output,
                                                     size_t index);
/*
 * All of it for people, the findings alone (for a tile that could not go on), and all as an object
 * in JSON; free() it. NULL without memory.
 */
TXL_API char *txl_tensix_text(const txl_tensix *tile);
TXL_API char *txl_tensix_findings_text(const txl_tensix *tile);
TXL_API char *txl_tensix_json(const txl_tensix *tile);

#ifdef __cplusplus
}
#endif

#endif
