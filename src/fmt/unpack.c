/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The unpacker's routes from L1 to Dst, by unpacking into it or through SrcA and MOVA2D. Source:
 * ISA documentation Unpackers/FormatConversion 287a84c, MOVA2D 545c98a; formats-and-scalar-unit.md
 * C.5, C.6.
 */
#include "base/sized.h"
#include "base/check.h"
#include "fmt/route.h"
#include "fmt/tile.h"
#include "fmt/words.h"
#include "isa/chip.h"

enum { NONE = 255 };

/*
 * The conversions of a route. first: L1 datum to the cell's pattern when unpacking to Dst; through:
 * the same when unpacking to a Src cell, followed by cell, mov (MOVA2D) and plain (back to plain
 * order). NONE: the route does not exist.
 */
static const struct {
    uint8_t in, dst, first, through, cell, mov, plain;
} rows[] = {
#define R(in, dst, ...)                              \
    {                                                \
        TX_FORMAT_##in, TX_FORMAT_##dst, __VA_ARGS__ \
    }
#define THROUGH_BF16 TX_CELL_SRC_BF16, TX_MOVX2D_BF16, TX_CELL_DST_BF16_PLAIN
#define THROUGH_FP16 TX_CELL_SRC_FP16, TX_MOVX2D_FP16, TX_CELL_DST_FP16_PLAIN
#define THROUGH_TF32 TX_CELL_SRC_TF32, TX_MOVX2D_TF32, TX_CELL_DST_32_PLAIN
#define BF16_TO_32 TX_CELL_SRC_BF16, TX_MOVX2D_TF32, TX_CELL_DST_32_PLAIN
    R(FP32, FP32, SAME, TX_UNPACK_FP32_TF32, THROUGH_TF32),
    R(FP32, BF16, TX_UNPACK_FP32_BF16, TX_UNPACK_FP32_BF16, THROUGH_BF16),
    R(FP32, FP16, TX_UNPACK_FP32_FP16, TX_UNPACK_FP32_FP16, THROUGH_FP16),
    R(TF32, FP32, SAME, TX_UNPACK_FP32_TF32, THROUGH_TF32),
    R(TF32, BF16, TX_UNPACK_FP32_BF16, TX_UNPACK_FP32_BF16, THROUGH_BF16),
    R(TF32, FP16, TX_UNPACK_FP32_FP16, TX_UNPACK_FP32_FP16, THROUGH_FP16),
    R(BF16, BF16, SAME, SAME, THROUGH_BF16),
    R(BF16, FP32, NONE, SAME, BF16_TO_32),
    R(BFP8, BF16, TX_UNPACK_BFP8_BF16, TX_UNPACK_BFP8_BF16, THROUGH_BF16),
    R(BFP8, FP32, NONE, TX_UNPACK_BFP8_BF16, BF16_TO_32),
    R(BFP4, BF16, TX_UNPACK_BFP4_BF16, TX_UNPACK_BFP4_BF16, THROUGH_BF16),
    R(BFP4, FP32, NONE, TX_UNPACK_BFP4_BF16, BF16_TO_32),
    R(BFP2, BF16, TX_UNPACK_BFP2_BF16, TX_UNPACK_BFP2_BF16, THROUGH_BF16),
    R(BFP2, FP32, NONE, TX_UNPACK_BFP2_BF16, BF16_TO_32),
    R(FP16, FP16, SAME, SAME, THROUGH_FP16),
    R(BFP8A, FP16, TX_UNPACK_BFP8A_FP16, TX_UNPACK_BFP8A_FP16, THROUGH_FP16),
    R(BFP4A, FP16, TX_UNPACK_BFP4A_FP16, TX_UNPACK_BFP4A_FP16, THROUGH_FP16),
    R(BFP2A, FP16, TX_UNPACK_BFP2A_FP16, TX_UNPACK_BFP2A_FP16, THROUGH_FP16),
    R(FP8_E5M2, FP16, TX_UNPACK_E5M2_FP16, TX_UNPACK_E5M2_FP16, THROUGH_FP16),
    R(FP8_E4M3, FP16, TX_UNPACK_E4M3_FP16, TX_UNPACK_E4M3_FP16, THROUGH_FP16),
    R(INT8, INT8, TX_UNPACK_INT8, TX_UNPACK_INT8, THROUGH_FP16),
    R(UINT8, UINT8, TX_UNPACK_UINT8, TX_UNPACK_UINT8, THROUGH_FP16),
    R(INT16, INT16, SAME, SAME, TX_CELL_SRC_INT16, TX_MOVX2D_BF16, SAME),
    R(INT32, INT32, SAME, NONE, SAME, SAME, SAME),
#undef R
};

