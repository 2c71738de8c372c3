/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Declarations that the files of the assembler share: the cursor over the text, the known names,
 * and the program being built, all in one struct asm_state that lives during one tx_assemble.
 */
#ifndef ASM_STATE_H
#define ASM_STATE_H

#include "asm/program.h"
#include "isa/insn.h"

enum {
    ASM_MAX_WORDS = 1 << 20,
    ASM_MAX_NESTING = 32, /* of .rept, macro calls and .include, and of parentheses */
    ASM_MAX_ARGS = 16     /* arguments of a macro */
};

enum asm_token_kind {
    TOKEN_END, /* end of a statement: ";", end of line or text, or start of a comment */
    TOKEN_NAME,
    TOKEN_NUMBER,
    TOKEN_STRING,
    TOKEN_OP /* "op" is the character, or TWO(a, b) */
};

#define TWO(a, b) ((unsigned)(a) << 8 | (unsigned)(b))

struct asm_token {
    enum asm_token_kind kind;
    unsigned op;
    const char *text;
    size_t length;
    int64_t number;
};

enum { FREE_MIXED = 255 };

enum asm_name_kind {
    NAME_INSN = 1,     /* value: index of the form */
    NAME_CONSTANT = 2, /* from the vendor's headers */
    NAME_USER = 4,     /* defined by .set */
    NAME_MACRO = 8,
    NAME_DIRECTIVE = 16 /* value: index in the directive table */
};

struct asm_macro {
    const char *name;
    const char *body;
    size_t name_length, body_length;
    unsigned line; /* line of the body's first line */
    unsigned file; /* file that the body is in */
    unsigned arg_count;
    struct {
        const char *name, *value; /* value: the default, or NULL */
        size_t name_length, value_length;
    } args[ASM_MAX_ARGS];
};

struct asm_name {
    const char *text;
    uint32_t hash;
    uint16_t length;
    uint8_t kind;
    uint8_t free_kind; /* of NAME_USER: derived from .free; 1 + its kind, FREE_MIXED, or 0 */
    int64_t value;
    struct asm_macro *macro;
};

/*
 * A stretch of text being read: the source, an included file, the body of a .rept or an expanded
 * macro.
 */
struct asm_frame {
    const char *text, *end;
    /* Start of the line in which the text begins, as in .rept 2; sfpnop; .endr. */
    const char *line_start;
    unsigned first_line;
    unsigned file;      /* 0: the text itself, else source[n - 1] of the program */
    uint64_t repeat;    /* how often it is still to be read, including the present time */
    const char *resume; /* where reading goes on in the frame below */
    unsigned resume_line;
    char *owned; /* freed with the frame, or NULL */
    unsigned if_depth;
    uint32_t else_seen; /* bit n: .else of nesting depth n has been read */
};

struct asm_block {
    struct asm_block *next;
    char data[];
};

struct asm_state {
    enum tx_arch arch;
    bool force_arch, ttinsn;
    tx_include_fn *include;
    void *include_user;
    uint32_t included; /* bit n: source[n] of the program came from .include */
    struct tx_program *program;
    size_t capacity[TX_SECTIONS];
    unsigned section;
    unsigned thread;   /* from .thread; TX_THREADS: none was given */
    unsigned loc_file; /* from .loc; 0: words have the line of the text */
    uint32_t loc_line;

    struct tx_diag *diag;
    enum tx_status status;

    struct asm_frame frames[ASM_MAX_NESTING];
    unsigned depth;         /* number of frames in use */
    const char *p, *end;    /* cursor in the top frame */
    unsigned line;          /* line of the cursor */
    unsigned open;          /* parentheses of a macro call are open: lines continue */
    struct asm_token token; /* the current token */
    unsigned nesting;       /* nesting depth of the expression */
    uint8_t free_kind;      /* as in asm_name: what the last expression was derived from */
    /*
     * Number of enclosing branches of &&
     * ?: that are not evaluated: no errors of division there.
     */
    unsigned dead;
    uint64_t budget;      /* bytes that may still be read */
    unsigned template_vd; /* the value of VD in the .template being read; 0: VD has none */
    unsigned next_template, next_sequence; /* for .template and .sequence without a number */
    unsigned macro_serial;
    const struct insn_form *form; /* the instruction whose operands are being read, or NULL */

    struct asm_name *names;
    uint32_t *slots; /* hash table; entries are index into names + 1, 0 if empty */
    uint32_t slot_count, name_count, name_capacity;
    bool constants_loaded;
    enum tx_arch insns_loaded;
    struct asm_block *blocks;
};

/* lex.c */
void asm_next(struct asm_state *a);                 /* reads one token into a->token */
void asm_enter(struct asm_state *a, const char *p); /* continues at p in the top frame */
bool asm_is_op(const struct asm_state *a, unsigned op);
/* Returns whether the token is this word, in upper or lower case; the word is given in lower case.
 */
bool asm_is_word(const struct asm_token *token, const char *lower_case);
/*
 * asm_accept goes on to the next token if the current one is the operator; asm_expect records an
 * error if it is not ("where" ends the message), asm_expect_end if the statement goes on. All
 * return whether it was as expected.
 */
