/* SPDX-License-Identifier: Apache-2.0 */
/* Operands that try a multiply-add: random, structured, cancelling, at the edges of the range. */
#ifndef TEST_NUM_TRIPLES_H
#define TEST_NUM_TRIPLES_H

#include <stdint.h>

static inline uint32_t triple_next(uint64_t *s)
{
    *s += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t x = *s;
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)((x ^ (x >> 31)) >> 16);
}

/* A mantissa with few bits set or cleared, so that ties and carries are common. */
static inline uint32_t triple_mantissa(uint64_t *s)
{
    const uint32_t r = triple_next(s);
    const uint32_t one = 1u << (r & 31u) | 1u << (r >> 5 & 31u);
    return ((r & 0x400u) != 0 ? one : ~one) & 0x7FFFFFu;
}

static inline uint32_t triple_float(uint64_t *s, uint32_t exponent)
{
    const uint32_t r = triple_next(s);
    const uint32_t m = (r & 3u) == 0 ? r >> 8 & 0x7FFFFFu : triple_mantissa(s);
    return (r & 0x80000000u) | (exponent & 255u) << 23 | m;
}

static inline void triple(uint64_t *s, uint32_t v[3])
{
    static const uint32_t special[16] = {0,           0x80000000u, 1,           0x807FFFFFu,
                                         0x00800000u, 0x80800001u, 0x3F800000u, 0xBF800000u,
                                         0x7F7FFFFFu, 0xFF7FFFFFu, 0x7F800000u, 0xFF800000u,
                                         0x7F800001u, 0xFFC12345u, 0x7E800000u, 0x00FFFFFFu};
    const uint32_t kind = triple_next(s);
    const uint32_t e = triple_next(s);
    switch (kind & 7u) {
    case 0: /* anything */
        v[0] = triple_next(s);
        v[1] = triple_next(s);
        v[2] = triple_next(s);
        return;
    case 1: /* special values */
        v[0] = special[kind >> 4 & 15u];
        v[1] = (kind & 0x100u) != 0 ? special[kind >> 9 & 15u] : triple_next(s);
        v[2] = (kind & 0x2000u) != 0 ? special[kind >> 14 & 15u] : triple_next(s);
        return;
    case 2: /* addend at every distance from the product */
    case 3: {
        const uint32_t a = 64u + (e & 127u);
        const uint32_t b = 64u + (e >> 8 & 127u);
        const uint32_t p = a + b - 127u;
        v[0] = triple_float(s, a);
        v[1] = triple_float(s, b);
        v[2] = triple_float(s, p + (e >> 16) % 73u - 36u);
        return;
    }
    case 4: /* near cancellation: z about -x*y */
    case 5: {
        const uint32_t a = 100u + (e & 63u);
        v[0] = triple_float(s, a);
        v[1] = triple_float(s, 254u - a + (e >> 8 & 3u) - 1u);
        const uint64_t p =
            (uint64_t)((v[0] & 0x7FFFFFu) | 0x800000u) * ((v[1] & 0x7FFFFFu) | 0x800000u);
        const uint32_t top = (uint32_t)(p >> 47 & 1u);
        const uint32_t exponent = ((v[0] >> 23 & 255u) + (v[1] >> 23 & 255u) - 127u + top) & 255u;
        const uint32_t m = (uint32_t)(p >> (23 + top)) & 0x7FFFFFu;
        v[2] = (((v[0] ^ v[1] ^ 0x80000000u) & 0x80000000u) | exponent << 23 | m) +
               (e >> 12 & 15u) - 7u;
        return;
    }
    case 6: /* about the smallest numbers */
        v[0] = triple_float(s, e & 127u);
        v[1] = triple_float(s, 127u - (e & 127u) + (e >> 8 & 7u) - 4u);
        v[2] = triple_float(s, e >> 16 & 7u);
        return;
    default: /* about the largest */
        v[0] = triple_float(s, 127u + (e & 127u));
        v[1] = triple_float(s, 254u - (e & 127u) + (e >> 8 & 7u) - 4u);
        v[2] = triple_float(s, 255u - (e >> 16 & 3u));
        return;
    }
}

#endif
