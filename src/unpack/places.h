/* SPDX-License-Identifier: Apache-2.0 */
/* The places of an unpacker's configuration fields. Source: spec/unpack.md 3.1. */
#ifndef TX_UNPACK_PLACES_H
#define TX_UNPACK_PLACES_H

#include "isa/config.h"

enum { UNPACK_CONTEXTS = 8, UNPACK_UNEXPLAINED = 13 };

struct unpack_places {
    struct cfg_place descriptor; /* the first of its four words */
    struct cfg_place out, throttle, context_count, transpose, tileize, set_update, to_dst, upsample,
        interleave, override_formats, force_exponent, limit, fifo;
    struct cfg_place shift[4], dest[4], x_dim[4], offset[4]; /* by context modulo 4 */
    struct cfg_place uncompressed[UNPACK_CONTEXTS], to_dst_of[UNPACK_CONTEXTS],
        base[UNPACK_CONTEXTS], in_of[UNPACK_CONTEXTS], out_of[UNPACK_CONTEXTS];
    struct cfg_place y_stride, z_stride, w_stride, address_base, shared_exponent, add_dest;
    struct cfg_place blobs[2]; /* for contexts 0 and 1, and for 2 and 3 */
    struct cfg_place is_unsigned;
    /* Blackhole only. */
    struct cfg_place e4m3, throttle_used, clear_value;
    struct cfg_place unexplained[UNPACK_UNEXPLAINED]; /* fields of which only the names are known */
    /* Thread configuration. */
    struct cfg_place src_base, src_override, context_offset, count_reset, count_increment;
};

const struct unpack_places *unpack_places(enum tx_arch arch, unsigned unpacker);
/*
 * Returns the bits of a word that every UNPACR reads and that must not change until its unpack has
 * begun.
 */
uint32_t unpack_places_mask(const struct unpack_places *p, unsigned word);
/* And those that an UNPACR of the context reads besides. */
uint32_t unpack_places_context_mask(const struct unpack_places *p, unsigned context, unsigned word);

#endif
