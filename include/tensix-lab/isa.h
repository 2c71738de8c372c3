/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of <tensix/isa.h> and programs as JSON (docs/cli.md, "tensix isa" and "tensix asm"),
 * what a behaviour does in words, one thing of the tables explained, and where in Dst a lane is.
 */
#ifndef TENSIX_LAB_ISA_H
#define TENSIX_LAB_ISA_H

#include <tensix/tensix.h>

#include <tensix-lab/json.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "load", "MAD", "scalar", "unpack": an enum tx_unit; "?" for any other number. */
TXL_API const char *txl_unit_name(unsigned unit);

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

/*
 * All tables, for people (without the evidence and the configuration fields) or as JSON; free() it.
 * arch: of that chip only; TX_ARCH_NONE: of all. NULL without memory.
 */
TXL_API char *txl_isa_text(enum tx_arch arch);
TXL_API char *txl_isa_json(enum tx_arch arch);

/* A chip in any of its spellings; TXL_INPUT and TX_ARCH_NONE where it is none that is modelled. */
TXL_API int txl_parse_arch(struct txl_error *err, const char *text, enum tx_arch *arch);

/*
 * What is known of one thing (docs/cli.md, "tensix explain"), for people or as JSON. subject: a
 * mnemonic in any spelling, a word of 7 or 8 hex digits or with 0x, the id of a behaviour, erratum
 * or piece of evidence, a rule switch, a configuration field. ".sequence", ".misc" and ".template"
 * are SFPLOADMACRO's configuration; value, NULL for every other subject, is a word of it in hex.
 * arch: of that chip only; TX_ARCH_NONE: of both. *text is for free(). TXL_INPUT: there is no such
 * thing.
 */
TXL_API int txl_explain_text(struct txl_error *err, enum tx_arch arch, const char *subject,
                             const char *value, char **text);
TXL_API int txl_explain_json(struct txl_error *err, enum tx_arch arch, const char *subject,
                             const char *value, char **text);

/*
 * The row and column of Dst, and the element of which 32x32 tile, that each lane of an SFPLOAD or
 * SFPSTORE has at an address from 0 to 1023 to which RWC_Dst and the bases are added already. dst
 * chooses the view; TX_DST_FORMAT_UNSET: that of fp32. *text is for free(). TXL_OK or TXL_INPUT.
 */
TXL_API int txl_map_text(struct txl_error *err, enum tx_arch arch, enum tx_dst_format dst,
                         uint32_t address, char **text);
TXL_API int txl_map_json(struct txl_error *err, enum tx_arch arch, enum tx_dst_format dst,
                         uint32_t address, char **text);

/* A program with its words and their texts, for free(). ttinsn: words as RISC-V has them. */
TXL_API char *txl_program_json(const struct tx_program *program, bool ttinsn);

#ifdef __cplusplus
}
#endif

#endif
