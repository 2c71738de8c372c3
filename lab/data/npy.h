/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NumPy's .npy files of versions 1 to 3: reads and writes headers and turns elements into 32-bit
 * patterns. It accepts any bytes without failing otherwise than with a message, and never prints.
 */
#ifndef LAB_NPY_H
#define LAB_NPY_H

#define _GNU_SOURCE 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { NPY_MAX_DIMENSIONS = 32, NPY_HEADER_MOST = 1 << 20 };

enum npy_dtype {
    NPY_NONE = 0,
    NPY_FLOAT16,
    NPY_FLOAT32,
    NPY_FLOAT64,
    NPY_INT8,
    NPY_INT16,
    NPY_INT32,
    NPY_INT64,
    NPY_UINT8,
    NPY_UINT16,
    NPY_UINT32,
    NPY_UINT64,
    NPY_RAW16, /* V2: what NumPy writes for the bfloat16 of ml_dtypes */
    NPY_RAW8,  /* V1: its 8-bit float types */
    NPY_DTYPES
};

struct npy_info {
    enum npy_dtype dtype;
    unsigned item_size;
    unsigned dimensions;
    uint64_t shape[NPY_MAX_DIMENSIONS];
    uint64_t count;       /* product of shape */
    uint64_t data_offset; /* from the start of the file */
};

/*
 * Parses a header. head: the first length bytes of a file of file_size bytes, with the whole header
 * (npy_header_size says how long it is). False: err says why.
 */
bool npy_parse(const uint8_t *head, size_t length, uint64_t file_size, struct npy_info *info,
               struct txl_error *err);
/* Returns the offset of the first element according to the first 12 bytes; 0: not an .npy file. */
uint64_t npy_header_size(const uint8_t *head, size_t length);
/* Writes a version 1 header for a C-ordered array. Returns its size, or 0 when it does not fit. */
size_t npy_make_header(const struct npy_info *info, uint8_t *out, size_t room);

const char *npy_dtype_name(enum npy_dtype dtype);
unsigned npy_dtype_size(enum npy_dtype dtype);
bool npy_is_float(enum npy_dtype dtype);
bool npy_is_raw(enum npy_dtype dtype); /* V1, V2 */
bool npy_same_shape(const struct npy_info *a, const struct npy_info *b);
/* Writes a shape such as "(1000, 1000)". */
const char *npy_shape_text(const struct npy_info *info, char *text, size_t size);

/* Counts of float64 values that FP32 cannot hold: rounded, turned into infinity, or into zero. */
struct npy_narrowed {
    uint64_t rounded, overflowed, vanished;
};
void npy_narrowed_add(struct npy_narrowed *into, const struct npy_narrowed *from);

/* Options and results of turning elements into 32 bits. */
struct npy_convert {
    bool raw_bf16;    /* 16-bit elements are patterns of BF16 */
    bool to_unsigned; /* integers must fit into uint32 instead of int32 */
    struct npy_narrowed narrowed;
    uint64_t first_wide; /* index in the call of the first integer that does not fit */
    bool wide;
};

/*
 * Turns count elements into 32-bit patterns: FP32 for float types and raw BF16, two's complement
 * for integer types. Integers that do not fit set convert->wide, and the work goes on.
 */
void npy_to_words(enum npy_dtype dtype, const void *data, size_t count, uint32_t *words,
                  struct npy_convert *convert);
uint32_t npy_half_to_fp32(uint16_t half);

#endif
