/* SPDX-License-Identifier: Apache-2.0 */
/* The fused routes of each level of the CPU against the second statement. */
#ifndef TEST_FMT_SECOND_FUSED_H
#define TEST_FMT_SECOND_FUSED_H

#include "fmt/words.h"
#include "second_groups.h"

static const struct {
    enum tx_format format;
    unsigned width;
} fused_formats[FUSED_WIDTHS] = {{TX_FORMAT_BFP8, 7}, {TX_FORMAT_BFP4, 3}, {TX_FORMAT_BFP2, 1}};

enum { MOST_GROUPS = 16 };

static inline void levels(const struct fused *level[2])
{
    level[0] = words_base.fused;
    level[1] = words_level()->fused;
}

static inline uint32_t packed(const uint8_t *data, unsigned i, unsigned width)
{
    const unsigned per_byte = 8 / (width + 1);
    return data[i / per_byte] >> (i % per_byte * (width + 1)) & ((2u << width) - 1);
}

/* Both packers; false and the first group that differs in *at. */
static inline bool fused_packs_agree(const uint32_t *words, size_t groups, size_t *at)
{
    const struct fused *level[2];
    levels(level);
    for (unsigned k = 0; k < 2 * 2 * FUSED_WIDTHS; k++) {
        const unsigned f = k % FUSED_WIDTHS;
        const unsigned w = fused_formats[f].width;
        const bool by_host = k / FUSED_WIDTHS % 2 != 0;
        const struct fused *fused = level[k / FUSED_WIDTHS / 2];
        uint8_t exponents[MOST_GROUPS + 1];
        uint8_t data[16 * MOST_GROUPS + 1];
        memset(exponents, 0x5A, sizeof exponents);
        memset(data, 0x5A, sizeof data);
        (by_host ? fused->host_bfp : fused->pack_bfp)[f](words, groups, exponents, data, false);
        if (exponents[groups] != 0x5A || data[groups * 2 * (w + 1)] != 0x5A) {
            *at = groups;
            return false; /* wrote beyond the end */
        }
        for (size_t g = 0; g < groups; g++) {
            uint16_t half[16];
            uint8_t e, want[16];
            for (unsigned i = 0; i < 16; i++) {
                half[i] = (uint16_t)(rnd(words[16 * g + i], 16) / 65536);
            }
            if (by_host) {
                second_pack_host(words + 16 * g, false, w, &e, want);
            } else {
                second_pack(half, false, w, &e, want);
            }
            *at = g;
            for (unsigned i = 0; i < 16; i++) {
                if (packed(data + g * 2 * (w + 1), i, w) != want[i] || exponents[g] != e) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* BF16 in both directions. */
static inline bool fused_bf16_agrees(const uint32_t *words, size_t groups, size_t *at)
{
    const struct fused *level[2];
    levels(level);
    for (unsigned k = 0; k < 2; k++) {
        uint16_t early[16 * MOST_GROUPS], even[16 * MOST_GROUPS];
        uint32_t back[16 * MOST_GROUPS];
        level[k]->pack_bf16(words, groups, (uint8_t *)early, false);
        level[k]->host_bf16(words, groups, (uint8_t *)even, false);
        level[k]->widen_bf16((const uint8_t *)even, groups, back, false);
        for (size_t i = 0; i < 16 * groups; i++) {
            *at = i;
            if (early[i] != rnd(words[i], 16) / 65536 ||
                even[i] != host_cut(words[i], 16) / 65536 || back[i] != even[i] * 65536u) {
                return false;
            }
        }
    }
    return true;
}

/* Groups as random_words of group_word: n chooses the kind. */
static inline void fused_words(unsigned n, uint64_t *seed, uint32_t *words, size_t groups)
{
    for (size_t g = 0; g < groups; g++) {
        const uint32_t base = next(seed);
        for (unsigned i = 0; i < 16; i++) {
            words[16 * g + i] = group_word(n + (unsigned)g, base, seed);
        }
    }
}

#endif
