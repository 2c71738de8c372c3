/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels: reading and assembling kernel files with the places of their words, recording kernels
 * from C and C++, and a few words about programs and machines that every tool needs.
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
    enum tx_arch arch;   /* TX_ARCH_NONE: the text must say it */
    enum tx_start start; /* TX_START_UNSET: what the text says */
    bool hex;            /* a list of hex words; so is a file whose name ends in .hex */
    bool ttinsn;         /* hex words are rotated as in a RISC-V instruction stream */
    bool threads;        /* a program with .thread is welcome; of one file only */
    bool empty;          /* so is one without any instruction */
    bool any_word;       /* words that the chip does not have are not refused */
    char reserved[3];    /* zero */
};

/*
 * One file, or up to three that are the programs of threads 0, 1, 2 ("-": standard input). options
 * may be NULL. TXL_OK: *program is the caller's, for tx_program_free. TXL_INPUT: *program is NULL
 * and err names file, line and column.
 */
TXL_API int txl_kernel_load(struct txl_error *err, const char *const *paths, unsigned count,
                            const struct txl_kernel_options *options, struct tx_program **program);
/*
 * The same for a text of length bytes with a zero behind it; errors call it name. .include looks in
 * the folder of name, as if that were its path, or below, and nowhere else.
 */
TXL_API int txl_kernel_assemble(struct txl_error *err, const char *name, const char *text,
                                size_t length, const struct txl_kernel_options *options,
                                struct tx_program **program);

/* File and line of a word: those of .loc, else path and the line of the text (0: not known). */
TXL_API struct txl_where txl_where_word(const char *path, const struct tx_program *program,
                                        unsigned section, size_t index);
/*
 * "relu.cpp:12" of a word that the machine names: text, or NULL where no .loc or more than one
 * place has such a word. program may be NULL.
 */
TXL_API const char *txl_source_of(const struct tx_program *program, uint32_t word, char text[256]);
/*
 * Why a machine does not go on, one line: of a deadlock the waits of all threads. text, cut to size
 * bytes.
 */
TXL_API const char *txl_stuck_text(const tx_machine *machine, enum tx_status status, char *text,
                                   size_t size);

/* "int32 (two's complement)", "fp32". */
TXL_API const char *txl_dst_text(enum tx_dst_format format, char text[80]);
/*
 * The state that a program begins in, "vendor" or "reset"; and behind the name of a Dst format:
 * ", start vendor", or nothing for the state at power on.
 */
TXL_API const char *txl_start_name(const struct tx_program *program);
TXL_API const char *txl_start_text(const struct tx_program *program);
/* dst and out as the kernel will have them, where the caller has left them TX_DST_FORMAT_UNSET. */
TXL_API void txl_formats(const struct tx_program *program, struct tx_kernel_options *options);

/*
 * ---- recording kernels from C and C++ ----
 *
 * The source is compiled natively with <tensix/ckernel_ops.h> and a main that calls its functions;
 * what that program emits is the kernel. One compilation serves many kernels.
 */
typedef struct txl_record txl_record;

/* One kernel: what is called, and what its head says. */
struct txl_record_kernel {
    size_t size;      /* of this struct */
    const char *init; /* what runs once, for .init: a function or a call, as for tile; or NULL */
    const char *tile; /* what runs for each tile: "kernel", "relu<8>", "scale(0x3f80)" */
    /* Directives of a kernel file and their values by turns: ".dst", "fp32", ".title", "..." */
    const char *const *head;
    unsigned head_count; /* of words: even */
    unsigned reserved;   /* zero */
};

