/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numeric formats and tiles: what a datum is in L1, SrcA/SrcB, Dst and an LReg, every conversion
 * between them under the name of the hardware path (or the host code) that performs it, tile
 * layouts in L1, and Dst as a register file that tiles are unpacked into and packed from.
 *
 * Bit patterns are unsigned integers in plain order, sign exponent mantissa, unless a function says
 * "cell". Every function is pure or works on what the caller passes; nothing allocates.
 *
 * Sources: tt-isa-documentation (Unpackers and Packers FormatConversion, FloatBitPatterns, Dst,
 * SrcASrcB, SFPLOAD, SFPSTORE, MOVx2x), ttsim 1.10.0, tt-llk 36b092e, tt-metal host code; the
 * evidence of each conversion is in its tx_conversion_info.
 */
#ifndef TENSIX_FORMATS_H
#define TENSIX_FORMATS_H

#include <tensix/machine.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- formats ---- */

/*
 * UINT16 is this project's own value: tt-metal's UInt16 is 9, which the hardware calls INT16.
 * Values are the DataFormat codes of software; value & 15 is the content of the hardware's format
 * registers.
 */
enum tx_format {
    TX_FORMAT_FP32 = 0,
    TX_FORMAT_FP16 = 1, /* Tensix's: exponent 31 is an ordinary binade, no Inf, no NaN */
    TX_FORMAT_BFP8A = 2,
    TX_FORMAT_BFP4A = 3,
    TX_FORMAT_TF32 = 4, /* in L1 a 32-bit word, low 13 bits zero */
    TX_FORMAT_BF16 = 5,
    TX_FORMAT_BFP8 = 6, /* Bfp8_b of software */
    TX_FORMAT_BFP4 = 7,
    TX_FORMAT_INT32 = 8, /* sign and magnitude to the hardware, as INT16 and INT8 */
    TX_FORMAT_INT16 = 9,
    TX_FORMAT_FP8_E5M2 = 10,
    TX_FORMAT_BFP2A = 11,
    TX_FORMAT_INT8 = 14,
    TX_FORMAT_BFP2 = 15,
    TX_FORMAT_UINT32 = 24,
    TX_FORMAT_UINT16 = 25,
    TX_FORMAT_FP8_E4M3 = 26, /* Blackhole */
    TX_FORMAT_UINT8 = 30,
    TX_FORMAT_LIMIT = 32
};

struct tx_format_info {
    const char *name;          /* "bfp8_b": what tx_format_name gives */
    const char *isa_name;      /* "BFP8" */
    const char *software_name; /* "Bfp8_b" */
    uint8_t bits;              /* of a datum in L1: 32, 16, 8, 4 or 2 */
    uint8_t exponent_bits;     /* 8, 5 or 4; 0 for integers */
    uint8_t mantissa_bits;     /* below the leading one; magnitude bits of blocks and integers */
    uint8_t chips;             /* bits 1 << tx_arch */
    bool block;                /* 16 data share an exponent byte */
    bool integer;
    bool has_sign;
};

/* NULL where the value names no format. */
TX_API const struct tx_format_info *tx_format_info(enum tx_format format);
TX_API const char *tx_format_name(enum tx_format format); /* "?" where the value names no format */
/*
 * Parses any spelling in use: Float32 float32 fp32; Float16_b bfloat16 bf16; Bfp8_b bfloat8_b; Lf8
 * fp8_e5m2; BFP8a; int8 ... in any case. TX_ENOENT: unknown. TX_EPARSE: ambiguous, namely "fp8",
 * and "bfp8", "bfp4", "bfp2" unless written exactly Bfp8 (software: the a form) or BFP8 (ISA
 * documentation: the b form).
 */
TX_API enum tx_status tx_format_parse(const char *text, enum tx_format *format);

/* ---- conversions of single data ---- */

/*
 * One value per documented conversion. FLUSH: exponent 0 gives zero. E8M6, E5M6, E5M7 are BF16 and
 * FP16 patterns with low mantissa bits zero. A single BFP input is the exponent byte followed by
 * the datum in the low 8, 4 or 2 bits. The unpacker's TF32 has 19 bits, the packer's 32.
 */
