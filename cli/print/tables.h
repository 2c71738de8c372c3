/* SPDX-License-Identifier: Apache-2.0 */
/* The library's tables as JSON, shared by explain and isa. */
#ifndef CLI_TABLES_H
#define CLI_TABLES_H

#include "cli.h"

/* "0 1 2", "none", "all" */
const char *table_modes_text(unsigned set, char *text, size_t size);
/* Whether the behaviour belongs to the instruction. */
bool table_row_of(const struct tx_row *row, const struct tx_insn *insn);
/* The file that holds the body; NULL where there is none. */
enum { TABLE_BODY = 96 };
const char *table_body(enum tx_arch arch, const struct tx_insn *insn, char text[TABLE_BODY]);
enum { TABLE_MODE_TEXT = 512 };
/* What one mode of a behaviour is called or does; text of that size, "" where nothing is known. */
const char *table_mode_text(const struct tx_row *row, unsigned mode, enum tx_insn_mode_part part,
                            char *text);
/* What a behaviour reads, writes, or is believed to read, in words; text of 192 bytes. */
const char *table_set_text(const struct tx_row *row, enum tx_row_set set, char *text);
/* ["wormhole_b0", "blackhole"] of a set of chips */
txl_json *table_archs_json(unsigned set);
txl_json *table_insn_json(enum tx_arch arch, const struct tx_insn *insn);
txl_json *table_row_json(const struct tx_row *row);
txl_json *table_erratum_json(const struct tx_erratum *erratum);
txl_json *table_evidence_json(const struct tx_evidence *evidence);
txl_json *table_rule_json(const struct tx_rule *rule);
txl_json *table_config_json(const struct tx_config_field *field);

/* Explains .sequence, .misc or .template and a word of it; CLI_CONTINUE: it is none of them. */
int explain_macro(struct cli *cli, enum tx_arch arch, const char *subject, const char *value);

#endif
