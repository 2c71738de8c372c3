/* SPDX-License-Identifier: Apache-2.0 */
/* What commands print of the lab library's results. */
#ifndef CLI_PRINT_PRINT_H
#define CLI_PRINT_PRINT_H

#include "cli.h"

#include "print/progress.h"

#include <tensix-lab/sweep.h>

struct txl_lint_result;

/*
 * A bar for work of the lab library, not with --json: progress_call and what this returns go into
 * its options; progress_end removes the bar. unit: "tiles".
 */
void *cli_progress(const struct cli *cli, struct progress *progress, bool wanted, const char *unit);

/* A sweep, several, two reports in JSON side by side. */
int sweep_print(struct txl_error *err, const txl_sweep *sweep,
                const struct txl_sweep_report *report);
void sweep_print_table(const txl_sweep_table *table, bool gated);
int sweep_diff(struct cli *cli, const char *before, const char *after);
struct txl_conversion;
void convert_print(const struct txl_conversion *c, const char *in, const char *out);
int convert_list_routes(struct cli *cli);

/* An account of shadow execution: a line for each instruction, and what print_blame says. */
struct txl_account;
void print_account(enum tx_arch arch, const struct txl_account *account);
/* Two lines at most: how much of the error is whose. */
void print_blame(enum tx_arch arch, const struct txl_account *account);
/* What happened on the way, a line for each instruction that is not the guilty one. */
void print_way(enum tx_arch arch, const struct txl_account *account);

/* Findings, SFPNOPs and the line that counts them. */
void print_lint(FILE *stream, const struct txl_lint_result *result);

#endif