enum tx_conversion {
    /* Src cells (19 bits: sign, mantissa, exponent) and Dst cells, and back to plain order. */
    TX_CELL_SRC_TF32,
    TX_CELL_SRC_TF32_PLAIN,
    TX_CELL_SRC_BF16,
    TX_CELL_SRC_BF16_PLAIN,
    TX_CELL_SRC_FP16, /* also the overlay of INT8 */
    TX_CELL_SRC_FP16_PLAIN,
    TX_CELL_SRC_INT16,
    TX_CELL_SRC_INT16_PLAIN,
    TX_CELL_DST_BF16,
    TX_CELL_DST_BF16_PLAIN,
    TX_CELL_DST_FP16,
    TX_CELL_DST_FP16_PLAIN,
    TX_CELL_DST_32,
    TX_CELL_DST_32_PLAIN,
    /* Unpacker, L1 datum to the pattern that goes into a Src or Dst cell. */
    TX_UNPACK_FP32_TF32,
    TX_UNPACK_FP32_BF16,
    TX_UNPACK_FP32_FP16,
    TX_UNPACK_E5M2_FP16,
    TX_UNPACK_E4M3_FP16,
    TX_UNPACK_INT8,  /* gives sign, exponent 16 or 0, ten magnitude bits */
    TX_UNPACK_UINT8, /* the same layout, with eight magnitude bits and sign 0 */
    TX_UNPACK_BFP8_BF16,
    TX_UNPACK_BFP4_BF16,
    TX_UNPACK_BFP2_BF16,
    TX_UNPACK_BFP8A_FP16,
    TX_UNPACK_BFP4A_FP16,
    TX_UNPACK_BFP2A_FP16,
    /* MOVD2A, MOVD2B: Dst cell to Src cell. _HI and _LO: halves of a 32-bit cell. */
    TX_MOVD2X_BF16,
    TX_MOVD2X_FP16,
    TX_MOVD2X_TF32_32,
    TX_MOVD2X_BF16_HI,
    TX_MOVD2X_FP16_HI,
    TX_MOVD2X_BF16_LO,
    TX_MOVD2X_FP16_LO,
    TX_MOVD2X_TF32_LO,
    /* MOVA2D, MOVB2D: Src cell to Dst cell. _KEEP: Zero_Flag_disabled_src = 1. */
    TX_MOVX2D_BF16,
    TX_MOVX2D_BF16_KEEP,
    TX_MOVX2D_FP16,
    TX_MOVX2D_FP16_KEEP,
    TX_MOVX2D_TF32,
    TX_MOVX2D_TF32_KEEP,
    TX_MOVB2A,
    /* SFPLOAD: Dst cell to LReg, by Mod0. */
    TX_SFPLOAD_FP16,
    TX_SFPLOAD_FP16_INF, /* LaneConfig ENABLE_FP16A_INF */
    TX_SFPLOAD_BF16,
    TX_SFPLOAD_FP32,
    TX_SFPLOAD_INT32,
    TX_SFPLOAD_INT8,
    TX_SFPLOAD_UINT16,
    TX_SFPLOAD_HI16,
    TX_SFPLOAD_INT16,
    TX_SFPLOAD_LO16,
    TX_SFPLOAD_INT32_SM,
    TX_SFPLOAD_INT8_COMP,
    TX_SFPLOADI_FP16,
    /* SFPSTORE: LReg to Dst cell. */
    TX_SFPSTORE_FP16,
    TX_SFPSTORE_BF16,
    TX_SFPSTORE_FP32,
    TX_SFPSTORE_INT32,
    TX_SFPSTORE_INT8,
    TX_SFPSTORE_UINT16,
    TX_SFPSTORE_HI16,
    TX_SFPSTORE_INT16,
    TX_SFPSTORE_LO16,
    TX_SFPSTORE_INT32_SM,
    TX_SFPSTORE_INT8_COMP,
    TX_SFPSTORE_HI16_ONLY,
    /* Packer, early: Dst datum in plain order to the intermediate format. */
    TX_PACK_EARLY_FP32_TF32,
    TX_PACK_EARLY_FP32_BF16,
    TX_PACK_EARLY_FP32_BF16_RAW,
    TX_PACK_EARLY_FP32_E8M6,
    TX_PACK_EARLY_FP32_FP16, /* rounded to TF32, then to FP16 in the gasket; without ReLU */
    TX_PACK_EARLY_INT32_INT8,
    TX_PACK_EARLY_INT32_INT8_RAW,
    TX_PACK_EARLY_INT32_UINT8,
    TX_PACK_EARLY_INT32_UINT8_RAW,
    TX_PACK_EARLY_INT32_INT16,
    TX_PACK_EARLY_BF16,
    TX_PACK_EARLY_BF16_E8M6,
    TX_PACK_EARLY_BF16_TF32,
    TX_PACK_EARLY_BF16_FP16,
    TX_PACK_EARLY_FP16,
    TX_PACK_EARLY_FP16_E5M6,
    TX_PACK_EARLY_FP16_E5M7,
    TX_PACK_EARLY_FP16_E5M2,
    TX_PACK_EARLY_CELL_INT8, /* 16-bit Dst to INT8: the sign alone */
    /* Packer, late: intermediate format to the L1 datum, or to the input of the BFP assembly. */
    TX_PACK_LATE_BF16_FP32,
    TX_PACK_LATE_FP16_FP32,
    TX_PACK_LATE_FP16_BF16,
    TX_PACK_LATE_FP32_BF16,
    TX_PACK_LATE_FP32_FP16,
    TX_PACK_LATE_BF16_FP16,
    TX_PACK_LATE_FP32_E5M2,
    TX_PACK_LATE_BF16_E5M2,
    TX_PACK_LATE_FP16_E5M2,
    TX_PACK_LATE_FP16_E4M3,
    TX_PACK_LATE_FP32_E5M7,
    TX_PACK_LATE_BF16_E5M7,
    TX_PACK_LATE_FP16_E5M7,
    /* Packer 0 of Wormhole reading L1 instead of Dst; pairs not listed here are the identity. */
    TX_PACK_L1_32_INT16,
    TX_PACK_L1_16_INT32,
    TX_PACK_L1_16_INT8,
    TX_PACK_L1_8_BF16,
    TX_PACK_L1_8_E5M7,
    TX_PACK_L1_8_INT32,
    TX_PACK_L1_8_INT16,
    /* The RISC-V window on Dst (Blackhole): cell in plain order to register and back. */
    TX_WINDOW_LOAD_INT32,
    TX_WINDOW_LOAD_INT16,
    TX_WINDOW_LOAD_INT8,
    TX_WINDOW_LOAD_UINT8,
    TX_WINDOW_STORE_INT32,
    TX_WINDOW_STORE_INT16,
    TX_WINDOW_STORE_INT8,
    TX_WINDOW_STORE_UINT8,
    /*
     * Host code, rounding to nearest, ties to even: what tt-metal does, or numpy where tt-metal has
     * nothing.
     */
    TX_HOST_FP32_TF32,
    TX_HOST_FP32_BF16,
    TX_HOST_FP32_FP16,
    TX_HOST_FP32_E5M2,
    TX_HOST_FP32_E4M3,
    TX_HOST_BF16_FP32,
    TX_HOST_FP16_FP32,
    TX_HOST_E5M2_FP32,
    TX_HOST_E4M3_FP32,
    TX_HOST_BFP8_FP32,
    TX_HOST_BFP4_FP32,
    TX_HOST_BFP2_FP32,
    TX_HOST_BFP8A_FP32,
    TX_HOST_BFP4A_FP32,
    TX_HOST_BFP2A_FP32,
    /* Two's complement and sign-magnitude; the most negative value becomes -max, -0 becomes 0. */
    TX_HOST_I32_SM32,
    TX_HOST_SM32_I32,
    TX_HOST_I16_SM16,
    TX_HOST_SM16_I16,
    TX_HOST_I8_SM8,
    TX_HOST_SM8_I8,
    TX_CONVERSION_COUNT
};

