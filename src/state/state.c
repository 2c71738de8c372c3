/* SPDX-License-Identifier: Apache-2.0 */
#include "state/state.h"

#include <string.h>

/* LReg 8..14 at reset: three constants in silicon, four that SFPCONFIG restores (R4, H#42). */
static const uint32_t lreg_reset[7] = {
    0x3F56594Bu, 0x00000000u, 0x3F800000u, 0xBF800000u, 0x3B000000u, 0xBF2CC4C7u, 0xBEB08FF9u,
};

void state_reset(struct tx_state *s, enum tx_arch arch, bool flags_on)
{
    (void)arch;
    memset(s, 0, sizeof *s);
    for (unsigned lane = 0; lane < 32; lane++) {
        for (unsigned i = 0; i < 7; i++) {
            s->lreg[8 + i][lane] = lreg_reset[i];
        }
        s->lreg[15][lane] = 2 * lane;
    }
    if (flags_on) {
        s->lane_flags = 0xFFFFFFFFu;
        s->use_flags = 0xFFFFFFFFu;
    }
    memset(s->dst_valid, 0xFF, sizeof s->dst_valid);
    memset(s->dst_unknown, 0xFF, sizeof s->dst_unknown);
}
