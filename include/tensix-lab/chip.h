/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs on the tiles of a chip, without any host stack: ELF files placed on cores of tiles, or a
 * whole program with kernels, circular buffers, semaphores, arguments and buffers.
 *
 *     const struct txl_chip_options how = {.size = sizeof how, .product = "p150", .columns = 4,
 *                                          .rows = 4};
 *     txl_chip *chip;
 *     if (txl_chip_open(&err, &how, &chip) == TXL_OK &&
 *         txl_chip_elf(&err, chip, 0, 0, TX_CORE_B, "b.elf") == TXL_OK &&
 *         txl_chip_run(&err, chip) == TXL_OK) {
 *         txl_chip_read(&err, chip, 0, 0, 0x20000, words, sizeof words);
 *     }
 *     txl_chip_close(chip);
 *
 * Tensix tiles are named by column and row among those that answer, from 0 on, as tt-metal's
 * logical coordinates are. docs/chip.md is the manual.
 */
#ifndef TENSIX_LAB_CHIP_H
#define TENSIX_LAB_CHIP_H

#include <tensix/chip.h>

#include <tensix-lab/order.h>
#include <tensix-lab/profile.h>
#include <tensix-lab/tile.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct txl_chip txl_chip;

/* What it points to must stay until txl_chip_open returns; environment, say and progress longer. */
struct txl_chip_options {
    size_t size;
    const char *product;    /* one of tx_chip_product; NULL: p150 */
    unsigned columns, rows; /* a smaller grid of Tensix tiles; 0: that of the product */
    bool untimed;           /* functional mode without time, with requests that act at once */
    bool strict;            /* the run ends at the first finding */
    bool profile;           /* runs are profiled, see txl_chip_profile; not with untimed */
    bool races;             /* accesses that nothing orders are looked for, see txl_chip_races */
    unsigned threads;       /* that run tiles; 0: one. The results do not depend on it */
    uint64_t max_cycles;    /* of a run; 0: 10^8 */
    /* The settings of every Tensix tile, such as a listener; NULL: the defaults. */
    const struct tx_tensix_settings *tile;
    txl_progress progress; /* in cycles, of max_cycles */
    void *user;
    /*
     * Lines NAME=CYCLES that replace times of the networks (tx_chip_set_time), and the name of
     * their file in errors; NULL: none. Not for a run without time.
     */
    const char *times, *times_name;
    /* A file of delays (tx_chip_delay), one a line; NULL: none. Not for a run without time. */
    const char *delays;
    /*
     * Runs in which units, the networks or DRAM take half their time or none: enum tx_pace, by enum
     * tx_paced and then by enum tx_chip_paced. txl_chip_paces sets it from texts.
     */
    uint8_t pace[TX_PACED_COUNT + TX_CHIP_PACED_COUNT];
    bool documented; /* races at the level of the letter (tensix-lab/order.h) */
    /*
     * With races: searches for each finding of the last run a delay with which it ends otherwise,
     * in at most so many further runs, 0: 64. Not without time, nor with delays, threads or paces.
     */
    bool witness;
    uint8_t reserved[3]; /* zero */
    uint32_t budget;
};
/* Sets paces from UNIT=PACE texts, as txl_paces does, also noc and dram. False: err says why. */
TXL_API bool txl_chip_paces(struct txl_error *err, const char *const *texts, unsigned count,
                            uint8_t *pace);

/*
 * Returns the options as the JSON object that the Python module tensix.chip takes from the
 * environment (TENSIX_CHIP_RUN): product, grid, untimed, strict, threads, max_cycles, delays; sfpi:
 * the folder of the vendor's compiler, or NULL. The caller frees it. NULL without memory.
 */
TXL_API char *txl_chip_told(const struct txl_chip_options *options, const char *sfpi);

/* Returns TXL_OK, or TXL_INPUT with *chip NULL. */
TXL_API int txl_chip_open(struct txl_error *err, const struct txl_chip_options *options,
                          txl_chip **chip);
TXL_API void txl_chip_close(txl_chip *chip); /* NULL is nothing */
/* Returns the chip itself, to look at it or to set up more than these functions do. */
TXL_API tx_chip *txl_chip_chip(txl_chip *chip);
TXL_API void txl_chip_grid(const txl_chip *chip, unsigned *columns, unsigned *rows);
/* Finds the endpoint (tx_chip_tile_at) of a Tensix tile. TXL_INPUT: there is none at that place. */
TXL_API int txl_chip_index(struct txl_error *err, const txl_chip *chip, unsigned column,
                           unsigned row, size_t *index);

/*
 * Places an ELF file on a core of a tile, for the next run: its segments go where it says, into L1
 * and into the core's local memory, and the core starts at its entry.
 */
TXL_API int txl_chip_elf(struct txl_error *err, txl_chip *chip, unsigned column, unsigned row,
                         enum tx_core core, const char *path);

/* Read and write L1 or registers of a tile, as the host does. */
TXL_API int txl_chip_read(struct txl_error *err, txl_chip *chip, unsigned column, unsigned row,
                          uint32_t address, void *bytes, size_t size);
TXL_API int txl_chip_write(struct txl_error *err, txl_chip *chip, unsigned column, unsigned row,
                           uint32_t address, const void *bytes, size_t size);

/* ---- whole programs: docs/chip.md describes their form ---- */

/* What a program's file says about the chip that it wants. */
struct txl_chip_wants {
    size_t size;            /* of this struct, set by the caller */
    char product[16];       /* "": it does not say */
    unsigned columns, rows; /* 0: it does not say */
};
/* Reads that alone; name is the file's in errors, or NULL. */
TXL_API int txl_chip_wants(struct txl_error *err, const char *name, const char *text, size_t size,
                           struct txl_chip_wants *wants);

