/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which piece of a lookup table (SFPLUT and the like) an instruction selects, for coverage tools.
 */
#include <tensix/isa.h>

#include "sem/sfplut.h"
#include "sem/sfplutfp32.h"

#include <string.h>

/*
 * Returns a coefficient as it is used: a denormal counts as zero where it is multiplied or added.
 */
static uint32_t coefficient(uint32_t bits)
{
    return (bits & 0x7F800000u) == 0 ? 0 : bits;
}

static unsigned pieces_before(uint32_t magnitude)
{
    unsigned count = 0;
#define CUT(from) count += magnitude >= (from) ? 1 : 0;
#include "isa/tables.def"
    return count;
}

bool tx_row_table(const struct tx_row *row, unsigned mode, const uint32_t lreg[7],
                  struct tx_piece *piece)
{
    uint32_t terms[3] = {0};
    /* The body returns its operands here instead of multiplying them. */
    struct sem_in in = {.terms = terms};
    const struct tx_op op = {.mode = (uint8_t)mode};
    memcpy(in.l, lreg, 7 * sizeof lreg[0]);
    switch (row != NULL ? row->insn : TX_INSN_NONE) {
#define TABLE(mnemonic, body, whole_, retain_)                \
    case TX_INSN_##mnemonic:                                  \
        (void)sem_##body(&op, &in);                           \
        piece->whole = ((whole_) >> (mode & 15u) & 1) != 0;   \
        piece->retain = ((retain_) >> (mode & 15u) & 1) != 0; \
        break;
#include "isa/tables.def"
    default:
        return false;
    }
    piece->a = coefficient(terms[0]);
    piece->c = coefficient(terms[2]);
    piece->piece = (uint8_t)pieces_before(terms[1]);
    return true;
}
