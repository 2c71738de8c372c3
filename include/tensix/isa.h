/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instruction set as data: mnemonics with their fields, behaviours, configuration fields,
 * errata, evidence and rule switches. Everything returned is constant and has static lifetime. The
 * tables come from isa/ of the project; each entry names its own source.
 */
#ifndef TENSIX_ISA_H
#define TENSIX_ISA_H

#include <tensix/base.h>
#include <tensix/isa_modes.h>
#include <tensix/isa_names.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tx_unit {
    TX_UNIT_NONE = 0,
    TX_UNIT_LOAD, /* the five sub-units of the Vector Unit (SFPU) */
    TX_UNIT_SIMPLE,
    TX_UNIT_MAD,
    TX_UNIT_ROUND,
    TX_UNIT_STORE,
    TX_UNIT_SCALAR, /* ThCon */
    TX_UNIT_CONFIG,
    TX_UNIT_SYNC,
    TX_UNIT_MATRIX, /* FPU */
    TX_UNIT_FRONT,  /* expanders and NOP: no back-end unit */
    TX_UNIT_OTHER,  /* no documented unit: encoded and printed, not modelled */
    TX_UNIT_UNPACK, /* unpackers and packers */
    TX_UNIT_PACK,
    TX_UNIT_MOVER,
    TX_UNIT_MISC,
    TX_UNIT_COUNT
};

enum { TX_INSN_MAX_FIELDS = 13 };

enum tx_field_kind {
    TX_FIELD_UIMM,  /* unsigned number */
    TX_FIELD_SIMM,  /* two's complement number */
    TX_FIELD_LREG,  /* L0..L15 */
    TX_FIELD_MOD,   /* modifier */
    TX_FIELD_HEX12, /* 12-bit immediate, read signed or unsigned by the modifier */
    TX_FIELD_VD3    /* SFPLOADMACRO's split register number: two bits at lsb, bit 2 at bit 0 */
};

/* One operand as the assembler sees it; in places wider than the hardware's field (ruling R0). */
struct tx_field {
    const char *name; /* the vendor's parameter name, e.g. "lreg_src_a" */
    uint8_t lsb, width;
    uint8_t kind; /* enum tx_field_kind */
};

struct tx_insn {
    const char *name;  /* as objdump prints it: "sfpmad", "ttreplay" */
    const char *macro; /* as ckernel_ops.h writes it: "SFPMAD", "SFP_STOCH_RND" */
    uint8_t opcode;    /* enum tx_insn_id: bits 31:24 */
    uint8_t unit;      /* enum tx_unit */
    uint8_t field_count;
    struct tx_field fields[TX_INSN_MAX_FIELDS]; /* in the order of the macro's parameters */
};

/* Returns the mnemonics of a chip in order of opcode; NULL past the end. */
TX_API const struct tx_insn *tx_insn_at(enum tx_arch arch, size_t index);
/*
 * Finds an instruction by any spelling: "sfpmad", "SFPMAD", "TTI_SFPMAD", "TT_OP_SFPMAD",
 * "SFPSTOCHRND", "SFP_STOCH_RND".
 */
TX_API const struct tx_insn *tx_insn_find(enum tx_arch arch, const char *name);
/* Finds the instruction of a word by its opcode; NULL where the chip has none. */
TX_API const struct tx_insn *tx_insn_of(enum tx_arch arch, uint32_t word);
/* Finds an instruction by its id; NULL where the chip does not have it. */
TX_API const struct tx_insn *tx_insn_get(enum tx_arch arch, enum tx_insn_id id);
/* Returns the id of a word on this chip, or TX_INSN_NONE where there is no such opcode. */
TX_API enum tx_insn_id tx_insn_id_of(enum tx_arch arch, uint32_t word);
/*
 * Says why an instruction that can be assembled has no behaviour here, in a sentence without full
 * stop: "one line of the vendor's instruction list is all that is known of it". NULL: it has a
 * behaviour.
 */
TX_API const char *tx_insn_undocumented(const struct tx_insn *insn);
/* Tells whether it is an instruction of the Matrix Unit that writes Dst. */
TX_API bool tx_insn_fpu_writes(const struct tx_insn *insn);

/* The operand that supplies the register number of VB or VC where no field of that name does. */
enum tx_implied {
    TX_IMPLIED_NOTHING, /* VB and VC come from the fields of these names */
    TX_IMPLIED_VB_VD,   /* VB is VD, unless SFPLOADMACRO supplies it */
    TX_IMPLIED_VC_VD,   /* VC is VD, unless SFPLOADMACRO supplies it */
    TX_IMPLIED_VB_IMM   /* VB is the low four bits of the immediate */
};

