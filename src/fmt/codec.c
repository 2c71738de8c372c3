/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The codec: arrays of host words to tiles in L1 and back, either by the host's rules or as the
 * unpacker and the packer convert.
 */
#include "base/check.h"
#include <tensix/formats.h>

#include "base/sized.h"
#include "fmt/dst_value.h"
#include "fmt/route.h"
#include "fmt/tile.h"
#include "fmt/words.h"

#include <string.h>

/* ---- host rules ---- */

static unsigned host_encoding(enum tx_format format)
{
    switch (format) {
    case TX_FORMAT_TF32:
        return TX_HOST_FP32_TF32;
    case TX_FORMAT_BF16:
        return TX_HOST_FP32_BF16;
    case TX_FORMAT_FP16:
        return TX_HOST_FP32_FP16;
    case TX_FORMAT_FP8_E5M2:
        return TX_HOST_FP32_E5M2;
    case TX_FORMAT_FP8_E4M3:
        return TX_HOST_FP32_E4M3;
    default:
        return SAME;
    }
}

static unsigned host_decoding(enum tx_format format)
{
    switch (format) {
    case TX_FORMAT_BF16:
        return TX_HOST_BF16_FP32;
    case TX_FORMAT_FP16:
        return TX_HOST_FP16_FP32;
    case TX_FORMAT_FP8_E5M2:
        return TX_HOST_E5M2_FP32;
    case TX_FORMAT_FP8_E4M3:
        return TX_HOST_E4M3_FP32;
    case TX_FORMAT_BFP8:
        return TX_HOST_BFP8_FP32;
    case TX_FORMAT_BFP4:
        return TX_HOST_BFP4_FP32;
    case TX_FORMAT_BFP2:
        return TX_HOST_BFP2_FP32;
    case TX_FORMAT_BFP8A:
        return TX_HOST_BFP8A_FP32;
    case TX_FORMAT_BFP4A:
        return TX_HOST_BFP4A_FP32;
    case TX_FORMAT_BFP2A:
        return TX_HOST_BFP2A_FP32;
    default:
        return SAME;
    }
}

/* Converts a two's complement word to the integer datum in L1, clamped to the format's range. */
static uint32_t integer_datum(enum tx_format format, bool twos, uint32_t x)
{
    const struct tx_format_info *info = tx_format_info(format);
    const uint32_t mask = bits_mask(info->bits);
    if (!info->has_sign) {
        return format == TX_FORMAT_UINT32 ? x : clamp_unsigned(x, mask);
    }
    if (info->bits == 32) {
        return twos ? x : host_i32_sm32(x);
    }
    const int32_t limit = (int32_t)(mask >> 1);
    if (twos) {
        return (int32_t)x < -limit ? ~(uint32_t)limit & mask : clamp_signed(x, limit) & mask;
    }
    const uint32_t sm = i32_to_sm32(clamp_signed(x, limit));
    return (sm & (uint32_t)limit) | ((sm & SIGN32) != 0 ? (uint32_t)limit + 1u : 0);
}

static uint32_t integer_word(enum tx_format format, bool twos, uint32_t x)
{
    const struct tx_format_info *info = tx_format_info(format);
    if (!info->has_sign) {
        return x;
    }
    if (twos) {
        return (uint32_t)bits_sext(x, info->bits);
    }
    const uint32_t sign = 1u << (info->bits - 1);
    return (x & sign) != 0 ? 0u - (x & (sign - 1)) : x;
}

/* Converts words to data in place, by the host's rules; not for block formats. */
static void host_encode(const struct tx_codec *codec, uint32_t *words, size_t count)
{
    if (tx_format_info(codec->format)->integer) {
        for (size_t i = 0; i < count; i++) {
            words[i] = integer_datum(codec->format, codec->twos_complement, words[i]);
        }
        return;
    }
    struct chain chain = {.steps = 0};
    chain_add(&chain, host_encoding(codec->format));
    /* The host's rules are the same for both chips. */
    chain_run(&chain, TX_BLACKHOLE, words, count);
}

/*
 * Converts data to words in place, by the host's rules; a datum of a block format has its exponent
 * above it.
 */
