/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The largest of each column of two by four tiles, on the packer's thread: eight words recorded,
 * 64 times replayed (tt-llk 36b092e, ckernel_sfpu_reduce_custom.h). The zone holds the reduction
 * and the wait for its end.
 */
#include "measure.hpp"

enum { BF16_DATA = 2, TILES_HIGH = 4 };

static SILICON_INLINE void least()
{
    TTI_SFPLOADI(4, 0, 0xFF80);
    TTI_SFPLOADI(5, 0, 0xFF80);
    TTI_SFPLOADI(6, 0, 0xFF80);
    TTI_SFPLOADI(7, 0, 0xFF80);
}

static SILICON_INLINE void record()
{
    silicon::addr_mod<3>(0, 0, 0);
    silicon::addr_mod<2>(0, 0, 64);
    TTI_SFPCONFIG(0, 0xF, 1);
    TTI_REPLAY(0, 8, 0, 1);
    TTI_SFPLOAD(2, BF16_DATA, 3, 0);
    TTI_SFPSWAP(0, 4, 2, 1);
    TTI_SFPLOAD(3, BF16_DATA, 3, 2);
    TTI_SFPSWAP(0, 5, 3, 1);
    TTI_SFPLOAD(2, BF16_DATA, 3, 16);
    TTI_SFPSWAP(0, 6, 2, 1);
    TTI_SFPLOAD(3, BF16_DATA, 3, 18);
    TTI_SFPSWAP(0, 7, 3, 1);
}

static SILICON_INLINE void columns()
{
    for (unsigned tile = 0; tile < TILES_HIGH; tile++) {
#pragma GCC unroll 8
        for (int part = 0; part < 8; part++) {
            TTI_REPLAY(0, 8, 0, 0);
            if (part % 4 == 3) {
                TTI_INCRWC(0, 10, 0, 0);
                TTI_INCRWC(0, 10, 0, 0);
            } else {
                TTI_INCRWC(0, 4, 0, 0);
            }
        }
        TTI_SFPLOAD(8, BF16_DATA, 2, 0);
    }
}

static SILICON_INLINE void next_columns()
{
    TTI_SFPSTORE(0, BF16_DATA, 3, -128 & 0x1fff);
    TTI_SFPSTORE(1, BF16_DATA, 3, -126 & 0x1fff);
    TTI_SFPTRANSP(0, 0, 0, 0);
    TTI_SFPSWAP(0, 6, 7, 1);
    TTI_SFPSWAP(0, 5, 6, 1);
    TTI_SFPSWAP(0, 4, 5, 1);
    TTI_SFPLOAD(0, BF16_DATA, 3, -128 & 0x1fff);
    TTI_SFPLOAD(1, BF16_DATA, 3, -126 & 0x1fff);
}

void kernel_main(void)
{
#if TENSIX_PACK
    silicon::entry = 0;
    record();
    TTI_SFPLOADI(0, 0, 0xFF80);
    TTI_SFPLOADI(1, 0, 0xFF80);
    tensix_sync();
    silicon::zone_begins(silicon::BODY);
    TTI_STALLWAIT(p_stall::STALL_SFPU, p_stall::PACK);
    least();
    silicon::clear_counters(p_setrwc::SET_D);
    columns();
    next_columns();
    TTI_SFPSWAP(0, 0, 4, 1);
    least();
    silicon::clear_counters(p_setrwc::SET_D);
    TTI_SFPLOAD(8, BF16_DATA, 2, 0);
    columns();
    next_columns();
    TTI_SFPSWAP(0, 1, 4, 1);
    tensix_sync();
    silicon::zone_ends(silicon::BODY);
#endif
}
