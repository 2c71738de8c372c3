/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measurements of cards beside what is predicted for them: rows of tab-separated files are read,
 * their programs are built and run on a chip, and errors are given by class.
 *
 *     struct txl_silicon_options how = {.size = sizeof how};
 *     txl_silicon *s;
 *     if (txl_silicon_open(&err, "noc-open.tsv", text, length, &how, &s) == TXL_OK) {
 *         char *report = txl_silicon_text(s);
 *         ...
 *     }
 *     txl_silicon_close(s);
 *
 * Three forms of rows are known, by their columns: times of requests over the NoC (23 columns, one
 * value for each size of a transaction), single figures (8 columns), and cycles of kernels (7
 * columns). docs/silicon.md describes them. A row that cannot be built says why.
 */
#ifndef TENSIX_LAB_SILICON_H
#define TENSIX_LAB_SILICON_H

#include <tensix-lab/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct txl_silicon txl_silicon;

struct txl_silicon_options {
    size_t size;
    const char *rows;      /* only rows whose id begins with one of these, with commas; NULL: all */
    unsigned every;        /* only every so many-th value; 0: each */
    unsigned packets;      /* longer runs are cut to about so many packets and extended; 0: 4000 */
    txl_progress progress; /* in values, of all that can be built */
    void *user;
    const char *times, *times_name; /* as in struct txl_chip_options */
};

/*
 * Reads rows and runs them. name is the file's in errors. Returns TXL_OK, TXL_CANCELLED, or
 * TXL_INPUT where the text is not of one of the forms; then *silicon is NULL.
 */
TXL_API int txl_silicon_open(struct txl_error *err, const char *name, const char *text, size_t size,
                             const struct txl_silicon_options *options, txl_silicon **silicon);
TXL_API void txl_silicon_close(txl_silicon *silicon); /* NULL is nothing */
/* One value. Does not grow. */
struct txl_silicon_value {
    const char *id;
    const char *why; /* not built; NULL: it was */
    double measured, predicted;
    uint32_t bytes; /* of a transaction; 0: the row has one value */
};
/* Returns the values in the order of the file, and their number. */
TXL_API const struct txl_silicon_value *txl_silicon_values(const txl_silicon *silicon,
                                                           size_t *count);
/* Every value, and the errors by class. The caller frees them; NULL: no memory. */
TXL_API char *txl_silicon_text(const txl_silicon *silicon);
TXL_API char *txl_silicon_json(const txl_silicon *silicon);

#ifdef __cplusplus
}
#endif

#endif
