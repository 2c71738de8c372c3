/* SPDX-License-Identifier: Apache-2.0 */
/* Piecewise linear tables for SFPLUT and SFPLUTFP32: finds the best possible entries. */
#ifndef LAB_FORM_TABLE_H
#define LAB_FORM_TABLE_H

#include "form/form.h"

enum { TABLE_PIECES = 6 };

/* How the function follows from the table T(|x|) by its symmetry. */
enum table_shape {
    TABLE_ODD,      /* f = T with the sign of x */
    TABLE_HALF,     /* f = 1/2 + T with the sign of x */
    TABLE_HALF_LINE /* f = x/2 + T */
};

struct table_entry {
    uint32_t a, c;       /* bit patterns of slope and offset */
    double error;        /* the kernel's largest error over the inputs of the piece */
    uint64_t pairs, run; /* number of pairs of patterns judged, and of those run */
};

struct table {
    enum tx_arch arch;
    const char *reference;
    bool bf16, wide; /* wide: six pieces with 16-bit entries, else three with 8-bit entries */
    enum table_shape shape;
    unsigned pieces;
    bool four; /* wide only: the last piece begins at 4, not at 3 */
    double from[TABLE_PIECES + 1];
    struct table_entry entry[TABLE_PIECES];
    uint64_t inputs; /* inputs evaluated, in all pieces */
    double error;
    txl_progress progress;
    void *user;
};

/*
 * Finds the entries: for each piece separately all pairs of patterns are judged, and those that no
 * bound refutes are run on the machine. The error is measured before a result is rounded to BF16.
 * Returns TXL_CONTINUE; TXL_NEGATIVE where the function has no symmetry that a table can use;
 * TXL_CANCELLED; or TXL_INPUT.
 */
int table_find(struct txl_error *err, struct table *t);
/* Measures the largest error of given entries (.a, .c) by such runs, into .error of each piece. */
int table_measure(struct txl_error *err, struct table *t);
void table_write(FILE *out, const struct table *t, const struct form_head *head);
/* Returns the cycles of a row as written. */
unsigned table_row(const struct table *t);

/* ---- table_run.c: runs the row on the machine, with separate entries for each input ---- */
struct table_run;
int table_run_open(struct txl_error *err, const struct table *t, struct table_run **run);
void table_run_close(struct table_run *run);
/* Computes count results for inputs x, each with slope a and offset c of its entry. */
int table_run_do(struct txl_error *err, struct table_run *run, size_t count, const float *x,
                 const struct table_entry *const *entry, float *out);

#endif
