/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversion of a datum in L1 to a cell. Except for FP32 it depends on the input format alone; the
 * output format also determines whether cells of Dst have 32 bits. Source: isa
 * Unpackers/FormatConversion 287a84c; spec/unpack.md 9; formats-and-scalar-unit.md C.5.
 */
#include "fmt/words.h"
#include "unpack/unpack.h"

enum { NONE = TX_CONVERSION_COUNT };
/* The layout of a plain pattern. */
enum layout { LAYOUT_TF32, LAYOUT_BF16, LAYOUT_FP16, LAYOUT_INT16 };

struct plain {
    uint8_t step; /* conversion from L1; NONE: the bits are unchanged */
    uint8_t layout;
};

/* Converts FP32 to the type of the output format. */
static struct plain narrow(unsigned out)
{
    static const struct plain tf32 = {TX_UNPACK_FP32_TF32, LAYOUT_TF32};
    static const struct plain bf16 = {TX_UNPACK_FP32_BF16, LAYOUT_BF16};
    static const struct plain fp16 = {TX_UNPACK_FP32_FP16, LAYOUT_FP16};
    switch (out) {
    case FORMAT_FP32:
    case FORMAT_TF32:
    case FORMAT_INT32: /* undefined */
        return tf32;
    case FORMAT_FP16:
    case FORMAT_BFP8A: /* from here on undefined */
    case FORMAT_BFP4A:
    case FORMAT_BFP2A:
    case FORMAT_FP8:
    case FORMAT_INT8:
        return fp16;
    default:
        return bf16;
    }
}

static struct plain plain_of(const struct unpack_job *j, bool is_unsigned)
{
    static const struct plain rows[16] = {
        [FORMAT_FP16] = {NONE, LAYOUT_FP16},
        [FORMAT_BFP8A] = {TX_UNPACK_BFP8A_FP16, LAYOUT_FP16},
        [FORMAT_BFP4A] = {TX_UNPACK_BFP4A_FP16, LAYOUT_FP16},
        [FORMAT_BFP2A] = {TX_UNPACK_BFP2A_FP16, LAYOUT_FP16},
        [FORMAT_BF16] = {NONE, LAYOUT_BF16},
        [FORMAT_BFP8] = {TX_UNPACK_BFP8_BF16, LAYOUT_BF16},
        [FORMAT_BFP4] = {TX_UNPACK_BFP4_BF16, LAYOUT_BF16},
        [FORMAT_BFP2] = {TX_UNPACK_BFP2_BF16, LAYOUT_BF16},
        [FORMAT_INT16] = {NONE, LAYOUT_INT16},
        [FORMAT_FP8] = {TX_UNPACK_E5M2_FP16, LAYOUT_FP16},
        [FORMAT_INT8] = {TX_UNPACK_INT8, LAYOUT_FP16},
    };
    struct plain p = rows[j->in & 15u];
    if (unpack_is_wide(j->in)) {
        p = narrow(j->out_format);
    } else if (j->in == FORMAT_FP8 && j->e4m3 != 0) {
        p.step = TX_UNPACK_E4M3_FP16;
    } else if (j->in == FORMAT_INT8 && is_unsigned) {
        p.step = TX_UNPACK_UINT8;
    }
    return p;
}

struct unpack_route unpack_route_of(const struct unpack_job *j, bool is_unsigned)
{
    static const uint8_t src[] = {[LAYOUT_TF32] = TX_CELL_SRC_TF32,
                                  [LAYOUT_BF16] = TX_CELL_SRC_BF16,
                                  [LAYOUT_FP16] = TX_CELL_SRC_FP16,
                                  [LAYOUT_INT16] = TX_CELL_SRC_INT16};
    static const uint8_t dst[] = {[LAYOUT_TF32] = TX_CELL_DST_BF16,
                                  [LAYOUT_BF16] = TX_CELL_DST_BF16,
                                  [LAYOUT_FP16] = TX_CELL_DST_FP16,
                                  [LAYOUT_INT16] = NONE};
    const bool wide = unpack_is_wide(j->out_format);
    const struct plain p = plain_of(j, is_unsigned);
    struct unpack_route route = {{p.step, src[p.layout]}, 0, false};
    route.none = j->in == 12 || j->in == 13;
    if (j->to_dst != 0 && wide && unpack_is_wide(j->in)) {
        route.step[0] = NONE;
        route.step[1] = TX_CELL_DST_32;
    } else if (j->to_dst != 0) {
        route.step[1] = dst[p.layout];
        route.high = wide;
    }
    return route;
}

enum words_src unpack_src_of(const struct unpack_route *route)
{
    static const struct {
        uint8_t step[UNPACK_STEPS];
        uint8_t src;
    } ways[] = {{{NONE, TX_CELL_SRC_BF16}, WORDS_SRC_BF16},
                {{NONE, TX_CELL_SRC_FP16}, WORDS_SRC_FP16},
                {{NONE, TX_CELL_SRC_INT16}, WORDS_SRC_INT16},
                {{TX_UNPACK_INT8, TX_CELL_SRC_FP16}, WORDS_SRC_INT8},
                {{TX_UNPACK_UINT8, TX_CELL_SRC_FP16}, WORDS_SRC_UINT8},
                {{TX_UNPACK_FP32_TF32, TX_CELL_SRC_TF32}, WORDS_SRC_FP32_TF32},
                {{TX_UNPACK_FP32_BF16, TX_CELL_SRC_BF16}, WORDS_SRC_FP32_BF16},
                {{TX_UNPACK_FP32_FP16, TX_CELL_SRC_FP16}, WORDS_SRC_FP32_FP16},
                {{TX_UNPACK_BFP8_BF16, TX_CELL_SRC_BF16}, WORDS_SRC_BFP8},
                {{TX_UNPACK_BFP4_BF16, TX_CELL_SRC_BF16}, WORDS_SRC_BFP4},
                {{TX_UNPACK_BFP2_BF16, TX_CELL_SRC_BF16}, WORDS_SRC_BFP2}};
    for (unsigned i = 0; i < sizeof ways / sizeof ways[0] && !route->none && route->high == 0;
         i++) {
        if (route->step[0] == ways[i].step[0] && route->step[1] == ways[i].step[1]) {
            return (enum words_src)ways[i].src;
        }
    }
    return WORDS_SRC_NONE;
}

bool unpack_pair_legal(const struct unpack_job *j)
{
    const unsigned out = j->out_format;
    switch (j->in) {
    case FORMAT_FP32:
        return out == FORMAT_TF32 || out == FORMAT_BF16 || out == FORMAT_FP16 ||
               (out == FORMAT_FP32 && j->to_dst != 0);
    case FORMAT_TF32:
    case FORMAT_INT32:
        return out == j->in && j->to_dst != 0;
    case 12:
    case 13:
        return false;
    default:
        return out == j->in;
    }
}

void unpack_convert(const struct unpack_route *route, bool blackhole, uint32_t *words, size_t count)
{
    words_fn *const *const convert = words_level()->convert;
    if (route->none) {
        for (size_t i = 0; i < count; i++) {
            words[i] = 0;
        }
        return;
    }
    for (unsigned k = 0; k < UNPACK_STEPS; k++) {
        if (route->step[k] != NONE) {
            convert[route->step[k]](blackhole, words, count);
        }
    }
    if (route->high != 0) {
        for (size_t i = 0; i < count; i++) {
            words[i] <<= 16;
        }
    }
}