/* A behaviour: the semantics of one group of modes of one mnemonic. */
struct tx_row {
    const char *id;       /* "SFPSHFT2_SHFLROR1", for printing */
    const char *mnemonic; /* "SFPSHFT2", for printing */
    const char *summary;
    const char *source; /* where the behaviour is stated */
    uint64_t reads;     /* architectural reads, a TX_SET (isa_names.h); VB, VC also where implied */
    uint64_t writes;
    uint64_t belief; /* what the interlock assumes to be read */
    uint16_t number; /* enum tx_row_id, shared by rows of the same name on both chips */
    uint16_t modes;  /* set of the modifier values that it covers */
    uint16_t legal;  /* those that the architecture permits */
    uint8_t insn;    /* enum tx_insn_id */
    uint8_t archs;   /* set of chips */
    uint8_t unit;    /* enum tx_unit */
    uint8_t latency; /* cycles until the result can be read */
    uint8_t implied; /* enum tx_implied */
};

TX_API const struct tx_row *tx_row_at(enum tx_arch arch, size_t index);
/* Finds a behaviour by its id as a user writes it, in any case; NULL: there is none. */
TX_API const struct tx_row *tx_row_find(enum tx_arch arch, const char *id);

/* Tells whether words of this behaviour have the field. row must come from tx_row_at. */
TX_API bool tx_row_has_field(const struct tx_row *row, enum tx_fld field);
/* Returns a field's value as the hardware reads it, 0 where there is none. */
TX_API uint32_t tx_row_field(const struct tx_row *row, enum tx_fld field, uint32_t word);
/*
 * Returns the word with the field set to value, cut to its width; unchanged where there is no such
 * field.
 */
TX_API uint32_t tx_row_put(const struct tx_row *row, enum tx_fld field, uint32_t word,
                           uint32_t value);

enum tx_row_set { TX_ROW_READS, TX_ROW_WRITES, TX_ROW_BELIEF };
/*
 * Writes one of the sets as text, with operands named after the instruction's fields: "VC, VD,
 * Dst". row must come from tx_row_at. 192 bytes always suffice; TX_EINVAL: size too small.
 */
TX_API enum tx_status tx_row_text(const struct tx_row *row, enum tx_row_set set, char *text,
                                  size_t size);

/* The meaning of one value of the modifier, or of another field that selects a variant. */
struct tx_insn_mode {
    const char *where;     /* the field's name, "MOD", for printing */
    const char *name;      /* short, unique among this instruction's modes only; "": none */
    const char *constants; /* the vendor's names of the value, blank separated; "": none */
    const char *meaning;
    const char *formula;  /* notation: head of isa/modes.def */
    uint16_t bits, value; /* the value applies where (field & bits) == value */
    uint16_t modes;       /* and the modifier is in this set */
    uint8_t archs;        /* set of chips */
    /* enum tx_fld of the field: MOD; RND of SFPSTOCHRND, VD of SFPCONFIG, IMM, VC */
    uint8_t field;
};

/* Returns the modes of an instruction of the chip in order; NULL past the end. */
TX_API const struct tx_insn_mode *tx_insn_mode_at(enum tx_arch arch, const struct tx_insn *insn,
                                                  size_t index);
/* Tells whether a word of this chip selects the mode. */
TX_API bool tx_insn_mode_holds(enum tx_arch arch, const struct tx_insn_mode *mode, uint32_t word);

enum tx_insn_mode_part { TX_INSN_MODE_NAME, TX_INSN_MODE_MEANING, TX_INSN_MODE_FORMULA };
/*
 * Writes everything known about one modifier value of a behaviour: names as "ARG_IMM|CC_NONE",
 * meanings and formulas separated by "; ". TX_ENOENT: nothing is known. 512 bytes always suffice;
 * TX_EINVAL: size too small.
 */
TX_API enum tx_status tx_row_mode_text(enum tx_arch arch, const struct tx_row *row, unsigned mode,
                                       enum tx_insn_mode_part part, char *text, size_t size);

/* The source of a value, for behaviours that move values between registers or lanes. */
enum tx_move_source {
    TX_MOVE_NONE,  /* the behaviour moves nothing, or does not write that register */
    TX_MOVE_LREG,  /* register reg */
    TX_MOVE_VC,    /* the register that VC names */
    TX_MOVE_ZERO,  /* it becomes 0 */
    TX_MOVE_LATCH, /* Wormhole's shift latch */
};
struct tx_move {
    uint8_t source; /* enum tx_move_source */
    uint8_t reg, lane;
};
/*
 * Returns where the new value of one lane of register reg comes from; for SFPTRANSP and SFPSHFT2
 * modes 0 to 4.
 */
