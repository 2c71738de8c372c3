/* SPDX-License-Identifier: Apache-2.0 */
/*
 * INT32 (sign and magnitude) addition, every word pushed by the core: tt-llk 36b092e,
 * ckernel_sfpu_add_int.h. Data are in Dst already.
 */
#include "measure.hpp"

struct add_int {
    static constexpr bool COPIES = false;

    static void prepare()
    {
        silicon::vector_prepare(false);
    }

    /* Two's complement from sign and magnitude, and back. */
    static SILICON_INLINE void convert(uint32_t from, uint32_t by)
    {
        TTI_SFPCAST(from, by, InstrModCast::INT_SIGN_MAGN_TO_INT32_2S_COMP);
        TTI_SFPSETSGN(0, by, from, 0);
    }

    static SILICON_INLINE void face(uint32_t a, uint32_t b, uint32_t out)
    {
#pragma GCC unroll 8
        for (int row = 0; row < 8; row++) {
            TT_SFPLOAD(0, InstrModLoadStore::INT32, 7, a * 64);
            convert(0, 2);
            TT_SFPLOAD(1, InstrModLoadStore::INT32, 7, b * 64);
            convert(1, 2);
            TTI_SFPIADD(0, 1, 0, 4);
            convert(0, 1);
            TT_SFPSTORE(0, InstrModLoadStore::INT32, 7, out * 64);
            TTI_INCRWC(0, 2, 0, 0);
        }
    }

    static SILICON_INLINE void tile(uint32_t tile)
    {
        const uint32_t pair = tile < silicon::DST_TILES - 2 ? tile : silicon::DST_TILES - 2;
        silicon::vector_begins(0);
#pragma GCC unroll 0
        for (int i = 0; i < 4; i++) {
            face(pair, pair + 1, pair);
            silicon::next_face();
        }
        silicon::vector_ends();
    }
};

void kernel_main(void)
{
    silicon::measure<add_int>();
}
