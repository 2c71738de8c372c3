/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of <tensix/isa.h> and assembled programs as JSON (docs/cli.md, "tensix isa" and
 * "tensix asm"); descriptions of behaviours in words; the explanation of a single entry; and the
 * mapping between lanes and Dst.
 */
#ifndef TENSIX_LAB_ISA_H
#define TENSIX_LAB_ISA_H

#include <tensix/tensix.h>

#include <tensix-lab/json.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Returns the name of an enum tx_unit: "load", "MAD", "scalar", "unpack"; "?" for any other number.
 */
TXL_API const char *txl_unit_name(unsigned unit);

/*
 * The first describes one mode of a behaviour, with "" where nothing is known. The second lists
 * what a behaviour reads, writes or is believed to read. Both return text.
 */
enum { TXL_MODE_TEXT = 512, TXL_SET_TEXT = 192 };
TXL_API const char *txl_row_mode_text(const struct tx_row *row, unsigned mode,
                                      enum tx_insn_mode_part part, char text[TXL_MODE_TEXT]);
TXL_API const char *txl_row_set_text(const struct tx_row *row, enum tx_row_set set,
                                     char text[TXL_SET_TEXT]);

/*
 * Returns in text the file of this project that implements an instruction, or NULL where none does.
 */
enum { TXL_BODY_TEXT = 96 };
TXL_API const char *txl_insn_body(enum tx_arch arch, const struct tx_insn *insn,
                                  char text[TXL_BODY_TEXT]);

/* Entries of the tables as JSON. */
TXL_API txl_json *txl_insn_json(enum tx_arch arch, const struct tx_insn *insn);
TXL_API txl_json *txl_row_json(const struct tx_row *row);
TXL_API txl_json *txl_erratum_json(const struct tx_erratum *erratum);
TXL_API txl_json *txl_evidence_json(const struct tx_evidence *evidence);
TXL_API txl_json *txl_rule_json(const struct tx_rule *rule);
TXL_API txl_json *txl_config_json(const struct tx_config_field *field);
/*
 * Returns an array of chip names such as ["wormhole_b0", "blackhole"]; set has bit 1 << enum
 * tx_arch for each chip.
 */
TXL_API txl_json *txl_archs_json(unsigned set);

/*
 * Return all tables, for people (without evidence and configuration fields) or as JSON; the caller
 * frees the text. arch limits them to one chip; TX_ARCH_NONE: all. NULL without memory.
 */
TXL_API char *txl_isa_text(enum tx_arch arch);
TXL_API char *txl_isa_json(enum tx_arch arch);

/*
 * Parses a chip's name in any spelling. TXL_INPUT, with TX_ARCH_NONE, where it is none that is
 * modelled.
 */
TXL_API int txl_parse_arch(struct txl_error *err, const char *text, enum tx_arch *arch);

/*
 * Explain one subject (docs/cli.md, "tensix explain"), for people or as JSON. subject is a mnemonic
 * in any spelling, an instruction word of 7 or 8 hex digits or with 0x, the id of a behaviour,
 * erratum or piece of evidence, a rule switch, or a configuration field. ".sequence", ".misc" and
 * ".template" are SFPLOADMACRO's configuration; value is then a word of it in hex, and NULL for
 * every other subject. arch limits the answer to one chip; TX_ARCH_NONE: both. The caller frees
 * *text. TXL_INPUT: no such subject.
 */
TXL_API int txl_explain_text(struct txl_error *err, enum tx_arch arch, const char *subject,
                             const char *value, char **text);
TXL_API int txl_explain_json(struct txl_error *err, enum tx_arch arch, const char *subject,
                             const char *value, char **text);

/*
 * Show for each lane of an SFPLOAD or SFPSTORE its row and column in Dst and its element in a 32x32
 * tile. address is 0 to 1023, with RWC_Dst and the base addresses already added. dst chooses how
 * Dst is viewed; TX_DST_FORMAT_UNSET: as for fp32. The caller frees *text. TXL_OK or TXL_INPUT.
 */
TXL_API int txl_map_text(struct txl_error *err, enum tx_arch arch, enum tx_dst_format dst,
                         uint32_t address, char **text);
TXL_API int txl_map_json(struct txl_error *err, enum tx_arch arch, enum tx_dst_format dst,
                         uint32_t address, char **text);

/*
 * Returns a program with its words and their disassembly as JSON; the caller frees it. ttinsn:
 * words are rotated as in a RISC-V instruction stream.
 */
TXL_API char *txl_program_json(const struct tx_program *program, bool ttinsn);

#ifdef __cplusplus
}
#endif

#endif
