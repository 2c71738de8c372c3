/* SPDX-License-Identifier: Apache-2.0 */
/* What run, eval and tile run print of their results. */
#ifndef CLI_PRINT_RUN_H
#define CLI_PRINT_RUN_H

#include "cli.h"

#include <tensix-lab/eval.h>
#include <tensix-lab/run.h>

void run_print(const txl_run *run, const struct tx_program *program,
               const struct txl_run_options *how);
void run_print_l1(const txl_run *run, const struct tx_program *program,
                  const struct txl_run_options *how);
void run_print_cycles(const struct txl_cycles *cycles);
void run_print_gaps(const struct txl_gaps *gaps);

void print_finding(FILE *stream, const struct txl_run_finding *finding);
/* After the last one; count: how many there were. */
void print_findings_end(FILE *stream, size_t count, uint64_t dropped);
void print_note(const struct txl_run_note *note);
void print_l1_file(const struct txl_l1_file *file, bool output);

/* lanes: EVAL_CHANGED, EVAL_ALL or a lane. */
enum eval_lanes { EVAL_CHANGED = -1, EVAL_ALL = -2 };
void eval_print(const txl_eval *eval, int lanes);

#endif
