/* SPDX-License-Identifier: Apache-2.0 */
/*
 * max of two BF16 tiles, three words a row of which two launch a macro: tt-metal,
 * ckernel_sfpu_binary_max_min.h (SFPLOADMACRO form), with Blackhole's address modifiers 7 and 6.
 */
#include "measure.hpp"

struct min_max {
    static constexpr bool COPIES = true;

    static void prepare()
    {
        silicon::vector_prepare(true);
        TTI_SFPSWAP(0, 2, 12, 9);
        TTI_SFPSHFT2(0, 0, 13, 6);
        silicon::vector_config<4, (0x80u | 0x40u | 3u << 3 | 5u) << 16 | (0x80u | 1u << 3 | 4u)>();
        silicon::vector_config<5, (0x40u | 2u << 3 | 3u) << 24>();
        TTI_SFPCONFIG(0x330, 8, 1);
    }

    static SILICON_INLINE void face(uint32_t a, uint32_t b, uint32_t out)
    {
#pragma GCC unroll 8
        for (unsigned row = 0; row < 8; row++) {
            TT_SFPLOADMACRO(0 << 2 | (row & 1), 0, 7, a * 64);
            TT_SFPLOAD(2, 0, 7, b * 64);
            TT_SFPLOADMACRO(1 << 2 | 3, 0, 6, out * 64);
        }
        TTI_SFPNOP;
        TTI_SFPNOP;
        TTI_SFPNOP;
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
    silicon::measure<min_max>();
}
