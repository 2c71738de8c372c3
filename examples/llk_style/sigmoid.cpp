// SPDX-License-Identifier: Apache-2.0
// 1 / (1 + e^-x) in SFPI's style; method and constants are those of examples/kernels/sigmoid.s,
// whose results it gives bit for bit, as long as a * b + c is rounded once.
//
//     tensix record sigmoid.cpp --arch bh --init init --tile kernel -o sigmoid.s
#include "sfpi.h"

using namespace sfpi;

namespace
{

constexpr int NEAREST = 0;

// n = x / ln 2, rounded; L0 is x - n ln 2 afterwards, in two steps.
sfpi_inline vFloat reduce(vFloat x, vInt &n)
{
    vFloat scaled = x * vConstFloatPrgm0;
    n = float_to_int8(scaled, NEAREST);
    vFloat steps = int32_to_float(n, NEAREST);
    x = steps * -0.69140625f + x;
    return steps * vConstFloatPrgm1 + x;
}

// e^f for |f| up to ln(2) / 2.
sfpi_inline vFloat exponential(vFloat f)
{
    vFloat q = f * 0.0013897474262212657f + 0.008370421829783006f;
    q = q * f + 0.04166739605651839f;
    q = q * f + 0.16666506113108015f;
    q = q * f + vConstFloatPrgm2;
    q = q * f + 1.0f;
    return q * f + 1.0f;
}

// 1 / d for d of 1 and more: a polynomial on the mantissa, two Newton steps, the scale.
sfpi_inline vFloat reciprocal(vFloat d)
{
    vFloat t = setexp(d, 128);
    vFloat y = t * -0.040283203125f + 0.36328125f;
    y = y * t - 1.0625f;
    vFloat e = t * y + 1.0f;
    y = y * e + y;
    e = t * y + 1.0f;
    y = y * e + y;
    vInt scale = ~reinterpret<vInt>(d);
    return y * setman(reinterpret<vFloat>(scale), 0);
}

void calculate_sigmoid()
{
    vFloat x = -vFloat(dst_reg[0]);
    x = max(x, -88.0f);
    vInt n;
    vFloat f = reduce(x, n);
    // 2^n: the sum has n in its lowest bits.
    vFloat power = int32_to_float(n, NEAREST) + 12582912.0f;
    power =
        reinterpret<vFloat>(reinterpret<vInt>(shft(reinterpret<vUInt>(power), 23)) + 0x3f800000);
    dst_reg[0] = reciprocal(exponential(f) * power + 1.0f);
}

} // namespace

void init()
{
    vConstFloatPrgm0 = 1.4426950408889634f;     // 1 / ln 2
    vConstFloatPrgm1 = -1.7409305599453094e-3f; // 0.69140625 - ln 2
    vConstFloatPrgm2 = 0.49999995525727126f;
}

void kernel()
{
    for (int row = 0; row < 32; row++) {
        calculate_sigmoid();
        dst_reg++;
    }
}