void chain_run(const struct chain *chain, enum tx_arch arch, uint32_t *words, size_t count)
{
    CHECK(chain->steps <= sizeof chain->step / sizeof chain->step[0],
          "a chain of conversions fits its list");
    words_fn *const *const convert = words_level()->convert;
    for (unsigned i = 0; i < chain->steps; i++) {
        convert[chain->step[i]](CHIP_HAS(arch, ARITHMETIC_BH), words, count);
    }
}

const char *route_reason(enum tx_arch arch, enum tx_format l1, enum tx_format dst)
{
    const struct tx_format_info *info = tx_format_info(l1);
    if (!chip_known(arch)) {
        return "the chip is neither Wormhole nor Blackhole";
    }
    if (info == NULL) {
        return "there is no such data format";
    }
    if ((info->chips >> arch & 1u) == 0) {
        return "FP8 E4M3 exists on Blackhole only";
    }
    if (!dst_format_exists(dst)) {
        return "Dst holds FP32, BF16, FP16, INT32, INT16 or INT8 and nothing else";
    }
    if (info->integer != tx_format_info(dst)->integer) {
        return "between integers and floats only the SFPU converts";
    }
    return NULL;
}

static const char *unpack_reason(const struct tx_unpack *unpack)
{
    const struct tx_format_info *in = tx_format_info(unpack->in);
    const enum tx_format dst = dst_kind(unpack->dst);
    if (in->integer) {
        return "integers keep their width on the way into Dst";
    }
    if (in->exponent_bits == 8 && dst == TX_FORMAT_FP32) {
        return "unpacking to Dst does not widen to 32 bits; through SrcA it is possible";
    }
    return "the unpacker converts from FP32 only; other formats keep their exponent width";
}

enum tx_status unpack_chain(const struct tx_unpack *unpack, struct chain *chain,
                            const char **reason)
{
    const enum tx_format in = hardware_format(unpack->in);
    const enum tx_format dst = dst_kind(unpack->dst);
    chain->steps = 0;
    if (!sized_zero(unpack->reserved, sizeof unpack->reserved)) {
        *reason = RESERVED_REASON;
        return TX_EINVAL;
    }
    *reason = route_reason(unpack->arch, unpack->in, unpack->dst);
    if (*reason != NULL) {
        return TX_EUNSUPPORTED;
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].in != in || rows[i].dst != dst) {
            continue;
        }
        const unsigned first = unpack->through_src ? rows[i].through : rows[i].first;
        if (first == NONE && in == TX_FORMAT_INT32) {
            *reason = "a Src cell has 19 bits: INT32 does not pass through SrcA";
            return TX_EUNSUPPORTED;
        }
        if (first == NONE) {
            break;
        }
        chain_add(chain, first);
        if (unpack->through_src) {
            chain_add(chain, rows[i].cell);
            chain_add(chain, rows[i].mov + (unpack->zero_flag_disabled ? 1u : 0u));
            chain_add(chain, rows[i].plain);
        }
        return TX_OK;
    }
    *reason = unpack_reason(unpack);
    return TX_EUNSUPPORTED;
}

enum tx_status tx_unpack_check(const struct tx_unpack *unpack, const char **reason)
{
    struct chain chain;
    const char *ignored;
    return unpack_chain(unpack, &chain, reason != NULL ? reason : &ignored);
}

enum tx_status tx_unpack_layout_sized(const struct tx_unpack *unpack, const struct tx_tile *tile,
                                      struct tx_tile_layout *out, size_t size)
{
    struct tx_tile_layout layout;
    const enum tx_status status = tx_tile_layout(tile, unpack->in, &layout);
    if (status != TX_OK) {
        return status;
    }
    if (unpack->force_shared_exp) {
        layout.exponents = 0;
        layout.exponent_bytes = 0;
        layout.bytes = layout.data_bytes;
    }
    sized_give(out, size, &layout, sizeof layout);
    return TX_OK;
}

enum tx_status tx_unpack_tile(const struct tx_unpack *unpack, const struct tx_tile *tile,
                              const uint8_t *bytes, size_t size, uint32_t *data)
{
    struct tx_tile_layout layout;
    struct chain chain;
    const char *reason;
    enum tx_status status = unpack_chain(unpack, &chain, &reason);
    if (status == TX_OK) {
        status = tx_unpack_layout(unpack, tile, &layout);
    }
    if (status != TX_OK) {
        return status;
    }
    if (size != layout.bytes) {
        return TX_EINVAL;
    }
    tile_words(unpack, &layout, bytes, data);
    chain_run(&chain, unpack->arch, data, layout.data);
    return TX_OK;
}
