/* SPDX-License-Identifier: Apache-2.0 */
/* The library's tables as JSON, shared by explain and isa. */
#ifndef CLI_ISA_JSON_H
#define CLI_ISA_JSON_H

#include "cli.h"

/* "0 1 2", "none" */
const char *isa_modes_text(unsigned set, char *text, size_t size);
/* Whether a blank-separated list of mnemonics names this one. */
bool isa_names(const char *list, const char *mnemonic);
json_t *isa_insn_json(const struct tx_insn *insn);
json_t *isa_row_json(const struct tx_row *row);
json_t *isa_erratum_json(const struct tx_erratum *erratum);
json_t *isa_evidence_json(const struct tx_evidence *evidence);
json_t *isa_rule_json(const struct tx_rule *rule);
json_t *isa_config_json(const struct tx_config_field *field);

#endif
