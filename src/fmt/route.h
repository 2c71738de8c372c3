/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the unpacker and the packer do to a datum, as chains of conversions. The tables of unpack.c
 * and pack.c are the list of routes that exist.
 */
#ifndef TX_FMT_ROUTE_H
#define TX_FMT_ROUTE_H

#include <tensix/formats.h>

enum { CHAIN = 4, SAME = TX_CONVERSION_COUNT }; /* SAME: bits unchanged */

struct chain {
    uint8_t step[CHAIN];
    uint8_t steps;
};

/* The hardware knows no unsigned INT32 and INT16, and no TF32 in Dst. */
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

void chain_run(const struct chain *chain, enum tx_arch arch, uint32_t *words, size_t count);

/* A reason that does not depend on the route: chip, format in L1, format in Dst; NULL: none. */
const char *route_reason(enum tx_arch arch, enum tx_format l1, enum tx_format dst);

/* TX_OK and the chain from an L1 datum (exponent . datum of block formats) to the Dst datum. */
enum tx_status unpack_chain(const struct tx_unpack *unpack, struct chain *chain,
                            const char **reason);

/*
 * The stages of the packer, in their order: early, ReLU, inner, exponent threshold, late. What the
 * packers do between them besides is src/pack's.
 */
struct pack_route {
    enum tx_arch arch;
    struct chain early; /* to what ReLU sees */
    struct chain inner; /* the gasket, behind ReLU */
    struct chain late;  /* to the L1 datum, or to what BFP assembly takes */
    uint8_t shift;      /* instead of early, where it is not 0: INT_DESCALE */
    uint8_t dst;        /* enum tx_format that cells of Dst are taken for, of codes only */
    bool unsigned8;
    uint8_t relu_bits; /* of a datum at ReLU */
    bool relu_integer;
    uint8_t bits, exponent_lsb, exponent_bits; /* of the intermediate datum; 0: no exponent */
    bool threshold;                            /* the exponent threshold has an effect */
};
enum tx_status pack_route(const struct tx_pack *pack, struct pack_route *route,
                          const char **reason);

/* What the packers' registers say: DataFormat codes. */
struct pack_codes {
    enum tx_arch arch;
    uint8_t intermediate, in, out; /* Dstacc, In_data_format, Out_data_format */
    bool wide, raw, round10, is_unsigned, e4m3;
    uint8_t shift;
};
/* PACK_OTHER: intermediate and in do not belong together, and the data pass as they are. */
enum pack_answer { PACK_ROUTE, PACK_OTHER, PACK_UNDEFINED, PACK_UNSUPPORTED, PACK_MISSING };
enum pack_answer pack_route_codes(const struct pack_codes *codes, struct pack_route *route,
                                  const char **reason);
/* The same of data out of L1: early makes the intermediate format out of as many bytes as "in" has,
 * and late begins with that. */
enum pack_answer pack_route_l1(const struct pack_codes *codes, struct pack_route *route,
                               const char **reason);

/* In place. Of ReLU and threshold: */
struct pack_limits {
    uint8_t relu; /* enum tx_relu */
    uint16_t relu_threshold;
    uint8_t exponent;
    bool keep_rest; /* sign and mantissa survive the exponent threshold */
};
void pack_early(const struct pack_route *route, uint32_t *words, size_t count);
void pack_relu(const struct pack_route *route, const struct pack_limits *limits, uint32_t *words,
               size_t count);
void pack_inner(const struct pack_route *route, uint32_t *words, size_t count);
void pack_threshold(const struct pack_route *route, const struct pack_limits *limits,
                    uint32_t *words, size_t count);
void pack_late(const struct pack_route *route, uint32_t *words, size_t count);

#endif
