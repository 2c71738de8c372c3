/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dst to L1: early conversion, ReLU, exponent threshold, late conversion, BFP assembly. Source: ISA
 * documentation Packers/FormatConversion 411f264; ttsim 1.10.0; formats-and-scalar-unit.md C.8.
 */
#include "fmt/route.h"

#include "base/bits.h"
#include "fmt/pack_early.h"
#include "fmt/tile.h"
#include "fmt/words.h"

#include <string.h>

/* What runs between early and late conversion. E8M6, E5M6 and E5M7 are 16-bit patterns too. */
enum kind { K_FP32, K_TF32, K_BF16, K_FP16, K_FP8, K_INT32, K_INT16, K_INT8 };

enum { NO = 1, YES = 2, ANY = 3 };
#define BOTH (1u << TX_WORMHOLE | 1u << TX_BLACKHOLE)
#define BH (1u << TX_BLACKHOLE)

static const struct early {
    uint8_t dst, intermediate, raw, round10, chips, first, gasket, kind;
} early_rows[] = {
#define E(dst, intermediate, ...)                              \
    {                                                          \
        TX_FORMAT_##dst, TX_FORMAT_##intermediate, __VA_ARGS__ \
    }
    E(FP32, FP32, ANY, NO, BOTH, SAME, SAME, K_FP32),
    E(FP32, FP32, YES, YES, BOTH, SAME, SAME, K_FP32),
    E(FP32, FP32, NO, YES, BOTH, TX_PACK_EARLY_FP32_TF32, SAME, K_FP32),
    E(FP32, TF32, NO, NO, BOTH, TX_PACK_EARLY_FP32_TF32, SAME, K_TF32),
    E(FP32, TF32, YES, NO, BOTH, SAME, SAME, K_FP32),
    E(FP32, BF16, NO, NO, BOTH, TX_PACK_EARLY_FP32_BF16, SAME, K_BF16),
    E(FP32, BF16, YES, NO, BOTH, TX_PACK_EARLY_FP32_BF16_RAW, SAME, K_BF16),
    E(FP32, BFP8, NO, NO, BOTH, TX_PACK_EARLY_FP32_E8M6, SAME, K_BF16),
    E(FP32, BFP8, YES, NO, BOTH, TX_PACK_EARLY_FP32_BF16_RAW, SAME, K_BF16),
    /* Blackhole by ttsim; tt-llk programs Wormhole so too, against the documentation's advice. */
    E(FP32, FP16, NO, YES, BOTH, TX_PACK_EARLY_FP32_TF32, TX_PACK_LATE_FP32_FP16, K_FP16),
    /* TF32 under the name of BF16, for FP16 alone: see find_early. */
    E(FP32, BF16, NO, YES, BOTH, TX_PACK_EARLY_FP32_TF32, SAME, K_TF32),
    E(INT32, INT32, ANY, NO, BOTH, SAME, SAME, K_INT32),
    E(INT32, INT16, NO, NO, BOTH, TX_PACK_EARLY_INT32_INT16, SAME, K_INT16),
    E(INT32, INT8, NO, NO, BOTH, TX_PACK_EARLY_INT32_INT8, SAME, K_INT8),
    E(INT32, INT8, YES, NO, BOTH, TX_PACK_EARLY_INT32_INT8_RAW, SAME, K_INT8),
    E(BF16, BF16, NO, NO, BOTH, TX_PACK_EARLY_BF16, SAME, K_BF16),
    E(BF16, BF16, YES, NO, BOTH, SAME, SAME, K_BF16),
    E(BF16, BFP8, NO, NO, BOTH, TX_PACK_EARLY_BF16_E8M6, SAME, K_BF16),
    E(BF16, BFP8, YES, NO, BOTH, SAME, SAME, K_BF16),
    E(BF16, TF32, NO, NO, BOTH, TX_PACK_EARLY_BF16_TF32, SAME, K_TF32),
    E(BF16, FP32, NO, YES, BOTH, TX_PACK_EARLY_BF16_TF32, SAME, K_FP32),
    E(BF16, BF16, NO, YES, BOTH, TX_PACK_EARLY_BF16_TF32, SAME, K_TF32),
    E(BF16, FP16, NO, YES, BH, TX_PACK_EARLY_BF16_FP16, SAME, K_FP16),
    E(FP16, FP16, NO, NO, BOTH, TX_PACK_EARLY_FP16, SAME, K_FP16),
    E(FP16, FP16, YES, NO, BOTH, SAME, SAME, K_FP16),
    E(FP16, BFP8A, NO, NO, BOTH, TX_PACK_EARLY_FP16_E5M6, SAME, K_FP16),
    E(FP16, BFP8A, YES, NO, BOTH, TX_PACK_EARLY_FP16_E5M7, SAME, K_FP16),
    E(FP16, FP8_E5M2, YES, NO, BOTH, TX_PACK_EARLY_FP16_E5M2, SAME, K_FP8),
    E(INT16, INT16, ANY, NO, BOTH, SAME, SAME, K_INT16),
    E(INT8, INT8, YES, NO, BOTH, TX_PACK_EARLY_CELL_INT8, SAME, K_INT8),
#undef E
};

