/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instruction set as data: mnemonics with their fields, behaviours, configuration fields,
 * errata, evidence and rule switches. Everything returned is constant and lives for ever.
 * Source of the tables: isa/ of the project; each entry names its own.
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
    TX_UNIT_MATRIX, /* FPU port, of which SETRWC and INCRWC are modelled */
    TX_UNIT_FRONT,  /* expanders and NOP: no back-end unit */
    TX_UNIT_OTHER,  /* no documented unit: encoded and printed, not modelled */
    TX_UNIT_UNPACK, /* these four only as ports: see tx_host in machine.h */
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

/* One operand as the assembler knows it; wider than the hardware field in places (ruling R0). */
struct tx_field {
    const char *name; /* the vendor's parameter name, e.g. "lreg_src_a" */
    uint8_t lsb, width;
    uint8_t kind; /* enum tx_field_kind */
};

struct tx_insn {
    const char *name;  /* as objdump prints it: "sfpmad", "ttreplay" */
    const char *macro; /* as ckernel_ops.h spells it: "SFPMAD", "SFP_STOCH_RND" */
    uint8_t opcode;    /* enum tx_insn_id: bits 31:24 */
    uint8_t unit;      /* enum tx_unit */
    uint8_t field_count;
    struct tx_field fields[TX_INSN_MAX_FIELDS]; /* in the order of the macro's parameters */
};

/* Every mnemonic of a chip, in order of opcode; NULL past the end. */
TX_API const struct tx_insn *tx_insn_at(enum tx_arch arch, size_t index);
/* Any spelling: "sfpmad", "SFPMAD", "TTI_SFPMAD", "TT_OP_SFPMAD", "SFPSTOCHRND", "SFP_STOCH_RND".
 */
TX_API const struct tx_insn *tx_insn_find(enum tx_arch arch, const char *name);
/* By opcode; NULL where the chip has none. */
TX_API const struct tx_insn *tx_insn_of(enum tx_arch arch, uint32_t word);
/* By its id; NULL where the chip does not have it. */
TX_API const struct tx_insn *tx_insn_get(enum tx_arch arch, enum tx_insn_id id);
/* The id of a word of this chip, TX_INSN_NONE where it has no such opcode. */
TX_API enum tx_insn_id tx_insn_id_of(enum tx_arch arch, uint32_t word);
/*
 * Why an instruction that is encoded and printed has no behaviour here: one sentence without full
 * stop, "one line of the vendor's instruction list is all that is known of it". NULL: it has one.
 */
TX_API const char *tx_insn_undocumented(const struct tx_insn *insn);
/* An instruction of the Matrix Unit that writes Dst. */
TX_API bool tx_insn_fpu_writes(const struct tx_insn *insn);

/* Which operand the register number of VB or VC really comes from. */
enum tx_implied {
    TX_IMPLIED_NOTHING, /* from the fields of these names */
    TX_IMPLIED_VB_VD,   /* VB is VD, unless SFPLOADMACRO supplies it */
    TX_IMPLIED_VC_VD,   /* VC is VD, unless SFPLOADMACRO supplies it */
    TX_IMPLIED_VB_IMM   /* VB is the low four bits of the immediate */
};

/* A behaviour: what one group of modes of one mnemonic does. */
struct tx_row {
    const char *id;       /* "SFPSHFT2_SHFLROR1", for printing */
    const char *mnemonic; /* "SFPSHFT2", for printing */
    const char *summary;
    const char *source; /* where the behaviour is stated */
    uint64_t reads;     /* architectural reads, a TX_SET (isa_names.h); VB, VC also where implied */
    uint64_t writes;
    uint64_t belief; /* what the interlock believes is read */
    uint16_t number; /* enum tx_row_id: the same for both chips' rows of one name */
    uint16_t modes;  /* the modifier values it covers */
    uint16_t legal;  /* those of them inside the contract */
    uint8_t insn;    /* enum tx_insn_id */
    uint8_t archs;   /* set of chips */
    uint8_t unit;    /* enum tx_unit */
    uint8_t latency; /* cycles until the result can be read */
    uint8_t implied; /* enum tx_implied */
};

TX_API const struct tx_row *tx_row_at(enum tx_arch arch, size_t index);
/* By its id as a user writes it, in any case; NULL: there is none. */
TX_API const struct tx_row *tx_row_find(enum tx_arch arch, const char *id);

