/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Approximate sigmoid by SFPLUT, four words a row: four times a record that executes and seven
 * replays (tt-metal tests/corpus, sweep_2x2_ops.tsv 03d607d: 28 launches, 4 records, 48 words
 * pushed a tile, and three SETC16). The source is C++ for the vendor's compiler; that the SETC16
 * set an address modifier by which the store moves Dst on is inferred from those counts.
 */
#include "measure.hpp"

struct sigmoid_lut {
    static constexpr bool COPIES = true;

    static void prepare()
    {
        silicon::vector_prepare(false);
        TTI_SFPLOADI(0, sfpi::SFPLOADI_MOD0_USHORT, 0x3DFF);
        TTI_SFPLOADI(1, sfpi::SFPLOADI_MOD0_USHORT, 0x21D8);
        TTI_SFPLOADI(2, sfpi::SFPLOADI_MOD0_USHORT, 0xFF10);
    }

    static SILICON_INLINE void tile(uint32_t tile)
    {
        silicon::vector_begins(tile);
        silicon::addr_mod<6>(0, 0, 2);
        for (unsigned rows = 0; rows < 32; rows += 8) {
            TTI_REPLAY(0, 4, 1, 1);
            TTI_SFPLOAD(3, 0, 7, 0);
            TTI_SFPLUT(3, 4, 0);
            TTI_SFPADDI(0x3f00, 3, 0);
            TTI_SFPSTORE(3, 0, 6, 0);
#pragma GCC unroll 8
            for (unsigned row = 1; row < 8; row++) {
                TTI_REPLAY(0, 4, 0, 0);
            }
        }
        silicon::vector_ends();
    }
};

void kernel_main(void)
{
    silicon::measure<sigmoid_lut>();
}
