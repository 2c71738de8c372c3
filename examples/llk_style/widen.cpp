// SPDX-License-Identifier: Apache-2.0
// Unsigned 16-bit integers in a 32-bit Dst to FP32. The configuration sets bit 11 of
// DBG_FEATURE_DISABLE for such data: the 16-bit load reads the upper halves of the 32-bit data, and
// SFPCAST makes a number of an integer without sign.
//
//     tensix record widen.cpp --arch bh --init init --tile tile --dst uint16-dst32 -o widen.s
#include "llk_math_common.h"
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
    constexpr auto uint16 = std::uint32_t(DataFormat::UInt16);
    _llk_math_hw_configure_<true>(uint16, uint16);
    _llk_math_eltwise_unary_sfpu_init_<SfpuType::unused>();
}

void tile()
{
    _llk_math_eltwise_unary_sfpu_params_<false>(calculate_widen<8>, 0);
}
