/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides which instructions can be rewritten. Expand does not know any by name: it puts registers
 * into the fields of the word and follows values by the sets of the row. It refuses an instruction
 * whose row says anything else.
 */
#include <tensix/facts.h>

#include "expand/expand.h"

static const uint64_t readable = TX_SET_LREGS | TX_SET(VA) | TX_SET(VAX) | TX_SET(VB) | TX_SET(VC) |
                                 TX_SET(VD) | TX_SET(L7X) | TX_SET(L0CFG) | TX_SET(DST) |
                                 TX_SET(RWC) | TX_SET(CFG) | TX_SET(FLAGS) | TX_SET(STACK);
static const uint64_t writable = TX_SET_LREGS | TX_SET(VB) | TX_SET(VC) | TX_SET(VD) | TX_SET(VDX) |
                                 TX_SET(IDX) | TX_SET(DST) | TX_SET(RWC) | TX_SET(CFG) |
                                 TX_SET(MACRO) | TX_SET(LF) | TX_SET(LF8) | TX_SET(USE) |
                                 TX_SET(STACK) | TX_SET(PRNG) | TX_SET(LATCH);

/*
 * Returns whether on each of the row's chips, for any immediate, another instruction does the same.
 */
static bool has_other(const struct tx_row *row)
{
    struct tx_same same;
    bool all = true;
    for (enum tx_arch arch = TX_ARCH_FIRST; arch <= TX_ARCH_LAST; arch++) {
        all = all && ((row->archs >> arch & 1U) == 0 || tx_row_same(arch, row, 1, &same));
    }
    return all;
}

const char *expand_unknown(const struct tx_row *row, uint64_t reads, uint64_t writes,
                           enum tx_implied implied)
{
    const uint64_t sets = reads | writes;
    const bool other = implied == TX_IMPLIED_VB_IMM && has_other(row);
    if ((reads & ~readable) != 0) {
        return "it reads what no rule here follows";
    }
    if ((writes & ~writable) != 0) {
        return "it writes what no rule here follows";
    }
    if ((writes & (TX_SET(VB) | TX_SET(VC))) != 0 && implied != TX_IMPLIED_VB_VD) {
        return "it writes an operand that is not its destination";
    }
    if ((sets & (TX_SET(VA) | TX_SET(VAX))) != 0 && !tx_row_has_field(row, TX_FLD_VA)) {
        return "its word has no field for VA";
    }
    if ((sets & TX_SET(VB)) != 0 && implied != TX_IMPLIED_VB_VD && !other &&
        !tx_row_has_field(row, TX_FLD_VB)) {
        return "its word has no field for VB";
    }
    if ((sets & TX_SET(VC)) != 0 && implied != TX_IMPLIED_VC_VD &&
        !tx_row_has_field(row, TX_FLD_VC)) {
        return "its word has no field for VC";
    }
    if ((sets & (TX_SET(VD) | TX_SET(VDX))) != 0 && !tx_row_has_field(row, TX_FLD_VD)) {
        return "its word has no field for VD";
    }
    return NULL;
}