TX_API struct tx_move tx_row_move(const struct tx_row *row, unsigned reg, unsigned lane);

/* A behaviour that is one multiply-add: VD = x * y + z. */
enum tx_term { TX_TERM_VA, TX_TERM_VB, TX_TERM_VC, TX_TERM_IMM, TX_TERM_ONE, TX_TERM_ZERO };
struct tx_terms {
    uint8_t x, y, z;         /* enum tx_term; TX_TERM_IMM is the immediate as BF16 */
    uint8_t product, addend; /* modifier bits that negate x * y and z, on Blackhole */
};
/* NULL: the behaviour is no multiply-add, or takes its operands from a table (tx_row_table). */
TX_API const struct tx_terms *tx_row_terms(const struct tx_row *row);

/* One linear piece of a table look-up: a * |L3| + c. */
struct tx_piece {
    uint32_t a, c; /* bit patterns; zero where the hardware treats the coefficient as zero */
    uint8_t piece; /* register that holds a, in whole or in part */
    bool whole;    /* a is the whole register, and c the one with a number higher by four */
    bool retain;   /* the result gets the sign of L3 */
};
/*
 * Determines the piece that L0..L6 define for the value of L3, for SFPLUT and SFPLUTFP32. Returns
 * false where the behaviour has no table.
 */
TX_API bool tx_row_table(const struct tx_row *row, unsigned mode, const uint32_t lreg[7],
                         struct tx_piece *piece);

/*
 * How a result relates to the operands as real numbers; the terms are defined at the head of
 * isa/reals.def.
 */
enum tx_real_relation {
    TX_REAL_OWN,
    TX_REAL_SAME,
    TX_REAL_LIKE,
    TX_REAL_TIMES_POWER,
    TX_REAL_NUMBER,
    TX_REAL_ROUNDED,
    TX_REAL_BOUNDED,
    TX_REAL_QUOTIENT,
    TX_REAL_ABOUT,
    TX_REAL_ABOUT_WHERE,
    TX_REAL_EXCHANGED,
    TX_REAL_CONSTANT
};
enum tx_real_kind { TX_REAL_FLOAT, TX_REAL_TWOS, TX_REAL_MAGNITUDE };
struct tx_real {
    uint8_t relation;   /* enum tx_real_relation */
    uint8_t kind;       /* enum tx_real_kind: how the result's bits are to be read */
    uint8_t operands;   /* number of entries used in operand[] */
    uint8_t operand[2]; /* TX_FLD_VB, TX_FLD_VC: first and second */
    /* For ROUNDED the number of bits, for BOUNDED the largest integer; else 0. */
    uint32_t amount;
};
/*
 * For behaviours that are no multiply-add (tx_row_terms, tx_row_table), do not move values between
 * lanes (tx_row_move) and are no loads. Returns false where nothing is stated.
 */
TX_API bool tx_row_real(const struct tx_row *row, unsigned mode, struct tx_real *real);

/*
 * Tells whether the result depends on the random word that the behaviour draws. rounding is its
 * rounding mode, 0 where it has none.
 */
TX_API bool tx_row_draws(const struct tx_row *row, unsigned rounding);

/*
 * Finds the modifier with which a behaviour that exchanges VB and VC gives the same result with the
 * two operands swapped. Returns false where there is none.
 */
TX_API bool tx_row_reverse(const struct tx_row *row, unsigned mode, unsigned *reverse);

/* An instruction that is equivalent to another whose immediate selects the source register. */
struct tx_same {
    uint8_t insn, mode; /* enum tx_insn_id and the modifier; the immediate is unchanged */
    /* enum tx_fld: TX_FLD_VC for the source; TX_FLD_VD: it is both source and result */
    uint8_t field;
};
/*
 * Finds it for an immediate. Returns false where there is none, as for all behaviours without
 * TX_IMPLIED_VB_IMM.
 */
TX_API bool tx_row_same(enum tx_arch arch, const struct tx_row *row, uint32_t imm,
                        struct tx_same *same);

struct tx_decoded {
    const struct tx_insn *insn; /* NULL: no such opcode on this chip */
    const struct tx_row *row;   /* NULL: no behaviour is modelled (or none exists) */
    uint32_t other;             /* set bits outside all operand fields */
    /* Set bits that the hardware does not read (a finding at run time). */
    uint32_t unused;
    uint8_t mode; /* value of the modifier field, 0 where there is none */
    /* No unused bit is set and the mode is one that the architecture permits. */
    bool canonical;
    uint32_t fields[TX_INSN_MAX_FIELDS]; /* raw field values in the order of insn->fields */
};

