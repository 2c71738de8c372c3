/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A whole kernel: C = A B, BF16 tiles of 32x32, with all four phases of fidelity. The Matrix Unit's
 * words are one MOP for each face of C and two faces of operands. The result is that of
 * examples/tiles/matmul.s.
 *
 *     tensix cc --arch bh tile_matmul.cpp -o out
 *     tensix tile run --arch bh --elf t0=out/unpack.elf --elf t1=out/math.elf \
 *         --elf t2=out/pack.elf \
 *         --poke 0x20000=0x21000 --poke 0x20004=0x24000 --poke 0x20008=0x28000 \
 *         --l1 0x21000=a.npy:bf16 --l1 0x24000=b.npy:bf16 --l1-out 0x28000:bf16:32x32=c.npy
 */
#include "tile.hpp"

using namespace tile;

enum { PHASES = 4, STEPS = 8 };

void kernel_main(void)
{
#if TENSIX_UNPACK
    unpack_a_from(tx_argument(1)); // the right operand
    unpack_b_from(tx_argument(0));
    unpack_begin();
    for (unsigned step = 0; step < STEPS; step++) {
        next_face(UNPACK_A, 2 * (step & 1) + (step >> 1 & 1)); // row k, column j of B
        next_face(UNPACK_B, 2 * (step >> 2) + (step & 1));     // row i, column k of A
        unpack_face<1, 0>();
        unpack_face<0, 0>();
    }
#elif TENSIX_MATH
    math_formats();
    // Modifier 0: the lower eight rows of SrcB; 1: the upper ones again, in the next phase; 2: the
    // upper ones again, in the first phase.
    TTI_SETC16(ADDR_MOD_AB_SEC0_SrcBIncr_ADDR32, FIELD(ADDR_MOD_AB_SEC0_SrcBIncr, 8));
    TTI_SETC16(ADDR_MOD_AB_SEC1_SrcBClear_ADDR32, FIELD(ADDR_MOD_AB_SEC1_SrcBClear, 1));
    TTI_SETC16(ADDR_MOD_DST_SEC1_FidelityIncr_ADDR32, FIELD(ADDR_MOD_DST_SEC1_FidelityIncr, 1));
    TTI_SETC16(ADDR_MOD_AB_SEC2_SrcBClear_ADDR32, FIELD(ADDR_MOD_AB_SEC2_SrcBClear, 1));
    TTI_SETC16(ADDR_MOD_DST_SEC2_FidelityClear_ADDR32, FIELD(ADDR_MOD_DST_SEC2_FidelityClear, 1));
    // Both halves of a face, in each phase; the last word gives the banks back to the unpackers.
    ckernel_template face(1, PHASES, TT_OP_MVMUL(0, 0, 0, 0), TT_OP_MVMUL(0, 0, 1, 8));
    face.set_last_outer_loop_instr(TT_OP_MVMUL(3, 0, 2, 8));
    face.program();
    dst_free();
    clear_dst();
    for (unsigned step = 0; step < STEPS; step++) {
        face.run();
        for (unsigned half = 0; half < 2 && step % 2 != 0; half++) {
            // the next face
            TTI_SETRWC(p_setrwc::CLR_NONE, p_setrwc::CR_D, 8, 0, 0, p_setrwc::SET_D);
        }
    }
    dst_full();
#else
    pack_to(tx_argument(2));
    pack_begin();
    pack_tile();
    pack_end();
#endif
}
