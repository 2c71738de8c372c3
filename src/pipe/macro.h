/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPLOADMACRO: instructions scheduled for later cycles on the Simple, MAD, Round and Store
 * sub-units. Source: isa SFPLOADMACRO a981f40; spec/timing.md a.7; ruling R14.
 */
#ifndef TX_PIPE_MACRO_H
#define TX_PIPE_MACRO_H

#include "state/machine.h"

/* Most instructions that can be due in one cycle: every sub-unit, once per column. */
enum { MACRO_PENDING_RUN = MACRO_UNITS * 8 };

struct started;

/* Returns whether anything is outstanding that time alone will bring to its end. */
bool macro_running(const struct tx_machine *m);

/* Returns the thread of an instruction that macro_running is true of, or TX_THREADS. */
unsigned macro_thread(const struct tx_machine *m);

/*
 * Returns the lanes in which scheduled instructions of this cycle occupy the sub-unit of op, and
 * reports that op vanishes there.
 */
uint32_t macro_taken(struct tx_machine *m, const struct tx_op *op);

/*
 * Executes what is due in this cycle, on the state at its start. "issued": a vector instruction is
 * issued in this cycle too. Returns the number of instructions, in *out in commit order.
 */
unsigned macro_execute(struct tx_machine *m, struct started *out, bool issued);

/*
 * Checks the port rules for the instructions that started in this cycle, the thread's own included.
 */
void macro_check(struct tx_machine *m, const struct started *started, unsigned count);

/* Advances the counters at the end of a cycle. "issued": a vector instruction was issued in it. */
void macro_tick(struct tx_machine *m, bool issued);

/* Schedules what an SFPLOADMACRO launches, after its load. Does nothing for other instructions. */
void macro_launch(struct tx_machine *m, const struct tx_op *op);

/* Reports what a program leaves behind: scheduled instructions, armed delay kinds. */
void macro_finish(struct tx_machine *m);

#endif