struct tx_conversion_info {
    const char *name; /* "unpack.fp32_bf16" */
    const char *rule; /* what it does, in one line */
    const char *evidence;
    uint8_t in_bits, out_bits; /* significant low bits; an array element has 8, 16 or 32 */
    uint8_t chips;             /* bits 1 << tx_arch of chips that have the route */
    bool differs;              /* the result depends on the chip */
};

TX_API const struct tx_conversion_info *tx_conversion_info(enum tx_conversion conversion);
TX_API enum tx_status tx_conversion_parse(const char *name, enum tx_conversion *conversion);
/* Converts one value. Only the low in_bits of x count. */
TX_API uint32_t tx_convert(enum tx_conversion conversion, enum tx_arch arch, uint32_t x);
/*
 * The same over an array. Elements are the smallest of uint8_t, uint16_t, uint32_t that hold the
 * bits. in and out must not overlap. TX_EINVAL: no such conversion or chip.
 */
TX_API enum tx_status tx_convert_array(enum tx_conversion conversion, enum tx_arch arch,
                                       const void *in, size_t count, void *out);

/* SFPLOAD and SFPSTORE with Mod0 1..15. LO16_ONLY and HI16_ONLY keep half of old. */
TX_API uint32_t tx_sfpload_convert(enum tx_arch arch, unsigned mod0, uint32_t cell, uint32_t old,
                                   bool fp16_inf);
