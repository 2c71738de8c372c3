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
 * Parsers for what users write: a format by any of its names; a tile size such as "32x32" (fields
 * of *tile that it does not set stay); a shape as "4,64,128" or "4x64x128". what names the origin,
 * such as "--format", and begins the error message. They return TXL_OK or TXL_INPUT.
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
    enum tx_format format; /* used where the file's name states no format */
    bool numbers_too;      /* format does not apply to arrays that hold numbers */
    struct tx_tile tile;   /* of a file of tiles; zero rows: 32x32 */
    bool twos_complement;  /* integers in tiles are two's complement; default: sign and magnitude */
    bool force_shared_exp; /* tiles of a block format lack exponents; shared_exp is used for all */
    uint8_t shared_exp;
    const uint64_t *shape; /* shape of the array in a file of tiles; NULL: (tiles, rows, columns) */
    unsigned dimensions;
    const char *scratch; /* folder for members of .npz files; NULL: /tmp */
};

typedef struct txl_tensor txl_tensor;

/* What a file holds. It belongs to the tensor; later versions may append fields. */
struct txl_tensor_info {
    const char *type;      /* "float32", or the format of tiles or bit patterns */
    enum tx_format format; /* of numbers: FP32 for all float types, else that of their type */
    bool numbers;          /* an array of numbers, not of patterns */
    bool tiles;            /* a file of tiles */
    struct tx_tile tile;
    uint32_t tile_bytes;
    uint64_t tile_count; /* 0 for an array */
    uint64_t elements;
    const uint64_t *shape;
    unsigned dimensions;
};

/*
 * Opens an array or a file of tiles. Returns TXL_OK, or TXL_INPUT with *tensor NULL. The caller
 * closes what was opened; closing NULL does nothing.
 */
TXL_API int txl_tensor_open(struct txl_error *err, const char *name,
                            const struct txl_tensor_options *options, txl_tensor **tensor);
TXL_API void txl_tensor_close(txl_tensor *tensor);
TXL_API const struct txl_tensor_info *txl_tensor_info(const txl_tensor *tensor);
/*
 * Reads all elements as words, row by row. float64 is rounded to FP32 (to nearest, ties to even).
 */
TXL_API int txl_tensor_words(struct txl_error *err, const txl_tensor *tensor, uint32_t *words);

/*
 * Writes words into a file, which appears only when it is whole. options must give the shape; its
 * format is the one in which the words are written, rounded by host code (to nearest, ties to
 * even). The default for an array is float32. Arrays store FP32 and integer formats as numbers,
 * other formats as bit patterns.
 */
TXL_API int txl_tensor_write(struct txl_error *err, const char *name,
                             const struct txl_tensor_options *options, const uint32_t *words);

/* One tile of a file of tiles. Later versions may append fields. */
struct txl_tile_data {
    enum tx_format format;
    struct tx_tile tile;
    const struct tx_tile_layout *layout;
    uint64_t tiles;        /* in the file */
    const uint8_t *bytes;  /* layout->bytes: as L1 holds them */
    const uint32_t *words; /* layout->data: in the order of L1, as the unpacker reads them */
    /*
     * Shared exponents that stand for no ordinary number: how many there are, which row of 16 data
     * has the first, and in words what is unusual about them.
     */
    unsigned odd, odd_row;
    const char *odd_text;
};

/*
 * Reads tile number index. arch is the chip whose unpacker reads it; only fp8_e5m2 depends on it.
 * The caller frees the tile with txl_tile_free.
 */
TXL_API int txl_tile_read(struct txl_error *err, const char *name,
                          const struct txl_tensor_options *options, enum tx_arch arch,
                          uint64_t index, struct txl_tile_data **tile);
TXL_API void txl_tile_free(struct txl_tile_data *tile);

/* ---- conversion ---- */

struct txl_convert_options {
    size_t size;
    /* How the input is read; its tile is also that of the output. */
    const struct txl_tensor_options *in;
    enum tx_arch arch; /* not needed for the route "host" */
    /*
     * The conversion: "host", "pack", "unpack", "unpack+pack" or a single conversion by its name.
     * NULL: the same route as on the card.
     */
    const char *route;
    bool has_to, has_dst;
    enum tx_format to;     /* used where the output's name states no format */
    enum tx_format dst;    /* format in Dst between unpack and pack; default: what kernels use */
    txl_progress progress; /* in tiles */
    void *progress_user;
};

