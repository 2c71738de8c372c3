/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exp of BF16, 16 words a row by replay: the words of tt-metal 00f6b49, ckernel_sfpu_exp.h
 * (_sfpu_exp_21f_bf16_tti_, BF16 Dst, no scale), 32 rows a call.
 */
#include "measure.hpp"

struct exp_bf16 {
    static constexpr bool COPIES = true;

    static void prepare()
    {
        silicon::vector_prepare(true);
        silicon::vector_config<12, 0x3FB8AA3B>(); /* 1 / ln 2 */
        silicon::vector_config<13, 0x27ACA418>(); /* c2 */
    }

    static SILICON_INLINE void tile(uint32_t tile)
    {
        silicon::vector_begins(tile);
        TTI_SFPLOADI(5, sfpi::SFPLOADI_MOD0_FLOATB, 0x42fe);
        TTI_SFPLOADI(6, sfpi::SFPLOADI_MOD0_UPPER, 0x33a8);
        TTI_SFPLOADI(6, sfpi::SFPLOADI_MOD0_LOWER, 0x5ada);
        TTI_SFPLOADI(7, sfpi::SFPLOADI_MOD0_FLOATA, 0x3c02);
        TTI_REPLAY(0, 16, 1, 1);
        TTI_SFPLOAD(0, 0, 7, 0);
        TTI_SFPMAD(0, 12, 5, 3, 0);
        TTI_SFPLOADI(1, sfpi::SFPLOADI_MOD0_FLOATB, 0x437f);
        TTI_SFPSWAP(0, 1, 3, sfpi::SFPSWAP_MOD1_VEC_MIN_MAX);
        TTI_SFPEXEXP(0, 3, 1, 0);
        TTI_SFPEXMAN(0, 3, 0, 0);
        TTI_SFPSHFT(0, 1, 0, 0);
        TTI_SFPEXMAN(0, 0, 1, 1);
        TTI_SFPCAST(1, 1, 0);
        TTI_SFPMAD(1, 13, 6, 2, 0);
        TTI_SFPGT(0, 9, 3, 8);
        TTI_SFPMAD(2, 1, 7, 1, 0);
        TTI_SFPAND(0, 3, 0, 1);
        TTI_SFPSETEXP(0, 1, 0, 2);
        TTI_SFP_STOCH_RND(0, 0, 0, 0, 0, sfpi::SFPSTOCHRND_MOD1_FP32_TO_FP16B);
        TTI_SFPSTORE(0, 0, 6, 0);
#pragma GCC unroll 8
        for (unsigned row = 1; row < 32; row++) {
            TTI_REPLAY(0, 16, 0, 0);
        }
        silicon::vector_ends();
    }
};

void kernel_main(void)
{
    silicon::measure<exp_bf16>();
}