/* What it points to must stay until txl_record_close. */
struct txl_record_options {
    size_t size;        /* of this struct */
    enum tx_arch arch;  /* must be given */
    const char *source; /* FILE.cpp or FILE.c, must be given */
    /* The kernel; with list, what the list's lines leave out. Must be given without list. */
    const struct txl_record_kernel *kernel;
    /*
     * A file of kernels, a line each: a name and --init, --tile, --title, --dst, --inputs,
     * --output, --start, --reference with their values. NULL: one kernel.
     */
    const char *list;
    const char *compiler; /* NULL: c++, for FILE.c cc */
    const char *standard; /* NULL: gnu++17, for FILE.c gnu17 */
    const char *include;  /* folder that holds tensix/ckernel_ops.h; NULL: the compiler finds it */
    const char *scratch;  /* folder for a folder of temporary files; NULL: /tmp */
    const char *const *flags; /* for the compiler, as "-I", "dir" */
    unsigned flag_count;      /* at most 64 */
    /* Variables of the compiler, as environ has them; LC_ALL is C. NULL: no others. */
    char *const *environment;
    bool no_fuse; /* sfpi.hpp: a*b+c is rounded twice */
    bool spill;   /* an argument wider than its field goes into its neighbour */
    /* What the compiler, its warnings too, and the kernels say; NULL: nobody listens. */
    void (*say)(void *user, const char *text);
    txl_progress progress; /* with 0, 0; false kills what runs */
    void *user;            /* of both functions */
};

/*
 * Compiles. TXL_OK: *record is the caller's, for txl_record_close, which removes the temporary
 * files. Otherwise *record is NULL and nothing stays.
 */
TXL_API int txl_record_open(struct txl_error *err, const struct txl_record_options *options,
                            txl_record **record);
TXL_API void txl_record_close(txl_record *record); /* NULL is allowed */
TXL_API size_t txl_record_count(const txl_record *record);
/* Of a kernel of the list; NULL: there is no list, or no such index. */
TXL_API const char *txl_record_name(const txl_record *record, size_t index);
/*
 * Runs the program for one kernel and checks the recording by the assembler. TXL_OK: *text is the
 * kernel file, for free(); of one whose arguments spilled, its head tells. TXL_INPUT: err says why;
 * the other kernels can still be had.
 */
TXL_API int txl_record_text(struct txl_error *err, txl_record *record, size_t index, char **text,
                            size_t *size);
/*
 * The spilled arguments of a recording one after another: "relu.cpp:12: ..." (length bytes, not
 * ended by a zero). from: NULL, then what the function returned. NULL: there are no more.
 */
TXL_API const char *txl_record_spill(const char *text, const char *from, size_t *length);

/* ---- kernels for the tile's RISC-V cores, compiled by a cross compiler ---- */

/* What it points to must stay until txl_cc returns. */
struct txl_cc_options {
    size_t size;              /* of this struct */
    enum tx_arch arch;        /* must be given */
    unsigned thread;          /* 0 unpack, 1 math, 2 pack: for which T core */
    const char *source;       /* FILE.c, FILE.S, or else C++; must be given */
    const char *out;          /* the ELF file, must be given; written whole or not at all */
    const char *compiler;     /* NULL: riscv64-unknown-elf-g++, for FILE.c and FILE.S -gcc */
    const char *include;      /* folder that holds tensix/kernel, must be given */
    const char *scratch;      /* folder for a folder of temporary files; NULL: /tmp */
    const char *const *flags; /* for the compiler, as "-I", "dir" */
    unsigned flag_count;      /* at most 64 */
    unsigned reserved;        /* zero */
    char *const *environment; /* as for txl_record_options */
    void (*say)(void *user, const char *text); /* what the compiler says of a program that has an
                                                  error; NULL: only its first error, in err */
    txl_progress progress;                     /* with 0, 0; false kills the compiler */
    void *user;                                /* of both functions */
};

/*
 * Compiles and links the program of one thread: include/tensix/kernel has its start-up code and the
 * layout of memory, docs/kernels-riscv.md the manual. TXL_OK, TXL_INPUT or TXL_CANCELLED.
 */
TXL_API int txl_cc(struct txl_error *err, const struct txl_cc_options *options);

#ifdef __cplusplus
}
#endif

#endif
