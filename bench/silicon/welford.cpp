/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mean and squares of the 32 rows of a BF16 tile by Welford: eight blocks of four rows, for each
 * row 1 / n by two SFPLOADI, which the vendor's compiler pushes by stores, and a replay of six
 * words (tt-llk, ckernel_sfpu_welfords.h of Blackhole; sfpu_welford_prefix_snapshot.cpp of the
 * test). The zone has the work alone. In the test the tile comes later than here, because more is
 * set up before; that changes a cycle, since the core's pushes are what the zone waits for.
 */
#include "measure.hpp"

#include "../../examples/llk_style/tile.hpp"

enum : uint32_t { TILE_AT = 0x21000, ROWS = 32, BLOCK = 4, WORDS_A_ROW = 6 };

#if TENSIX_MATH
template <uint32_t x> static SILICON_INLINE void record_row()
{
    TTI_SFPMAD(11, 4, x, 6, 0);
    TTI_SFPMAD(6, 7, 4, 6, 0);
    TTI_SFPMAD(11, 4, x, 4, 0);
    TTI_SFPMAD(11, 6, x, x, 0);
    TTI_SFPMAD(4, x, 5, 5, 0);
    TTI_SFPMOV(0, 6, 4, 0);
}

static SILICON_INLINE void prepare()
{
    silicon::vector_prepare(false);
    TTI_REPLAY(0, BLOCK * WORDS_A_ROW, 0, 1);
    record_row<0>();
    record_row<1>();
    record_row<2>();
    record_row<3>();
    TTI_SFPLOADI(4, 0, 0);
    TTI_SFPLOADI(5, 0, 0);
}

static constexpr uint32_t bits_of(float value)
{
    return __builtin_bit_cast(uint32_t, value);
}

template <uint32_t row> static SILICON_INLINE void rows()
{
    if constexpr (row < ROWS) {
        constexpr uint32_t first = row / 16 * 32 + row % 16;
        constexpr uint32_t reciprocal = bits_of(1.0f / float(row + 1));
        if constexpr (row % BLOCK == 0) {
            TTI_SFPTRANSP(0, 0, 0, 0);
            TTI_SFPLOAD(0, 0, 7, first);
            TTI_SFPLOAD(1, 0, 7, first + 2);
            TTI_SFPLOAD(2, 0, 7, first + 16);
            TTI_SFPLOAD(3, 0, 7, first + 18);
            TTI_SFPTRANSP(0, 0, 0, 0);
        }
        *TX_INSTRUCTION_BUFFER = TT_OP_SFPLOADI(7, sfpi::SFPLOADI_MOD0_UPPER, reciprocal >> 16);
        *TX_INSTRUCTION_BUFFER = TT_OP_SFPLOADI(7, sfpi::SFPLOADI_MOD0_LOWER, reciprocal & 0xffff);
        TTI_REPLAY(row % BLOCK * WORDS_A_ROW, WORDS_A_ROW, 0, 0);
        rows<row + 1>();
    }
}
#endif

void kernel_main(void)
{
    silicon::entry = 0;
#if TENSIX_UNPACK
    tile::unpack_a_from(TILE_AT);
    tile::unpack_b_from(TILE_AT);
    tile::unpack_begin();
    for (unsigned face = 0; face < tile::FACES; face++) {
        tile::unpack_face<0, 1>();
        tile::zero_b();
    }
#elif TENSIX_MATH
    silicon::copy_prepare(tile::FACES);
    silicon::formats_prepare();
    tile::math_formats();
    silicon::dst_prepare();
    silicon::copy_tile(0);
    prepare();
    silicon::zone_begins(silicon::BODY);
    silicon::vector_begins(0);
    rows<0>();
    silicon::vector_ends();
    silicon::zone_ends(silicon::BODY);
#endif
}