static const struct late {
    uint8_t kind, out, conversion;
} late_rows[] = {
#define L(kind, out, conversion)          \
    {                                     \
        kind, TX_FORMAT_##out, conversion \
    }
#define BFP(kind, conversion) \
    L(kind, BFP8, conversion), L(kind, BFP4, conversion), L(kind, BFP2, conversion)
#define BFPA(kind, conversion) \
    L(kind, BFP8A, conversion), L(kind, BFP4A, conversion), L(kind, BFP2A, conversion)
#define FROM_32(kind)                                                                     \
    L(kind, FP32, SAME), L(kind, BF16, TX_PACK_LATE_FP32_BF16),                           \
        L(kind, FP16, TX_PACK_LATE_FP32_FP16), L(kind, FP8_E5M2, TX_PACK_LATE_FP32_E5M2), \
        BFP(kind, TX_PACK_LATE_FP32_BF16), BFPA(kind, TX_PACK_LATE_FP32_E5M7)
    FROM_32(K_FP32),
    FROM_32(K_TF32),
    L(K_TF32, TF32, SAME),
    L(K_BF16, FP32, TX_PACK_LATE_BF16_FP32),
    L(K_BF16, TF32, TX_PACK_LATE_BF16_FP32),
    L(K_BF16, BF16, SAME),
    L(K_BF16, FP16, TX_PACK_LATE_BF16_FP16),
    L(K_BF16, FP8_E5M2, TX_PACK_LATE_BF16_E5M2),
    BFP(K_BF16, SAME),
    BFPA(K_BF16, TX_PACK_LATE_BF16_E5M7),
    L(K_FP16, FP32, TX_PACK_LATE_FP16_FP32),
    L(K_FP16, TF32, TX_PACK_LATE_FP16_FP32),
    L(K_FP16, BF16, TX_PACK_LATE_FP16_BF16),
    L(K_FP16, FP16, SAME),
    L(K_FP16, FP8_E5M2, TX_PACK_LATE_FP16_E5M2),
    L(K_FP16, FP8_E4M3, TX_PACK_LATE_FP16_E4M3),
    BFP(K_FP16, TX_PACK_LATE_FP16_BF16),
    BFPA(K_FP16, TX_PACK_LATE_FP16_E5M7),
    L(K_FP8, FP8_E5M2, SAME),
    L(K_INT32, INT32, SAME),
    L(K_INT16, INT16, SAME),
    L(K_INT8, INT8, SAME),
    L(K_INT8, UINT8, SAME),
#undef L
};

static bool is_unsigned8(const struct tx_pack *pack)
{
    return pack->out == TX_FORMAT_UINT8;
}

static const struct early *find_early(const struct tx_pack *pack, const char **reason)
{
    const enum tx_format dst = pack->dst == TX_FORMAT_UINT8 ? TX_FORMAT_INT8 : dst_kind(pack->dst);
    const enum tx_format intermediate = hardware_format(pack->intermediate);
    bool known = false;
    for (size_t i = 0; i < sizeof early_rows / sizeof early_rows[0]; i++) {
        const struct early *row = &early_rows[i];
        if (row->dst != dst || row->intermediate != intermediate ||
            !bits_has(row->chips, pack->arch)) {
            continue;
        }
        known = true;
        /* With Round_10b_mant this pair makes TF32 if the late conversion is to FP16 (isa). */
        if (intermediate == TX_FORMAT_BF16 && pack->round10 && pack->out != TX_FORMAT_FP16) {
            continue;
        }
        if ((row->raw & (pack->raw ? YES : NO)) != 0 &&
            (row->round10 & (pack->round10 ? YES : NO)) != 0) {
            return row;
        }
    }
    *reason = known ? "this intermediate format has no defined result with these settings of "
                      "Read_int8 and Round_10b_mant"
                    : "no early conversion from this format in Dst to this intermediate format "
                      "is defined";
    return NULL;
}

static const struct late *find_late(const struct tx_pack *pack, unsigned kind)
{
    const enum tx_format out = hardware_format(pack->out);
    for (size_t i = 0; i < sizeof late_rows / sizeof late_rows[0]; i++) {
        if (late_rows[i].kind == kind && late_rows[i].out == out) {
            return &late_rows[i];
        }
    }
    return NULL;
}