TX_API uint32_t tx_sfpstore_convert(enum tx_arch arch, unsigned mod0, uint32_t value);

/*
 * Shifts a sign-magnitude INT32 of Dst right by shift & 31 and saturates it to INT8 (127) or UINT8
 * (255).
 */
TX_API uint32_t tx_pack_descale(uint32_t x, unsigned shift, bool to_unsigned);
/*
 * L1 accumulation: computes what the packer stores where L1 holds old. Defined for FP32, BF16, FP16
 * (bit patterns) and INT32 (sign and magnitude, saturating, never -0); other formats give
 * TX_EUNSUPPORTED. Source: ttsim, one code path for both chips; for INT32 tt-isa-documentation, not
 * seen on a card.
 */
TX_API enum tx_status tx_l1_accumulate(enum tx_format format, uint32_t old, uint32_t incoming,
                                       uint32_t *result);

/* ---- groups of 16 that share an exponent ---- */

/*
 * The packer's BFP assembly. in: 16 BF16 patterns (BFP8, 4, 2) or FP16 patterns (a forms). Rounds
 * to 7 bits (nearest, ties away from zero), clamps, then truncates to 3 or 1 bits. TX_EINVAL:
 * format is no block format.
 */
TX_API enum tx_status tx_bfp_pack(enum tx_format format, const uint16_t in[16], uint8_t *exponent,
                                  uint8_t datum[16]);
/* tt-metal's host packer: rounds FP32 directly to 7, 3 or 1 bits, to nearest, ties to even. */
TX_API enum tx_status tx_bfp_pack_host(enum tx_format format, const uint32_t fp32[16],
                                       uint8_t *exponent, uint8_t datum[16]);

/* ---- tiles in L1 ---- */

/*
 * The shape of a tile: rows 1, 2, 4, 8, 16 or 32; columns 16 or 32. A tile consists of faces with
 * 16 columns and at most 16 rows. The default order is faces row by row and, within a face, data
 * row by row; the flags exchange rows and columns (tt-metal Tile: transpose_of_faces,
 * transpose_within_face; the latter needs 16 rows).
 */
struct tx_tile {
    uint8_t rows, columns;
    bool transpose_of_faces, transpose_within_face;
};

struct tx_tile_layout {
    uint32_t data;           /* number of data */
    uint32_t exponents;      /* exponent bytes in use, from offset 0 */
    uint32_t exponent_bytes; /* size of the exponent section, padded to 16 */
    uint32_t data_bytes;     /* the data follow at offset exponent_bytes */
    uint32_t bytes;          /* the whole tile; there is no header in L1 */
};

