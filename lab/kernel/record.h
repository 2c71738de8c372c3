/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tensix record, cut in three: what is asked (cmd_record.c, record_list.c), the compiler and its
 * program (record_build.c), the kernel file (cmd_record.c).
 */
#ifndef LAB_RECORD_H
#define LAB_RECORD_H

#include "kernel/load.h"

enum {
    RECORD_KERNELS = 4096,
    RECORD_ARGS = 64 /* -I and -D, two each */
};

/* One kernel: a line of --list, or what the command line says. */
struct record_kernel {
    char *text; /* the line that the pointers below point into, or NULL */
    const char *name, *init, *tile;
    unsigned line;  /* of the list; 0: the command line */
    char head[512]; /* lines of the kernel's head */
};

struct record_args {
    struct txl_error *err;
    const char *file, *out, *list, *compiler, *standard;
    enum tx_arch arch;
    bool verbose, no_fuse, spill;
    struct record_kernel one; /* from the command line; the default of the lines of --list */
    struct record_kernel *kernels;
    size_t count;
    const char *flags[RECORD_ARGS];
    unsigned flag_count;
    char folder[256]; /* for the compiler's files; "" where there is none yet */
};

/* ".dst" and its value, to a kernel's head; 0, or TXL_INPUT. */
int record_head(struct record_args *a, struct record_kernel *kernel, const char *directive,
                const char *value);

/* The lines of a->list to a->kernels. TXL_CONTINUE, or TXL_INPUT (printed). */
int record_read_list(struct record_args *a);

/* Compiles all kernels into one program, in a->folder. */
int record_compile(const struct record_args *a);
/* Runs it for one of them: text, of the .word lines it wrote, or NULL (printed). */
char *record_run(const struct record_args *a, const struct record_kernel *kernel);
/* Nothing of it stays, however the command ends: from here on to record_clean. */
void record_guard(const struct record_args *a);
void record_clean(void);

/* gcc writes "./a.cpp" for -include a.cpp. */
const char *record_plain(const char *path);

#endif
