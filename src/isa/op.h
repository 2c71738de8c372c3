/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One instruction with its operands resolved: what bodies and the pipeline see. Decode makes it
 * from a word; the macro scheduler will make the same with its own registers put in.
 */
#ifndef TX_ISA_OP_H
#define TX_ISA_OP_H

#include "isa/row.h"

struct tx_op {
    uint32_t word; /* as fetched: backdoor capture and messages need it */
    uint32_t imm;  /* raw immediate field */
    uint16_t row;  /* enum isa_row_id */
    uint8_t unit;  /* enum tx_unit */
    uint8_t va, vb, vc, vd;
    uint8_t mode;   /* Mod0 or Mod1 */
    uint8_t rnd;    /* SFPSTOCHRND rounding mode */
    uint8_t amod;   /* address modifier of loads and stores */
    uint8_t mirror; /* SFPLUTFP32: the interlock's copy of Mod1 */
    uint8_t thread;
    uint8_t clean;     /* the modifier is legal and no bit is set that no field covers */
    uint8_t scheduled; /* launched by SFPLOADMACRO: backdoor counts as disabled, VD may be 16 */
    uint16_t address;  /* of a scheduled store: what the SFPLOADMACRO computed */
    uint64_t number;   /* instructions issued before it; of a scheduled one: before its launch */
};

/* Operands of a word that selects this row. */
void op_decode_row(enum isa_row_id id, uint32_t word, struct tx_op *op);

/*
 * LRegs that an op touches, bit per register. indirect: bit per register that L7 names in any lane;
 * index: ENABLE_DEST_INDEX is set in some column.
 */
static inline uint32_t op_set(const struct tx_op *op, uint64_t set, uint32_t indirect, bool index)
{
    uint32_t out = (uint32_t)(set & TX_SET_LREGS);
    if ((set & TX_SET(VA)) != 0 || ((set & TX_SET(VAX)) != 0 && (op->mode & 4u) == 0)) {
        out |= 1u << op->va;
    }
    if ((set & TX_SET(VAX)) != 0 && (op->mode & 4u) != 0) {
        out |= 1u << 7 | indirect;
    }
    if ((set & TX_SET(VB)) != 0) {
        out |= 1u << op->vb;
    }
    if ((set & TX_SET(VC)) != 0) {
        out |= 1u << op->vc;
    }
    if ((set & TX_SET(VD)) != 0 || ((set & TX_SET(VDX)) != 0 && (op->mode & 8u) == 0)) {
        out |= 1u << op->vd;
    }
    if ((set & TX_SET(VDX)) != 0 && (op->mode & 8u) != 0) {
        out |= indirect;
    }
    if ((set & TX_SET(L7X)) != 0 && (op->mode & 8u) != 0) {
        out |= 1u << 7;
    }
    if ((set & TX_SET(L0CFG)) != 0 && op->vd != 9 && op->vd != 10 &&
        (op->vd < 4 || (op->mode & 1u) == 0)) {
        out |= 1u; /* templates always come from L0 */
    }
    if ((set & TX_SET(LUT32)) != 0) {
        out |= (op->mirror & 8u) != 0 ? 0xFFu : 0x7Fu;
    }
    if ((set & TX_SET(IDX)) != 0 && index) {
        out |= 0xF0u; /* L4..L7, which of them is a matter of two bits of VC and VD */
    }
    return out;
}

#endif
