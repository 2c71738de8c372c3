/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recording in three parts: the requested kernels (record_list.c), the compiler and its program
 * (record_build.c), the kernel files and the public functions (record.c). Programs for the tile's
 * own cores are compiled by the same means (cross.c).
 */
#ifndef LAB_RECORD_H
#define LAB_RECORD_H

#include "kernel/load.h"

#include <sys/types.h>

enum {
    RECORD_KERNELS = 4096,
    RECORD_FLAGS = 64, /* extra words for the compiler */
    RECORD_FILES = 9   /* files in the folder */
};

/* One kernel, from a line of the list or from the options. */
struct record_kernel {
    char *text; /* the line that the pointers below point into, or NULL */
    const char *name, *init, *tile;
    unsigned line;  /* line in the list; 0: from the options */
    char head[512]; /* directives at the head of the kernel */
};

struct txl_record {
    struct txl_record_options how;
    struct txl_error *err; /* error of the call that is running */
    /* The kernel of the options, which is the default for lines of the list. */
    struct record_kernel one;
    struct record_kernel *kernels;
    size_t count;
    char folder[256];              /* for the compiler's files; "": none */
    char paths[RECORD_FILES][320]; /* the files in it */
    volatile pid_t running;        /* process group of a child, or 0 */
};

/* Adds a directive such as ".dst" with its value to a kernel's head. TXL_OK or TXL_INPUT. */
int record_head(struct txl_error *err, struct record_kernel *kernel, const char *directive,
                const char *value);

/* Reads the lines of the list into r->kernels. TXL_OK or TXL_INPUT. */
int record_read_list(struct txl_record *r);

/* Makes a folder for the compiler's files and compiles all kernels into one program in it. */
int record_compile(struct txl_record *r);
/* Runs the program for one of the kernels; *text gets the .word lines that it wrote. */
int record_run(struct txl_record *r, const struct record_kernel *kernel, char **text);
/*
 * The parts for other compilers: makes only the folder; runs a compiler, whose first error becomes
 * the error.
 */
int record_folder(struct txl_record *r);
int record_compiler(struct txl_record *r, const char *const argv[]);
/* Removes the folder and its files. */
void record_clean(struct txl_record *r);

/*
 * Returns TXL_OK if a compiler can be given these words, the caller's: none makes it run another
 * program, write another file or read more options from one (docs/cli.md, tensix cc).
 */
int record_check_flags(struct txl_error *err, const char *const *flags, unsigned count);
/* Makes what a failed compiler has said the error, as one line with its place. */
int record_tell(const struct txl_record *r, const char *text);

/* Returns the path without "./", which gcc adds for -include a.cpp. */
const char *record_plain(const char *path);

#endif
