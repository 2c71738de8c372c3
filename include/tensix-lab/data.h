/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays and tiles in files: reading, writing, conversion between the formats by a named route with
 * a report of what was lost, comparison in ULPs.
 *
 * A file whose name ends in .npy or .npz (FILE.npz:NAME is one of several arrays) is an array,
 * others are tiles as they lie in L1, one after another without a header. FILE:FORMAT states the
 * format of tiles, or of an array's patterns (uint8, uint16, uint32, V1, V2). Words are numbers:
 * the FP32 pattern of float formats, two's complement of integer formats, uint32 of uint32.
 */
#ifndef TENSIX_LAB_DATA_H
#define TENSIX_LAB_DATA_H

#include <tensix/tensix.h>

#include <tensix-lab/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- words that people write ---- */

/*
 * A format by any of its names, "32x32" (of tile the rest stays), "4,64,128" or "4x64x128". what:
 * begins the message where the text is none, such as "--format". TXL_OK or TXL_INPUT.
 */
enum { TXL_DIMENSIONS = 32 };
TXL_API int txl_parse_format(struct txl_error *err, const char *what, const char *text,
                             enum tx_format *format);
TXL_API int txl_parse_tile(struct txl_error *err, const char *what, const char *text,
                           struct tx_tile *tile);
TXL_API int txl_parse_shape(struct txl_error *err, const char *what, const char *text,
                            uint64_t shape[TXL_DIMENSIONS], unsigned *dimensions);

/* ---- reading and writing ---- */

struct txl_tensor_options {
    size_t size;
    bool has_format;
    enum tx_format format; /* where the name states none */
    bool numbers_too;      /* format says nothing of arrays that hold numbers */
    struct tx_tile tile;   /* of a file of tiles; no rows: 32x32 */
    bool twos_complement;  /* integers in tiles; default: sign and magnitude */
    bool force_shared_exp; /* tiles of a block format have no exponents: all are shared_exp */
    uint8_t shared_exp;
    const uint64_t *shape; /* of the array in a file of tiles; NULL: (tiles, rows, columns) */
    unsigned dimensions;
    const char *scratch; /* folder for arrays out of and into an .npz; NULL: /tmp */
};

typedef struct txl_tensor txl_tensor;

/* What a file holds; belongs to the tensor, and may get more fields at its end. */
struct txl_tensor_info {
    const char *type;      /* "float32", or the format of tiles and patterns */
    enum tx_format format; /* of numbers: FP32 for all floats, else that of their type */
    bool numbers;          /* an array of numbers, not of patterns */
    bool tiles;            /* a file of tiles */
    struct tx_tile tile;
    uint32_t tile_bytes;
    uint64_t tile_count; /* 0 of an array */
    uint64_t elements;
    const uint64_t *shape;
    unsigned dimensions;
};

/* TXL_OK or TXL_INPUT; *tensor is NULL then. Close what was opened; NULL is nothing. */
TXL_API int txl_tensor_open(struct txl_error *err, const char *name,
                            const struct txl_tensor_options *options, txl_tensor **tensor);
TXL_API void txl_tensor_close(txl_tensor *tensor);
TXL_API const struct txl_tensor_info *txl_tensor_info(const txl_tensor *tensor);
/* All elements as words, row by row. float64 is rounded to FP32 (to nearest even). */
TXL_API int txl_tensor_words(struct txl_error *err, const txl_tensor *tensor, uint32_t *words);

/*
 * Words into a file that is there whole or not at all. options: the shape, which must be there, and
 * the format that they are written in by host code (to nearest even); default, of an array:
 * float32. Arrays hold FP32 and integer formats as numbers, other formats as patterns.
 */
TXL_API int txl_tensor_write(struct txl_error *err, const char *name,
                             const struct txl_tensor_options *options, const uint32_t *words);

/* One tile of a file of tiles; may get more fields at its end. */
struct txl_tile_data {
    enum tx_format format;
    struct tx_tile tile;
    const struct tx_tile_layout *layout;
    uint64_t tiles;        /* in the file */
    const uint8_t *bytes;  /* layout->bytes: as L1 holds them */
    const uint32_t *words; /* layout->data: in the order of L1, as the unpacker reads them */
    /* Exponent bytes that stand for no ordinary number: how many, the first one's row of 16 data,
     * and what is odd about them. */
    unsigned odd, odd_row;
    const char *odd_text;
};

/* arch: whose unpacker; only fp8_e5m2 depends on it. Free it with txl_tile_free. */
TXL_API int txl_tile_read(struct txl_error *err, const char *name,
                          const struct txl_tensor_options *options, enum tx_arch arch,
                          uint64_t index, struct txl_tile_data **tile);
