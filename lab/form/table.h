/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of lines, SFPLUT's and SFPLUTFP32's: the best entries there are. */
#ifndef LAB_FORM_TABLE_H
#define LAB_FORM_TABLE_H

#include "form/form.h"

enum { TABLE_PIECES = 6 };

/* What is left of a function when its symmetry is taken out, T(|x|) being the table. */
enum table_shape {
    TABLE_ODD,      /* f = T with the sign of x */
    TABLE_HALF,     /* f = 1/2 + T with the sign of x */
    TABLE_HALF_LINE /* f = x/2 + T */
};

struct table_entry {
    uint32_t a, c;       /* patterns: slope and offset */
    double error;        /* the largest of the kernel's, over the inputs of the piece */
    uint64_t pairs, run; /* pairs of patterns judged; and of them run */
};

struct table {
    enum tx_arch arch;
    const char *reference;
    bool bf16, wide; /* wide: six pieces of 16 bits; else three of 8 */
    enum table_shape shape;
    unsigned pieces;
    bool four; /* wide: the last piece begins at 4, not at 3 */
    double from[TABLE_PIECES + 1];
    struct table_entry entry[TABLE_PIECES];
    uint64_t inputs; /* that were looked at, of all pieces */
    double error;
    txl_progress progress;
    void *user;
};

/*
 * Finds entries: for each piece by itself all pairs of patterns are judged, those that no bound
 * refutes are run on the machine. The error is that before the result is rounded to BF16.
 * TXL_CONTINUE; TXL_NEGATIVE: the function has no symmetry that a table can use; TXL_CANCELLED;
 * TXL_INPUT.
 */
int table_find(struct txl_error *err, struct table *t);
/* The largest error of given entries (.a, .c), piece by piece into .error, by the same runs. */
int table_measure(struct txl_error *err, struct table *t);
void table_write(FILE *out, const struct table *t, const struct form_head *head);
/* Cycles of a row as written. */
unsigned table_row(const struct table *t);

/* table_run.c: the row on the machine, each input with entries of its own. */
struct table_run;
int table_run_open(struct txl_error *err, const struct table *t, struct table_run **run);
void table_run_close(struct table_run *run);
/* count results for inputs x with slope a and offset c. */
int table_run_do(struct txl_error *err, struct table_run *run, size_t count, const float *x,
                 const struct table_entry *const *entry, float *out);

#endif
