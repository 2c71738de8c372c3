/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversions in one pass, for the routes whose speed is limited by memory. Each gives the same
 * bits as its chain of conversions (tests/fmt/test_fused.c). groups: number of groups of 16 data.
 * stream: the output is larger than the cache and aligned to 32 bytes, so that it may be written
 * around the cache; finish orders such writes before what follows.
 */
#ifndef TX_FMT_FUSED_H
#define TX_FMT_FUSED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void fused_pack_fn(const uint32_t *words, size_t groups, uint8_t *exponents, uint8_t *data,
                           bool stream);
typedef void fused_unpack_fn(const uint8_t *exponents, const uint8_t *data, size_t groups,
                             uint32_t *words, bool stream);

/* For 16-bit data, which have no exponents. */
typedef void fused_narrow_fn(const uint32_t *words, size_t groups, uint8_t *data, bool stream);
typedef void fused_widen_fn(const uint8_t *data, size_t groups, uint32_t *words, bool stream);

/* Index by magnitude bits: 7, 3, 1 for BFP8, BFP4, BFP2. */
enum fused_width { FUSED_7, FUSED_3, FUSED_1, FUSED_WIDTHS };

struct fused {
    /*
     * Words to BFP: FP32 in Dst, rounded early to BF16 and assembled; and as tt-metal's host code
     * packs.
     */
    fused_pack_fn *pack_bfp[FUSED_WIDTHS];
    fused_pack_fn *host_bfp[FUSED_WIDTHS];
    /* BFP to words: to Dst as BF16, read as FP32; and as tt-metal's host code decodes. */
    fused_unpack_fn *unpack_bfp[FUSED_WIDTHS];
    fused_unpack_fn *host_unbfp[FUSED_WIDTHS];
    /* Words to BF16 by early rounding, and to nearest even; and BF16 to words. */
    fused_narrow_fn *pack_bf16;
    fused_narrow_fn *host_bf16;
    fused_widen_fn *widen_bf16;
    void (*finish)(void);
};

extern const struct fused fused_base;
extern const struct fused fused_avx2;

#endif
