/* SPDX-License-Identifier: Apache-2.0 */
/*
 * a + (value * b) * c of BF16 tiles, rows in pairs of 14 words by replay (tt-metal,
 * ckernel_sfpu_addcmul.h, paired form). The source is C++ for the vendor's compiler: the order of
 * the words is that of the source, that the core moves Dst on between launches is inferred.
 */
#include "measure.hpp"

struct addcmul {
    static constexpr bool COPIES = true;

    static void prepare()
    {
        silicon::vector_prepare(false);
    }

    static SILICON_INLINE void pair(uint32_t a, uint32_t b, uint32_t c, uint32_t out)
    {
        TT_SFPLOAD(0, 0, 7, a * 64);
        TT_SFPLOAD(1, 0, 7, b * 64);
        TT_SFPLOAD(2, 0, 7, c * 64);
        TT_SFPLOAD(4, 0, 7, a * 64 + 2);
        TT_SFPLOAD(5, 0, 7, b * 64 + 2);
        TT_SFPLOAD(6, 0, 7, c * 64 + 2);
        TTI_SFPMUL(1, 3, 9, 1, 0);
        TTI_SFPMUL(5, 3, 9, 5, 0);
        TTI_SFPMAD(1, 2, 0, 0, 0);
        TTI_SFPMAD(5, 6, 4, 4, 0);
        TTI_SFP_STOCH_RND(0, 0, 0, 0, 0, sfpi::SFPSTOCHRND_MOD1_FP32_TO_FP16B);
        TTI_SFP_STOCH_RND(0, 0, 4, 4, 4, sfpi::SFPSTOCHRND_MOD1_FP32_TO_FP16B);
        TT_SFPSTORE(0, 0, 7, out * 64);
        TT_SFPSTORE(4, 0, 7, out * 64 + 2);
    }

    static SILICON_INLINE void tile(uint32_t tile)
    {
        const uint32_t a = tile < silicon::DST_TILES - 3 ? tile : silicon::DST_TILES - 3;
        silicon::vector_begins(0);
#pragma GCC unroll 0
        for (int face = 0; face < 4; face++) {
            TTI_SFPLOADI(3, sfpi::SFPLOADI_MOD0_LOWER, 0);
            TTI_SFPLOADI(3, sfpi::SFPLOADI_MOD0_UPPER, 0x4000);
            TTI_REPLAY(0, 14, 1, 1);
            pair(a, a + 1, a + 2, a);
            TTI_INCRWC(0, 4, 0, 0);
#pragma GCC unroll 8
            for (int i = 1; i < 4; i++) {
                TTI_REPLAY(0, 14, 0, 0);
                TTI_INCRWC(0, 4, 0, 0);
            }
            silicon::next_face();
        }
        silicon::vector_ends();
    }
};

void kernel_main(void)
{
    silicon::measure<addcmul>();
}
