/* SPDX-License-Identifier: Apache-2.0 */
/* What V computes of elements (vector.def), with its fixed-point rounding, saturation and flags. */
#include "riscv/float.h"
#include "riscv/vector.h"

static uint64_t ones(unsigned n)
{
    return bits_mask(n);
}

static int64_t arithmetic_shift(int64_t v, uint64_t by)
{
    const uint64_t u = (uint64_t)v >> by;
    return v < 0 && by != 0 ? (int64_t)(u | ~(~UINT64_C(0) >> by)) : (int64_t)u;
}

static uint64_t saturated(struct vector *e, int64_t v, int64_t least, int64_t most)
{
    e->saturates |= v < least || v > most;
    return (uint64_t)(v < least ? least : v > most ? most : v);
}

/* Shifts right and rounds as the CSR vxrm says. */
static int64_t rounded_shift(const struct vector *e, int64_t v, uint64_t by)
{
    enum { NEAREST_UP, NEAREST_EVEN, DOWN, TO_ODD };
    if (by == 0) {
        return v;
    }
    const uint64_t lost = (uint64_t)v & ((UINT64_C(1) << by) - 1u);
    const uint64_t half = UINT64_C(1) << (by - 1);
    const int64_t low = arithmetic_shift(v, by);
    const bool odd = ((uint64_t)low & 1u) != 0;
    switch (e->c->s.csr[CSR_VXRM] & 3u) {
    case NEAREST_UP:
        return low + (lost >= half ? 1 : 0);
    case NEAREST_EVEN:
        return low + (lost > half || (lost == half && odd) ? 1 : 0);
    case DOWN:
        return low;
    default: /* TO_ODD */
        return low + (lost != 0 && !odd ? 1 : 0);
    }
}

/* ---- floating point, FP32 only ---- */

static uint64_t fp_add(struct vector *e, uint64_t a, uint64_t b)
{
    return float_add(FP_32, (uint32_t)a, (uint32_t)b, FP_RNE, &e->flags);
}

static uint64_t fp_mul(struct vector *e, uint64_t a, uint64_t b)
{
    return float_mul(FP_32, (uint32_t)a, (uint32_t)b, FP_RNE, &e->flags);
}

static uint64_t fp_fma(struct vector *e, uint64_t x, uint64_t y, uint64_t z)
{
    return float_fma(FP_32, (uint32_t)x, (uint32_t)y, (uint32_t)z, FP_RNE, &e->flags);
}

static uint64_t fp_least(struct vector *e, uint64_t a, uint64_t b, bool greatest)
{
    return float_least(FP_32, (uint32_t)a, (uint32_t)b, greatest, &e->flags);
}

static uint64_t fp_compare(struct vector *e, enum float_compare how, uint64_t a, uint64_t b)
{
    return float_compares(FP_32, how, (uint32_t)a, (uint32_t)b, &e->flags) ? 1 : 0;
}

static uint64_t fp_integer_of(struct vector *e, uint64_t a, bool is_signed, unsigned bits,
                              enum fp_rounding mode)
{
    return float_to_integer(FP_32, (uint32_t)a, is_signed, bits, mode, &e->flags);
}

static uint64_t fp_of_integer(struct vector *e, uint64_t a, bool is_signed)
{
    return float_of_integer(FP_32, (uint32_t)a, is_signed, FP_RNE, &e->flags);
}

/* ---- the table ---- */

static int64_t extended(uint64_t v, unsigned bits)
{
    return bits_sext((uint32_t)v, bits);
}

uint64_t vector_compute(struct vector *e, uint64_t a, uint64_t b, uint64_t d)
{
    const unsigned n = 8 * e->bytes;
    const uint8_t kind = e->row->kind;
    const bool wide_a = kind == NARROW || kind == WIDE_WIDE;
    const bool wide_d = kind == WIDE_TERNARY || kind == WIDE_REDUCE;
    const int64_t sa = extended(a, wide_a ? 2 * n : n);
    const int64_t sb = extended(b, n);
    const int64_t sd = extended(d, wide_d ? 2 * n : n);
    switch (e->id) {
#define ELEMENT(ID, expression) \
    case VECTOR_##ID:           \
        return (uint64_t)(expression);
#include "riscv/vector.def"
    default:
        return 0;
    }
}
