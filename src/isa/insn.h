/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instruction encodings of isa/mnemonics.def as constant tables. The names of enum insn_id are
 * the mnemonics in upper case without "tt": INSN_SFPMAD, INSN_SETRWC, INSN_REPLAY, INSN_MOPCFG,
 * INSN_PACRSETREG, INSN_SFPSTOCHRND.
 */
#ifndef ISA_INSN_H
#define ISA_INSN_H

#include <tensix/isa.h>

enum insn_id {
    INSN_NONE = 0,
#define MNEMONIC(id, name, macro, opcode, unit) INSN_##id,
#include "isa/mnemonics.def"
    INSN_COUNT
};

/* One operand in objdump's syntax. */
struct insn_operand {
    const char *name;
    uint8_t lsb, width;
    uint8_t kind;       /* enum tx_field_kind */
    uint8_t limit;      /* LREG: the vendor's assembler requires a number below this */
    uint8_t sign;       /* MOD: enum insn_sign */
    uint16_t mode_none; /* MOD: set of values with which the immediate must be 0 */
    uint16_t mode_imm;  /* MOD: set of values with which the immediate is read */
};

enum insn_sign { INSN_SIGN_NONE, INSN_SIGN_SIGNED, INSN_SIGN_UNSIGNED };

/* The public part comes first, so that a pointer to it is a pointer to the whole. */
struct insn_form {
    struct tx_insn pub;
    const char *id_name; /* a third spelling: "SFPSTOCHRND" */
    uint8_t id;          /* enum insn_id */
    uint8_t archs;       /* set of 1 << enum tx_arch */
    uint8_t operand_count;
    uint32_t field_mask;         /* all bits that belong to fields */
    uint32_t fixed, fixed_value; /* what objdump requires of the other bits */
    struct insn_operand operands[TX_INSN_MAX_FIELDS];
};

/* Returns INSN_NONE if the chip has no such opcode. */
enum insn_id insn_id_of(enum tx_arch arch, uint32_t word);
/* Returns NULL if the chip does not have the instruction. */
const struct tx_insn *insn_get(enum tx_arch arch, enum insn_id id);

/* Returns what the word is on the first other chip that has it, NULL if none has. */
const struct tx_insn *insn_elsewhere(enum tx_arch arch, uint32_t word);

/* Returns all bits below the opcode that belong to some field. */
uint32_t insn_field_mask(const struct tx_insn *insn);
/*
 * Extracts the raw values in the order of insn->fields. Returns the bits of word that belong to no
 * field.
 */
uint32_t insn_fields_extract(const struct tx_insn *insn, uint32_t word,
                             uint32_t out[TX_INSN_MAX_FIELDS]);
/* Encodes raw values; other bits are 0. Returns TX_EINVAL if a value is wider than its field. */
enum tx_status insn_fields_encode(const struct tx_insn *insn, const uint32_t in[], uint32_t *word);

/* Returns the whole form, for the text tools. insn must come from this file. */
const struct insn_form *insn_form_of(const struct tx_insn *insn);
/* Returns the forms of all chips by index; NULL past the end. */
const struct insn_form *insn_form_at(size_t index);
/* Returns whether the name, in any case and with any of the vendor's prefixes, means this form. */
bool insn_name_is(const struct insn_form *form, const char *name, size_t length);

/*
 * insn_operand_mask returns the bits of the word that an operand has, insn_operand_get its value.
 */
uint32_t insn_operand_mask(const struct insn_operand *operand);
uint32_t insn_operand_get(const struct insn_operand *operand, uint32_t word);
/* Returns the bits of the word for a value, which must fit. */
uint32_t insn_operand_put(const struct insn_operand *operand, uint32_t value);

#endif
