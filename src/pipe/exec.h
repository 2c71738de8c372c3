/* SPDX-License-Identifier: Apache-2.0 */
/* What a vector instruction computes in its cycle, without any regard to time. */
#ifndef TX_PIPE_EXEC_H
#define TX_PIPE_EXEC_H

#include "pipe/effect.h"

/*
 * Executes a vector instruction on start-of-cycle state. What it writes goes into *e, the lanes it
 * runs in into *lanes. allowed limits the lanes; *decide receives SFPSWAP's decision (its exchange
 * is exec_swap, one cycle later). The state itself is not changed.
 */
void exec_vector(struct tx_machine *m, const struct tx_op *op, uint32_t allowed, struct effect *e,
                 uint32_t *lanes, uint32_t *decide);

/* What one instruction of this cycle computed; committed when all have read. */
struct started {
    const struct tx_op *op;
    struct tx_op own; /* of a scheduled one, whose entry the next launch may take */
    uint32_t lanes, decide;
    struct effect *effect;
};

/* Second cycle of SFPSWAP: reads both registers again and exchanges them where decide says so. */
void exec_swap(const struct tx_machine *m, const struct tx_op *op, uint32_t lanes, uint32_t decide,
               struct effect *e);

/* Lanes in which the destination of this op can be written (the guard of its row). */
uint32_t exec_guard(const struct tx_machine *m, const struct tx_op *op);

/* Lanes whose template this op becomes if they are enabled, or, by rule, even if not. */
uint32_t exec_open_lanes(const struct tx_machine *m, const struct tx_op *op);

/* LRegs named by L7 in any lane, for indirect operands. */
uint32_t exec_indirect(const struct tx_state *s);

/* exec_memory.c and exec_whole.c */
struct exec {
    struct tx_machine *m;
    const struct tx_op *op;
    struct effect *e;
    uint32_t allowed; /* lanes it may run in at all */
    uint32_t lanes;   /* lanes that run: enabled, guard passed, not captured as a template */
    uint32_t decide;  /* SFPSWAP */
};
/* What exec_vector does once lanes and effect are ready. */
void exec_body(struct exec *x);
void whole_sfpload(struct exec *x);
void whole_sfpstore(struct exec *x);
void whole_sfploadmacro(struct exec *x);
void whole_sfpconfig(struct exec *x);
void whole_sfpswap(struct exec *x);
void whole_moves(struct exec *x);

#endif