static const char *late_reason(const struct tx_pack *pack, unsigned kind)
{
    if (tx_format_info(pack->out)->integer) {
        return "integers keep their width in the late conversion";
    }
    if (pack->out == TX_FORMAT_TF32) {
        return "the late conversion does not narrow FP32 to TF32; the early one can";
    }
    if (pack->out == TX_FORMAT_FP8_E4M3) {
        return "FP8 E4M3 is made from the intermediate format FP16 alone";
    }
    return kind == K_FP8 ? "FP8 made by the early conversion stays FP8: its denormals have no "
                           "documented wider form"
                         : "no late conversion from this intermediate format to the output";
}

static const char *side_reason(const struct tx_pack *pack, unsigned kind)
{
    const bool integer = tx_format_info(pack->out)->integer;
    if (pack->no_exponents) {
        return "Dis_shared_exp_assembler: nothing says what the packer writes then";
    }
    if (is_unsigned8(pack) && dst_kind(pack->dst) != TX_FORMAT_INT32) {
        return "UINT8 is packed from 32-bit Dst only";
    }
    if (integer && pack->relu > TX_RELU_ZERO) {
        return "ReLU of integers has no threshold";
    }
    if (kind == K_FP8 && pack->relu != TX_RELU_NONE) {
        return "ReLU of FP8 is not defined";
    }
    if ((unsigned)pack->relu > TX_RELU_CLAMP || (pack->relu_threshold & 0x8000u) != 0) {
        return "the ReLU threshold must not be negative";
    }
    if (pack->threshold_exponent && pack->out == TX_FORMAT_BFP2A) {
        return "the exponent threshold does not work with BFP2a";
    }
    if (pack->shift > 31 || (pack->shift != 0 && (kind != K_INT8 || pack->raw))) {
        return "INT_DESCALE belongs to the conversion of INT32 to 8 bits that is not raw";
    }
    return NULL;
}

/* Width, exponent and sign of what ReLU and threshold see. */
static void route_shape(struct pack_route *route, unsigned kind, bool gasket)
{
    static const struct {
        uint8_t bits, exponent_lsb, exponent_bits;
    } shape[] = {[K_FP32] = {32, 23, 8}, [K_TF32] = {32, 23, 8}, [K_BF16] = {16, 7, 8},
                 [K_FP16] = {16, 10, 5}, [K_FP8] = {8, 2, 5},    [K_INT32] = {32, 0, 0},
                 [K_INT16] = {16, 0, 0}, [K_INT8] = {8, 0, 0}};
    route->relu_bits = gasket ? 32 : shape[kind].bits;
    route->relu_integer = kind >= K_INT32;
    route->exponent_lsb = shape[kind].exponent_lsb;
    route->exponent_bits = shape[kind].exponent_bits;
}

enum tx_status pack_route(const struct tx_pack *pack, struct pack_route *route, const char **reason)
{
    memset(route, 0, sizeof *route);
    *reason = route_reason(pack->arch, pack->out, pack->dst);
    if (*reason != NULL) {
        return TX_EUNSUPPORTED;
    }
    const struct early *early = find_early(pack, reason);
    if (early == NULL) {
        return TX_EUNSUPPORTED;
    }
    const struct late *late = find_late(pack, early->kind);
    if (pack->out == TX_FORMAT_FP8_E4M3 && pack->intermediate != TX_FORMAT_FP16) {
        late = NULL;
    }
    *reason = late == NULL ? late_reason(pack, early->kind) : side_reason(pack, early->kind);
    if (*reason != NULL) {
        return TX_EUNSUPPORTED;
    }
    unsigned first = early->first;
    if (is_unsigned8(pack)) {
        first = pack->raw ? TX_PACK_EARLY_INT32_UINT8_RAW : TX_PACK_EARLY_INT32_UINT8;
    }
    chain_add(&route->early, first);
    chain_add(&route->inner, early->gasket);
    chain_add(&route->late, late->conversion);
    route_shape(route, early->kind, early->gasket != SAME);
    if (pack->out == TX_FORMAT_BFP2 || route->relu_integer) {
        route->exponent_bits = 0; /* the threshold has no effect there */
    }
    return TX_OK;
}

enum tx_status tx_pack_check(const struct tx_pack *pack, const char **reason)
{
    struct pack_route route;
    const char *ignored;
    return pack_route(pack, &route, reason != NULL ? reason : &ignored);
}

/* FP32 is compared with the threshold on bits 31..13 in the clamping mode (ttsim). */
static void relu(const struct tx_pack *pack, const struct pack_route *route, uint32_t *words,
                 size_t count)
{
    const bool wide = route->relu_bits == 32;
    const uint32_t sign = 1u << (route->relu_bits - 1);
    const uint32_t threshold = (uint32_t)pack->relu_threshold << (wide ? 16 : 0);
    const unsigned ignored = wide ? 13 : 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t x = is_unsigned8(pack) || (words[i] & sign) == 0 ? words[i] : 0;
        if (pack->relu == TX_RELU_THRESHOLD && x <= threshold) {
            x = 0;
        }
        if (pack->relu == TX_RELU_CLAMP && x >> ignored > threshold >> ignored) {
            x = threshold;
        }
        words[i] = x;
    }
}