static void host_decode(const struct tx_codec *codec, uint32_t *words, size_t count)
{
    if (tx_format_info(codec->format)->integer) {
        for (size_t i = 0; i < count; i++) {
            words[i] = integer_word(codec->format, codec->twos_complement, words[i]);
        }
        return;
    }
    struct chain chain = {.steps = 0};
    chain_add(&chain, host_decoding(codec->format));
    chain_run(&chain, TX_BLACKHOLE, words, count);
}

/*
 * Returns the settings with which a tile is read; by the host's rules only a forced exponent
 * matters.
 */
static struct tx_unpack reader(const struct tx_codec *codec)
{
    struct tx_unpack unpack = codec->unpack;
    unpack.in = codec->format;
    return unpack;
}

static void host_encode_tile(const struct tx_codec *codec, const struct tx_tile_layout *layout,
                             const uint32_t *words, uint8_t *bytes)
{
    const struct tx_format_info *info = tx_format_info(codec->format);
    uint32_t data[TILE_DATA];
    memcpy(data, words, layout->data * sizeof data[0]);
    memset(bytes, 0, layout->exponent_bytes);
    if (layout->exponents != 0) {
        words_level()->host_assemble(data, layout->exponents, info->exponent_bits == 5,
                                     info->mantissa_bits, bytes);
    } else {
        host_encode(codec, data, layout->data);
    }
    tile_pack_bits(info->bits, data, layout->data, bytes + layout->exponent_bytes);
}

static void host_decode_tile(const struct tx_codec *codec, const struct tx_tile_layout *layout,
                             const uint8_t *bytes, uint32_t *words)
{
    const struct tx_unpack unpack = reader(codec);
    tile_words(&unpack, layout, bytes, words);
    host_decode(codec, words, layout->data);
}

/* ---- Tensix's rules ---- */

/*
 * Returns how the host converts floats to (into) or from the format in Dst; NULL: the bits stay as
 * they are, or, for integers, each is converted by itself.
 */
static words_fn *dst_words(enum tx_format dst, bool into)
{
    words_fn *const *const convert = words_level()->convert;
    if (dst == TX_FORMAT_BF16) {
        return convert[into ? TX_HOST_FP32_BF16 : TX_HOST_BF16_FP32];
    }
    if (dst == TX_FORMAT_FP16) {
        return convert[into ? TX_HOST_FP32_FP16 : TX_HOST_FP16_FP32];
    }
    return NULL;
}

/* Converts words to data in Dst. With two's complement, L1 and Dst hold integers as opaque bits. */
static void to_dst(const struct tx_codec *codec, enum tx_format dst, uint32_t *data, size_t count)
{
    words_fn *const convert = dst_words(dst, true);
    if (convert != NULL) {
        convert(false, data, count);
    } else if (tx_format_info(dst)->integer) {
        for (size_t i = 0; i < count; i++) {
            data[i] = codec->twos_complement ? integer_datum(dst, true, data[i])
                                             : dst_datum_of_word(dst, data[i]);
        }
    }
}

static void from_dst(const struct tx_codec *codec, enum tx_format dst, uint32_t *data, size_t count)
{
    words_fn *const convert = dst_words(dst, false);
    if (convert != NULL) {
        convert(false, data, count);
    } else if (tx_format_info(dst)->integer) {
        for (size_t i = 0; i < count; i++) {
            data[i] = codec->twos_complement ? integer_word(dst, true, data[i])
                                             : dst_word_of_datum(dst, data[i]);
        }
    }
}

static const char *twos_reason(const struct tx_codec *codec)
{
    const struct tx_format_info *info = tx_format_info(codec->format);
    if (!codec->twos_complement) {
        return NULL;
    }
    if (!info->integer) {
        return "two's complement is for integers";
    }
    if (codec->route == TX_ROUTE_TENSIX && info->bits == 8) {
        return "unpacker and packer read 8-bit integers as sign and magnitude";
    }
    return NULL;
}

static const char *codec_reason(const struct tx_codec *codec, bool encode)
{
    const char *reason = NULL;
    if (tx_format_info(codec->format) == NULL) {
        return "there is no such data format";
    }
    if (codec->route == TX_ROUTE_TENSIX) {
        if ((encode ? codec->pack.out : codec->unpack.in) != codec->format) {
            return "the settings of unpacker or packer are for another format";
        }
        (void)(encode ? tx_pack_check(&codec->pack, &reason)
                      : tx_unpack_check(&codec->unpack, &reason));
    }
    return reason != NULL ? reason : twos_reason(codec);
}