TXL_API void txl_tile_free(struct txl_tile_data *tile);

/* ---- conversion ---- */

struct txl_convert_options {
    size_t size;
    const struct txl_tensor_options *in; /* of the input; the tile is also that of the output */
    enum tx_arch arch;                   /* not needed for the route "host" */
    /* "host", "pack", "unpack", "unpack+pack" or a single conversion by its name; NULL: what the
     * card does. */
    const char *route;
    bool has_to, has_dst;
    enum tx_format to;     /* where the output's name states none */
    enum tx_format dst;    /* in Dst on the way; default: what kernels use */
    txl_progress progress; /* in tiles */
    void *progress_user;
};

/* Of one enum tx_loss: how many elements, and of the worst one (special: the first) more. Does not
 * grow. */
struct txl_loss {
    const char *name; /* "rounded" */
    uint64_t count;   /* 0: nothing of what follows */
    uint64_t element;
    char index[256];            /* "[3, 17]" */
    char before[48], after[48]; /* as decimals */
    uint32_t before_word, after_word;
    double relative_error; /* TX_LOSS_ROUNDED */
};

/* What txl_convert did; may get more fields at its end. */
struct txl_conversion {
    const char *from, *to;    /* "float32", "float16_b as uint16" */
    const char *route, *path; /* what the data passed through, in one line */
    enum tx_arch arch;        /* TX_ARCH_NONE: it plays no role */
    const char *shape;        /* "(4, 64, 64)" */
    uint64_t elements, tiles;
    struct tx_tile tile;
    uint32_t in_tile_bytes, out_tile_bytes; /* 0: an array */
    uint64_t rounded, overflowed, vanished; /* float64 values that FP32 does not hold */
    uint64_t odd, odd_tile; /* exponents that stand for no ordinary number, the first one's tile */
    unsigned odd_row;
    const char *odd_text;
    bool measured;               /* loss is known */
    const struct txl_loss *loss; /* by enum tx_loss */
};

/*
 * The file in becomes the file out, which is there whole or not at all. TXL_OK, TXL_INPUT or
 * TXL_CANCELLED; *result is NULL where it is not TXL_OK. result NULL: no report is wanted.
 */
TXL_API int txl_convert(struct txl_error *err, const char *in, const char *out,
                        const struct txl_convert_options *options, struct txl_conversion **result);
TXL_API void txl_conversion_free(struct txl_conversion *conversion);
/* The report, for people or as JSON; free() it. NULL without memory. */
TXL_API char *txl_conversion_text(const struct txl_conversion *conversion);
TXL_API char *txl_conversion_json(const struct txl_conversion *conversion);
/* The routes that there are, likewise. */
TXL_API char *txl_routes_text(void);
TXL_API char *txl_routes_json(void);

/* ---- comparison ---- */

struct txl_diff_options {
    size_t size;
    /* Of both files. The format is also the one whose ULPs count. */
    const struct txl_tensor_options *in;
    bool has_max;
    uint64_t max_ulp; /* so far apart is the same; without has_max only the same bits are */
    size_t show;      /* how many of the first and of the worst elements are listed, up to 1000 */
    txl_progress progress; /* in tiles */
    void *progress_user;
};

#define TXL_MISMATCH UINT64_MAX /* NaN against a number: no number of ULPs */

/* Does not grow. */
struct txl_difference {
    uint64_t element, ulp;
    char index[256];
    char text[2][48]; /* of each file: the number */
    char bits[2][16]; /* what the file holds: a block datum as exponent:datum */
};

/* May get more fields at its end. */
struct txl_diff {
    const char *type[2];
    const char *shape;
    enum tx_format unit; /* whose ULPs */
    bool different;
    uint64_t elements, same;
    uint64_t other_bits; /* 0 ULP apart */
    uint64_t differ, mismatched;
    uint64_t rounded[2]; /* of each file: numbers that the unit does not hold */
    uint64_t max_ulp;
    double mean_ulp; /* of all but mismatches */
    const struct txl_difference *first, *worst;
    size_t first_count, worst_count;
};

/* TXL_OK (different or not), TXL_INPUT or TXL_CANCELLED. */
TXL_API int txl_diff(struct txl_error *err, const char *a, const char *b,
                     const struct txl_diff_options *options, struct txl_diff **result);
TXL_API void txl_diff_free(struct txl_diff *diff);
/* The report, for people or as JSON; free() it. NULL without memory. */
TXL_API char *txl_diff_text(const struct txl_diff *diff);
TXL_API char *txl_diff_json(const struct txl_diff *diff);

#ifdef __cplusplus
}
#endif

#endif
