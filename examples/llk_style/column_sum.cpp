// SPDX-License-Identifier: Apache-2.0
// The sum of each column of a tile, in its first row: four rows of eight columns are in a register;
// registers are summed, turned by SFPTRANSP and summed again. The sums are in the replay buffer.
// Rows 1 to 3 are overwritten.
//
//     tensix record column_sum.cpp --arch wh --init init --tile tile --dst fp32 -o column_sum.s
#include "llk_math_eltwise_unary_sfpu_params.h"

using namespace ckernel;

constexpr std::uint32_t LENGTH = 6;

// L0 = L0 + L1 + L2 + L3; an SFPADD has its result one cycle later.
inline void add_four()
{
    for (std::uint32_t l = 1; l < 4; l++) {
        TT_SFPADD(p_sfpu::LCONST_1, p_sfpu::LREG0 + l, p_sfpu::LREG0, p_sfpu::LREG0, 0);
        TTI_SFPNOP;
    }
}

// Rows 0, 4, 8 and 12 of a face, each the first of four, in L0..L3.
inline void load_face(std::uint32_t row)
{
    for (std::uint32_t l = 0; l < 4; l++) {
        TT_SFPLOAD(p_sfpu::LREG0 + l, InstrModLoadStore::FP32, ADDR_MOD_3, row + 4 * l);
    }
}

// L0 holds eight columns of four rows; their sum comes into its first row.
inline void add_rows()
{
    TTI_SFPMOV(0, p_sfpu::LCONST_0, p_sfpu::LREG1, 0);
    TTI_SFPMOV(0, p_sfpu::LCONST_0, p_sfpu::LREG2, 0);
    TTI_SFPMOV(0, p_sfpu::LCONST_0, p_sfpu::LREG3, 0);
    TTI_SFPTRANSP(0, 0, 0, 0);
    lltt::replay(0, LENGTH);
}

void init()
{
    _llk_math_eltwise_unary_sfpu_init_<SfpuType::reduce>();
    load_replay_buf(0, LENGTH, add_four);
}

// Faces 0 and 2 are above one another, 1 and 3 are; columns are even or odd (+ 2).
void calculate_column_sum()
{
    for (std::uint32_t column = 0; column < 4; column++) {
        const std::uint32_t upper = 16 * (column / 2) + 2 * (column % 2);
        load_face(upper + 32);
        lltt::replay(0, LENGTH);
        TTI_SFPMOV(0, p_sfpu::LREG0, p_sfpu::LREG4, 0);
        load_face(upper);
        lltt::replay(0, LENGTH);
        TTI_SFPADD(p_sfpu::LCONST_1, p_sfpu::LREG4, p_sfpu::LREG0, p_sfpu::LREG0, 0);
        add_rows();
        TT_SFPSTORE(p_sfpu::LREG0, InstrModLoadStore::FP32, ADDR_MOD_3, upper);
    }
}

void tile()
{
    _llk_math_eltwise_unary_sfpu_params_<false>(calculate_column_sum, 0,
                                                (int)VectorMode::RC_custom);
}