/* Fills *out. Returns TX_OK, or TX_ENOENT where the chip has no such opcode. */
TX_API enum tx_status tx_decode_sized(enum tx_arch arch, uint32_t word, struct tx_decoded *out,
                                      size_t size);
static inline enum tx_status tx_decode(enum tx_arch arch, uint32_t word, struct tx_decoded *out)
{
    return tx_decode_sized(arch, word, out, sizeof *out);
}
/*
 * Rebuilds the word from insn, fields and other: tx_encode(tx_decode(w)) == w for every word that
 * has an instruction. TX_EINVAL: a value is wider than its field.
 */
TX_API enum tx_status tx_encode_sized(const struct tx_decoded *in, size_t size, uint32_t *word);
static inline enum tx_status tx_encode(const struct tx_decoded *in, uint32_t *word)
{
    return tx_encode_sized(in, sizeof *in, word);
}

/* Rotate a word left by two, as .ttinsn stores it in a RISC-V instruction stream, and back. */
TX_API uint32_t tx_ttinsn(uint32_t word);
TX_API uint32_t tx_ttinsn_undo(uint32_t word);

/*
 * Writes how an instruction is written, with the names of its operands in their order, cut to size
 * bytes with the final zero; 256 are enough. macro: as a macro, "TTI_SFPMOV(imm12_math, ...)",
 * otherwise as in the disassembly, "sfpmov lreg_dest,lreg_c,instr_mod1". Returns text. insn must
 * come from these tables.
 */
TX_API const char *tx_insn_syntax(const struct tx_insn *insn, bool macro, char *text, size_t size);

/* A configuration field under the vendor's name without the _RMW or _ADDR32 ending. */
struct tx_config_field {
    const char *name;
    bool thread;   /* true: thread configuration (SETC16), false: banked configuration */
    uint16_t word; /* index of the 32-bit (thread: 16-bit) word */
    uint8_t lsb, width;
};

TX_API const struct tx_config_field *tx_config_field_at(enum tx_arch arch, size_t index);
TX_API const struct tx_config_field *tx_config_field_find(enum tx_arch arch, const char *name);

/* Named bits of a register that no configuration word holds. */
struct tx_register_field {
    const char *owner; /* "LaneConfig", or a CSR of Blackhole's cores: "cfg0" */
    const char *name;
    uint8_t lsb, width;
    bool csr;
    const char *meaning; /* "": not known */
    const char *source;
};

/* Returns them in order; NULL past the end. */
TX_API const struct tx_register_field *tx_register_field_at(size_t index);

/* A field of SFPLOADMACRO's configuration. */
struct tx_macro_field {
    const char *word; /* "sequence", whose four bytes all have these fields, or "misc" */
    const char *text; /* its name in the directive .sequence or .misc */
    const char *meaning;
    uint8_t lsb, width;
};

/* Returns the fields in order; NULL past the end. */
TX_API const struct tx_macro_field *tx_macro_field_at(size_t index);

/* A hardware bug, with its evidence. */
struct tx_erratum {
    const char *id; /* "ERR-SWAP-TIE" */
    uint8_t archs;
    const char *rows; /* mnemonics concerned, blank separated */
    const char *text;
    const char *evidence;
};

TX_API const struct tx_erratum *tx_erratum_at(size_t index);
/* Tells whether the erratum concerns an instruction. */
TX_API bool tx_erratum_names(const struct tx_erratum *erratum, enum tx_insn_id insn);

/* A decision on behaviour that the documents leave open, with its reason. */
struct tx_evidence {
    const char *id;   /* "R5", "O-1" ... as in spec/ */
    const char *rows; /* mnemonics concerned; "*" for all */
    const char *text;
    const char *source;
    const char *rule; /* name of the switch that selects the alternative, or NULL */
};

TX_API const struct tx_evidence *tx_evidence_at(size_t index);
/* Tells whether rows names the instruction itself; "*" does not count. */
TX_API bool tx_evidence_names(const struct tx_evidence *evidence, enum tx_insn_id insn);

/* A switch between alternative readings of the sources; value 0 is the default. */
struct tx_rule {
    const char *name;      /* "prng-result" */
    const char *values[4]; /* "old", "new"; NULL after the last */
    const char *evidence;  /* id of the evidence entry */
};

TX_API const struct tx_rule *tx_rule_at(size_t index);

#ifdef __cplusplus
}
#endif

#endif