enum tx_status tx_codec_check(const struct tx_codec *codec, bool encode, const char **reason)
{
    const bool known = sized_zero(codec->reserved, sizeof codec->reserved) &&
                       sized_zero(codec->unpack.reserved, sizeof codec->unpack.reserved) &&
                       sized_zero(codec->pack.reserved, sizeof codec->pack.reserved);
    const char *const why = known ? codec_reason(codec, encode) : RESERVED_REASON;
    if (reason != NULL) {
        *reason = why;
    }
    if (!known) {
        return TX_EINVAL;
    }
    return why == NULL ? TX_OK : TX_EUNSUPPORTED;
}

enum tx_status tx_codec_default(enum tx_route route, enum tx_arch arch, enum tx_format format,
                                enum tx_format dst, struct tx_codec *codec, const char **reason)
{
    const char *ignored;
    const char **const why = reason != NULL ? reason : &ignored;
    memset(codec, 0, sizeof *codec);
    codec->route = route;
    codec->format = format;
    codec->unpack.arch = arch;
    codec->unpack.in = format;
    codec->unpack.dst = dst;
    if (route == TX_ROUTE_TENSIX) {
        tx_pack_default(arch, dst, format, &codec->pack, NULL);
    }
    if (tx_codec_check(codec, false, why) == TX_OK) {
        return TX_OK;
    }
    return tx_codec_check(codec, true, why);
}

/* ---- whole routes in one pass ---- */

/* An output larger than this does not stay in the cache, so that it may be written around it. */
enum { STREAM_BYTES = 4 << 20 };

static bool may_stream(const void *out, uint64_t bytes, unsigned tile_bytes, unsigned offset)
{
    return bytes >= STREAM_BYTES && ((uintptr_t)out % 32 | tile_bytes % 32 | offset % 32) == 0;
}

static unsigned fused_width(enum tx_format format)
{
    return format == TX_FORMAT_BFP8 ? FUSED_7 : format == TX_FORMAT_BFP4 ? FUSED_3 : FUSED_1;
}

static bool is_bfp_b(enum tx_format format)
{
    return format == TX_FORMAT_BFP8 || format == TX_FORMAT_BFP4 || format == TX_FORMAT_BFP2;
}

/* Returns whether the packer does nothing but early rounding to BF16, of FP32 in Dst. */
static bool is_plain_pack(const struct tx_pack *pack)
{
    return dst_kind(pack->dst) == TX_FORMAT_FP32 && pack->intermediate == TX_FORMAT_BF16 &&
           !pack->raw && !pack->round10 && pack->shift == 0 && pack->relu == TX_RELU_NONE &&
           !pack->threshold_exponent;
}

/* Encodes in one pass, if there is such a way for the codec. Returns false if not. */
static bool encode_fused(const struct tx_codec *codec, const struct tx_tile_layout *layout,
                         const uint32_t *words, uint64_t tiles, uint8_t *bytes)
{
    const struct fused *const fused = words_level()->fused;
    const bool host = codec->route == TX_ROUTE_HOST;
    const bool stream =
        may_stream(bytes, tiles * layout->bytes, layout->bytes, layout->exponent_bytes);
    if (!host && !is_plain_pack(&codec->pack)) {
        return false;
    }
    if (codec->format == TX_FORMAT_BF16) {
        (host ? fused->host_bf16 : fused->pack_bf16)(words, (size_t)(tiles * (layout->data / 16)),
                                                     bytes, stream);
        fused->finish();
        return true;
    }
    if (!is_bfp_b(codec->format)) {
        return false;
    }
    const unsigned width = fused_width(codec->format);
    fused_pack_fn *const pack = host ? fused->host_bfp[width] : fused->pack_bfp[width];
    for (uint64_t t = 0; t < tiles; t++) {
        uint8_t *const tile = bytes + t * layout->bytes;
        memset(tile + layout->exponents, 0, layout->exponent_bytes - layout->exponents);
        pack(words + t * layout->data, layout->data / 16, tile, tile + layout->exponent_bytes,
             stream);
    }
    fused->finish();
    return true;
}

