/* SPDX-License-Identifier: Apache-2.0 */
/* Reading and writing tiles in the tile shape, where a group is the same vector of two tiles. */
#ifndef TX_FAST_TILES_H
#define TX_FAST_TILES_H

#include "fast/groups.h"

enum { TILE_WORDS = FAST_GROUPS * FAST_GROUP };

TX_INLINE void input_tiles(const struct fast_step *s, const struct fast_context *c, unsigned g)
{
    const size_t at = group_at(s->vector / 2u);
    for (unsigned tile = 2 * g; tile < 2 * g + 2; tile++) {
        const uint32_t *from = c->inputs[s->number] + (size_t)tile * TILE_WORDS + at;
        uint32_t *to = out_at(s, OUT_VALUE, g) + tile % 2 * 32;
        for (unsigned half = 0; half < 2; half++) {
            const words16 a = get16(from + 2 * half * ROW_STEP);
            const words16 b = get16(from + (2 * half + 1) * ROW_STEP);
            put16(to + 16 * half, (s->vector & 1u) != 0 ? ODD_OF(a, b) : EVEN_OF(a, b));
        }
    }
}

/* Writes the even columns from A, the odd ones from B. */
TX_INLINE void output_tiles(const struct fast_step *s, const struct fast_context *c, unsigned g)
{
    const size_t at = group_at(s->vector / 2u);
    for (unsigned tile = 2 * g; tile < 2 * g + 2; tile++) {
        uint32_t *to = c->output + (size_t)tile * TILE_WORDS + at;
        const uint32_t *even = in_at(s, IN_A, g) + tile % 2 * 32;
        const uint32_t *odd = in_at(s, IN_B, g) + tile % 2 * 32;
        for (unsigned half = 0; half < 2; half++) {
            const words16 a = get16(even + 16 * half);
            const words16 b = get16(odd + 16 * half);
            put16(to + 2 * half * ROW_STEP, LOW_OF(a, b));
            put16(to + (2 * half + 1) * ROW_STEP, HIGH_OF(a, b));
        }
    }
}

TX_INLINE void seed_tiles(const struct fast_step *s, const struct fast_context *c, unsigned g)
{
    memcpy(out_at(s, OUT_VALUE, g), c->seeds + (size_t)g * FAST_GROUP,
           FAST_GROUP * sizeof(uint32_t));
}

#endif