static void exponent_threshold(const struct tx_pack *pack, const struct pack_route *route,
                               uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t e = bits_get(words[i], route->exponent_lsb, route->exponent_bits);
        words[i] = e < pack->exponent_threshold ? 0 : words[i];
    }
}

enum tx_status tx_pack_tile(const struct tx_pack *pack, const struct tx_tile *tile,
                            const uint32_t *data, uint8_t *bytes, size_t size)
{
    struct tx_tile_layout layout;
    struct pack_route route;
    const char *reason;
    uint32_t words[TILE_DATA];
    enum tx_status status = pack_route(pack, &route, &reason);
    if (status == TX_OK) {
        status = tx_tile_layout(tile, pack->out, &layout);
    }
    if (status != TX_OK) {
        return status;
    }
    if (size != layout.bytes) {
        return TX_EINVAL;
    }
    memcpy(words, data, layout.data * sizeof words[0]);
    if (pack->shift != 0) {
        for (uint32_t i = 0; i < layout.data; i++) {
            words[i] = is_unsigned8(pack) ? early_uint8(words[i], pack->shift)
                                          : early_int8(words[i], pack->shift);
        }
    } else {
        chain_run(&route.early, pack->arch, words, layout.data);
    }
    if (pack->relu != TX_RELU_NONE) {
        relu(pack, &route, words, layout.data);
    }
    chain_run(&route.inner, pack->arch, words, layout.data);
    if (pack->threshold_exponent && route.exponent_bits != 0) {
        exponent_threshold(pack, &route, words, layout.data);
    }
    chain_run(&route.late, pack->arch, words, layout.data);
    if (layout.exponents != 0) {
        memset(bytes, 0, layout.exponent_bytes);
        const struct tx_format_info *out = tx_format_info(pack->out);
        words_level()->assemble(words, layout.exponents, out->exponent_bits == 5,
                                out->mantissa_bits, bytes);
    }
    tile_pack_bits(tx_format_info(pack->out)->bits, words, layout.data,
                   bytes + layout.exponent_bytes);
    return TX_OK;
}

/* ---- what kernels use ---- */

/* tt-metal's choice where it has one, else the documentation's. */
static enum tx_format default_intermediate(enum tx_format dst, enum tx_format out)
{
    const struct tx_format_info *info = tx_format_info(out);
    switch (dst_kind(dst)) {
    case TX_FORMAT_FP32:
        if (out == TX_FORMAT_TF32 || out == TX_FORMAT_BF16) {
            return out;
        }
        if (out == TX_FORMAT_FP8_E4M3) {
            return TX_FORMAT_FP16;
        }
        return info->block && info->exponent_bits == 8 ? TX_FORMAT_BF16 : TX_FORMAT_FP32;
    case TX_FORMAT_BF16:
        return out == TX_FORMAT_FP8_E4M3 ? TX_FORMAT_FP16 : TX_FORMAT_BF16;
    case TX_FORMAT_FP16:
        return TX_FORMAT_FP16;
    default: /* integers: as the output */
        return hardware_format(out == TX_FORMAT_UINT8 ? TX_FORMAT_INT8 : out);
    }
}

enum tx_status tx_pack_default(enum tx_arch arch, enum tx_format dst, enum tx_format out,
                               struct tx_pack *pack, const char **reason)
{
    const char *ignored;
    const char **const why = reason != NULL ? reason : &ignored;
    memset(pack, 0, sizeof *pack);
    pack->arch = arch;
    pack->dst = dst;
    pack->out = out;
    *why = route_reason(arch, out, dst);
    if (*why != NULL) {
        return TX_EUNSUPPORTED;
    }
    pack->intermediate = default_intermediate(dst, out);
    const bool wide = dst_kind(dst) == TX_FORMAT_FP32;
    const bool five_bits = dst_kind(dst) == TX_FORMAT_FP16;
    const bool to_fp16 = pack->intermediate == TX_FORMAT_FP16 && !five_bits;
    if (wide && out == TX_FORMAT_FP16 && arch == TX_BLACKHOLE) {
        pack->intermediate = TX_FORMAT_FP16; /* the gasket; Wormhole converts late */
        pack->round10 = true;
    }
    pack->round10 |= to_fp16;
    pack->raw = dst_kind(dst) == TX_FORMAT_INT8 || dst_kind(dst) == TX_FORMAT_UINT8;
    return tx_pack_check(pack, why);
}
