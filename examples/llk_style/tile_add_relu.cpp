/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A whole kernel: max(A + B, 0) of BF16 tiles of 32x32. The Matrix Unit adds; the Vector Unit's
 * part is relu.cpp, recorded on this machine and taken in as words:
 *
 *     tensix record relu.cpp --arch bh --tile kernel -o out/relu.s
 *     tensix asm --push out/relu.s -o out/relu.inc
 *     tensix cc --arch bh -I out tile_add_relu.cpp -o out
 *     tensix tile run --arch bh --elf t0=out/unpack.elf --elf t1=out/math.elf \
 *         --elf t2=out/pack.elf \
 *         --poke 0x20000=0x21000 --poke 0x20004=0x24000 --poke 0x20008=0x28000 \
 *         --l1 0x21000=a.npy:bf16 --l1 0x24000=b.npy:bf16 --l1-out 0x28000:bf16:32x32=c.npy
 */
#include "tile.hpp"

using namespace tile;

void kernel_main(void)
{
#if TENSIX_UNPACK
    unpack_a_from(tx_argument(0));
    unpack_b_from(tx_argument(1));
    unpack_begin();
    for (unsigned face = 0; face < FACES; face++) {
        unpack_face<0, 1>();
        unpack_face<1, 1>();
    }
#elif TENSIX_MATH
    math_formats();
    dst_free();
    TTI_SETC16(ADDR_MOD_AB_SEC0_SrcAIncr_ADDR32,
               FIELD(ADDR_MOD_AB_SEC0_SrcAIncr, 8) | FIELD(ADDR_MOD_AB_SEC0_SrcBIncr, 8));
    TTI_SETC16(ADDR_MOD_AB_SEC1_SrcAClear_ADDR32,
               FIELD(ADDR_MOD_AB_SEC1_SrcAClear, 1) | FIELD(ADDR_MOD_AB_SEC1_SrcBClear, 1));
    for (unsigned row = 0; row < FACES * FACE_ROWS; row += FACE_ROWS) {
        TT_ELWADD(0, 0, 0, 0, row);     // eight rows
        TT_ELWADD(3, 0, 0, 1, row + 8); // the others, and both banks back to the unpackers
    }
    TTI_STALLWAIT(p_stall::STALL_SFPU, p_stall::MATH);
#include "relu.inc"
    dst_full<p_stall::MATH | p_stall::WAIT_SFPU>();
#else
    pack_to(tx_argument(2));
    pack_begin();
    pack_tile();
    pack_end();
#endif
}
