// SPDX-License-Identifier: Apache-2.0
// relu: max(x, 0). Faces, rows and dst_reg++ as a kernel of the vendor's library has them. The
// result is that of examples/kernels/relu.s, bit for bit.
//
//     tensix record relu.cpp --arch bh --tile kernel --reference relu -o relu.s
#include <tensix/ckernel_ops.h>

using namespace ckernel;
using namespace sfpi;

template <int ITERATIONS, bool CLAMPED = false>
inline void calculate_relu(std::uint32_t limit = 0)
{
    for (int d = 0; d < ITERATIONS; d++) {
        TTI_SFPLOAD(p_sfpu::LREG0, InstrModLoadStore::DEFAULT, ADDR_MOD_3, 0);
        TTI_SFPSWAP(0, p_sfpu::LCONST_0, p_sfpu::LREG0, SFPSWAP_MOD1_VEC_MAX_MIN);
        if constexpr (CLAMPED) {
            TT_SFPLOADI(p_sfpu::LREG1, SFPLOADI_MOD0_FLOATB, limit);
            TTI_SFPSWAP(0, p_sfpu::LREG1, p_sfpu::LREG0, SFPSWAP_MOD1_VEC_MIN_MAX);
        }
        TTI_SFPSTORE(p_sfpu::LREG0, InstrModLoadStore::DEFAULT, ADDR_MOD_3, 0);
        dst_reg++;
    }
}

// Four faces of 16 Dst rows; the counter returns to the start of the face and goes on by 16.
template <bool CLAMPED = false> void kernel(std::uint32_t limit = 0)
{
    for (int face = 0; face < 4; face++) {
        calculate_relu<8, CLAMPED>(limit);
        TTI_SETRWC(p_setrwc::CLR_NONE, p_setrwc::CR_D, 8, 0, 0, p_setrwc::SET_D);
        TTI_SETRWC(p_setrwc::CLR_NONE, p_setrwc::CR_D, 8, 0, 0, p_setrwc::SET_D);
    }
}