/* Whether words of this row have the field. row is one of tx_row_at. */
TX_API bool tx_row_has_field(const struct tx_row *row, enum tx_fld field);
/* Value of a field as the hardware reads it, 0 where there is none. */
TX_API uint32_t tx_row_field(const struct tx_row *row, enum tx_fld field, uint32_t word);
/* The word with another value in the field, cut to its width; the same word where there is none. */
TX_API uint32_t tx_row_put(const struct tx_row *row, enum tx_fld field, uint32_t word,
                           uint32_t value);

enum tx_row_set { TX_ROW_READS, TX_ROW_WRITES, TX_ROW_BELIEF };
/*
 * One of the sets in words, operands by the fields that the instruction has: "VC, VD, Dst". row
 * is one of tx_row_at. 192 bytes always suffice; TX_EINVAL: size too small.
 */
TX_API enum tx_status tx_row_text(const struct tx_row *row, enum tx_row_set set, char *text,
                                  size_t size);

/* What a value of a modifier means, or of another field that selects. */
struct tx_insn_mode {
    const char *where;     /* the field's name, "MOD", for printing */
    const char *name;      /* short, known to this instruction's operands only; "": has none */
    const char *constants; /* the vendor's names of the value, blank separated; "": none */
    const char *meaning;
    const char *formula;  /* notation: head of isa/modes.def */
    uint16_t bits, value; /* it holds where (field & bits) == value */
    uint16_t modes;       /* and the modifier is one of these */
    uint8_t archs;        /* set of chips */
    uint8_t field;        /* enum tx_fld: MOD; RND of SFPSTOCHRND, VD of SFPCONFIG, IMM, VC */
};

/* Those of an instruction of the chip, in order; NULL past the end. */
TX_API const struct tx_insn_mode *tx_insn_mode_at(enum tx_arch arch, const struct tx_insn *insn,
                                                  size_t index);
/* Whether the word, of this chip, selects it. */
TX_API bool tx_insn_mode_holds(enum tx_arch arch, const struct tx_insn_mode *mode, uint32_t word);

enum tx_insn_mode_part { TX_INSN_MODE_NAME, TX_INSN_MODE_MEANING, TX_INSN_MODE_FORMULA };
/*
 * All that one value of a behaviour's modifier says: names as "ARG_IMM|CC_NONE", meanings and
 * formulas separated by "; ". TX_ENOENT: nothing is known of it. 512 bytes always suffice;
 * TX_EINVAL: size too small.
 */
TX_API enum tx_status tx_row_mode_text(enum tx_arch arch, const struct tx_row *row, unsigned mode,
                                       enum tx_insn_mode_part part, char *text, size_t size);

/* Where a behaviour that moves values between registers or lanes takes one from. */
enum tx_move_source {
    TX_MOVE_NONE,  /* this behaviour does not, or does not write that register */
    TX_MOVE_LREG,  /* register reg */
    TX_MOVE_VC,    /* the register that VC names */
    TX_MOVE_ZERO,  /* it becomes 0 */
    TX_MOVE_LATCH, /* Wormhole's shift latch */
};
struct tx_move {
    uint8_t source; /* enum tx_move_source */
    uint8_t reg, lane;
};
/* What becomes of a lane of the register that it writes: SFPTRANSP, SFPSHFT2 modes 0 to 4. */
TX_API struct tx_move tx_row_move(const struct tx_row *row, unsigned reg, unsigned lane);

/* A behaviour that is one multiply-add: VD = x * y + z. */
enum tx_term { TX_TERM_VA, TX_TERM_VB, TX_TERM_VC, TX_TERM_IMM, TX_TERM_ONE, TX_TERM_ZERO };
struct tx_terms {
    uint8_t x, y, z;         /* enum tx_term; the immediate is BF16 */
    uint8_t product, addend; /* modifier bits that change the sign of x * y, of z: on Blackhole */
};
/* NULL: it is none, or takes its operands from a table (tx_row_table). */
TX_API const struct tx_terms *tx_row_terms(const struct tx_row *row);

/* One piece of a table look-up: a * |L3| + c. */
struct tx_piece {
    uint32_t a, c; /* bits; zero where the hardware takes a coefficient for zero */
    uint8_t piece; /* register that a comes from, whole or a part of it */
    bool whole;    /* a is that register, and c the one four further on */
    bool retain;   /* the result gets the sign of L3 */
};
/* The piece that L0..L6 have for L3: SFPLUT, SFPLUTFP32. False: the behaviour has no table. */
TX_API bool tx_row_table(const struct tx_row *row, unsigned mode, const uint32_t lreg[7],
                         struct tx_piece *piece);

