/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The packer's conversions from Dst to L1: early conversion, ReLU, exponent threshold, late
 * conversion, BFP assembly. Source: ISA documentation Packers/FormatConversion 411f264; ttsim
 * 1.10.0; formats-and-scalar-unit.md C.8.
 */
#include "fmt/route.h"

#include "base/bits.h"
#include "base/sized.h"
#include "fmt/pack_early.h"
#include "fmt/tile.h"
#include "fmt/words.h"
#include "isa/chip.h"

#include <string.h>

/*
 * What the data are between early and late conversion. E8M6 is a BF16 pattern; E5M6 and E5M7 are
 * FP16 patterns whose denormals survive in the a formats.
 */
enum kind { K_FP32, K_TF32, K_BF16, K_FP16, K_E5M7, K_FP8, K_INT32, K_INT16, K_INT8 };

enum { NO = 1, YES = 2, ANY = 3 };
#define BOTH CHIPS_BOTH
#define BH CHIPS_BH

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
    /*
     * Blackhole as in ttsim; tt-llk programs Wormhole in the same way, against the documentation's
     * advice.
     */
    E(FP32, FP16, NO, YES, BOTH, TX_PACK_EARLY_FP32_TF32, TX_PACK_LATE_FP32_FP16, K_FP16),
    /* TF32 by the name of BF16, for FP16 output only: see pack_route. */
    E(FP32, BF16, NO, YES, BOTH, TX_PACK_EARLY_FP32_TF32, SAME, K_TF32),
    E(INT32, INT32, ANY, NO, BOTH, SAME, SAME, K_INT32),
    /* Whatever Read_int8 is: ttsim 1.10.0. The documentation has no such conversion. */
    E(INT32, INT16, ANY, NO, BOTH, TX_PACK_EARLY_INT32_INT16, SAME, K_INT16),
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
    E(FP16, BFP8A, NO, NO, BOTH, TX_PACK_EARLY_FP16_E5M6, SAME, K_E5M7),
    E(FP16, BFP8A, YES, NO, BOTH, TX_PACK_EARLY_FP16_E5M7, SAME, K_E5M7),
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
#define FROM_5(kind, narrow)                                                          \
    L(kind, FP32, TX_PACK_LATE_FP16_FP32), L(kind, TF32, TX_PACK_LATE_FP16_FP32),     \
        L(kind, BF16, TX_PACK_LATE_FP16_BF16), L(kind, FP16, SAME),                   \
        L(kind, FP8_E5M2, TX_PACK_LATE_FP16_E5M2), BFP(kind, TX_PACK_LATE_FP16_BF16), \
        BFPA(kind, narrow)
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
    FROM_5(K_FP16, TX_PACK_LATE_FP16_E5M7),
    FROM_5(K_E5M7, SAME),
    L(K_FP16, FP8_E4M3, TX_PACK_LATE_FP16_E4M3),
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

static const char mode_reason[] = "this intermediate format has no defined result with these "
                                  "settings of Read_int8 and Round_10b_mant";

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
        if ((row->raw & (pack->raw ? YES : NO)) != 0 &&
            (row->round10 & (pack->round10 ? YES : NO)) != 0) {
            return row;
        }
    }
    *reason = known ? mode_reason
                    : "no early conversion from this format in Dst to this intermediate format "
                      "is defined";
    return NULL;
}

static const struct late *find_late(unsigned kind, enum tx_format to)
{
    const enum tx_format out = hardware_format(to);
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
    if (pack->shift > 31 || (pack->shift != 0 && (kind != K_INT8 || pack->raw))) {
        return "INT_DESCALE belongs to the conversion of INT32 to 8 bits that is not raw";
    }
    return NULL;
}

/* Sets the width of a datum, and the place of its exponent, at ReLU and exponent threshold. */
static void route_shape(struct pack_route *route, unsigned kind, bool gasket)
{
    static const struct {
        uint8_t bits, exponent_lsb, exponent_bits;
    } shape[] = {[K_FP32] = {32, 23, 8}, [K_TF32] = {32, 23, 8}, [K_BF16] = {16, 7, 8},
                 [K_FP16] = {16, 10, 5}, [K_E5M7] = {16, 10, 5}, [K_FP8] = {8, 2, 5},
                 [K_INT32] = {32, 0, 0}, [K_INT16] = {16, 0, 0}, [K_INT8] = {8, 0, 0}};
    route->relu_bits = gasket ? 32 : shape[kind].bits;
    route->relu_integer = kind >= K_INT32;
    route->bits = shape[kind].bits;
    route->exponent_lsb = shape[kind].exponent_lsb;
    route->exponent_bits = shape[kind].exponent_bits;
    route->threshold = kind < K_INT32;
}