static bool decode_fused(const struct tx_codec *codec, const struct tx_tile_layout *layout,
                         const uint8_t *bytes, uint64_t tiles, uint32_t *words)
{
    const struct fused *const fused = words_level()->fused;
    const bool host = codec->route == TX_ROUTE_HOST;
    const bool stream = may_stream(words, tiles * layout->data * 4, layout->data * 4, 0);
    if (!host && (codec->unpack.dst != TX_FORMAT_BF16 || codec->unpack.through_src)) {
        return false;
    }
    if (codec->unpack.force_shared_exp) {
        return false;
    }
    if (codec->format == TX_FORMAT_BF16) {
        fused->widen_bf16(bytes, (size_t)(tiles * (layout->data / 16)), words, stream);
        fused->finish();
        return true;
    }
    if (!is_bfp_b(codec->format)) {
        return false;
    }
    const unsigned width = fused_width(codec->format);
    fused_unpack_fn *const unpack = host ? fused->host_unbfp[width] : fused->unpack_bfp[width];
    for (uint64_t t = 0; t < tiles; t++) {
        const uint8_t *const tile = bytes + t * layout->bytes;
        unpack(tile, tile + layout->exponent_bytes, layout->data / 16, words + t * layout->data,
               stream);
    }
    fused->finish();
    return true;
}

static enum tx_status encode_tile(const struct tx_codec *codec, const struct tx_tile *tile,
                                  const struct tx_tile_layout *layout, const uint32_t *words,
                                  uint8_t *bytes)
{
    uint32_t data[TILE_DATA];
    if (codec->route == TX_ROUTE_HOST) {
        host_encode_tile(codec, layout, words, bytes);
        return TX_OK;
    }
    memcpy(data, words, layout->data * sizeof data[0]);
    to_dst(codec, codec->pack.dst, data, layout->data);
    return tx_pack_tile(&codec->pack, tile, data, bytes, layout->bytes);
}

static enum tx_status decode_tile(const struct tx_codec *codec, const struct tx_tile *tile,
                                  const struct tx_tile_layout *layout, const uint8_t *bytes,
                                  uint32_t *words)
{
    if (codec->route == TX_ROUTE_HOST) {
        host_decode_tile(codec, layout, bytes, words);
        return TX_OK;
    }
    const enum tx_status status = tx_unpack_tile(&codec->unpack, tile, bytes, layout->bytes, words);
    if (status == TX_OK) {
        from_dst(codec, codec->unpack.dst, words, layout->data);
    }
    return status;
}

/* The build that checks itself: a tile that was coded in one pass is what its chain makes of it. */
static void check_fused(const struct tx_codec *codec, const struct tx_tile *tile,
                        const struct tx_tile_layout *layout, const uint32_t *words,
                        const uint8_t *bytes, bool encodes)
{
#if defined(TX_CHECK)
    uint32_t data[TILE_DATA];
    uint8_t own[8 * TILE_DATA];
    CHECK(layout->bytes <= sizeof own && layout->data <= TILE_DATA, "a tile has 1024 data at most");
    memset(own, 0, sizeof own);
    if (encodes) {
        CHECK(encode_tile(codec, tile, layout, words, own) == TX_OK,
              "what is encoded in one pass can be encoded step by step");
        CHECK(memcmp(own, bytes, layout->bytes) == 0,
              "a tile encoded in one pass is the one encoded step by step");
    } else {
        CHECK(decode_tile(codec, tile, layout, bytes, data) == TX_OK,
              "what is decoded in one pass can be decoded step by step");
        CHECK(memcmp(data, words, layout->data * sizeof data[0]) == 0,
              "a tile decoded in one pass is the one decoded step by step");
    }
#else
    (void)codec, (void)tile, (void)layout, (void)words, (void)bytes, (void)encodes;
#endif
}

