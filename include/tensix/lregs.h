/* SPDX-License-Identifier: Apache-2.0 */
/* Which LRegs the sets of a row (isa.h) mean for one instruction; for C and, in constants, C++. */
#ifndef TENSIX_LREGS_H
#define TENSIX_LREGS_H

#include <stdbool.h>
#include <stdint.h>

#include <tensix/isa_modes.h>
#include <tensix/isa_names.h>

/* A function that C++ can use in constants. */
#if defined(__cplusplus) && __cplusplus >= 201402L
#define TX_CONSTANT constexpr
#else
#define TX_CONSTANT static inline
#endif

/* Register numbers and modifier of an instruction, as far as the sets of its row are about them. */
struct tx_named {
    uint8_t va, vb, vc, vd; /* VB and VC also where implied */
    uint8_t mode;
    uint8_t mirror; /* SFPLUTFP32: the interlock's copy of the modifier */
};

/* Bits of a modifier; MAD, MUL24 and the table look-ups have the same. */
enum { TX_INDIRECT_VA = TX_MOD_SFPMAD_INDIRECT_VA, TX_INDIRECT_VD = TX_MOD_SFPMAD_INDIRECT_VD };
/* Whether VA, or the destination, is the register that L7 names: in reads VAX, in writes VDX. */
TX_CONSTANT bool tx_indirect_va(uint64_t reads, unsigned mode)
{
    return (reads & TX_SET(VAX)) != 0 && (mode & TX_INDIRECT_VA) != 0;
}

TX_CONSTANT bool tx_indirect_vd(uint64_t writes, unsigned mode)
{
    return (writes & TX_SET(VDX)) != 0 && (mode & TX_INDIRECT_VD) != 0;
}

/*
 * LRegs that a set of a row means for an instruction, bit per register. indirect: those that L7
 * names in some lane; index: ENABLE_DEST_INDEX is set in some column.
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
        out |= 1u; /* templates always come from L0 */
    }
    if ((set & TX_SET(LUT32)) != 0) {
        out |= (o.mirror & TX_MOD_SFPLUTFP32_INDIRECT_VD) != 0 ? 0xFFu : 0x7Fu;
    }
    if ((set & TX_SET(IDX)) != 0 && index) {
        out |= 0xF0u; /* L4..L7, which of them is a matter of two bits of VC and VD */
    }
    return out;
}

#endif
