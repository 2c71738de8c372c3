/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "tile": programs of the five RISC-V cores on a whole tile, from files in L1 to files out of
 * it, with what each core did and waits for. It may use base, kernel and run.
 *
 * Programs of the cores, out of ELF files or as they lie in memory.
 */
#ifndef LAB_TILE_PROGRAM_H
#define LAB_TILE_PROGRAM_H

#include "kernel/load.h"

#include <tensix-lab/tile.h>

enum { TILE_SEGMENTS = 64, TILE_SYMBOLS = 1 << 16, TILE_FILE = 1 << 26 };

/* Bytes of a program, and where they go: L1, or the core's local memory. */
struct tile_segment {
    bool local;
    uint32_t address; /* in L1, or in local memory */
    uint32_t size;    /* of bytes */
    uint32_t room;    /* with what is to be zero */
    uint8_t *bytes;
};

struct tile_symbol {
    uint32_t address, size;
    char *name;
};

struct tile_program {
    const char *path;
    enum tx_core core;
    uint32_t entry;
    bool is_elf;
    uint32_t first; /* of an ELF: virtual address of its first segment to be loaded */
    struct tile_segment segments[TILE_SEGMENTS];
    unsigned count;
    struct tile_symbol *symbols; /* functions, by address */
    size_t symbol_count;
    bool has_lines;           /* there is a line table */
    struct tile_lines *lines; /* once somebody has asked */
};

/* A line of a source. The name lives as long as the program. */
struct tile_place {
    const char *file;
    unsigned line;
};

/* TXL_CONTINUE, or an exit code after one line. A file that is no ELF goes to the core's default
 * start address as it is. */
int tile_program_read(struct txl_error *err, enum tx_arch arch, struct tile_program *program);
/* No two segments of any of them may share bytes of L1. */
int tile_programs_apart(struct txl_error *err, const struct tile_program *programs, unsigned count);
void tile_program_free(struct tile_program *program);
/* "main+0x1c", or NULL where no function is known; text has 96 bytes. */
const char *tile_function(const struct tile_program *program, uint32_t pc, char *text);

/* tile_run.c: what was asked for. */
const struct txl_tensix_options *tile_options(const txl_tensix *tile);
/* Whether nothing goes on by itself any more; *sum: instructions of all cores. */
bool tile_rests(const txl_tensix *tile, uint64_t *sum);
/* Whether words are waited for, and all of them have their values. */
bool tile_has_words(const txl_tensix *tile);

/* For who runs it cycle by cycle: how far it has come. */
struct tile_course {
    uint64_t work, since; /* what had been done, and in which cycle that last changed */
};
enum tile_end {
    TILE_GOES_ON,
    TILE_WORDS, /* the words that it waits for are there */
    TILE_RESTS,
    TILE_DEADLOCK
};
/* Behind a cycle. Where txl_tensix_run would look, whether the run would be over. */
enum tile_end tile_over(txl_tensix *tile, struct tile_course *course);
/* Before the next cycle: the words that the host stores now, each of them once. */
void tile_late(txl_tensix *tile, void (*store)(void *user, const struct txl_tensix_late *word),
               void *user);

/* The program of a core, or NULL. */
struct tile_program *tile_program_of(const txl_tensix *tile, enum tx_core core);
/* Where a function of a core's program begins. False: there is none of that name. */
bool tile_symbol_address(const txl_tensix *tile, enum tx_core core, const char *name,
                         uint32_t *address);
/*
 * Where the instructions of a line begin, one for each place that it was compiled to; a line in
 * which something was inlined counts too. How many, at most most.
 */
unsigned tile_line_addresses(txl_tensix *tile, enum tx_core core, const char *file, unsigned line,
                             uint32_t *addresses, unsigned most);

/* The ELF files among the programs: path, and virtual address of the first segment. False: there
 * are not so many. */
bool tile_elf(const txl_tensix *tile, unsigned index, const char **path, uint32_t *first);

/* Who looks on while a tile runs: the events of its coprocessor, and the end of each cycle. */
struct tile_watch {
    struct tx_sink sink;
    void (*cycle)(void *user);
    void *user;
};
/* txl_tensix_open with somebody who looks on; NULL: nobody. */
int tile_open(struct txl_error *err, const struct txl_tensix_options *options,
              const struct tile_watch *watch, txl_tensix **tile);

/* The line that an instruction comes from, then those of the calls that were inlined there, from
 * the inside to the outside. 0: not known, or libdw is not there. */
unsigned tile_places(struct tile_program *program, uint32_t pc, struct tile_place *places,
                     unsigned most);
/* The first and the last of them, "ckernel.h:216 from trisc.cpp:99", or NULL. */
const char *tile_source(struct tile_program *program, uint32_t pc, char *text, size_t size);
void tile_lines_close(struct tile_program *program);

#endif
