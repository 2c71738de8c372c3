/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sign bit of a BF16 tile, a word a row that launches a macro and three SFPNOP at the end:
 * tt-metal, ckernel_sfpu_signbit.h of Blackhole. The register of a launch, 0 and 1 in turn, is
 * no constant for the vendor's compiler (sfpi 7.87.0): it takes eight of the 32 rows at a time and
 * makes five instructions of a launch, lui and add for the row's number, a mask, an add to the
 * word, and the store that pushes it; 40 instructions in all with the end of the loop.
 */
#include "measure.hpp"

struct signbit {
    static constexpr bool COPIES = true;
    enum : uint32_t { TURN = 1u << 20, ROWS = 32, AT_ONCE = 8 };

    static void prepare()
    {
        silicon::vector_prepare(true);
        TTI_SFPSHFT2(-31 & 0xfff, 0, 12, 6);
        TTI_SFPCAST(0, 13, 0);
        silicon::vector_config<4, ((0x40u | 2u << 3 | 3u) << 8 | 0x80u | 4u) << 16 |
                                      (0x40u | 1u << 3 | 5u)>();
        TTI_SFPCONFIG(0x110, 8, 1);
    }

    template <unsigned i>
    static SILICON_INLINE void launch(uint32_t row, uint32_t turn, uint32_t word)
    {
        if constexpr (i < AT_ONCE) {
            uint32_t later = 0;
            if constexpr (i > 0) {
                __asm__ volatile("lui %0, %1" : "=r"(later) : "i"(i * TURN >> 12));
            }
            *TX_INSTRUCTION_BUFFER = ((row + later) & turn) + word;
            launch<i + 1>(row, turn, word);
        }
    }

    static SILICON_INLINE void tile(uint32_t tile)
    {
        uint32_t turn = TURN, word = TT_OP_SFPLOADMACRO(0, 0, 6, 0), row = 0;
        __asm__ volatile("" : "+r"(turn), "+r"(word), "+r"(row));
        silicon::vector_begins(tile);
#pragma GCC unroll 0
        while (row != ROWS * TURN) {
            launch<0>(row, turn, word);
            row += AT_ONCE * TURN;
        }
        TTI_SFPNOP;
        TTI_SFPNOP;
        TTI_SFPNOP;
        silicon::vector_ends();
    }
};

void kernel_main(void)
{
    silicon::measure<signbit>();
}
