/* SPDX-License-Identifier: Apache-2.0 */
/* What a vector instruction computes in its cycle, without regard to when results are written. */
#ifndef TX_PIPE_EXEC_H
#define TX_PIPE_EXEC_H

#include "pipe/effect.h"

/*
 * Executes a vector instruction on the state at the start of the cycle, which it does not change.
 * *e becomes what it writes, *lanes the lanes in which it executes. "allowed" limits the lanes.
 * *decide becomes the lanes that SFPSWAP exchanges (by exec_swap, one cycle later).
 */
void exec_vector(struct tx_machine *m, const struct tx_op *op, uint32_t allowed, struct effect *e,
                 uint32_t *lanes, uint32_t *decide);

/* An instruction that started in this cycle, committed when all have read. */
struct started {
    const struct tx_op *op;
    struct tx_op own; /* copy of a scheduled one, whose entry the next launch may reuse */
    uint32_t lanes, decide;
    struct effect *effect;
};

/*
 * Second cycle of SFPSWAP: reads both registers again and exchanges them in the lanes of "decide".
 */
void exec_swap(const struct tx_machine *m, const struct tx_op *op, uint32_t lanes, uint32_t decide,
               struct effect *e);

/* Returns the lanes in which this op may write its destination (the guard of its row). */
uint32_t exec_guard(const struct tx_machine *m, const struct tx_op *op);

/* Returns the lanes whose template this op becomes if they are enabled or, by rule, even if not. */
uint32_t exec_open_lanes(const struct tx_machine *m, const struct tx_op *op);

/* Returns the LRegs that L7 names in any lane, for indirect operands. */
uint32_t exec_indirect(const struct tx_state *s);

/* An instruction during execution, for exec_memory.c and exec_whole.c. */
struct exec {
    struct tx_machine *m;
    const struct tx_op *op;
    struct effect *e;
    uint32_t allowed; /* lanes in which it may execute at all */
    /* Lanes in which it executes: enabled, guard passed, not captured as a template. */
    uint32_t lanes;
    uint32_t decide; /* SFPSWAP: lanes that exchange */
};
/* Executes the row's body, once lanes and effect are prepared. */
void exec_body(struct exec *x);
void whole_sfpload(struct exec *x);
void whole_sfpstore(struct exec *x);
void whole_sfploadmacro(struct exec *x);
void whole_sfpconfig(struct exec *x);
void whole_sfpswap(struct exec *x);
void whole_moves(struct exec *x);

#endif