TX_API bool tx_tile_ok(const struct tx_tile *tile);
TX_API enum tx_status tx_tile_layout_sized(const struct tx_tile *tile, enum tx_format format,
                                           struct tx_tile_layout *layout, size_t size);
static inline enum tx_status tx_tile_layout(const struct tx_tile *tile, enum tx_format format,
                                            struct tx_tile_layout *layout)
{
    return tx_tile_layout_sized(tile, format, layout, sizeof *layout);
}
/* Returns the index of a datum in L1 order. row < tile->rows, column < tile->columns. */
TX_API uint32_t tx_tile_index(const struct tx_tile *tile, unsigned row, unsigned column);
/*
 * Returns one datum of a tile in L1: little endian, low bits first. *exponent becomes its group's
 * exponent byte, or 0.
 */
TX_API uint32_t tx_tile_get(const struct tx_tile *tile, enum tx_format format, const uint8_t *bytes,
                            uint32_t index, uint8_t *exponent);

/* ---- row-major arrays of any shape <-> tiles ---- */

/*
 * How an array is cut into tiles: its last two dimensions are cut and padded at the end; all other
 * dimensions together count the matrices.
 */
struct tx_grid {
    struct tx_tile tile;
    uint64_t matrices, rows, columns; /* of the array; an array of one dimension is a single row */
    uint64_t tile_rows, tile_columns; /* number of tiles per matrix */
    uint64_t tiles, elements;         /* in total; elements without padding */
};

/* TX_ELIMIT: a product overflows; TX_EINVAL: invalid tile. A dimension of 0 gives 0 tiles. */
TX_API enum tx_status tx_grid_of(const struct tx_tile *tile, const uint64_t *shape, size_t ndim,
                                 struct tx_grid *grid);
/* Bytes of the grid's tiles in a format. */
TX_API enum tx_status tx_grid_bytes(const struct tx_grid *grid, enum tx_format format,
                                    uint64_t *bytes);
/*
 * Convert a row-major array into tiles in L1 order of data, and back. Elements have size 1, 2 or 4;
 * the tiled array holds grid->tiles * tile rows * columns elements, with padding 0. in and out must
 * not overlap. first and count select tiles, so that a caller need not hold all of them.
 */
TX_API enum tx_status tx_tilize(const struct tx_grid *grid, size_t size, const void *in,
                                uint64_t first, uint64_t count, void *out);
TX_API enum tx_status tx_untilize(const struct tx_grid *grid, size_t size, const void *in,
                                  uint64_t first, uint64_t count, void *out);

/* ---- unpacker and packer ---- */

/*
 * How tiles are unpacked from L1 to Dst. dst is the format in Dst: FP32 (TF32 means the same
 * there), INT32, UINT32 in the 32-bit view; BF16, FP16, INT16, UINT16, INT8, UINT8 in the 16-bit
 * view.
 */
struct tx_unpack {
    enum tx_arch arch;
    enum tx_format in, dst;
    bool through_src;        /* via SrcA and MOVA2D; else the unpacker writes Dst directly */
    bool zero_flag_disabled; /* MOVA2D keeps cells whose low 8 bits are 0 */
    /*
     * REG2_Force_shared_exp: a tile of a block format has no exponents in L1, and every group has
     * shared_exp (FORCED_SHARED_EXP_shared_exp). No effect on other formats.
     */
    bool force_shared_exp;
    uint8_t shared_exp;
    /* must be zero, here and below, else TX_EINVAL: reserved for extensions */
    uint8_t reserved[16];
};

/* The packer's ReLU: zeroes x <= 0 or x <= threshold, or also clamps at the threshold. */
enum tx_relu { TX_RELU_NONE, TX_RELU_ZERO, TX_RELU_THRESHOLD, TX_RELU_CLAMP };