/* What a result has to do with operands as real numbers; words: head of isa/reals.def. */
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
    uint8_t kind;       /* enum tx_real_kind: what the result's bits are */
    uint8_t operands;   /* how many of operand[] there are */
    uint8_t operand[2]; /* TX_FLD_VB, TX_FLD_VC: first and second */
    uint32_t amount;    /* of ROUNDED bits, of BOUNDED the largest integer; else 0 */
};
/*
 * Of a behaviour that is no multiply-add (tx_row_terms, tx_row_table), moves nothing between lanes
 * (tx_row_move) and does not load. False: nothing is stated of it.
 */
TX_API bool tx_row_real(const struct tx_row *row, unsigned mode, struct tx_real *real);

/*
 * Whether its result depends on the random word that it draws. rounding: its rounding mode, 0 where
 * it has none.
 */
TX_API bool tx_row_draws(const struct tx_row *row, unsigned rounding);

/*
 * The modifier with which a behaviour that exchanges VB and VC does the same with the two in one
 * another's place. False: there is none.
 */
TX_API bool tx_row_reverse(const struct tx_row *row, unsigned mode, unsigned *reverse);

/* An instruction that does what another does whose source is a part of its immediate. */
struct tx_same {
    uint8_t insn, mode; /* enum tx_insn_id, and its modifier; the immediate is the same */
    uint8_t field;      /* enum tx_fld: TX_FLD_VC names the source; TX_FLD_VD: source and result */
};
/* For this immediate. False: there is none, as of all behaviours without TX_IMPLIED_VB_IMM. */
TX_API bool tx_row_same(enum tx_arch arch, const struct tx_row *row, uint32_t imm,
                        struct tx_same *same);

struct tx_decoded {
    const struct tx_insn *insn; /* NULL: no such opcode on this chip */
    const struct tx_row *row;   /* NULL: no behaviour is modelled (or none exists) */
    uint32_t other;             /* set bits that no operand field holds */
    uint32_t unused;            /* set bits that the hardware does not read (finding when run) */
    uint8_t mode;               /* value of the modifier field, 0 where there is none */
    bool canonical;             /* no unused bit set and the mode is inside the contract */
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
 * Builds the word back from insn, fields and other. A value wider than its field: TX_EINVAL.
 * tx_encode(tx_decode(w)) == w for every word that has an instruction.
 */
TX_API enum tx_status tx_encode_sized(const struct tx_decoded *in, size_t size, uint32_t *word);
static inline enum tx_status tx_encode(const struct tx_decoded *in, uint32_t *word)
{
    return tx_encode_sized(in, sizeof *in, word);
}

/* .ttinsn: in a RISC-V instruction stream the word is rotated left by two. */
TX_API uint32_t tx_ttinsn(uint32_t word);
TX_API uint32_t tx_ttinsn_undo(uint32_t word);

/* Configuration field by the vendor's name, without the _RMW or _ADDR32 ending. */
struct tx_config_field {
    const char *name;
    bool thread;   /* true: thread configuration (SETC16), false: banked configuration */
    uint16_t word; /* index of the 32-bit (thread: 16-bit) word */
    uint8_t lsb, width;
};

TX_API const struct tx_config_field *tx_config_field_at(enum tx_arch arch, size_t index);
TX_API const struct tx_config_field *tx_config_field_find(enum tx_arch arch, const char *name);

/* A field of SFPLOADMACRO's configuration. */
struct tx_macro_field {
    const char *word; /* "sequence": of each of its four bytes; "misc" */
    const char *text; /* how the directive .sequence or .misc spells it */
    const char *meaning;
    uint8_t lsb, width;
};

/* In order; NULL past the end. */
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
/* Whether it concerns an instruction. */
TX_API bool tx_erratum_names(const struct tx_erratum *erratum, enum tx_insn_id insn);

/* Why the emulator does what it does where the documents leave room. */
struct tx_evidence {
    const char *id;   /* "R5", "O-1" ... as in spec/ */
    const char *rows; /* mnemonics concerned; "*" for all */
    const char *text;
    const char *source;
    const char *rule; /* name of the switch that selects the other reading, or NULL */
};

TX_API const struct tx_evidence *tx_evidence_at(size_t index);
/* Whether it concerns an instruction by name, not with all others. */
TX_API bool tx_evidence_names(const struct tx_evidence *evidence, enum tx_insn_id insn);

/* A switch between readings of the sources; value 0 is the default. */
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
