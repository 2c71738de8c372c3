/* SPDX-License-Identifier: Apache-2.0 */
/* The piece of a table that SFPLUT or SFPLUTFP32 takes, as the bodies find it. */
#include <tensix/isa.h>

#include "sem/sfplut.h"
#include "sem/sfplutfp32.h"

/* A denormal coefficient counts as zero where it is multiplied or added. */
static uint32_t coefficient(uint32_t bits)
{
    return (bits & 0x7F800000u) == 0 ? 0 : bits;
}

bool tx_row_table(const struct tx_row *row, unsigned mode, const uint32_t lreg[7],
                  struct tx_piece *piece)
{
    const enum tx_insn_id insn = row != NULL ? (enum tx_insn_id)row->insn : TX_INSN_NONE;
    if (insn != TX_INSN_SFPLUT && insn != TX_INSN_SFPLUTFP32) {
        return false;
    }
    const struct lut_terms t = insn == TX_INSN_SFPLUT
                                   ? lut_of(lreg[0], lreg[1], lreg[2], lreg[3])
                                   : lutfp32_of(mode, lreg[0], lreg[1], lreg[2], lreg[3], lreg[4],
                                                lreg[5], lreg[6], false);
    *piece = (struct tx_piece){.a = coefficient(t.a),
                               .c = coefficient(t.c),
                               .piece = (uint8_t)lut_index(t.x),
                               .whole = insn == TX_INSN_SFPLUTFP32 && (mode & 2u) == 0,
                               .retain = (mode & 4u) != 0};
    return true;
}