/* Dst to L1. The fields are those of the packer's configuration. */
struct tx_pack {
    enum tx_arch arch;
    enum tx_format dst;
    enum tx_format intermediate; /* ALU_FORMAT_SPEC_REG2_Dstacc and In_data_format */
    enum tx_format out;
    bool raw;      /* Read_int8 */
    bool round10;  /* Round_10b_mant */
    uint8_t shift; /* INT_DESCALE value, 0: off */
    enum tx_relu relu;
    /*
     * Positive. An FP16 pattern for intermediates with 5-bit exponents, else BF16, also where FP32
     * in Dst becomes FP16 after ReLU.
     */
    uint16_t relu_threshold;
    bool threshold_exponent;    /* Exp_threshold_en */
    uint8_t exponent_threshold; /* values with smaller exponents become 0 */
    bool no_exponents;          /* Dis_shared_exp_assembler; refused: nothing describes it */
    uint8_t reserved[19];       /* zero */
};

/*
 * Return TX_OK, or TX_EUNSUPPORTED with the reason in *reason, a sentence of static lifetime. Only
 * routes with a documented result are supported.
 */
TX_API enum tx_status tx_unpack_check(const struct tx_unpack *unpack, const char **reason);
TX_API enum tx_status tx_pack_check(const struct tx_pack *pack, const char **reason);
/* Fills in the configuration that kernels use for dst -> out. */
TX_API enum tx_status tx_pack_default(enum tx_arch arch, enum tx_format dst, enum tx_format out,
                                      struct tx_pack *pack, const char **reason);
/*
 * Returns the Dst format that kernels use for tiles of this format: the widest that needs no
 * conversion.
 */
TX_API enum tx_format tx_format_in_dst(enum tx_format format);

/*
 * Like tx_tile_layout, for what the unpacker reads: without exponents where it forces a shared one.
 */
TX_API enum tx_status tx_unpack_layout_sized(const struct tx_unpack *unpack,
                                             const struct tx_tile *tile,
                                             struct tx_tile_layout *layout, size_t size);
static inline enum tx_status tx_unpack_layout(const struct tx_unpack *unpack,
                                              const struct tx_tile *tile,
                                              struct tx_tile_layout *layout)
{
    return tx_unpack_layout_sized(unpack, tile, layout, sizeof *layout);
}
/*
 * Unpack and pack a tile. A datum is what Dst holds, in plain order: 32 bits for FP32 and INT32;
 * BF16 and FP16 patterns; INT16 raw; INT8 as sign, exponent field, ten magnitude bits. data[] is in
 * L1 order. size must be exactly the layout's (TX_EINVAL); a route that does not exist gives
 * TX_EUNSUPPORTED.
 */
TX_API enum tx_status tx_unpack_tile(const struct tx_unpack *unpack, const struct tx_tile *tile,
                                     const uint8_t *bytes, size_t size, uint32_t *data);
TX_API enum tx_status tx_pack_tile(const struct tx_pack *pack, const struct tx_tile *tile,
                                   const uint32_t *data, uint8_t *bytes, size_t size);

/* Converts such a datum to a host word (FP32, or two's complement for integers). */
TX_API uint32_t tx_dst_word(enum tx_format dst, uint32_t datum);

/* ---- arrays of host words <-> tiles in L1 ---- */

enum tx_route {
    TX_ROUTE_HOST, /* host code, no hardware involved */
    /* encode: host word to Dst, then the packer; decode: the unpacker, then Dst to host word */
    TX_ROUTE_TENSIX
};

struct tx_codec {
    enum tx_route route;
    enum tx_format format;
    /* Integers in L1 are two's complement, as tt-metal's host writes them; else sign-magnitude. */
    bool twos_complement;
    uint8_t reserved[15]; /* zero */
    /* For TX_ROUTE_TENSIX; a forced shared exponent applies to decoding by host code, too. */
    struct tx_unpack unpack;
    struct tx_pack pack;
};

/*
 * dst is used by TX_ROUTE_TENSIX; encoding floats usually wants FP32, decoding tx_format_in_dst().
 * Returns TX_OK if at least one of the two directions exists; tx_codec_check tells which, and why
 * the other does not.
 */
