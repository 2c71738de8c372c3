/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a launch of a replay costs beyond its words: eight words that the Vector Unit takes at one a
 * cycle, launched by the core, or by a MOP (-DBY_MOP=1).
 */
#include "measure.hpp"

void kernel_main(void)
{
#if TENSIX_MATH
    const uint32_t loops = tx_argument(0);
    silicon::entry = 0;
    TTI_SFPCONFIG(0, 0xF, 1);
    ckernel_template mop(8, 4, TT_OP_REPLAY(0, 8, 0, 0));
    mop.program();
    TTI_REPLAY(0, 8, 0, 1);
    TTI_SFPMOV(0, 0, 1, 0);
    TTI_SFPMOV(0, 1, 2, 0);
    TTI_SFPMOV(0, 2, 3, 0);
    TTI_SFPMOV(0, 3, 4, 0);
    TTI_SFPMOV(0, 4, 5, 0);
    TTI_SFPMOV(0, 5, 6, 0);
    TTI_SFPMOV(0, 6, 7, 0);
    TTI_SFPMOV(0, 7, 0, 0);
    tensix_sync();
    silicon::zone_begins(silicon::BODY);
    for (uint32_t loop = 0; loop < loops; loop++) {
#if BY_MOP
        ckernel_template::run();
#else
#pragma GCC unroll 32
        for (int launch = 0; launch < 32; launch++) {
            TTI_REPLAY(0, 8, 0, 0);
        }
#endif
    }
    tensix_sync();
    silicon::zone_ends(silicon::BODY);
#endif
}
