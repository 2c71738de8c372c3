/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contract checks around an instruction. They record findings and notes and change nothing else.
 * The inline functions decide whether a check is needed at all, which for most instructions it is
 * not.
 */
#ifndef TX_PIPE_CHECK_H
#define TX_PIPE_CHECK_H

#include "state/machine.h"

#include <string.h>

struct started;

/* Before execution: checks encoding and modifier. */
extern const uint8_t check_listed[INSN_COUNT]; /* by mnemonic: it has a line ON in checks.def */
void check_word_listed(struct tx_machine *m, const struct tx_op *op);
static inline void check_word(struct tx_machine *m, const struct tx_op *op)
{
    if (op->clean == 0 || check_listed[isa_row((enum isa_row_id)op->row)->insn] != 0) {
        check_word_listed(m, op);
    }
}

/* After execution, before commit: checks what the instruction drew and wrote. */
extern const uint8_t check_predicates[INSN_COUNT]; /* by mnemonic: it has a line PREDICATES */
void check_effect_odd(struct tx_machine *m, const struct tx_op *op, const struct effect *e,
                      uint32_t lanes);
static inline void check_effect(struct tx_machine *m, const struct tx_op *op,
                                const struct effect *e, uint32_t lanes)
{
    const bool high = (e->lregs & 0xF0u) != 0;
    /* Some lanes are enabled whatever their flags. */
    const bool all = (lanes & ~m->state.use_flags) != 0;
    if (e->prng_mask != 0 || (high && state_has_config(&m->state, LC_ENABLE_DEST_INDEX)) ||
        (all && check_predicates[isa_row((enum isa_row_id)op->row)->insn] != 0)) {
        check_effect_odd(m, op, e, lanes);
    }
}

/* Checks an instruction against one in its second cycle; either may be scheduled. */
void check_hazards(struct tx_machine *m, const struct tx_op *op, const struct effect *e,
                   uint32_t lanes, const struct in_flight *flight);
/*
 * Checks two instructions of one cycle, given in the order in which they commit, for a common
 * target.
 */
void check_writes(struct tx_machine *m, const struct started *younger, const struct started *older);
/*
 * Checks a load against recent writers of its cells: 16-bit stores (T-12), the Matrix Unit (E-FPU).
 */
void check_load(struct tx_machine *m, const struct tx_op *op, const struct effect *e,
                uint32_t lanes, uint32_t odd, bool wide);
/*
 * Records the encoding of a register that a load has filled. "given": all cells are kernel inputs
 * (E-INT).
 */
void check_loaded(struct tx_machine *m, const struct tx_op *op, unsigned mode, bool given);
/* Checks an integer instruction against the encoding of its registers, where known (E-INT). */
void check_encoding_known(struct tx_machine *m, const struct tx_op *op, const struct effect *e,
                          uint32_t lanes);
static inline void check_encoding(struct tx_machine *m, const struct tx_op *op,
                                  const struct effect *e, uint32_t lanes)
{
    static const uint8_t unknown[sizeof m->state.lreg_encoding];
    _Static_assert(ENCODING_UNKNOWN == 0, "compared with zeros");
    if (memcmp(m->state.lreg_encoding, unknown, sizeof unknown) != 0) {
        check_encoding_known(m, op, e, lanes);
    }
}
/* Counts an issued instruction of any unit towards those required after a Matrix Unit write. */
void check_passed_fpu(struct tx_machine *m, const struct tx_op *op);
static inline void check_passed(struct tx_machine *m, const struct tx_op *op)
{
    if (m->state.fpu.left != 0) {
        check_passed_fpu(m, op);
    }
}

/* Checks the vector instruction that directly follows an SFPCONFIG (R2). */
void check_visibility_fresh(struct tx_machine *m, const struct tx_op *op);
static inline void check_visibility(struct tx_machine *m, const struct tx_op *op)
{
    if (m->state.config_fresh != 0) {
        check_visibility_fresh(m, op);
    }
}

/* Returns whether a lane of its result may depend on other lanes of its operands. */
bool check_crosses(const struct tx_op *op);

#endif
