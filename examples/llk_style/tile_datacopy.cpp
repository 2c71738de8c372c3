/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A whole kernel: a BF16 tile of 32x32 from L1 to L1, in three threads. Arguments at 0x20000: where
 * the tile is, where it goes, how many tiles there are, one behind the other. With one tile the
 * result is that of examples/tiles/datacopy.s.
 *
 *     tensix cc --arch bh tile_datacopy.cpp -o out
 *     tensix tile run --arch bh --elf t0=out/unpack.elf --elf t1=out/math.elf \
 *         --elf t2=out/pack.elf \
 *         --poke 0x20000=0x21000 --poke 0x20004=0x28000 --poke 0x20008=1 \
 *         --l1 0x21000=x.npy:bf16 --l1-out 0x28000:bf16:32x32=y.npy
 */
#include "tile.hpp"

using namespace tile;

void kernel_main(void)
{
    const uint32_t count = tx_argument(2);
#if TENSIX_UNPACK
    unpack_a_from(tx_argument(0));
    unpack_b_zeros();
    for (uint32_t n = 0; n < count; n++) {
        if (n != 0) {
            // The unpackers read their configuration while they work.
            TTI_STALLWAIT(p_stall::STALL_CFG, p_stall::UNPACK);
            CFG(THCON_SEC0_REG3_Base_address, (tx_argument(0) + 2048 * n) / 16 - 1);
        }
        unpack_begin();
        for (unsigned face = 0; face < FACES; face++) {
            unpack_face<0, 1>();
            zero_b();
        }
    }
#elif TENSIX_MATH
    math_formats();
    for (uint32_t n = 0; n < count; n++) {
        // Semaphore 1 has one place: Dst is the packers' until they have taken it down.
        dst_free();
        for (unsigned row = 0; row < FACES * FACE_ROWS; row += FACE_ROWS) {
            TT_MOVA2D(0, 0, 0, 2, row);
            TT_MOVA2D(0, 8, 0, 2, row + 8);
            TTI_SETRWC(p_setrwc::CLR_AB, 0, 0, 0, 0, 0);
        }
        dst_full();
    }
#else
    pack_to(tx_argument(1));
    for (uint32_t n = 0; n < count; n++) {
        if (n != 0) {
            TTI_STALLWAIT(p_stall::STALL_CFG, p_stall::PACK);
            CFG(THCON_SEC0_REG1_L1_Dest_addr, 0x80000000 | ((tx_argument(1) + 2048 * n) / 16 - 1));
        }
        pack_begin();
        pack_tile();
        pack_end();
    }
#endif
}