bool asm_accept(struct asm_state *a, unsigned op);
bool asm_expect(struct asm_state *a, unsigned op, const char *where);
bool asm_expect_end(struct asm_state *a);
/* Moves to the first character of the next statement, across comments and strings. */
void asm_skip_statement(struct asm_state *a);
/* Records an error at [text, text + length), if it is the first. Always returns false. */
#if defined(__GNUC__)
__attribute__((format(printf, 5, 6)))
#endif
bool asm_fail(struct asm_state *a, enum tx_status status, const char *text, size_t length,
              const char *format, ...);
#define FAIL_TOKEN(a, ...) asm_fail((a), TX_EPARSE, (a)->token.text, (a)->token.length, __VA_ARGS__)
/* Arguments for "%.*s", cut to what fits a message. */
#define SHOW(text, length) (int)((length) < 40 ? (length) : 40), (text)

/* names.c */
static inline char asm_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}
uint32_t asm_hash(const char *text, size_t length);
/*
 * Finds a name, in any case, of one of these kinds (a set of enum asm_name_kind); NULL if there is
 * none.
 */
const struct asm_name *asm_find(struct asm_state *a, const char *text, size_t length,
                                unsigned kinds);
/*
 * Adds a name. The text must outlive the state: see asm_keep. Returns NULL without memory
 * (recorded).
 */
struct asm_name *asm_add(struct asm_state *a, const char *text, size_t length,
                         enum asm_name_kind kind, int64_t value);
/* Copies a text, which then lives as long as the state. Returns NULL without memory (recorded). */
const char *asm_keep(struct asm_state *a, const char *text, size_t length);
/*
 * Finds the form of a mnemonic, NULL if there is none. *prefixed: it was written with a prefix of
 * the vendor's macros.
 */
const struct insn_form *asm_find_insn(struct asm_state *a, const char *text, size_t length,
                                      bool *prefixed);
/* Returns the length of the prefix TTI_, TT_OP_ or TT_ of a name, or 0. */
size_t asm_prefix_length(const char *text, size_t length);
void asm_names_free(struct asm_state *a);

/* constants.c */
/* Returns the length of the vendor's namespaces in front of a name. */
size_t asm_space_length(const char *text, size_t length);
/*
 * Finds one of the vendor's constants or a name derived from a configuration field. Returns false
 * if there is none.
 */
bool asm_find_constant(struct asm_state *a, const char *text, size_t length, int64_t *value);
/* Finds a mode by its short name, for the instruction whose operands are being read. */
bool asm_find_mode(const struct asm_state *a, const char *text, size_t length, int64_t *value);

/* near.c */
/* Returns the most similar name of an instruction of the chip, or NULL if none is near. */
const char *asm_nearest_insn(enum tx_arch arch, const char *text, size_t length);
struct asm_near {
    const char *text;
    size_t length;
};
/* Finds a similar constant, user's name or mode. Returns false if there is none. */
bool asm_nearest_name(const struct asm_state *a, const char *text, size_t length,
                      struct asm_near *found);

/* expr.c */
/* Evaluates the expression at the current token. Returns false after an error. */
bool asm_expression(struct asm_state *a, int64_t *value);
/* Returns the number in the names L0..L15, or -1. */
int asm_lreg(const char *text, size_t length);

/* number.c: converts decimal text to the nearest binary number, ties to even. */
struct asm_float_format {
    unsigned precision; /* bits of precision, including the hidden one */
    int max_exponent;   /* exponent of the largest finite number, as a power of two */
    unsigned width;
};
enum asm_float_result { FLOAT_OK, FLOAT_SYNTAX, FLOAT_RANGE };
/* Accepts also inf and nan. Returns FLOAT_RANGE for what is too large for the format. */
enum asm_float_result asm_float_parse(const char *text, size_t length,
                                      const struct asm_float_format *format, uint32_t *bits);

/* operand.c */
/* Encodes an instruction whose name is the current token. The word is not emitted. */
bool asm_instruction_word(struct asm_state *a, const struct insn_form *form, bool prefixed,
                          uint32_t *word);
/* Encodes and emits it. */
bool asm_instruction(struct asm_state *a, const struct insn_form *form, bool prefixed);

/* directive.c */
bool asm_directive(struct asm_state *a, const struct asm_name *name);
bool asm_directives_load(struct asm_state *a);
bool asm_assign(struct asm_state *a, const struct asm_token *name);
/* Emits one SFPLOADI if the value allows it, else two. */
bool asm_emit_loadi(struct asm_state *a, unsigned lreg, uint32_t value, unsigned line);

/* macro_words.c: .template, .sequence and .misc */
bool asm_template(struct asm_state *a);
bool asm_sequence(struct asm_state *a);
bool asm_misc(struct asm_state *a);

/* free.c */
bool asm_free(struct asm_state *a);

/* block.c */
/* Opens a frame. "at" is the token for the message if nesting is too deep. */
bool asm_push(struct asm_state *a, const struct asm_frame *frame, const struct asm_token *at);
/* Returns the number of the file that the cursor is in. */
unsigned asm_file(const struct asm_state *a);
void asm_pop(struct asm_state *a);
bool asm_rept(struct asm_state *a);
bool asm_include(struct asm_state *a);
bool asm_macro_define(struct asm_state *a);
bool asm_macro_call(struct asm_state *a, const struct asm_macro *macro);
bool asm_if(struct asm_state *a);
bool asm_else(struct asm_state *a);
bool asm_endif(struct asm_state *a);
void asm_end_statement(struct asm_state *a);

/* assemble.c */
bool asm_emit(struct asm_state *a, uint32_t word, unsigned line);

#endif
