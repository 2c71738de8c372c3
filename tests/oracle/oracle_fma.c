/* SPDX-License-Identifier: Apache-2.0 */
/* The partially fused multiply-adders of both chips, in exact integers. */
#include "oracle_exact.h"
#include "oracle_num.h"

/*
 * The adder's grid: value / 2^below, cut to an integer; what is cut off makes the integer odd,
 * unless nothing at all of it remains (a fully shifted out operand leaves no trace).
 */
static swide to_grid(wide value, int below)
{
    wide unit = pow2(below > 100 ? 100 : below);
    wide quot = value / unit;

    if (quot != 0 && value % unit != 0 && quot % 2 == 0) {
        quot += 1;
    }
    return (swide)quot;
}

uint32_t orc_fma(int bh, uint32_t xw, uint32_t yw, uint32_t zw)
{
    struct num x = split(xw), y = split(yw), z = split(zw);
    bool pneg = x.neg != y.neg;
    wide p = (wide)x.m * y.m; /* 46 fraction bits */
    int pe = x.e + y.e - 127;
    int re, len, n, e;
    uint32_t nan = 0;
    swide sum;
    uint64_t r, sig;
    bool neg;

    if (x.e == 255 || y.e == 255 || z.e == 255 || pe >= 255) {
        bool pinf = x.e == 255 || y.e == 255;
        bool pbad = is_nan(x) || is_nan(y) || (is_inf(x) && y.m == 0) || (is_inf(y) && x.m == 0);

        if (!bh && pe >= 255) {
            pinf = true;
        }
        if (is_inf(z) && pinf && z.neg != pneg) {
            pbad = true;
        }
        if (!pbad && !is_nan(z)) {
            return z.e == 255 ? zw : signed_bits(pneg, 0x7f800000u);
        }
        if (bh) {
            return 0x7fc00000u;
        }
        nan = signed_bits(pbad ? pneg : z.neg, 0x7f800001u);
        pe = pe > 255 ? 255 : pe;
    }
    if (p == 0 || pe < 0) {
        if (nan == 0) {
            return z.m != 0 ? zw : signed_bits(bh && z.neg && pneg, 0);
        }
        p = 0;
        pe = 0;
    }

    /* Both operands as integers counting 2^(re - 127 - 26). */
    re = pe > z.e ? pe : z.e;
    sum = to_grid(p, 20 + re - pe);
    sum = pneg ? -sum : sum;
    if (z.neg) {
        sum -= to_grid((wide)z.m * 8, re - z.e);
    } else {
        sum += to_grid((wide)z.m * 8, re - z.e);
    }
    if (sum == 0) {
        return bh ? signed_bits(z.neg && pneg, 0) : nan;
    }
    neg = sum < 0;
    r = (uint64_t)(neg ? -sum : sum);
    len = bit_length(r);
    n = len - 27;
    e = re + n;
    if (e >= 255) {
        return nan != 0 ? nan : signed_bits(neg, 0x7f800000u);
    }
    if (bh) {
        if (e <= 0) {
            /* One more halving, whatever e is: only a carry into 2^23 survives the flush. */
            sig = round_even(r, n + 4);
            return signed_bits(neg, sig >= 0x800000u ? 0x800000u : 0);
        }
        sig = round_even(r, n + 3);
        return signed_bits(neg, (uint32_t)(e - 1) * 0x800000u + (uint32_t)sig);
    }
    if (e < 0) {
        return nan;
    }
    if (n == 2 && r / 2 % 2 == 1) {
        r -= 2; /* the adder forgets this bit */
    }
    sig = (uint64_t)e * 0x800000u + round_even(r, n + 3) - 0x800000u;
    if (sig < 0x800000u) {
        return nan;
    }
    return nan != 0 ? (nan | (uint32_t)sig) : signed_bits(neg, (uint32_t)sig);
}
