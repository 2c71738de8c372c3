/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads and assembles kernel files and maps their words to source lines, records kernels from C and
 * C++, compiles kernels for RISC-V cores, and has small helpers for programs and machines that
 * every tool needs.
 *
 *     struct txl_error err = {0};
 *     struct tx_program *program;
 *     const char *path = "relu.s";
 *     if (txl_kernel_load(&err, &path, 1, NULL, &program) != TXL_OK) { ... err.message ... }
 *     tx_program_free(program);
 */
#ifndef TENSIX_LAB_KERNEL_H
#define TENSIX_LAB_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tensix-lab/base.h>
#include <tensix/tensix.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How kernel files are read. */
struct txl_kernel_options {
    size_t size;         /* of this struct */
    enum tx_arch arch;   /* TX_ARCH_NONE: the text must state it */
    enum tx_start start; /* TX_START_UNSET: as the text states */
    bool hex;            /* the file lists hex words; so it does by a name that ends in .hex, and
                            where each line is a word of eight digits without 0x */
    bool ttinsn;         /* hex words are rotated as in a RISC-V instruction stream */
    bool threads;        /* accept a program with .thread, in a single file */
    bool empty;          /* accept a program without instructions */
    bool any_word;       /* accept words that the chip does not have */
    char reserved[3];    /* zero */
};

/*
 * Loads a kernel from one file, or a program for threads from up to three files, for threads 0, 1
 * and 2 ("-": standard input). options may be NULL. Returns TXL_OK with *program, which the caller
 * frees with tx_program_free; or TXL_INPUT with *program NULL, and file, line and column in err.
 */
TXL_API int txl_kernel_load(struct txl_error *err, const char *const *paths, unsigned count,
                            const struct txl_kernel_options *options, struct tx_program **program);
/*
 * The same for a text of length bytes, followed by a zero byte; errors call it name. .include
 * searches the folder of name, taken as a path, and folders below it, and nowhere else.
 */
TXL_API int txl_kernel_assemble(struct txl_error *err, const char *name, const char *text,
                                size_t length, const struct txl_kernel_options *options,
                                struct tx_program **program);

/*
 * Returns the source place of a word: as .loc states, else path and the line of the text (0: not
 * known).
 */
TXL_API struct txl_where txl_where_word(const char *path, const struct tx_program *program,
                                        unsigned section, size_t index);
/*
 * Formats the source place of a word that the machine reported, such as "relu.cpp:12". Returns
 * text, or NULL where no .loc covers such a word or several different places have it. program may
 * be NULL.
 */
TXL_API const char *txl_source_of(const struct tx_program *program, uint32_t word, char text[256]);
/*
 * Writes why a machine cannot continue; for a deadlock a table follows, with a row for each thread
 * that waits: where, what for, and what would end the wait. Returns text; rows that do not fit into
 * size bytes are counted.
 */
TXL_API const char *txl_stuck_text(const tx_machine *machine, enum tx_status status, char *text,
                                   size_t size);

/* Describes a Dst format: "int32 (two's complement)", "fp32". */
TXL_API const char *txl_dst_text(enum tx_dst_format format, char text[80]);
/*
 * Name the state in which a program starts. The first returns "vendor" or "reset"; the second a
 * suffix for the name of a Dst format: ", start vendor", or "" for the state after power on.
 */
TXL_API const char *txl_start_name(const struct tx_program *program);
TXL_API const char *txl_start_text(const struct tx_program *program);
/* Sets dst and out to what the kernel will use, where they are TX_DST_FORMAT_UNSET. */
TXL_API void txl_formats(const struct tx_program *program, struct tx_kernel_options *options);

/*
 * ---- recording kernels from C and C++ ----
 *
 * The source is compiled for the host with <tensix/ckernel_ops.h> and a generated main that calls
 * its functions; the instructions which that program emits when it runs are the kernel. One
 * compilation serves many kernels.
 */
typedef struct txl_record txl_record;

/* One kernel: the functions to call, and the directives at the head of its file. */
struct txl_record_kernel {
    size_t size;      /* of this struct */
    const char *init; /* executed once, for .init: a function or a call, as in tile; or NULL */
    const char *tile; /* executed for each tile: "kernel", "relu<8>", "scale(0x3f80)" */
    /* Directives of the kernel file and their values in turn: ".dst", "fp32", ".title", "..." */
    const char *const *head;
    unsigned head_count; /* number of texts in head: even */
    unsigned reserved;   /* zero */
};