static void route_early(struct pack_route *route, const struct early *early, bool unsigned8,
                        bool raw, unsigned shift)
{
    unsigned first = early->first;
    if (unsigned8) {
        first = raw ? TX_PACK_EARLY_INT32_UINT8_RAW : TX_PACK_EARLY_INT32_UINT8;
    }
    chain_add(&route->early, first);
    chain_add(&route->inner, early->gasket);
    route->shift = (uint8_t)shift;
    route->unsigned8 = unsigned8;
    route_shape(route, early->kind, early->gasket != SAME);
}

enum tx_status pack_route(const struct tx_pack *pack, struct pack_route *route, const char **reason)
{
    memset(route, 0, sizeof *route);
    route->arch = pack->arch;
    if (!sized_zero(pack->reserved, sizeof pack->reserved)) {
        *reason = RESERVED_REASON;
        return TX_EINVAL;
    }
    *reason = route_reason(pack->arch, pack->out, pack->dst);
    if (*reason != NULL) {
        return TX_EUNSUPPORTED;
    }
    const struct early *early = find_early(pack, reason);
    if (early == NULL) {
        return TX_EUNSUPPORTED;
    }
    /* With Round_10b_mant, BF16 means TF32, and only for a late conversion to FP16 (isa). */
    if (hardware_format(pack->intermediate) == TX_FORMAT_BF16 && pack->round10 &&
        pack->out != TX_FORMAT_FP16) {
        *reason = mode_reason;
        return TX_EUNSUPPORTED;
    }
    const struct late *late = find_late(early->kind, pack->out);
    if (pack->out == TX_FORMAT_FP8_E4M3 && pack->intermediate != TX_FORMAT_FP16) {
        late = NULL;
    }
    *reason = late == NULL ? late_reason(pack, early->kind) : side_reason(pack, early->kind);
    if (*reason != NULL) {
        return TX_EUNSUPPORTED;
    }
    route_early(route, early, is_unsigned8(pack), pack->raw, pack->shift);
    chain_add(&route->late, late->conversion);
    return TX_OK;
}

/* ---- by the codes in registers ---- */

/*
 * Returns the kind of data that the late conversion assumes, by In_data_format; -1: not assigned.
 */
static int kind_of_code(unsigned in)
{
    static const int8_t kinds[16] = {K_FP32, K_FP16, K_E5M7,  K_E5M7,  K_TF32, K_BF16,
                                     K_BF16, K_BF16, K_INT32, K_INT16, K_FP8,  K_E5M7,
                                     -1,     -1,     K_INT8,  K_BF16};
    return kinds[in & 15u];
}

/* Returns the format of Dst, as far as conversions distinguish formats. */
static enum tx_format dst_of_codes(const struct pack_codes *c)
{
    switch (c->intermediate) {
    case TX_FORMAT_INT32:
        return TX_FORMAT_INT32;
    case TX_FORMAT_INT16:
        return c->wide ? TX_FORMAT_INT32 : TX_FORMAT_INT16;
    case TX_FORMAT_INT8:
        return c->wide ? TX_FORMAT_INT32 : TX_FORMAT_INT8;
    case TX_FORMAT_FP16:
        return c->wide ? TX_FORMAT_FP32 : c->round10 ? TX_FORMAT_BF16 : TX_FORMAT_FP16;
    case TX_FORMAT_BFP8A:
    case TX_FORMAT_FP8_E5M2:
        return TX_FORMAT_FP16;
    default:
        return c->wide ? TX_FORMAT_FP32 : TX_FORMAT_BF16;
    }
}

/* Returns whether intermediate and In_data_format mean the same data: pack.md 5.1, P6. */
static bool codes_agree(const struct pack_codes *c, const struct early *early)
{
    if (c->intermediate == c->in) {
        return (int)early->kind == kind_of_code(c->in) || c->raw;
    }
    if (c->intermediate == TX_FORMAT_BF16 && early->kind == K_TF32) {
        return c->in == TX_FORMAT_TF32;
    }
    return c->raw && c->wide &&
           (c->intermediate == TX_FORMAT_INT32 || c->intermediate == TX_FORMAT_TF32) &&
           (c->in == TX_FORMAT_FP32 || c->in == TX_FORMAT_INT32);
}

