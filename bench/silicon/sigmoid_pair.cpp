/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Approximate sigmoid by a table of six pieces, Wormhole, two data at a time in eight words:
 * tt-metal PR 55061, ckernel_sfpu_sigmoid_appx.h of wormhole_b0. Every datum has its own offset, so
 * that the 32 data of a tile are 129 words one behind the other, without a loop.
 */
#include "measure.hpp"

struct sigmoid_pair {
    static constexpr bool COPIES = true;
    enum { ROWS = 32, STEP = 2, TABLE = 7 /* six pieces with the sign of x */ };

    template <uint32_t reg, uint32_t value> static SILICON_INLINE void table()
    {
        TTI_SFPLOADI(reg, sfpi::SFPLOADI_MOD0_LOWER, value & 0xffff);
        TTI_SFPLOADI(reg, sfpi::SFPLOADI_MOD0_UPPER, value >> 16);
    }

    static void prepare()
    {
        silicon::vector_prepare(false);
        silicon::vector_config<12, 0x3F000000>(); /* 0.5 */
        table<0, 0x32F433D9>();
        table<4, 0x23C87C00>();
        table<1, 0x300A318A>();
        table<5, 0x30272BAA>();
        table<2, 0x7C002A35>();
        table<6, 0x37FF34CC>();
    }

    template <unsigned row> static SILICON_INLINE void pairs()
    {
        if constexpr (row < ROWS) {
            TTI_SFPLUTFP32(7, TABLE);
            TTI_SFPLOAD(3, 0, 3, STEP * (row + 1));
            TTI_SFPADDI(0x3F00, 7, 0);
            TTI_SFPLUTFP32(3, TABLE);
            TTI_SFPSTORE(7, 0, 3, STEP * row);
            TTI_SFPMAD(3, 10, 12, 7, 0);
            if constexpr (row + 2 < ROWS) {
                TTI_SFPLOAD(3, 0, 3, STEP * (row + 2));
            } else {
                TTI_SFPNOP;
            }
            TTI_SFPSTORE(7, 0, 3, STEP * (row + 1));
            pairs<row + 2>();
        }
    }

    static SILICON_INLINE void tile(uint32_t tile)
    {
        silicon::vector_begins(tile);
        TTI_SFPLOAD(3, 0, 3, 0);
        pairs<0>();
        silicon::vector_ends();
    }
};

void kernel_main(void)
{
    silicon::measure<sigmoid_pair>();
}