/* Whatever it points to must stay valid until txl_record_close. */
struct txl_record_options {
    size_t size;        /* of this struct */
    enum tx_arch arch;  /* must be given */
    const char *source; /* FILE.cpp or FILE.c, must be given */
    /* The kernel. With list: defaults for lines of the list. Must be given without list. */
    const struct txl_record_kernel *kernel;
    /*
     * A file with a line for each kernel: a name, then --init, --tile, --title, --dst, --inputs,
     * --output, --start, --reference with their values. NULL: one kernel only.
     */
    const char *list;
    const char *compiler; /* NULL: c++, or cc for FILE.c */
    const char *standard; /* NULL: gnu++17, or gnu17 for FILE.c */
    const char *include;  /* folder with tensix/ckernel_ops.h; NULL: the compiler finds it */
    const char *scratch;  /* where a folder for temporary files is created; NULL: /tmp */
    /*
     * Additional compiler arguments, as "-I", "dir"; docs/cli.md (cc) lists which. Others, which
     * could run a program or write a file, are TXL_INPUT.
     */
    const char *const *flags;
    unsigned flag_count; /* at most 64 */
    /* The compiler's environment, like environ, with LC_ALL set to C. NULL: empty. */
    char *const *environment;
    bool no_fuse; /* sfpi.hpp: round a*b+c twice instead of fusing it */
    bool spill;   /* an argument wider than its field overwrites the neighbouring field */
    /* Receives output of the compiler, warnings included, and of the kernels; NULL: discarded. */
    void (*say)(void *user, const char *text);
    txl_progress progress; /* called with 0, 0; returning false kills the child process */
    void *user;            /* of both functions */
};

/*
 * Compiles the source. Returns TXL_OK with *record, which the caller closes with txl_record_close;
 * that removes the temporary files. Otherwise *record is NULL and no files remain.
 */
TXL_API int txl_record_open(struct txl_error *err, const struct txl_record_options *options,
                            txl_record **record);
TXL_API void txl_record_close(txl_record *record); /* NULL is allowed */
TXL_API size_t txl_record_count(const txl_record *record);
/* Returns the name of a kernel of the list; NULL without a list or past its end. */
TXL_API const char *txl_record_name(const txl_record *record, size_t index);
/*
 * Runs the program for one kernel and verifies the recording with the assembler. Returns TXL_OK
 * with *text, the kernel file, which the caller frees; its head lists arguments that spilled.
 * TXL_INPUT: err says why; the other kernels can still be recorded.
 */
TXL_API int txl_record_text(struct txl_error *err, txl_record *record, size_t index, char **text,
                            size_t *size);
/*
 * Iterates over the spilled arguments listed in a recording, each as "relu.cpp:12: ..." (*length
 * bytes, not zero-terminated). Pass NULL as from, then the previous result. Returns NULL past the
 * end.
 */
TXL_API const char *txl_record_spill(const char *text, const char *from, size_t *length);

/* ---- kernels for the tile's RISC-V cores, compiled by a cross compiler ---- */

/* Whatever it points to must stay valid until txl_cc returns. */
struct txl_cc_options {
    size_t size;       /* of this struct */
    enum tx_arch arch; /* must be given */
    /* The core it is for: 0 unpack, 1 math, 2 pack; data movement: 3 on core B, 4 on core NC. */
    unsigned thread;
    const char *source;       /* FILE.c, FILE.S, or else C++; must be given */
    const char *out;          /* the ELF file to write, whole or not at all; must be given */
    const char *compiler;     /* NULL: riscv64-unknown-elf-g++; for FILE.c and FILE.S -gcc */
    const char *include;      /* folder with tensix/kernel; must be given */
    const char *scratch;      /* where a folder for temporary files is created; NULL: /tmp */
    const char *const *flags; /* as in struct txl_record_options */
    unsigned flag_count;      /* at most 64 */
    unsigned reserved;        /* zero */
    char *const *environment; /* as in struct txl_record_options */
    /*
     * Receives the compiler's output about a program that has errors; NULL: only the first error is
     * reported, in err.
     */
    void (*say)(void *user, const char *text);
    /* Called with 0, 0; returning false kills the compiler. */
    txl_progress progress;
    void *user; /* of both functions */
    /* The vendor's compiler: the folder with compiler/bin/riscv-tt-elf-g++; NULL: compiler. */
    const char *sfpi;
    /*
     * tt-metal's folder (TT_METAL_HOME): the kernel is written in its headers, which sfpi compiles.
     * NULL: the kernel includes tensix/kernel.
     */
    const char *metal;
    /* For a kernel that txl_chip places: its program lies where tensix/kernel/launch.h says. */
    bool placed;
    bool llk;                /* the kernel is written in tt-llk's headers, which metal has, too */
    uint8_t reserved_too[6]; /* zero */
};

/*
 * Finds the folder of the vendor's compiler: the one that is given, or where it is NULL that of
 * SFPI_HOME, TT_METAL_HOME/runtime/sfpi, or /opt/tenstorrent/sfpi, by the environment. Returns
 * TXL_OK with its name in path, or TXL_INPUT, which says where it was looked for.
 */
TXL_API int txl_sfpi(struct txl_error *err, const char *given, char *const *environment,
                     char path[4096]);

/*
 * Compiles and links the program of one thread. Its start-up code and memory layout are in
 * include/tensix/kernel; docs/kernels-riscv.md is the manual. Returns TXL_OK, TXL_INPUT or
 * TXL_CANCELLED.
 */
TXL_API int txl_cc(struct txl_error *err, const struct txl_cc_options *options);

#ifdef __cplusplus
}
#endif

#endif
