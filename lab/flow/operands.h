/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "flow": what programs and their runs do to registers and Dst. It says which registers an
 * instruction touches (here), builds the graph of values of a run (graph.h), and arranges a program
 * as one linear stream (feed.h). It may use base and kernel.
 */
#ifndef LAB_FLOW_OPERANDS_H
#define LAB_FLOW_OPERANDS_H

#include <stdbool.h>

#include <tensix/isa.h>
#include <tensix/isa_modes.h>
#include <tensix/lregs.h>
#include <tensix/machine.h>

/*
 * Returns the LRegs that a register set of a row means for an instruction, bit n: Ln. indirect:
 * those that L7 names in any lane. The registers that ENABLE_DEST_INDEX adds are not included; only
 * a write shows them.
 */
static inline uint32_t flow_lregs(uint64_t set, const struct tx_operands *o, uint32_t indirect)
{
    const struct tx_named named = {o->va, o->vb, o->vc, o->vd, o->mode, o->mode};
    return tx_set_lregs(set, named, indirect, false);
}

/* Returns the LRegs of a set that register fields of the instruction name. */
static inline uint32_t flow_named(uint64_t set, const struct tx_operands *o)
{
    return flow_lregs(set & ~TX_SET_LREGS, o, 0);
}

/* L0..L7 that every instruction of a row touches, as SFPLUT reads L0..L3. Bit n: Ln. */
static inline uint32_t flow_fixed(uint64_t set)
{
    return (uint32_t)(set & 0xFF);
}

/*
 * Returns whether an instruction writes lane flags, their stack or whether they count. Of a row
 * that may, the modifier says whether it does (isa/modes.def; bodies in src/sem).
 */
static inline bool flow_writes_flags(const struct tx_row *row, const struct tx_operands *o)
{
    const unsigned mode = o->mode;
    switch (row->insn) {
    case TX_INSN_SFPIADD:
        return (mode & (TX_MOD_SFPIADD_CC_NONE | TX_MOD_SFPIADD_CC_GTE0)) != TX_MOD_SFPIADD_CC_NONE;
    case TX_INSN_SFPEXEXP:
        return (mode & TX_MOD_SFPEXEXP_SET_CC_SGN_COMP_EXP) != 0;
    case TX_INSN_SFPLZ:
        return (mode & TX_MOD_SFPLZ_CC_EQ0) != 0;
    case TX_INSN_SFPGT:
        return (mode & (TX_MOD_SFPGT_SET_CC | TX_MOD_SFPGT_MUTATE_STACK)) != 0;
    case TX_INSN_SFPLE:
        return (mode & (TX_MOD_SFPLE_SET_CC | TX_MOD_SFPLE_MUTATE_STACK)) != 0;
    default:
        return (row->writes & (TX_SET(LF) | TX_SET(LF8) | TX_SET(USE) | TX_SET(STACK))) != 0;
    }
}

/* Returns whether the modifier leaves the destination alone that the row may write. */
static inline bool flow_spares_vd(const struct tx_row *row, const struct tx_operands *o)
{
    return (row->insn == TX_INSN_SFPGT && (o->mode & TX_MOD_SFPGT_SET_VD) == 0) ||
           (row->insn == TX_INSN_SFPLE && (o->mode & TX_MOD_SFPLE_SET_VD) == 0);
}

/* Returns the registers that L7 names in any lane. */
static inline uint32_t flow_indirect(const uint32_t l7[TX_LANES])
{
    uint32_t lregs = 0;
    for (unsigned lane = 0; lane < TX_LANES; lane++) {
        lregs |= UINT32_C(1) << (l7[lane] & 15);
    }
    return lregs;
}

/* The register and lane from which an instruction moves a value unchanged. */
struct flow_move {
    uint8_t reg, lane; /* lane TX_LANES: from no register */
};

/*
 * For instructions that move values between lanes or among registers that they do not name
 * (SFPTRANSP, SFPSHFT2): sets *from to where this lane of the result comes from. Returns false for
 * instructions of which each lane of a result comes from the same lane of the operands.
 */
bool flow_moves(const struct tx_row *row, const struct tx_operands *operands, unsigned reg,
                unsigned lane, struct flow_move *from);

#endif
