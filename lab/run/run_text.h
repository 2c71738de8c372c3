/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that reports of several rooms contain: findings, notes, files in L1. */
#ifndef LAB_RUN_TEXT_H
#define LAB_RUN_TEXT_H

#include "base/error.h"

#include <tensix-lab/run.h>

void run_finding_print(FILE *out, const struct txl_run_finding *finding);
/* To be called after the last finding; count is their number. */
void run_findings_end(FILE *out, size_t count, uint64_t dropped);
void run_note_print(FILE *out, const struct txl_run_note *note);
void run_l1_file_print(FILE *out, const struct txl_l1_file *file, bool output);

#endif
