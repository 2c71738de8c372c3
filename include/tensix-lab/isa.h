/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of <tensix/isa.h> and programs as JSON (docs/cli.md, "tensix isa" and "tensix asm"),
 * and what a behaviour does in words.
 */
#ifndef TENSIX_LAB_ISA_H
#define TENSIX_LAB_ISA_H

#include <tensix/tensix.h>

#include <tensix-lab/json.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What one mode of a behaviour is called or does, "" where nothing is known; what a behaviour
 * reads, writes or is believed to read. Both return text.
 */
enum { TXL_MODE_TEXT = 512, TXL_SET_TEXT = 192 };
TXL_API const char *txl_row_mode_text(const struct tx_row *row, unsigned mode,
                                      enum tx_insn_mode_part part, char text[TXL_MODE_TEXT]);
TXL_API const char *txl_row_set_text(const struct tx_row *row, enum tx_row_set set,
                                     char text[TXL_SET_TEXT]);

/* The file of this project that holds the body of an instruction; NULL where there is none. */
enum { TXL_BODY_TEXT = 96 };
TXL_API const char *txl_insn_body(enum tx_arch arch, const struct tx_insn *insn,
                                  char text[TXL_BODY_TEXT]);

/* Entries of the tables. */
TXL_API txl_json *txl_insn_json(enum tx_arch arch, const struct tx_insn *insn);
TXL_API txl_json *txl_row_json(const struct tx_row *row);
TXL_API txl_json *txl_erratum_json(const struct tx_erratum *erratum);
TXL_API txl_json *txl_evidence_json(const struct tx_evidence *evidence);
TXL_API txl_json *txl_rule_json(const struct tx_rule *rule);
TXL_API txl_json *txl_config_json(const struct tx_config_field *field);
/* ["wormhole_b0", "blackhole"]: bit 1 << enum tx_arch for each chip. */
TXL_API txl_json *txl_archs_json(unsigned set);

/* All tables as text, for free(). arch: of that chip only; TX_ARCH_NONE: of all. */
TXL_API char *txl_isa_json(enum tx_arch arch);
/* A program with its words and their texts, for free(). ttinsn: words as RISC-V has them. */
TXL_API char *txl_program_json(const struct tx_program *program, bool ttinsn);

#ifdef __cplusplus
}
#endif

#endif
