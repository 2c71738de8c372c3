// SPDX-License-Identifier: Apache-2.0
// Unsigned 16-bit integers in a 32-bit Dst to FP32: the load takes the lower half, which is an
// integer of no sign, SFPCAST makes the number of it.
//
//     tensix record widen.cpp --arch bh --init init --tile tile --dst uint16-dst32 -o widen.s
#include "llk_math_eltwise_unary_sfpu_params.h"

using namespace ckernel;

template <int ITERATIONS> inline void calculate_widen()
{
    for (int d = 0; d < ITERATIONS; d++) {
        TTI_SFPLOAD(p_sfpu::LREG0, InstrModLoadStore::LO16, ADDR_MOD_3, 0);
        TTI_SFPCAST(p_sfpu::LREG0, p_sfpu::LREG0, InstrModCast::INT32_TO_FP32_NEAREST_EVEN);
        TTI_SFPSTORE(p_sfpu::LREG0, InstrModLoadStore::FP32, ADDR_MOD_3, 0);
        sfpi::dst_reg++;
    }
}

void init()
{
    _llk_math_eltwise_unary_sfpu_init_<SfpuType::unused>();
}

void tile()
{
    _llk_math_eltwise_unary_sfpu_params_<false>(calculate_widen<8>, 0);
}
