/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "data": arrays and tiles in files, and conversions between formats: .npy, .npz, tiles as L1
 * holds them, conversions by named routes, comparisons. It may use base and the conversions of
 * libtensix.
 *
 * This header: input files that hold a tensor. These are .npy and .npz arrays, of values or of raw
 * data of a format, and files of tiles as they lie in L1, one after another without a header.
 */
#ifndef LAB_TENSOR_H
#define LAB_TENSOR_H

#include <tensix-lab/data.h>

#include "base/error.h"
#include "data/npy.h"
#include "base/outfile.h"

enum { TENSOR_TILE_DATA = 1024 };

enum tensor_kind {
    TENSOR_VALUES, /* elements are numbers: FP32 words or two's complement */
    TENSOR_RAW,    /* elements are data of the format, row by row */
    TENSOR_TILES
};

/* The parts of a name such as "x.npz:name:bfp8_b". */
struct tensor_name {
    char *path;
    char *member; /* of an .npz, or NULL */
    bool is_array, is_npz;
    bool has_format;
    enum tx_format format;
};

struct tensor_how {
    bool has_format;
    enum tx_format format; /* used where the name states none */
    bool numbers_too;      /* has_format is ignored for arrays that hold numbers */
    struct tx_tile tile;
    bool twos_complement;  /* how tiles store integers */
    const uint64_t *shape; /* of a tile file; NULL: (tiles, rows, columns) */
    unsigned dimensions;
    bool values_only;      /* accept only arrays of numbers */
    bool force_shared_exp; /* of tiles, see struct tx_unpack */
    uint8_t shared_exp;
    const char *scratch; /* directory for arrays unpacked from an .npz, or NULL */
};

struct tensor {
    const char *name; /* as given */
    struct tensor_name parts;
    int fd;
    enum tensor_kind kind;
    enum tx_format format; /* VALUES: the format of the numbers; FP32 for all floats */
    struct npy_info info;  /* TILES: only shape and count, dtype NPY_NONE */
    struct tx_tile tile;   /* TILES */
    bool twos_complement;
    bool force_shared_exp; /* TILES, as in struct tx_unpack */
    uint8_t shared_exp;
};

/*
 * Splits the name of an input or output into its parts. For inputs, a file with the whole name
 * takes precedence over a format. TXL_CONTINUE or TXL_INPUT.
 */
int tensor_name(struct txl_error *err, const char *text, bool output, struct tensor_name *parts);
void tensor_name_free(struct tensor_name *parts);
/* Takes what the options say; the tile is not checked yet. TXL_CONTINUE or TXL_INPUT. */
int tensor_how_from(struct txl_error *err, const struct txl_tensor_options *options,
                    struct tensor_how *how);
/* Fills in a default tile where none is given and checks it. TXL_CONTINUE or TXL_INPUT. */
int tensor_how_tile(struct txl_error *err, struct tensor_how *how);

/* TXL_CONTINUE or TXL_INPUT. */
int tensor_open(struct txl_error *err, const char *text, const struct tensor_how *how,
                struct tensor *tensor);
void tensor_close(struct tensor *tensor);
/* The format in which the file itself holds its numbers: other than format for halves. */
enum tx_format tensor_stored(const struct tensor *tensor);
/* The layout of one of its tiles, for TENSOR_TILES. */
void tensor_layout(const struct tensor *tensor, struct tx_tile_layout *layout);
const char *tensor_kind_text(const struct tensor *tensor); /* "float32", "float16_b as uint16" */

/*
 * Returns the codec that reads its data: the unpacker where host code would read other numbers. Not
 * for VALUES.
 */
struct tx_codec tensor_reader(const struct tensor *tensor);
/* The element type of an array that holds data of a format. */
enum npy_dtype tensor_dtype(enum tx_format format);
/* The element type for the numbers of a format: an integer type, or float32. */
enum npy_dtype tensor_number_dtype(enum tx_format format);

/*
 * Returns whether the unpacker can reach unpack's Dst format, directly or through SrcA as kernels
 * that copy a tile do. False: *reason says why not.
 */
bool tensor_unpack_way(struct tx_unpack *unpack, const char **reason);

/*
 * Counts the exponent bytes of a tile in L1 that stand for no ordinary number: 255 in the b forms,
 * more than 31 in the a forms. *first: the row of 16 data with the first one.
 */
unsigned tensor_odd_exponents(const struct tx_tile *tile, enum tx_format format,
                              const uint8_t *bytes, unsigned *first);
/* Returns what they mean, such as "255, infinity or NaN to host code and the SFPU". */
const char *tensor_odd_text(enum tx_format format);

/* Reads size bytes at offset. Returns NULL, or what is wrong. */
const char *tensor_pread(int fd, void *data, size_t size, uint64_t offset);
/* The same of a tensor's file; false: err names it and says what is wrong. */
bool tensor_bytes(const struct tensor *tensor, void *data, size_t size, uint64_t offset,
                  struct txl_error *err);
/*
 * Read count consecutive elements: the words of VALUES, the bits of RAW (1, 2 or 4 bytes each).
 */
bool tensor_values(const struct tensor *tensor, uint64_t first, size_t count, uint32_t *words,
                   struct npy_narrowed *narrowed, struct txl_error *err);
bool tensor_raw(const struct tensor *tensor, uint64_t first, size_t count, void *data,
                struct txl_error *err);

/* Writes the position of an element as indices: "[3, 17]". */
const char *tensor_index(const struct npy_info *info, uint64_t element, char *text, size_t size);

#endif
