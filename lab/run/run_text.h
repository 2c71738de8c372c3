/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that reports of several rooms contain: findings, notes, files in L1. */
#ifndef LAB_RUN_TEXT_H
#define LAB_RUN_TEXT_H

#include "base/error.h"
#include "base/finding.h"

#include <tensix-lab/run.h>

/* Gives the finding with an index. */
typedef struct txl_run_finding run_finding_at(const void *from, size_t index,
                                              char text[FINDING_PLACE]);
/* Findings by cause, "none" where there are none; dropped: how many more kinds there were. */
void run_findings_print(FILE *out, run_finding_at *at, const void *from, size_t count,
                        uint64_t dropped);
void run_note_print(FILE *out, const struct txl_run_note *note);
void run_l1_file_print(FILE *out, const struct txl_l1_file *file, bool output);

#endif