enum tx_status tx_tiles_encode(const struct tx_codec *codec, const struct tx_tile *tile,
                               const uint32_t *words, uint64_t tiles, uint8_t *bytes)
{
    struct tx_tile_layout layout;
    enum tx_status status = tx_tile_layout(tile, codec->format, &layout);
    if (status != TX_OK) {
        return status;
    }
    status = tx_codec_check(codec, true, NULL);
    if (status != TX_OK) {
        return status;
    }
    const bool fused = encode_fused(codec, &layout, words, tiles, bytes);
    for (uint64_t t = 0; t < tiles && status == TX_OK; t++) {
        const uint32_t *const from = words + t * layout.data;
        uint8_t *const to = bytes + t * layout.bytes;
        if (!fused) {
            status = encode_tile(codec, tile, &layout, from, to);
        } else {
            check_fused(codec, tile, &layout, from, to, true);
        }
    }
    return status;
}

enum tx_status tx_tiles_decode(const struct tx_codec *codec, const struct tx_tile *tile,
                               const uint8_t *bytes, uint64_t tiles, uint32_t *words)
{
    struct tx_tile_layout layout;
    const struct tx_unpack unpack = reader(codec);
    enum tx_status status = tx_unpack_layout(&unpack, tile, &layout);
    if (status != TX_OK) {
        return status;
    }
    status = tx_codec_check(codec, false, NULL);
    if (status != TX_OK) {
        return status;
    }
    const bool fused = decode_fused(codec, &layout, bytes, tiles, words);
    for (uint64_t t = 0; t < tiles && status == TX_OK; t++) {
        const uint8_t *const from = bytes + t * layout.bytes;
        uint32_t *const to = words + t * layout.data;
        if (!fused) {
            status = decode_tile(codec, tile, &layout, from, to);
        } else {
            check_fused(codec, tile, &layout, to, from, false);
        }
    }
    return status;
}

/* ---- row-major arrays ---- */

enum tx_status tx_array_encode(const struct tx_codec *codec, const struct tx_grid *grid,
                               const uint32_t *words, uint64_t first, uint64_t count,
                               uint8_t *bytes)
{
    struct tx_tile_layout layout;
    uint32_t data[TILE_DATA];
    enum tx_status status = tx_tile_layout(&grid->tile, codec->format, &layout);
    for (uint64_t t = 0; t < count && status == TX_OK; t++) {
        status = tx_tilize(grid, 4, words, first + t, 1, data);
        if (status == TX_OK) {
            status = tx_tiles_encode(codec, &grid->tile, data, 1, bytes + t * layout.bytes);
        }
    }
    return status;
}

enum tx_status tx_array_decode(const struct tx_codec *codec, const struct tx_grid *grid,
                               const uint8_t *bytes, uint64_t first, uint64_t count,
                               uint32_t *words)
{
    struct tx_tile_layout layout;
    uint32_t data[TILE_DATA];
    const struct tx_unpack unpack = reader(codec);
    enum tx_status status = tx_unpack_layout(&unpack, &grid->tile, &layout);
    for (uint64_t t = 0; t < count && status == TX_OK; t++) {
        status = tx_tiles_decode(codec, &grid->tile, bytes + t * layout.bytes, 1, data);
        if (status == TX_OK) {
            status = tx_untilize(grid, 4, data, first + t, 1, words);
        }
    }
    return status;
}

/* ---- raw payloads ---- */

static bool payload_ok(const struct tx_codec *codec)
{
    const struct tx_format_info *info = tx_format_info(codec->format);
    return info != NULL && !info->block && (!codec->twos_complement || info->integer);
}

enum tx_status tx_payload_words(const struct tx_codec *codec, const void *payload, size_t count,
                                uint32_t *words)
{
    if (!payload_ok(codec)) {
        return TX_EINVAL;
    }
    elements_to_words(payload, tx_format_info(codec->format)->bits / 8, count, words);
    host_decode(codec, words, count);
    return TX_OK;
}

enum tx_status tx_words_payload(const struct tx_codec *codec, const uint32_t *words, size_t count,
                                void *payload)
{
    uint32_t block[TILE_DATA];
    if (!payload_ok(codec)) {
        return TX_EINVAL;
    }
    const size_t size = tx_format_info(codec->format)->bits / 8;
    for (size_t done = 0; done < count; done += TILE_DATA) {
        const size_t n = count - done < TILE_DATA ? count - done : TILE_DATA;
        memcpy(block, words + done, n * sizeof block[0]);
        host_encode(codec, block, n);
        words_to_elements(block, size, n, (uint8_t *)payload + done * size);
    }
    return TX_OK;
}