/* What it points to must stay until txl_chip_program returns. */
struct txl_chip_program_options {
    size_t size;
    const char *name;    /* of the program's file, in errors; NULL: none */
    const char *folder;  /* the only one whose files the program may name; NULL: the working one */
    const char *include; /* folder with tensix/kernel; needed for kernels that are compiled */
    const char *scratch; /* for temporary files; NULL: /tmp */
    /* The folder of the vendor's compiler; NULL: where txl_sfpi finds it, where it is needed. */
    const char *sfpi;
    char *const *environment; /* for compilers, and where they and tt-metal are found */
    /* Receives the compiler's output about a kernel that has errors; NULL: the first error only. */
    void (*say)(void *user, const char *text);
    void *user;
};

/*
 * Reads a program in JSON, gives its buffers their places, loads their files, compiles its kernels,
 * and places all that kernels find in L1. txl_chip_run then runs it. Buffers stay on the chip, so
 * that the next program may use them by name.
 */
TXL_API int txl_chip_program(struct txl_error *err, txl_chip *chip, const char *text, size_t size,
                             const struct txl_chip_program_options *options);
/* Writes the files that buffers of the last program are to be saved in. */
TXL_API int txl_chip_save(struct txl_error *err, txl_chip *chip);

/*
 * Ends the watch of a chip that was opened with races, and returns what it has found in all runs,
 * valid until txl_chip_close; NULL: nobody has watched. Programs that run afterwards are not
 * watched.
 */
TXL_API txl_order *txl_chip_races(txl_chip *chip);
/*
 * For a chip that was opened with witness, after txl_chip_races: runs the last program again and
 * again with one delay more. TXL_OK, or TXL_INPUT.
 */
TXL_API int txl_chip_witness(struct txl_error *err, txl_chip *chip);

/* Move the first bytes of a buffer, page after page. */
TXL_API int txl_chip_buffer_write(struct txl_error *err, txl_chip *chip, const char *name,
                                  const void *bytes, size_t size);
TXL_API int txl_chip_buffer_read(struct txl_error *err, txl_chip *chip, const char *name,
                                 void *bytes, size_t size);
/* Where a buffer lies. Does not grow. */
struct txl_chip_buffer {
    uint32_t address;     /* in every bank, or every tile */
    uint32_t page, pages; /* bytes of a page, and how many there are */
    uint32_t apart;       /* bytes from page to page in a bank */
    uint64_t bytes;       /* that were asked for */
};
TXL_API int txl_chip_buffer(struct txl_error *err, const txl_chip *chip, const char *name,
                            struct txl_chip_buffer *about);

/*
 * Lets a debugger look at one tile of the next run: "visit" is called when all programs have been
 * started, before the first cycle, with a tile for txl_gdb_open, txl_gdb_serve or
 * txl_debug_open_attached, whose steps run the whole chip and which goes back in time with all of
 * it. The tile is gone when visit returns: TXL_OK runs on to the end, anything else ends the run,
 * with err as visit left it.
 */
TXL_API int txl_chip_attach(struct txl_error *err, txl_chip *chip, unsigned column, unsigned row,
                            int (*visit)(void *user, struct txl_error *err, txl_tensix *tile),
                            void *user);

/*
 * Starts every core that has a program and runs until all of them rest and no request is under way.
 * TXL_NEGATIVE: a fault, a deadlock, or max_cycles reached; err names the first cores that wait,
 * and the report all of them. Afterwards the cores are in reset again and have no programs; L1 and
 * DRAM stay.
 */
TXL_API int txl_chip_run(struct txl_error *err, txl_chip *chip);

/* Of the last run. The struct may grow at its end. */
struct txl_chip_result {
    uint64_t cycles;       /* that the run took */
    uint32_t bounds;       /* why they are only a lower bound, enum tx_bound */
    uint32_t tiles;        /* on which programs ran */
    uint64_t instructions; /* of all cores */
    size_t findings;       /* distinct ones */
};
TXL_API const struct txl_chip_result *txl_chip_result(const txl_chip *chip);

/*
 * Returns the profile of the last run (profile.h), whose lanes are named after their tiles: "2,1
 * core b"; NULL: it was not profiled. It belongs to the chip and stays until the next run.
 */
TXL_API const txl_profile *txl_chip_profile(const txl_chip *chip);
/*
 * Writes the profile to a file in the form that its name chooses: .noc.json the requests as events
 * that tt-npe reads, .ops.csv a row of tt-metal's table of operations, .device.csv the log of its
 * device profiler; .html a page, another .json trace events, else text. Returns TXL_OK or
 * TXL_INPUT.
 */
TXL_API int txl_chip_profile_file(struct txl_error *err, const txl_chip *chip, const char *path);

/*
 * Return what the last run did for people, or as JSON: cycles, findings with tile and source line,
 * and, where it did not end, each core that waits. The caller frees them. NULL without memory.
 */
TXL_API char *txl_chip_text(const txl_chip *chip);
TXL_API char *txl_chip_json(const txl_chip *chip);

/*
 * Return the grid as a drawing, or as JSON with the kind and the coordinates of every place on both
 * NoCs. The caller frees them. NULL without memory.
 */
TXL_API char *txl_chip_map_text(const txl_chip *chip);
TXL_API char *txl_chip_map_json(const txl_chip *chip);

#ifdef __cplusplus
}
#endif

#endif
