/* SPDX-License-Identifier: Apache-2.0 */
/*
 * op_table.c: tt-metal's table of operations, which tt-perf-report reads (OPS_CSV_HEADER of
 * tt-metal's process_ops_logs.py).
 */
#ifndef LAB_PAGE_OP_TABLE_H
#define LAB_PAGE_OP_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { PAGE_OP_CORES = 5 }; /* BRISC, NCRISC, TRISC 0 to 2 */

struct page_op {
    const char *code; /* what it is called */
    const char *arch;
    bool at_least;  /* its times; ATTRIBUTES says so: the form has no column for it */
    unsigned call;  /* number, from 1 on */
    unsigned cores; /* tiles */
    uint64_t first, cycles;
    uint64_t before;            /* cycles since the last one's end */
    uint64_t of[PAGE_OP_CORES]; /* cycles of the longest kernel of each */
    double mhz;
};
void page_op_head(FILE *out);
void page_op_row(FILE *out, const struct page_op *op);

#endif
