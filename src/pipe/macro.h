/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPLOADMACRO: instructions scheduled for later cycles on the Simple, MAD, Round and Store
 * sub-units. Source: isa SFPLOADMACRO a981f40; spec/timing.md a.7; ruling R14.
 */
#ifndef TX_PIPE_MACRO_H
#define TX_PIPE_MACRO_H

#include "state/machine.h"

/* Executed instructions of one cycle: every sub-unit, once per column at worst. */
enum { MACRO_PENDING_RUN = MACRO_UNITS * 8 };

struct started;

/* Anything outstanding that time alone will bring to its end. */
bool macro_running(const struct tx_machine *m);

/* Lanes in which this cycle's scheduled instructions occupy the sub-unit of op. */
uint32_t macro_taken(struct tx_machine *m, const struct tx_op *op);

/*
 * Executes what is due in this cycle on start-of-cycle state; issued: with a vector instruction.
 * Returns how many, in commit order.
 */
unsigned macro_execute(struct tx_machine *m, struct started *out, bool issued);

/* The port rules of this cycle, regular instruction included. */
void macro_check(struct tx_machine *m, const struct started *started, unsigned count);

/* Counters at the end of a cycle; issued: a vector instruction was issued in it. */
void macro_tick(struct tx_machine *m, bool issued);

/* The scheduling half of an SFPLOADMACRO, after its load; does nothing for other instructions. */
void macro_launch(struct tx_machine *m, const struct tx_op *op);

/* Findings about what a program leaves behind: scheduled instructions, armed delay kinds. */
void macro_finish(struct tx_machine *m);

#endif
