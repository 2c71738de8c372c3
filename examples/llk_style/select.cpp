// SPDX-License-Identifier: Apache-2.0
// where(c, a, b): a where c is not zero, else b, by lane flags that the vendor's start code has
// enabled, through the ternary entry point. The result goes into a tile of its own.
//
//     tensix record select.cpp --arch bh --init init --tile tile --inputs 3 --output 3 -o select.s
#include "llk_math_eltwise_ternary_sfpu_params.h"

using namespace ckernel;

template <int ITERATIONS>
inline void calculate_select(std::uint32_t condition, std::uint32_t a, std::uint32_t b,
                             std::uint32_t out)
{
    constexpr std::uint32_t TILE = 64; // Dst rows
    for (int d = 0; d < ITERATIONS; d++) {
        TT_SFPLOAD(p_sfpu::LREG0, InstrModLoadStore::INT32, ADDR_MOD_3, condition * TILE);
        TT_SFPLOAD(p_sfpu::LREG1, InstrModLoadStore::INT32, ADDR_MOD_3, b * TILE);
        TTI_SFPSETCC(0, p_sfpu::LREG0, 0, sfpi::SFPSETCC_MOD1_LREG_NE0);
        TT_SFPLOAD(p_sfpu::LREG1, InstrModLoadStore::INT32, ADDR_MOD_3, a * TILE);
        TTI_SFPENCC(0, 0, 0, sfpi::SFPENCC_MOD1_EU_R1);
        TT_SFPSTORE(p_sfpu::LREG1, InstrModLoadStore::INT32, ADDR_MOD_3, out * TILE);
        sfpi::dst_reg++;
    }
}

void init()
{
    _llk_math_eltwise_ternary_sfpu_init_<SfpuType::unused>();
}

void tile()
{
    _llk_math_eltwise_ternary_sfpu_params_<false>(calculate_select<8>, 0, 1, 2, 3);
}
