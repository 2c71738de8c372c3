/* SPDX-License-Identifier: Apache-2.0 */
/* Adds pages of circular buffers 0 and 1 into pages of 2. Argument: the number of pages. */
#include "compute.hpp"

using namespace tile;

void kernel_main(void)
{
    const uint32_t count = get_arg_val<uint32_t>(0);
#if TENSIX_UNPACK
    unpack_a_from(get_read_ptr(0));
    unpack_b_from(get_read_ptr(1));
    for (uint32_t n = 0; n < count; n++) {
        cb_wait_front(0, 1);
        cb_wait_front(1, 1);
        compute::unpack_from(0, 1);
        for (unsigned face = 0; face < FACES; face++) {
            unpack_face<0, 1>();
            unpack_face<1, 1>();
        }
        cb_pop_front(0, 1);
        cb_pop_front(1, 1);
    }
#elif TENSIX_MATH
    math_formats();
    TTI_SETC16(ADDR_MOD_AB_SEC0_SrcAIncr_ADDR32,
               FIELD(ADDR_MOD_AB_SEC0_SrcAIncr, 8) | FIELD(ADDR_MOD_AB_SEC0_SrcBIncr, 8));
    TTI_SETC16(ADDR_MOD_AB_SEC1_SrcAClear_ADDR32,
               FIELD(ADDR_MOD_AB_SEC1_SrcAClear, 1) | FIELD(ADDR_MOD_AB_SEC1_SrcBClear, 1));
    for (uint32_t n = 0; n < count; n++) {
        dst_free();
        clear_dst();
        for (unsigned row = 0; row < FACES * FACE_ROWS; row += FACE_ROWS) {
            TT_ELWADD(0, 0, 0, 0, row);     // eight rows
            TT_ELWADD(3, 0, 0, 1, row + 8); // the others, and both banks back to the unpackers
        }
        dst_full();
    }
#else
    pack_to(get_write_ptr(2));
    for (uint32_t n = 0; n < count; n++) {
        compute::pack_into(2);
    }
#endif
}
