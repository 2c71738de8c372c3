/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the unpacker and the packer do to a datum, as chains of conversions. The tables of unpack.c
 * and pack.c list the routes that exist.
 */
#ifndef TX_FMT_ROUTE_H
#define TX_FMT_ROUTE_H

#include <tensix/formats.h>

enum { CHAIN = 4, SAME = TX_CONVERSION_COUNT }; /* SAME: the bits are unchanged */

struct chain {
    uint8_t step[CHAIN];
    uint8_t steps;
};

/* The hardware has no unsigned INT32 and INT16, and no TF32 in Dst. */
static inline enum tx_format hardware_format(enum tx_format format)
{
    return format == TX_FORMAT_UINT32   ? TX_FORMAT_INT32
           : format == TX_FORMAT_UINT16 ? TX_FORMAT_INT16
                                        : format;
}

static inline enum tx_format dst_kind(enum tx_format dst)
{
    return dst == TX_FORMAT_TF32 ? TX_FORMAT_FP32 : hardware_format(dst);
}

static inline bool dst_format_exists(enum tx_format dst)
{
    switch (dst_kind(dst)) {
    case TX_FORMAT_FP32:
    case TX_FORMAT_BF16:
    case TX_FORMAT_FP16:
    case TX_FORMAT_INT32:
    case TX_FORMAT_INT16:
    case TX_FORMAT_INT8:
    case TX_FORMAT_UINT8:
        return true;
    default:
        return false;
    }
}

static inline void chain_add(struct chain *chain, unsigned conversion)
{
    if (conversion != SAME) {
        chain->step[chain->steps++] = (uint8_t)conversion;
    }
}

/* Converts words in place, step by step. */
void chain_run(const struct chain *chain, enum tx_arch arch, uint32_t *words, size_t count);

/* Returns why no route can exist for this chip, format in L1 and format in Dst, or NULL. */
const char *route_reason(enum tx_arch arch, enum tx_format l1, enum tx_format dst);

/*
 * Determines the chain from an L1 datum (for block formats with its exponent above) to the Dst
 * datum.
 */
enum tx_status unpack_chain(const struct tx_unpack *unpack, struct chain *chain,
                            const char **reason);

/*
 * The stages of the packer in their order: early conversion, ReLU, inner conversion, exponent
 * threshold, late conversion. What the packers do between them is in src/pack.
 */
struct pack_route {
    enum tx_arch arch;
    struct chain early; /* up to ReLU */
    struct chain inner; /* the gasket, after ReLU */
    struct chain late;  /* to the L1 datum, or to the input of BFP assembly */
    uint8_t shift;      /* INT_DESCALE; if not 0, it replaces early */
    uint8_t dst;        /* enum tx_format of the cells of Dst; only from codes */
    bool unsigned8;
    uint8_t relu_bits; /* width of a datum at ReLU */
    bool relu_integer;
    /* Of the intermediate datum; exponent_bits is 0 if there is none. */
    uint8_t bits, exponent_lsb, exponent_bits;
    bool threshold; /* whether the exponent threshold has an effect */
};
/*
 * Determines the route for a codec's settings. If there is none, returns an error and sets *reason.
 */
enum tx_status pack_route(const struct tx_pack *pack, struct pack_route *route,
                          const char **reason);

/* A route as the packers' registers describe it, by DataFormat codes. */
struct pack_codes {
    enum tx_arch arch;
    uint8_t intermediate, in, out; /* Dstacc, In_data_format, Out_data_format */
    bool wide, raw, round10, is_unsigned, e4m3;
    uint8_t shift;
};
/* PACK_OTHER: intermediate and in do not match, and the data pass as they are. */
enum pack_answer { PACK_ROUTE, PACK_OTHER, PACK_UNDEFINED, PACK_UNSUPPORTED, PACK_MISSING };
/*
 * Determines the route for the codes of the registers, with *reason for answers above PACK_OTHER.
 */
enum pack_answer pack_route_codes(const struct pack_codes *codes, struct pack_route *route,
                                  const char **reason);
/*
 * The same for data from L1: early makes the intermediate format from as many bytes as "in" has,
 * and late starts from that.
 */
enum pack_answer pack_route_l1(const struct pack_codes *codes, struct pack_route *route,
                               const char **reason);

/* Settings of ReLU and exponent threshold. The stages below convert in place. */
struct pack_limits {
    uint8_t relu; /* enum tx_relu */
    uint16_t relu_threshold;
    uint8_t exponent;
    bool keep_rest; /* the exponent threshold leaves sign and mantissa */
};
void pack_early(const struct pack_route *route, uint32_t *words, size_t count);
void pack_relu(const struct pack_route *route, const struct pack_limits *limits, uint32_t *words,
               size_t count);
void pack_inner(const struct pack_route *route, uint32_t *words, size_t count);
void pack_threshold(const struct pack_route *route, const struct pack_limits *limits,
                    uint32_t *words, size_t count);
void pack_late(const struct pack_route *route, uint32_t *words, size_t count);

#endif
