/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contract checks around an instruction: they record findings and change nothing else. What most
 * instructions have no need of is asked inline.
 */
#ifndef TX_PIPE_CHECK_H
#define TX_PIPE_CHECK_H

#include "state/machine.h"

#include <string.h>

struct started;

/* Encoding and mode, before execution. */
extern const uint8_t check_listed[INSN_COUNT]; /* mnemonics with a line ON in checks.def */
void check_word_listed(struct tx_machine *m, const struct tx_op *op);
static inline void check_word(struct tx_machine *m, const struct tx_op *op)
{
    if (op->clean == 0 || check_listed[isa_row((enum isa_row_id)op->row)->insn] != 0) {
        check_word_listed(m, op);
    }
}

/* What it drew and wrote, after execution and before commit. */
extern const uint8_t check_predicates[INSN_COUNT]; /* mnemonics with a line PREDICATES */
void check_effect_odd(struct tx_machine *m, const struct tx_op *op, const struct effect *e,
                      uint32_t lanes);
static inline void check_effect(struct tx_machine *m, const struct tx_op *op,
                                const struct effect *e, uint32_t lanes)
{
    const bool high = (e->lregs & 0xF0u) != 0;
    const bool all = (lanes & ~m->state.use_flags) != 0; /* lanes enabled whatever their flags */
    if (e->prng_mask != 0 || (high && state_has_config(&m->state, LC_ENABLE_DEST_INDEX)) ||
        (all && check_predicates[isa_row((enum isa_row_id)op->row)->insn] != 0)) {
        check_effect_odd(m, op, e, lanes);
    }
}

/* Against an instruction in its second cycle; either may be regular or scheduled. */
void check_hazards(struct tx_machine *m, const struct tx_op *op, const struct effect *e,
                   uint32_t lanes, const struct in_flight *flight);
/* Two instructions of one cycle, in the order in which they are committed: one register twice. */
void check_writes(struct tx_machine *m, const struct started *younger, const struct started *older);
/* A load against what wrote its cells: 16-bit stores (T-12), the Matrix Unit (E-FPU). */
void check_load(struct tx_machine *m, const struct tx_op *op, const struct effect *e,
                uint32_t lanes, uint32_t odd);
/* A load has filled its register; given: with nothing but what the kernel was given (E-INT). */
void check_loaded(struct tx_machine *m, const struct tx_op *op, unsigned mode, bool given);
/* What is executed on integers against how they stand in its registers (E-INT), where known. */
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
/* An instruction of any unit has been issued. */
void check_passed_fpu(struct tx_machine *m, const struct tx_op *op);
static inline void check_passed(struct tx_machine *m, const struct tx_op *op)
{
    if (m->state.fpu.left != 0) {
        check_passed_fpu(m, op);
    }
}

/* SFPCONFIG and its next vector instruction (R2). */
void check_visibility_fresh(struct tx_machine *m, const struct tx_op *op);
static inline void check_visibility(struct tx_machine *m, const struct tx_op *op)
{
    if (m->state.config_fresh != 0) {
        check_visibility_fresh(m, op);
    }
}

#endif
