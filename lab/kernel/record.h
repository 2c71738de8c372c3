/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recording, cut in three: the kernels that are asked for (record_list.c), the compiler and its
 * program (record_build.c), the kernel files and the public functions (record.c). Programs for the
 * tile's own cores are compiled by the same means (cross.c).
 */
#ifndef LAB_RECORD_H
#define LAB_RECORD_H

#include "kernel/load.h"

#include <sys/types.h>

enum {
    RECORD_KERNELS = 4096,
    RECORD_FLAGS = 64, /* words for the compiler */
    RECORD_FILES = 8   /* in the folder */
};

/* One kernel: a line of the list, or what the options say. */
struct record_kernel {
    char *text; /* the line that the pointers below point into, or NULL */
    const char *name, *init, *tile;
    unsigned line;  /* of the list; 0: the options */
    char head[512]; /* lines of the kernel's head */
};

struct txl_record {
    struct txl_record_options how;
    struct txl_error *err;    /* of the call that is under way */
    struct record_kernel one; /* of the options; the default of the list's lines */
    struct record_kernel *kernels;
    size_t count;
    char folder[256];              /* for the compiler's files; "" where there is none */
    char paths[RECORD_FILES][320]; /* of them */
    volatile pid_t running;        /* process group, or 0 */
};

/* ".dst" and its value, to a kernel's head; TXL_OK, or TXL_INPUT. */
int record_head(struct txl_error *err, struct record_kernel *kernel, const char *directive,
                const char *value);

/* The lines of the list to r->kernels. TXL_OK, or TXL_INPUT. */
int record_read_list(struct txl_record *r);

/* A folder for the compiler's files, and all kernels compiled into one program in it. */
int record_compile(struct txl_record *r);
/* Runs it for one of them: *text gets the .word lines that it wrote. */
int record_run(struct txl_record *r, const struct record_kernel *kernel, char **text);
/* Only the folder; and a compiler run with it, whose first error is the error. */
int record_folder(struct txl_record *r);
int record_compiler(struct txl_record *r, const char *const argv[]);
/* Removes the folder and what is in it. */
void record_clean(struct txl_record *r);

/* gcc writes "./a.cpp" for -include a.cpp. */
const char *record_plain(const char *path);

#endif
