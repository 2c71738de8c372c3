/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One instruction with its operands resolved, as bodies and the pipeline see it. Decoding makes it
 * from a word; SFPLOADMACRO's scheduling puts other registers in.
 */
#ifndef TX_ISA_OP_H
#define TX_ISA_OP_H

#include <tensix/lregs.h>

#include "isa/row.h"

/* Numbers of LRegs at which the guards change: LREG_CONSTANTS, LREG_L16. */
enum {
#define LREG_BOUND(ID, number, ...) LREG_##ID = number,
#include "isa/lregs.def"
};

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
    uint8_t clean; /* the modifier is legal and no bit is set that no field covers */
    /* Scheduled by SFPLOADMACRO: the backdoor counts as disabled, and VD may be 16. */
    uint8_t scheduled;
    uint16_t address; /* of a scheduled store: the address that the SFPLOADMACRO computed */
    /* Number of instructions issued before it, or, if scheduled, before its launch. */
    uint64_t number;
};

/*
 * Returns whether it also executes in lanes that flags disable. SFPLOADMACRO, for its load, is
 * predicated like an SFPLOAD of the same mode.
 */
static inline bool op_unpredicated(const struct tx_op *op)
{
    const struct isa_row *row = isa_row((enum isa_row_id)op->row);
    if (row->insn == INSN_SFPLOADMACRO) {
        return op->mode == TX_MOD_SFPLOAD_FMT_INT32_ALL;
    }
    return row->guard == GUARD_A_ALL || row->guard == GUARD_C_ALL || row->guard == GUARD_FREE ||
           (row->guard == GUARD_A_MOV && (op->mode & ~4u) == TX_MOD_SFPMOV_ALL_LANES_ENABLED);
}

/* Decodes the operands of a word that selects this row. */
void op_decode_row(enum isa_row_id id, uint32_t word, struct tx_op *op);

/* Returns the LRegs that a set of its row means for an op: see tx_set_lregs. */
static inline uint32_t op_set(const struct tx_op *op, uint64_t set, uint32_t indirect, bool index)
{
    const struct tx_named named = {op->va, op->vb, op->vc, op->vd, op->mode, op->mirror};
    return tx_set_lregs(set, named, indirect, index);
}

#endif
