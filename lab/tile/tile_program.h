/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "tile": programs for the five RISC-V cores of a whole tile, from files into L1 to files out
 * of it, with what each core did and waits for. It may use base, kernel and run.
 *
 * This header has the programs, from ELF files or memory images, and what the room's files share.
 */
#ifndef LAB_TILE_PROGRAM_H
#define LAB_TILE_PROGRAM_H

#include "base/bound.h"
#include "kernel/load.h"

#include <tensix-lab/tile.h>

enum { TILE_SEGMENTS = 64, TILE_SYMBOLS = 1 << 16, TILE_OBJECTS = 1024, TILE_FILE = 1 << 26 };

/* Bytes of a program and where they go: L1 or the core's local memory. */
struct tile_segment {
    bool local;
    uint32_t address; /* in L1, or offset in local memory */
    uint32_t size;    /* number of bytes */
    uint32_t room;    /* size including what must be zeroed */
    uint8_t *bytes;   /* room of them */
};

struct tile_symbol {
    uint32_t address, size;
    char *name;
};

/* A variable or a table in L1. */
struct tile_object {
    uint32_t address, size;
};

struct tile_program {
    const char *path;
    enum tx_core core;
    uint32_t entry;
    bool is_elf;
    uint32_t first; /* ELF only: virtual address of the first loaded segment */
    struct tile_segment segments[TILE_SEGMENTS];
    unsigned count;
    struct tile_symbol *symbols; /* functions, sorted by address */
    size_t symbol_count, symbol_room;
    struct tile_object *objects; /* in L1, in the order of the file; no more than TILE_OBJECTS */
    size_t object_count, object_room;
    bool has_lines;           /* the file has a line table */
    struct tile_lines *lines; /* NULL until it is first used */
};

/*
 * How tx_tensix_run looks for the end of a run, for those that run a tile cycle by cycle and must
 * end where it would: the cycles between two looks, and those without work after which nothing is
 * expected any more.
 */
enum { TILE_LOOK = 16, TILE_PATIENCE = 10000 };

/* Room for the places of an instruction and of all calls around it. */
enum { TILE_CALLS = 16 };

/* A source line. The name lives as long as the program. */
struct tile_place {
    const char *file;
    unsigned line;
};

/*
 * Reads a program. A file that is no ELF file is loaded unchanged at the core's default start
 * address. Returns TXL_CONTINUE, or an error in err.
 */
int tile_program_read(struct txl_error *err, enum tx_arch arch, struct tile_program *program);
/*
 * Reads a program from bytes in memory, which are not needed afterwards. Errors name program->path.
 */
int tile_program_take(struct txl_error *err, enum tx_arch arch, struct tile_program *program,
                      char *bytes, size_t size);
/* Checks that no two segments of any of the programs overlap in L1. */
int tile_programs_apart(struct txl_error *err, const struct tile_program *programs, unsigned count);
void tile_program_free(struct tile_program *program);
/* Writes "main+0x1c"; NULL where no function is known. text must have 96 bytes. */
const char *tile_function(const struct tile_program *program, uint32_t pc, char *text);

/* tile_run.c: returns the options of a tile. */
const struct txl_tensix_options *tile_options(const txl_tensix *tile);
/*
 * Tells whether nothing will happen any more by itself; *sum becomes the instructions of all cores.
 */
bool tile_rests(const txl_tensix *tile, uint64_t *sum);
/* Tells whether the run waits for words, and all of them have their values. */
bool tile_has_words(const txl_tensix *tile);

/* The progress of a run that the caller runs cycle by cycle. */
struct tile_course {
    uint64_t work, since; /* work done, and the cycle in which it last changed */
};
enum tile_end {
    TILE_GOES_ON,
    TILE_WORDS, /* the words that it waits for have their values */
    TILE_RESTS,
    TILE_DEADLOCK
};
/* To be called after each cycle: tells whether txl_tensix_run would end here. */
enum tile_end tile_over(txl_tensix *tile, struct tile_course *course);
/* To be called before each cycle: stores the host's words that are due, each of them once. */
void tile_late(txl_tensix *tile, void (*store)(void *user, const struct txl_tensix_late *word),
               void *user);

/* Returns the program of a core, or NULL. */
struct tile_program *tile_program_of(const txl_tensix *tile, enum tx_core core);
/*
 * Finds the address of a function in a core's program. Returns false where there is none of that
 * name.
 */
bool tile_symbol_address(const txl_tensix *tile, enum tx_core core, const char *name,
                         uint32_t *address);
/*
 * Finds the first instruction of each place that a source line was compiled to, including lines in
 * which functions were inlined. Returns their number, at most most.
 */
unsigned tile_line_addresses(txl_tensix *tile, enum tx_core core, const char *file, unsigned line,
                             uint32_t *addresses, unsigned most);

/*
 * Lists the ELF files among the programs: path, and virtual address of the first segment. Returns
 * false past the end.
 */
bool tile_elf(const txl_tensix *tile, unsigned index, const char **path, uint32_t *first);

/* A listener for a running tile: it gets the coprocessor's events, and a call after each cycle. */
struct tile_watch {
    struct tx_sink sink;
    void (*cycle)(void *user);
    void *user;
};
/* Like txl_tensix_open, with a listener; NULL: none. */
int tile_open(struct txl_error *err, const struct txl_tensix_options *options,
              const struct tile_watch *watch, txl_tensix **tile);

/*
 * Lists the source line of an instruction and then those of the calls that were inlined around it,
 * from the inside out. Returns their number; 0: unknown, or libdw is missing.
 */
unsigned tile_places(struct tile_program *program, uint32_t pc, struct tile_place *places,
                     unsigned most);
/* Writes the first and the last of them, "ckernel.h:216 from trisc.cpp:99"; NULL where unknown. */
const char *tile_source(struct tile_program *program, uint32_t pc, char *text, size_t size);
void tile_lines_close(struct tile_program *program);
/*
 * Where sources may lie that a program names: the working directory, these folders, and those of
 * the tile's programs (NULL: there is none), each with what is beneath it.
 */
struct tile_roots {
    const char *const *folders;
    size_t count;
    const txl_tensix *tile;
};
struct tile_roots tile_roots_of(const txl_tensix *tile);
/*
 * Returns the text of a source file, to be freed. The name comes from a program and may be
 * anything: NULL unless it is a regular file beneath one of the roots, reached by no link out of
 * it, and outside the working directory named as sources of kernels are.
 */
char *tile_source_text(const struct tile_roots *roots, const char *file, size_t *size);

#endif
