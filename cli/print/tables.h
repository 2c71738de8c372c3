/* SPDX-License-Identifier: Apache-2.0 */
/* What explain and isa print of the tables. */
#ifndef CLI_TABLES_H
#define CLI_TABLES_H

#include "cli.h"

#include <tensix-lab/isa.h>

/* "0 1 2", "none", "all" */
const char *table_modes_text(unsigned set, char *text, size_t size);
/* Whether the behaviour belongs to the instruction. */
bool table_row_of(const struct tx_row *row, const struct tx_insn *insn);

/* Explains .sequence, .misc or .template and a word of it; CLI_CONTINUE: it is none of them. */
int explain_macro(struct cli *cli, enum tx_arch arch, const char *subject, const char *value);

#endif
