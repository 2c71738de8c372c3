/* SPDX-License-Identifier: Apache-2.0 */
/* What commands print of the lab library's results. */
#ifndef CLI_PRINT_PRINT_H
#define CLI_PRINT_PRINT_H

#include "cli.h"

#include "base/progress.h"

struct sweep_table;
struct txl_lint_result;

/*
 * A bar for work of the lab library, not with --json: progress_call and what this returns go into
 * its options; progress_end removes the bar. unit: "tiles".
 */
void *cli_progress(const struct cli *cli, struct progress *progress, bool wanted, const char *unit);

/* Two reports in JSON side by side. */
int sweep_diff(struct cli *cli, const char *before, const char *after);
int table_csv(struct cli *cli, const struct sweep_table *table, const char *path);
int table_yaml(struct cli *cli, const struct sweep_table *table, const char *path);
struct txl_conversion;
void convert_print(const struct txl_conversion *c, const char *in, const char *out);
int convert_list_routes(struct cli *cli);

/* Findings, SFPNOPs and the line that counts them. */
void print_lint(FILE *stream, const struct txl_lint_result *result);

#endif
