/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NumPy's .npy files, versions 1 to 3: header in, header out, elements to 32-bit patterns. Parses
 * any bytes without fault and never prints.
 */
#ifndef LAB_NPY_H
#define LAB_NPY_H

#define _GNU_SOURCE 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NPY_MAX_DIMENSIONS = 32, NPY_MESSAGE = 160, NPY_HEADER_MOST = 1 << 20 };

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
    NPY_RAW16, /* V2: what NumPy writes for ml_dtypes' bfloat16 */
    NPY_RAW8,  /* V1: its 8-bit floats */
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
 * head: the first length bytes of a file of file_size bytes; the whole header must be among them
 * (npy_header_size tells how much that is). False: *message says why.
 */
bool npy_parse(const uint8_t *head, size_t length, uint64_t file_size, struct npy_info *info,
               char message[NPY_MESSAGE]);
/* Bytes up to the first element as the first 12 bytes state it; 0: not an .npy file. */
uint64_t npy_header_size(const uint8_t *head, size_t length);
/* Writes a version 1 header for a C-ordered array; returns its size, 0 where it has no room. */
size_t npy_make_header(const struct npy_info *info, uint8_t *out, size_t room);

const char *npy_dtype_name(enum npy_dtype dtype);
unsigned npy_dtype_size(enum npy_dtype dtype);
bool npy_is_float(enum npy_dtype dtype);
bool npy_is_raw(enum npy_dtype dtype); /* V1, V2 */
bool npy_same_shape(const struct npy_info *a, const struct npy_info *b);
/* "(1000, 1000)" */
const char *npy_shape_text(const struct npy_info *info, char *text, size_t size);

/* float64 values that FP32 does not hold: they became another number, infinity, zero. */
struct npy_narrowed {
    uint64_t rounded, overflowed, vanished;
};
void npy_narrowed_add(struct npy_narrowed *into, const struct npy_narrowed *from);

/* What became of elements on their way to 32 bits. */
struct npy_convert {
    bool raw_bf16;    /* 16-bit elements are BF16 patterns */
    bool to_unsigned; /* integers are to fit into uint32, not int32 */
    struct npy_narrowed narrowed;
    uint64_t first_wide; /* index in the call of the first integer that does not fit */
    bool wide;
};

/*
 * count elements as 32-bit patterns: FP32 of float types and raw BF16, two's complement of integer
 * types. Integers that do not fit set wide and stop nothing.
 */
void npy_to_words(enum npy_dtype dtype, const void *data, size_t count, uint32_t *words,
                  struct npy_convert *convert);
uint32_t npy_half_to_fp32(uint16_t half);

#endif