static enum pack_answer codes_early(const struct pack_codes *c, const struct early **early,
                                    const char **reason)
{
    const enum tx_format dst = dst_of_codes(c);
    const bool integer = tx_format_info(dst)->integer;
    const bool bf16 = c->intermediate == TX_FORMAT_BF16 && c->out != TX_FORMAT_FP16;
    const struct tx_pack pack = {.arch = c->arch,
                                 .dst = dst,
                                 .intermediate = (enum tx_format)c->intermediate,
                                 .raw = c->raw,
                                 /* only where it has an effect (isa) */
                                 .round10 = c->round10 && !c->raw && !integer && !bf16};
    *early = NULL;
    if ((dst == TX_FORMAT_FP16 && c->wide) || (c->intermediate == TX_FORMAT_INT32 && !c->wide)) {
        *reason = "this intermediate format is not made from this view of Dst";
        return PACK_UNDEFINED;
    }
    *early = find_early(&pack, reason);
    return *early != NULL ? PACK_ROUTE : PACK_UNDEFINED;
}

/* Returns the format in L1, which is E4M3 if Pac_LF8_4b_exp says so. */
static enum tx_format out_of_codes(const struct pack_codes *c)
{
    return c->out == TX_FORMAT_FP8_E5M2 && c->e4m3 ? TX_FORMAT_FP8_E4M3 : (enum tx_format)c->out;
}

enum pack_answer pack_route_codes(const struct pack_codes *c, struct pack_route *route,
                                  const char **reason)
{
    const struct early *early;
    const enum tx_format out = out_of_codes(c);
    const int kind = kind_of_code(c->in);
    memset(route, 0, sizeof *route);
    route->arch = c->arch;
    if (tx_format_info(c->out) == NULL || tx_format_info(c->in) == NULL ||
        tx_format_info(c->intermediate) == NULL) {
        *reason = "format codes 12 and 13 are not assigned";
        return PACK_MISSING;
    }
    const enum pack_answer answer = codes_early(c, &early, reason);
    if (answer != PACK_ROUTE) {
        return answer;
    }
    if (out == TX_FORMAT_FP8_E4M3 && c->in != TX_FORMAT_FP16) {
        *reason = "FP8 E4M3 is made from the intermediate format FP16 alone";
        return PACK_UNSUPPORTED;
    }
    const struct late *late = find_late((unsigned)kind, out);
    if (late == NULL) {
        *reason = "no late conversion from In_data_format to Out_data_format";
        return PACK_UNDEFINED;
    }
    const bool to8 = c->intermediate == TX_FORMAT_INT8 && c->wide;
    route->dst = (uint8_t)dst_of_codes(c);
    route_early(route, early, to8 && c->is_unsigned, c->raw, to8 && !c->raw ? c->shift : 0);
    chain_add(&route->late, late->conversion);
    if (kind < K_INT32) { /* the exponent threshold goes by In_data_format */
        struct pack_route taken = *route;
        route_shape(&taken, (unsigned)kind, false);
        route->exponent_lsb = taken.exponent_lsb;
        route->exponent_bits = taken.exponent_bits;
    }
    route->threshold = kind < K_INT32 && c->in != TX_FORMAT_BFP2;
    return codes_agree(c, early) ? PACK_ROUTE : PACK_OTHER;
}

/*
 * Returns the conversion of data that Wormhole's packer 0 reads from L1: they are as wide as
 * In_data_format and have the type of the intermediate format (C.8.8). A value above SAME: not
 * defined.
 */
static unsigned l1_conversion(unsigned in, unsigned intermediate)
{
    static const struct {
        uint8_t width, intermediate, conversion;
    } rows[] = {
        {4, TX_FORMAT_FP32, SAME},
        {4, TX_FORMAT_INT32, SAME},
        {4, TX_FORMAT_INT16, TX_PACK_L1_32_INT16},
        {2, TX_FORMAT_BF16, SAME},
        {2, TX_FORMAT_FP16, SAME},
        {2, TX_FORMAT_INT16, SAME},
        {2, TX_FORMAT_INT32, TX_PACK_L1_16_INT32},
        {2, TX_FORMAT_INT8, TX_PACK_L1_16_INT8},
        {1, TX_FORMAT_FP8_E5M2, SAME},
        {1, TX_FORMAT_INT8, SAME},
        {1, TX_FORMAT_BF16, TX_PACK_L1_8_BF16},
        {1, TX_FORMAT_BFP8, TX_PACK_L1_8_BF16},
        {1, TX_FORMAT_BFP8A, TX_PACK_L1_8_E5M7},
        {1, TX_FORMAT_INT32, TX_PACK_L1_8_INT32},
        {1, TX_FORMAT_INT16, TX_PACK_L1_8_INT16},
    };
    const unsigned width = (in & 3u) == 0 ? 4 : (in & 3u) == 1 ? 2 : 1;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].width == width && rows[i].intermediate == intermediate) {
            return rows[i].conversion;
        }
    }
    return SAME + 1u;
}

