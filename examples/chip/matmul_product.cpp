/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sum of products of the pages of circular buffers 0 and 1, into a page of 2. Argument: how
 * many products. One product is examples/llk_style/tile_matmul.cpp.
 */
#include "compute.hpp"

using namespace tile;

enum { PHASES = 4, STEPS = 8 };

void kernel_main(void)
{
    const uint32_t count = get_arg_val<uint32_t>(0);
#if TENSIX_UNPACK
    unpack_a_from(get_read_ptr(1)); // the right operand
    unpack_b_from(get_read_ptr(0));
    for (uint32_t k = 0; k < count; k++) {
        cb_wait_front(0, 1);
        cb_wait_front(1, 1);
        compute::unpack_from(1, 0);
        for (unsigned step = 0; step < STEPS; step++) {
            next_face(UNPACK_A, 2 * (step & 1) + (step >> 1 & 1)); // row k, column j of B
            next_face(UNPACK_B, 2 * (step >> 2) + (step & 1));     // row i, column k of A
            unpack_face<1, 0>();
            unpack_face<0, 0>();
        }
        cb_pop_front(0, 1);
        cb_pop_front(1, 1);
    }
#elif TENSIX_MATH
    math_formats();
    TTI_SETC16(ADDR_MOD_AB_SEC0_SrcBIncr_ADDR32, FIELD(ADDR_MOD_AB_SEC0_SrcBIncr, 8));
    TTI_SETC16(ADDR_MOD_AB_SEC1_SrcBClear_ADDR32, FIELD(ADDR_MOD_AB_SEC1_SrcBClear, 1));
    TTI_SETC16(ADDR_MOD_DST_SEC1_FidelityIncr_ADDR32, FIELD(ADDR_MOD_DST_SEC1_FidelityIncr, 1));
    TTI_SETC16(ADDR_MOD_AB_SEC2_SrcBClear_ADDR32, FIELD(ADDR_MOD_AB_SEC2_SrcBClear, 1));
    TTI_SETC16(ADDR_MOD_DST_SEC2_FidelityClear_ADDR32, FIELD(ADDR_MOD_DST_SEC2_FidelityClear, 1));
    ckernel_template face(1, PHASES, TT_OP_MVMUL(0, 0, 0, 0), TT_OP_MVMUL(0, 0, 1, 8));
    face.set_last_outer_loop_instr(TT_OP_MVMUL(3, 0, 2, 8));
    face.program();
    dst_free();
    clear_dst();
    for (uint32_t k = 0; k < count; k++) {
        for (unsigned step = 0; step < STEPS; step++) {
            face.run();
            for (unsigned half = 0; half < 2 && step % 2 != 0; half++) {
                TTI_SETRWC(p_setrwc::CLR_NONE, p_setrwc::CR_D, 8, 0, 0, p_setrwc::SET_D);
            }
        }
        // The next product goes to the same rows of Dst.
        TTI_SETRWC(p_setrwc::CLR_NONE, 0, 0, 0, 0, p_setrwc::SET_D);
    }
    dst_full();
#else
    pack_to(get_write_ptr(2));
    compute::pack_into(2);
#endif
}
