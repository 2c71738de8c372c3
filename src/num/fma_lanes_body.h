/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The models of the two chips for ordinary operands: the same integers step by step, but without
 * branches, so that compilers vectorize it. Each step names the one of the model that it replaces.
 * Compiled once per level, as FMA_LANES_LEVEL; see CMakeLists.txt for the flags.
 */
#include "num/fma_lanes.h"
#include "num/fp32_fma_bh.h"
#include "num/fp32_fma_wh.h"

/* All ones if the condition holds, else 0. */
#define FMA_WHERE(condition) ((condition) ? 0xFFFFFFFFu : 0u)
#define FMA_CHOOSE(mask, yes, no) (((yes) & (mask)) | ((no) & ~(mask)))

/* fma_unpack: the mantissa of a number with this exponent. */
TX_INLINE uint32_t fma_lane_mantissa(uint32_t v, uint32_t exp)
{
    return ((v & 0x7FFFFFu) | FMA_ONE) & FMA_WHERE(exp != 0);
}

/* fma_product, from halves of 12 bits: nothing is wider than 32 bits. */
TX_INLINE uint32_t fma_lane_product(uint32_t a, uint32_t b)
{
    const uint32_t ah = a >> 12;
    const uint32_t al = a & 0xFFFu;
    const uint32_t bh = b >> 12;
    const uint32_t bl = b & 0xFFFu;
    const uint32_t low = al * bl;
    const uint32_t middle = ah * bl + al * bh + (low >> 12);
    const uint32_t lost = (middle & 0xFFu) | (low & 0xFFFu);
    return ((ah * bh << 4) + (middle >> 8)) | (FMA_WHERE(lost != 0) & 1u);
}

/*
 * fma_align. man has at most 28 bits, so that a shift by 31 loses all of it as any larger one does.
 */
TX_INLINE uint32_t fma_lane_align(uint32_t man, int32_t amount)
{
    const uint32_t by = (uint32_t)(amount < 31 ? amount : 31);
    const uint32_t shifted = man >> by;
    const uint32_t sticky = FMA_WHERE(shifted << by != man) & FMA_WHERE(shifted != 0) & 1u;
    return shifted | sticky;
}

/*
 * One step of the normalising shift to the left, towards a leading one at bit 26; "by" counts the
 * positions.
 */
#define FMA_LANE_STEP(r, by, amount)                                 \
    do {                                                             \
        const uint32_t low = FMA_WHERE((r) < 1u << (27 - (amount))); \
        (r) = FMA_CHOOSE(low, (r) << (amount), (r));                 \
        (by) += low & (amount);                                      \
    } while (0)

/* Computes one lane. *odd becomes all ones if the lane needs the model instead. */
TX_INLINE uint32_t fma_lane(bool blackhole, uint32_t x, uint32_t y, uint32_t z, uint32_t *odd)
{
    const uint32_t a_exp = x >> 23 & 255u;
    const uint32_t b_exp = y >> 23 & 255u;
    const uint32_t c_exp = z >> 23 & 255u;
    const uint32_t p_sign = (x ^ y) & SIGN32;
    const uint32_t z_sign = z & SIGN32;
    const int32_t p_exp = (int32_t)(a_exp + b_exp) - 127;
    const uint32_t product =
        fma_lane_product(fma_lane_mantissa(x, a_exp), fma_lane_mantissa(y, b_exp));
    const uint32_t addend = fma_lane_mantissa(z, c_exp) << 3;
    const uint32_t special = FMA_WHERE(a_exp == 255) | FMA_WHERE(b_exp == 255) |
                             FMA_WHERE(c_exp == 255) | FMA_WHERE(p_exp >= 255);

    const int32_t exp = p_exp > (int32_t)c_exp ? p_exp : (int32_t)c_exp;
    const uint32_t p = fma_lane_align(product, exp - p_exp);
    const uint32_t c = fma_lane_align(addend, exp - (int32_t)c_exp);
    const uint32_t least = p < c ? p : c;
    const uint32_t most = p < c ? c : p;
    const uint32_t r_sign = FMA_CHOOSE(FMA_WHERE(p >= c), p_sign, z_sign);
    const uint32_t sum = FMA_CHOOSE(FMA_WHERE(p_sign != z_sign), most - least, most + least);

    /* The normalising shift to the right: by one, or by two, where Wormhole loses a bit. */
    const uint32_t over = FMA_WHERE(sum >= 1u << 27);
    const uint32_t over_two = FMA_WHERE(sum >= 1u << 28);
    const uint32_t right = (over & 1u) + (over_two & 1u);
    const uint32_t seen = blackhole ? (over & 1u) | (over_two & 2u) : over & 1u;
    uint32_t r = sum >> right | (FMA_WHERE((sum & seen) != 0) & 1u);
    uint32_t left = 0;
    FMA_LANE_STEP(r, left, 16u);
    FMA_LANE_STEP(r, left, 8u);
    FMA_LANE_STEP(r, left, 4u);
    FMA_LANE_STEP(r, left, 2u);
    FMA_LANE_STEP(r, left, 1u);
    const int32_t r_exp = exp + (int32_t)right - (int32_t)left;

    /* fma_round */
    const uint32_t cut = ((uint32_t)r_exp << 23) + (r >> 3 & 0x7FFFFFu);
    const uint32_t up = FMA_WHERE((r & 7u) + (cut & 1u) > 4u) & 1u;
    const uint32_t value = r_sign | (cut + up);

    /* A product that vanishes, and a sum of zero. */
    const uint32_t zero = blackhole ? z_sign & p_sign : 0;
    const uint32_t vanished = FMA_WHERE(product == 0) | FMA_WHERE(p_exp < 0);
    const uint32_t alone = FMA_CHOOSE(FMA_WHERE(addend != 0), z, zero);
    const uint32_t nothing = FMA_WHERE(sum == 0);
    const uint32_t beyond = FMA_WHERE(r_exp < 1) | FMA_WHERE(r_exp > 254);
    *odd = special | (beyond & ~vanished & ~nothing);
    return FMA_CHOOSE(vanished, alone, FMA_CHOOSE(nothing, zero, value));
}

TX_INLINE void fma_lanes_flat(bool blackhole, struct fma_lanes *l)
{
    uint32_t odd[FMA_LANES];
    uint32_t any = 0;
    for (unsigned i = 0; i < FMA_LANES; i++) {
        l->out[i] = fma_lane(blackhole, l->x[i], l->y[i], l->z[i], &odd[i]);
        any |= odd[i];
    }
    for (unsigned i = 0; any != 0 && i < FMA_LANES; i++) {
        if (odd[i] != 0) {
            l->out[i] = blackhole ? fp32_fma_bh(l->x[i], l->y[i], l->z[i])
                                  : fp32_fma_wh(l->x[i], l->y[i], l->z[i]);
        }
    }
}

void FMA_LANES_LEVEL(bool blackhole, struct fma_lanes *lanes)
{
    if (blackhole) {
        fma_lanes_flat(true, lanes);
    } else {
        fma_lanes_flat(false, lanes);
    }
}
