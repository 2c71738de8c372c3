/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Determines which LRegs an instruction reads or writes, from the sets of its row (isa.h). For C
 * and, in constant expressions, C++.
 */
#ifndef TENSIX_LREGS_H
#define TENSIX_LREGS_H

#include <stdbool.h>
#include <stdint.h>

#include <tensix/isa_modes.h>
#include <tensix/isa_names.h>

/* Makes a function usable in C++ constant expressions. */
#if defined(__cplusplus) && __cplusplus >= 201402L
#define TX_CONSTANT constexpr
#else
#define TX_CONSTANT static inline
#endif

/*
 * The register numbers and the modifier of an instruction, as far as its row's sets refer to them.
 */
struct tx_named {
    uint8_t va, vb, vc, vd; /* VB and VC include the implied ones */
    uint8_t mode;
    uint8_t mirror; /* SFPLUTFP32: the interlock's copy of the modifier */
};

/* Bits of the modifier that are the same for MAD, MUL24 and the table look-ups. */
enum { TX_INDIRECT_VA = TX_MOD_SFPMAD_INDIRECT_VA, TX_INDIRECT_VD = TX_MOD_SFPMAD_INDIRECT_VD };
/*
 * Tell whether VA, or the destination, is the register that L7 selects; the sets mark this as VAX
 * and VDX.
 */
TX_CONSTANT bool tx_indirect_va(uint64_t reads, unsigned mode)
{
    return (reads & TX_SET(VAX)) != 0 && (mode & TX_INDIRECT_VA) != 0;
}

TX_CONSTANT bool tx_indirect_vd(uint64_t writes, unsigned mode)
{
    return (writes & TX_SET(VDX)) != 0 && (mode & TX_INDIRECT_VD) != 0;
}

/*
 * Returns the LRegs, as a bit per register, that a set of a row stands for in one instruction.
 * indirect: the registers that L7 selects in any lane; index: ENABLE_DEST_INDEX is set in some
 * column.
 */
TX_CONSTANT uint32_t tx_set_lregs(uint64_t set, struct tx_named o, uint32_t indirect, bool index)
{
    uint32_t out = (uint32_t)(set & TX_SET_LREGS);
    if ((set & TX_SET(VA)) != 0 || ((set & TX_SET(VAX)) != 0 && !tx_indirect_va(set, o.mode))) {
        out |= 1u << o.va;
    }
    if (tx_indirect_va(set, o.mode)) {
        out |= 1u << 7 | indirect;
    }
    if ((set & TX_SET(VB)) != 0) {
        out |= 1u << o.vb;
    }
    if ((set & TX_SET(VC)) != 0) {
        out |= 1u << o.vc;
    }
    if ((set & TX_SET(VD)) != 0 || ((set & TX_SET(VDX)) != 0 && !tx_indirect_vd(set, o.mode))) {
        out |= 1u << o.vd;
    }
    if (tx_indirect_vd(set, o.mode)) {
        out |= indirect;
    }
    if ((set & TX_SET(L7X)) != 0 && (o.mode & TX_INDIRECT_VD) != 0) {
        out |= 1u << 7;
    }
    if ((set & TX_SET(L0CFG)) != 0 && o.vd != 9 && o.vd != 10 &&
        (o.vd < TX_MOD_SFPCONFIG_MACRO_SEQ0 || (o.mode & TX_MOD_SFPCONFIG_IMM16_IS_VALUE) == 0)) {
        out |= 1u; /* a template is always read from L0 */
    }
    if ((set & TX_SET(LUT32)) != 0) {
        out |= (o.mirror & TX_MOD_SFPLUTFP32_INDIRECT_VD) != 0 ? 0xFFu : 0x7Fu;
    }
    if ((set & TX_SET(IDX)) != 0 && index) {
        out |= 0xF0u; /* L4..L7: two bits of VC and VD select one of them */
    }
    return out;
}

#endif