enum pack_answer pack_route_l1(const struct pack_codes *c, struct pack_route *route,
                               const char **reason)
{
    memset(route, 0, sizeof *route);
    route->arch = c->arch;
    const int kind = kind_of_code(c->intermediate);
    const struct late *late = kind < 0 ? NULL : find_late((unsigned)kind, (enum tx_format)c->out);
    const unsigned first = l1_conversion(c->in, c->intermediate);
    if (late == NULL || first > SAME) {
        *reason = "data out of L1 have no such conversion";
        return PACK_UNDEFINED;
    }
    chain_add(&route->early, first);
    chain_add(&route->late, late->conversion);
    route_shape(route, (unsigned)kind, false);
    return PACK_ROUTE;
}

/* ---- the stages ---- */

void pack_early(const struct pack_route *route, uint32_t *words, size_t count)
{
    if (route->shift == 0) {
        chain_run(&route->early, route->arch, words, count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        words[i] = route->unsigned8 ? early_uint8(words[i], route->shift)
                                    : early_int8(words[i], route->shift);
    }
}

/* In the clamping mode FP32 is compared with the threshold on bits 31..13 only (ttsim). */
void pack_relu(const struct pack_route *route, const struct pack_limits *limits, uint32_t *words,
               size_t count)
{
    const bool wide = route->relu_bits == 32;
    const struct words_relu how = {.sign = route->unsigned8 ? 0 : 1u << (route->relu_bits - 1),
                                   .threshold = (uint32_t)limits->relu_threshold << (wide ? 16 : 0),
                                   .zero = limits->relu == TX_RELU_THRESHOLD,
                                   .clamp = limits->relu == TX_RELU_CLAMP,
                                   .ignored = wide ? 13 : 0};
    if (limits->relu != TX_RELU_NONE) {
        words_level()->relu(&how, words, count);
    }
}

void pack_inner(const struct pack_route *route, uint32_t *words, size_t count)
{
    chain_run(&route->inner, route->arch, words, count);
}

void pack_threshold(const struct pack_route *route, const struct pack_limits *limits,
                    uint32_t *words, size_t count)
{
    const uint32_t field = (1u << route->exponent_bits) - 1u;
    const uint32_t rest = limits->keep_rest ? ~(field << route->exponent_lsb) : 0;
    for (size_t i = 0; route->threshold && i < count; i++) {
        const uint32_t e = words[i] >> route->exponent_lsb & field;
        words[i] &= e < limits->exponent ? rest : 0xFFFFFFFFu;
    }
}

void pack_late(const struct pack_route *route, uint32_t *words, size_t count)
{
    chain_run(&route->late, route->arch, words, count);
}

enum tx_status tx_pack_check(const struct tx_pack *pack, const char **reason)
{
    struct pack_route route;
    const char *ignored;
    return pack_route(pack, &route, reason != NULL ? reason : &ignored);
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
    const struct pack_limits limits = {.relu = (uint8_t)pack->relu,
                                       .relu_threshold = pack->relu_threshold,
                                       .exponent = pack->exponent_threshold};
    memcpy(words, data, layout.data * sizeof words[0]);
    pack_early(&route, words, layout.data);
    pack_relu(&route, &limits, words, layout.data);
    pack_inner(&route, words, layout.data);
    if (pack->threshold_exponent) {
        pack_threshold(&route, &limits, words, layout.data);
    }
    pack_late(&route, words, layout.data);
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

/* Returns tt-metal's choice if it has one, else the documentation's. */
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
    default: /* integers: the format of the output */
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
    if (wide && out == TX_FORMAT_FP16 && CHIP_HAS(arch, FP16_BY_GASKET)) {
        pack->intermediate = TX_FORMAT_FP16; /* the gasket; Wormhole converts late */
        pack->round10 = true;
    }
    pack->round10 |= to_fp16;
    pack->raw = dst_kind(dst) == TX_FORMAT_INT8 || dst_kind(dst) == TX_FORMAT_UINT8;
    return tx_pack_check(pack, why);
}