TX_API enum tx_status tx_codec_default(enum tx_route route, enum tx_arch arch,
                                       enum tx_format format, enum tx_format dst,
                                       struct tx_codec *codec, const char **reason);
TX_API enum tx_status tx_codec_check(const struct tx_codec *codec, bool encode,
                                     const char **reason);
/*
 * Convert between tiles * data-per-tile words, in L1 order (see tx_tilize), and tiles *
 * layout.bytes bytes (for decoding the layout of tx_unpack_layout). Words are FP32 patterns, or
 * two's complement for integer formats. The buffers must not overlap. TX_EUNSUPPORTED where
 * tx_codec_check says so.
 */
TX_API enum tx_status tx_tiles_encode(const struct tx_codec *codec, const struct tx_tile *tile,
                                      const uint32_t *words, uint64_t tiles, uint8_t *bytes);
TX_API enum tx_status tx_tiles_decode(const struct tx_codec *codec, const struct tx_tile *tile,
                                      const uint8_t *bytes, uint64_t tiles, uint32_t *words);
/*
 * The same between tiles and a row-major array, for tiles first .. first + count - 1 of its grid.
 */
TX_API enum tx_status tx_array_encode(const struct tx_codec *codec, const struct tx_grid *grid,
                                      const uint32_t *words, uint64_t first, uint64_t count,
                                      uint8_t *bytes);
TX_API enum tx_status tx_array_decode(const struct tx_codec *codec, const struct tx_grid *grid,
                                      const uint8_t *bytes, uint64_t first, uint64_t count,
                                      uint32_t *words);
/*
 * Convert between raw payloads, as an ml_dtypes array holds them (elements of the format's own
 * width of 8, 16 or 32 bits; block formats: TX_EINVAL), and host words, by host rules.
 */
TX_API enum tx_status tx_payload_words(const struct tx_codec *codec, const void *payload,
                                       size_t count, uint32_t *words);
TX_API enum tx_status tx_words_payload(const struct tx_codec *codec, const uint32_t *words,
                                       size_t count, void *payload);

/* What a conversion did to one value. */
enum tx_loss {
    TX_LOSS_EXACT,
    TX_LOSS_ROUNDED,   /* another finite value */
    TX_LOSS_FLUSHED,   /* a nonzero value became zero, or -0 became +0 */
    TX_LOSS_SATURATED, /* a finite value became infinite, or a larger one was clamped */
    TX_LOSS_SPECIAL,   /* NaN or Inf became something else, or something became NaN */
    TX_LOSS_COUNT
};
/*
 * Classifies a conversion. limit is the largest magnitude of the target as a word, see
 * tx_format_limit.
 */
TX_API enum tx_loss tx_loss_of(bool integer, uint32_t before, uint32_t after, uint32_t limit);
/* Returns the largest finite magnitude as a word; for block formats with the largest exponent. */
TX_API uint32_t tx_format_limit(enum tx_format format);
/*
 * Returns the position of a datum among the format's values, so that the difference of two
 * positions is their distance in ULPs; -0 and +0 are both 0. Not for block formats, whose data are
 * compared as BF16 or FP16.
 */
TX_API int64_t tx_format_order(enum tx_format format, uint32_t datum);

/* ---- tiles in the Dst of a machine ---- */

/*
 * Unpack a tile from L1 into Dst, datum i at row + i / 16, column i % 16 of the view of
 * unpack->dst, and pack it from Dst to L1, with the address switches (remap, swizzle) as thread 0
 * sees them. TX_EINVAL: size is not the tile's, or the rows reach beyond the view (1024 rows of 16
 * bits, 512 of 32).
 */
TX_API enum tx_status tx_machine_unpack(tx_machine *machine, const struct tx_unpack *unpack,
                                        const struct tx_tile *tile, unsigned row,
                                        const uint8_t *bytes, size_t size);
TX_API enum tx_status tx_machine_pack(const tx_machine *machine, const struct tx_pack *pack,
                                      const struct tx_tile *tile, unsigned row, uint8_t *bytes,
                                      size_t size);

#ifdef __cplusplus
}
#endif

#endif