/*
 * One kind of loss (enum tx_loss): the number of elements, and details of the worst one (for
 * special values, of the first). Does not grow.
 */
struct txl_loss {
    const char *name; /* "rounded" */
    uint64_t count;   /* 0: the fields below are not set */
    uint64_t element;
    char index[256];            /* "[3, 17]" */
    char before[48], after[48]; /* as decimals */
    uint32_t before_word, after_word;
    double relative_error; /* only for TX_LOSS_ROUNDED */
};

/* What txl_convert did. Later versions may append fields. */
struct txl_conversion {
    const char *from, *to;    /* "float32", "float16_b as uint16" */
    const char *route, *path; /* the units that the data passed through, in one line */
    enum tx_arch arch;        /* TX_ARCH_NONE: the chip makes no difference */
    const char *shape;        /* "(4, 64, 64)" */
    uint64_t elements, tiles;
    struct tx_tile tile;
    uint32_t in_tile_bytes, out_tile_bytes; /* 0 for an array */
    uint64_t rounded, overflowed, vanished; /* float64 values that FP32 cannot represent */
    /* Shared exponents that stand for no ordinary number; tile of the first. */
    uint64_t odd, odd_tile;
    unsigned odd_row;
    const char *odd_text;
    bool measured;               /* loss is valid */
    const struct txl_loss *loss; /* array indexed by enum tx_loss */
};

/*
 * Converts the file in to the file out, which appears only when it is whole. Returns TXL_OK,
 * TXL_INPUT or TXL_CANCELLED; *result is NULL unless it is TXL_OK. Pass result NULL if no report is
 * wanted.
 */
TXL_API int txl_convert(struct txl_error *err, const char *in, const char *out,
                        const struct txl_convert_options *options, struct txl_conversion **result);
TXL_API void txl_conversion_free(struct txl_conversion *conversion);
/* Return the report for people or as JSON, which the caller frees. NULL without memory. */
TXL_API char *txl_conversion_text(const struct txl_conversion *conversion);
TXL_API char *txl_conversion_json(const struct txl_conversion *conversion);
/* Return the list of routes likewise. */
TXL_API char *txl_routes_text(void);
TXL_API char *txl_routes_json(void);

/* ---- comparison ---- */

struct txl_diff_options {
    size_t size;
    /* Applies to both files. The format also defines the unit of the ULP distances. */
    const struct txl_tensor_options *in;
    bool has_max;
    uint64_t max_ulp; /* distances up to this count as equal; without has_max only equal bits do */
    size_t show;      /* number of first and of worst elements to list, up to 1000 */
    txl_progress progress; /* in tiles */
    void *progress_user;
};

#define TXL_MISMATCH UINT64_MAX /* NaN against a number: no number of ULPs */

/* Does not grow. */
struct txl_difference {
    uint64_t element, ulp;
    char index[256];
    char text[2][48]; /* each file's value as a number */
    char bits[2][16]; /* each file's stored bits; block formats as exponent:datum */
};

/* Result of a comparison. Later versions may append fields. */
struct txl_diff {
    const char *type[2];
    const char *shape;
    enum tx_format unit; /* the format whose ULPs are the unit of distances */
    bool different;
    uint64_t elements, same;
    uint64_t other_bits; /* different bits at a distance of 0 ULP */
    uint64_t differ, mismatched;
    uint64_t rounded[2]; /* per file: numbers that unit cannot represent */
    uint64_t max_ulp;
    double mean_ulp; /* over all but mismatches */
    const struct txl_difference *first, *worst;
    size_t first_count, worst_count;
};

/* Compares two files. Returns TXL_OK (whether they differ or not), TXL_INPUT or TXL_CANCELLED. */
TXL_API int txl_diff(struct txl_error *err, const char *a, const char *b,
                     const struct txl_diff_options *options, struct txl_diff **result);
TXL_API void txl_diff_free(struct txl_diff *diff);
/* Return the report for people or as JSON, which the caller frees. NULL without memory. */
TXL_API char *txl_diff_text(const struct txl_diff *diff);
TXL_API char *txl_diff_json(const struct txl_diff *diff);

#ifdef __cplusplus
}
#endif

#endif
