/* SPDX-License-Identifier: Apache-2.0 */
/*
 * INT32 product, eight words a row of which four launch a macro: tt-metal,
 * ckernel_sfpu_mul_int32.h (Blackhole). Data are in Dst already.
 */
#include "measure.hpp"

struct mul_int32 {
    static constexpr bool COPIES = false;

    static void prepare()
    {
        constexpr uint32_t SIMPLE = 4u << 3 | 7u, MAD = 0x80u | 1u << 3 | 5u, ROUND = 0x80u | 4u;
        silicon::vector_prepare(true);
        TTI_SFPSHFT2(-23 & 0xfff, 0, 12, 6);
        TTI_SFPMUL24(0, 0, 9, 13, sfpi::SFPMUL24_MOD1_LOWER);
        TTI_SFPSHFT(23, 2, 14, 1 | 4);
        TTI_SFPIADD(0, 4, 15, 4);
        silicon::vector_config<4, ROUND << 16 | MAD << 8>();
        silicon::vector_config<5, ROUND << 16 | MAD << 8 | 0x80u | SIMPLE>();
        TTI_SFPCONFIG(MAD << 8 | 0x80 | 0x40 | SIMPLE, 6, 1);
        silicon::vector_config<7, (0x40u | 2u << 3 | 3u) << 24 | 0x80u | 6u>();
        TTI_SFPCONFIG(0xff0, 8, 1);
    }

    static SILICON_INLINE void face(uint32_t a, uint32_t b, uint32_t out)
    {
#pragma GCC unroll 8
        for (int row = 0; row < 8; row++) {
            TT_SFPLOAD(0, InstrModLoadStore::INT32, 7, b * 64);
            TT_SFPLOADMACRO(0 << 2 | 1, InstrModLoadStore::INT32, 7, a * 64);
            TT_SFPLOADMACRO(1 << 2 | 2, InstrModLoadStore::INT32, 7, b * 64);
            TT_SFPLOAD(0, InstrModLoadStore::INT32, 7, a * 64);
            TT_SFPLOADMACRO(2 << 2 | 3, InstrModLoadStore::INT32, 7, b * 64);
            TTI_SFPMUL24(0, 3, 9, 4, sfpi::SFPMUL24_MOD1_UPPER);
            TTI_SFPIADD(0, 1, 2, 4);
            TT_SFPLOADMACRO(3 << 2 | 0, InstrModLoadStore::INT32, 6, out * 64 + 1);
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
    silicon::measure<mul_int32>();
}
