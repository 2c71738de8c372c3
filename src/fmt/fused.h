/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole routes in one pass, for the conversions whose speed is that of memory. Each equals its
 * chain of conversions bit for bit (tests/fmt/test_fused.c). groups counts 16 data. stream: the
 * output is larger than the cache and aligned to 32 bytes, so it may be written around it; finish
 * orders such writes before what follows.
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

/* 16-bit data without exponents. */
typedef void fused_narrow_fn(const uint32_t *words, size_t groups, uint8_t *data, bool stream);
typedef void fused_widen_fn(const uint8_t *data, size_t groups, uint32_t *words, bool stream);

/* Index by magnitude bits: BFP8, BFP4, BFP2. */
enum fused_width { FUSED_7, FUSED_3, FUSED_1, FUSED_WIDTHS };

struct fused {
    /* FP32 in Dst, rounded early to BF16, assembled: words to BFP; and tt-metal's host packer. */
    fused_pack_fn *pack_bfp[FUSED_WIDTHS];
    fused_pack_fn *host_bfp[FUSED_WIDTHS];
    /* BFP to Dst as BF16, read as FP32; and tt-metal's host decoder. */
    fused_unpack_fn *unpack_bfp[FUSED_WIDTHS];
    fused_unpack_fn *host_unbfp[FUSED_WIDTHS];
    /* To BF16: early rounding; nearest even. And back. */
    fused_narrow_fn *pack_bf16;
    fused_narrow_fn *host_bf16;
    fused_widen_fn *widen_bf16;
    void (*finish)(void);
};

extern const struct fused fused_base;
extern const struct fused fused_avx2;

#endif
